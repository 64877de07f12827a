package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestAskFirst(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"FLOW-02", "asked first", plain(), Passed, ""},
		{"FLOW-02", "sent first", newTape().call(0).send(0.001, "", "", status(401, "")).resolve(0.003, ready(token1)).
			send(0.005, token1, answered()).returns(0.007, answered()), Failed, "sent before it had asked for runtime access"},
		{"FLOW-02", "remembered access", plain().call(1).send(1.001, token1, answered()).returns(1.003, answered()), Passed, ""},
		{"FLOW-02", "nothing but a refusal to remember", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked).
			call(1).send(1.001, token1, answered()).returns(1.003, answered()), Failed, "holding none"},
		{"FLOW-02", "an admission without a token", newTape().call(0).resolve(0.001, swap(ready(token1), `"token":"`+token1+`"`, `"token":null`)).fails(0.003, evidence.InvalidResponse).
			call(1).send(1.001, "", answered()).returns(1.003, answered()), Failed, "holding none"},
		{"FLOW-02", "an admission without an address", newTape().call(0).resolve(0.001, swap(ready(token1), `"`+rpcURL+`"`, "null")).fails(0.003, evidence.InvalidResponse).
			call(1).send(1.001, token1, answered()).returns(1.003, answered()), Failed, "holding none"},
		{"FLOW-02", "older access beside one without a token", plain().call(1).resolve(1.001, swap(ready(token1), `"token":"`+token1+`"`, `"token":null`)).fails(1.003, evidence.InvalidResponse).
			call(2).send(2.001, token1, answered()).returns(2.003, answered()), Passed, ""},
		{"FLOW-02", "somebody else's access", plain().call(1, func(c *evidence.Call) { c.Client = "b" }).send(1.001, token1, answered()).returns(1.003, answered()), Passed, ""},
		{"FLOW-02", "access of another session", plain().call(1, func(c *evidence.Call) { c.Session = "other" }).send(1.001, token1, answered()).returns(1.003, answered()), Failed, "holding none"},
		{"FLOW-02", "somebody else's access, by a command", plain().call(1, func(c *evidence.Call) { c.Client, c.Command = "b", &evidence.Command{} }).send(1.001, token1, answered()).exits(1.003, 0, "", ""), Failed, "holding none"},
		{"FLOW-02", "a resolve that may be another call's", newTape().call(0).returns(0.009, answered()).call(0).
			resolve(0.001, ready(token1), ofCalls(1, 2)).send(0.003, token1, answered()).returns(0.005, answered()), Inconclusive, "cannot be told"},
		{"FLOW-02", "no send", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},
	})
}

func TestAdmission(t *testing.T) {
	t.Parallel()
	after := func(answer string) *tape {
		return newTape().call(0).resolve(0.001, answer).send(0.003, token1, answered()).returns(0.005, answered())
	}
	decision := func(v string) string { return swap(ready(token1), `"can_submit":true`, `"can_submit":`+v) }
	prove(t, []proof{
		{"FLOW-04", "an admission alone proves nothing", plain(), "", ""},
		{"FLOW-04", "refused", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), Passed, ""},
		{"FLOW-04", "refused, then admitted", newTape().call(0).resolve(0.001, waiting("waking", "0")).resolve(0.003, ready(token1)).
			send(0.005, token1, answered()).returns(0.007, answered()), Passed, ""},
		{"FLOW-04", "false with a token and is_ready", after(decision("false")), Failed, "sent although the newest answer has"},
		{"FLOW-04", "null", after(decision("null")), Failed, "sent although"},
		{"FLOW-04", "zero", after(decision("0")), Failed, "sent although"},
		{"FLOW-04", "the word false", after(decision(`"false"`)), Failed, "sent although"},
		{"FLOW-04", "absent", after(swap(ready(token1), `"can_submit":true,`, "")), Failed, "sent although"},
		{"FLOW-04", "no interaction", after(`{"rpc_url":"` + rpcURL + `","token":"` + token1 + `","is_ready":true}`), Failed, "sent although"},
		{"FLOW-04", "one", after(decision("1")), "", ""},
		{"FLOW-04", "the word true", after(decision(`"True"`)), "", ""},
		{"FLOW-04", "sent before the answer", newTape().call(0).resolve(0.001, ready(token1)).send(0.0015, token1, answered()).returns(0.005, answered()),
			Failed, "while its resolve was not answered"},
		{"FLOW-04", "sent while the resolve hangs", newTape().call(0).resolve(0.001, "", noAnswer(9, evidence.EndedByRun)).send(0.0015, token1, answered()).returns(0.005, answered()),
			Failed, "while its resolve was not answered"},
		{"FLOW-04", "remembered access", plain().call(1).send(1.001, token1, answered()).returns(1.003, answered()), "", ""},
		{"FLOW-04", "fresh refusal after a rejection", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).
			resolve(0.005, stopped("unavailable")).send(0.007, token1, answered()).returns(0.009, answered()), Failed, "sent although"},
		{"FLOW-04", "sent off script", newTape().call(0).resolve(0.001, stopped("unavailable")).send(0.003, token1, "", unscripted).fails(0.005, evidence.Rejected), Failed, "sent although"},
		{"FLOW-04", "refused in a hang", newTape().call(0).resolve(0.001, stopped("unavailable")), "", ""},
		{"FLOW-04", "two calls at once and neither admitted", newTape().call(0).returns(0.009, answered()).call(0).resolve(0.001, stopped("unavailable")).
			resolve(0.002, stopped("unavailable"), ofCalls(1, 2)).send(0.004, token1, answered()).returns(0.005, answered()), Failed, "sent although"},
		{"FLOW-04", "two calls at once", newTape().call(0).returns(0.009, answered()).call(0).resolve(0.001, stopped("unavailable")).
			resolve(0.002, ready(token1), ofCalls(1, 2)).send(0.004, token1, answered()).returns(0.005, answered()), Inconclusive, "several calls resolved at once"},
	})
}

