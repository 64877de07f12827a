package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func req01() Rule {
	return Rule{
		ID: "REQ-01", Level: Must, Sides: []Side{Client}, Section: "Decision 1", Forbids: true,
		Obligation: "have the whole body, messageId included, before it asks for access: a call that ends because of its own arguments makes no request to either server (discovery alone: a warning)",
		Cause:      "Files are opened, or arguments checked, only after access was resolved; build the whole body first.",
		Right:      "A file cannot be read: the call ends with an error, and no server saw a request.",
		Wrong:      "A file cannot be read: the platform is asked for access, and then the call ends with an error.",
		Judge: func(c *Call, j *Judgement) {
			fault := c.badInput()
			if c.Op != evidence.CallSend || fault == "" {
				return
			}
			requests := c.requests()
			switch {
			case len(c.Sends) > 0:
				j.Observe("a call with "+fault+" was sent", c.Sends[0])
			case len(requests) > 0 && c.Failed() && c.failedByInput():
				seen := fmt.Sprintf("a call with %s asked for %s before it ended with an error", fault, requests[0].Request.Target)
				const expected = "an error, and no request to either server"
				if slices.ContainsFunc(requests, func(x *Exchange) bool { return !x.discovers() }) {
					j.Fail(seen, expected, requests...)
				} else { // the ADR puts the body before access; that it comes before discovery too is advice
					j.Warn(seen, expected, requests...)
				}
			case len(requests) > 0 || !c.Failed():
			case len(c.Maybe) > 0:
				j.Unclear("some request may belong to this call or to another", c.Maybe...)
			default:
				j.Pass()
			}
		},
	}
}

// largestFile is the size in bytes above which a file counts as too large for a client to take.
const largestFile = 15 << 20

// badInput says what is wrong with the arguments of a call, so that a client may or must refuse it; empty for nothing.
func (c *Call) badInput() string {
	for i, f := range c.Files {
		switch {
		case !f.Readable:
			return fmt.Sprintf("a file (%d) that cannot be read", i+1)
		case f.Size > largestFile:
			return fmt.Sprintf("a file (%d) of %d bytes", i+1, f.Size)
		}
	}
	switch {
	case c.blankMessage():
		return "a blank message"
	case c.tooFewAttempts():
		return "json_repair_attempts below 1"
	default:
		return ""
	}
}

// blankMessage tells whether the caller gave a message of nothing but white space.
func (c *Call) blankMessage() bool {
	text, ok := c.Input.Message.Get()
	return ok && strings.TrimSpace(text) == ""
}

// tooFewAttempts tells whether the caller gave a number of repair attempts below one.
func (c *Call) tooFewAttempts() bool {
	f, _ := c.Input.JSONRepairAttempts.Or("1").Float64() // one that is too large for it is infinite
	return f < 1
}

// failedByInput tells whether a call that made requests and no send failed because of its arguments and of nothing
// else: a file that cannot be read never can be sent; for the rest the client says so, or the last answer admitted and
// the runtime was there to be sent to.
func (c *Call) failedByInput() bool {
	if slices.ContainsFunc(c.Files, func(f evidence.InputFile) bool { return !f.Readable }) {
		return true
	}
	if c.Told() {
		return c.Is(evidence.InvalidArgument)
	}
	if len(c.Resolves) == 0 || c.Cancelled != nil || c.Signal != nil || c.OffScript != nil {
		return false
	}
	access := c.Resolves[len(c.Resolves)-1].Access()
	return access.Usable() && c.Run.listens(originOf(access.RPCURL.Text)) && c.inBudget(*c.Ended)
}

// listens tells whether a server of that origin takes connections.
func (r *Run) listens(origin string) bool {
	return slices.ContainsFunc(r.Endpoints, func(e evidence.Endpoint) bool {
		return e.Origin == origin && e.Accepts == evidence.AcceptsYes
	})
}

// inBudget tells whether a moment lies before the end of the call's budget, by more than the clock may mislead.
func (c *Call) inBudget(t evidence.Offset) bool {
	band := c.Run.Tolerance.Late + c.Run.Tolerance.Noise
	return c.Budget.Usable && c.Run.NotAfter(t+band, c.Budget.End) == evidence.Yes
}

func req21() Rule {
	return Rule{
		ID: "REQ-21", Level: Should, Sides: []Side{Client}, Section: "Request Shape", Forbids: true,
		Obligation: "refuse a response kind other than message and task before any request",
		Cause:      "The response kind is passed on as the caller wrote it.",
		Right:      `A send with the response kind "stream" ends with an error, and no server saw a request.`,
		Wrong:      `A send with the response kind "stream" goes out with "responseKind": "stream".`,
		Judge: func(c *Call, j *Judgement) {
			if c.Op != evidence.CallSend || c.knownKind() {
				return
			}
			kind, requests := c.Kind(), c.requests()
			switch {
			case len(requests) > 0:
				j.Fail(fmt.Sprintf("with the response kind %s the client made %d requests", quote(kind), len(requests)), "an error, and no request", requests...)
			case c.Failed() && len(c.Maybe) == 0:
				j.Pass()
			case c.Returned():
				j.Fail("with the response kind "+quote(kind)+" the call returned a result", "an error, and no request")
			}
		},
	}
}
