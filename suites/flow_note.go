package suites

import (
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func flow30() Rule {
	return Rule{
		ID: "FLOW-30", Level: Observe, Sides: []Side{Client}, Section: "Decision",
		Obligation: "read an unusual answer in one way or the other; which one is noted",
		Cause:      "The contract leaves these open: can_submit 1 or \"true\", retry_after_ms as text, fraction or beyond 2^53, mode unavailable with can_submit true, no coding_agent_service_uid.",
		Right:      "Either: the contract does not decide.",
		Wrong:      "Nothing here is wrong.",
		Judge: sending(func(c *Call, j *Judgement) {
			for _, r := range c.Resolves {
				if found := unusual(r); len(found) > 0 {
					if next := c.reaction(r); next != "" {
						j.Observe(strings.Join(found, ", ")+": "+next, r)
					}
				}
			}
		}),
	}
}

func unusual(r *Exchange) []string {
	a := r.Access()
	if !a.Answered {
		return nil
	}
	var found []string
	if a.Admits() {
		found = peculiar(a)
	}
	if r.truthy() {
		found = append(found, "can_submit "+a.CanSubmit.Brief())
	}
	switch kind := a.RetryAfter.Kind; kind {
	case evidence.DirectionText, evidence.DirectionFraction, evidence.DirectionHuge:
		if a.Transient() {
			found = append(found, "retry_after_ms "+a.RetryAfter.Value.Brief())
		}
	default:
	}
	return found
}

// reaction says what a call did after an answer; empty where that is not known.
func (c *Call) reaction(r *Exchange) string {
	send, resolve := c.sendAfter(r), c.firstAfter(r, c.Resolves)
	switch {
	case send != nil && (resolve == nil || send.Seq < resolve.Seq):
		return "the client sent"
	case resolve != nil:
		return "the client resolved again " + inWords(resolve.Arrived.Sub(*r.LastBy)) + " later"
	case c.ended():
		return c.Ending()
	default:
		return ""
	}
}
