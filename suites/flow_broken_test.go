package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestNothingToSendWith(t *testing.T) {
	t.Parallel()
	tokenless := swap(ready(token1), `"`+token1+`"`, "null")
	homeless := swap(ready(token1), `"`+rpcURL+`"`, `"runtime.test/x"`)
	sent := func(answer string) *tape {
		return newTape().call(0).resolve(0.001, answer).send(0.003, "", answered()).returns(0.005, answered())
	}
	prove(t, []proof{
		{"FLOW-20", "failed clearly", newTape().call(0).resolve(0.001, tokenless).fails(0.003, evidence.InvalidResponse), Passed, ""},
		{"FLOW-20", "sent without a token", sent(tokenless), Failed, "although the token is no text that a header can carry"},
		{"FLOW-20", "sent without an address", sent(homeless), Failed, "although rpc_url is no absolute http or https URL"},
		{"FLOW-20", "sent off script", newTape().call(0).resolve(0.001, tokenless).send(0.003, "", "", unscripted).fails(0.005, evidence.Other), Failed, "sent on an answer"},
		{"FLOW-20", "returned something", newTape().call(0).resolve(0.001, tokenless).returns(0.003, answered()), Failed, "the call returned a message although"},
		{"FLOW-20", "resolved again and sent", newTape().call(0).resolve(0.001, tokenless).resolve(0.003, ready(token1)).send(0.005, token1, answered()).returns(0.007, answered()), "", ""},
		{"FLOW-20", "all there", plain(), "", ""},
		{"FLOW-20", "a refusal", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},
		{"FLOW-20", "a hang", newTape().call(0).resolve(0.001, tokenless), "", ""},
	})
}

func TestFailedResolve(t *testing.T) {
	t.Parallel()
	failing := func(answer string, edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, answer, edit...)
	}
	sent := func(x *tape) *tape { return x.send(0.003, token1, answered()).returns(0.005, answered()) }
	gone := func(x *tape) *tape { return x.fails(0.005, evidence.Other) }
	moved := func(x *evidence.Exchange) { x.Response.Header.Set("Location", "http://other.test/x") }
	command := evidence.Subject{Kind: evidence.KindCommand, Command: true}
	prove(t, []proof{
		{"FLOW-22", "503", gone(failing("", status(503, ready(token1)))), Passed, ""},
		{"FLOW-22", "503 and sent", sent(failing("", status(503, ready(token1)))), Failed, "sent after a resolve that was answered 503"},
		{"FLOW-22", "503 and sent off script", failing("", status(503, ready(token1))).send(0.003, token1, "", unscripted).fails(0.005, evidence.Other), Failed, "was answered 503"},
		{"FLOW-22", "404 and sent", sent(failing("", status(404, ready(token1)))), Failed, "answered 404"},
		{"FLOW-22", "not JSON and sent", sent(failing("<html>")), Failed, "is not one JSON object"},
		{"FLOW-22", "cut and sent", sent(failing(ready(token1), broken)), Failed, "broke off"},
		{"FLOW-22", "wrong type and sent", sent(failing(`{"runtime_interaction":[true]}`)), Failed, "runtime_interaction as an array"},
		{"FLOW-22", "state of a wrong type", gone(failing(swap(stopped("unavailable"), `"state":"unavailable"`, `"state":7`))), Passed, ""},
		{"FLOW-22", "redirected elsewhere and sent", failing("", status(302, ""), moved).resolve(0.003, ready(token1), to("other")).send(0.005, token1, answered()).returns(0.007, answered()), Failed, "answered 302"},
		{"FLOW-22", "redirected inside the platform", failing("", status(307, "")).asks(0.003, evidence.OpUnknown, "platform", "POST", "/v2/resolve/").
			send(0.005, token1, answered()).returns(0.007, answered()), Passed, ""},
		{"FLOW-22", "a later resolve admits", failing("", status(503, "")).resolve(0.003, ready(token1)).send(0.005, token1, answered()).returns(0.007, answered()), Passed, ""},
		{"FLOW-22", "a failed refresh", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, "", status(500, "")).
			send(0.007, token1, answered()).returns(0.009, answered()), Failed, "answered 500"},
		{"FLOW-22", "returned something", failing("", status(503, "")).returns(0.005, answered()), Failed, "the call returned a message after a resolve that was answered 503"},
		{"FLOW-22", "a command that succeeds", failing("", status(503, "")).exits(0.1, 0, "{}", "").by(command), Failed, "exit status 0"},
		{"FLOW-22", "repeated and failed", failing("", status(503, "")).resolve(0.003, stopped("unavailable")).fails(0.005, evidence.Blocked), Passed, ""},
		{"FLOW-22", "given up by the client", gone(failing("", noAnswer(0.004, evidence.EndedByClient))), "", ""},
		{"FLOW-22", "an answer that still runs", gone(failing("", status(503, ""), func(x *evidence.Exchange) { x.Ended = nil })), "", ""},
		{"FLOW-22", "201", sent(failing("", status(201, ready(token1)))), "", ""},
		{"FLOW-22", "answered", plain(), "", ""},
		{"FLOW-22", "a hang", failing("", status(503, "")), "", ""},
		{"FLOW-22", "a send that may be another call's", newTape().call(0).returns(9, answered()).call(0).resolve(0.001, "", status(503, "")).
			send(0.003, token1, answered(), ofCalls(1, 2)).fails(0.005, evidence.Other), Inconclusive, "cannot be told"},
	})
}

