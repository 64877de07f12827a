package suites

import (
	"encoding/json"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// given is a call whose send was answered 200 with that body, not yet ended.
func given(body string, edit ...func(*evidence.Exchange)) *tape {
	return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, body, edit...)
}

// rejected is how a right client ends at an answer that it cannot use.
func (t *tape) rejected() *tape { return t.fails(0.005, evidence.InvalidResponse) }

// accepted is how a client ends that takes anything.
func (t *tape) accepted() *tape { return t.returns(0.005, answered()) }

// answerWith is a good answer in which parts of it are replaced: pairs of old and new text.
func answerWith(pairs ...string) string { return swap(answered(), pairs...) }

// resulting ends the last call with that Message.
func (t *tape) resulting(message string) *tape {
	return t.ends(0.005, evidence.Outcome{Kind: evidence.OutcomeMessage, Message: json.RawMessage(message)})
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	const role, id, parts = `"role":"ROLE_AGENT",`, `"messageId":"msg-agent-1",`, `[{"text":"canary answer"}]`
	context := `"contextId":"` + sessionUID + `",`
	both := func(rule, name, body, seen string) []proof {
		return []proof{
			{rule, name + " rejected", given(body).rejected(), Passed, ""},
			{rule, name + " accepted", given(body).accepted(), Failed, seen},
		}
	}
	var proofs []proof
	for _, p := range [][]proof{
		both("RESP-01", "absent", answerWith(role, ""), "role is absent, and the call returned a message"),
		both("RESP-01", "user", answerWith("ROLE_AGENT", "ROLE_USER"), `role is "ROLE_USER"`),
		both("RESP-01", "short", answerWith("ROLE_AGENT", "agent"), `role is "agent"`),
		both("RESP-01", "a number", answerWith(`"ROLE_AGENT"`, "2"), "role is 2"),
		both("RESP-02", "absent", answerWith(id, ""), "messageId is absent"),
		both("RESP-02", "blank", answerWith("msg-agent-1", `\t `), "messageId is"),
		both("RESP-02", "null", answerWith(`"msg-agent-1"`, "null"), "messageId is null"),
		both("RESP-03", "absent", answerWith(`,"parts":`+parts, ""), "parts is absent"),
		both("RESP-03", "empty", answerWith(parts, "[]"), "parts is empty"),
		both("RESP-03", "an object", answerWith(parts, `{"text":"x"}`), "parts is an object"),
		both("RESP-04", "absent", answerWith(context, ""), "contextId is absent"),
		both("RESP-04", "another", answerWith(sessionUID, "other"), "not the session of the call"),
		both("RESP-04", "a number", answerWith(`"`+sessionUID+`"`, "7"), "contextId is 7"),
		both("RESP-08", "responder", answerWith("ROLE_AGENT", "ROLE_RESPONDER"), `role is "ROLE_RESPONDER"`),
		both("RESP-08", "requester", answerWith("ROLE_AGENT", "ROLE_REQUESTER"), `role is "ROLE_REQUESTER"`),
		both("RESP-09", "a Task", `{"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"}}}`, "there is a Task"),
		both("RESP-11", "neither", `{}`, "there is neither a Message nor a Task"),
		both("RESP-11", "null", `{"message":null,"task":null}`, "there is neither"),
		both("RESP-11", "capital", answerWith(`{"message"`, `{"Message"`), "there is neither"),
		both("RESP-11", "both", answerWith(`{"message"`, `{"task":{},"message"`), "there is a Message and a Task"),
		both("RESP-12", "HTML", `<html></html>`, "is not one JSON value"),
		both("RESP-12", "empty", ``, "is not one JSON value"),
		both("RESP-12", "array", `[`+answered()+`]`, "the answer is an array"),
		both("RESP-12", "truncated", answered()[:80], "is not one JSON value"),
		both("RESP-12", "bytes after it", answered()+"x", "is not one JSON value"),
	} {
		proofs = append(proofs, p...)
	}
	for _, rule := range []string{"RESP-01", "RESP-02", "RESP-03", "RESP-04", "RESP-05", "RESP-08", "RESP-09", "RESP-11", "RESP-12"} {
		proofs = append(proofs, proof{rule, "sound", plain(), "", ""})
	}
	prove(t, proofs)
	prove(t, []proof{
		{"RESP-01", "internal direction", given(answerWith("ROLE_AGENT", "ROLE_RESPONDER")).accepted(), "", ""},
		{"RESP-01", "named twice", given(answerWith(role, role+`"role":"x",`)).accepted(), "", ""},
		{"RESP-01", "given up before it came", given(answerWith(role, "")).fails(0.0035, evidence.TimedOut), "", ""},
		{"RESP-01", "a command rejects", given(answerWith(role, "")).exits(0.005, 1, "", "no"), Passed, ""},
		{"RESP-01", "a command accepts", given(answerWith(role, "")).exits(0.005, 0, "canary", ""), Failed, "exit status 0"},
		{"RESP-02", "other letter case", given(answerWith("messageId", "messageid")).accepted(), "", ""},
		{"RESP-04", "letter case alone", given(answerWith(sessionUID, "0B2701A1-E777-4CFE-8437-B94025F00069")).accepted(), "", ""},
		{"RESP-08", "in text", given(answerWith("canary answer", "ROLE_RESPONDER")).accepted(), "", ""},
		{"RESP-09", "null Task", given(answerWith(`{"message"`, `{"task":null,"message"`)).accepted(), "", ""},
		{"RESP-11", "task mode", newTape().call(0, ofKind("task")).send(0.003, token1, "{}").accepted(), Failed, "there is neither"},
		{"RESP-12", "byte order mark", given("\ufeff" + answered()).accepted(), Observed, "byte order mark"},
		{"RESP-12", "white space after it", given(answered() + "\n \t").accepted(), "", ""},
		{"RESP-12", "broke off and rejected", given(answered(), broken).fails(0.005, evidence.Transport), Passed, ""},
		{"RESP-12", "broke off and taken", given(answered(), broken).accepted(), Failed, "the answer broke off"},
		{"RESP-12", "an error", given("<html>", status(500, "<html>")).fails(0.005, evidence.ServerFailed), "", ""},

		{"RESP-05", "rejected", given(answerWith(role, "")).rejected(), Passed, ""},
		{"RESP-05", "returned", given(answerWith(role, "")).accepted(), Failed, "followed by a result"},
		{"RESP-05", "sent again", given(answerWith(role, "")).send(0.006, token1, answered()).returns(0.008, answered()), Failed, "came POST /api/a2a/v1/message:send"},
		{"RESP-05", "sent again at once", given(answerWith(role, "")).send(0.004009, token1, "{}").fails(0.008, evidence.InvalidResponse), Failed, "came POST /api/a2a/v1/message:send"},
		{"RESP-05", "resolved again, no script foresaw it", given("{}").resolve(0.006, "", unscripted).fails(0.008, evidence.Other), Failed, "came POST /api/v1"},
		{"RESP-05", "never ended", given("{}"), Inconclusive, "not watched beyond its end"},
		{"RESP-05", "byte order mark", given("\ufeff" + answered()).accepted(), "", ""},
		{"RESP-05", "task mode", newTape().call(0, ofKind("task")).send(0.003, token1, "{}").accepted(), "", ""},
		{"RESP-05", "uncertain whose", newTape().call(0).call(0).send(0.003, token1, "{}").send(0.003, token1, "{}", ofCalls(1, 2)).accepted(), "", ""},
	})
}

