package suites

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func flow08() Rule {
	return Rule{
		ID: "FLOW-08", Level: Must, Sides: []Side{Client}, Section: "Decision 3",
		Obligation: "stop resolving once can_submit is true, until the runtime rejects the credentials",
		Cause: "The client confirms an admission with a second resolve, refreshes access in the background, or resolves again after an error of " +
			"the runtime that is neither 401 nor 403.",
		Right:   "The answer with can_submit true is the last one that the platform is asked for.",
		Wrong:   "The send is answered 502 and the client resolves again.",
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			for _, r := range c.Resolves {
				if !r.Access().Admits() {
					continue
				}
				next := c.firstAfter(r, c.Resolves)
				switch {
				case next != nil && !c.rejectedBetween(r, next) && c.Ambiguous(evidence.OpSendMessage):
					j.Unclear("several calls sent at once: whether this one's send was rejected between cannot be told", r, next)
				case next != nil && !c.rejectedBetween(r, next):
					j.Fail(fmt.Sprintf("resolved again %s after an answer with can_submit true, and no send was rejected between",
						inWords(next.Arrived.Sub(*r.LastBy))), "no further resolve", r, next)
				case next != nil || c.Done():
					j.passUnlessAmbiguous(evidence.OpResolveAccess)
				}
			}
		}),
	}
}

// rejectedBetween tells whether a send that came after r had been rejected when next arrived.
func (c *Call) rejectedBetween(r, next *Exchange) bool {
	return slices.ContainsFunc(c.Sends, func(s *Exchange) bool {
		return s.Seq > r.Seq && s.Seq < next.Seq && s.Rejected() && *s.HeadFrom <= next.Arrived
	})
}

func flow09() Rule {
	return Rule{
		ID: "FLOW-09", Level: Must, Sides: []Side{Client}, Section: "Decision 3, Decision",
		Obligation: "stop at a terminal answer at once: no more resolves, no send, an error",
		Cause: "Every refusal is treated as one that will pass. Only checking, starting, waking and updating may be waited for; " +
			"look for a loop whose condition is can_submit alone.",
		Right:   "unavailable with can_submit false is the last exchange, and the call ends with an error.",
		Wrong:   "unavailable with can_submit false is followed by another resolve.",
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			for _, r := range c.Resolves {
				if !r.terminal() {
					continue
				}
				c.judgeStop(j, r, "a terminal answer ("+r.Access().State.Brief()+")")
				if late := r.LastBy.Add(c.promptly()); c.ended() && c.Run.NotAfter(*c.Ended, late) == evidence.No && c.firstAfter(r, c.Exchanges) == nil {
					j.Fail(fmt.Sprintf("ended only %s after a terminal answer (%s)", inWords(c.Ended.Sub(*r.LastBy)), r.Access().State.Brief()),
						"an error within "+inWords(c.promptly())+" of that answer", r)
				}
			}
		}),
	}
}

func flow10() Rule {
	return Rule{
		ID: "FLOW-10", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "treat every state but the four as terminal when can_submit is false, states that it does not know included",
		Cause: "The client lists the terminal states and waits at every other, or goes by retry_after_ms where a state is unknown. " +
			"List the four transient ones instead.",
		Right:   "can_submit false in a state that nobody has heard of ends the call, retry_after_ms or not.",
		Wrong:   "can_submit false in an unknown state with retry_after_ms 1000 is waited for.",
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			for _, r := range c.Resolves {
				if r.terminal() && !slices.Contains([]string{"update_required", "update_failed", "unavailable"}, r.State()) {
					c.judgeStop(j, r, "can_submit false in state "+r.Access().State.Brief())
				}
			}
		}),
	}
}

// judgeStop judges that nothing came after r and that the call ended with an error.
func (c *Call) judgeStop(j *Judgement, r *Exchange, what string) {
	const expected = "no further request, and an error"
	send, resolve := c.sendAfter(r), c.firstAfter(r, c.Resolves)
	switch {
	case resolve != nil:
		j.Fail(fmt.Sprintf("resolved again %s after %s", inWords(resolve.Arrived.Sub(*r.LastBy)), what), expected, r, resolve)
	case send != nil:
		j.Fail(fmt.Sprintf("sent %s after %s", inWords(send.Arrived.Sub(*r.LastBy)), what), expected, r, send)
	case !c.ended():
	case c.Ambiguous(evidence.OpResolveAccess) || c.Ambiguous(evidence.OpSendMessage):
		j.Unclear("several calls were made at once: whether this one went on cannot be told", r)
	default:
		j.Hold(c.Failed(), c.Ending()+" after "+what, expected, r)
	}
}

