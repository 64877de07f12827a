package suites

import (
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func flow02() Rule {
	return Rule{
		ID: "FLOW-02", Level: Must, Sides: []Side{Client}, Section: "Decision 2",
		Obligation: "ask the platform for runtime access before it sends, when it holds no valid access",
		Cause: "The client sends to an address that it was configured with or remembers, and asks for access only after a rejection. " +
			"The platform's answer has to come first.",
		Right:   "resolve-runtime-access is answered, then the message is sent.",
		Wrong:   "The message is sent without a token and access is asked for after the 401.",
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			if len(c.Sends) == 0 {
				return
			}
			first := c.Sends[0]
			asked := len(c.Resolves) > 0 && c.Resolves[0].Arrived <= first.Arrived
			cached, ok := c.Admission(first)
			switch {
			case asked:
				j.Pass()
			case ok && cached.Access().Usable():
			case c.Ambiguous(evidence.OpResolveAccess):
				j.Unclear("several calls resolved at once: whether this one did cannot be told", first)
			case len(c.grounds(first)) > 0: // of one of two earlier calls that ran together
			case c.Command == nil && len(admitting(c.givenWith(first.credential(), first, c.sharesAudienceWith), first)) > 0:
				// access of another client of the process, which may keep it for all of them
			default:
				j.Fail("sent before it had asked for runtime access, holding none from an earlier call",
					"resolve-runtime-access first", first)
			}
		}),
	}
}

func flow04() Rule {
	return Rule{
		ID: "FLOW-04", Level: Must, Sides: []Side{Client}, Section: "Decision 2",
		Obligation: "send nothing unless the newest answer of the call says can_submit true",
		Cause: "The decision is taken from something else than can_submit (a state, is_ready, the presence of a token), or a missing or null " +
			"can_submit counts as true. Look for a default in the decoding and for conditions on other members.",
		Right:   "After an answer with can_submit false the next request, if any, is another resolve.",
		Wrong:   "The message is sent although the newest answer says can_submit false, because it carries a token.",
		Forbids: true,
		Judge:   sending(judgeAdmission),
	}
}

func judgeAdmission(c *Call, j *Judgement) {
	for _, s := range c.Sends {
		if len(c.Resolves) > 0 && c.Resolves[0].Arrived <= s.Arrived {
			c.judgeGround(s, j) // else it rests on an earlier call or on nothing: FLOW-02 and the rules about cached access
		}
	}
	for _, r := range c.Resolves {
		if r.holdsBack() && (c.Done() || c.firstAfter(r, c.Resolves) != nil) {
			j.passUnlessAmbiguous(evidence.OpSendMessage)
		}
	}
}

// judgeGround judges the answer of its own call that a send rests on.
func (c *Call) judgeGround(s *Exchange, j *Judgement) {
	const expected = "no send before an answer with can_submit true"
	newest, first := c.Newest(s), c.Resolves[0]
	switch {
	case c.Ambiguous(evidence.OpResolveAccess) && len(c.grounds(s)) > 0:
		j.Unclear("several calls resolved at once: on which answer the send rests cannot be told", s)
	case newest == nil && (first.Ended == nil || *first.Ended > s.Arrived):
		j.Fail("sent while its resolve was not answered yet", expected, first, s)
	case newest != nil && newest.holdsBack():
		j.Fail("sent although the newest answer has "+accessWords(newest.Access()), expected, newest, s)
	}
}

// holdsBack tells whether a whole answer does not admit.
func (x *Exchange) holdsBack() bool {
	a := x.Access()
	return a.Answered && !a.Admits() && !x.truthy()
}

// passUnlessAmbiguous passes for what did not happen, where that is certain.
func (j *Judgement) passUnlessAmbiguous(op evidence.Op) {
	if !j.call.Ambiguous(op) {
		j.Pass()
	}
}

func flow03() Rule {
	return Rule{
		ID: "FLOW-03", Level: Must, Sides: []Side{Client}, Section: "Decision 2",
		Obligation: "send when can_submit is true, whatever the state says, if Task mode is advertised where it is asked for",
		Cause: "The client waits for a state that it likes (ready) or refuses one that it does not know, in place of going by can_submit alone. " +
			"Look for comparisons of the state on the admitting path.",
		Right: `{"state":"waking","can_submit":true,…} is followed by the send.`,
		Wrong: `{"state":"update_required","can_submit":true,…} ends the call with an error, or is waited out.`,
		Judge: sending(func(c *Call, j *Judgement) {
			c.mustSend(j, func(a *evidence.Access) string {
				if len(oddities(a)) > 0 {
					return ""
				}
				return "the answer said can_submit true in state " + a.State.Brief()
			})
		}),
	}
}

