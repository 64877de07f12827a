package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Admission and its answers at the edges of the rules, where one condition alone decides.

// lastUnseen takes away when the last byte of an answer left, though it is said to be whole.
func lastUnseen(x *evidence.Exchange) { x.LastFrom, x.LastBy = nil, nil }

// goesOn has an exchange end at a moment, or never where that is below 0.
func goesOn(until float64) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		x.Ended = nil
		if until >= 0 {
			ended := at(until)
			x.Ended = &ended
		}
	}
}

// elsewhere is an answer that admits to the other server of a tape.
func elsewhere(token string) string { return swap(ready(token), rpcURL, "http://other.test:80/") }

// beside is a second call that runs together with a first one.
func beside(edit ...func(*evidence.Call)) *tape {
	return newTape().call(0).returns(9, answered()).call(0, edit...)
}

// flattered is a refusal whose diagnostics look as if all were well.
func flattered() string { return swap(stopped("unavailable"), `"is_ready":false`, `"is_ready":true`) }

// mayBeOf says that an exchange may be of the first two calls.
func mayBeOf(x *evidence.Exchange) { x.Calls = []int{1, 2} }

func TestTheEdgesOfBrokenAnswers(t *testing.T) {
	t.Parallel()
	failing := func(edit ...func(*evidence.Exchange)) *tape { return newTape().call(0).resolve(0.001, "", edit...) }
	repeated := func(code int) *tape {
		return failing(status(code, "")).resolve(0.5, ready(token1)).send(0.502, token1, answered()).returns(0.504, answered())
	}
	odd := func(v string) string { return swap(ready(token1), `"can_submit":true`, `"can_submit":`+v) }
	prove(t, []proof{
		{"FLOW-22", "a send that may be another call's, and a result", beside().resolve(0.001, "", status(503, "")).
			send(0.003, token1, answered(), mayBeOf).returns(0.005, answered()), Inconclusive, "cannot be told"},
		{"FLOW-22", "repeated, and a result of nothing", failing(status(503, "")).resolve(0.003, ready(token1)).returns(0.005, answered()), Passed, ""},
		{"FLOW-23", "an answer that still runs", failing(status(503, ""), goesOn(-1)).fails(0.005, evidence.Other), "", ""},
		{"FLOW-23", "status 300 and repeated", repeated(300), "", ""},
		{"FLOW-23", "status 399 and repeated", repeated(399), "", ""},
		{"FLOW-30", "one, under 503", failing(status(503, odd("1"))).fails(0.005, evidence.Other), "", ""},
		{"FLOW-30", "text as a direction in a terminal answer", newTape().call(0).resolve(0.001, blocked("unavailable", `"1500"`)).fails(0.005, evidence.Blocked), "", ""},
		{"FLOW-30", "one, resolved again and then sent", newTape().call(0).resolve(0.001, odd("1")).resolve(0.004, ready(token1)).
			send(0.006, token1, answered()).returns(0.008, answered()), Observed, "resolved again 0.001991s later"},
		{"FLOW-30", "one, sent and then resolved again", newTape().call(0).resolve(0.001, odd("1")).send(0.004, token1, "", status(401, "")).
			resolve(0.006, ready(token1)).fails(0.008, evidence.Other), Observed, "can_submit 1: the client sent"},
	})
}