func flow17() Rule {
	return Rule{
		ID: "FLOW-17", Level: Must, Sides: []Side{Client}, Section: "amendments",
		Obligation: "never loop on ready or terminal answers",
		Cause: "The loop that waits for the runtime goes by something else than the admission, such as a state or a phase, and so does not end " +
			"when the platform has decided.",
		Right:   "One ready or terminal answer, and no resolve after it.",
		Wrong:   "ready with can_submit true is asked for again and again until the phase is serving.",
		Forbids: true,
		Judge: sending(func(c *Call, j *Judgement) {
			for i, r := range c.Resolves {
				if !r.Access().Admits() && !r.terminal() {
					continue
				}
				var more []*Exchange
				for _, next := range c.Resolves[i+1:] {
					if r.Before(next) && !c.rejectedBetween(r, next) {
						more = append(more, next)
					}
				}
				switch {
				case len(more) > 1:
					j.Fail(fmt.Sprintf("resolved %d more times after an answer with %s", len(more), accessWords(r.Access())),
						"no further resolve", r, more[0], more[1])
				case len(more) == 0 && c.Done():
					j.passUnlessAmbiguous(evidence.OpResolveAccess)
				}
			}
		}),
	}
}

// stop returns the terminal answer at which the call ended by itself, nil where it ended otherwise.
func (c *Call) stop() *Exchange {
	if !c.ended() || !c.Failed() || len(c.Resolves) == 0 {
		return nil
	}
	last := c.Resolves[len(c.Resolves)-1]
	if !last.terminal() || c.firstAfter(last, c.Exchanges) != nil || !c.maySend(last) || c.Ambiguous(evidence.OpResolveAccess) {
		return nil
	}
	return last
}

func flow21() Rule {
	return Rule{
		ID: "FLOW-21", Level: Should, Sides: []Side{Client}, Section: "Decision",
		Obligation: "say why it was blocked, with the platform's notice or detail",
		Cause:      "The error has a text of its own and drops what the platform said. A user then sees that it does not work, and not what to do.",
		Right:      "The error holds the title or the message of the notice or, where there is none, the detail.",
		Wrong:      `The error says "runtime blocked" although the notice says that an update is needed.`,
		Judge: sending(func(c *Call, j *Judgement) {
			r := c.stop()
			if r == nil || len(r.Access().Words()) == 0 || c.output() == "" {
				return
			}
			j.Hold(c.showsOneOf(r.Access().Words()), "does not tell the user what the platform said about the block", "the notice or the detail in the error: "+quote(r.Access().Words()[0]), r)
		}),
	}
}

func flow27() Rule {
	return Rule{
		ID: "FLOW-27", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "report a terminal outcome as one: blocked or not ready, with the state in its attribute or text (the platform's own words in its place: a warning)",
		Cause: "A refusal runs into code that is meant for something else: null token and rpc_url fail a validation, or the loop runs into the " +
			"timeout. The state that the platform gave gets lost on the way.",
		Right: "unavailable ends the call with the blocked or not-ready error, whose state is unavailable.",
		Wrong: "unavailable ends the call with an invalid-response error because rpc_url is null.",
		Judge: sending(func(c *Call, j *Judgement) {
			r := c.stop()
			if r == nil {
				return
			}
			state := r.Access().State.Brief()
			if c.Told() && !isKind(c.Err(), evidence.Blocked) && !isKind(c.Err(), evidence.NotReady) {
				j.Fail(c.Ending()+" at a terminal answer ("+state+")", "the blocked or the not-ready error", r)
				return
			}
			if c.output() == "" || strings.TrimSpace(r.State()) == "" {
				return
			}
			const expected = "the state in the error's attribute or text"
			seen := "the error names no state, the platform had said " + state
			attribute := c.Err() != nil && c.Err().State != nil && *c.Err().State == r.State()
			switch {
			case attribute || strings.Contains(plainly(c.output()), plainly(r.State())):
				j.Pass()
			case c.showsOneOf(r.Access().Words()): // the outcome is reported, if not in the platform's term for it
				j.Warn(seen, expected, r)
			default:
				j.Fail(seen, expected, r)
			}
		}),
	}
}

// showsOneOf tells whether the user was shown one of the platform's own words.
func (c *Call) showsOneOf(words []string) bool {
	said := squeeze(c.output())
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, squeeze(w)) })
}

// squeeze takes out what a terminal adds to a text: white space where a line is broken, and frames.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '|' || r >= '─' && r <= '╿' {
			return -1
		}
		return r
	}, s)
}

// plainly makes "update_required", "Update required" and "update-required" one.
func plainly(s string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(squeeze(s)))
}
