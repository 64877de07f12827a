package suites

import (
	"net/http"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// conclusion returns the request of the call's own, its send or the request for its Task, whose whole answer must have
// decided how the call ended: it was the last thing that the call did, the answer reached the client before the call
// ended and well inside its budget, and the caller did not interfere. It is nil where any of this is not certain.
func (c *Call) conclusion() *Exchange {
	if !c.Done() || len(c.Own) == 0 || c.Ambiguous(c.resultOp()) {
		return nil
	}
	x := c.Own[len(c.Own)-1]
	last := c.Exchanges[len(c.Exchanges)-1] == x
	if !last || !x.Whole() || x.BodyRead == nil || *c.Ended < *x.LastFrom || !c.leftAlone(*c.Ended) {
		return nil
	}
	if !c.inTime(x) {
		return nil
	}
	// A connection that is reset right after its answer may take bytes with it that nobody had read yet.
	if c.Run.Clock != evidence.ClockVirtual && strings.Contains(x.Response.Fault, "finish") {
		return nil
	}
	return x
}

// inTime tells whether an answer was whole before any limit of the call came near.
func (c *Call) inTime(x *Exchange) bool {
	if c.Op == evidence.CallWaitTask {
		return c.inWait(*x.LastBy)
	}
	return c.inBudget(*x.LastBy) && c.inPhase(x)
}

// inPhase tells whether no silence of the answer came near the read limit of a pair.
func (c *Call) inPhase(x *Exchange) bool {
	if !c.Budget.Pair {
		return true
	}
	band := c.Run.Tolerance.Late + c.Run.Tolerance.Noise
	return c.Run.NotAfter(evidence.Offset(x.longestSilence())+band, evidence.Offset(c.Budget.Read)) == evidence.Yes
}

// longestSilence is the longest time without a byte from the arrival of the request to the end of the answer.
func (x *Exchange) longestSilence() time.Duration {
	since := x.Arrived
	var longest time.Duration
	for _, w := range x.Response.Writes {
		longest = max(longest, w.At.Sub(since))
		since = w.At
	}
	return max(longest, x.LastBy.Sub(since))
}

// ordinary returns the conclusion of a call in Message mode where it was answered 200.
func (c *Call) ordinary() *Exchange {
	if x := c.conclusion(); x != nil && c.Message() && x.Status() == http.StatusOK {
		return x
	}
	return nil
}

// output is everything that a user is shown of a call that failed: the error's text, or what a command printed.
func (c *Call) output() string {
	switch {
	case c.Err() != nil:
		return c.Err().Text
	case c.Command != nil:
		return string(c.Command.Stdout) + "\n" + string(c.Command.Stderr)
	default:
		return ""
	}
}
