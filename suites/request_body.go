package suites

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func req02() Rule {
	return Rule{
		ID: "REQ-02", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "send role ROLE_USER, never an internal direction",
		Cause:      "The request is built with the binding direction (ROLE_REQUESTER) or a lower-case role of an older protocol version; look where message.role is set.",
		Right:      `The body's message has "role": "ROLE_USER".`,
		Wrong:      `The body's message has "role": "ROLE_REQUESTER", "user", or no role at all.`,
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			role := x.Body().Role
			j.Hold(role.TextEquals("ROLE_USER"), "message.role of "+c.at(x)+" is "+said(role), `message.role is "ROLE_USER"`, x)
		}),
	}
}

func req03() Rule {
	return Rule{
		ID: "REQ-03", Level: Must, Sides: []Side{Client}, Section: "Context",
		Obligation: "send contextId equal to the target session uid, on every turn",
		Cause:      "The client keeps a context id of its own, takes over one that a server returned, or leaves it out on the first turn.",
		Right:      "Every send of a session carries that session's uid as message.contextId.",
		Wrong:      "The second turn carries the contextId of another session, or none.",
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			id := x.Body().ContextID
			j.Hold(id.TextEquals(c.Session), "message.contextId of "+c.at(x)+" is "+c.contextWords(id),
				"message.contextId is the uid of the session, "+quote(c.Session), x)
		}),
	}
}

// contextWords says what a context id is that is not the session's, without an id that the subject may have made up.
func (c *Call) contextWords(id *evidence.Value) string {
	for _, other := range c.Run.Calls {
		if id.TextEquals(other.Session) {
			return "the uid of another session"
		}
	}
	if id.Kind() == evidence.KindString {
		return "not the uid of the session"
	}
	return id.Kind().String()
}

func req05() Rule {
	return Rule{
		ID: "REQ-05", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: `ask for ["text/plain"] when plain, ["application/json"] when strict`,
		Cause:      "The member acceptedOutputModes is fixed, left out, or not switched by the strict flag.",
		Right:      `A plain send has "acceptedOutputModes": ["text/plain"]; a strict one has ["application/json"].`,
		Wrong:      `A strict send still asks for ["text/plain"], or a plain one lists both.`,
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			want, kind := "text/plain", "plain"
			if c.strict() {
				want, kind = "application/json", "strict"
			}
			modes := x.Body().AcceptedOutputModes
			ok := len(modes.Elements()) == 1 && modes.Elements()[0].TextEquals(want)
			j.Hold(ok, fmt.Sprintf("configuration.acceptedOutputModes of %s, which is %s, is %s", c.at(x), kind, said(modes)),
				fmt.Sprintf("configuration.acceptedOutputModes is [%q]", want), x)
		}),
	}
}

func req06() Rule {
	return Rule{
		ID: "REQ-06", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "send configuration.responseKind message or task, as the caller asked, message by default",
		Cause:      "The client leaves responseKind out when the caller gave none, or still sends the timing Boolean that it replaced.",
		Right:      `A send without further wishes has "responseKind": "message".`,
		Wrong:      `A send without further wishes has no responseKind, or "task".`,
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			if !c.knownKind() {
				return
			}
			kind := x.Body().ResponseKind
			j.Hold(kind.TextEquals(c.Kind()), "configuration.responseKind of "+c.at(x)+" is "+said(kind),
				"configuration.responseKind is "+quote(c.Kind()), x)
		}),
	}
}

// knownKind tells whether the response kind is one that the contract knows.
func (c *Call) knownKind() bool { return c.Kind() == "message" || c.Kind() == "task" }

func req07() Rule {
	return Rule{
		ID: "REQ-07", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "when strict, put the output contract under its URI in metadata: response_format of type dictionary, strict true, and jsonRepairAttempts (3 by default, else the caller's number)",
		Cause:      "The output contract is nested under configuration or message.metadata, or jsonRepairAttempts is sent only when the caller gave it.",
		Right:      "The body's metadata holds, under the output contract's URI, response_format {type dictionary, strict true} and jsonRepairAttempts 3.",
		Wrong:      "The body has no metadata, strict is the text \"true\", or jsonRepairAttempts is missing.",
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			if !c.strict() {
				return
			}
			contract := x.Body().OutputContract
			want := `{"response_format": {"type": "dictionary", "strict": true}, "jsonRepairAttempts": ` + c.repairAttempts() + "}"
			j.Hold(c.holdsContract(contract), "metadata of "+c.at(x)+" has, under the output contract's URI, "+said(contract),
				"metadata has, under the output contract's URI, "+want, x)
		}),
	}
}