func TestPreserved(t *testing.T) {
	t.Parallel()
	message := func(body string) string {
		tree, _ := evidence.ReadJSON([]byte(body))
		return string(tree.Member("message").Raw())
	}
	rich := answerWith(`[{"text":"canary answer"}]`, `[{"data":null},{"data":false},{"data":0,"metadata":{"a":""}},{"raw":"AA==","filename":"x"}],"extensions":["https://x/"],"whatever":[1,{}],"taskId":null`)
	kept := func(pairs ...string) *tape { return given(rich).resulting(swap(message(rich), pairs...)) }
	printed := func(stdout string) *tape { return given(answered()).exits(0.005, 0, stdout, "") }
	showing := func(pairs ...string) *tape { return given(rich).exits(0.005, 0, swap(message(rich), pairs...), "") }
	prove(t, []proof{
		{"RESP-06", "plain", plain(), Passed, ""},
		{"RESP-06", "rich", kept(), Passed, ""},
		{"RESP-06", "other order and numbers by value", kept(`"role":"ROLE_AGENT",`, "", `"whatever":[1,{}]`, `"whatever":[1.0,{ }],"role":"ROLE_AGENT"`), Passed, ""},
		{"RESP-06", "optional null added", kept(`"extensions"`, `"metadata":null,"extensions"`), Observed, "optional members are null"},
		{"RESP-06", "optional null dropped", kept(`,"taskId":null`, ""), Observed, "optional members are null"},
		{"RESP-06", "optional null of a part added", kept(`"filename":"x"`, `"filename":"x","mediaType":null`), Observed, "optional members are null"},
		{"RESP-06", "data null dropped", kept(`{"data":null}`, "{}"), Failed, "/parts/0/data: null is missing"},
		{"RESP-06", "data false dropped", kept(`{"data":false}`, `{"data":null}`), Failed, "/parts/1/data: false became null"},
		{"RESP-06", "null inside of metadata dropped", given(answerWith(`"role"`, `"metadata":{"taskId":null},"role"`)).
			resulting(message(answerWith(`"role"`, `"metadata":{},"role"`))), Failed, "/metadata/taskId"},
		{"RESP-06", "unknown member dropped", kept(`,"whatever":[1,{}]`, ""), Failed, "/whatever"},
		{"RESP-06", "a part that is no object kept", given(answerWith(`{"text":"canary answer"}`, `{"text":"a"},{"data":[null]}`)).
			resulting(message(answerWith(`{"text":"canary answer"}`, `{"text":"a"},{"data":[null]}`))), Passed, ""},
		{"RESP-06", "rejected", given(rich).rejected(), "", ""},
		{"RESP-06", "huge number", given(answerWith(`"role"`, `"n":9007199254740993,"role"`)).accepted(), "", ""},
		{"RESP-06", "printed as JSON", printed(answered()), Passed, ""},
		{"RESP-06", "printed bare", printed(message(answered())), Passed, ""},
		{"RESP-06", "printed and changed", printed(answerWith("canary answer", "a canary answer")), Failed, "became"},
		{"RESP-06", "printed in part", printed(answerWith(`"role":"ROLE_AGENT",`, "")), Passed, ""},
		{"RESP-06", "printed whole", showing(), Passed, ""},
		{"RESP-06", "printed without what is empty", showing(`{"data":null}`, "{}", `{"data":false}`, "{}", `"data":0,`, "", `{"a":""}`, "{}"), Failed,
			"empty values are gone: /parts/0/data, /parts/1/data, /parts/2/data, /parts/2/metadata/a"},
		{"RESP-06", "printed without the last of a list", showing(`[1,{}]`, "[1]"), Failed, "/whatever/1"},
		{"RESP-06", "printed without much", showing(`"whatever":[1,{}],`, "", `{"data":false}`, "{}"), Passed, ""},
		{"RESP-06", "printed without an optional null", showing(`,"taskId":null`, ""), Passed, ""},
		{"RESP-06", "printed as text", printed("Agent: canary\n   answer\n"), Passed, ""},
		{"RESP-06", "printed as JSON of another kind", printed(`{"text":"canary answer"}`), Passed, ""},
		{"RESP-06", "not printed", printed("done"), Inconclusive, "was not found"},
		{"RESP-06", "no text to print", given(answerWith(`"text":"canary answer"`, `"data":1`)).exits(0.005, 0, "1", ""), "", ""},

		{"RESP-07", "with text", plain(), "", ""},
		{"RESP-07", "without", given(answerWith(`"text":"canary answer"`, `"data":null`)).resulting("{}"), Passed, ""},
		{"RESP-07", "without, rejected", given(answerWith(`"text":"canary answer"`, `"data":{}`)).rejected(), Failed, "has no text part"},
		{"RESP-07", "odd media type", given(answerWith(`"text":"canary answer"`, `"data":{}`), responseHeader("Content-Type", "text/plain")).rejected(), "", ""},
		{"RESP-07", "malformed element", given(answerWith(`{"text":"canary answer"}`, `{}`)).rejected(), "", ""},
	})
}

