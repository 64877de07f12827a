package suites

import (
	"fmt"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func resp15() Rule {
	return Rule{
		ID: "RESP-15", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "return as a result only what a complete answer to this call's own send said (get, cancel, wait: own request): nothing remembered, made up, or swapped between calls that run together",
		Cause:      "A shared buffer or a response cache serves several calls, or an answer that broke off is filled up with defaults.",
		Right:      "Two calls that run together each return the answer to their own send.",
		Wrong:      "The connection breaks in the middle of the answer, and the call returns what had come so far.",
		Judge: func(c *Call, j *Judgement) {
			op := c.resultOp()
			if !c.Returned() || op == "" {
				return
			}
			own := c.answeredWith(op)
			switch {
			case len(own) == 0 && c.Ambiguous(op):
				j.Unclear("the answer that was returned may belong to this call or to another")
			case len(own) == 0:
				j.Fail("the call returned a result, and no whole answer to its own request had come", "a result only from a whole answer to this call's own request", c.Exchanges...)
			default:
				judgeOwnership(c, own, j)
			}
		},
	}
}

// resultOp is the operation whose answers a call's result is made of.
func (c *Call) resultOp() evidence.Op {
	switch c.Op {
	case evidence.CallSend:
		return evidence.OpSendMessage
	case evidence.CallGetTask, evidence.CallWaitTask:
		return evidence.OpGetTask
	case evidence.CallCancelTask:
		return evidence.OpCancelTask
	default:
		return ""
	}
}

// answeredWith returns the exchanges of the call whose whole 2xx answer had come before the call ended.
func (c *Call) answeredWith(op evidence.Op) []*Exchange {
	var out []*Exchange
	for _, x := range c.Exchanges {
		good := x.Status() >= 200 && x.Status() <= 299
		if x.Op == op && good && x.Whole() && *x.LastFrom <= *c.Ended {
			out = append(out, x)
		}
	}
	return out
}

// judgeOwnership asks whether the result bears the id of one of the call's own answers, and is not word for word that
// of another call.
func judgeOwnership(c *Call, own []*Exchange, j *Judgement) {
	result := c.result()
	if result == nil {
		j.Pass() // printed in a form of its own; that there was an answer is all that can be told
		return
	}
	bears := func(x *Exchange) bool {
		return resultOf(x) != nil && result.Kind() == evidence.KindObject && sameID(result, resultOf(x))
	}
	equal := func(x *Exchange) bool { return evidence.Equal(result, resultOf(x)) }
	if slices.ContainsFunc(own, equal) {
		j.Pass()
		return
	}
	for _, y := range c.Run.All {
		if !slices.Contains(y.Calls, c.Number) && y.Op == c.resultOp() && y.Whole() && equal(y) {
			j.Fail(fmt.Sprintf("the call returned what was answered to call %d", slices.Max(append([]int{0}, y.Calls...))), "the answer to its own request", append(slices.Clip(own), y)...)
			return
		}
	}
	j.Hold(slices.ContainsFunc(own, bears), "the result is none that an answer to the call's own request held, by its id", "the answer to its own request", own...)
}

// result is what the call returned, nil for what a command printed in a form of its own.
func (c *Call) result() *evidence.Value {
	raw := c.Outcome.Message
	if c.Outcome.Kind == evidence.OutcomeTask {
		raw = c.Outcome.Task
	}
	if c.Outcome.Kind == evidence.OutcomePrinted {
		return printedMessage(c.Command.Stdout)
	}
	tree, _ := evidence.ReadJSON(raw)
	return tree
}

// resultOf is the Message or Task that an answer holds, nil where it holds none.
func resultOf(x *Exchange) *evidence.Value {
	if x.Op != evidence.OpSendMessage {
		task, _ := evidence.ReadTask(x.Exchange)
		if body := x.Answer().Body; task == nil && body.Member("id") != nil {
			return body // a Task with no more than its id; what a client makes of it is its own choice
		}
		return task
	}
	if m := x.Answer().Message; m != nil {
		return m
	}
	return x.Answer().Task
}

// sameID tells whether a result bears the id of an answer. Where either has none the result is not told apart by it.
func sameID(result, answer *evidence.Value) bool {
	for _, name := range []string{"messageId", "id"} {
		if a, ok := answer.Member(name).Text(); ok {
			got := result.Member(name)
			return got == nil || got.TextEquals(a)
		}
	}
	return true
}
