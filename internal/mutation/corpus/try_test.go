package corpus

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// judges stands for an instrumented package: rule A comes to mutants 1 to 4, rule B to mutant 5, neither to 6.
type judges struct {
	alive int32
	seen  map[int32]bool
}

func (j *judges) set(n int32, _ int64) { j.alive = n }

func (j *judges) watch() { j.alive, j.seen = -1, map[int32]bool{} }

func (j *judges) done() (reached []int32, steps int64) {
	for n := range j.seen {
		reached = append(reached, n)
	}
	j.alive = 0
	return reached, int64(len(reached))
}

func (j *judges) on(n int32) bool {
	if j.alive == -1 {
		j.seen[n] = true
	}
	return j.alive == n
}

func (j *judges) judge(run *evidence.Run, scope suites.Scope) []suites.Check {
	var checks []suites.Check
	for _, rule := range scope.Rules {
		status := suites.Passed
		switch {
		case rule.ID == "B" && run.ID == "second" && j.on(5):
			status = suites.Warned
		case rule.ID == "B":
		case j.on(1) && run.ID == "second":
			status = suites.Failed
		case j.on(2):
			panic("mutant without end")
		case j.on(3):
			panic("index out of range")
		case j.on(4) && run.ID == "second":
			continue // no check where there was one
		}
		checks = append(checks, suites.Check{Rule: rule.ID, Call: 1, Status: status, Reason: "in words of its own"})
	}
	return checks
}

func TestTry(t *testing.T) {
	t.Parallel()
	scope := suites.Scope{Rules: []suites.Rule{{ID: "A"}, {ID: "B"}}}
	var recorded []Recorded
	for _, id := range []string{"first", "second"} {
		recorded = append(recorded, Recorded{"somebody", scope, &evidence.Run{ID: id, Calls: []evidence.Call{{Number: 1}}}})
	}
	fake := &judges{}
	b := newBench(Switches{fake.judge, fake.set, fake.watch, fake.done}, recorded)
	var got []string
	for n := range int32(7) {
		got = append(got, b.try(n))
	}
	want := []string{
		"unreached 0", "killed 1 somebody in second", "endless 2 somebody in first", "panicked 3 somebody in first",
		"killed 4 somebody in second", "killed 5 somebody in second", "unreached 6",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mutants differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]bool{"B": true}, b.rules[5]); diff != "" {
		t.Errorf("rules that come to mutant 5 differ (-want +got):\n%s", diff)
	}
}
