package suites

import (
	"github.com/a2a-conform/a2a-conform/evidence"
)

func flow20() Rule {
	return Rule{
		ID: "FLOW-20", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "fail and send nothing when an admitting answer lacks a usable token or rpc_url",
		Cause: "can_submit true is taken for the whole of the answer: the token and the address are used without a look at them, so the send goes out " +
			"without credentials or to an address of the client's own making.",
		Right:   "can_submit true with token null ends the call with an error, and no request reaches any runtime.",
		Wrong:   `can_submit true with token "" is followed by a send with an empty Bearer.`,
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			for _, r := range c.Resolves {
				a := r.Access()
				if !a.Admits() || a.Usable() {
					continue
				}
				lack := a.RPCURL.Why
				if !a.Token.Usable {
					lack = "the token is no text that a header can carry"
				}
				switch s := c.sendAfter(r); {
				case s != nil && c.Newest(s) == r:
					j.Fail("sent on an answer with can_submit true although "+lack, "an error, and nothing sent", r, s)
				case s != nil || !c.ended():
				default:
					j.Hold(c.Failed(), c.Ending()+" although "+lack, "an error, and nothing sent", r)
				}
			}
		}),
	}
}

func flow22() Rule {
	return Rule{
		ID: "FLOW-22", Level: Must, Sides: []Side{Client}, Section: "Decision 2",
		Obligation: "send nothing when the resolve itself fails, whatever its body says",
		Cause: "The body of an answer is read before its status is looked at, an answer that broke off is taken for what had arrived of it, " +
			"a redirect is followed to another server, or an older answer is used when the newest cannot be read.",
		Right:   "503 with a body that looks like an admission ends the call with an error.",
		Wrong:   "The send follows a resolve that was answered 503.",
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			for _, r := range c.Resolves {
				why := r.failedResolve()
				if why == "" || r.Ended == nil {
					continue
				}
				s := c.nextSend(r)
				switch {
				case s != nil && !c.admittedBetween(r, s):
					j.Fail("sent after a resolve that "+why, "nothing sent", r, s)
				case s != nil:
					j.Pass()
				case !c.ended():
				default:
					c.judgeFailure(r, why, j)
				}
			}
		}),
	}
}

func (c *Call) judgeFailure(r *Exchange, why string, j *Judgement) {
	switch {
	case c.Ambiguous(evidence.OpSendMessage):
		j.Unclear("several calls sent at once: whether this one did cannot be told", r)
	case c.firstAfter(r, c.Resolves) == nil:
		j.Hold(c.Failed(), c.Ending()+" after a resolve that "+why, "an error", r)
	default:
		j.Pass()
	}
}

// nextSend returns the first send that arrived after r had come to its end.
func (c *Call) nextSend(r *Exchange) *Exchange {
	for _, x := range c.Exchanges {
		if x.sendLike() && x.Seq > r.Seq && x.Arrived >= r.over() {
			return x
		}
	}
	return nil
}

// over is when an exchange had ended for the client: with the last byte of the answer, or with the connection.
func (x *Exchange) over() evidence.Offset {
	if x.Whole() {
		return *x.LastFrom
	}
	return *x.Ended
}

// admittedBetween tells whether a later resolve of the platform, other than r, was answered before the send.
func (c *Call) admittedBetween(r, s *Exchange) bool {
	for _, x := range c.Resolves {
		if x.Seq > r.Seq && x.Before(s) && x.failedResolve() == "" {
			return true
		}
	}
	// A redirect within the platform may lead to a route of another name.
	for _, x := range c.To(evidence.SidePlatform) {
		if x.Op == evidence.OpUnknown && x.Seq > r.Seq && x.Before(s) && r.Status() >= 300 && r.Status() < 400 && x.Status() == 200 {
			return true
		}
	}
	return false
}

func flow23() Rule {
	return Rule{
		ID: "FLOW-23", Level: Should, Sides: []Side{Client}, Section: "Decision",
		Obligation: "not repeat a failed resolve by itself",
		Cause: "An HTTP library below the client repeats requests on 429, 500, 502, 503 or 504, or on a broken connection. " +
			"Renewing the platform token after a 401 and asking once more is no repeat.",
		Right:   "503 ends the call.",
		Wrong:   "503 is followed by three more resolves.",
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			renewed := false
			for i, r := range c.Resolves {
				if r.Ended == nil || r.Status() >= 300 && r.Status() < 400 || r.failedResolve() == "" && !r.abandoned() {
					continue
				}
				why := r.failedResolve()
				if why == "" {
					why = "it had given up"
				}
				switch {
				case i+1 < len(c.Resolves) && (renewed || !c.renewedBetween(r, c.Resolves[i+1])):
					j.Fail("repeated a resolve that "+why, "no further resolve in this call", r, c.Resolves[i+1])
				case i+1 < len(c.Resolves):
					renewed = true
					j.Pass()
				case c.ended():
					j.passUnlessAmbiguous(evidence.OpResolveAccess)
				}
			}
		}),
	}
}

func (c *Call) renewedBetween(r, next *Exchange) bool {
	for _, x := range c.Exchanges {
		if x.Op == evidence.OpRenewToken && x.Seq > r.Seq && x.Seq < next.Seq {
			return true
		}
	}
	return false
}
