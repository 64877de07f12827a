package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// endGrace is how long a call that is beyond its time gets to return once its exchanges were ended, and once more when it
// was cancelled.
const endGrace = 5 * time.Second

// between is how long the harness takes from the end of a step to the next. On virtual time it would take none, and a
// request that arrives at the instant at which one call ends and the next begins could be either's.
const between = time.Millisecond

// apart keeps calls that begin together in the order of the file: at one instant the scheduler would choose it.
const apart = time.Microsecond

// perform does one step of the scenario and returns when it is over.
func (r *run) perform(ctx context.Context, step scenarios.CallStep) {
	defer r.watch(ctx, between)
	switch {
	case step.Pause > 0:
		r.watch(ctx, step.Pause)
		return
	case step.Home != nil:
		r.changeHome(*step.Home)
		return
	}
	calls := slices.Clone(callsOf(step))
	slices.SortStableFunc(calls, func(a, b scenarios.Call) int { return cmp.Compare(a.After, b.After) })
	began := time.Now()
	limit := began.Add(r.limitOf(calls))
	var under sync.WaitGroup
	for i, call := range calls {
		if wait := call.After + time.Duration(i)*apart - time.Since(began); wait > 0 {
			r.watch(ctx, wait)
		}
		doing := r.start(ctx, call, limit)
		under.Go(doing)
	}
	under.Wait()
	r.seen()
}

// limitOf is how long the calls of a step may take. It is one limit for all of them: what ends a call that is beyond its
// time would disturb the others.
func (r *run) limitOf(calls []scenarios.Call) time.Duration {
	var longest time.Duration
	for _, call := range calls {
		longest = max(longest, call.After+r.ground.limit(r.scenario, budgetOf(call.Input)))
	}
	return longest
}

// start records that a call begins and returns the function that makes it and waits for its end.
func (r *run) start(ctx context.Context, call scenarios.Call, limit time.Time) func() {
	given, seen, err := r.files.handed(call.Input.Files)
	if err != nil {
		r.fail(err)
		return func() {}
	}
	input := r.input(call.Input)
	session := r.world.SessionUID(call.Session)
	number := r.rec.StartCall(evidence.Call{
		Client: call.Client, Session: session, User: call.User, Backend: call.Backend, Op: call.Op, Input: input, Files: seen,
		Home: r.changes(call.Client),
	})
	r.calls[call.ID] = number
	r.script.Name(call.ID, number)
	asked := subject.Call{
		Client: call.Client, Session: session, Op: call.Op, Input: input, Files: given, User: call.User, Backend: call.Backend,
		Env: call.Env, Args: call.Args,
	}
	if call.User != "main" || call.Backend != scenarios.EndpointPlatform {
		other := r.credentials(call.User, call.Backend)
		asked.Platform = &other
	}
	ctx, cancel := context.WithCancel(ctx)
	asked.Signal = r.signal(ctx, call.Signal)
	return func() {
		defer cancel()
		r.do(ctx, number, asked, call.CancelAfter, limit)
	}
}

// do makes a call. One that never returns is left behind after its time, as a hang.
func (r *run) do(ctx context.Context, number int, asked subject.Call, cancelAfter *time.Duration, limit time.Time) {
	judging := ctx.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	returned := make(chan subject.Answer, 1)
	go func() { // ends when the client returns, or never: then the end of the run says so
		makeRoom()
		returned <- r.guarded(ctx, asked)
	}()
	late := time.NewTimer(time.Until(limit))
	defer late.Stop()
	var give <-chan time.Time
	if cancelAfter != nil {
		timer := time.NewTimer(*cancelAfter)
		defer timer.Stop()
		give = timer.C
	}
	for {
		select {
		case o := <-returned:
			r.ended(number, asked, o)
			return
		case <-give:
			give = nil
			r.rec.CancelCall(number, r.rec.Now())
			cancel()
		case <-late.C:
			r.overdue(number, asked, cancel, returned)
			return
		case <-judging: // the whole judging is broken off
			r.overdue(number, asked, cancel, returned)
			return
		}
	}
}

