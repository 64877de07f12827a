package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

func TestUncovered(t *testing.T) {
	t.Parallel()
	covers := func(id, scenario string, rules ...string) scenarios.Case {
		return scenarios.Case{ID: id, Scenario: scenario, Covers: rules}
	}
	cases := []scenarios.Case{
		covers("waking", "waking", "FLOW-06", "FLOW-07", "REQ-02"),
		covers("retry-not/status=400", "retry-not", "FLOW-06"),
		covers("retry-not/status=404", "retry-not", "FLOW-06"),
	}
	applied := check("FLOW-06", suites.Must, suites.Passed)
	applied.Run = "retry-not/status=404"
	elsewhere := check("FLOW-07", suites.Must, suites.Passed)
	elsewhere.Run = "retry-not/status=400"
	got := Uncovered(cases, []suites.Rule{rule("FLOW-06", suites.Must), rule("FLOW-07", suites.Must)}, []suites.Check{applied, elsewhere})
	want := []evidence.Fault{
		{Scenario: "waking", Kind: evidence.FaultCovers, Text: "the file says that it covers FLOW-06, which applied in none of its cases"},
		{Scenario: "waking", Kind: evidence.FaultCovers, Text: "the file says that it covers FLOW-07, which applied in none of its cases"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
