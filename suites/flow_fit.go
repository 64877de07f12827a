package suites

import (
	"fmt"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func flow11() Rule {
	return Rule{
		ID: "FLOW-11", Level: Must, Sides: []Side{Client}, Section: "amendments, Decision 3, Timeouts",
		Obligation: "end with its not-ready error, and send nothing, when the directed re-resolution no longer fits the budget, in send, get and cancel alike",
		Cause: "The client starts a wait that its budget cannot hold and ends with a timeout, or sends although it was not admitted. " +
			"Compare retry_after_ms with what is left of the budget before the wait begins.",
		Right:   "2s of budget are left and the answer says waking, 5000: the call ends with the not-ready error.",
		Wrong:   "The call waits the 2s out and ends with a timeout error.",
		Needs:   []string{"typed_errors"},
		Forbids: true,
		Judge: budgeted(func(c *Call, j *Judgement) {
			for _, d := range c.toFollow() {
				if c.fits(d) == evidence.No {
					c.judgeUnfit(d, j)
				}
			}
		}),
	}
}

func (c *Call) judgeUnfit(d Direction, j *Judgement) {
	const expected = "the not-ready error, and no request to the runtime"
	said := fmt.Sprintf("an answer that said to wait %s with %s of the budget left", inWords(d.Wait), inWords(max(0, c.Budget.End.Sub(*d.Answer.LastBy))))
	for _, x := range c.To(evidence.SideRuntime) {
		switch {
		case d.Answer.Before(x):
			j.Fail("asked the runtime after "+said, expected, d.Answer, x)
			return
		case len(c.Rejections()) == 0:
			j.Fail("had asked the runtime before "+said, expected, x, d.Answer)
			return
		}
	}
	switch {
	case !c.ended():
	case c.Returned():
		j.Fail(c.Ending()+" after "+said, expected, d.Answer)
	case c.Told() && !isKind(c.Err(), evidence.NotReady):
		j.Fail(c.Ending()+" after "+said, expected, d.Answer)
	case c.Told() || c.Outcome.Kind == evidence.OutcomePrinted:
		j.passUnlessAmbiguous(evidence.OpSendMessage)
	}
}

func flow12() Rule {
	return Rule{
		ID: "FLOW-12", Level: Must, Sides: []Side{Client}, Section: "Decision 3, Timeouts",
		Obligation: "end so when the answer shows that the re-resolution does not fit, not after it has slept the budget out",
		Cause:      "The wait is cut to what is left of the budget in place of being refused: compare first, then wait.",
		Right:      "20s of budget are left and the answer says waking, 60000: the call ends at once.",
		Wrong:      "The call ends 20s later.",
		Judge: budgeted(func(c *Call, j *Judgement) {
			for _, d := range c.toFollow() {
				longest := c.promptly()
				if c.fits(d) != evidence.No || d.Next != nil || !c.ended() || !c.Failed() || d.Answer.LastBy.Add(longest) >= c.Budget.End {
					continue
				}
				j.HoldIf(c.Run.NotAfter(*c.Ended, d.Answer.LastBy.Add(longest)),
					fmt.Sprintf("ended only %s after the answer that said to wait %s, which did not fit", inWords(c.Ended.Sub(*d.Answer.LastBy)), inWords(d.Wait)),
					"the end within "+inWords(longest)+" of that answer", d.Answer)
			}
		}),
	}
}

// promptly is how long a call may take to end once nothing is left to do. A command has its interpreter to stop.
func (c *Call) promptly() time.Duration {
	if c.byCommand() {
		return 3 * time.Second
	}
	return time.Second
}

func flow13() Rule {
	return Rule{
		ID: "FLOW-13", Level: Must, Sides: []Side{Client}, Section: "Decision 3",
		Obligation: "not give up as not ready while the directed re-resolution still comes before the deadline",
		Cause: "The client takes milliseconds for seconds, or keeps a reserve: it wants room for the resolve's answer, or for the send, before it waits. " +
			"The comparison is answer plus retry_after_ms with the end of the total budget, nothing more.",
		Right: "1.6s of budget are left and the answer says waking, 1500: the client resolves once more.",
		Wrong: "1.6s of budget are left and the answer says waking, 1500: the call ends with the not-ready error.",
		Judge: sending(func(c *Call, j *Judgement) {
			for _, d := range c.toFollow() {
				switch {
				case c.fits(d) != evidence.Yes:
				case d.Next != nil:
					j.Pass()
				case c.Ambiguous(evidence.OpResolveAccess), !c.ended(), !c.Is(evidence.NotReady):
				default:
					j.Fail(fmt.Sprintf("gave up as not ready although the answer said to wait %s and %s of the budget were left",
						inWords(d.Wait), inWords(c.Budget.End.Sub(*d.Answer.LastBy))), "another resolve: it comes before the deadline", d.Answer)
				}
			}
		}),
	}
}

func flow25() Rule {
	return Rule{
		ID: "FLOW-25", Level: Observe, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "say nothing untrue about what was sent when it ends as not ready after a rejected send",
		Cause:      "The text of the not-ready error was written for the case that nothing was sent yet.",
		Right:      "The error says that the runtime is not ready, and that a send was rejected.",
		Wrong:      "The error says that nothing was sent, after a send that was answered 401.",
		Judge: sending(func(c *Call, j *Judgement) {
			if !c.ended() || !c.Is(evidence.NotReady) || len(c.Rejections()) == 0 {
				return
			}
			text := strings.ToLower(c.Err().Text)
			for _, claim := range []string{"nothing was sent", "nothing has been sent", "not sent", "not been sent", "nothing sent", "no message was sent"} {
				if strings.Contains(text, claim) {
					j.Observe("the not-ready error after a rejected send says that nothing was sent", c.Rejections()[0])
					return
				}
			}
			j.Observe("the not-ready error after a rejected send does not claim that nothing was sent", c.Rejections()[0])
		}),
	}
}
