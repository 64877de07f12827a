package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Task mode and what follows a Task at the edges of their rules, where one condition alone decides.

func TestTheEdgesOfDiscovery(t *testing.T) {
	t.Parallel()
	inTask := func() *tape { return newTape().call(0, ofKind("task")) }
	twice := func() *tape { return discovering().looksUp(0.005, takesTasks()) }
	three := func(code int) *tape {
		return inTask().looksUp(0.001, "", status(code, takesTasks())).looksUp(0.003, "", status(code, takesTasks())).
			looksUp(0.005, "", status(code, takesTasks())).fails(0.009, evidence.Other)
	}
	signedIn := inTask().asks(0.001, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/").exits(0.009, 1, "", "x").ofCommand()
	woken := inTask().asks(0.001, evidence.OpUnknown, "platform", "POST", "/wake").exits(0.009, 1, "", "x").ofCommand()
	working := wrapped(taskIn("WORKING"))
	prove(t, []proof{
		{"FLOW-29", "sign-in check of a command", signedIn, Passed, ""},
		{"FLOW-29", "another route, by a command", woken, Failed, "POST /wake"},
		{"FLOW-29", "where the platform redirects a look-up", inTask().looksUp(0.001, "", redirect(307, "/v2/agents/a")).
			asks(0.003, evidence.OpUnknown, "platform", "GET", "/v2/agents/a").fails(0.005, evidence.Other), Passed, ""},
		{"FLOW-29", "asked a third time, behind a redirect", twice().looksUp(0.007, "", redirect(307, "/api/v1/agents/"+agentUID+"/?again")).
			looksUp(0.009, takesTasks(), target("/api/v1/agents/"+agentUID+"/?again")).fails(0.02, evidence.Other), Failed, "asked discovery again"},
		{"FLOW-29", "three times answered 199", three(199), Passed, ""},
		{"FLOW-29", "three times answered 200", three(200), Failed, "asked discovery again"},
		{"FLOW-29", "three times answered 299", three(299), Failed, "asked discovery again"},
		{"FLOW-29", "three times answered 300", three(300), Passed, ""},

		{"TASK-01", "sent without access, and failed", discovering().send(0.007, token1, "", status(500, "{}")).fails(0.009, evidence.ServerFailed), Passed, ""},
		{"TASK-02", "sent before it was denied", inTask().send(0.001, token1, working).looksUp(0.003, profile(`["message"]`)).hands(0.009, taskIn("WORKING")), Failed, "sent though discovery"},
		{"TASK-03", "one that another call's session does not name", inTask().looksUpSession(0.001, `{"agent_uid":"b"}`).fails(0.005, evidence.Other).
			call(1, ofKind("task")).looksUp(1.003, takesTasks()).fails(1.005, evidence.Other), Failed, "no answer about the session had named"},
		{"TASK-03", "none, and asked for access", inTask().looksUpSession(0.001, `{"agent_uid":null}`).resolve(0.003, ready(token1)).fails(0.005, evidence.NotAdvertised), Passed, ""},
		{"TASK-14", "told at the instant of its start", inTask().looksUp(0, takesTasks(), answerAfter(0)).send(0.001, token1, working).hands(0.009, taskIn("WORKING")), "", ""},
		{"TASK-14", "remembered, and asked for access", taskSend().call(1, ofKind("task")).resolve(1.001, ready(token1)).send(1.007, token1, working).hands(1.009, taskIn("WORKING")), Warned, "to an earlier call"},
		{"TASK-14", "asked again, beside a look-up that may be another call's", discoversAgain(taskSend()).call(1).returns(9, answered()).call(1, ofKind("task")).
			looksUp(1.005, takesTasks()).looksUp(1.006, takesTasks(), ofCalls(3, 4)).send(1.01, token1, working).hands(1.02, taskIn("WORKING")), Passed, ""},
	})
}

func TestTheEdgesOfTaskRoutes(t *testing.T) {
	t.Parallel()
	get, working := evidence.CallGetTask, wrapped(taskIn("WORKING"))
	second := about(get).resolve(0.001, ready(token1)).gets(0.003, token1, working, to("second"))
	second.run.Endpoints = append(second.run.Endpoints, evidence.Endpoint{Name: "second", Side: evidence.SideRuntime, Origin: "http://second.test:80"})
	prove(t, []proof{
		{"TASK-05", "a blank id", newTape().call(0, taskCall(get, " ")).gets(0.003, token1, working), "", ""},
		{"TASK-05", "another runtime", second, Failed, "went as GET to http://second.test:80"},
		{"TASK-05", "a target that is no path", got(working, target("t")), Failed, "went as GET to http://runtime.test:80t"},
		{"TASK-05", "with the credentials of its address", about(get).resolve(0.001, rpc("http://user:secret@runtime.test:80/")).
			gets(0.003, token1, working, header("Authorization", "Basic dTpw")), Passed, ""},
		{"TASK-05", "beside a refusal that may be another call's", beside(taskCall(get, "t")).resolve(0.001, stopped("unavailable"), mayBeOf).
			gets(0.003, token1, working), Inconclusive, "several calls resolved at once"},
		{"TASK-05", "not asked, in a hang", about(get).resolve(0.001, ready(token1)), "", ""},
		{"TASK-05", "nothing asked at all", about(get).fails(0.005, evidence.Other), "", ""},
		{"TASK-05", "not asked on an answer whose last byte nobody saw", about(get).resolve(0.001, ready(token1), lastUnseen).fails(0.005, evidence.Other), "", ""},
		{"TASK-06", "where the platform redirects a resolve", about(evidence.CallCancelTask).resolve(0.001, "", redirect(307, "http://runtime.test:80/api/a2a/v1/tasks/t")).
			asks(0.003, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t").fails(0.005, evidence.Other), "", ""},
	})
}

func TestTheEdgesOfTaskAdmission(t *testing.T) {
	t.Parallel()
	get := taskCall(evidence.CallGetTask, "t")
	twice := func(more ...func(*tape) *tape) *tape {
		x := newTape().call(0, get).hands(9, taskIn("WORKING")).call(0, get).resolve(0.001, ready(token1)).gets(0.003, token1, "", status(401, "{}")).
			resolve(0.005, ready(token2)).gets(0.007, token2, "", status(401, "{}"))
		for _, add := range more {
			x = add(x)
		}
		return x
	}
	open := func(x *tape) *tape { return x.gets(0.009, token2, "{}", mayBeOf) }
	handed := func(x *tape) *tape { return x.hands(0.02, taskIn("WORKING")) }
	stalls := func() *tape { return got("", status(401, "{}"), broken) }
	prove(t, []proof{
		{"TASK-09", "a wait that times out", about(evidence.CallWaitTask, timeout(10)).resolve(0.001, waiting("waking", "60000")).fails(10, evidence.TimedOut), Passed, ""},
		{"TASK-16", "a rejection that broke off", stalls().fails(0.005, evidence.Unauthorized), "", ""},
		{"TASK-16", "a rejection that broke off, refreshed", stalls().resolve(0.005, ready(token2)).gets(0.007, token2, wrapped(taskIn("WORKING"))).hands(0.009, taskIn("WORKING")), Passed, ""},
		{"TASK-16", "two resolves at once", about(evidence.CallGetTask).resolve(0.001, waiting("waking", "1000")).resolve(0.0015, ready(token1)).fails(0.006, evidence.Other), "", ""},
		{"TASK-16", "told to wait, in a hang", about(evidence.CallGetTask).resolve(0.001, waiting("waking", "1000")), "", ""},
		{"TASK-16", "a resolve that may be another call's", beside(get).resolve(0.001, waiting("waking", "1000")).resolve(1.1, ready(token1), mayBeOf).fails(1.2, evidence.Other), "", ""},
		{"TASK-16", "rejected twice, in a hang", twice(), Passed, ""},
		{"TASK-16", "rejected twice, and a result", twice(handed), Warned, "after its second rejection"},
		{"TASK-16", "rejected twice, and a result of what may be another call's", twice(open, handed), Passed, ""},
	})
}

func TestTheEdgesOfATypedTask(t *testing.T) {
	t.Parallel()
	working := taskIn("WORKING")
	answeredWith := func(task string, edit ...func(*evidence.Exchange)) *tape {
		return discovering().resolve(0.005, ready(token1)).send(0.007, token1, wrapped(task), edit...)
	}
	refused := func(task string, edit ...func(*evidence.Exchange)) *tape {
		return answeredWith(task, edit...).fails(0.009, evidence.InvalidResponse)
	}
	says := func(message string) string {
		return swap(working, `"TASK_STATE_WORKING"`, `"TASK_STATE_WORKING","message":`+message)
	}
	const list = `[{"artifactId":"1","parts":[{"text":"canary"}]}]`
	printed := func(stdout string) *tape { return answeredWith(working).exits(1, 0, stdout, "") }
	created := func(x *evidence.Exchange) { x.Response.Status = 201 }
	prove(t, []proof{
		{"TASK-04", "refused under 201", refused(working, created), "", ""},
		{"TASK-04", "refused for a member twice", refused(swap(working, `"id":"t"`, `"id":"t","id":"t"`)), "", ""},
		{"TASK-04", "refused for a huge number", refused(swap(working, `"id":"t"`, `"id":"t","n":9007199254740993`)), "", ""},
		{"TASK-04", "refused for its media type", refused(working, responseHeader("Content-Type", "text/html")), "", ""},
		{"TASK-04", "refused for artifacts that are no list", refused(swap(working, list, `"x"`)), "", ""},
		{"TASK-04", "refused for a message that is no object", refused(says(`"x"`)), "", ""},
		{"TASK-04", "refused with a message that is null", refused(says("null")), Failed, "the answer is a sound Task"},
		{"TASK-04", "another one returned under 201", answeredWith(working, created).hands(0.009, swap(working, `"t"`, `"u"`)), "", ""},
		{"TASK-04", "an empty object lost", answeredWith(swap(working, `"id"`, `"more":{},"id"`)).hands(0.009, working), Warned, "not all that was answered"},
		{"TASK-04", "a number that became an object", answeredWith(swap(working, `"id"`, `"more":1,"id"`)).hands(0.009, swap(working, `"id"`, `"more":{},"id"`)), Warned, "not all that was answered"},
		{"TASK-04", "printed with words behind it", printed(wrapped(working) + " done"), Inconclusive, "no Task that can be read"},
		{"TASK-04", "printed without its id", printed(`{"status":{"state":"TASK_STATE_WORKING"}}`), Inconclusive, "no Task that can be read"},
		{"TASK-04", "printed without its status", printed(`{"id":"t"}`), Inconclusive, "no Task that can be read"},
		{"TASK-10", "under 201", got(wrapped(working), created).fails(0.005, evidence.Other), "", ""},
		{"RESP-10", "under 201", discovering().resolve(0.005, ready(token1)).send(0.007, token1, answered(), created).returns(0.009, answered()), "", ""},
	})
}

func TestTheEdgesOfInternalDirections(t *testing.T) {
	t.Parallel()
	spoken := swap(taskIn("WORKING"), `"TASK_STATE_WORKING"`, `"TASK_STATE_WORKING","message":{"role":"ROLE_RESPONDER"}`)
	words := swap(taskIn("WORKING"), "canary", "ROLE_REQUESTER")
	refused := func(task string) *tape {
		return discovering().resolve(0.005, ready(token1)).send(0.007, token1, wrapped(task)).fails(0.009, evidence.InvalidResponse)
	}
	wentOn := func(edit ...func(*evidence.Exchange)) *tape {
		return about(evidence.CallWaitTask, everySecond).resolve(0.001, ready(token1)).gets(0.003, token1, wrapped(spoken), edit...).
			gets(1.003, token1, wrapped(taskIn("COMPLETED"))).hands(1.005, taskIn("COMPLETED"))
	}
	prove(t, []proof{
		{"RESP-16", "a Task in Message mode, and sent again", begun().send(0.003, token1, wrapped(spoken)).send(0.005, token1, answered()).returns(0.007, answered()), "", ""},
		{"RESP-16", "a failure with a Task", wentOn(status(500, wrapped(spoken))), "", ""},
		{"RESP-16", "a Task whose last byte nobody saw", wentOn(lastUnseen), "", ""},
		{"RESP-16", "the word of a request, refused", refused(words), Failed, "in its content alone"},
		{"RESP-16", "words of a Task that may be refused", refused(swap(words, sessionUID, "elsewhere")), "", ""},
		{"RESP-16", "words, at the end of a wait", about(evidence.CallWaitTask, everySecond).resolve(0.001, ready(token1)).gets(0.003, token1, wrapped(words)).fails(0.005, evidence.Other), "", ""},
	})
}

func TestTheEdgesOfAWait(t *testing.T) {
	t.Parallel()
	limited := func(poll float64, edit ...func(*evidence.Call)) *tape {
		return about(evidence.CallWaitTask, append(edit, func(c *evidence.Call) {
			c.Input.PollInterval, c.Input.WaitTimeout = evidence.Some(evidence.Timeout{Total: poll}), evidence.Some(evidence.Timeout{Total: 10})
		})...).resolve(0.001, ready(token1))
	}
	working, completed := wrapped(taskIn("WORKING")), wrapped(taskIn("COMPLETED"))
	nameless := wrapped(`{"status":{"state":"TASK_STATE_COMPLETED"}}`)
	prove(t, []proof{
		{"TASK-07", "an end without an id", limited(1).gets(0.003, token1, nameless).gets(1.1, token1, completed).hands(1.2, taskIn("COMPLETED")), Passed, ""},
		{"TASK-07", "an unknown state twice", waited("DREAMING", "DREAMING").hands(2, taskIn("DREAMING")), "", ""},
		{"TASK-07", "gave up in an unknown state", waited("DREAMING").fails(1.1, evidence.TimedOut), "", ""},
		{"TASK-07", "gave up at its limit, with no pause", limited(0).gets(0.003, token1, working).fails(10, evidence.TimedOut), "", ""},
		{"TASK-07", "gave up close to its limit, with a pause that nobody can keep", limited(-5).gets(0.003, token1, working).fails(9.99, evidence.TimedOut).onClock(), "", ""},
		{"TASK-12", "an unknown state whose last byte nobody saw", limited(1).gets(0.003, token1, wrapped(taskIn("DREAMING")), lastUnseen).gets(1.1, token1, completed).hands(1.2, taskIn("COMPLETED")), "", ""},
		{"TASK-15", "a pause that nobody can keep", limited(0).gets(0.003, token1, working).gets(5, token1, completed).hands(5.1, taskIn("COMPLETED")), Passed, ""},
		{"TASK-15", "a get at its limit, in a hang", limited(1).gets(10, token1, working), "", ""},
		{"TASK-15", "watched to its limit and no further", waited("WORKING").fails(1, evidence.Other).until(10), "", ""},
		{"TASK-15", "its caller gave up", limited(1, cancelled(1)).gets(0.003, token1, working).fails(1.1, evidence.Other), "", ""},
		{"TASK-15", "late because of a resolve, in a hang", limited(1).gets(0.003, token1, working).resolve(1.01, waiting("waking", "5000")).gets(7, token1, completed), Passed, ""},
	})
}
