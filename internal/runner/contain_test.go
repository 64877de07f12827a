package runner

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// doing is a subject whose calls do what a test says; where it says nothing they are the reference client's.
type doing struct {
	subject.Subject
	do func(ctx context.Context, env subject.Env, call subject.Call) evidence.Outcome
}

func (d doing) Open(env subject.Env) (subject.Instance, error) { return made{d, env}, nil }

type made struct {
	doing
	env subject.Env
}

func (m made) Do(ctx context.Context, call subject.Call) subject.Answer {
	return subject.Answer{Outcome: m.do(ctx, m.env, call)}
}

func (m made) Close() error { return nil }

// misbehaving runs plain cases of which only the one named "bad" is done by do.
func misbehaving(t *testing.T, do func(ctx context.Context, env subject.Env) evidence.Outcome) Recording {
	t.Helper()
	cases := []scenarios.Case{plainCase(t), plainCase(t), plainCase(t)}
	cases[0].ID, cases[1].ID, cases[2].ID = "good-1", "bad", "good-2"
	cases[1].Calls[0].Call.Input.MessageID = evidence.Some("bad")
	reference := subject.Reference("test")
	rec, err := RunAll(context.Background(), doing{reference, func(ctx context.Context, env subject.Env, call subject.Call) evidence.Outcome {
		if call.Input.MessageID.Or("") == "bad" {
			return do(ctx, env)
		}
		instance, err := reference.Open(env)
		if err != nil {
			t.Error(err)
		}
		return instance.Do(ctx, call).Outcome
	}}, cases, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Runs) != 3 {
		t.Fatalf("%d runs were made, want 3: a bad one must not keep the others from being made", len(rec.Runs))
	}
	for _, i := range []int{0, 2} {
		if run := rec.Runs[i]; run.End.How != evidence.EndSettled || run.Calls[0].Outcome.Kind != evidence.OutcomeMessage {
			t.Errorf("the good run %s ended as %s", run.ID, run.End.How)
		}
	}
	return rec
}

// plainCase is the plain success case, with calls of its own.
func plainCase(tb testing.TB) scenarios.Case {
	tb.Helper()
	return chosen(tb, evidence.ClockVirtual, scenarios.Control)[0]
}

func TestABadSubjectIsContainedAndNamed(t *testing.T) {
	t.Parallel()
	message := evidence.Outcome{Kind: evidence.OutcomeMessage}
	tests := []struct {
		name string
		do   func(ctx context.Context, env subject.Env) evidence.Outcome
		how  evidence.EndKind
		text string
	}{
		{"panic", func(context.Context, subject.Env) evidence.Outcome { panic("boom") }, evidence.EndPanic, "boom"},
		{"ignores its end", func(context.Context, subject.Env) evidence.Outcome {
			<-make(chan int)
			return message
		}, evidence.EndHang, "call 1 had not ended"},
		{"leaves a goroutine", func(context.Context, subject.Env) evidence.Outcome {
			go func() { <-make(chan int) }()
			return message
		}, evidence.EndLeak, "goroutines are left"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			bad := misbehaving(t, test.do).Runs[1]
			if bad.ID != "bad" || bad.End.How != test.how || !strings.Contains(bad.End.Text, test.text) {
				t.Errorf("run %s ended as %q: %s; want %q with %q", bad.ID, bad.End.How, bad.End.Text, test.how, test.text)
			}
			if len(bad.Calls) != 1 {
				t.Errorf("%d calls are recorded, want the one that was made", len(bad.Calls))
			}
		})
	}
}

func TestASubjectThatRunsAwayIsStopped(t *testing.T) {
	t.Parallel()
	const most = 50
	v, err := newSession(doing{subject.Reference("test"), func(ctx context.Context, env subject.Env, _ subject.Call) evidence.Outcome {
		c := &http.Client{Transport: &http.Transport{DialContext: env.Dial, DisableKeepAlives: true}}
		for range most + 10 {
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, env.Platform.URL+"/any", http.NoBody)
			if resp, err := c.Do(req); err == nil {
				_ = resp.Body.Close()
			}
		}
		return evidence.Outcome{Kind: evidence.OutcomeMessage}
	}}, &virtual{patience: Patience}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = v.close() }()
	v.most = most
	run := v.run(context.Background(), plainCase(t)).run
	if run.End.How != evidence.EndRunaway || !strings.Contains(run.End.Text, "more than 50 requests") || len(run.Exchanges) != most {
		t.Errorf("%d exchanges, ended as %s: %s; want a runaway that was stopped at %d", len(run.Exchanges), run.End.How, run.End.Text, most)
	}
}

func TestTimeThatStandsStillIsCutShort(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	defer close(stop)
	v, err := newSession(doing{subject.Reference("test"), func(context.Context, subject.Env, subject.Call) evidence.Outcome {
		for {
			select {
			case <-stop:
				return evidence.Outcome{Kind: evidence.OutcomeMessage}
			default: //nolint:staticcheck // SA5004: it spins because only that makes virtual time stand still
			}
		}
	}}, &virtual{patience: 50 * time.Millisecond}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = v.close() }()
	run := v.run(context.Background(), plainCase(t)).run
	if run.End.How != evidence.EndHang || len(run.Calls) != 1 || run.Calls[0].Ended != nil {
		t.Errorf("the run ended as %s with calls %+v, want a hang and a call without an end", run.End.How, run.Calls)
	}
}

func TestAJudgingThatIsOutOfTimeSaysSo(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rec, err := RunAll(ctx, subject.Reference("test"), []scenarios.Case{plainCase(t)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Runs) != 0 || !strings.Contains(rec.Incomplete, "0 of 1 runs") {
		t.Errorf("%d runs, incomplete %q; want none and the reason", len(rec.Runs), rec.Incomplete)
	}
}

func TestNothingIsRunWhereTheControlFails(t *testing.T) {
	t.Parallel()
	reference := subject.Reference("test")
	silent := doing{reference, func(context.Context, subject.Env, subject.Call) evidence.Outcome {
		return evidence.Outcome{Kind: evidence.OutcomeError, Error: &evidence.Error{Category: evidence.Other, Text: "no way out"}}
	}}
	plain := plainCase(t)
	rec, err := RunAll(context.Background(), silent, []scenarios.Case{plain, plain}, Options{Control: plain})
	if err != nil {
		t.Fatal(err)
	}
	if rec.Session.Control.Held || len(rec.Runs) != 1 {
		t.Errorf("control held: %t, %d runs; want it not to hold and the control alone", rec.Session.Control.Held, len(rec.Runs))
	}
	for _, want := range []string{"nothing arrived", "no way out", "platform at http://platform.test:8080"} {
		if !strings.Contains(rec.Session.Control.Text, want) {
			t.Errorf("the control's text %q does not say %q", rec.Session.Control.Text, want)
		}
	}
}

func TestWhatASubjectCannotDoIsSkippedWithTheReason(t *testing.T) {
	t.Parallel()
	c := plainCase(t)
	c.Needs = []string{"send", "telepathy"}
	rec, err := RunAll(context.Background(), subject.Reference("test"), []scenarios.Case{c}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Runs) != 0 || len(rec.Session.Skipped) != 1 || !strings.Contains(rec.Session.Skipped[0].Reason, "telepathy") {
		t.Errorf("skipped %+v, %d runs; want the case skipped for telepathy", rec.Session.Skipped, len(rec.Runs))
	}
}
