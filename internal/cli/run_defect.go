package cli

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// filters are the words of the command line. A defect that nothing narrows is judged on the scenarios that cover its
// rule: named one by one, so that every rule is judged there, as in the self-test.
func (o *runOptions) filters(words []string, files []*scenarios.File) []string {
	d, known := defects.Find(o.defect)
	if !known || len(words) > 0 || len(o.scenarios) > 0 {
		return words
	}
	var names []string
	for _, f := range files {
		if slices.Contains(f.Covers, d.Kills) {
			names = append(names, f.Name)
		}
	}
	return names
}
