package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestTypedTask(t *testing.T) {
	t.Parallel()
	answeredWith := func(body string) *tape { return discovering().resolve(0.005, ready(token1)).send(0.007, token1, body) }
	working := taskIn("WORKING")
	returned := func(answer, result string) *tape { return answeredWith(wrapped(answer)).hands(0.009, result) }
	other := swap(working, sessionUID, "elsewhere")
	prove(t, []proof{
		{"TASK-04", "as it was", returned(working, working), Passed, ""},
		{"TASK-04", "no artifacts", returned(working, swap(working, `[{"artifactId":"1","parts":[{"text":"canary"}]}]`, "[]")), Failed, "artifacts of the Task was answered as"},
		{"TASK-04", "an empty list for none", returned(swap(working, `,"artifacts":[{"artifactId":"1","parts":[{"text":"canary"}]}]`, ""), swap(working, `[{"artifactId":"1","parts":[{"text":"canary"}]}]`, "[]")), Passed, ""},
		{"TASK-04", "a state in other words", returned(working, swap(working, "TASK_STATE_WORKING", "working")), Failed, "status.state of the Task"},
		{"TASK-04", "another id", returned(working, swap(working, `"t"`, `"u"`)), Failed, "id of the Task"},
		{"TASK-04", "no context", returned(working, swap(working, `"contextId"`, `"x"`)), Failed, "contextId of the Task"},
		{"TASK-04", "the object around it", returned(working, wrapped(working)), Failed, "id of the Task"},
		{"TASK-04", "an unknown member lost", returned(swap(working, `"id"`, `"more":1,"id"`), working), Warned, "not all that was answered"},
		{"TASK-04", "members of a typed object added", returned(working, swap(working, `"state"`, `"type":"Status","message":null,"state"`)), Passed, ""},
		{"TASK-04", "a member of its status lost", returned(swap(working, `"state"`, `"more":1,"state"`), working), Warned, "not all that was answered"},
		{"TASK-04", "a null lost", returned(swap(working, `"id"`, `"metadata":null,"id"`), working), Passed, ""},
		{"TASK-04", "a Message", answeredWith(wrapped(working)).returns(0.009, answered()), Failed, "the answer is a Task, and the call returned a message"},
		{"TASK-04", "no id", returned(swap(working, `"id":"t",`, ""), swap(working, `"id":"t",`, "")), Failed, "has the id absent"},
		{"TASK-04", "no state", returned(swap(working, `"TASK_STATE_WORKING"`, `7`), working), Failed, "has the status.state 7"},
		{"TASK-04", "a blank state", returned(swap(working, `"TASK_STATE_WORKING"`, `" "`), swap(working, `"TASK_STATE_WORKING"`, `" "`)), Passed, ""},
		{"TASK-04", "refused", answeredWith(wrapped(working)).fails(0.009, evidence.InvalidResponse), Failed, "the answer is a sound Task"},
		{"TASK-04", "refused for its state", answeredWith(wrapped(taskIn("DREAMING"))).fails(0.009, evidence.InvalidResponse), "", ""},
		{"TASK-04", "refused for its lists", answeredWith(wrapped(swap(working, `"parts":[{"text":"canary"}]}]`, `"parts":[]},7]`))).fails(0.009, evidence.InvalidResponse), "", ""},
		{"TASK-04", "refused for its context", answeredWith(wrapped(other)).fails(0.009, evidence.InvalidResponse), Observed, "contextId"},
		{"TASK-04", "refused, malformed", answeredWith(`{"task":{}}`).fails(0.009, evidence.InvalidResponse), "", ""},
		{"TASK-04", "a get that refuses", got(wrapped(working)).fails(0.005, evidence.InvalidResponse), Failed, "the answer is a sound Task"},
		{"TASK-04", "a get that refuses a bare one", got(working).fails(0.005, evidence.InvalidResponse), "", ""},
		{"TASK-04", "a get that refuses another Task", got(wrapped(swap(working, `"t"`, `"u"`))).fails(0.005, evidence.InvalidResponse), "", ""},
		{"TASK-04", "a get", got(wrapped(working)).hands(0.005, working), Passed, ""},
		{"TASK-04", "printed", answeredWith(wrapped(working)).exits(1, 0, wrapped(working), ""), Passed, ""},
		{"TASK-04", "printed bare", answeredWith(wrapped(working)).exits(1, 0, working, ""), Passed, ""},
		{"TASK-04", "printed in words", answeredWith(wrapped(working)).exits(1, 0, "a Task", ""), Inconclusive, "no Task that can be read"},
		{"TASK-04", "a direct Message", plain(), "", ""},
		{"TASK-10", "wrapped", got(wrapped(working)).hands(0.005, working), Observed, "wrapped as"},
		{"TASK-10", "bare, refused", got(working).fails(0.005, evidence.InvalidResponse), Observed, "the Task came bare, and the call ended with invalid_response"},
		{"TASK-10", "no Task", got("{}").fails(0.005, evidence.InvalidResponse), "", ""},
		{"TASK-10", "404", got("", status(404, "{}")).fails(0.005, evidence.Rejected), "", ""},
		{"RESP-10", "refused", answeredWith(answered()).fails(0.009, evidence.InvalidResponse), Passed, ""},
		{"RESP-10", "returned", answeredWith(answered()).returns(0.009, answered()), Failed, "there is a Message"},
		{"RESP-10", "a Task", taskSend(), "", ""},
		{"RESP-10", "a failure", answeredWith("").fails(0.009, evidence.InvalidResponse), "", ""},
		{"RESP-11", "a get without a Task", got("{}").hands(0.005, working), Failed, "there is neither"},
		{"RESP-11", "a get without a Task, refused", got(`{"ok":true}`).fails(0.005, evidence.InvalidResponse), Passed, ""},
		{"RESP-11", "a bare Task", got(working).hands(0.005, working), "", ""},
		{"RESP-12", "a get with HTML", got("<html>").hands(0.005, working), Failed, "is not one JSON value"},
		{"RESP-12", "a get with HTML, refused", got("<html>").fails(0.005, evidence.InvalidResponse), Passed, ""},
	})
}

