package suites

import (
	"net/url"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func task01() Rule {
	return Rule{
		ID: "TASK-01", Level: Must, Sides: []Side{Client}, Section: "Decision", Forbids: true, Needs: []string{taskMode},
		Obligation: "check through discovery that Task is advertised, before the runtime request",
		Cause:      "The response kind is passed on as the caller wrote it, or the Agent is asked only when the send was refused.",
		Right:      "The Agent is looked up, names task among its response kinds, and then the message is sent with responseKind task.",
		Wrong:      "The message is sent with responseKind task, and nobody was asked.",
		Judge:      inTaskMode(asksFirst),
	}
}

func asksFirst(c *Call, j *Judgement) {
	for _, s := range c.Sends {
		switch l := c.learned(s); {
		case l.advert != unasked:
			j.Pass() // whether it may send on it is TASK-02's
		case c.Ambiguous(evidence.OpGetAgent):
			j.Unclear("discovery may belong to this call or to another", s)
		case c.rememberedAdvert() != nil: // TASK-14
		default:
			j.Fail("sent in Task mode before discovery had said that Task is advertised", "the Agent's profile first", l.x, s)
		}
	}
	if len(c.Sends) == 0 && c.gaveUpFreely() {
		judgeGivenUp(c, j)
	}
}

// judgeGivenUp judges a call that ended without any question for access.
func judgeGivenUp(c *Call, j *Judgement) {
	if held := c.heldBefore(); held != nil && held.Access().Usable() {
		return // it had no need to ask for access, and where that leads nobody may have answered
	}
	switch l := c.learned(nil); {
	case l.advert == advertised:
		j.Fail("discovery names task, and the call gave up without asking for access: "+c.Ending(), "access, and the send", l.x)
	case l.advert == unasked && (l.x == nil || c.namesAgent(l.x)):
		j.Fail("the call gave up before it knew whether Task is advertised: "+c.Ending(), "the Agent's profile, by discovery", l.x)
	default:
	}
}

func (c *Call) namesAgent(session *Exchange) bool {
	_, ok := session.agentUID()
	return ok
}

// gaveUpFreely tells whether a call ended with an error before it asked for access, and neither the input nor the
// platform nor the budget stood against it.
func (c *Call) gaveUpFreely() bool {
	if len(c.Resolves) > 0 || len(c.Maybe) > 0 || !c.ended() || !c.Failed() {
		return false
	}
	e, known := c.Run.Endpoint(c.Backend)
	return c.badInput() == "" && !c.blankID() && !awkward(c.Session) && c.inBudget(*c.Ended) && (!known || e.Accepts == evidence.AcceptsYes)
}

// rememberedAdvert returns the answer that told an earlier call of the same instance that Task is advertised.
func (c *Call) rememberedAdvert() *Exchange {
	for _, o := range c.Run.Calls {
		if o.Number < c.Number && o.Task() && o.sharesAccessWith(c) {
			if l := o.learned(nil); l.advert == advertised && *l.x.LastFrom <= c.Started {
				return l.x
			}
		}
	}
	return nil
}

func task02() Rule {
	return Rule{
		ID: "TASK-02", Level: Must, Sides: []Side{Client}, Section: "Decision, Request Shape", Forbids: true, Needs: []string{taskMode},
		Obligation: "fail and send nothing to the runtime, in no other kind either, when Task is not advertised or that cannot be learned",
		Cause: "An absent or malformed profile counts as advertised, a failed lookup is passed over, or the client falls back to a direct Message. " +
			"Only a list that names task advertises it.",
		Right: `The profile names ["message"]: the call ends with an error, and the runtime sees nothing.`,
		Wrong: "The Agent's lookup is answered 404, and the message is sent all the same, perhaps with responseKind message.",
		Judge: inTaskMode(func(c *Call, j *Judgement) {
			l := c.learned(nil)
			if l.advert != unlearned && l.advert != denied {
				return
			}
			what := "discovery " + l.why
			if i := slices.IndexFunc(c.Exchanges, (*Exchange).sendLike); i >= 0 {
				j.Fail("sent though "+what, "an error, and nothing sent", l.x, c.Exchanges[i])
				return
			}
			asked := slices.DeleteFunc(c.To(evidence.SideRuntime), c.followsRedirect) // where a look-up or a renewal was sent on to is REQ-19's
			if len(asked) > 0 {
				j.Fail("asked the runtime for "+clip(asked[0].Request.Target, 90)+" though "+what, "an error, and nothing sent", l.x, asked[0])
				return
			}
			c.judgeNothingSent(j, what, l.x)
		}),
	}
}

// judgeNothingSent judges the end of a call that had to fail without a send.
func (c *Call) judgeNothingSent(j *Judgement, what string, x *Exchange) {
	switch {
	case !c.ended():
	case c.Returned():
		j.Fail(c.Ending()+" though "+what, "an error", x)
	case c.Ambiguous(evidence.OpSendMessage):
		j.Unclear("a send may belong to this call or to another", x)
	default:
		j.Pass()
	}
}

func task03() Rule {
	return Rule{
		ID: "TASK-03", Level: Must, Sides: []Side{Client}, Section: "Decision", Forbids: true, Needs: []string{taskMode},
		Obligation: "find the Agent through the session's agent_uid when it needs to; fail clearly when there is none",
		Cause:      "The Agent is looked up by another uid (that of the session or of the service), or a session without agent_uid is passed over.",
		Right:      "The session's answer names an agent_uid, and that Agent is looked up; without one the call ends with an error.",
		Wrong:      "The session has agent_uid null, and the message is sent.",
		Judge:      inTaskMode(findsAgent),
	}
}

func findsAgent(c *Call, j *Judgement) {
	for i, x := range c.Exchanges {
		switch x.Op {
		case evidence.OpGetAgent:
			c.judgeAgent(j, x)
		case evidence.OpGetSession:
			if x.failedDiscovery() == "" && !c.namesAgent(x) {
				c.judgeNoAgent(j, x, c.Exchanges[i+1:])
			}
		default:
		}
	}
}

// judgeAgent judges that the Agent that was looked up is the session's.
func (c *Call) judgeAgent(j *Judgement, x *Exchange) {
	asked := agentOf(x)
	const expected = "the Agent that the session's agent_uid names"
	var own *Exchange
	known := false
	for _, y := range c.Run.All {
		uid, ok := y.agentUID()
		if y.Op != evidence.OpGetSession || !ok || !y.Before(x) || !strings.Contains(y.Request.Target, c.Session) {
			continue
		}
		known = known || uid == asked
		if slices.Contains(y.Calls, c.Number) {
			own = y
		}
	}
	switch {
	case own != nil:
		j.Hold(known, "looked up another Agent than the session's", expected, own, x)
	case known:
		j.Pass()
	default:
		j.Fail("looked up an Agent that no answer about the session had named", expected, x)
	}
}

// agentOf is the Agent that a request looks up.
func agentOf(x *Exchange) string {
	segments := strings.Split(strings.Trim(x.path(), "/"), "/")
	last := segments[len(segments)-1]
	if uid, err := url.PathUnescape(last); err == nil {
		return uid
	}
	return last
}

func (c *Call) judgeNoAgent(j *Judgement, x *Exchange, later []*Exchange) {
	what := "the session has agent_uid " + said(x.Answer().Body.Member("agent_uid"))
	for _, y := range later {
		if y.sendLike() {
			j.Fail("sent though "+what, "an error, and nothing sent", x, y)
			return
		}
	}
	c.judgeNothingSent(j, what, x)
}

func task14() Rule {
	return Rule{
		ID: "TASK-14", Level: Should, Sides: []Side{Client}, Section: "Decision", Needs: []string{taskMode},
		Obligation: "ask discovery in every Task send: only runtime access may be remembered",
		Cause:      "What the Agent advertises is kept with the access, or for the life of the client.",
		Right:      "The second Task send of a client looks the Agent up again.",
		Wrong:      "The second Task send goes out on what the first had learned.",
		Judge: inTaskMode(func(c *Call, j *Judgement) {
			before := c.rememberedAdvert()
			if before == nil || len(c.Sends) == 0 {
				return
			}
			asked := slices.ContainsFunc(c.Exchanges, func(x *Exchange) bool { return x.discovers() && x.Seq < c.Sends[0].Seq })
			if !asked && (c.Ambiguous(evidence.OpGetAgent) || c.Ambiguous(evidence.OpGetSession)) {
				j.Unclear("discovery may belong to this call or to another", c.Sends[0])
				return
			}
			j.Hold(asked, "sent in Task mode on what discovery had said to an earlier call", "the Agent's profile asked for again", before, c.Sends[0])
		}),
	}
}
