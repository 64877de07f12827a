package suites

import (
	"math"
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Run is the view of one recorded run that all rules share.
type Run struct {
	*evidence.Run
	Calls []*Call
	// Subject is who made the calls: its constants may lengthen a wait, its kind tells whether it ran in process.
	Subject evidence.Subject
	// All are the exchanges of the run, those of no certain call included, in the order of arrival.
	All []*Exchange
	// offScript tells that some request was answered by no script.
	offScript bool
}

// Call is the view of one call: what it was asked to do, the exchanges that certainly belong to it, and what it may
// still have been doing when the watching ended.
type Call struct {
	*evidence.Call
	Run    *Run
	Budget Budget
	// Until is how long the call is known: silence is evidence up to here and no further.
	Until evidence.Offset
	// Exchanges belong to this call with certainty, in the order of arrival.
	Exchanges []*Exchange
	// Maybe are exchanges that may belong to this call or to another.
	Maybe []*Exchange
	// Resolves and Sends are the exchanges of those two operations, whatever their answer. A resolve counts only where
	// it reached the platform: nobody else can admit.
	Resolves, Sends []*Exchange
	// Own are the requests to the runtime that the call is about: its sends, or the gets or cancels of its Task.
	Own []*Exchange
	// OffScript is the first request that no script foresaw and that is, or may be, of the call; nil where there is none.
	OffScript *Exchange
}

// newRun derives the view. With onScript each call ends at its first request that no script foresaw: from there on
// nothing is known of it.
func newRun(data *evidence.Run, subject evidence.Subject, onScript bool) *Run {
	run := &Run{Run: data, Subject: subject}
	for i := range data.Exchanges {
		x := &Exchange{Exchange: &data.Exchanges[i], run: run}
		run.All = append(run.All, x)
		run.offScript = run.offScript || x.offScript()
	}
	for i := range data.Calls {
		run.Calls = append(run.Calls, newCall(run, &data.Calls[i], onScript))
	}
	return run
}

func newCall(run *Run, data *evidence.Call, onScript bool) *Call {
	c := &Call{Call: data, Run: run, Until: run.ObservedUntil, Budget: budgetOf(data)}
	for _, x := range run.All {
		if !slices.Contains(x.Calls, data.Number) {
			continue
		}
		if c.OffScript == nil && x.offScript() {
			c.OffScript = x // also where it may be another call's: nothing is certain of this one from there on
			if onScript {
				c.cutAt(x)
				break
			}
		}
		if len(x.Calls) > 1 {
			c.Maybe = append(c.Maybe, x)
			continue
		}
		c.add(x)
	}
	return c
}

func (c *Call) add(x *Exchange) {
	c.Exchanges = append(c.Exchanges, x)
	if x.Op == c.resultOp() {
		c.Own = append(c.Own, x)
	}
	switch {
	case x.Op == evidence.OpResolveAccess && x.Side() != evidence.SideElsewhere:
		c.Resolves = append(c.Resolves, x)
	case x.Op == evidence.OpSendMessage:
		c.Sends = append(c.Sends, x)
	}
}

// cutAt forgets everything of the call from x on.
func (c *Call) cutAt(x *Exchange) {
	data := *c.Call
	c.Call = &data
	c.Until = x.Arrived
	if data.Ended != nil && *data.Ended >= x.Arrived {
		c.Ended, c.Outcome, c.Command = nil, nil, nil
	}
}

// Budget is the total of a call and its phases (ADR, Timeouts).
type Budget struct {
	// Usable is false for a timeout that no client can keep: zero, negative, NaN, infinite.
	Usable bool
	// Default tells that the caller gave no timeout: the contract's own (5, 900) holds.
	Default bool
	// Pair tells that Connect and Read are limits of their own.
	Pair                 bool
	Total, Connect, Read time.Duration
	// End is when the budget of the call has run out.
	End evidence.Offset
}

// The default timeout of a call that is given none (ADR, Timeouts).
const (
	DefaultConnect = 5 * time.Second
	DefaultRead    = 900 * time.Second
)

func budgetOf(c *evidence.Call) Budget {
	given, ok := c.Input.Timeout.Get()
	if !ok {
		total := DefaultConnect + DefaultRead
		return Budget{
			Usable: true, Default: true, Pair: true, Connect: DefaultConnect, Read: DefaultRead,
			Total: total, End: c.Started.Add(total),
		}
	}
	if !given.Usable() || given.Sum() > float64(maxBudget/time.Second) {
		return Budget{Pair: given.Pair}
	}
	b := Budget{Usable: true, Pair: given.Pair, Total: inSeconds(given.Sum())}
	if given.Pair {
		b.Connect, b.Read = inSeconds(given.Connect), inSeconds(given.Read)
		b.Total = b.Connect + b.Read
	}
	b.End = c.Started.Add(b.Total)
	return b
}

// maxBudget keeps offsets from overflowing; no run is watched that long.
const maxBudget = 10 * 365 * 24 * time.Hour

// inSeconds rounds to the nanosecond: cut off, 2.3 could be one short of what a client computes.
func inSeconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }

