package suites

import (
	"strconv"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func auth07() Rule {
	return Rule{
		ID: "AUTH-07", Level: Must, Sides: []Side{Client}, Section: "Decision 5", Forbids: true,
		Obligation: "stop after the second rejection with an error, and never send a third time",
		Cause:      "The refresh is a loop, or calls the send anew, so that the second rejection starts it again.",
		Right:      "send, 401, resolve, send, 403, and the call ends with an error.",
		Wrong:      "send, 401, resolve, send, 401, resolve, and a third send.",
		Judge:      sending(stopsAfterSecond),
	}
}

func stopsAfterSecond(c *Call, j *Judgement) {
	rejections := c.Rejections()
	if len(rejections) < 2 {
		return
	}
	second := rejections[1]
	for _, x := range c.Sends {
		if x.Seq > second.Seq {
			j.Fail("the call sent again after its second rejection", "an error, and no more sends", rejections[0], second, x)
			return
		}
	}
	for _, x := range c.Resolves {
		if x.Arrived >= *second.HeadFrom {
			j.Warn("the call resolved again after its second rejection", "an error, and nothing more", second, x)
		}
	}
	switch {
	case c.Returned():
		j.Fail(c.Ending()+" after its second rejection", "an error", rejections[0], second)
	case !c.ended():
		return
	default:
		passUnlessUnwatched(c, j, second)
	}
}

func auth08() Rule {
	return Rule{
		ID: "AUTH-08", Level: Must, Sides: []Side{Client}, Section: "Decision 5", Forbids: true,
		Obligation: "not send a Message again on any status but 401 and 403, with or without Retry-After; in Task mode a warning, the repeated GET of a Task is noted",
		Cause:      "A retry layer of the HTTP library repeats the POST on 429 or 503, or follows a redirect with it.",
		Right:      "send, 503 with Retry-After, and the call ends with a server error.",
		Wrong:      "send, 503, and 0.5s later the same send again.",
		Judge:      keepsToOneSend,
	}
}

func keepsToOneSend(c *Call, j *Judgement) {
	if c.Follows() {
		noteRepeatedGets(c, j)
		return
	}
	for i, x := range c.Sends {
		if x.Status() == 0 || x.Rejected() || !x.Whole() {
			continue
		}
		status := strconv.Itoa(x.Status())
		if i+1 == len(c.Sends) {
			if c.ended() {
				passUnlessUnwatched(c, j, x)
			}
			continue
		}
		next := c.Sends[i+1]
		say := j.Fail
		if !c.Message() {
			say = j.Warn
		}
		say("the call sent again "+inWords(next.Arrived.Sub(*x.LastBy))+" after its send was answered "+status, "no other send after a "+status, x, next)
		return
	}
}

// noteRepeatedGets notes a Task that was asked for again because the answer before was an error.
func noteRepeatedGets(c *Call, j *Judgement) {
	if c.Op == evidence.CallCancelTask {
		return
	}
	for i, x := range c.Own {
		if i+1 < len(c.Own) && x.Whole() && x.Status() >= 300 && !x.Rejected() {
			j.Observe("the Task was asked for again after an answer of "+strconv.Itoa(x.Status()), x, c.Own[i+1])
		}
	}
}

func auth12() Rule {
	return Rule{
		ID: "AUTH-12", Level: Must, Sides: []Side{Client}, Section: "Timeouts", Forbids: true,
		Obligation: "not send again after a reset, a cut answer or a timeout, once the request has reached the runtime; in Task mode only the timeout binds",
		Cause:      "The transport takes a lost connection for one that was never used and repeats the POST.",
		Right:      "send, the connection is reset, and the call ends with a transport error.",
		Wrong:      "send, the connection is reset, and the same send comes over a new connection.",
		Judge:      notAfterBreak,
	}
}

func notAfterBreak(c *Call, j *Judgement) {
	if c.Op != evidence.CallSend || !c.unhindered() {
		return
	}
	for i, x := range c.Sends {
		gaveUp := x.EndedBy == evidence.EndedByClient
		broke := x.EndedBy == evidence.EndedByCut || x.EndedBy == evidence.EndedByServer
		if x.Whole() || x.Rejected() || !gaveUp && !broke {
			continue
		}
		if i+1 == len(c.Sends) {
			if c.ended() {
				passUnlessUnwatched(c, j, x)
			}
			continue
		}
		next := c.Sends[i+1]
		seen := "the call sent again after its send got no whole answer: " + breakWords(x)
		switch {
		case c.Message() || gaveUp:
			j.Fail(seen, "no other send: the Agent may already be working on the first", x, next)
		default:
			j.Observe(seen, x, next)
		}
	}
}

func breakWords(x *Exchange) string {
	switch {
	case x.EndedBy == evidence.EndedByClient:
		return "the client had given it up"
	case x.Status() != 0:
		return "the answer was cut"
	default:
		return "the connection was lost"
	}
}

// passUnlessUnwatched passes a call that sent nothing more, as far as that can be known.
func passUnlessUnwatched(c *Call, j *Judgement, x *Exchange) {
	switch {
	case c.Ambiguous(evidence.OpSendMessage):
		j.Unclear("a send may belong to this call or to another", x)
	case !c.watchedOut():
		j.Unclear("the run was not watched for long enough after the call", x)
	default:
		j.Pass()
	}
}
