package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestDiscoveryComesFirst(t *testing.T) {
	t.Parallel()
	unasked := func() *tape { return newTape().call(0, ofKind("task")).resolve(0.001, ready(token1)) }
	sent := func(x *tape) *tape {
		return x.send(0.007, token1, wrapped(taskIn("WORKING"))).hands(0.009, taskIn("WORKING"))
	}
	again := func(x *tape) *tape {
		return x.call(1, ofKind("task")).send(1.007, token1, wrapped(taskIn("WORKING"))).hands(1.009, taskIn("WORKING"))
	}
	open := func(x *evidence.Exchange) {
		x.HeadFrom, x.LastFrom, x.LastBy = nil, nil, nil
		x.Response.Complete = false
	}
	prove(t, []proof{
		{"TASK-01", "asked first", taskSend(), Passed, ""},
		{"TASK-01", "access first, then discovery", sent(unasked().looksUpSession(0.003, ofAgent()).looksUp(0.005, takesTasks())), Passed, ""},
		{"TASK-01", "nobody asked", sent(unasked()), Failed, "before discovery had said"},
		{"TASK-01", "nobody asked, off script", unasked().send(0.007, token1, "", unscripted).fails(0.009, evidence.Other), Failed, "before discovery had said"},
		{"TASK-01", "the session alone", sent(unasked().looksUpSession(0.003, ofAgent())), Failed, "before discovery had said"},
		{"TASK-01", "before the answer", sent(unasked().looksUp(0.005, takesTasks(), open)), Failed, "before discovery had said"},
		{"TASK-01", "in Message mode", plain(), "", ""},
		{"TASK-01", "by an earlier call", again(taskSend()), Passed, ""},
		{"TASK-01", "gave up without a question", newTape().call(0, ofKind("task")).fails(0.001, evidence.NotAdvertised), Failed, "gave up before it knew"},
		{"TASK-01", "gave up at the session", newTape().call(0, ofKind("task")).looksUpSession(0.001, ofAgent()).fails(0.003, evidence.NotAdvertised), Failed, "gave up before it knew"},
		{"TASK-01", "gave up though it is advertised", discovering().fails(0.005, evidence.NotAdvertised), Failed, "gave up without asking for access"},
		{"TASK-01", "its session came too late", newTape().call(0, ofKind("task"), timeout(2)).looksUpSession(0.001, ofAgent(), answerAfter(30)).fails(2, evidence.TimedOut), "", ""},
		{"TASK-01", "its Agent came too late", newTape().call(0, ofKind("task"), timeout(2)).looksUp(0.001, takesTasks(), answerAfter(30)).fails(2, evidence.TimedOut), "", ""},
		{"TASK-01", "gave up on access without a token", newTape().call(0).resolve(0.001, swap(ready(token1), `"token":"`+token1+`"`, `"token":null`)).fails(0.003, evidence.InvalidResponse).
			call(1, ofKind("task")).fails(1.001, evidence.NotAdvertised), Failed, "gave up before it knew"},
		{"TASK-01", "input that is no good", newTape().call(0, ofKind("task"), unreadable).fails(0.001, evidence.InvalidArgument), "", ""},
		{"TASK-01", "not admitted", discovering().resolve(0.005, stopped("unavailable")).fails(0.007, evidence.Blocked), "", ""},
		{"TASK-14", "asked again", sent(discoversAgain(taskSend())), Passed, ""},
		{"TASK-14", "remembered", again(taskSend()), Warned, "what discovery had said to an earlier call"},
		{"TASK-14", "the first of a client", taskSend(), "", ""},
	})
}

// discoversAgain begins a second Task send up to the end of discovery.
func discoversAgain(x *tape) *tape {
	return x.call(1, ofKind("task")).looksUpSession(1.001, ofAgent()).looksUp(1.003, takesTasks())
}

