package runner

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// process is a driven client that can have another beside it, and takes note of its calls.
type process struct {
	*driven

	version  string
	unready  error
	twin     *process // nil where there can be none
	sessions []string // of the calls that it was asked for; the lock is driven's
	stopped  atomic.Int64
	started  atomic.Int64
}

func newProcess(twin *process) *process {
	p := &process{driven: &driven{Subject: subject.Reference("test"), parallel: 4}, twin: twin, version: "1"}
	p.before = func(call subject.Call, _ int) *subject.Answer {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.sessions = append(p.sessions, call.Session)
		return nil
	}
	return p
}

func (p *process) About() evidence.Subject {
	about := p.driven.About()
	about.Version = p.version
	return about
}

func (p *process) Start(ctx context.Context, platform subject.Platform) error {
	p.started.Add(1)
	if p.unready != nil {
		return p.unready
	}
	return p.driven.Start(ctx, platform)
}

func (p *process) Stop() { p.stopped.Add(1) }

// Twin implements subject.Twinned.
func (p *process) Twin() subject.Session {
	if p.twin == nil {
		return nil
	}
	return p.twin
}

// aside are cases that have to be alone on their platform, and named are others.
func aside() []string {
	return []string{"refresh-fails/status=401", "refresh-fails/status=404", "refresh-fails/status=503", "resolve-unauthorised", "resolve-fails-with-access/status=404"}
}

func named() []string {
	return []string{"plain-send", "limit-cut/after=headers", "answer-cut/after=120"}
}