func TestMustSend(t *testing.T) {
	t.Parallel()
	sent := func(answer string) *tape {
		return newTape().call(0).resolve(0.001, answer).send(0.003, token1, answered()).returns(0.005, answered())
	}
	held := func(answer string, edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, edit...).resolve(0.001, answer).fails(0.005, evidence.Blocked)
	}
	state := func(s string) string { return swap(ready(token1), `"state":"ready"`, `"state":"`+s+`"`) }
	deaf := held(ready(token1))
	deaf.run.Endpoints[1].Accepts = evidence.AcceptsRefuse
	cancelled := func(c *evidence.Call) { when := at(0.0015); c.Cancelled = &when }
	unreadable := func(c *evidence.Call) { c.Files = []evidence.InputFile{{Name: "a.pdf"}} }
	prove(t, []proof{
		{"FLOW-03", "ready", plain(), Passed, ""},
		{"FLOW-03", "waking but admitted", sent(state("waking")), Passed, ""},
		{"FLOW-03", "waking but admitted, refused", held(state("waking")), Failed, `can_submit true in state "waking"`},
		{"FLOW-03", "unknown state refused", held(state("hibernating")), Failed, "did not send"},
		{"FLOW-03", "resolved again first", newTape().call(0).resolve(0.001, state("waking")).resolve(0.003, ready(token1)).
			send(0.005, token1, answered()).returns(0.007, answered()), Passed, ""},
		{"FLOW-03", "mode unavailable", held(swap(ready(token1), `"mode":"token"`, `"mode":"unavailable"`)), "", ""},
		{"FLOW-03", "no service uid", held(swap(ready(token1), `"7bd86be3-0000-4000-8000-000000000001"`, "null")), "", ""},
		{"FLOW-03", "a query in the address", held(swap(ready(token1), rpcURL, rpcURL+"?a=b")), "", ""},
		{"FLOW-03", "a user name in the address", held(swap(ready(token1), "http://", "http://heron:siskin@")), "", ""},
		{"FLOW-03", "a token that is no Bearer", held(swap(ready(token1), token1, "two words")), "", ""},
		{"FLOW-03", "no usable token", held(swap(ready(token1), `"`+token1+`"`, "null")), "", ""},
		{"FLOW-03", "no expiry that can be read", held(swap(ready(token1), `"2999-01-01T00:00:00Z"`, `"soon"`)), "", ""},
		{"FLOW-03", "state of a wrong type", held(swap(ready(token1), `"state":"ready"`, `"state":7`)), "", ""},
		{"FLOW-03", "a malformed diagnostic", held(swap(ready(token1), `"is_ready":true`, `"is_ready":"yes"`)), "", ""},
		{"FLOW-03", "no time left", held(ready(token1), timeout(0.05)), "", ""},
		{"FLOW-03", "a timeout that nobody can keep", held(ready(token1), timeout(-1)), "", ""},
		{"FLOW-03", "cancelled", held(ready(token1), cancelled), "", ""},
		{"FLOW-03", "a file that cannot be read", held(ready(token1), unreadable), "", ""},
		{"FLOW-03", "a blank message id", held(ready(token1), func(c *evidence.Call) { c.Input.MessageID = evidence.Some(" ") }), "", ""},
		{"FLOW-03", "nobody listens", deaf, "", ""},
		{"FLOW-03", "a runtime that is not in the run", held(swap(ready(token1), rpcURL, "http://nowhere.test/")), "", ""},
		{"FLOW-03", "a hang", newTape().call(0).resolve(0.001, ready(token1)), "", ""},
		{"FLOW-03", "an answer that was cut", newTape().call(0).resolve(0.001, ready(token1), broken).fails(0.005, evidence.Transport), "", ""},
		{"FLOW-03", "the send was off script", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", unscripted).fails(0.005, evidence.Rejected), "", ""},
		{"FLOW-03", "after two rejections", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, ready(token2)).
			send(0.007, token2, "", status(401, "")).resolve(0.009, ready(token2)).fails(0.02, evidence.Unauthorized), Passed, ""},
		{"FLOW-03", "a send that may be another call's", newTape().call(0).returns(0.009, answered()).call(0).resolve(0.001, ready(token1)).
			send(0.003, token1, answered(), ofCalls(1, 2)).returns(0.005, answered()), Inconclusive, "cannot be told"},
		{"FLOW-24", "all well-formed", plain(), "", ""},
		{"FLOW-24", "unknown members", sent(swap(ready(token1), `"is_ready":true`, `"is_ready":true,"new":1`)), Passed, ""},
		{"FLOW-24", "unknown members refused", held(swap(ready(token1), `"is_ready":true`, `"is_ready":true,"new":1`)), Warned, `unknown member "new"`},
		{"FLOW-24", "no presence", held(swap(ready(token1), `"runtime_presence":{"phase":"serving","replicas":{},"detail":"","observed_at":null,"wake":null}`, `"runtime_presence":null`)), Warned, "runtime_presence is null"},
		{"FLOW-24", "malformed presence", held(swap(ready(token1), `"phase":"serving"`, `"phase":7`)), Warned, "phase is a number"},
		{"FLOW-24", "malformed notice and operation", held(swap(ready(token1), `"notice":null,"operation":null`, `"notice":{"severity":1},"operation":{}`)), Warned, "the status of operation is absent"},
		{"FLOW-24", "a lean answer", sent(swap(ready(token1), `,"is_ready":true`, "", `,"retry_after_ms":null`, "")), Passed, ""},
	})
}