func TestNotAdvertised(t *testing.T) {
	t.Parallel()
	told := func(answer string, edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0, ofKind("task")).looksUpSession(0.001, ofAgent()).looksUp(0.003, answer, edit...)
	}
	sent := func(x *tape) *tape {
		return x.resolve(0.005, ready(token1)).send(0.007, token1, wrapped(taskIn("WORKING"))).hands(0.009, taskIn("WORKING"))
	}
	gone := func(x *tape) *tape { return x.fails(0.009, evidence.NotAdvertised) }
	only := profile(`["message"]`)
	prove(t, []proof{
		{"TASK-02", "Message only", gone(told(only)), Passed, ""},
		{"TASK-02", "Message only, sent", sent(told(only)), Failed, `sent though discovery has supported_response_kinds`},
		{"TASK-02", "sent off script", told(only).resolve(0.005, ready(token1)).send(0.007, token1, "", unscripted).fails(0.009, evidence.Other), Failed, "sent though"},
		{"TASK-02", "sent as a Message", told(only).resolve(0.005, ready(token1)).send(0.007, token1, answered(), requestBody(`"task"`, `"message"`)).returns(0.009, answered()), Failed, "sent though"},
		{"TASK-02", "the runtime asked for something else", told(only).asks(0.005, evidence.OpUnknown, "runtime", "GET", "/.well-known/agent-card.json").fails(0.009, evidence.NotAdvertised), Failed, "asked the runtime for /.well-known/agent-card.json though"},
		{"TASK-02", "no profile, sent", sent(told(`{"name":"a"}`)), Failed, "a2a_profile absent"},
		{"TASK-02", "text in place of a list, sent", sent(told(profile(`"task"`))), Failed, "supported_response_kinds"},
		{"TASK-02", "other letter case, sent", sent(told(profile(`["TASK"]`))), Failed, "sent though"},
		{"TASK-02", "404, sent", sent(told("", status(404, "{}"))), Failed, "discovery was answered 404"},
		{"TASK-02", "not JSON, sent", sent(told("<html>")), Failed, "not one JSON object"},
		{"TASK-02", "cut, sent", sent(told(takesTasks(), broken)), Failed, "no whole answer"},
		{"TASK-02", "session 500, sent", sent(newTape().call(0, ofKind("task")).looksUpSession(0.001, "", status(500, "{}"))), Failed, "answered 500"},
		{"TASK-02", "404 and a Task", told("", status(404, "{}")).hands(0.009, taskIn("WORKING")), Failed, "the call returned a task though"},
		{"TASK-02", "failed and then answered", told("", status(503, "{}")).looksUp(0.004, takesTasks()).resolve(0.005, ready(token1)).send(0.007, token1, "{}").fails(0.009, evidence.InvalidResponse), "", ""},
		{"TASK-02", "answered and then failed", discovering().looksUp(0.005, "", status(500, "{}")).fails(0.009, evidence.Other), "", ""},
		{"TASK-02", "advertised", taskSend(), "", ""},
		{"TASK-02", "an unusual profile", sent(told(swap(takesTasks(), evidence.ResponseKindURI, "https://x/"))), "", ""},
		{"TASK-02", "a hang", told(only), "", ""},
		{"TASK-02", "a redirect to the runtime that was followed", told("", redirect(307, "http://runtime.test:80/agents/a")).
			asks(0.006, evidence.OpUnknown, "runtime", "GET", "/agents/a").fails(0.009, evidence.Other), Passed, ""},
		{"TASK-02", "another request to the runtime", told("", redirect(307, "http://runtime.test:80/agents/a")).
			asks(0.006, evidence.OpUnknown, "runtime", "GET", "/health").fails(0.009, evidence.Other), Failed, "asked the runtime for /health"},
		{"TASK-02", "a redirect that was followed", told("", redirect(302, "http://platform.test:80/v2/agents/a")).
			asks(0.005, evidence.OpUnknown, "platform", "GET", "/v2/agents/a").fails(0.009, evidence.Other), "", ""},
	})
}

func TestTheSessionsAgent(t *testing.T) {
	t.Parallel()
	nameless := func() *tape { return newTape().call(0, ofKind("task")).looksUpSession(0.001, `{"agent_uid":null}`) }
	prove(t, []proof{
		{"TASK-03", "the session's", taskSend(), Passed, ""},
		{"TASK-03", "another", newTape().call(0, ofKind("task")).looksUpSession(0.001, `{"agent_uid":"b"}`).looksUp(0.003, takesTasks()).fails(0.005, evidence.Other), Failed, "another Agent than the session's"},
		{"TASK-03", "one that nothing named", newTape().call(0, ofKind("task")).looksUp(0.003, takesTasks()).fails(0.005, evidence.Other), Failed, "no answer about the session had named"},
		{"TASK-03", "one that an earlier call was told", taskSend().call(1, ofKind("task")).looksUp(1.003, takesTasks()).fails(1.005, evidence.Other), Passed, ""},
		{"TASK-03", "none, failed", nameless().fails(0.005, evidence.NotAdvertised), Passed, ""},
		{"TASK-03", "none, sent", nameless().resolve(0.005, ready(token1)).send(0.007, token1, "{}").fails(0.009, evidence.Other), Failed, "sent though the session has agent_uid null"},
		{"TASK-03", "none, and a Task", nameless().hands(0.005, taskIn("WORKING")), Failed, "returned a task though"},
		{"TASK-03", "in Message mode", plain(), "", ""},
	})
}

