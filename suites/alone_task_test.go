package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestPartsOfFollowingATask(t *testing.T) {
	t.Parallel()
	working := taskIn("WORKING")
	get := evidence.CallGetTask
	once := func(token string, edit ...func(*evidence.Exchange)) *tape {
		return about(get).resolve(0.001, ready(token1)).gets(0.003, token, "", append(edit, status(401, "{}"))...)
	}
	twice := func() *tape {
		return once(token1).resolve(0.005, ready(token2)).gets(0.007, token2, "", status(403, "{}"))
	}
	prove(t, []proof{
		{"TASK-05", "a Task without a request", about(get).resolve(0.001, ready(token1)).hands(0.005, working), "", ""},
		{"TASK-05", "an awkward id, not asked", newTape().call(0, taskCall(get, "a/b")).resolve(0.001, ready(token1)).fails(0.005, evidence.Other), "", ""},
		{"TASK-05", "the get may be another call's", about(get).resolve(0.001, ready(token1)).fails(0.01, evidence.Other).
			call(0, taskCall(get, "t")).gets(0.005, token1, wrapped(working), ofCalls(1, 2)), "", ""},
		{"TASK-05", "an answer that broke off", about(get).resolve(0.001, ready(token1), broken).fails(0.005, evidence.Transport), "", ""},

		{"TASK-09", "admitted by an answer that may be another call's", about(get).resolve(0.001, stopped("unavailable")).gets(0.01, token1, wrapped(working)).hands(0.02, working).
			call(0).resolve(0.005, ready(token1), ofCalls(1, 2)), Inconclusive, "several calls resolved"},
		{"TASK-09", "blocked and hangs", about(get).resolve(0.001, stopped("unavailable")), "", ""},
		{"TASK-09", "blocked, asked again, and hangs", about(get).resolve(0.001, waiting("waking", "1000")).resolve(1.1, waiting("waking", "1000")), Passed, ""},
		{"TASK-09", "the token handed out again", once(token1).resolve(0.005, ready(token1)).gets(0.007, token1, wrapped(working)).hands(0.009, working), Passed, ""},
		{"TASK-09", "no credential at all", once("", header("Authorization")).resolve(0.005, ready(token2)).gets(0.007, "", wrapped(working), header("Authorization")).hands(0.009, working), "", ""},
		{"TASK-16", "a Task after the second rejection", twice().hands(0.009, working), Warned, "after its second rejection"},
		{"TASK-16", "rejected twice", twice().fails(0.009, evidence.Unauthorized), Passed, ""},
	})
}

func TestPartsOfDiscovery(t *testing.T) {
	t.Parallel()
	task := ofKind("task")
	sends := func(t *tape, arrive float64) *tape {
		return t.send(arrive, token1, wrapped(taskIn("WORKING"))).hands(arrive+0.002, taskIn("WORKING"))
	}
	unasked := func() *tape { return sends(newTape().call(0, task).resolve(0.001, ready(token1)), 0.007) }
	denied := func() *tape {
		return newTape().call(0, task).looksUpSession(0.001, ofAgent()).looksUp(0.003, profile(`["message"]`)).fails(0.009, evidence.NotAdvertised)
	}
	remembered := func() *tape { return sends(taskSend().call(1, task), 1.003) }
	prove(t, []proof{
		{"TASK-01", "discovery may be another call's", unasked().call(0).looksUp(0.003, takesTasks(), ofCalls(1, 2)), Inconclusive, "discovery may belong"},
		{"TASK-01", "gave up on access that it had", plain().call(1, task).fails(1.001, evidence.Other), "", ""},
		{"TASK-01", "gave up when discovery failed", newTape().call(0, task).looksUp(0.001, "", status(500, "{}")).fails(0.009, evidence.NotAdvertised), "", ""},
		{"TASK-02", "a send that may be another call's", denied().call(0).send(0.005, token1, answered(), ofCalls(1, 2)), Inconclusive, "a send may belong"},
		{"TASK-14", "discovery may be another call's", remembered().call(1).looksUp(1.001, takesTasks(), ofCalls(2, 3)), Inconclusive, "discovery may belong"},
		{"TASK-14", "the session may be another call's", remembered().call(1).looksUpSession(1.001, ofAgent(), ofCalls(2, 3)), Inconclusive, "discovery may belong"},
		{"TASK-14", "asked only after the send", taskSend().call(1, task).send(1.003, token1, wrapped(taskIn("WORKING"))).looksUp(1.005, takesTasks()).hands(1.009, taskIn("WORKING")), Warned, "to an earlier call"},
	})
}