func TestTheEdgesOfWhatFits(t *testing.T) {
	t.Parallel()
	unfit := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, append(edit, timeout(20))...).resolve(0.001, waiting("waking", "60000"))
	}
	command := func(end float64) *tape {
		return newTape().call(0, timeout(20)).resolve(2, waiting("waking", "60000")).exits(end, 1, "", "").ofCommand()
	}
	prove(t, []proof{
		{"FLOW-11", "a wait for a Task", about(evidence.CallWaitTask, timeout(10)).resolve(0.001, waiting("waking", "60000")).fails(10, evidence.TimedOut), "", ""},
		{"FLOW-12", "resolved again and then late", unfit().resolve(5, stopped("unavailable")).fails(5.5, evidence.Blocked), "", ""},
		{"FLOW-12", "late, and the caller gave up", unfit(cancelled(5)).fails(5.1, evidence.Other), "", ""},
		{"FLOW-12", "a budget of a second more than the answer took", gaveUp(0.003, "60000", evidence.NotReady, timeout(1.002009)), "", ""},
		{"FLOW-12", "just more than a second later", gaveUp(1.0025, "60000", evidence.NotReady, timeout(20)), Failed, "ended only 1.000491s"},
		{"FLOW-12", "a command within its three seconds", command(5.001009), Passed, ""},
		{"FLOW-12", "a command just behind them", command(5.0015), Failed, "ended only"},
		{"FLOW-13", "a resolve that may be another call's", beside(timeout(10)).resolve(0.001, waiting("waking", "1500")).
			resolve(1.6, ready(token1), mayBeOf).fails(1.7, evidence.NotReady), "", ""},
		{"FLOW-13", "given up by the caller", gaveUp(0.6, "1500", evidence.NotReady, timeout(10), cancelled(0.5)), "", ""},
		{"FLOW-25", "given up by the caller", newTape().call(0, timeout(10), cancelled(0.006)).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).
			resolve(0.005, waiting("waking", "60000")).fails(0.007, evidence.NotReady), "", ""},
	})
}

func TestTheEdgesOfRoutes(t *testing.T) {
	t.Parallel()
	session := "/api/v1/agent-sessions/" + sessionUID + "/"
	prove(t, []proof{
		{"FLOW-01", "a look-up by a command", ordered().asks(0.003, evidence.OpGetSession, "platform", "GET", session).exits(0.01, 1, "", "x").ofCommand(), Failed, "more than runtime access"},
		{"FLOW-01", "a look-up for an id that breaks out of its segment", newTape().call(0, onSession("a/b")).asks(0.001, evidence.OpGetAgent, "platform", "GET", "/api/v1/agents/a/").
			returns(0.007, answered()), Failed, "more than runtime access"},
		{"FLOW-01", "where the platform redirects a resolve to a look-up", newTape().call(0).resolve(0.001, "", redirect(307, session)).
			asks(0.003, evidence.OpGetSession, "platform", "POST", session).fails(0.007, evidence.Other), Failed, "more than runtime access"},
		{"FLOW-16", "a retired route with a Task in its name", about(evidence.CallGetTask).asks(0.001, evidence.OpLegacy, "runtime", "GET", "/old/tasks/t").fails(0.1, evidence.Other), Failed, "something else than its Task"},
		{"FLOW-19", "a refusal in a hang", newTape().connects(0.0005, "platform").call(0).resolve(0.001, stopped("unavailable")), "", ""},
		{"FLOW-14", "the first of two addresses that may both be the call's", beside().resolve(0.001, ready(token1), mayBeOf).resolve(0.002, elsewhere(token2), mayBeOf).
			send(0.004, token1, answered()).returns(0.006, answered()), Passed, ""},
		{"FLOW-14", "astray on an older answer, behind a refusal", newTape().call(0).resolve(0.001, ready(token1)).resolve(0.003, stopped("unavailable")).
			send(0.005, token1, answered(), to("other"), host("other.test")).returns(0.007, answered()), Failed, "rpc_url names http://runtime.test:80"},
		{"FLOW-14", "astray on an answer to one of two earlier calls", beside().resolve(0.001, ready(token1), mayBeOf).returns(9, answered()).
			call(10).send(10.001, token1, answered(), to("other"), host("other.test")).returns(10.1, answered()), Failed, "rpc_url names http://runtime.test:80"},
		{"FLOW-14", "a look-up that may be another call's and looks like an admission", beside().asks(0.001, evidence.OpUnknown, "platform", "POST", "/v2/resolve/", status(200, ready(token1)), mayBeOf).
			send(0.003, token1, answered(), to("other"), host("other.test")).returns(0.005, answered()), "", ""},
	})
}