func TestChoices(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"RESP-13", "ordinary", plain(), "", ""},
		{"RESP-13", "created", given(answered(), status(201, answered())).accepted(), Observed, "has status 201, and the call returned"},
		{"RESP-13", "media type", given(answered(), responseHeader("Content-Type", "text/html")).rejected(), Observed, `"text/html", and the call ended with invalid_response`},
		{"RESP-13", "no media type", given(answered(), responseHeader("Content-Type")).accepted(), Observed, "has 0 Content-Type headers"},
		{"RESP-13", "duplicate key", given(answerWith(`"role"`, `"role":"x","role"`)).accepted(), Observed, "duplicate key"},
		{"RESP-13", "letter case", given(answerWith(`"role"`, `"Role"`)).accepted(), Observed, "writes role as Role"},
		{"RESP-13", "an error", given("", status(500, "")).fails(0.005, evidence.ServerFailed), "", ""},

		{"RESP-17", "ordinary", plain(), "", ""},
		{"RESP-17", "letter case", given(answerWith(sessionUID, "0B2701A1-E777-4CFE-8437-B94025F00069")).accepted(), Observed, "letter case alone, and the call returned"},
		{"RESP-17", "malformed element", given(answerWith(`{"text":"canary answer"}`, `{},null,"x"`)).rejected(), Observed, "part 1 has none"},
		{"RESP-17", "invisible id", given(answerWith("msg-agent-1", "\u200b")).accepted(), Observed, "no visible character"},
		{"RESP-17", "huge number kept", given(answerWith(`"role"`, `"n":[9007199254740993],"role"`)).resulting(`{"n":[9007199254740993]}`), Observed, "9007199254740993, and the call returned a message with it"},
		{"RESP-17", "huge number rounded", given(answerWith(`"role"`, `"n":[9007199254740993],"role"`)).resulting(`{"n":[9007199254740992]}`), Observed, "with another number in its place"},
		{"RESP-17", "huge number rejected", given(answerWith(`"role"`, `"n":1e400,"role"`)).rejected(), Observed, "1e400, and the call ended"},
		{"RESP-17", "to be rejected", given(answerWith("ROLE_AGENT", "x", "msg-agent-1", "\u200b")).rejected(), "", ""},
		{"RESP-17", "a Task", given(`{"task":{}}`).rejected(), "", ""},
	})
	detail := `{"detail":"canary detail that goes on"}`
	told := func(code int, category evidence.Category, edit func(*evidence.Error)) *tape {
		return given("", status(code, detail)).fails(0.005, category, func(e *evidence.Error) {
			e.Status, e.Text = &code, "the server said: canary detail that goes on"
			edit(e)
		})
	}
	asIs := func(*evidence.Error) {}
	other := 400
	prove(t, []proof{
		{"RESP-14", "conflict", told(409, evidence.Rejected, asIs), Passed, ""},
		{"RESP-14", "broken", told(500, evidence.ServerFailed, asIs), Passed, ""},
		{"RESP-14", "another kind", told(409, evidence.ServerFailed, asIs), Warned, "the send was answered 409, and the call ended with server_error"},
		{"RESP-14", "no status", told(409, evidence.Rejected, func(e *evidence.Error) { e.Status = nil }), Warned, "does not carry that status"},
		{"RESP-14", "another status", told(409, evidence.Rejected, func(e *evidence.Error) { e.Status = &other }), Warned, "does not carry that status"},
		{"RESP-14", "cause lost", told(409, evidence.Rejected, shown("request failed")), Warned, "does not repeat the server's words"},
		{"RESP-14", "words with a secret", given("", status(409, `{"detail":"`+token1+` is not welcome"}`)).fails(0.005, evidence.Rejected, func(e *evidence.Error) { code := 409; e.Status, e.Text = &code, "refused" }), Passed, ""},
		{"RESP-14", "nothing to repeat", given("", status(418, "")).fails(0.005, evidence.Rejected, func(e *evidence.Error) { code := 418; e.Status = &code }), Passed, ""},
		{"RESP-14", "gateway", told(502, evidence.Other, asIs), "", ""},
		{"RESP-14", "rejected once", told(401, evidence.Unauthorized, asIs), "", ""},
		{"RESP-14", "rejected twice", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, ready(token2)).
			send(0.007, token2, "", status(403, "")).fails(0.009, evidence.Unauthorized, func(e *evidence.Error) { code := 403; e.Status = &code }), Passed, ""},
		{"RESP-14", "rejected twice without the words", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, ready(token2)).
			send(0.007, token2, "", status(403, `{"detail":"umber finch"}`)).fails(0.009, evidence.Unauthorized, func(e *evidence.Error) { code := 403; e.Status = &code }), Passed, ""},
		{"RESP-14", "untold", told(409, "", asIs), "", ""},
		{"RESP-14", "redirect", given("", redirect(302, "/x")).fails(0.005, evidence.Other), "", ""},
	})
}