// servedBy lists the runs whose calls a process was asked for, in the order of the recording.
func (p *process) servedBy(rec Recording) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []string
	for _, run := range rec.Runs {
		if slices.Contains(p.sessions, run.Calls[0].Session) {
			ids = append(ids, run.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

func judged(t *testing.T, p *process, o Options, ids ...string) Recording {
	t.Helper()
	o.Clock = evidence.ClockReal
	rec, err := RunAll(t.Context(), p, chosen(t, evidence.ClockReal, ids...), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Session.Strays) > 0 {
		t.Errorf("%d requests were of no run, the first %s", len(rec.Session.Strays), rec.Session.Strays[0].Request.Target)
	}
	return rec
}

func sorted(ids []string) []string {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return ids
}

func TestCasesThatHaveAPlatformToThemselvesRunBesideTheOthers(t *testing.T) {
	t.Parallel()
	second := newProcess(nil)
	first := newProcess(second)
	rec := judged(t, first, Options{}, append(named(), aside()...)...)
	if diff := cmp.Diff(sorted(named()), first.servedBy(rec)); diff != "" {
		t.Errorf("runs of the first process: %s", diff)
	}
	if diff := cmp.Diff(sorted(aside()), second.servedBy(rec)); diff != "" {
		t.Errorf("runs of the second process: %s", diff)
	}
	if first.told == second.told || second.told.URL == "" || first.told.Token == second.told.Token {
		t.Error("both processes were told one platform")
	}
	if second.most != 1 || first.stopped.Load() != 1 || second.stopped.Load() != 1 {
		t.Errorf("%d calls were open at once in the second; stopped %d and %d times", second.most, first.stopped.Load(), second.stopped.Load())
	}
}

func TestWithoutASecondProcessTheFirstRunsAll(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(first, second *process)
		ids    []string
		o      Options
		starts int64
		stops  int64
	}{
		"there can be none":           {change: func(first, _ *process) { first.twin = nil }, ids: aside()},
		"it is not ready":             {change: func(_, second *process) { second.unready = errors.New("no hello") }, ids: aside(), starts: 1, stops: 1},
		"it has another version":      {change: func(_, second *process) { second.version = "2" }, ids: aside(), starts: 1, stops: 1},
		"it takes other calls":        {change: func(_, second *process) { second.parallel = 3 }, ids: aside(), starts: 1, stops: 1},
		"one run at a time":           {ids: aside(), o: Options{Jobs: 1}},
		"the platform is at one port": {ids: aside(), o: Options{Listen: "127.0.0.1:0"}},
		"too few cases":               {ids: aside()[1:]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			second := newProcess(nil)
			first := newProcess(second)
			if test.change != nil {
				test.change(first, second)
			}
			ids := append([]string{"plain-send"}, test.ids...)
			rec := judged(t, first, test.o, ids...)
			if diff := cmp.Diff(sorted(ids), first.servedBy(rec)); diff != "" {
				t.Errorf("runs of the first process: %s", diff)
			}
			if second.started.Load() != test.starts || second.stopped.Load() != test.stops || len(second.sessions) > 0 {
				t.Errorf("the second was started %d times, stopped %d times, and asked for %d calls", second.started.Load(), second.stopped.Load(), len(second.sessions))
			}
		})
	}
}

func TestNothingIsStartedBesideASessionWithNothingElseToDo(t *testing.T) {
	t.Parallel()
	second := newProcess(nil)
	rec := judged(t, newProcess(second), Options{}, aside()...)
	if len(rec.Runs) != len(aside()) || second.started.Load() != 0 {
		t.Errorf("%d runs were made, and the second was started %d times", len(rec.Runs), second.started.Load())
	}
}

func TestBreachesOfBothProcessesAreRecorded(t *testing.T) {
	t.Parallel()
	second := newProcess(nil)
	first := newProcess(second)
	first.breach, second.breach = "said by the first", "said by the second"
	rec := judged(t, first, Options{}, append(named(), aside()...)...)
	for _, run := range rec.Runs {
		want := "said by the first"
		if slices.Contains(aside(), run.ID) {
			want = "said by the second"
		}
		if len(run.Breaches) != 1 || run.Breaches[0].Why != want {
			t.Errorf("%s has the breaches %+v, want %q", run.ID, run.Breaches, want)
		}
	}
}

func TestALostSecondProcessEndsTheSession(t *testing.T) {
	t.Parallel()
	second := newProcess(nil)
	second.before = func(subject.Call, int) *subject.Answer {
		second.mu.Lock()
		defer second.mu.Unlock()
		second.lost = errors.New("it ended 4 times")
		return nil
	}
	rec := judged(t, newProcess(second), Options{}, append(named(), aside()...)...)
	if len(rec.Runs) > len(named()) || !slices.Contains([]string{
		"0 of 8 runs were made: it ended 4 times", "1 of 8 runs were made: it ended 4 times",
		"2 of 8 runs were made: it ended 4 times", "3 of 8 runs were made: it ended 4 times",
	}, rec.Incomplete) {
		t.Errorf("%d runs, incomplete %q", len(rec.Runs), rec.Incomplete)
	}
}

func TestACrashInTheSecondProcessIsRecordedOrLookedForInTheFirst(t *testing.T) {
	t.Parallel()
	for _, disturbed := range []bool{false, true} {
		second := newProcess(nil)
		first := newProcess(second)
		second.before = func(subject.Call, int) *subject.Answer {
			return &subject.Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: "exit status 3"}, Disturbed: disturbed}
		}
		rec := judged(t, first, Options{}, append(named(), aside()...)...)
		for _, run := range rec.Runs {
			crashed := run.Calls[0].Outcome.Kind == evidence.OutcomeCrash
			if want := slices.Contains(aside(), run.ID) && !disturbed; crashed != want {
				t.Errorf("disturbed %t: %s ended as %s", disturbed, run.ID, run.Calls[0].Outcome.Kind)
			}
		}
		if len(rec.Runs) != len(named())+len(aside()) {
			t.Errorf("disturbed %t: %d runs: %s", disturbed, len(rec.Runs), rec.Incomplete)
		}
	}
}

func TestNoGoroutineOutlivesASecondSession(t *testing.T) { // not parallel: it counts goroutines
	before := runtime.NumGoroutine()
	judged(t, newProcess(newProcess(nil)), Options{}, append(named(), aside()...)...)
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		<-time.After(20 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left of %d before", runtime.NumGoroutine(), before)
}