func TestTheEdgesOfAdmission(t *testing.T) {
	t.Parallel()
	begun := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, ready(token1), edit...)
	}
	sent := func(t *tape, moment float64) *tape {
		return t.send(moment, token1, answered()).returns(moment+0.01, answered())
	}
	prove(t, []proof{
		{"FLOW-02", "asked in the same instant", sent(begun(), 0.001), Passed, ""},
		{"FLOW-02", "access of an earlier call, beside a resolve that may be another call's", plain().call(1).call(1).resolve(1.001, ready(token2), ofCalls(2, 3)).
			send(1.002, token1, answered()).returns(1.01, answered()), Passed, ""},
		{"FLOW-04", "asked in the same instant", sent(begun(), 0.001), Failed, "while its resolve was not answered"},
		{"FLOW-04", "refused and asked again, in a hang", newTape().call(0).resolve(0.001, waiting("waking", "1")).resolve(0.01, ready(token1)), Passed, ""},
		{"FLOW-04", "a resolve that hangs, and a second that admits", sent(newTape().call(0).resolve(0.001, "", noAnswer(9, evidence.EndedByRun)).resolve(0.002, ready(token1)), 0.004), "", ""},
		{"FLOW-04", "behind a resolve that broke off", sent(begun(noAnswer(0.002, evidence.EndedByCut)), 0.004), "", ""},
		{"FLOW-04", "when its resolve breaks off", sent(begun(noAnswer(0.004, evidence.EndedByCut)), 0.004), "", ""},
		{"FLOW-04", "a resolve that nobody ended", sent(begun(noAnswer(9, evidence.EndedByRun), goesOn(-1)), 0.004), Failed, "while its resolve was not answered"},
		{"FLOW-04", "refused, beside a send that may be another call's", beside().resolve(0.001, stopped("unavailable")).
			send(0.003, token1, answered(), mayBeOf).fails(0.005, evidence.Blocked), "", ""},

		{"FLOW-03", "sent behind a refusal that came after", sent(newTape().call(0).resolve(0.001, ready(token1)).resolve(0.003, stopped("unavailable")), 0.005), "", ""},
		{"FLOW-03", "an answer whose last byte nobody saw", begun(lastUnseen).fails(0.005, evidence.Blocked), "", ""},
		{"FLOW-03", "just time enough", newTape().call(0, timeout(0.052009)).resolve(0.001, ready(token1)).fails(0.005, evidence.Blocked), Failed, "did not send"},
		{"FLOW-03", "just too little time", newTape().call(0, timeout(0.0515)).resolve(0.001, ready(token1)).fails(0.005, evidence.Blocked), "", ""},
		{"FLOW-03", "a Task that is not advertised", newTape().call(0, ofKind("task")).looksUpSession(0.001, ofAgent()).looksUp(0.003, profile(`["message"]`)).
			resolve(0.005, ready(token1)).fails(0.007, evidence.NotAdvertised), "", ""},

		{"FLOW-26", "flattered and resolved off script", newTape().call(0).resolve(0.001, flattered()).resolve(0.003, "", unscripted).fails(0.005, evidence.Other), "", ""},
		{"FLOW-26", "flattered and sent, and once more off script", newTape().call(0).resolve(0.001, flattered()).send(0.003, token1, "", status(401, "")).
			resolve(0.005, ready(token1)).send(0.007, token1, "", unscripted).fails(0.009, evidence.Other), Failed, "sent although can_submit was false"},
		{"FLOW-26", "flattered, and admitted by what may be another call's", beside().resolve(0.001, flattered()).resolve(0.002, ready(token1), mayBeOf).
			send(0.004, token1, answered()).returns(0.006, answered()), Inconclusive, "cannot be told"},
		{"FLOW-26", "the same, and then asked again", beside().resolve(0.001, flattered()).resolve(0.002, ready(token1), mayBeOf).
			send(0.004, token1, "", status(401, "")).resolve(0.006, ready(token1)).fails(0.008, evidence.Other), Inconclusive, "cannot be told"},
		{"FLOW-26", "flattered, and admitted by both", beside().resolve(0.001, flattered()).resolve(0.002, ready(token1), mayBeOf).
			resolve(0.004, ready(token1)).send(0.006, token1, answered()).returns(0.008, answered()), Passed, ""},
		{"FLOW-26", "flattered and asked again, in a hang", newTape().call(0).resolve(0.001, flattered()).resolve(0.003, ready(token1)), Passed, ""},
	})
}