func TestOwnAnswer(t *testing.T) {
	t.Parallel()
	mine, theirs := answerWith("msg-agent-1", "mine"), answerWith("msg-agent-1", "theirs")
	together := func(result string) *tape {
		return newTape().call(0).send(0.003, token1, theirs).returns(0.005, theirs).call(0).send(0.003, token1, mine).returns(0.005, result)
	}
	get := func(body, result string) *tape {
		t := newTape().call(0, taskCall(evidence.CallGetTask, "t")).asks(0.003, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t", status(200, body))
		return t.ends(0.005, evidence.Outcome{Kind: evidence.OutcomeTask, Task: json.RawMessage(result)})
	}
	task := `{"id":"t","status":{"state":"TASK_STATE_WORKING"}}`
	prove(t, []proof{
		{"RESP-15", "own", plain(), Passed, ""},
		{"RESP-15", "failed", given("{}").rejected(), "", ""},
		{"RESP-15", "together", together(mine), Passed, ""},
		{"RESP-15", "swapped", together(theirs), Failed, "the call returned what was answered to call 1"},
		{"RESP-15", "made up", given(answered()).returns(0.005, mine), Failed, "the result is none that an answer"},
		{"RESP-15", "content lost", given(answered()).resulting(`{"messageId":"msg-agent-1"}`), Passed, ""},
		{"RESP-15", "id lost", given(answered()).resulting(`{"parts":[]}`), Passed, ""},
		{"RESP-15", "no send", newTape().call(0).resolve(0.001, ready(token1)).accepted(), Failed, "no whole answer to its own request had come"},
		{"RESP-15", "broke off", given(answered(), broken).accepted(), Failed, "no whole answer"},
		{"RESP-15", "before the answer", given(answered()).returns(0.0035, answered()), Failed, "no whole answer"},
		{"RESP-15", "an error answer", given("", status(500, answered())).accepted(), Failed, "no whole answer"},
		{"RESP-15", "uncertain whose", newTape().call(0).call(0).send(0.003, token1, answered(), ofCalls(1, 2)).accepted(), Inconclusive, "may belong"},
		{"RESP-15", "command prints it", given(answered()).exits(0.005, 0, answered(), ""), Passed, ""},
		{"RESP-15", "command prints another", given(answered()).exits(0.005, 0, mine, ""), Failed, "the result is none that an answer"},
		{"RESP-15", "command prints text", given(answered()).exits(0.005, 0, "canary answer", ""), Passed, ""},
		{"RESP-15", "command without an answer", given("", noAnswer(0.004, evidence.EndedByCut)).exits(0.005, 0, "", ""), Failed, "no whole answer"},
		{"RESP-15", "bare Task", get(task, task), Passed, ""},
		{"RESP-15", "wrapped Task", get(`{"task":`+task+`}`, task), Passed, ""},
		{"RESP-15", "another Task", get(task, swap(task, `"t"`, `"u"`)), Failed, "the result is none that an answer"},
		{"RESP-15", "no Task", get(`{}`, task), Failed, "the result is none that an answer"},
		{"RESP-15", "a Task with no more than an id", get(`{"id":"t"}`, task), Passed, ""},
		{"RESP-15", "cancel", newTape().call(0, taskCall(evidence.CallCancelTask, "t")).ends(0.005, evidence.Outcome{Kind: evidence.OutcomeTask, Task: json.RawMessage(task)}), Failed, "no whole answer"},
		{"RESP-15", "an operation of its own", newTape().call(0, taskCall("other", "t")).ends(0.005, evidence.Outcome{Kind: evidence.OutcomeTask, Task: json.RawMessage(task)}), "", ""},
	})
}
