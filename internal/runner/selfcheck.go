package runner

import (
	"fmt"
	"maps"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// unexpected compares a run of the reference client with what the scenario says that the reference client does. It is
// a check of the file: what it finds is a fault of the file or of the reference client, and no rule sees it.
func (r *run) unexpected(run evidence.Run) []evidence.Fault {
	var faults []evidence.Fault
	fault := func(kind, format string, args ...any) {
		faults = append(faults, evidence.Fault{Scenario: r.scenario.ID, Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	for _, text := range r.script.Leftover() {
		fault(evidence.FaultLeftover, "%s", text)
	}
	expect := r.scenario.Expect
	if expect == nil {
		return faults
	}
	for _, op := range slices.Sorted(maps.Keys(expect.Calls)) {
		if n := countOf(run, op); n != expect.Calls[op] {
			fault(evidence.FaultExpect, "%d requests %s arrived, the file expects %d", n, op, expect.Calls[op])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(expect.Result)) {
		want := expect.Result[name].Is
		if got := resultOf(run, r.calls[name]); got != want {
			fault(evidence.FaultExpect, "the call %s came to %q, the file expects %q", name, got, want)
		}
	}
	return faults
}

func countOf(run evidence.Run, op evidence.Op) int {
	n := 0
	for _, x := range run.Exchanges {
		if x.Op == op {
			n++
		}
	}
	return n
}

func resultOf(run evidence.Run, number int) string {
	if number < 1 || number > len(run.Calls) || run.Calls[number-1].Outcome == nil {
		return "no end"
	}
	o := run.Calls[number-1].Outcome
	if o.Kind == evidence.OutcomeError {
		return string(o.Error.Category)
	}
	return string(o.Kind)
}
