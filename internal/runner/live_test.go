package runner

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// chosen returns the shipped cases of those names, in the form of a clock.
func chosen(tb testing.TB, clock evidence.Clock, ids ...string) []scenarios.Case {
	tb.Helper()
	var names []string
	for _, id := range ids {
		if name, _, _ := strings.Cut(id, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	files, err := scenarios.Builtin(names...)
	if err != nil {
		tb.Fatal(err)
	}
	cases := slices.DeleteFunc(scenarios.Expand(files, clock), func(c scenarios.Case) bool { return !slices.Contains(ids, c.ID) })
	if len(cases) != len(ids) {
		tb.Fatalf("%d cases are there of the %d that were chosen", len(cases), len(ids))
	}
	return cases
}

// faults are cases in which something goes wrong on the wire, and some in which nothing does.
func faults() []string {
	// Not among them: a server that reads no further. In memory it sees its client go, on a socket it does not.
	return []string{
		"plain-send", "answer-cut/after=120", "answer-cut/after=headers", "lost-after-the-refresh/how=reset",
		"answer-shorter-than-announced/how=close", "calls-together-own-messages", "nobody-at-the-runtime",
		"rejected-access-is-forgotten-after-two/first=401,second=401", "limit-cut/after=headers", "resolve-cut/after=headers",
		"file-sizes/size=65537", "stops-at-terminal/state=unavailable",
	}
}

// seen is what two recordings of a case have to agree in on any clock.
type seen struct {
	Outcomes    []string
	Exchanges   []string
	Connections []string
}

func seenIn(run evidence.Run) seen {
	var s seen
	for _, c := range run.Calls {
		text := "no end"
		if c.Outcome != nil {
			text = string(c.Outcome.Kind)
			if c.Outcome.Error != nil {
				text += " " + string(c.Outcome.Error.Category)
			}
		}
		s.Outcomes = append(s.Outcomes, text)
	}
	for _, x := range run.Exchanges {
		status := 0
		if x.Response != nil {
			status = x.Response.Status
		}
		s.Exchanges = append(s.Exchanges, fmt.Sprintf("%s %d, ended by %s", x.Op, status, x.EndedBy))
	}
	for _, c := range run.Connections {
		if c.Opened != nil { // what never opens is seen in memory only
			s.Connections = append(s.Connections, c.Endpoint)
		}
	}
	slices.Sort(s.Exchanges) // calls that run together reach the servers in any order
	slices.Sort(s.Connections)
	return s
}

func TestMemoryAndSocketsAgree(t *testing.T) {
	t.Parallel()
	reference := subject.Reference("test")
	virtual, err := RunAll(t.Context(), reference, chosen(t, evidence.ClockVirtual, faults()...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := RunAll(t.Context(), reference, chosen(t, evidence.ClockReal, faults()...), Options{Clock: evidence.ClockReal})
	if err != nil {
		t.Fatal(err)
	}
	if len(virtual.Runs) != len(sockets.Runs) {
		t.Fatalf("%d runs on virtual time, %d on real time", len(virtual.Runs), len(sockets.Runs))
	}
	for i, run := range sockets.Runs {
		if diff := cmp.Diff(seenIn(virtual.Runs[i]), seenIn(run)); diff != "" {
			t.Errorf("%s: real time differs (-virtual +real):\n%s", run.ID, diff)
		}
	}
}

func TestWhatTheClockLeftOpenIsRunOnceMoreAlone(t *testing.T) {
	t.Parallel()
	cases := chosen(t, evidence.ClockReal, "plain-send", "limit-cut/after=1")
	var made atomic.Int64
	reference := subject.Reference("test")
	counting := doing{reference, func(ctx context.Context, env subject.Env, call subject.Call) evidence.Outcome {
		made.Add(1)
		instance, err := reference.Open(env)
		if err != nil {
			t.Error(err)
		}
		defer func() { _ = instance.Close() }()
		return instance.Do(ctx, call).Outcome
	}}
	rec, err := RunAll(t.Context(), counting, cases, Options{
		Clock:   evidence.ClockReal,
		Unclear: func(runs []evidence.Run) []string { return []string{runs[len(runs)-1].ID} },
	})
	if err != nil {
		t.Fatal(err)
	}
	if made.Load() != 3 || len(rec.Runs) != 2 {
		t.Errorf("%d calls were made for %d runs, want 3 for 2", made.Load(), len(rec.Runs))
	}
}

func TestWhatRealTimeCannotShowIsSkippedWithTheReason(t *testing.T) {
	t.Parallel()
	l := &live{}
	for _, test := range []struct {
		name string
		c    scenarios.Case
		want string
	}{
		{"plain", scenarios.Case{}, ""},
		{"virtual", scenarios.Case{Clock: evidence.ClockVirtual}, "makes sense on virtual time only"},
		{"slow", scenarios.Case{Slow: true}, "slow"},
	} {
		if got := l.unfit(test.c); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if got := (&live{slow: true}).unfit(scenarios.Case{Slow: true}); got != "" {
		t.Errorf("a slow case that is wanted is skipped: %s", got)
	}
}

func TestBatchesKeepApartWhatDisturbs(t *testing.T) {
	t.Parallel()
	call := func(seconds float64, size int64) []scenarios.CallStep {
		return []scenarios.CallStep{{Call: &scenarios.Call{Input: scenarios.Input{
			Timeout: evidence.Some(evidence.Timeout{Total: seconds}), Files: []scenarios.InputFile{{Size: size}},
		}}}}
	}
	cases := []scenarios.Case{
		{ID: "short", Calls: call(1, 0)}, {ID: "alone", Alone: true}, {ID: "heavy", Calls: call(1, 15<<20)}, {ID: "long", Calls: call(9, 0)},
	}
	want := [][]int{{2}, {3, 0}, nil, {1}}
	var got [][]int
	for _, b := range (&live{jobs: 3, parallel: 2}).batches(cases) {
		got = append(got, b.cases)
		if b.jobs > 3 {
			t.Errorf("%d runs at once where 3 were asked for", b.jobs)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the batches differ (-want +got):\n%s", diff)
	}
}

func TestNoGoroutineOutlivesASessionOnRealTime(t *testing.T) { // not parallel: it counts goroutines
	before := runtime.NumGoroutine()
	ids := []string{"plain-send", "answer-cut/after=headers", "nobody-at-the-runtime", "upload-stops/upload=stop_after_100000"}
	if _, err := RunAll(t.Context(), subject.Reference("test"), chosen(t, evidence.ClockReal, ids...), Options{Clock: evidence.ClockReal}); err != nil {
		t.Fatal(err)
	}
	awaitGoroutines(t, before)
}

func TestAJudgingOnRealTimeIsBrokenOffAtOnce(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	waiting := doing{subject.Reference("test"), func(ctx context.Context, _ subject.Env, _ subject.Call) evidence.Outcome {
		cancel()
		<-ctx.Done()
		return evidence.Outcome{Kind: evidence.OutcomeMessage}
	}}
	cases := chosen(t, evidence.ClockReal, "plain-send", "limit-cut/after=1")
	rec, err := RunAll(ctx, waiting, cases, Options{Clock: evidence.ClockReal, Control: cases[0]})
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Runs) != 0 || !strings.Contains(rec.Incomplete, "0 of 2 runs") {
		t.Errorf("%d runs, incomplete %q; want none, for it was broken off in the control", len(rec.Runs), rec.Incomplete)
	}
}

func TestAPanicOnRealTimeIsContained(t *testing.T) {
	t.Parallel()
	panicking := doing{subject.Reference("test"), func(context.Context, subject.Env, subject.Call) evidence.Outcome { panic("boom") }}
	rec, err := RunAll(t.Context(), panicking, chosen(t, evidence.ClockReal, "plain-send"), Options{Clock: evidence.ClockReal})
	if err != nil {
		t.Fatal(err)
	}
	if end := rec.Runs[0].End; end.How != evidence.EndPanic || !strings.Contains(end.Text, "boom") {
		t.Errorf("ended as %s: %s; want a panic that says boom", end.How, end.Text)
	}
}

// TestNoRunTakesLongerThanSlowMay: those who ask for slow runs are told that it takes a quarter of an hour.
func TestNoRunTakesLongerThanSlowMay(t *testing.T) {
	t.Parallel()
	files, err := scenarios.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	slow := 0
	for _, cases := range scenarios.ExpandEach(files, evidence.ClockReal) {
		for _, c := range cases {
			if c.Clock == evidence.ClockVirtual {
				continue
			}
			if took := length(c); took > 16*time.Minute {
				t.Errorf("%s takes %s on real time: give it shorter numbers there, or let it make sense on virtual time only", c.ID, took)
			}
			if c.Slow {
				slow++
			}
		}
	}
	if slow == 0 {
		t.Error("there is no slow run")
	}
}
