package suites

import (
	"strconv"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// words says what was waited for, to stand after "while" or "with".
func (w wait) words() string {
	switch w.stage {
	case connecting:
		return "a connection to the " + string(w.side) + " that never opened"
	case uploading:
		return "a server that did not read the " + opWords(w.x.Op) + " on"
	case silent:
		return "no answer to the " + opWords(w.x.Op)
	case heading:
		return "the head of the answer to the " + opWords(w.x.Op) + " not whole"
	case reading:
		return "the body of the answer " + strconv.Itoa(w.x.Status()) + " to the " + opWords(w.x.Op) + " not whole"
	case directed:
		return "the platform's direction to wait " + inWords(w.direction.Wait)
	default:
		return "nothing open"
	}
}

// opWords names an operation as a sentence does.
func opWords(op evidence.Op) string {
	switch op {
	case evidence.OpResolveAccess:
		return "resolve"
	case evidence.OpSendMessage:
		return "send"
	case evidence.OpRenewToken:
		return "renewal of the platform token"
	case evidence.OpGetSession, evidence.OpGetAgent:
		return "discovery"
	case evidence.OpGetTask:
		return "get of the Task"
	case evidence.OpCancelTask:
		return "cancel of the Task"
	default:
		return "request"
	}
}

// budgetWords names the call's budget.
func (c *Call) budgetWords() string {
	b := c.Budget
	switch {
	case b.Default:
		return "default budget of (5s, 900s)"
	case b.Pair:
		return "budget of (" + inWords(b.Connect) + ", " + inWords(b.Read) + ")"
	default:
		return "budget of " + inWords(b.Total)
	}
}

// lastedWords says when the call ended, or that it had not.
func (c *Call) lastedWords() string {
	at := inWords(c.lasted().Sub(c.Started))
	if c.Ended == nil {
		return "the call was still going on " + at + " after its start"
	}
	return "the call ended " + at + " after its start"
}

// sinceRejection says how long the call went on after its credentials were rejected: that it is the whole budget shows
// at a glance that the budget began again.
func (c *Call) sinceRejection() string {
	rejected := c.firstRejection()
	if rejected == nil || *rejected.HeadFrom >= c.lasted() {
		return ""
	}
	return ", " + inWords(c.lasted().Sub(*rejected.HeadFrom)) + " after " + rejected.rejection()
}
