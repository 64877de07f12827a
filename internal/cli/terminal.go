package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/internal/report"
)

// getenv reads the environment that the program was given.
func (p *program) getenv(name string) string {
	value := ""
	for _, entry := range p.env {
		if n, v, ok := strings.Cut(entry, "="); ok && n == name {
			value = v
		}
	}
	return value
}

// console says how a report looks on standard output: as wide as its terminal, and on a terminal only cut to a screen
// and, where NO_COLOR does not forbid it, coloured.
func (p *program) console() report.Options {
	width, terminal := terminalOf(p.stdout)
	if columns, err := strconv.Atoi(p.getenv("COLUMNS")); err == nil && columns > 0 {
		width = columns
	}
	return report.Options{Width: width, Screen: terminal, Colour: terminal && p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb"}
}

// terminalOf gives the width of the terminal that w writes to, and false where there is none.
func terminalOf(w io.Writer) (width int, ok bool) {
	file, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	return terminalWidth(file)
}

// progress shows on a terminal how many runs were made, at most ten times a second; nil where there is no terminal.
// What it returns second takes the line away again.
func (p *program) progress() (show func(done, total int), wipe func()) {
	if _, ok := terminalOf(p.stderr); !ok {
		return nil, func() {}
	}
	return progressOn(p.stderr, p.now)
}

func progressOn(w io.Writer, now func() time.Time) (show func(done, total int), wipe func()) {
	var last time.Time
	width := 0
	show = func(done, total int) {
		if now().Sub(last) < 100*time.Millisecond {
			return
		}
		last = now()
		line := fmt.Sprintf("%d of %d runs", done, total)
		width = max(width, len(line))
		fmt.Fprintf(w, "\r%-*s", width, line)
	}
	return show, func() {
		if width > 0 {
			fmt.Fprintf(w, "\r%s\r", strings.Repeat(" ", width))
		}
	}
}

// width is how wide standard output is.
func (p *program) width() int {
	if width := p.console().Width; width > 0 {
		return width
	}
	return report.DefaultWidth
}