func TestDiagnosticsDecideNothing(t *testing.T) {
	t.Parallel()
	failed := swap(ready(token1), `"phase":"serving"`, `"phase":"failed"`, `"is_ready":true`, `"is_ready":false`,
		`"notice":null`, `"notice":{"code":"c","severity":"error","title":"canary","message":"canary"}`,
		`"operation":null`, `"operation":{"uid":"u","status":"failed","created_at":"c","support_reference":"r"}`, `"runtime_interaction"`, `"detail":"canary","runtime_interaction"`)
	flattering := swap(stopped("unavailable"), `"phase":"starting"`, `"phase":"serving"`, `"is_ready":false`, `"is_ready":true`,
		`"notice":null`, `"notice":{"code":"c","severity":"success","title":"canary","message":"canary"}`,
		`"operation":null`, `"operation":{"uid":"u","status":"succeeded","created_at":"c","support_reference":"r"}`)
	prove(t, []proof{
		{"FLOW-26", "nothing contrary", plain(), "", ""},
		{"FLOW-26", "contrary and sent", newTape().call(0).resolve(0.001, failed).send(0.003, token1, answered()).returns(0.005, answered()), Passed, ""},
		{"FLOW-26", "contrary and not sent", newTape().call(0).resolve(0.001, failed).fails(0.003, evidence.Blocked), Failed,
			`beside is_ready false, phase "failed", a notice of severity "error", an operation "failed", a detail`},
		{"FLOW-26", "contrary and malformed", newTape().call(0).resolve(0.001, swap(failed, `"wake":null`, `"wake":7`)).fails(0.003, evidence.Blocked), "", ""},
		{"FLOW-26", "flattered and not sent", newTape().call(0).resolve(0.001, flattering).fails(0.003, evidence.Blocked), Passed, ""},
		{"FLOW-26", "flattered and sent", newTape().call(0).resolve(0.001, flattering).send(0.003, token1, answered()).returns(0.005, answered()), Failed, "sent although can_submit was false"},
		{"FLOW-26", "flattered and sent off script", newTape().call(0).resolve(0.001, flattering).send(0.003, token1, "", unscripted).fails(0.005, evidence.Rejected), Failed, "beside is_ready true"},
		{"FLOW-26", "plainly refused", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},
		{"FLOW-26", "flattered in a hang", newTape().call(0).resolve(0.001, flattering), "", ""},
	})
}
