package main

import (
	"fmt"
	"slices"
	"strings"
)

// reason says why some mutants may live.
type reason struct {
	// Keys are those of the mutants (Mutant.Key); "F *" stands for all of function F, "F op: *" for those of one operator.
	Keys []string
	Text string
}

// parseReasons reads reasons: lines with the keys of mutants, then the reason, each of its lines indented; # begins a
// comment. All mistakes are reported.
func parseReasons(text string) ([]reason, error) {
	var all []reason
	var problems []string
	for i, line := range strings.Split(text, "\n") {
		said := strings.TrimSpace(line)
		reasoned := len(all) > 0 && all[len(all)-1].Text != ""
		switch {
		case said == "" || strings.HasPrefix(line, "#"):
		case line[0] == ' ' || line[0] == '\t':
			if len(all) == 0 {
				problems = append(problems, fmt.Sprintf("line %d: a reason stands before any mutant", i+1))
				continue
			}
			last := &all[len(all)-1]
			last.Text = strings.TrimSpace(last.Text + " " + said)
		case !strings.Contains(said, " "):
			problems = append(problems, fmt.Sprintf("line %d: %q is no mutant: write function, operator, colon and source", i+1, said))
		case len(all) == 0 || reasoned:
			all = append(all, reason{Keys: []string{said}})
		default:
			all[len(all)-1].Keys = append(all[len(all)-1].Keys, said)
		}
	}
	for _, r := range all {
		if r.Text == "" {
			problems = append(problems, fmt.Sprintf("%q has no reason: write it below, indented", r.Keys[len(r.Keys)-1]))
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s", strings.Join(problems, "\n"))
	}
	return all, nil
}

// isHole tells whether a reason only says that a test is missing.
func isHole(text string) bool { return strings.HasPrefix(text, "hole:") }

// covers tells whether a key stands for a mutant.
func covers(key string, m Mutant) bool {
	return key == m.Key() || key == m.Func+" *" || key == m.Func+" "+m.Op+": *"
}

// explain finds the reason of each mutant that lives. It returns those without one, and the keys that no living mutant has.
func explain(living []Mutant, reasons []reason) (why map[int]string, without []Mutant, idle []string) {
	why = map[int]string{}
	for _, r := range reasons {
		for _, key := range r.Keys {
			met := false
			for _, m := range living {
				if covers(key, m) {
					met = true
					why[m.Number] = r.Text
				}
			}
			if !met {
				idle = append(idle, key)
			}
		}
	}
	without = slices.DeleteFunc(slices.Clone(living), func(m Mutant) bool { return why[m.Number] != "" })
	return why, without, idle
}