func TestTheEdgesOfWaiting(t *testing.T) {
	t.Parallel()
	between := func(next float64) *tape {
		return beside().resolve(0.001, waiting("waking", "1500")).resolve(1, ready(token1), mayBeOf).
			resolve(next, ready(token1)).send(next+0.002, token1, answered()).returns(next+0.004, answered())
	}
	prove(t, []proof{
		{"FLOW-06", "gave up behind the moment", gaveUp(2, "1500", evidence.NotReady), "", ""},
		{"FLOW-06", "an answer whose connection went on", newTape().call(0).resolve(0.001, waiting("waking", "1500"), goesOn(5)).resolve(1.502009, ready(token1)).fails(2, evidence.Other), Passed, ""},
		{"FLOW-07", "on time, beside a resolve that may be another call's", between(1.502009), Passed, ""},
	})
}

func TestTheEdgesOfPauses(t *testing.T) {
	t.Parallel()
	// On a real clock the pause before the first request is not judged, so that one pause alone decides.
	renewed := func(next float64, edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, "{}", status(401, "{}")).renew(0.003, edit...).resolve(next, ready(token1)).onClock()
	}
	stalled := dripping(2, evidence.EndedByClient)
	inTask := func() *tape { return newTape().call(0, ofKind("task")) }
	prove(t, []proof{
		{"FLOW-28", "behind a renewal", renewed(2), Failed, "was idle for 1.995991s after a resolve that failed"},
		{"FLOW-28", "when a renewal has ended", renewed(2, goesOn(2)), Passed, ""},
		{"FLOW-28", "while a renewal goes on", renewed(2, goesOn(5)), "", ""},
		{"FLOW-28", "while a renewal comes to no end", renewed(2, goesOn(-1)), "", ""},
		{"FLOW-28", "just more than a second on a real clock", newTape().call(0).resolve(0.001, ready(token1)).send(1.0025, token1, answered()).onClock(), Inconclusive, "too near"},
		{"FLOW-28", "behind an answer whose connection went on", newTape().call(0).resolve(0.001, ready(token1), goesOn(9)).send(3, token1, answered()).onClock(), Failed, "was idle"},
		{"FLOW-28", "while a look-up of before is unanswered", inTask().looksUpSession(0.001, ofAgent(), answerAfter(3)).resolve(0.001, ready(token1)).
			looksUp(3.002, takesTasks()).send(3.004, token1, wrapped(taskIn("WORKING"))), Passed, ""},
		{"FLOW-28", "two requests at once behind a pause", inTask().looksUpSession(0.5, ofAgent()).resolve(0.5, ready(token1)), Failed, "was idle for 0.5s after the start of the call"},
		{"FLOW-28", "no request at all", newTape().call(0).fails(1, evidence.Other), "", ""},
		{"FLOW-28", "an admission whose last byte nobody saw", newTape().call(0).resolve(0.001, ready(token1), lastUnseen).send(0.003, token1, answered()), Passed, ""},
		{"FLOW-28", "a rejection that stalls", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, ""), stalled).
			resolve(2, ready(token2)), Passed, ""},
		{"FLOW-28", "a look-up that stalls", inTask().looksUpSession(0.001, ofAgent(), stalled), Passed, ""},
		{"FLOW-28", "a look-up that failed and is repeated just after a short pause", inTask().looksUpSession(0.001, "{}", status(503, "{}")).
			looksUpSession(0.002009+0.1005, ofAgent()), Observed, "asked discovery again"},
	})
}

func TestTheEdgesOfLeaks(t *testing.T) {
	t.Parallel()
	says := func(text string) *tape { return plainSend().fails(0.01, evidence.Rejected, shown(text)) }
	lookedUp := newTape().call(0).asks(0.001, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/", status(200, ready(token1)))
	prove(t, []proof{
		{"CACHE-17", "no end is known", plainSend(), "", ""},
		{"CACHE-17", "in the state", plainSend().fails(0.01, evidence.Blocked, func(e *evidence.Error) { state := "waking " + token1; e.State = &state }), Failed, "name or state"},
		{"CACHE-17", "a text between marks that is no secret", says("‹a›"), Passed, ""},
		{"CACHE-17", "a token that a look-up named", lookedUp.fails(0.01, evidence.Other), "", ""},
		{"CACHE-17", "a token whose answer had no head", newTape().call(0).resolve(0.001, ready(token1), dripHead(0.1, 1)).fails(1, evidence.Other), "", ""},
	})
}
