package suites

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// answerRules are the rules of this chapter: what a client takes for an answer, and what it makes of it.
func answerRules() []Rule {
	return []Rule{
		resp01(), resp02(), resp03(), resp04(), resp05(), resp06(), resp07(), resp08(), resp09(), resp10(), resp11(), resp12(), resp13(), resp14(), resp15(), resp16(), resp17(),
	}
}

// rejects judges that a call ends with an error where fault says what is wrong with the whole answer to its send.
func rejects(fault func(c *Call, x *Exchange) string) func(c *Call, j *Judgement) {
	return func(c *Call, j *Judgement) {
		x := c.ordinary()
		if x == nil {
			return
		}
		if what := fault(c, x); what != "" {
			j.Hold(c.Failed(), "in the answer "+what+", and "+c.Ending(), "an error", x)
		}
	}
}

// faultOf returns what is wrong with a Message in one respect, empty for nothing. Where readers of JSON differ on
// whether the member is there at all (RESP-13), nothing is.
func faultOf(c *Call, x *Exchange, kind evidence.MessageFaultKind) string {
	for _, f := range x.Answer().Faults(c.Session) {
		if f.Kind == kind && !disputed(x, kind) {
			return f.What
		}
	}
	return ""
}

// disputed tells whether the answer names a member twice, or the member of that fault in another letter case.
func disputed(x *Exchange, kind evidence.MessageFaultKind) bool {
	member := map[evidence.MessageFaultKind]string{
		evidence.FaultRole: "role", evidence.FaultMessageID: "messageId", evidence.FaultParts: "parts", evidence.FaultContext: "contextId",
	}[kind]
	_, wrongCase := x.Answer().Message.WrongCase(member)
	return wrongCase || hasDuplicates(x)
}

func hasDuplicates(x *Exchange) bool {
	return slices.ContainsFunc(x.Answer().Problems, func(p evidence.Problem) bool { return p.Kind == evidence.ProblemDuplicate })
}

// internalRole tells whether the role of a Message is an internal direction, which is RESP-08's.
func internalRole(x *Exchange) bool {
	role, ok := x.Answer().Message.Member("role").Text()
	return ok && evidence.InternalDirection(role)
}

func resp01() Rule {
	return Rule{
		ID: "RESP-01", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "reject a Message whose role is not ROLE_AGENT (absent, ROLE_USER, agent, a number)",
		Cause:      "The role of the answer is not looked at, or compared without regard to prefix or letter case.",
		Right:      "The answer's message has role ROLE_USER: the call ends with an error.",
		Wrong:      "The answer's message has no role: the call returns it.",
		Judge: rejects(func(c *Call, x *Exchange) string {
			if internalRole(x) {
				return ""
			}
			return faultOf(c, x, evidence.FaultRole)
		}),
	}
}

func resp02() Rule {
	return Rule{
		ID: "RESP-02", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "reject a blank, absent or non-string messageId",
		Cause:      "The answer is decoded into a type whose messageId is empty where it is missing, and never looked at again.",
		Right:      `The answer's message has "messageId": "  ": the call ends with an error.`,
		Wrong:      "The answer's message has no messageId: the call returns it.",
		Judge:      rejects(func(c *Call, x *Exchange) string { return faultOf(c, x, evidence.FaultMessageID) }),
	}
}

func resp03() Rule {
	return Rule{
		ID: "RESP-03", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "reject absent, empty or non-array parts",
		Cause:      "Missing parts are taken for an empty text.",
		Right:      `The answer's message has "parts": []: the call ends with an error.`,
		Wrong:      `The answer's message has "parts": []: the call returns an empty answer.`,
		Judge:      rejects(func(c *Call, x *Exchange) string { return faultOf(c, x, evidence.FaultParts) }),
	}
}

func resp04() Rule {
	return Rule{
		ID: "RESP-04", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "reject another contextId (absent, null, not a string, other session)",
		Cause:      "The contextId of the answer is not compared with the session, or only where it is there.",
		Right:      "The answer's message has the contextId of another session: the call ends with an error.",
		Wrong:      "The answer's message has no contextId: the call returns it.",
		Judge:      rejects(func(c *Call, x *Exchange) string { return faultOf(c, x, evidence.FaultContext) }),
	}
}

func resp05() Rule {
	return Rule{
		ID: "RESP-05", Level: Must, Sides: []Side{Client}, Section: "Request Shape", Forbids: true,
		Obligation: "return an error for these and send nothing more",
		Cause:      "An answer that cannot be used is taken for a passing fault and the message is sent again.",
		Right:      "The answer has no messageId: the call ends with an error and makes no further request.",
		Wrong:      "The answer has no messageId: the client asks for access again and sends once more.",
		Judge: func(c *Call, j *Judgement) {
			if !c.Message() || c.Ambiguous(evidence.OpSendMessage) {
				return
			}
			i := slices.IndexFunc(c.Sends, func(x *Exchange) bool { return c.mustReject(x) })
			if i < 0 || !c.leftAlone(*c.Sends[i].LastBy) {
				return
			}
			x := c.Sends[i]
			if later := c.Following(x); len(later) > 0 {
				j.Fail("after an answer that has to be rejected came "+later[0].Request.Method+" "+clip(later[0].Request.Target, 80), "an error, and nothing more is sent", x, later[0])
				return
			}
			if c.Returned() {
				j.Fail("an answer that has to be rejected was followed by a result", "an error", x)
				return
			}
			c.passWhenOver(j, x)
		},
	}
}

// mustReject tells whether the whole answer to a send is one that no client may take for a direct Message.
func (c *Call) mustReject(x *Exchange) bool {
	return x.Status() == http.StatusOK && x.Whole() &&
		slices.ContainsFunc(x.Answer().Faults(c.Session), func(f evidence.MessageFault) bool {
			return f.MustReject() && !disputed(x, f.Kind) && !onlyMark(x)
		})
}