func TestInternalDirectionsInTasks(t *testing.T) {
	t.Parallel()
	spoken := func(role string) string {
		return swap(taskIn("WORKING"), `"artifacts"`, `"history":[{"role":"`+role+`","parts":[{"text":"x"}]}],"artifacts"`)
	}
	status := swap(taskIn("WORKING"), `"TASK_STATE_WORKING"`, `"TASK_STATE_WORKING","message":{"role":"ROLE_RESPONDER"}`)
	content := swap(taskIn("WORKING"), "canary", "ROLE_RESPONDER")
	sent := func(task string) *tape {
		return discovering().resolve(0.005, ready(token1)).send(0.007, token1, wrapped(task))
	}
	waited := about(evidence.CallWaitTask, everySecond).resolve(0.001, ready(token1)).gets(0.003, token1, wrapped(status)).gets(1.003, token1, wrapped(taskIn("COMPLETED")))
	prove(t, []proof{
		{"RESP-16", "history, refused", sent(spoken("ROLE_REQUESTER")).fails(0.009, evidence.InvalidResponse), Passed, ""},
		{"RESP-16", "history, returned", sent(spoken("ROLE_REQUESTER")).hands(0.009, spoken("ROLE_REQUESTER")), Failed, "/history/0/role"},
		{"RESP-16", "status, returned by a get", got(wrapped(status)).hands(0.009, status), Failed, "/status/message/role"},
		{"RESP-16", "bare, returned by a get", got(status).hands(0.009, status), Failed, "/status/message/role"},
		{"RESP-16", "waited past", waited.hands(1.005, taskIn("COMPLETED")), Failed, "and the call went on"},
		{"RESP-16", "content, returned", sent(content).hands(0.009, content), Passed, ""},
		{"RESP-16", "content, refused", sent(content).fails(0.009, evidence.InvalidResponse), Failed, "in its content alone"},
		{"RESP-16", "public roles", sent(spoken("ROLE_USER")).hands(0.009, spoken("ROLE_USER")), "", ""},
		{"RESP-16", "a direct Message", plain(), "", ""},
	})
}

func TestNoLimitInTaskMode(t *testing.T) {
	t.Parallel()
	limit := `{"error":{"code":504,"status":"DEADLINE_EXCEEDED","message":"x","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"MESSAGE_RESPONSE_LIMIT_EXCEEDED","domain":"mainsequence.ai"}]}}`
	sent := func(code int, body string) *tape {
		return discovering().resolve(0.005, ready(token1)).send(0.007, token1, "", status(code, body))
	}
	prove(t, []proof{
		{"LIM-08", "the server error", sent(504, limit).fails(0.009, evidence.ServerFailed), Passed, ""},
		{"LIM-08", "the limit error", sent(504, limit).fails(0.009, evidence.MessageLimit), Failed, "the send was answered 504"},
		{"LIM-08", "a gateway's 502", sent(502, "").fails(0.009, evidence.ServerFailed), Passed, ""},
		{"LIM-08", "a gateway's 502 as a timeout", sent(502, "").fails(0.009, evidence.TimedOut), Failed, "answered 502"},
		{"LIM-08", "get", got("", status(504, limit)).fails(0.005, evidence.MessageLimit), Failed, "the get of the Task was answered 504"},
		{"LIM-11", "a Task send that times out", discovering(timeout(2)).resolve(0.005, ready(token1)).send(0.007, token1, "", noAnswer(2, evidence.EndedByClient)).fails(2, evidence.TimedOut), Passed, ""},
		{"LIM-11", "a cancel that times out", about(evidence.CallCancelTask, timeout(2)).resolve(0.005, ready(token1)).gets(0.007, token1, "", noAnswer(2, evidence.EndedByClient)).
			fails(2, evidence.MessageLimit), Failed, "no direct Message was sent"},
		{"LIM-11", "the 504 in Task mode", sent(504, limit).fails(0.009, evidence.MessageLimit), "", ""},
		{"LIM-08", "not told", sent(504, limit).fails(0.009, ""), "", ""},
		{"LIM-08", "500", sent(500, "").fails(0.009, evidence.Other), "", ""},
		{"LIM-08", "a direct Message", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(504, limit)).fails(0.009, evidence.MessageLimit), "", ""},
		{"LIM-08", "wait", about(evidence.CallWaitTask).resolve(0.001, ready(token1)).gets(0.003, token1, "", status(504, limit)).fails(0.009, evidence.MessageLimit), "", ""},
	})
}