func flow24() Rule {
	return Rule{
		ID: "FLOW-24", Level: Should, Sides: []Side{Client}, Section: "amendments",
		Obligation: "let no absent, null, malformed or unknown member that decides nothing override an admitting answer",
		Cause: "The whole answer is validated before can_submit is looked at, so a member that is only diagnostic, or one that a later platform " +
			"adds, makes the client refuse.",
		Right: "An answer with can_submit true and runtime_presence null is followed by the send.",
		Wrong: "The call ends with a validation error because runtime_presence has a member that the client does not know.",
		Judge: sending(func(c *Call, j *Judgement) {
			c.mustSend(j, func(a *evidence.Access) string {
				found := oddities(a)
				if len(found) == 0 {
					return ""
				}
				return "the answer said can_submit true (" + strings.Join(found, ", ") + ")"
			})
		}),
	}
}

func flow26() Rule {
	return Rule{
		ID: "FLOW-26", Level: Must, Sides: []Side{Client}, Section: "amendments, Decision 2",
		Obligation: "let no diagnostic decide, in either direction: presence, is_ready, notice, operation and detail only tell",
		Cause: "A diagnostic is taken for a decision: the phase has to be serving, is_ready has to be true, an error notice blocks. " +
			"Look for any condition on the way to the send that is not can_submit.",
		Right: `can_submit true with is_ready false and phase "failed" is followed by the send; can_submit false with is_ready true is not.`,
		Wrong: `can_submit true with phase "idle" is waited out until the phase is serving.`,
		Judge: sending(func(c *Call, j *Judgement) {
			c.mustSend(j, func(a *evidence.Access) string {
				found := contrary(a)
				if len(oddities(a)) > 0 || len(found) == 0 {
					return ""
				}
				return "the answer said can_submit true, beside " + strings.Join(found, ", ")
			})
			c.judgeFlattered(j)
		}),
	}
}

// judgeFlattered judges refusals whose diagnostics look as if all were well.
func (c *Call) judgeFlattered(j *Judgement) {
	for _, r := range c.Resolves {
		if found := contrary(r.Access()); r.refuses() && len(found) > 0 {
			c.judgeRefusal(j, r, strings.Join(found, ", "))
		}
	}
}

// judgeRefusal judges that nothing was sent on a refusal, whatever stands beside it.
func (c *Call) judgeRefusal(j *Judgement, r *Exchange, beside string) {
	sends := c.Sends
	if c.OffScript != nil && c.OffScript.Op == evidence.OpSendMessage {
		sends = append(slices.Clone(sends), c.OffScript)
	}
	s, next := c.firstAfter(r, sends), c.firstAfter(r, c.Resolves)
	switch {
	case s != nil && (next == nil || s.Seq < next.Seq) && c.mayBeAdmitted(r, s):
		j.Unclear("several calls resolved at once: on which answer the send rests cannot be told", r, s)
	case s != nil && (next == nil || s.Seq < next.Seq):
		j.Fail("sent although can_submit was false, beside "+beside, "no send: can_submit alone decides", r, s)
	case next != nil || c.ended():
		j.passUnlessAmbiguous(evidence.OpSendMessage)
	}
}

// mustSend judges answers that leave a client no choice but to send. why says what the answer was, and is empty where
// the rule does not apply to it.
func (c *Call) mustSend(j *Judgement, why func(a *evidence.Access) string) {
	for _, r := range c.Resolves {
		if !r.Whole() || !sound(r.Access()) || c.sentBefore(r) {
			continue
		}
		reason := why(r.Access())
		if reason == "" {
			continue
		}
		switch s, next := c.sendAfter(r), c.firstAfter(r, c.Resolves); {
		case s != nil && (next == nil || s.Seq < next.Seq):
			j.Pass()
		case next != nil || !c.ended() || !c.couldSend(r):
		case c.Ambiguous(evidence.OpSendMessage):
			j.Unclear("several calls sent at once: whether this one did cannot be told", r)
		default:
			j.Fail("did not send: "+reason+", and "+c.Ending(), "the send follows an answer with can_submit true", r)
		}
	}
}

func (c *Call) sentBefore(r *Exchange) bool { return len(c.Sends) > 0 && c.Sends[0].Seq < r.Seq }

func (c *Call) sendAfter(r *Exchange) *Exchange {
	for _, x := range c.Exchanges {
		if x.sendLike() && x.Seq > r.Seq && r.Before(x) {
			return x
		}
	}
	return nil
}

// couldSend tells whether nothing but the client itself stood against a send after r: there was budget left, the
// runtime takes connections, and the input was fit to be sent.
func (c *Call) couldSend(r *Exchange) bool {
	const least = 50 * time.Millisecond // with less left, time may well run out between the answer and the send
	if !c.inBudget(r.LastBy.Add(least)) {
		return false
	}
	return c.Run.listens(originOf(r.Access().RPCURL.Text)) && c.badInput() == "" && !c.blankID() && c.mayAsk()
}

// blankID tells whether the caller gave a message id of nothing but white space, which a client may refuse.
func (c *Call) blankID() bool {
	id, given := c.Input.MessageID.Get()
	return given && strings.TrimSpace(id) == ""
}
