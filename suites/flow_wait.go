package suites

import (
	"fmt"
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func flow05() Rule {
	return Rule{
		ID: "FLOW-05", Level: Must, Sides: []Side{Client}, Section: "amendments, Decision 3",
		Obligation: "resolve again after each transient answer with a usable retry_after_ms, every time that it fits the budget",
		Cause: "The client gives up at the first transient answer, after a fixed number of tries, or at a state that it does not count as " +
			"transient. The four are checking, starting, waking and updating.",
		Right: "waking with retry_after_ms 1500 is followed by another resolve 1.5s later, twenty times if the platform says so.",
		Wrong: "The third transient answer ends the call although 8s of its budget are left.",
		Judge: sending(func(c *Call, j *Judgement) {
			for _, d := range c.toFollow() {
				switch {
				case d.Next != nil:
					j.Pass()
				case c.fits(d) != evidence.Yes || !c.ended():
				case c.Ambiguous(evidence.OpResolveAccess):
					j.Unclear("several calls resolved at once: whether this one did again cannot be told", d.Answer)
				default:
					j.Fail(fmt.Sprintf("did not resolve again: the answer said %s and to wait %s, and %s %s after it with %s of its budget left",
						d.State, inWords(d.Wait), c.Ending(), inWords(c.Ended.Sub(*d.Answer.LastBy)), inWords(max(0, c.Budget.End.Sub(*c.Ended)))),
						"another resolve "+inWords(d.Wait)+" after that answer", d.Answer)
				}
			}
		}),
	}
}

func flow06() Rule {
	return Rule{
		ID: "FLOW-06", Level: Must, Sides: []Side{Client}, Section: "Decision 3",
		Obligation: "not resolve again before retry_after_ms has passed since the answer's last byte, nor while a resolve is unanswered",
		Cause: "The wait is capped, taken for seconds or microseconds, counted from the request in place of the answer, or replaced by a " +
			"cadence of the client's own.",
		Right:   "The answer that says 1500 ends at 2.001s; the next resolve arrives at 3.501s or a little later.",
		Wrong:   "The next resolve arrives 0.75s after the answer that said to wait 1.5s.",
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			for _, d := range c.Directions() {
				c.judgeEarly(d, j)
			}
			for i, r := range c.Resolves {
				if i > 0 && c.open(c.Resolves[i-1], r.Arrived) == evidence.No {
					j.Fail("resolved while an earlier resolve of the call was unanswered", "one resolve at a time", c.Resolves[i-1], r)
				}
			}
		}),
	}
}

func (c *Call) judgeEarly(d Direction, j *Judgement) {
	if d.Next == nil {
		if c.Done() && d.From >= *c.Ended {
			j.passUnlessAmbiguous(evidence.OpResolveAccess)
		}
		return
	}
	if !d.Answer.Before(d.Next) {
		return // the next one did not wait for this answer: judged as two at once
	}
	j.HoldIf(c.Run.NotBefore(d.Next.Arrived, d.From),
		fmt.Sprintf("resolved again %s after the answer that said to wait %s", inWords(d.Next.Arrived.Sub(*d.Answer.LastFrom)), inWords(d.Wait)),
		"the next resolve no sooner than "+inWords(d.Wait)+" after that answer's last byte", d.Answer, d.Next)
}

// open tells whether a resolve was over at t, No for one that was not.
func (c *Call) open(r *Exchange, t evidence.Offset) evidence.Verdict {
	switch {
	case r.Whole():
		return c.Run.NotBefore(t, *r.LastFrom)
	case r.Ended == nil:
		return evidence.No
	default:
		return c.Run.NotBefore(t, *r.Ended)
	}
}

func flow07() Rule {
	return Rule{
		ID: "FLOW-07", Level: Must, Sides: []Side{Client}, Section: "Decision 3",
		Obligation: "resolve again at retry_after_ms, not much later",
		Cause: "The client waits longer than it was told: a least wait or a back-off of its own, milliseconds taken for seconds, or a wait " +
			"that is counted from the wrong moment.",
		Right: "The answer says 1500; the next resolve comes 1.5s after it.",
		Wrong: "The answer says 1500; the next resolve comes 4s after it.",
		Judge: sending(func(c *Call, j *Judgement) {
			for _, d := range c.toFollow() {
				if d.Next != nil && d.Next.Arrived >= d.From {
					c.judgeLate(d, j)
				}
			}
		}),
	}
}

// ownWork is what a client may need to write a request when its wait is over. Without it each client on a busy machine
// would be warned of the machine.
const ownWork = 250 * time.Millisecond

func (c *Call) judgeLate(d Direction, j *Judgement) {
	limit := time.Second + d.Wait/2 + c.leastWait()
	if c.Run.NotAfter(d.Next.Arrived, d.By) == evidence.No && c.mayHaveResolved(d) {
		j.Unclear("several calls resolved at once: whether this one did before cannot be told", d.Answer, d.Next)
		return
	}
	seen := fmt.Sprintf("resolved again %s after the answer that said to wait %s", inWords(d.Next.Arrived.Sub(*d.Answer.LastBy)), inWords(d.Wait))
	expected := fmt.Sprintf("the next resolve %s after that answer, at most %s late", inWords(d.Wait), inWords(limit))
	if c.Run.NotAfter(d.Next.Arrived, d.By.Add(ownWork)) != evidence.No {
		j.Pass()
		return
	}
	switch c.Run.NotAfter(d.Next.Arrived, d.By.Add(limit)) {
	case evidence.Yes:
		j.Warn(seen, expected, d.Answer, d.Next)
	case evidence.Unclear:
		j.Unclear("too near to the border for this clock: "+seen, d.Answer, d.Next)
	default:
		j.Fail(seen, expected, d.Answer, d.Next)
	}
}

