package selftest

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/report"
)

// WriteConsole writes a result for a person: a line for each defect, below it why it is not killed, then the sums. Its
// only error is the writer's.
func WriteConsole(w io.Writer, r Result, o report.Options) error {
	var text strings.Builder
	for _, row := range r.Matrix {
		text.WriteString(strings.TrimRight(fmt.Sprintf("%-9s%-13s%-42s%s", row.Rule, row.Status, row.Defect, row.words()), " ") + "\n")
		if row.Reason != "" {
			if err := report.WriteFields(&text, []report.Field{{Text: row.Reason}}, o); err != nil {
				return err
			}
		}
	}
	if len(r.Matrix) > 0 {
		text.WriteString("\n")
	}
	fields := []report.Field{
		{Label: "defects", Text: fmt.Sprintf("%d: %d killed, %d mislabelled, %d silent, %d dead",
			r.Defects, r.Killed, len(r.Mislabelled), len(r.Silent), len(r.Dead))},
		{Label: "rules", Text: r.Rules.words()},
		{Label: "variants", Text: r.variants()},
	}
	for i, a := range r.Alarms {
		label := ""
		if i == 0 {
			label = "false alarms"
		}
		fields = append(fields, report.Field{Label: label, Text: fmt.Sprintf("%s fails for %s in %s: %s", a.Rule, a.Client, a.Run, a.Reason)})
	}
	for i, f := range r.Faults {
		label := ""
		if i == 0 {
			label = "faults"
		}
		fields = append(fields, report.Field{Label: label, Text: fmt.Sprintf("%s (%s): %s", f.Scenario, f.Kind, f.Text)})
	}
	if r.Processes != nil {
		fields = append(fields, report.Field{Label: "processes", Text: r.Processes.words()})
	}
	fields = append(fields, report.Field{Label: "runs", Text: fmt.Sprintf("%d were made; in all others a client does what its twin does", r.Runs)})
	if err := report.WriteFields(&text, fields, o); err != nil {
		return err
	}
	fmt.Fprintf(&text, "\n%s\n", r.verdict())
	_, err := io.WriteString(w, text.String())
	return err
}

// words say where the defect's rule failed, and which others did.
func (r Row) words() string {
	said := ""
	if len(r.Scenarios) > 0 {
		said = "in " + plural(len(r.Scenarios), "scenario")
	}
	others := slices.DeleteFunc(slices.Clone(r.Failed), func(rule string) bool { return rule == r.Rule })
	if len(others) > 0 {
		said += ", with " + strings.Join(others, " ")
	}
	if len(r.Elsewhere) > 0 {
		said += "; in others " + strings.Join(r.Elsewhere, " ")
	}
	return said
}

// variants says how many there are and what they went through, and names those that show nothing.
func (r Result) variants() string {
	said := plural(r.Variants, "client") + " that must be left alone, each before every rule"
	if r.Full {
		said = plural(r.Variants, "client") + " that must be left alone, each in every case"
	}
	if len(r.Same) > 0 {
		said += "; like their twin: " + strings.Join(r.Same, ", ")
	}
	return said
}

// words say how many rules have a defect, and name those that have none.
func (c Coverage) words() string {
	said := fmt.Sprintf("%d that bind, %d of them with a defect", c.InScope, c.WithDefect)
	if len(c.Without) > 0 {
		said += "; without one: " + strings.Join(c.Without, ", ")
	}
	return said
}

// verdict is the last line.
func (r Result) verdict() string {
	switch {
	case len(r.Faults) > 0:
		return "the harness is at fault: what stands above cannot be trusted"
	case r.Good():
		return "every defect is killed, every rule has one, and no rule fails for a client that is right"
	default:
		var wrong []string
		if n := r.Defects - r.Killed; n > 0 {
			wrong = append(wrong, plural(n, "defect")+" not killed")
		}
		if n := len(r.Rules.Without); n > 0 {
			wrong = append(wrong, plural(n, "rule")+" without a defect")
		}
		if n := len(r.FalseAlarms); n > 0 {
			wrong = append(wrong, plural(n, "client")+" that is right found to be wrong")
		}
		if n := len(r.Same); n > 0 {
			wrong = append(wrong, plural(n, "variant")+" like its twin")
		}
		if r.Processes != nil && len(r.Processes.Silent) > 0 {
			wrong = append(wrong, plural(len(r.Processes.Silent), "defect")+" not noticed in a process of its own")
		}
		return "not as it should be: " + strings.Join(wrong, ", ")
	}
}
