package suites

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func lim01() Rule {
	return Rule{
		ID: "LIM-01", Level: Must, Sides: []Side{Client}, Section: "Message limit", Needs: []string{typedErrors},
		Obligation: "turn 504 + reason MESSAGE_RESPONSE_LIMIT_EXCEEDED + domain mainsequence.ai into its message-limit error",
		Cause:      "The error body is not read because its media type is application/a2a+json and not application/json, or 504 is mapped by status alone.",
		Right:      "The documented 504 ends the call with the message-limit error.",
		Wrong:      "The documented 504 ends the call with the ordinary server error, or with a timeout.",
		Judge: func(c *Call, j *Judgement) {
			x := c.reachedLimit()
			if x == nil || c.Failed() && !c.Told() {
				return
			}
			j.Hold(c.Is(evidence.MessageLimit), "the send was answered with the Message limit, and "+c.Ending(), "the message-limit error", x)
		},
	}
}

func lim02() Rule {
	return Rule{
		ID: "LIM-02", Level: Must, Sides: []Side{Client}, Section: "Message limit", Needs: []string{typedErrors},
		Obligation: "make that error a kind of its ordinary server error",
		Cause:      "The limit error is a class of its own beside the server error, or an error kind that does not unwrap to it.",
		Right:      "Code that catches the ordinary server error catches the message-limit error too.",
		Wrong:      "Only a handler of the message-limit error itself catches it.",
		Judge: func(c *Call, j *Judgement) {
			if x := c.reachedLimit(); x != nil && c.Is(evidence.MessageLimit) {
				j.Hold(slices.Contains(c.Err().Is, evidence.ServerFailed),
					"the message-limit error is not caught as the ordinary server error", "the message-limit error is a kind of the server error", x)
			}
		},
	}
}

func lim03() Rule {
	return Rule{
		ID: "LIM-03", Level: Must, Sides: []Side{Client}, Section: "Message limit", Needs: []string{typedErrors},
		Obligation: "carry limit_seconds from metadata.limitSeconds; where that is absent or no positive number, no number and still this error",
		Cause:      "The 90 seconds are a constant in the client, the text is not converted, or a value that is no number makes the reading of the whole error fail.",
		Right:      `With "limitSeconds": "45" the error's limit_seconds is 45; without metadata it has none.`,
		Wrong:      `With "limitSeconds": "45" it says 90, or with "soon" the call ends with another error.`,
		Judge: func(c *Call, j *Judgement) {
			x := c.reachedLimit()
			if x == nil || !c.Told() {
				return
			}
			limit := x.ErrorInfo().LimitSeconds
			useless := limit.Kind == evidence.LimitAbsent || limit.Kind == evidence.LimitUseless
			given := "metadata.limitSeconds is " + said(limit.Value)
			if !c.Is(evidence.MessageLimit) {
				if useless {
					j.Fail(given+", and "+c.Ending(), "the message-limit error, without a number", x)
				}
				return
			}
			got := c.Err().LimitSeconds
			switch {
			case limit.Kind == evidence.LimitOdd:
				j.Observe(given+", and the error's limit_seconds is "+numberWords(got), x)
			case useless:
				j.Hold(got == nil, given+", and the error's limit_seconds is "+numberWords(got), "no limit_seconds", x)
			default:
				j.Hold(got != nil && *got == limit.Seconds, given+", and the error's limit_seconds is "+numberWords(got),
					"limit_seconds is "+numberWords(&limit.Seconds), x)
			}
		},
	}
}

func numberWords(n *float64) string {
	if n == nil {
		return "absent"
	}
	return fmt.Sprintf("%g", *n)
}