// ended records the end of a call.
func (r *run) ended(number int, asked subject.Call, o subject.Answer) {
	now := r.rec.Now()
	var elapsed *evidence.Offset
	if o.Elapsed != nil {
		took := evidence.Offset(*o.Elapsed)
		elapsed = &took
	}
	if o.Signalled != nil && asked.Signal != nil {
		r.rec.SignalCall(number, evidence.Signal{Name: asked.Signal.Name, At: evidence.Offset(o.Signalled.Sub(r.began))})
	}
	if o.Disturbed {
		r.disturbed.Store(true)
	}
	r.delays.note(number, o.Delay)
	r.rec.EndCall(number, now, elapsed, o.Outcome, o.Command)
}

// overdue ends a call that is far beyond its time: first its exchanges are ended, then it is cancelled, then it is left
// behind.
func (r *run) overdue(number int, asked subject.Call, cancel context.CancelFunc, returned <-chan subject.Answer) {
	r.over.Store(true)
	for _, end := range []func(){r.servers.end, cancel} {
		end()
		select {
		case o := <-returned:
			r.ended(number, asked, o)
			return
		case <-time.After(endGrace):
		}
	}
	r.left.Add(1)
	r.worse.CompareAndSwap(nil, &evidence.End{
		How: evidence.EndHang, Text: fmt.Sprintf("call %d had not ended long after its budget", number),
	})
}

// guarded makes a call and contains a panic of the client.
func (r *run) guarded(ctx context.Context, asked subject.Call) (o subject.Answer) {
	defer func() {
		if value := recover(); value != nil {
			text := fmt.Sprintf("panic: %v", value)
			r.worse.CompareAndSwap(nil, &evidence.End{How: evidence.EndPanic, Text: text + "\n" + panicFrames()})
			o = subject.Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: text}}
		}
	}()
	o = r.instance.Do(ctx, asked)
	o.Outcome = r.placeless(o.Outcome)
	r.placelessCommand(o.Command)
	return o
}

// placeless takes the directory of the generated files, which is another in each session, out of what a client says.
func (r *run) placeless(o evidence.Outcome) evidence.Outcome {
	o.Reason = strings.ReplaceAll(o.Reason, r.files.dir, "‹files›")
	if o.Error != nil {
		said := *o.Error
		said.Text = strings.ReplaceAll(said.Text, r.files.dir, "‹files›")
		o.Error = &said
	}
	return o
}

// budgetOf is the total budget of a call, the contract's own where none was given or none can be kept.
func budgetOf(in scenarios.Input) time.Duration {
	const longest = 365 * 24 * time.Hour
	if t, ok := in.Timeout.Get(); ok && t.Usable() && t.Sum() < longest.Seconds() {
		return time.Duration(t.Sum() * float64(time.Second))
	}
	return 905 * time.Second
}

// input makes what a call is given out of what the scenario says.
func (r *run) input(in scenarios.Input) evidence.Input {
	out := evidence.Input{
		MessageID: r.filled(in.MessageID), StrictDictionary: in.StrictDictionary, ResponseKind: in.ResponseKind,
		Timeout: in.Timeout, TaskID: r.filled(in.TaskID), PollInterval: in.PollInterval, WaitTimeout: in.WaitTimeout,
	}
	switch text, ok := in.Message.Get(); {
	case ok:
		out.Message = evidence.Some(text.String())
	case in.Message.IsNull():
		out.Message = evidence.Null[string]()
	}
	switch n, ok := in.JSONRepairAttempts.Get(); {
	case ok:
		out.JSONRepairAttempts = evidence.Some(number(n))
	case in.JSONRepairAttempts.IsNull():
		out.JSONRepairAttempts = evidence.Null[json.Number]()
	}
	return out
}

// number writes a number as JSON does; a whole one without a fraction.
func number(n float64) json.Number {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return json.Number(strconv.FormatInt(int64(n), 10))
	}
	return json.Number(fmt.Sprintf("%g", n))
}

// filled puts what earlier calls came to into a text: ${first.message_id}, ${first.printed_id}, ${first.task_id}.
func (r *run) filled(text evidence.Opt[string]) evidence.Opt[string] {
	value, ok := text.Get()
	if !ok || !strings.Contains(value, "${") {
		return text
	}
	return evidence.Some(reference.ReplaceAllStringFunc(value, func(ref string) string {
		call, member, _ := strings.Cut(strings.Trim(ref, "${}"), ".")
		known := r.rec.MessageID
		switch member {
		case "printed_id":
			known = r.rec.PrintedID
		case "task_id":
			known = r.rec.TaskID
		}
		return cmp.Or(known(r.calls[call]), ref)
	}))
}

var reference = regexp.MustCompile(`\$\{[^}]+\}`)
