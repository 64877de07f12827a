package suites

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// AUTH-09 also asks for something beside what it forbids. It is judged after a request that no script foresaw all the
// same: the part that asks looks at calls without such a request only.
func auth09() Rule {
	return Rule{
		ID: "AUTH-09", Level: Must, Sides: []Side{Client}, Section: "Decision 5", Forbids: true,
		Obligation: "obey the fresh answer after a rejection: wait when it is transient, stop when it is terminal, not send before it admits",
		Cause:      "The refresh takes the token of the fresh answer and never looks at can_submit.",
		Right:      "send, 401, resolve: waking, 1.5s; resolve 1.5s later: ready; send again.",
		Wrong:      "send, 401, resolve: waking, and the second send follows at once.",
		Judge:      sending(obeysFreshAnswer),
	}
}

func obeysFreshAnswer(c *Call, j *Judgement) {
	r, ok := c.refresh()
	if !ok {
		return
	}
	for _, s := range c.Sends {
		if s.Seq > r.rejected.Seq {
			judgeResend(c, j, r, s)
		}
	}
	for i, x := range r.resolves {
		var next *Exchange
		if i+1 < len(r.resolves) {
			next = r.resolves[i+1]
		}
		if x.refuses() && c.maySend(x) {
			judgeFreshRefusal(c, j, x, next)
		}
	}
}

// judgeResend judges that the newest answer before a further send admits.
func judgeResend(c *Call, j *Judgement, r refresh, s *Exchange) {
	newest := refresh{resolves: r.resolves, send: s}.fresh()
	switch {
	case newest == nil && c.Ambiguous(evidence.OpResolveAccess):
		j.Unclear("the resolve before the second send may belong to this call or to another", s)
	case newest == nil:
		j.Fail("the call sent again before any answer that admits it afresh", "a second send only after a fresh answer that admits", r.rejected, s)
	case !newest.Access().Admits() && c.mayBeAdmitted(newest, s):
		j.Unclear("the resolve that admits the second send may be another call's", newest, s)
	case !newest.Access().Admits() && !newest.truthy():
		j.Fail("the call sent again, though the newest answer of the platform does not admit", "no second send before can_submit is true", newest, s)
	default:
	}
}

// judgeFreshRefusal judges what followed a fresh answer that does not admit.
func judgeFreshRefusal(c *Call, j *Judgement, x, next *Exchange) {
	at := slices.IndexFunc(c.Directions(), func(d Direction) bool { return d.Answer == x })
	switch {
	case at >= 0:
		judgeFreshDirection(c, j, c.Directions()[at])
	case x.Access().Transient() && !x.undirected():
		return // a direction that clients may read differently
	case next != nil:
		j.Fail("the call resolved again "+inWords(next.Arrived.Sub(*x.LastBy))+" after a fresh answer that directs to nothing", "an error, and nothing more", x, next)
	case c.Ambiguous(evidence.OpResolveAccess):
		return // it may have been admitted after that
	case c.Returned():
		j.Fail(c.Ending()+" after a fresh answer that does not admit", "an error", x)
	case c.ended():
		j.Pass()
	default:
	}
}

func judgeFreshDirection(c *Call, j *Judgement, d Direction) {
	fits := c.fits(d)
	told := "a fresh answer that said to wait " + inWords(d.Wait)
	switch {
	case d.Next != nil && fits == evidence.No:
		j.Fail("the call resolved again after "+told+", though that no longer fitted its budget", "the not-ready error", d.Answer, d.Next)
	case d.Next != nil:
		j.HoldIf(c.Run.NotBefore(d.Next.Arrived, d.From),
			"the call resolved again "+inWords(d.Next.Arrived.Sub(*d.Answer.LastFrom))+" after "+told, "a resolve not before that", d.Answer, d.Next)
	case !c.ended() || c.Ambiguous(evidence.OpResolveAccess):
		return
	case fits == evidence.Yes:
		j.Fail(c.Ending()+" after "+told+", though that fitted its budget", "a resolve when that time has passed", d.Answer)
	case fits == evidence.Unclear:
		return
	case c.Told():
		j.Hold(isKind(c.Err(), evidence.NotReady), c.Ending()+" after "+told+" that no longer fitted its budget", "the not-ready error", d.Answer)
	default:
		j.Hold(c.Failed(), c.Ending()+" after "+told+" that no longer fitted its budget", "the not-ready error", d.Answer)
	}
}
