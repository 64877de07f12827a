package suites

import (
	"fmt"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func req24() Rule {
	return Rule{
		ID: "REQ-24", Level: Must, Sides: []Side{Client}, Section: "Decision 4", Forbids: true,
		Obligation: "send once per call: a second message:send only after a 401 or 403 answered the first, never two open at once, none with another call's message",
		Cause:      "A retry or hedging layer of the HTTP library replays the POST, or calls that run together share a request object.",
		Right:      "One call makes one message:send; after a 401 it makes one more.",
		Wrong:      "A second message:send arrives while the first has no answer yet.",
		Judge: func(c *Call, j *Judgement) {
			if c.Op != evidence.CallSend || len(c.Sends) == 0 {
				return
			}
			for i, x := range c.Sends {
				if other := c.foreignMessage(x); other != 0 {
					j.Fail(fmt.Sprintf("%s carries the message of call %d", c.at(x), other), "the message of its own call", x)
				}
				if i > 0 {
					judgeSecondSend(c, c.Sends[i-1], x, j)
				}
			}
			if c.Done() && !c.Ambiguous(evidence.OpSendMessage) {
				j.Pass()
			}
		},
	}
}

// judgeSecondSend compares a send with the one before it. In Task mode, where a Task may be recovered, a repetition
// is held less strictly (AUTH-08, AUTH-12).
func judgeSecondSend(c *Call, prev, x *Exchange, j *Judgement) {
	answered := prev.HeadFrom != nil && c.Run.NotBefore(x.Arrived, *prev.HeadFrom) != evidence.No
	open := !answered && (prev.Ended == nil || c.Run.NotBefore(x.Arrived, *prev.Ended) == evidence.No)
	expected := "a second message:send only after a 401 or 403 answered the first"
	after := inWords(x.Arrived.Sub(prev.Arrived))
	switch {
	case answered && prev.Rejected():
	case open:
		j.Fail("another message:send arrived "+after+" after the one before it, which had no answer yet", expected, prev, x)
	case answered && c.Task():
		j.Warn(fmt.Sprintf("the message was sent again after an answer of %d", prev.Status()), expected, prev, x)
	case answered:
		j.Fail(fmt.Sprintf("the message was sent again after an answer of %d", prev.Status()), expected, prev, x)
	case c.Task() && prev.EndedBy == evidence.EndedByCut:
		j.Observe("the message was sent again after the connection broke", prev, x)
	default:
		j.Fail("the message was sent again "+after+" after a send that got no answer", expected, prev, x)
	}
}

// foreignMessage returns the number of the call whose message a send carries in place of its own, 0 for none: by the
// id that the other call was given, or by a text that is only the other's.
func (c *Call) foreignMessage(x *Exchange) int {
	own, _ := c.Input.Message.Get()
	ownID, _ := c.givenID()
	body := x.Body()
	for _, other := range c.Run.Calls {
		// A call that had not begun can have lent nothing: its id may be the one that this call generated.
		if other.Op != evidence.CallSend || other.Started > x.Arrived {
			continue
		}
		id, given := other.givenID()
		if given && id != ownID && body.MessageID.TextEquals(id) {
			return other.Number
		}
		text, ok := other.words()
		if ok && text != own && len(body.Parts) > 0 && body.Parts[0].Value.Member("text").TextEquals(text) {
			return other.Number
		}
	}
	return 0
}
