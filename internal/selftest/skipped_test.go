package selftest

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// What the package's comment says of runs that need not be made, tried on a sample: clients are run where their twin
// never asks for their switch, and leave the same evidence byte for byte, in another session with other tokens.
func TestRunsThatAreLeftOutWouldSayWhatTheTwinSays(t *testing.T) {
	t.Parallel()
	cases := shipped(t, "plain-send", "waking-then-ready", "refresh-once", "limit-reached", "silent-answer", "two-sessions", "not-admitted")
	b := newBench(Config{Cases: cases, Jobs: 1, Record: runner.RunAll, Defects: defects.All()})
	right := &twin{make: defects.Twin}
	if err := b.runTwin(t.Context(), right, []job{{fits: anywhere}}); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for i, d := range defects.All() {
		at := unasked(right, b.numbers[d.Name], i)
		if i%5 != 0 || at < 0 || d.Subject.About().Command {
			continue
		}
		rec, err := runner.RunAll(t.Context(), d.Subject, cases[at:at+1], runner.Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(rec.Runs) != 1 {
			t.Fatalf("%s: %d runs", cases[at].ID, len(rec.Runs))
		}
		if got, err := digestOf(rec.Runs[0]); err != nil || got != right.runs[at].digest {
			t.Errorf("%s does in %s what its twin does not, though its switch is not asked for there", d.Name, cases[at].ID)
		}
		tried++
	}
	if tried < 20 {
		t.Errorf("the sample holds %d runs only", tried)
	}
}

func anywhere(scenarios.Case) bool { return true }

// unasked finds a case in which a twin never asks for a client, beginning at some place; -1 where it always does.
func unasked(t *twin, number, from int) int {
	for k := range t.runs {
		if at := (from + k) % len(t.runs); !t.runs[at].asked.has(number) {
			return at
		}
	}
	return -1
}

// A client that differs everywhere is told apart everywhere, or the test above would say nothing.
func TestEvidenceOfADefectDiffers(t *testing.T) {
	t.Parallel()
	b := newBench(Config{Cases: shipped(t, "plain-send"), Jobs: 1, Record: runner.RunAll})
	right := &twin{make: defects.Twin}
	if err := b.runTwin(t.Context(), right, []job{{fits: anywhere}}); err != nil {
		t.Fatal(err)
	}
	d, _ := defects.Find("role-requester")
	found, err := b.try(t.Context(), job{twin: right, name: d.Name, client: d.Subject}, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	if found.made != 1 || found.differing != 1 || len(found.broken) == 0 {
		t.Errorf("%+v", found)
	}
}
