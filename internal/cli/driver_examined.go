package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// examined is a driver's session that is watched: it notes what no recording holds, and waits for no answer longer than
// an author at a keyboard would.
type examined struct {
	subject.Watched

	hello, answer time.Duration

	mu         sync.Mutex
	platform   subject.Platform
	unready    error
	wrong      []error  // what would have ended a session
	noise      [][]byte // lines that are no JSON objects
	unanswered int
	unmeasured int // results without elapsed
	overlong   *measured
	measures   int
	holds      []func([]byte) bool
	ending     *subject.Ending
}

// measured is a call with what the driver says that it took, and what it took at most.
type measured struct{ elapsed, took time.Duration }

// notTried is the end of a call that was not made.
const notTried = "not tried, since earlier calls have no answer and the driver takes no more"

func newExamined(check driverCheck) *examined {
	e := &examined{Watched: check.driver, hello: check.hello, answer: check.answer}
	e.Watch(subject.Watch{
		Heard: e.heard,
		Wrong: func(err error) { e.note(func() { e.wrong = append(e.wrong, err) }) },
		Ended: func(end subject.Ending) { e.note(func() { e.ending = &end }) },
	})
	return e
}

// note changes what is known.
func (e *examined) note(change func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change()
}

func (e *examined) heard(line []byte) {
	var object map[string]json.RawMessage
	if len(bytes.TrimSpace(line)) > 0 && json.Unmarshal(line, &object) != nil {
		e.note(func() { e.noise = append(e.noise, line) })
	}
}

// Start implements subject.Session.
func (e *examined) Start(ctx context.Context, p subject.Platform) error {
	ctx, cancel := context.WithTimeout(ctx, e.hello)
	defer cancel()
	e.note(func() { e.platform = p })
	err := e.Watched.Start(ctx, p)
	e.note(func() { e.unready = err })
	return err
}

// Open implements subject.Subject.
func (e *examined) Open(env subject.Env) (subject.Instance, error) {
	made, err := e.Watched.Open(env)
	if err != nil {
		return nil, err
	}
	if env.Holds != nil {
		e.note(func() { e.holds = append(e.holds, env.Holds) })
	}
	return &examinedInstance{Instance: made, of: e}, nil
}

// examinedInstance is an examined driver in one run.
type examinedInstance struct {
	subject.Instance

	of *examined
}

// Do implements subject.Instance.
func (i *examinedInstance) Do(ctx context.Context, call subject.Call) subject.Answer {
	e := i.of
	if e.full() {
		return crashedCall(notTried)
	}
	began := time.Now()
	answered := make(chan subject.Answer, 1)
	go func() { // ends with the answer, or with the driver
		answered <- i.Instance.Do(ctx, call)
	}()
	late := time.NewTimer(budget(call) + e.answer)
	defer late.Stop()
	cancelled := ctx.Done()
	for {
		select {
		case a := <-answered:
			e.measure(a, time.Since(began))
			return a
		case <-cancelled:
			cancelled = nil
			late.Reset(e.answer)
		case <-late.C:
			e.note(func() { e.unanswered++ })
			return crashedCall(fmt.Sprintf("no answer came within %s%s", e.answer, beyond(ctx, call)))
		}
	}
}

// beyond says from when an answer was waited for.
func beyond(ctx context.Context, call subject.Call) string {
	switch {
	case ctx.Err() != nil:
		return " of cancel"
	case budget(call) > 0:
		return fmt.Sprintf(" beyond the call's own %s", budget(call))
	default:
		return ""
	}
}

func crashedCall(why string) subject.Answer {
	return subject.Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: why}}
}

// budget is what a call may take; 0 where that is left to the client.
func budget(call subject.Call) time.Duration {
	t, ok := call.Input.Timeout.Get()
	if !ok || !t.Usable() {
		return 0
	}
	return time.Duration(t.Sum() * float64(time.Second))
}

// full tells that all places of the driver are taken by calls without an answer.
func (e *examined) full() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.unanswered >= e.About().Parallel
}

// measure compares what the driver measured with what the call took here, which is more.
func (e *examined) measure(a subject.Answer, took time.Duration) {
	const rounded = 20 * time.Millisecond // clocks of some languages are coarse
	if !slices.Contains([]evidence.OutcomeKind{evidence.OutcomeMessage, evidence.OutcomeTask, evidence.OutcomeError}, a.Kind) {
		return
	}
	e.note(func() {
		switch {
		case a.Elapsed == nil:
			e.unmeasured++
		case *a.Elapsed > took+rounded:
			e.overlong = &measured{*a.Elapsed, took}
		}
		e.measures++
	})
}

// Breaches implements subject.Breaching.
func (i *examinedInstance) Breaches() []subject.Breach {
	if noticing, ok := i.Instance.(subject.Breaching); ok {
		return noticing.Breaches()
	}
	return nil
}

// each splits an error into those that it joins, whatever stands around them.
func each(err error) []string {
	if err == nil {
		return nil
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		if joined, ok := inner.(interface{ Unwrap() []error }); ok {
			var all []string
			for _, one := range joined.Unwrap() {
				all = append(all, one.Error())
			}
			return all
		}
	}
	return []string{strings.ReplaceAll(err.Error(), "\n", "; ")}
}
