package defects

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// TestHastyIsHasty runs the client of the demo: one rule notices, and no other.
func TestHastyIsHasty(t *testing.T) {
	t.Parallel()
	d, ok := Find("hasty")
	if !ok || !slices.Contains(Names(), "hasty") {
		t.Fatal("there is no hasty client")
	}
	files, err := scenarios.Shipped("waking-then-ready", scenarios.Control)
	if err != nil {
		t.Fatal(err)
	}
	var cases []scenarios.Case
	for _, f := range files {
		cases = append(cases, f.Cases(evidence.ClockVirtual)...)
	}
	rec, err := runner.RunAll(t.Context(), d.Subject, cases, runner.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, c := range suites.Judge(rec.Runs, suites.ScopeOf(rec.Session)) {
		if c.Status == suites.Failed {
			failed = append(failed, c.Rule)
		}
	}
	if diff := cmp.Diff([]string{d.Kills}, failed); diff != "" {
		t.Error(diff)
	}
}