// Kind is the response kind that the caller asked for: "message" where it said nothing.
func (c *Call) Kind() string { return c.Input.ResponseKind.Or("message") }

// Message tells whether the call is a send in Message mode.
func (c *Call) Message() bool { return c.Op == evidence.CallSend && c.Kind() == "message" }

// Task tells whether the call is a send in Task mode.
func (c *Call) Task() bool { return c.Op == evidence.CallSend && c.Kind() == "task" }

// Follows tells whether the call gets, cancels or waits for a Task.
func (c *Call) Follows() bool { return c.Op != evidence.CallSend }

// Void tells whether the call came to nothing that a rule could judge: the subject crashed, or cannot do it at all.
func (c *Call) Void() bool {
	return c.Outcome != nil && (c.Outcome.Kind == evidence.OutcomeCrash || c.Outcome.Kind == evidence.OutcomeUnsupported)
}

// Done tells whether the call is known to have ended with an outcome that the client chose itself.
func (c *Call) Done() bool {
	return c.Ended != nil && c.Outcome != nil && !c.Void()
}

// Returned tells whether the call ended with a result.
func (c *Call) Returned() bool {
	if !c.Done() {
		return false
	}
	if c.Outcome.Kind == evidence.OutcomePrinted {
		return c.Command != nil && c.Command.Exit == 0 && c.Command.Signal == ""
	}
	return c.Outcome.Kind == evidence.OutcomeMessage || c.Outcome.Kind == evidence.OutcomeTask
}

// Failed tells whether the call ended with an error.
func (c *Call) Failed() bool { return c.Done() && !c.Returned() }

// Err is the error that the call ended with, nil where it ended otherwise or printed what happened.
func (c *Call) Err() *evidence.Error {
	if !c.Done() || c.Outcome.Kind != evidence.OutcomeError {
		return nil
	}
	return c.Outcome.Error
}

// Told tells whether the call ended with an error whose category the client lets one tell.
func (c *Call) Told() bool { return c.Err() != nil && c.Err().Category != "" }

// Is tells whether the call ended with an error of one of the categories, by its own category.
func (c *Call) Is(categories ...evidence.Category) bool {
	return c.Err() != nil && slices.Contains(categories, c.Err().Category)
}

// Ending is how the call ended, in words.
func (c *Call) Ending() string {
	switch {
	case c.Outcome == nil || c.Ended == nil:
		return "the call had not ended"
	case c.Err() != nil:
		return "the call ended with " + errorWords(c.Err())
	case c.Outcome.Kind == evidence.OutcomePrinted:
		return exitWords(c.Command)
	case c.Returned():
		return "the call returned a " + string(c.Outcome.Kind)
	default:
		return "the call ended as " + string(c.Outcome.Kind)
	}
}

// Ambiguous tells whether some exchange of that operation may belong to this call or to another: then an absence is
// not certain.
func (c *Call) Ambiguous(op evidence.Op) bool {
	return slices.ContainsFunc(c.Maybe, func(x *Exchange) bool { return x.Op == op })
}

// To returns the exchanges of the call that reached a server of that side.
func (c *Call) To(side evidence.Side) []*Exchange {
	var out []*Exchange
	for _, x := range c.Exchanges {
		if x.Side() == side {
			out = append(out, x)
		}
	}
	return out
}

// After returns the exchanges of the call that arrived after t.
func (c *Call) After(t evidence.Offset) []*Exchange {
	var out []*Exchange
	for _, x := range c.Exchanges {
		if x.Arrived > t {
			out = append(out, x)
		}
	}
	return out
}

// Following returns the exchanges of the call that arrived when the answer of x had left: also those of the same
// instant, for on virtual time a client that reacts at once takes no time.
func (c *Call) Following(x *Exchange) []*Exchange {
	var out []*Exchange
	for _, y := range c.Exchanges {
		if y.Seq > x.Seq && y.Arrived >= *x.LastFrom {
			out = append(out, y)
		}
	}
	return out
}

// Endpoint returns the endpoint of that name.
func (r *Run) Endpoint(name string) (evidence.Endpoint, bool) {
	i := slices.IndexFunc(r.Endpoints, func(e evidence.Endpoint) bool { return e.Name == name })
	if i < 0 {
		return evidence.Endpoint{}, false
	}
	return r.Endpoints[i], true
}
