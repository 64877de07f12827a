package runner

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// driven is the reference client in the place of a driver: it is told one platform for all runs.
type driven struct {
	subject.Subject

	parallel int
	// before is called with each call and the number of those that are open; an answer takes the place of the call's.
	before func(call subject.Call, open int) *subject.Answer
	// breach is what is noticed in each run; empty for nothing.
	breach string

	mu   sync.Mutex
	open int
	most int
	lost error
	told subject.Platform
}

func (d *driven) About() evidence.Subject {
	about := d.Subject.About()
	about.Kind, about.Parallel = evidence.KindDriver, d.parallel
	return about
}

func (d *driven) Start(_ context.Context, p subject.Platform) error {
	d.told = p
	return nil
}

func (d *driven) Lost() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

func (*driven) Said() string { return "" }

func (*driven) Stop() {}

func (d *driven) Open(env subject.Env) (subject.Instance, error) {
	if env.Platform != d.told {
		return nil, errors.New("the run has another platform than the session")
	}
	instance, err := d.Subject.Open(env)
	return drivenInstance{instance, d}, err
}

type drivenInstance struct {
	subject.Instance

	driven *driven
}

func (i drivenInstance) Breaches() []subject.Breach {
	if i.driven.breach == "" {
		return nil
	}
	return []subject.Breach{{Line: "x", Why: i.driven.breach}}
}

func (i drivenInstance) Do(ctx context.Context, call subject.Call) subject.Answer {
	d := i.driven
	d.mu.Lock()
	d.open++
	d.most = max(d.most, d.open)
	open := d.open
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.open--
	}()
	if d.before != nil {
		if a := d.before(call, open); a != nil {
			return *a
		}
	}
	return i.Instance.Do(ctx, call)
}

// drives makes runs of shipped cases with a driven client.
func drives(t *testing.T, d *driven, o Options, ids ...string) Recording {
	t.Helper()
	d.Subject = subject.Reference("test")
	o.Clock = evidence.ClockReal
	rec, err := RunAll(t.Context(), d, chosen(t, evidence.ClockReal, ids...), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Session.Strays) > 0 {
		t.Errorf("%d requests were of no run, the first %s", len(rec.Session.Strays), rec.Session.Strays[0].Request.Target)
	}
	return rec
}

