package generate

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

func drawn(t *testing.T, seed uint64, n int) Scenario {
	t.Helper()
	s, err := Draw(seed, n)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryDrawIsAScenarioThatLoads(t *testing.T) {
	t.Parallel()
	for n := range 400 {
		s := drawn(t, 1, n)
		if _, err := scenarios.Check(s.Case.ID+".yaml", s.YAML(), scenarios.Options{}); err != nil {
			t.Errorf("number %d: %v\n%s", n, err, s.YAML())
		}
	}
}

func TestTheSameSeedDrawsTheSame(t *testing.T) {
	t.Parallel()
	different := 0
	for n := range 50 {
		one, again, other := drawn(t, 7, n), drawn(t, 7, n), drawn(t, 8, n)
		if diff := cmp.Diff(string(one.YAML()), string(again.YAML())); diff != "" {
			t.Fatalf("number %d drawn twice:\n%s", n, diff)
		}
		if body := func(s Scenario) string { _, rest, _ := strings.Cut(string(s.YAML()), "calls:"); return rest }; body(one) != body(other) {
			different++
		}
	}
	if different < 45 {
		t.Errorf("with another seed only %d of 50 are others", different)
	}
}

func TestShrinkKeepsWhatItIsAbout(t *testing.T) {
	t.Parallel()
	// What is to be kept is a second step of the queue of access that waits.
	waits := func(c scenarios.Case) bool {
		steps := c.When["platform.resolve_access"]
		return len(steps) > 1 && steps[1].Reply.Wait != nil
	}
	n := 0
	for !waits(drawn(t, 3, n).Case) {
		n++
	}
	large := drawn(t, 3, n)
	small := Shrink(large, waits)
	if !waits(small.Case) || len(small.YAML()) > len(large.YAML()) {
		t.Fatalf("it shrank to\n%s", small.YAML())
	}
	want := "scenario: " + large.Case.ID + "\n"
	if !bytes.HasPrefix(small.YAML(), []byte(want)) || size(small.doc) > 15 {
		t.Errorf("%d values are left, want 15 at most:\n%s", size(small.doc), small.YAML())
	}
}

// What is drawn has to come out the same each time, whichever goroutine goes first.
func TestADrawnScenarioIsPlayedTheSameEachTime(t *testing.T) {
	t.Parallel()
	cases := make([]scenarios.Case, 60)
	for n := range cases {
		cases[n] = drawn(t, 9, n).Case
	}
	played := map[string]string{}
	for range 5 {
		rec, err := runner.RunAll(t.Context(), subject.Reference("test"), cases, runner.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range rec.Runs {
			seen, err := json.Marshal([]any{run.Calls, run.Exchanges})
			if err != nil {
				t.Fatal(err)
			}
			if before, ok := played[run.ID]; ok && before != string(seen) {
				t.Errorf("%s was not the same again:\n%s", run.ID, cmp.Diff(before, string(seen)))
			}
			played[run.ID] = string(seen)
		}
	}
}