func lim04() Rule {
	return Rule{
		ID: "LIM-04", Level: Must, Sides: []Side{Client}, Section: "Message limit",
		Obligation: "say that the Agent did not answer within the platform's limit and name the response kind task by the client's own argument (response_kind, responseKind, --response-kind)",
		Cause:      "The server's own message is passed on as it is; add the way out in the words of the client.",
		Right:      `"The Agent did not answer within the platform's limit of 90 seconds; for longer work use response_kind="task"."`,
		Wrong:      `"Server error 504", or the server's text alone.`,
		Judge: func(c *Call, j *Judgement) {
			x := c.reachedLimit()
			if x == nil || !c.Failed() || c.output() == "" && c.Err() == nil {
				return
			}
			j.Hold(namesTaskMode(c.output()), "what the user is shown at the Message limit does not name both the limit and the response kind task: "+quoteLong(c.output()),
				`words about the platform's limit, and response_kind="task" (or responseKind, --response-kind task)`, x)
		},
	}
}

// quoteLong writes a text of several sentences in quotes, shortened where it is very long.
func quoteLong(s string) string { return fmt.Sprintf("%q", clip(s, 200)) }

func lim07() Rule {
	return Rule{
		ID: "LIM-07", Level: Must, Sides: []Side{Client}, Section: "Message limit", Needs: []string{typedErrors},
		Obligation: "keep the ordinary server error for every other 502 or 504",
		Cause:      "Any 504 is taken for the limit, or reason and domain are looked for anywhere in the body.",
		Right:      "A 504 whose ErrorInfo has another domain ends the call with the ordinary server error.",
		Wrong:      "A gateway's 504 in HTML ends the call with the message-limit error.",
		Judge: func(c *Call, j *Judgement) {
			x := c.gatewayFailure()
			if x == nil || c.Failed() && !c.Told() {
				return
			}
			accepted := []evidence.Category{evidence.ServerFailed}
			if !x.Whole() {
				// What is cut may as well be told as the broken answer that it is.
				accepted = append(accepted, evidence.Transport, evidence.InvalidResponse)
			}
			j.Hold(c.Is(accepted...), fmt.Sprintf("the send was answered %d, which is not the Message limit, and %s", x.Status(), c.Ending()),
				"the ordinary server error", x)
		},
	}
}

// gatewayFailure returns the send of a direct Message whose answer, whole or cut, ended the call with 502 or 504
// without being the limit.
func (c *Call) gatewayFailure() *Exchange {
	x := c.conclusion()
	if x == nil {
		x = c.brokenAnswer()
	}
	if x == nil || !c.Message() || x.Status() != http.StatusBadGateway && x.Status() != http.StatusGatewayTimeout {
		return nil
	}
	if reading, _ := x.limit(); reading != notLimit {
		return nil
	}
	return x
}

// brokenAnswer returns the request of the call's own whose answer broke off after its head and so ended the call, well
// inside the budget; nil where there is none.
func (c *Call) brokenAnswer() *Exchange {
	if c.Op == evidence.CallWaitTask || !c.Done() || len(c.Own) == 0 || c.Ambiguous(c.resultOp()) {
		return nil
	}
	x := c.Own[len(c.Own)-1]
	broke := x.Status() != 0 && !x.Whole() && x.EndedBy == evidence.EndedByCut && x.Ended != nil
	if !broke || c.Exchanges[len(c.Exchanges)-1] != x || *c.Ended < *x.Ended || !c.inBudget(*x.Ended) || !c.leftAlone(*c.Ended) {
		return nil
	}
	return x
}

func lim10() Rule {
	return Rule{
		ID: "LIM-10", Level: Must, Sides: []Side{Client}, Section: "Message limit",
		Obligation: "find the ErrorInfo among other details, in any order; another media type, a missing @type and a body code that differs are noted",
		Cause:      "Only details[0] is read.",
		Right:      "details holds a RetryInfo and then the ErrorInfo; the call ends with the message-limit error.",
		Wrong:      "details holds a RetryInfo and then the ErrorInfo; the call ends with the ordinary server error.",
		Judge: func(c *Call, j *Judgement) {
			x := c.conclusion()
			if x == nil || !c.Message() || !c.Failed() {
				return
			}
			switch reading, odd := x.limit(); {
			case reading == oddLimit:
				j.Observe("the Message limit was answered, but "+odd+"; "+c.Ending(), x)
			case reading == exactLimit && len(x.ErrorInfo().Details) > 1:
				recognised := namesTaskMode(c.output())
				if c.Told() {
					recognised = c.Is(evidence.MessageLimit)
				}
				j.Hold(recognised, "the Message limit stood among other details, and "+c.Ending(), "the message-limit error", x)
			default:
			}
		},
	}
}