func TestADrivenClientIsSeenAsOneInProcess(t *testing.T) {
	t.Parallel()
	ids := []string{
		"plain-send", "answer-cut/after=120", "calls-together-own-messages", "nobody-at-the-runtime", "resolve-cut/after=headers",
		"resolve-unauthorised", "refresh-fails/status=503", "limit-cut/after=headers",
	}
	virtual, err := RunAll(t.Context(), subject.Reference("test"), chosen(t, evidence.ClockVirtual, ids...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &driven{parallel: 5}
	rec := drives(t, d, Options{}, ids...)
	if len(rec.Runs) != len(virtual.Runs) {
		t.Fatalf("%d runs were made of %d: %s", len(rec.Runs), len(virtual.Runs), rec.Incomplete)
	}
	for i, run := range rec.Runs {
		want, got := seenIn(virtual.Runs[i]), seenIn(run)
		want.Connections, got.Connections = nil, nil // those of the platform live longer than a run
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the driven client differs (-virtual +driven):\n%s", run.ID, diff)
		}
	}
	if d.most > d.parallel || d.most < 2 {
		t.Errorf("%d calls were open at once, want some and no more than %d", d.most, d.parallel)
	}
}

func TestAnonymousCasesAreAloneWithTheirCalls(t *testing.T) {
	t.Parallel()
	alone := []string{"resolve-unauthorised", "refresh-fails/status=503", "resolve-fails/status=403"}
	ids := append([]string{"plain-send", "answer-cut/after=120", "file-sizes/size=65537"}, alone...)
	cases := chosen(t, evidence.ClockReal, ids...)
	batches := (&live{board: &board{}}).batches(cases)
	if last := batches[len(batches)-1]; len(last.cases) != len(alone) {
		t.Fatalf("%d cases are in the last batch, want the %d that have to be alone", len(last.cases), len(alone))
	}
	for _, b := range batches {
		for _, i := range b.cases {
			if anonymous(cases[i]) != (b.jobs == 1) || b.aside != (b.jobs == 1) {
				t.Errorf("%s is one of %d cases, of which %d run at once", cases[i].ID, len(b.cases), b.jobs)
			}
		}
	}
	rec := drives(t, &driven{parallel: 8}, Options{}, ids...) // a renewal that reached another run would be a stray
	for _, run := range rec.Runs {
		if len(run.Exchanges) == 0 {
			t.Errorf("%s has no exchanges", run.ID)
		}
	}
	if len(rec.Runs) != len(ids) {
		t.Errorf("%d runs were made of %d: %s", len(rec.Runs), len(ids), rec.Incomplete)
	}
}

// uids are those that the targets of a run name.
func uids(run evidence.Run) map[string]bool {
	found := map[string]bool{}
	for _, x := range run.Exchanges {
		for _, uid := range uidForm.FindAllString(x.Request.Target, -1) {
			found[uid] = true
		}
	}
	for _, c := range run.Calls {
		found[c.Session] = true
	}
	return found
}

func TestARunThatIsRepeatedSharesNothingWithTheFirst(t *testing.T) {
	t.Parallel()
	var first evidence.Run
	var sessions []string
	d := &driven{parallel: 2}
	d.before = func(call subject.Call, _ int) *subject.Answer {
		d.mu.Lock()
		defer d.mu.Unlock()
		sessions = append(sessions, call.Session)
		return nil
	}
	rec := drives(t, d, Options{Unclear: func(runs []evidence.Run) []string {
		first = runs[0]
		return []string{runs[0].ID}
	}}, "plain-send")
	if len(rec.Runs) != 1 || len(sessions) != 2 || sessions[0] == sessions[1] {
		t.Fatalf("%d runs, made with the sessions %q; want one, made twice with sessions of their own", len(rec.Runs), sessions)
	}
	again := uids(rec.Runs[0])
	if len(again) == 0 {
		t.Fatal("the run names nothing")
	}
	for uid := range uids(first) {
		if again[uid] {
			t.Errorf("both runs name %s", uid)
		}
	}
}

func TestACrashBesideOthersIsLookedForAlone(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	tries := map[string]int{}
	crash := &subject.Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: "exit status 3"}}
	d := &driven{parallel: 4}
	d.before = func(call subject.Call, open int) *subject.Answer {
		mu.Lock()
		defer mu.Unlock()
		culprit := strings.HasPrefix(call.Input.Message.Or(""), "crash")
		tries[call.Input.Message.Or("")]++
		if tries[call.Input.Message.Or("")] == 1 {
			taken := *crash
			taken.Disturbed = true // as where a process ends in which several calls are open
			return &taken
		}
		if open != 1 {
			t.Errorf("%d calls are open while the culprit is looked for", open)
		}
		if culprit {
			return crash
		}
		return nil
	}
	plain := chosen(t, evidence.ClockReal, "plain-send")[0]
	var cases []scenarios.Case
	for _, name := range []string{"one", "crash", "two"} {
		c := plain
		c.ID = name
		call := *c.Calls[0].Call
		call.Input.Message = evidence.Some(scenarios.Text{Value: name})
		c.Calls = []scenarios.CallStep{{Call: &call}}
		cases = append(cases, c)
	}
	d.Subject = subject.Reference("test")
	rec, err := RunAll(t.Context(), d, cases, Options{Clock: evidence.ClockReal})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]evidence.OutcomeKind{}
	for _, run := range rec.Runs {
		got[run.ID] = run.Calls[0].Outcome.Kind
	}
	want := map[string]evidence.OutcomeKind{"one": evidence.OutcomeMessage, "crash": evidence.OutcomeCrash, "two": evidence.OutcomeMessage}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the outcomes differ (-want +got):\n%s", diff)
	}
}

func TestALostClientEndsTheSessionWithItsReason(t *testing.T) {
	t.Parallel()
	d := &driven{parallel: 1}
	calls := 0
	d.before = func(subject.Call, int) *subject.Answer {
		d.mu.Lock()
		defer d.mu.Unlock()
		calls++
		if calls == 2 {
			d.lost = errors.New("it ended 4 times")
		}
		return nil
	}
	rec := drives(t, d, Options{Jobs: 1}, "plain-send", "limit-cut/after=1", "answer-cut/after=120")
	if len(rec.Runs) != 1 || rec.Incomplete != "1 of 3 runs were made: it ended 4 times" {
		t.Errorf("%d runs, incomplete %q", len(rec.Runs), rec.Incomplete)
	}
}