func resp07() Rule {
	return Rule{
		ID: "RESP-07", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "accept an answer without text",
		Cause:      "The client looks for a first text part and takes its absence for an invalid answer.",
		Right:      `The answer's parts are [{"data": {"ok": true}}]: the call returns the Message.`,
		Wrong:      "The answer has a file part alone: the call ends with an error.",
		Judge: func(c *Call, j *Judgement) {
			x := c.ordinary()
			if x == nil || !isSound(x) || len(x.Answer().Faults(c.Session)) > 0 || hasText(x.Answer().Message) {
				return
			}
			if hugeNumber(x.Answer().Message) != "" {
				return // a client may stumble over the number: RESP-17
			}
			j.Hold(c.Returned(), "the answer is sound and has no text part, and "+c.Ending(), "the Message is returned", x)
		},
	}
}

// isSound tells whether the text of an answer is JSON on which all readers agree.
func isSound(x *Exchange) bool { return len(x.Answer().Problems) == 0 && x.oddHead() == "" }

// hasText tells whether a Message has a text part.
func hasText(message *evidence.Value) bool {
	return slices.ContainsFunc(message.Member("parts").Elements(), func(v *evidence.Value) bool {
		return evidence.ReadPart(v).Kind == evidence.PartText
	})
}

func resp08() Rule {
	return Rule{
		ID: "RESP-08", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "reject the internal directions as roles",
		Cause:      "The client still accepts the directions of an older role contract.",
		Right:      "The answer's message has role ROLE_RESPONDER: the call ends with an error.",
		Wrong:      "The answer's message has role ROLE_RESPONDER: the call returns it, perhaps as ROLE_AGENT.",
		Judge: rejects(func(_ *Call, x *Exchange) string {
			if x.Answer().Holds != evidence.HoldsMessage || !internalRole(x) {
				return ""
			}
			return "role is " + said(x.Answer().Message.Member("role"))
		}),
	}
}

func resp09() Rule {
	return Rule{
		ID: "RESP-09", Level: Must, Sides: []Side{Client}, Section: "Message limit",
		Obligation: "reject a Task in Message mode",
		Cause:      "One decoder serves both response kinds and returns whatever it finds.",
		Right:      `The send with responseKind message is answered {"task": …}: the call ends with an error.`,
		Wrong:      "The call returns the Task, or follows it until it is completed.",
		Judge:      rejects(func(_ *Call, x *Exchange) string { return holding(x, evidence.HoldsTask) }),
	}
}

// holding says that an answer holds one of some things, empty where it does not.
func holding(x *Exchange, kinds ...evidence.Holding) string {
	if slices.Contains(kinds, x.Answer().Holds) && !hasDuplicates(x) {
		return "there is " + holdingWords(x.Answer())
	}
	return ""
}

func resp11() Rule {
	return Rule{
		ID: "RESP-11", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "reject an answer with both a message and a task, or with neither; in get, cancel and wait one without a Task",
		Cause:      "The first member that is found is returned, or an empty object passes for a result.",
		Right:      "The send is answered {}: the call ends with an error.",
		Wrong:      `The send is answered {"message": …, "task": …}: the call returns one of the two.`,
		Judge: func(c *Call, j *Judgement) {
			x := c.conclusion()
			if x == nil || x.Status() != http.StatusOK || !c.knownKind() {
				return
			}
			what := holding(x, evidence.HoldsBoth, evidence.HoldsNeither)
			if c.Follows() && (x.Answer().Body.Member("id") != nil || x.Answer().Holds != evidence.HoldsNeither) {
				return // a bare Task, in which a client may ask for more or less: TASK-10
			}
			if what != "" {
				j.Hold(c.Failed(), "in the answer "+what+", and "+c.Ending(), "an error", x)
			}
		},
	}
}

func resp12() Rule {
	return Rule{
		ID: "RESP-12", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "reject an answer that is not one JSON object (HTML, empty, array, truncated, bytes other than white space after it)",
		Cause:      "The decoder stops at the end of the first value, or an empty body passes for an empty result.",
		Right:      "The send is answered 200 with an HTML page: the call ends with an error.",
		Wrong:      "The send is answered with a Message and further bytes: the call returns the Message.",
		Judge: func(c *Call, j *Judgement) {
			x := c.conclusion()
			if x == nil {
				x = c.brokenAnswer()
			}
			if x == nil || x.Status() != http.StatusOK || !c.knownKind() || x.Answer().Holds != evidence.NotOneObject {
				return
			}
			if onlyMark(x) {
				j.Observe("the answer begins with a byte order mark, and "+c.Ending(), x)
				return
			}
			j.Hold(c.Failed(), "the answer "+notOneObject(x)+", and "+c.Ending(), "an error", x)
		},
	}
}

// onlyMark tells whether an answer would be one JSON object without the byte order mark before it: a reader may ignore
// that (RFC 8259, section 8.1).
func onlyMark(x *Exchange) bool {
	body, marked := bytes.CutPrefix(x.Response.Body.Bytes, []byte("\xef\xbb\xbf"))
	if !marked || !x.Whole() {
		return false
	}
	tree, problems := evidence.ReadJSON(body)
	_, broken := evidence.NotJSON(problems)
	return !broken && tree.Kind() == evidence.KindObject
}

// notOneObject says why an answer is not one JSON object.
func notOneObject(x *Exchange) string {
	if !x.Whole() {
		return "broke off"
	}
	if p, broken := evidence.NotJSON(x.Answer().Problems); broken {
		return "is not one JSON value: " + p.String()
	}
	return "is " + x.Answer().Body.Kind().String()
}
