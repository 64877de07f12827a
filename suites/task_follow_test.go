package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestTaskRoutes(t *testing.T) {
	t.Parallel()
	working := taskIn("WORKING")
	asked := func(op evidence.CallOp, edit ...func(*evidence.Exchange)) *tape {
		return about(op).resolve(0.001, ready(token1)).gets(0.003, token1, wrapped(working), edit...).hands(0.005, working)
	}
	below := func(where string) *tape {
		return about(evidence.CallGetTask).resolve(0.001, swap(ready(token1), rpcURL, "http://runtime.test:80/p/")).
			gets(0.003, token1, wrapped(working), target(where)).hands(0.005, working)
	}
	awkwardly := func(raw string) *tape {
		return newTape().call(0, taskCall(evidence.CallGetTask, "a/b")).resolve(0.001, ready(token1)).gets(0.003, token1, "{}", target("/api/a2a/v1/tasks/"+raw)).fails(0.005, evidence.Other)
	}
	prove(t, []proof{
		{"TASK-05", "get", asked(evidence.CallGetTask), Passed, ""},
		{"TASK-05", "a prefix kept", below("/p/api/a2a/v1/tasks/t"), Passed, ""},
		{"TASK-05", "a prefix lost", below("/api/a2a/v1/tasks/t"), Failed, "the get of the Task went as GET to http://runtime.test:80/api/a2a/v1/tasks/t"},
		{"TASK-05", "another Task", asked(evidence.CallGetTask, target("/api/a2a/v1/tasks/u")), Failed, "tasks/u"},
		{"TASK-05", "by another path", asked(evidence.CallGetTask, target("/api/tasks/t"), meaning(evidence.OpUnknown)), Failed, "went as GET to http://runtime.test:80/api/tasks/t"},
		{"TASK-05", "the platform's token", asked(evidence.CallGetTask, header("Authorization", "Bearer ‹platform-token›")), Failed, "authorised with ‹platform-token›"},
		{"TASK-05", "without access", about(evidence.CallGetTask).gets(0.003, token1, wrapped(working)).hands(0.005, working), Failed, "before the call had any access"},
		{"TASK-05", "on earlier access", plain().call(1, taskCall(evidence.CallGetTask, "t")).gets(1.003, token1, wrapped(working)).hands(1.005, working), Passed, ""},
		{"TASK-05", "not asked", about(evidence.CallGetTask).resolve(0.001, ready(token1)).fails(0.005, evidence.Other), Failed, "the Task was not asked for"},
		{"TASK-05", "blocked", about(evidence.CallGetTask).resolve(0.001, stopped("unavailable")).fails(0.005, evidence.Blocked), "", ""},
		{"TASK-05", "several slashes", about(evidence.CallGetTask).resolve(0.001, swap(ready(token1), rpcURL, rpcURL+"/")).gets(0.003, token1, wrapped(working)).hands(0.005, working), Observed, "several slashes"},
		{"TASK-05", "a wait", asked(evidence.CallWaitTask), Passed, ""},
		{"TASK-05", "a cancel", asked(evidence.CallCancelTask), "", ""},
		{"TASK-06", "cancel", asked(evidence.CallCancelTask), Passed, ""},
		{"TASK-06", "the colon escaped", asked(evidence.CallCancelTask, target("/api/a2a/v1/tasks/t%3Acancel")), Passed, ""},
		{"TASK-06", "a path of its own", asked(evidence.CallCancelTask, target("/api/a2a/v1/tasks/t/cancel"), meaning(evidence.OpUnknown)), Failed, "tasks/t/cancel"},
		{"TASK-06", "by a GET", asked(evidence.CallCancelTask, target("/api/a2a/v1/tasks/t:cancel"), method("GET"), meaning(evidence.OpUnknown)), Failed, "went as GET to http://runtime.test:80/api/a2a/v1/tasks/t:cancel"},
		{"TASK-06", "a get in its place", asked(evidence.CallCancelTask, target("/api/a2a/v1/tasks/t"), method("GET"), meaning(evidence.OpGetTask)), Failed, "went as GET"},
		{"TASK-06", "a get before it", about(evidence.CallCancelTask).resolve(0.001, ready(token1)).asks(0.002, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t").
			gets(0.003, token1, wrapped(working)).hands(0.005, working), Passed, ""},
		{"TASK-06", "another route in its place", about(evidence.CallCancelTask).resolve(0.001, stopped("unavailable")).asks(0.002, evidence.OpUnknown, "runtime", "GET", "/health").fails(0.005, evidence.Blocked), "", ""},
		{"TASK-05", "by a POST", asked(evidence.CallGetTask, method("POST"), meaning(evidence.OpUnknown)), Failed, "went as POST"},
		{"TASK-05", "on an answer without a token", about(evidence.CallGetTask).resolve(0.001, swap(ready(token1), `"token":"`+token1+`"`, `"token":null`)).gets(0.003, "", wrapped(working)).hands(0.005, working),
			Failed, "came on an answer that gives no usable token"},
		{"TASK-06", "not asked", about(evidence.CallCancelTask).resolve(0.001, ready(token1)).fails(0.005, evidence.Other), Failed, "the Task was not asked for"},
		{"TASK-06", "a get", asked(evidence.CallGetTask), "", ""},
		{"TASK-11", "escaped", awkwardly("a%2Fb"), Passed, ""},
		{"TASK-11", "as it is", awkwardly("a/b"), Warned, "the request went to /api/a2a/v1/tasks/a/b"},
		{"TASK-11", "refused", newTape().call(0, taskCall(evidence.CallGetTask, "a/b")).fails(0.001, evidence.InvalidArgument), Passed, ""},
		{"TASK-11", "an ordinary id", asked(evidence.CallGetTask), "", ""},
	})
}

func TestTaskAdmission(t *testing.T) {
	t.Parallel()
	working := taskIn("WORKING")
	blocked := func() *tape { return about(evidence.CallGetTask).resolve(0.001, stopped("unavailable")) }
	rejected := func(second string) *tape {
		return about(evidence.CallGetTask).resolve(0.001, ready(token1)).gets(0.003, token1, "", status(401, "{}")).resolve(0.005, ready(token2)).
			gets(0.007, second, wrapped(working)).hands(0.009, working)
	}
	late := about(evidence.CallCancelTask, timeout(2)).resolve(0.001, waiting("waking", "60000"))
	forgotten := func(token string) *tape {
		return about(evidence.CallGetTask).resolve(0.001, ready(token1)).gets(0.003, token1, "", status(403, "{}")).resolve(0.005, stopped("unavailable")).fails(0.007, evidence.Blocked).
			call(1).send(1.003, token, answered()).returns(1.005, answered())
	}
	prove(t, []proof{
		{"TASK-09", "blocked", blocked().fails(0.003, evidence.Blocked), Passed, ""},
		{"TASK-09", "asked all the same", blocked().gets(0.003, token1, wrapped(working)).hands(0.005, working), Failed, "asked the runtime for the Task although"},
		{"TASK-09", "connected", blocked().connects(0.1, "runtime").fails(0.2, evidence.Blocked), Failed, "opened a connection to the runtime"},
		{"TASK-09", "a wait asked all the same", about(evidence.CallWaitTask).resolve(0.001, waiting("waking", "100")).gets(0.003, token1, "{}").fails(0.009, evidence.Other), Failed, "asked the runtime"},
		{"TASK-09", "does not fit", late.fails(0.003, evidence.NotReady), Passed, ""},
		{"TASK-09", "fresh access", rejected(token2), Passed, ""},
		{"TASK-09", "the rejected access", rejected(token1), Failed, "which the runtime had rejected"},
		{"TASK-09", "forgotten", forgotten(token2), Passed, ""},
		{"TASK-09", "remembered", forgotten(token1), Failed, "which the runtime had rejected"},
		{"TASK-09", "a send", plain(), "", ""},
		{"FLOW-11", "a cancel that times out", about(evidence.CallCancelTask, timeout(2)).resolve(0.001, waiting("waking", "60000")).fails(0.003, evidence.TimedOut), Failed, "ended with timeout"},
		{"FLOW-12", "a get that sleeps", about(evidence.CallGetTask, timeout(5)).resolve(0.001, waiting("waking", "60000")).fails(4.9, evidence.NotReady), Failed, "ended only"},
		{"TASK-16", "refreshed", rejected(token2), Passed, ""},
		{"TASK-16", "not refreshed", got("", status(401, "{}")).fails(0.005, evidence.Unauthorized), Warned, "without asking for access afresh"},
		{"TASK-16", "not asked again", got("", status(401, "{}")).resolve(0.005, ready(token2)).fails(0.007, evidence.Unauthorized), Warned, "no second get of the Task came"},
		{"TASK-16", "a third time", rejected(token2).judgedAfterSecond(), Warned, "asked for the Task again after the second rejection"},
		{"TASK-16", "waited", about(evidence.CallGetTask).resolve(0.001, waiting("waking", "1000")).resolve(1.002009, ready(token1)).gets(1.004, token1, wrapped(working)).hands(1.006, working), Passed, ""},
		{"TASK-16", "waited too little", about(evidence.CallGetTask).resolve(0.001, waiting("waking", "1000")).resolve(0.5, ready(token1)).fails(1.006, evidence.Other), Warned, "resolved again 0.497991s"},
		{"TASK-16", "waited too long", about(evidence.CallGetTask).resolve(0.001, waiting("waking", "1000")).resolve(9, ready(token1)).fails(9.006, evidence.Other), Warned, "resolved again 8.997991s"},
		{"TASK-16", "did not wait", about(evidence.CallGetTask).resolve(0.001, waiting("waking", "1000")).fails(0.006, evidence.NotReady), Warned, "did not resolve again"},
		{"TASK-16", "a wait", about(evidence.CallWaitTask).resolve(0.001, waiting("waking", "1000")).fails(0.006, evidence.NotReady), "", ""},
		{"AUTH-08", "a get asked again after 503", got("", status(503, "{}")).gets(0.005, token1, wrapped(working)).hands(0.009, working), Observed, "asked for again after an answer of 503"},
		{"REQ-20", "a get redirected and left", got("", redirect(302, "http://other.test/x")).fails(0.005, evidence.Rejected), Passed, ""},
		{"REQ-25", "text in a get", newTape().call(0, saying("seventeen paper cranes")).resolve(0.001, ready(token1)).send(0.003, token1, answered()).returns(0.005, answered()).
			call(1, taskCall(evidence.CallGetTask, "t")).gets(1.003, token1, "{}", header("X-Trace", "seventeen paper cranes")).fails(1.005, evidence.Other), Failed, "X-Trace"},
	})
}

// judgedAfterSecond makes the second get of a tape a rejection too, and adds a third.
func (t *tape) judgedAfterSecond() *tape {
	status(401, "{}")(&t.run.Exchanges[len(t.run.Exchanges)-1])
	return t.gets(0.011, token2, wrapped(taskIn("WORKING"))).hands(0.02, taskIn("WORKING"))
}