func lim11() Rule {
	return Rule{
		ID: "LIM-11", Level: Must, Sides: []Side{Client}, Section: "Message limit",
		Obligation: "raise the limit error for that 504 to a direct Message only: never by its own clock, for a timeout or a reset",
		Cause:      "The client counts the 90 seconds itself, or maps its own timeout to the limit error.",
		Right:      "The runtime is silent until the budget ends: the call ends with the timeout error.",
		Wrong:      "The runtime is silent: after 90 seconds the call ends with the message-limit error.",
		Judge: func(c *Call, j *Judgement) {
			switch {
			case c.Message():
				judgeMadeUpLimit(c, j)
			case c.Task() || c.Follows():
				noLimitHere(c, j)
			}
		},
	}
}

// judgeMadeUpLimit judges that a direct Message does not end with the limit error where no answer gave it.
func judgeMadeUpLimit(c *Call, j *Judgement) {
	if !c.Failed() || c.Ambiguous(evidence.OpSendMessage) || c.firstLimit() != nil || c.gatewayFailure() != nil {
		return // LIM-01, LIM-07, LIM-10
	}
	x := c.otherFailure()
	switch {
	case x == nil:
	case c.Told():
		j.Hold(!c.Is(evidence.MessageLimit), "no answer to a send said so, and "+c.Ending(), "another error: the limit is the platform's to say", x)
	case x.Whole(): // what a command prints may be the server's own words
	case namesTaskMode(c.output()):
		j.Unclear("without an answer that says so the output speaks of a limit and of the response kind task", x)
	default:
		j.Pass()
	}
}

// noLimitHere judges that a call without a direct Message does not end with the limit error, its gateway errors aside:
// those are LIM-08's.
func noLimitHere(c *Call, j *Judgement) {
	if !c.Told() || len(c.Own) == 0 || c.Ambiguous(c.resultOp()) {
		return
	}
	x := c.Own[len(c.Own)-1]
	if x.Status() == http.StatusBadGateway || x.Status() == http.StatusGatewayTimeout {
		return
	}
	j.Hold(!c.Is(evidence.MessageLimit), "no direct Message was sent, and "+c.Ending(), "another error: the limit is that of a direct Message", x)
}

// otherFailure returns the last send of the call or, where there was none, the last resolve if that failed; nil for a
// call that ended without either.
func (c *Call) otherFailure() *Exchange {
	if len(c.Sends) > 0 {
		return c.Sends[len(c.Sends)-1]
	}
	if len(c.Resolves) == 0 {
		return nil
	}
	x := c.Resolves[len(c.Resolves)-1]
	if x.Whole() && x.Status() == http.StatusOK {
		return nil
	}
	return x
}

func lim12() Rule {
	return Rule{
		ID: "LIM-12", Level: Must, Sides: []Side{Client}, Section: "Message limit", Needs: []string{typedErrors},
		Obligation: "let a caller tell the limit error from the ordinary server error by name: in one run the two never bear the same name",
		Cause:      "One error class serves both, told apart by its text alone.",
		Right:      "The limit ends one call with A2AMessageLimitExceededError, a plain 504 another with ServerError.",
		Wrong:      "Both calls end with ServerError.",
		Judge: func(c *Call, j *Judgement) {
			x := c.reachedLimit()
			if x == nil || c.Err() == nil {
				return
			}
			for _, other := range c.Run.Calls {
				y := other.gatewayFailure()
				if y == nil || other.Err() == nil {
					continue
				}
				if c.Err().Name == "" && other.Err().Name == "" {
					j.Unclear("neither error has a name", x, y)
					continue
				}
				j.Hold(c.Err().Name != other.Err().Name,
					fmt.Sprintf("the error at the Message limit and that of call %d at a plain %d are both named %s", other.Number, y.Status(), quote(c.Err().Name)),
					"two names", x, y)
			}
		},
	}
}
