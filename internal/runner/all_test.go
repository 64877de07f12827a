package runner

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// builtin returns every case that ships with the program.
func builtin(tb testing.TB) []scenarios.Case {
	tb.Helper()
	files, err := scenarios.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	return scenarios.Expand(files, evidence.ClockVirtual)
}

// recorded makes all runs of the reference client, once for all tests that only read them: that takes some ten seconds
// with the race detector.
var recorded = sync.OnceValues(func() (Recording, error) {
	files, err := scenarios.Builtin()
	if err != nil {
		return Recording{}, err
	}
	return RunAll(context.Background(), subject.Reference("test"), scenarios.Expand(files, evidence.ClockVirtual), Options{})
})

func recording(t *testing.T) Recording {
	t.Helper()
	rec, err := recorded()
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestTheReferenceClientDoesWhatTheScenariosExpect(t *testing.T) {
	t.Parallel()
	rec := recording(t)
	for _, f := range rec.Session.Faults {
		t.Errorf("%s: %s: %s", f.Scenario, f.Kind, f.Text)
	}
	for _, run := range rec.Runs {
		if run.End.How != evidence.EndSettled {
			t.Errorf("%s ended as %s: %s", run.ID, run.End.How, run.End.Text)
		}
	}
}

// digests are the hashes of runs as they are written.
func digests(t *testing.T, runs []evidence.Run) map[string][32]byte {
	t.Helper()
	byRun := map[string][32]byte{}
	for _, run := range runs {
		text, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		byRun[run.ID] = sha256.Sum256(text)
	}
	return byRun
}

func TestARunRepeatedGivesTheSameEvidence(t *testing.T) {
	t.Parallel()
	repeats := 1
	if os.Getenv("A2A_CONFORM_REPEATS") == "50" {
		repeats = 50
	}
	cases := builtin(t)
	first := digests(t, recording(t).Runs)
	for range repeats {
		rec, err := RunAll(context.Background(), subject.Reference("test"), cases, Options{})
		if err != nil {
			t.Fatal(err)
		}
		again := digests(t, rec.Runs)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatalf("the evidence of some runs differs from the first time (-first +now):\n%s", diff)
		}
	}
}

func TestNoGoroutineOutlivesTheRuns(t *testing.T) { // not parallel: it counts goroutines
	before := runtime.NumGoroutine()
	recording(t) // made here, since parallel tests wait for the others
	awaitGoroutines(t, before)
}

// awaitGoroutines fails the test unless the goroutines come down to a number.
func awaitGoroutines(t *testing.T, most int) {
	t.Helper()
	deadline := time.After(5 * time.Second)
	for runtime.NumGoroutine() > most {
		select {
		case <-deadline:
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			t.Fatalf("%d goroutines before the runs, %d after:\n%s", most, runtime.NumGoroutine(), stacks)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestNoTokenIsInTheRecording(t *testing.T) {
	t.Parallel()
	v, err := newSession(subject.Reference("test"), &virtual{patience: Patience}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = v.close() }()
	seen := map[string]bool{}
	for _, c := range builtin(t) {
		if seen[c.Scenario] {
			continue // one case of each scenario: the cases of one differ in what is handed out by nothing
		}
		seen[c.Scenario] = true
		r := &run{session: v, scenario: c}
		end, err := v.ground.contain(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		tokens := r.world.Tokens()
		if len(tokens) == 0 {
			t.Fatalf("%s: the run handed out no token", c.ID)
		}
		text, err := json.Marshal(r.close(end).run)
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range tokens {
			if bytes.Contains(text, []byte(token[:12])) {
				t.Errorf("%s: a token that was handed out is in the recording", c.ID)
			}
		}
	}
}

func BenchmarkRunAll(b *testing.B) {
	cases := builtin(b)
	var exchanges int
	for b.Loop() {
		rec, err := RunAll(context.Background(), subject.Reference("bench"), cases, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for i := range rec.Runs {
			exchanges += len(rec.Runs[i].Exchanges)
		}
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(b.N*len(cases))/seconds, "scenarios/s")
	b.ReportMetric(float64(exchanges)/seconds, "exchanges/s")
}
