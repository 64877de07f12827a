package suites

import (
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// earlyMargin is by how much a call may end early, beside a tenth of its limit, before it counts as a breach.
const earlyMargin = 300 * time.Millisecond

func bud12() Rule {
	return Rule{
		ID: "BUD-12", Level: Must, Sides: []Side{Client}, Section: "Timeouts", Forbids: true,
		Obligation: "not send again after a timeout",
		Cause:      "A retry layer below the client (a session adapter, a transport) repeats requests that timed out.",
		Right:      "A send that was given up after 3s stays the only one, also after the call has ended.",
		Wrong:      "The send is given up after 3s, and a second one follows 0.5s later.",
		Judge:      sending(noSendAfterTimeout),
	}
}

func noSendAfterTimeout(c *Call, j *Judgement) {
	if !c.unhindered() {
		return
	}
	for i, x := range c.Sends {
		if !x.abandoned() {
			continue
		}
		if i+1 < len(c.Sends) {
			next := c.Sends[i+1]
			j.Fail("a send was given up without a whole answer and another one came "+inWords(next.Arrived.Sub(*x.Ended))+" later",
				"no other send: the message may already have reached the runtime", x, next)
			return
		}
		k, _ := c.cutShort()
		switch {
		case k.x != x || !c.ranOut(k):
			return
		case c.Ambiguous(evidence.OpSendMessage):
			j.Unclear("some send may belong to this call or to another", x)
		case !c.watchedOut():
			j.Unclear("the run was not watched for long enough after the timeout", x)
		default:
			j.Pass()
		}
	}
}

// abandoned tells whether the client hung up before the answer was whole, although no head had told it that the
// request failed: it had waited long enough.
func (x *Exchange) abandoned() bool {
	return x.EndedBy == evidence.EndedByClient && !x.Whole() && x.Ended != nil && x.Status() < 300
}

func bud16() Rule {
	return Rule{
		ID: "BUD-16", Level: Should, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "close the connection when it gives up, and leave nothing running",
		Cause:      "The wait is given up by leaving a thread or goroutine behind that still holds the connection.",
		Right:      "The call ends after 3s and the server sees the connection closed at the same time.",
		Wrong:      "The call ends after 3s, and the connection stays open until the server closes it.",
		Judge:      sending(closesConnection),
	}
}

// closing is how long after its end a call may need to close what it left open: helper threads notice with a delay.
const closing = time.Second

func closesConnection(c *Call, j *Judgement) {
	k, ok := c.cutShort()
	if !ok || k.stage == connecting || k.x.Ended == nil || k.x.EndedBy == evidence.EndedByServer || k.x.EndedBy == evidence.EndedByCut {
		return
	}
	if c.Run.End.How == evidence.EndLeak {
		j.Fail("the call ended and left something running that nothing will end", "nothing left running", k.x)
		return
	}
	late := k.x.Ended.Sub(*c.Ended)
	closed := k.x.EndedBy == evidence.EndedByClient
	switch {
	case closed && late <= closing:
		j.Pass()
	case !closed && (late <= closing || k.stage == uploading && !c.exact()):
		j.Unclear("the run was not watched in a way that shows whether the connection was closed", k.x)
	case closed:
		j.Fail("the connection was closed "+inWords(late)+" after the call had ended", "a connection that is closed when the call gives up", k.x)
	default:
		j.Fail("the connection was still open "+inWords(late)+" after the call had ended", "a connection that is closed when the call gives up", k.x)
	}
}

func bud19() Rule {
	return Rule{
		ID: "BUD-19", Level: Must, Sides: []Side{Client}, Section: "Decision 3", Forbids: true,
		Obligation: "make no resolve, send or Task request of a call after that call has ended",
		Cause:      "The call is given up by the caller's side only; the loop that waits and sends goes on behind it.",
		Right:      "The call ends as not ready, and when retry_after_ms has passed no resolve comes.",
		Wrong:      "The call ends after 3s, and the resolve that the platform directed to 5s still comes.",
		Judge:      nothingAfterEnd,
	}
}

func nothingAfterEnd(c *Call, j *Judgement) {
	if !c.Done() {
		return
	}
	ops := []evidence.Op{evidence.OpResolveAccess, evidence.OpSendMessage, evidence.OpGetTask, evidence.OpCancelTask}
	for _, x := range c.After(*c.Ended) {
		if slices.Contains(ops, x.Op) {
			j.HoldIf(c.Run.NotAfter(x.Arrived, *c.Ended),
				"a "+opWords(x.Op)+" of the call came "+inWords(x.Arrived.Sub(*c.Ended))+" after the call had ended", "no request after the end", x)
		}
	}
	w := c.waitingAt(*c.Ended)
	if c.Returned() || w.stage == notWaiting || c.Run.NotAfter(w.direction.By, c.Until) != evidence.Yes {
		return // nothing was going on that could still come, or it is due after the end of what was watched
	}
	late := func(x *Exchange) bool { return x.Arrived > *c.Ended && slices.Contains(ops, x.Op) }
	switch {
	case slices.ContainsFunc(c.Maybe, late):
		j.Unclear("a request after the end may belong to this call or to another", w.x)
	case !c.watchedOut():
		j.Unclear("the run was not watched for long enough after the end of the call", w.x)
	default:
		j.Pass()
	}
}