// mayHaveResolved tells whether a resolve between an answer and the next one that is certainly of the call may be of the
// call too.
func (c *Call) mayHaveResolved(d Direction) bool {
	return slices.ContainsFunc(c.Maybe, func(x *Exchange) bool {
		return x.Op == evidence.OpResolveAccess && x.Seq > d.Answer.Seq && x.Seq < d.Next.Seq
	})
}

func flow18() Rule {
	return Rule{
		ID: "FLOW-18", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "not poll at a cadence of its own when a transient answer has no usable retry_after_ms",
		Cause: "A missing, null or negative retry_after_ms is replaced by a default, by the value of an earlier answer or by a Retry-After header. " +
			"Null and 0 are different: 0 says at once, null says nothing.",
		Right:   "waking with retry_after_ms null ends the call with an error after that one resolve.",
		Wrong:   "waking with retry_after_ms null is followed by a resolve each second.",
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			for _, r := range c.Resolves {
				if r.undirected() {
					c.judgeStop(j, r, fmt.Sprintf("an answer in state %s with retry_after_ms %s", r.State(), r.Access().RetryAfter.Value.Brief()))
				}
			}
		}),
	}
}

func flow28() Rule {
	return Rule{
		ID: "FLOW-28", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "wait for nothing but a direction of the platform before it sends",
		Cause: "The client pauses by itself: before the first resolve, between the admission and the send, after a rejection, or before it " +
			"repeats a resolve that failed. Look for sleeps, back-off and Retry-After headers that are obeyed.",
		Right: "The send arrives at once after the admitting answer, the fresh resolve at once after the 401.",
		Wrong: "2s pass between the answer that says can_submit true and the send.",
		Judge: sending(judgePauses),
	}
}

func judgePauses(c *Call, j *Judgement) {
	lookups := c.lookups()
	if first := c.firstOf(c.Resolves, c.Sends, lookups); c.exact() {
		c.judgePause(j, c.Started, "the start of the call", first)
	}
	for _, r := range c.Resolves {
		switch {
		case r.Whole() && r.Access().Usable():
			c.judgePause(j, *r.LastBy, "the answer with can_submit true", c.sendAfter(r), r)
		case r.Whole() && r.failedResolve() != "":
			c.judgePause(j, *r.LastBy, "a resolve that failed", c.firstAfter(r, c.Resolves), r)
		}
	}
	for _, x := range lookups {
		c.judgeLookupPause(x, j)
	}
	for _, s := range c.Rejections() {
		if s.Whole() && s.BodyRead != nil {
			c.judgePause(j, max(*s.LastBy, *s.BodyRead), "the rejection", c.firstAfter(s, c.Resolves), s)
		}
	}
}

// judgeLookupPause judges the time behind an answer of discovery. Behind one that failed it is only noted.
func (c *Call) judgeLookupPause(x *Exchange, j *Judgement) {
	next := c.firstAfter(x, c.Exchanges)
	switch {
	case x.failedDiscovery() == "":
		c.judgePause(j, *x.LastBy, "an answer of discovery", next, x)
	case next != nil && next.path() == x.path() && next.Arrived.Sub(*x.LastBy) > shortPause:
		j.Observe("asked discovery again "+inWords(next.Arrived.Sub(*x.LastBy))+" after it "+x.failedDiscovery(), x, next)
	}
}

// lookups are the requests of discovery.
func (c *Call) lookups() []*Exchange {
	var out []*Exchange
	for _, x := range c.Exchanges {
		if x.discovers() {
			out = append(out, x)
		}
	}
	return out
}

// shortPause is how long a client may be idle on virtual time: one that looks at its queues now and then does not wait
// for anything.
const shortPause = 100 * time.Millisecond

func (c *Call) firstOf(lists ...[]*Exchange) *Exchange {
	var first *Exchange
	for _, list := range lists {
		if len(list) > 0 && (first == nil || list[0].Seq < first.Seq) {
			first = list[0]
		}
	}
	return first
}

// judgePause judges how long the call was idle between a moment and next: no earlier request of it was going on.
func (c *Call) judgePause(j *Judgement, from evidence.Offset, what string, next *Exchange, at ...*Exchange) {
	if next == nil || !c.alone(from, next.Arrived) {
		return
	}
	for _, x := range append(c.Exchanges, c.Maybe...) {
		if x.Arrived >= next.Arrived || x.Whole() && *x.LastBy <= from {
			continue // it gave nothing to wait for
		}
		if x.Ended == nil || *x.Ended > next.Arrived {
			return
		}
		from = max(from, *x.Ended)
	}
	longest := shortPause
	if !c.exact() {
		longest = time.Second
	}
	j.HoldIf(c.Run.NotAfter(next.Arrived, from.Add(longest)),
		fmt.Sprintf("was idle for %s after %s, and no answer had told it to wait", inWords(next.Arrived.Sub(from)), what),
		"the next request at once", append(at, next)...)
}
