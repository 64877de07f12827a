package suites

import (
	"fmt"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func lim05() Rule {
	return Rule{
		ID: "LIM-05", Level: Must, Sides: []Side{Client}, Section: "Message limit", Forbids: true,
		Obligation: "not retry it",
		Cause:      "A retry layer treats 504 as a passing fault.",
		Right:      "After the 504 of the limit nothing more is sent.",
		Wrong:      "After the 504 of the limit the same message is sent again.",
		Judge: func(c *Call, j *Judgement) {
			x := c.firstLimit()
			if x == nil {
				return
			}
			for _, y := range append(c.Following(x), c.Maybe...) {
				if y.Op != evidence.OpSendMessage || y.Arrived < *x.LastFrom {
					continue
				}
				if len(y.Calls) > 1 {
					j.Unclear("a later send may belong to this call or to another", x, y)
					continue
				}
				j.Fail("the message was sent again "+inWords(y.Arrived.Sub(*x.LastFrom))+" after the 504 of the Message limit", "nothing more is sent", x, y)
			}
			c.passWhenOver(j, x)
		},
	}
}

// firstLimit returns the first send of a direct Message that was answered with the Message limit.
func (c *Call) firstLimit() *Exchange {
	if !c.Message() {
		return nil
	}
	for _, x := range c.Sends {
		if reading, _ := x.limit(); reading != notLimit {
			return x
		}
	}
	return nil
}

// passWhenOver passes a prohibition that was watched until after the end of the call.
func (c *Call) passWhenOver(j *Judgement, at ...*Exchange) {
	if c.Done() && c.Until > *c.Ended {
		j.Pass()
		return
	}
	j.Unclear("the call was not watched beyond its end", at...)
}

func lim06() Rule {
	return Rule{
		ID: "LIM-06", Level: Must, Sides: []Side{Client}, Section: "Message limit", Forbids: true,
		Obligation: "not turn it into a Task: no discovery, no Task request",
		Cause:      "The client falls back to Task mode by itself when the limit is reached.",
		Right:      "After the 504 of the limit the call ends with an error.",
		Wrong:      "After the 504 of the limit the client asks discovery for Task support and sends with responseKind task.",
		Judge: func(c *Call, j *Judgement) {
			x := c.firstLimit()
			if x == nil {
				return
			}
			for _, y := range c.Following(x) {
				if what := taskRequest(y); what != "" {
					j.Fail("after the 504 of the Message limit came "+what, "no discovery and no Task request", x, y)
				}
			}
			if c.Done() && c.Outcome.Kind == evidence.OutcomeTask {
				j.Fail("the call returned a Task after the 504 of the Message limit", "an error", x)
			}
			c.passWhenOver(j, x)
		},
	}
}

// taskRequest says what a request has to do with Tasks, empty for nothing.
func taskRequest(x *Exchange) string {
	switch x.Op {
	case evidence.OpGetSession, evidence.OpGetAgent:
		return "discovery (" + x.Request.Target + ")"
	case evidence.OpGetTask, evidence.OpCancelTask:
		return "a Task request (" + x.Request.Target + ")"
	case evidence.OpSendMessage:
		if x.Body().ResponseKind.TextEquals("task") {
			return "a send with responseKind task"
		}
	default:
		if strings.Contains(x.Request.Target, "/api/a2a/v1/tasks") { // a list of them, or a stream
			return "a Task request (" + x.Request.Target + ")"
		}
	}
	return ""
}

// The platform's Message limit, and how late an answer is that puts the waiting for it to the test.
const (
	messageLimit = 90 * time.Second
	lateAnswer   = 80 * time.Second
)

func lim09() Rule {
	return Rule{
		ID: "LIM-09", Level: Must, Sides: []Side{Client}, Section: "Message limit",
		Obligation: "keep waiting for the answer up to the limit when its own budget allows: an answer after 89 s arrives",
		Cause:      "A read timeout of the HTTP library, or of the client itself, is shorter than the budget.",
		Right:      "The Agent answers after 89 s; with a timeout of 120 s the call returns the answer.",
		Wrong:      "With a timeout of 120 s the call ends after 60 s although the Agent would still answer.",
		Judge: func(c *Call, j *Judgement) {
			if !c.Message() || !c.Done() || len(c.Sends) == 0 || !c.leftAlone(*c.Ended) {
				return
			}
			x := c.Sends[len(c.Sends)-1]
			roomy := c.inBudget(x.Arrived.Add(messageLimit)) && (!c.Budget.Pair || c.Budget.Read >= messageLimit)
			waited := c.Ended.Sub(x.Arrived)
			switch {
			case !roomy:
			case c.ordinary() == x && len(x.Answer().Faults(c.Session)) == 0 && x.HeadFrom.Sub(x.Arrived) >= lateAnswer:
				j.Hold(c.Returned(), fmt.Sprintf("a good answer came after %s, and %s", inWords(x.HeadFrom.Sub(x.Arrived)), c.Ending()), "the answer is returned", x)
			case x.Status() == 0 && x.EndedBy == evidence.EndedByClient && c.Failed():
				j.HoldIf(c.Run.NotBefore(*c.Ended, x.Arrived.Add(messageLimit)),
					fmt.Sprintf("the call gave up %s after its send, inside its budget", inWords(waited)), "the answer is awaited for 90s, the Message limit", x)
			default:
			}
		},
	}
}