func TestNotRepeated(t *testing.T) {
	t.Parallel()
	repeated := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, "{}", edit...).resolve(0.5, ready(token1)).send(0.502, token1, answered()).returns(0.504, answered())
	}
	renewed := newTape().call(0).resolve(0.001, "{}", status(401, "{}")).asks(0.003, evidence.OpRenewToken, "platform", "POST", "/auth/jwt-token/token/refresh/").
		resolve(0.005, ready(token1)).send(0.007, token1, answered()).returns(0.009, answered())
	prove(t, []proof{
		{"FLOW-23", "not repeated", newTape().call(0).resolve(0.001, "", status(503, "")).fails(0.003, evidence.ServerFailed), Passed, ""},
		{"FLOW-23", "repeated", repeated(status(503, "")), Warned, "repeated a resolve that was answered 503"},
		{"FLOW-23", "repeated off script", newTape().call(0).resolve(0.001, "", status(503, "")).resolve(0.5, "", unscripted).fails(1, evidence.Other), Warned, "repeated"},
		{"FLOW-23", "given up and repeated", repeated(noAnswer(0.4, evidence.EndedByClient)), Warned, "it had given up"},
		{"FLOW-23", "after a renewal", renewed, Passed, ""},
		{"FLOW-23", "after a second renewal", newTape().call(0).resolve(0.001, "{}", status(401, "{}")).asks(0.003, evidence.OpRenewToken, "platform", "POST", "/renew").
			resolve(0.005, "{}", status(401, "{}")).asks(0.007, evidence.OpRenewToken, "platform", "POST", "/renew").resolve(0.009, ready(token1)).fails(0.02, evidence.Other), Warned, "repeated"},
		{"FLOW-23", "a redirect", repeated(status(307, "")), "", ""},
		{"FLOW-23", "a direction", woken(1.502009), "", ""},
		{"FLOW-23", "answered", plain(), "", ""},
	})
}

func TestUnusualAnswers(t *testing.T) {
	t.Parallel()
	decision := func(v string) string { return swap(ready(token1), `"can_submit":true`, `"can_submit":`+v) }
	prove(t, []proof{
		{"FLOW-30", "one, sent", newTape().call(0).resolve(0.001, decision("1")).send(0.003, token1, answered()).returns(0.005, answered()), Observed, "can_submit 1: the client sent"},
		{"FLOW-30", "the word true, refused", newTape().call(0).resolve(0.001, decision(`"true"`)).fails(0.003, evidence.InvalidResponse), Observed, "ended with invalid_response"},
		{"FLOW-30", "text as a direction", newTape().call(0).resolve(0.001, waiting("waking", `"1500"`)).resolve(1.502009, ready(token1)).fails(2, evidence.Other), Observed, "resolved again 1.5s later"},
		{"FLOW-30", "a fraction", newTape().call(0).resolve(0.001, waiting("waking", "0.5")).fails(0.003, evidence.Other), Observed, "retry_after_ms 0.5"},
		{"FLOW-30", "mode unavailable", newTape().call(0).resolve(0.001, swap(ready(token1), `"mode":"token"`, `"mode":"unavailable"`)).fails(0.003, evidence.Other), Observed, "mode"},
		{"FLOW-30", "no service uid", newTape().call(0).resolve(0.001, swap(ready(token1), `"7bd86be3-0000-4000-8000-000000000001"`, "null")).fails(0.003, evidence.Other), Observed, "no coding_agent_service_uid"},
		{"FLOW-30", "a hang", newTape().call(0).resolve(0.001, decision("1")), "", ""},
		{"FLOW-30", "nothing unusual", plain(), "", ""},
		{"FLOW-30", "a refusal has no service uid", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Other), "", ""},
	})
}
