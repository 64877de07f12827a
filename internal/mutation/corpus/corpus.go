// Package corpus holds the recorded runs that a mutant of package suites is tried on, and the comparison of what the
// rules say of them with and without it. Making mutants belongs to package mutation.
package corpus

import (
	"context"
	"fmt"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Recorded is a run and who made it.
type Recorded struct {
	Client string
	Scope  suites.Scope
	Run    *evidence.Run
}

// Record runs each wrong client in the scenario that shows it best, and the reference client, the second client and the
// second command in all scenarios. The error is the context's, or about the harness.
func Record(ctx context.Context) ([]Recorded, error) {
	files, err := scenarios.Builtin()
	if err != nil {
		return nil, err
	}
	cases := scenarios.Expand(files, evidence.ClockVirtual)
	var all []Recorded
	add := func(name string, s subject.Subject, cases []scenarios.Case) error {
		rec, err := runner.RunAll(ctx, s, cases, runner.Options{})
		if err != nil {
			return fmt.Errorf("record %s: %w", name, err)
		}
		scope := suites.ScopeOf(rec.Session)
		for i := range rec.Runs {
			all = append(all, Recorded{name, scope, &rec.Runs[i]})
		}
		return ctx.Err()
	}
	for _, d := range defects.All() {
		shown := slices.Clone(cases)
		shown = slices.DeleteFunc(shown, func(c scenarios.Case) bool { return c.Scenario != d.Shows })
		if err := add(d.Name, d.Subject, shown); err != nil {
			return nil, err
		}
	}
	for _, right := range []struct {
		name   string
		client subject.Subject
	}{
		{"the reference client", subject.Reference("mutation")}, {"the second client", defects.Twin(nil)}, {"the second command", defects.CommandTwin(nil)},
	} {
		if err := add(right.name, right.client, cases); err != nil {
			return nil, err
		}
	}
	return all, nil
}
