package cli

import (
	"fmt"

	"github.com/a2a-conform/a2a-conform/internal/defects"
)

// listedDefect is a defect in a list.
type listedDefect struct {
	Defect string   `json:"defect"`
	About  string   `json:"about"`
	Kills  string   `json:"kills"`
	Also   []string `json:"also"`
}

func (p *program) listDefects(format string) error {
	var list []listedDefect
	for _, d := range defects.All() {
		list = append(list, listedDefect{d.Name, d.About, d.Kills, append([]string{}, d.Also...)})
	}
	if format == "json" {
		return writeJSON(p.stdout, list)
	}
	width := 0
	for _, d := range list {
		width = max(width, len(d.Defect))
	}
	for _, d := range list {
		fmt.Fprintln(p.stdout, shorten(fmt.Sprintf("%-*s  %-9s%s", width, d.Defect, d.Kills, d.About), p.width()))
	}
	return nil
}