func TestPlatformInTaskMode(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"FLOW-29", "access and discovery", taskSend(), Passed, ""},
		{"FLOW-29", "a session is made", discovering().asks(0.005, evidence.OpUnknown, "platform", "POST", "/api/v1/agents/a/sessions/get-or-create-session/").fails(0.009, evidence.Other), Failed, "get-or-create-session"},
		{"FLOW-29", "asked twice", discovering().looksUp(0.005, takesTasks()).fails(0.009, evidence.Other), Passed, ""},
		{"FLOW-29", "asked three times", discovering().looksUp(0.005, takesTasks()).looksUp(0.007, takesTasks()).fails(0.009, evidence.Other), Failed, "asked discovery again"},
		{"FLOW-29", "asked again where the answer was cut", newTape().call(0, ofKind("task")).looksUp(0.001, takesTasks(), broken).looksUp(0.003, takesTasks(), broken).
			looksUp(0.005, takesTasks(), broken).fails(0.009, evidence.Transport), Passed, ""},
		{"FLOW-29", "repeated after failures", newTape().call(0, ofKind("task")).looksUp(0.001, "", status(503, "")).looksUp(0.003, "", status(503, "")).
			looksUp(0.005, "", status(503, "")).looksUp(0.007, takesTasks()).fails(0.009, evidence.Other), Passed, ""},
		{"FLOW-29", "in Message mode", plain(), "", ""},
		{"TASK-08", "a direct Message", plain(), Passed, ""},
		{"TASK-08", "a get behind it", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, wrapped(taskIn("WORKING"))).
			asks(0.005, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t").fails(0.009, evidence.Other), Failed, "asked for a Task in Message mode: GET"},
		{"TASK-08", "a list behind it", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, answered()).
			asks(0.005, evidence.OpUnknown, "runtime", "GET", "/api/a2a/v1/tasks?x=1").fails(0.009, evidence.Other), Failed, "tasks?x=1"},
		{"TASK-08", "in Task mode", taskSend(), "", ""},
		{"TASK-13", "a Task send", taskSend(), Passed, ""},
		{"TASK-13", "a get inside it", discovering().resolve(0.005, ready(token1)).send(0.007, token1, wrapped(taskIn("WORKING"))).
			asks(0.009, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t").hands(0.1, taskIn("COMPLETED")), Failed, "inside the send came a request for a Task"},
		{"TASK-13", "a cancel inside it", discovering().resolve(0.005, ready(token1)).send(0.007, token1, "", noAnswer(9, evidence.EndedByClient)).
			asks(9, evidence.OpCancelTask, "runtime", "POST", "/api/a2a/v1/tasks/t:cancel").fails(9.1, evidence.TimedOut), Failed, "inside the send"},
		{"TASK-13", "a send inside a get", got(wrapped(taskIn("WORKING"))).send(0.005, token1, "{}").fails(0.009, evidence.Other), Failed, "inside the get_task came a send"},
		{"TASK-13", "a get", got(wrapped(taskIn("WORKING"))).hands(0.005, taskIn("WORKING")), Passed, ""},
		{"TASK-13", "in Message mode", plain(), "", ""},
		{"FLOW-28", "between the look-ups", newTape().call(0, ofKind("task")).looksUpSession(0.001, ofAgent()).looksUp(1, takesTasks()).fails(2, evidence.Other), Failed, "after an answer of discovery"},
		{"FLOW-28", "between a look-up and access", discovering().resolve(1, ready(token1)).fails(2, evidence.Other), Failed, "after an answer of discovery"},
		{"FLOW-28", "before a failed look-up is repeated", newTape().call(0, ofKind("task")).looksUp(0.001, "", status(503, "")).looksUp(0.6, takesTasks()).
			resolve(0.602, ready(token1)).fails(0.61, evidence.Other), Observed, "asked discovery again 0.597991s after it was answered 503"},
		{"FLOW-28", "none", taskSend(), Passed, ""},
	})
}