// repairAttempts is the number of repair attempts that a strict send must carry.
func (c *Call) repairAttempts() string {
	return c.Input.JSONRepairAttempts.Or(json.Number("3")).String()
}

// holdsContract tells whether the output contract says what the caller asked for. Members beyond the documented ones
// are left to REQ-11, and a number of attempts below one is not judged: no client has to send it.
func (c *Call) holdsContract(contract *evidence.Value) bool {
	strict, _ := contract.Path("response_format", "strict").Bool()
	if !contract.Path("response_format", "type").TextEquals("dictionary") || !strict {
		return false
	}
	want, _ := evidence.ReadJSON([]byte(c.repairAttempts()))
	return c.tooFewAttempts() || evidence.Equal(contract.Member("jsonRepairAttempts"), want)
}

func req08() Rule {
	return Rule{
		ID: "REQ-08", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "when not strict, send no output contract",
		Cause:      "The output contract is always sent, with strict false, or a client instance remembers the strict flag of an earlier call.",
		Right:      "A plain send has no member under the output contract's URI.",
		Wrong:      "A plain send carries the output contract with strict false.",
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			if c.strict() {
				return
			}
			switch contract := x.Body().OutputContract; contract.Kind() {
			case evidence.KindAbsent:
				j.Pass()
			case evidence.KindNull:
				j.Observe(c.at(x)+" carries the output contract as null", x)
			default:
				j.Fail(c.at(x)+", which is not strict, carries an output contract: "+said(contract), "no member under the output contract's URI", x)
			}
		}),
	}
}

func req11() Rule {
	return Rule{
		ID: "REQ-11", Level: Observe, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "keep to the documented shape of the request; members beyond it are noted",
		Cause:      "The client sends optional members of A2A or of its own.",
		Right:      "The body has message, configuration and, when strict, metadata, each with its documented members.",
		Wrong:      "The body has further members, such as configuration.historyLength.",
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			extra := x.Body().Extra
			if len(extra) == 0 {
				j.Pass()
				return
			}
			const shown = 5
			more := ""
			if len(extra) > shown {
				extra, more = extra[:shown], fmt.Sprintf(" and %d more", len(extra)-shown)
			}
			j.Observe("beyond the documented shape "+c.at(x)+" has "+strings.Join(extra, ", ")+more, x)
		}),
	}
}

func req17() Rule {
	return Rule{
		ID: "REQ-17", Level: Should, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "send well-formed JSON: UTF-8, no duplicate keys, one value, length as announced",
		Cause:      "The body is put together as text, or its length is counted in characters in place of bytes.",
		Right:      "The body is one JSON object in UTF-8 of as many bytes as Content-Length says.",
		Wrong:      "The body names messageId twice, is written in Latin-1, or ends before its announced length.",
		Judge: eachSend(func(c *Call, x *Exchange, j *Judgement) {
			if x.BodyRead == nil {
				if announcesMore(x) {
					j.Fail(fmt.Sprintf("%s announced %d bytes and sent a whole JSON value of %d", c.at(x), x.Request.ContentLength, x.Request.Body.Size),
						"Content-Length is the number of bytes of the body", x)
				}
				return
			}
			for _, p := range x.Body().Problems {
				if p.NotJSON() || p.Kind == evidence.ProblemDuplicate || p.Kind == evidence.ProblemEncoding {
					j.Fail("the body of "+c.at(x)+" is not well-formed: "+p.String(), "one JSON object in UTF-8 whose keys are all different", x)
					return
				}
			}
			j.Pass()
		}),
	}
}

// announcesMore tells whether a body that never came to its end is a whole JSON value already: the client itself
// counted wrongly.
func announcesMore(x *Exchange) bool {
	return x.Request.ContentLength > x.Request.Body.Size && x.Body().Body.Kind() == evidence.KindObject && len(x.Body().Problems) == 0
}

func req27() Rule {
	return Rule{
		ID: "REQ-27", Level: Should, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "leave the replaced timing Boolean (returnImmediately, blocking) out in Message mode",
		Cause:      "The client was moved to responseKind and still sends the Boolean that it replaces.",
		Right:      "configuration has acceptedOutputModes and responseKind, and no Boolean about timing.",
		Wrong:      `configuration has "blocking": true beside responseKind.`,
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			if !c.Message() {
				return
			}
			for _, name := range []string{"returnImmediately", "blocking"} {
				if v := x.Body().Body.Path("configuration", name); v != nil {
					j.Fail(fmt.Sprintf("configuration.%s of %s is %s", name, c.at(x), said(v)), "no member about timing beside responseKind", x)
					return
				}
			}
			j.Pass()
		}),
	}
}
