package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/report"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/selftest"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

// drawnFindings says which defects drawn scenarios alone find.
type drawnFindings struct {
	Scenarios int    `json:"scenarios"`
	Seed      uint64 `json:"seed"`
	Defects   int    `json:"defects"`
	// Found are those that their own rule noticed, ByOthers those that only other rules noticed.
	Found    []string `json:"found"`
	ByOthers []string `json:"found_by_other_rules"`
	NotFound []string `json:"not_found"`
	// FalseAlarms says which rule failed for the client without a defect, and where.
	FalseAlarms []string `json:"false_alarms"`
}

// selftestDrawn runs the defects of clients on drawn scenarios, whatever these cover, and shows which were found. Commands
// are left out: what is theirs alone is not drawn.
func (p *program) selftestDrawn(ctx context.Context, c selftest.Config, d drawing, o selftestOptions) error {
	drawn, err := drawEach(d.seed, d.numbers())
	if err != nil {
		return err
	}
	c.Cases, c.Variants = nil, nil
	for _, s := range drawn {
		s.Case.Covers = suites.RuleIDs() // any rule may notice in any of them
		c.Cases = append(c.Cases, s.Case)
	}
	c.Twins = []func(asked func(name string)) subject.Subject{defects.Twin}
	c.Defects = slices.DeleteFunc(slices.Clone(c.Defects), func(d defects.Defect) bool { return d.Subject.About().Command })
	defer boundHeap(selftestHeap)()
	progress, wipe := p.progress()
	c.Progress = progress
	if c.Shared, err = runner.NewShared(); err != nil {
		return err
	}
	defer func() { _ = c.Shared.Close() }() // a file left in the temporary directory spoils nothing
	r, err := selftest.Run(ctx, c)
	wipe()
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(p.stderr, "%s: interrupted; nothing was compared\n", name)
		return codeError(verdict.ExitInterrupted)
	case err != nil:
		return fmt.Errorf("make the runs: %w", err)
	}
	found := findingsOf(r, len(c.Cases), d.seed)
	if err := p.showFindings(found, o.format); err != nil {
		return err
	}
	if len(found.FalseAlarms) > 0 {
		return codeError(verdict.ExitNonConformant)
	}
	return nil
}

func findingsOf(r selftest.Result, cases int, seed uint64) drawnFindings {
	f := drawnFindings{
		Scenarios: cases, Seed: seed, Defects: r.Defects, Found: []string{}, ByOthers: []string{}, NotFound: []string{}, FalseAlarms: []string{},
	}
	for _, row := range r.Matrix {
		switch {
		case slices.Contains(row.Failed, row.Rule):
			f.Found = append(f.Found, row.Defect)
		case len(row.Failed) > 0:
			f.ByOthers = append(f.ByOthers, row.Defect)
		default:
			f.NotFound = append(f.NotFound, row.Defect)
		}
	}
	for _, a := range r.Alarms {
		f.FalseAlarms = append(f.FalseAlarms, fmt.Sprintf("%s in %s", a.Rule, a.Run))
	}
	return f
}

func (p *program) showFindings(f drawnFindings, format string) error {
	if format == "json" {
		return writeJSON(p.stdout, f)
	}
	listed := func(names []string) string {
		if len(names) == 0 {
			return "none"
		}
		return strings.Join(names, ", ")
	}
	fmt.Fprintf(p.stdout, "%s of seed %d, %s\n\n", counted(f.Scenarios, "drawn scenario"), f.Seed, counted(f.Defects, "defect")+" of clients")
	return report.WriteFields(p.stdout, []report.Field{
		{Label: "found", Text: fmt.Sprintf("%d by their own rule", len(f.Found))},
		{Label: "", Text: fmt.Sprintf("%d by other rules only: %s", len(f.ByOthers), listed(f.ByOthers))},
		{Label: "not found", Text: fmt.Sprintf("%d: %s", len(f.NotFound), listed(f.NotFound))},
		{Label: "false alarms", Text: listed(f.FalseAlarms)},
	}, p.console())
}