func TestPartsOfTheCommand(t *testing.T) {
	t.Parallel()
	with := func(parts string) *tape {
		return ordered().send(0.003, token1, swap(answered(), `[{"text":"canary answer"}]`, parts))
	}
	blocked := func(t *tape, start float64, stderr string) *tape {
		return t.call(start).resolve(start+0.001, stopped("unavailable")).exits(start+0.01, 1, "", stderr)
	}
	refused := func(stderr string, edit ...func(*evidence.Exchange)) *tape {
		return ordered().send(0.003, token1, "", append(edit, status(409, ""))...).exits(0.01, 1, "", stderr)
	}
	resent := func(pairs ...string) *tape {
		return ordered().send(0.003, token1, "", status(401, refusal), requestBody(pairs...)).resolve(0.005, ready(token2)).
			send(0.007, token2, "", status(409, "")).exits(0.01, 1, "", "message id: msg-1")
	}
	again := func(first *tape, id string, edit ...func(*evidence.Call)) *tape {
		return first.call(5, append(edit, withID(id))...).resolve(5.001, ready(token2)).send(5.003, token2, answered()).exits(5.01, 0, answered(), "")
	}
	strict := func(modes string) *tape {
		return ordered(strictly()).send(0.003, token1, answered(), sentBody(swap(strictBody(), `["application/json"]`, modes))).exits(0.01, 0, answered(), "")
	}
	prove(t, []proof{
		{"CLI-02", "a mode too many", strict(`["application/json","text/plain"]`), Failed, "has not the strict shape"},
		{"CLI-02", "another mode", strict(`["text/plain"]`), Failed, "has not the strict shape"},
		{"CLI-02", "in process", newTape().call(0, strictly()).resolve(0.001, ready(token1)).send(0.003, token1, answered()).returns(0.01, answered()), "", ""},

		{"CLI-05", "several, where another start named its own", blocked(refused("message id: msg-1"), 1, "message id: msg-7\nmessage id: msg-8"), Inconclusive, "cannot be told"},
		{"CLI-05", "none, where a later start named its own", blocked(newTape(), 0, "blocked").call(1).resolve(1.001, ready(token1)).
			send(1.003, token1, "", status(409, "")).exits(1.01, 1, "", "message id: msg-2"), Inconclusive, "cannot be told"},
		{"CLI-05", "none, where an earlier start had no need to name its own", blocked(with(`[{"text":"x"}]`).exits(0.01, 0, "x", ""), 1, "blocked"), Inconclusive, "cannot be told"},
		{"CLI-06", "a first send without an id", resent(`"messageId":"msg-1",`, ""), Passed, ""},
		{"CLI-06", "a first send with a blank one", resent("msg-1", " "), Passed, ""},
		{"CLI-06", "named in other words beside another", refused("retry with msg-1; its message id: msg-9"), Passed, ""},

		{"CLI-08", "a send that may be another start's", ordered().exits(0.01, 0, "", "x").call(0).send(0.005, token1, answered(), ofCalls(1, 2)), "", ""},

		{"CLI-11", "another message", again(refused("message id: msg-1"), "msg-1", saying("something else")), "", ""},
		{"CLI-11", "an id that a later start makes", again(newTape(), "msg-2").call(9).resolve(9.001, ready(token1)).
			send(9.003, token1, answered(), requestBody(`"role":`, `"metadata":{"try":2},"role":`)).exits(9.01, 0, answered(), ""), "", ""},
		{"CLI-11", "an id that was printed and not sent", again(refused("message id: msg-9"), "msg-9"), "", ""},
		{"CLI-11", "an id that was neither", again(blocked(newTape(), 0, "message id: msg-7"), "other"), "", ""},

		{"CLI-15", "failed", with(`[{"data":"abc"}]`).exits(0.01, 1, "", "x"), "", ""},
		{"CLI-15", "a second text that may be rendered", with(`[{"text":"canary answer"},{"text":"**bold**"}]`).exits(0.01, 0, "canary answer", ""), "", ""},
		{"CLI-15", "too short to be known again", with(`[{"text":"canary answer"},{"data":"qz"}]`).exits(0.01, 0, "canary answer", ""), "", ""},
		{"CLI-15", "just long enough", with(`[{"text":"canary answer"},{"data":"qzx"}]`).exits(0.01, 0, "canary answer", ""), Warned, "part 2"},
	})
}
