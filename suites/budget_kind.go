package suites

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func bud11() Rule {
	return Rule{
		ID: "BUD-11", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "end with its timeout error when the budget runs out anywhere else than before a directed re-resolution",
		Cause:      "The HTTP library's timeout is caught together with its connection errors, or a cut read is taken for an invalid answer.",
		Right:      "With timeout 3 and a silent Agent the call ends after 3s with the timeout error.",
		Wrong:      "With timeout 3 and a silent Agent the call ends after 3s with a transport error.",
		Needs:      []string{"typed_errors"},
		Judge:      sending(timesOut),
	}
}

// timesOut judges the kind of error with which a call ended that a limit ended. What the head of a refusal already
// said may be reported in place of the timeout.
func timesOut(c *Call, j *Judgement) {
	k, ok := c.cutShort()
	if !ok || !c.Told() || !c.ranOut(k) || k.failing() && !c.Is(evidence.TimedOut) {
		return
	}
	if c.Is(evidence.NotReady) && c.nearlyNotReady() {
		return
	}
	if k.x != nil && k.x.EndedBy == evidence.EndedByRun && k.x.Ended != nil && *k.x.Ended <= *c.Ended {
		return // the watching ended, and took the answer away: the kind tells of that
	}
	e := c.Err()
	j.Hold(isKind(e, evidence.TimedOut), "the call ended as "+errorWords(e)+" when its "+k.phase+" limit ran out, with "+k.words(),
		"its timeout error", k.x)
}

// nearlyNotReady tells whether the newest direction ended so near to the deadline that this clock cannot tell whether
// the re-resolution still fitted.
func (c *Call) nearlyNotReady() bool {
	directions := c.Directions()
	if len(directions) == 0 {
		return false
	}
	newest := directions[len(directions)-1]
	return c.Run.NotBefore(newest.By, c.Budget.End.Add(-c.grace())) != evidence.No
}

func bud18() Rule {
	return Rule{
		ID: "BUD-18", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "not end before its budget when nothing else ends the call",
		Cause:      "A limit of the client's own (30 or 60 seconds, a share of the budget, the connect part used for reading) ends the wait first.",
		Right:      "With timeout 120 and a silent Agent the call ends after 120s.",
		Wrong:      "With timeout 120 and a silent Agent the call ends after 60s.",
		Judge:      sending(holdsOut),
	}
}

func holdsOut(c *Call, j *Judgement) {
	if d, ok := c.outOfTimeUnasked(); ok {
		notBefore(c, j, d, c.lastedWords()+" with "+errorWords(c.Err())+", and nothing had been asked")
		return
	}
	k, ok := c.cutShort()
	if !ok || c.explained(k.wait) {
		return
	}
	notBefore(c, j, k.due, c.lastedWords()+", with "+k.words(), k.x)
}

// notBefore judges that a call did not end before the limit that would have ended it.
func notBefore(c *Call, j *Judgement, d due, seen string, at ...*Exchange) {
	want := "an end not before " + inWords(d.from.Sub(c.Started)) + " after the start, where the " + d.phase + " limit of its " + c.budgetWords() + " runs out"
	early := d.from.Sub(*c.Ended)
	switch v := c.Run.NotBefore(*c.Ended, d.from); {
	case v != evidence.No:
		j.HoldIf(v, seen, want, at...)
	case early > earlyMargin+d.from.Sub(c.Started)/10:
		j.Fail(seen, want, at...)
	default:
		j.Warn(seen, want, at...)
	}
}

// outOfTimeUnasked is the limit of a call that says that its time has run out and that asked nobody anything: with no
// server to wait for, no other limit can have come. Of a pair it is the shorter part.
func (c *Call) outOfTimeUnasked() (due, bool) {
	if !c.timed() || !c.Is(evidence.TimedOut) {
		return due{}, false
	}
	unreachable := slices.ContainsFunc(c.Run.Endpoints, func(e evidence.Endpoint) bool { return e.Accepts == evidence.AcceptsHang })
	if unreachable || slices.ContainsFunc(c.Run.All, func(x *Exchange) bool { return slices.Contains(x.Calls, c.Number) }) {
		return due{}, false
	}
	d := due{from: c.Budget.End, by: c.latestEnd(), phase: "total"}
	if c.Budget.Pair {
		d = d.sooner("shorter", c.Started.Add(min(c.Budget.Connect, c.Budget.Read)))
	}
	return d, true
}

// explained tells whether something else than its budget may have ended a call with an answer open: the head of a
// refusal, or something in the bytes that came which this client does not take. Of 1xx answers that it did not ask for
// an HTTP library may take none, and say so as of a broken connection; how it reads them the contract leaves to it. One
// that takes a 1xx for the answer itself ends with another error, and did not wait for the answer.
func (c *Call) explained(w wait) bool {
	if c.Returned() {
		return true
	}
	if w.stage == heading && w.x.informed() && c.Run.NotAfter(*c.Ended, w.since.Add(c.grace()+latencyMargin)) != evidence.No {
		return !c.Is(evidence.TimedOut, evidence.MessageLimit, evidence.Other)
	}
	switch w.stage {
	case heading, reading:
		return w.failing() || !c.Is(evidence.TimedOut, evidence.Transport, evidence.MessageLimit, evidence.Other)
	default:
		return false
	}
}

// informed tells whether 1xx answers came before the answer.
func (x *Exchange) informed() bool {
	return x.Response != nil && slices.Contains(strings.Split(x.Response.Fault, ","), "informational")
}
