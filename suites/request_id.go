package suites

import (
	"fmt"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// givenID is the caller's own message id, and whether there is a usable one: a blank one counts as none.
func (c *Call) givenID() (string, bool) {
	id, ok := c.Input.MessageID.Get()
	return id, ok && strings.TrimSpace(id) != ""
}

func req09() Rule {
	return Rule{
		ID: "REQ-09", Level: Must, Sides: []Side{Client}, Section: "CLI Contract",
		Obligation: "send a caller's messageId unchanged",
		Cause:      "The client always makes its own id, or adds a prefix, trims, or changes letter case.",
		Right:      `Given "msg-client-uuid-1" the body has "messageId": "msg-client-uuid-1".`,
		Wrong:      "The body has an id that the caller never gave.",
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			id, ok := c.givenID()
			if !ok {
				return
			}
			seen := x.Body().MessageID
			if seen.TextEquals(id) {
				j.Pass()
				return
			}
			what := "the messageId " + said(seen) + ", another than the caller gave"
			if seen.Kind() != evidence.KindString {
				what = "a messageId that is " + seen.Kind().String()
			}
			j.Fail(c.at(x)+" has "+what, "message.messageId is "+quote(id), x)
		}),
	}
}

func req10() Rule {
	return Rule{
		ID: "REQ-10", Level: Must, Sides: []Side{Client}, Section: "Decision 1",
		Obligation: "generate a non-blank messageId when none is given, different for every call; a blank one is replaced or refused, never sent",
		Cause:      "The id is a constant, a counter that starts anew in each instance, a hash of the text, or a random source with a fixed seed.",
		Right:      "Two sends of the same text go out with two different ids.",
		Wrong:      "Two sends of the same text share an id, or a blank id is sent as it was given.",
		Judge: func(c *Call, j *Judgement) {
			if _, given := c.givenID(); given || c.Op != evidence.CallSend {
				return
			}
			if len(c.Sends) == 0 {
				if _, blank := c.Input.MessageID.Get(); blank && c.Failed() && len(c.requests()) == 0 {
					j.Pass() // refused
				}
				return
			}
			eachBody(judgeGeneratedID)(c, j)
		},
	}
}

func judgeGeneratedID(c *Call, x *Exchange, j *Judgement) {
	id, ok := x.Body().MessageID.Text()
	if !ok || strings.TrimSpace(id) == "" {
		what := "blank"
		if !ok {
			what = x.Body().MessageID.Kind().String()
		}
		j.Fail(c.at(x)+" has a messageId that is "+what, "message.messageId is text that is not blank", x)
		return
	}
	for _, other := range c.Run.Calls {
		if _, given := other.givenID(); given || other.Number >= c.Number {
			continue
		}
		for _, y := range other.Sends {
			if y.Body().MessageID.TextEquals(id) {
				j.Fail(fmt.Sprintf("%s has the messageId that call %d had generated for itself", c.at(x), other.Number),
					"an id that no other call has", y, x)
				return
			}
		}
	}
	j.Pass()
}
