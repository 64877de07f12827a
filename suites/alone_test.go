package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Each proof here rests on one part of one condition: without that part the rule would accuse a client that is right, or
// let one pass that is wrong.

func TestPartsOfTheRefresh(t *testing.T) {
	t.Parallel()
	first := func() *tape { return rejected(401, refusal) }
	fresh := func(edit ...func(*evidence.Exchange)) *tape { return first().resolve(0.01, ready(token2), edit...) }
	soon := waiting("waking", "500")
	gaveUp := func(t *tape) *tape { return t.fails(0.02, evidence.Unauthorized) }
	nameless := func(t *tape, arrive float64, answer string, edit ...func(*evidence.Exchange)) *tape {
		return t.send(arrive, "", answer, append(edit, header("Authorization"))...)
	}
	prove(t, []proof{
		{"AUTH-01", "admitted and hangs", fresh(), "", ""},
		{"AUTH-01", "its second send may be another call's", gaveUp(fresh()).call(0).send(0.015, token2, answered(), ofCalls(1, 2)), "", ""},
		{"AUTH-01", "the fresh answer broke off", gaveUp(fresh(broken)), Passed, ""},
		{"AUTH-01", "Task mode is gone meanwhile", gaveUp(discovering().resolve(0.005, ready(token1)).send(0.007, token1, "", status(401, refusal)).
			resolve(0.009, ready(token2)).looksUp(0.011, profile(`["message"]`))), "", ""},
		{"AUTH-01", "the platform token was renewed", gaveUp(first().renew(0.01)), Failed, "without asking"},
		{"AUTH-01", "something else failed", gaveUp(first().asks(0.01, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/", status(500, "{}"))), Failed, "without asking"},
		{"AUTH-13", "bytes behind a usual body", gaveUp(rejected(401, refusal+" x")), Failed, "without asking"},

		{"AUTH-03", "the first not received whole", refreshed(rejected(401, refusal, unread(3))), "", ""},
		{"AUTH-03", "longer behind what is kept of it", refreshed(first(), func(x *evidence.Exchange) { x.Request.Body.Size += 9 }), Failed, "they differ from byte"},
		{"AUTH-05", "beside a resolve that may be another call's", refreshed(first()).call(0).resolve(0.015, ready(token1), ofCalls(1, 2)), Passed, ""},
		{"AUTH-05", "old, and fresh in a third send", fresh().send(0.02, token1, "", status(403, refusal)).send(0.03, token2, answered()).returns(0.04, answered()), Failed, "carries " + token1},

		{"AUTH-07", "a resolve in the instant of the second rejection", fresh().send(0.02, token2, "", status(403, refusal)).resolve(0.021009, ready(token1)).fails(0.04, evidence.Unauthorized), Warned, "resolved again"},
		{"AUTH-08", "a get cut off and asked again", got("", status(503, "{}"), broken).gets(0.005, token1, wrapped(taskIn("WORKING"))).hands(0.009, taskIn("WORKING")), "", ""},
		{"AUTH-08", "a get asked again after 300", got("", status(300, "{}")).gets(0.005, token1, wrapped(taskIn("WORKING"))).hands(0.009, taskIn("WORKING")), Observed, "answer of 300"},
		{"AUTH-08", "a get asked again after 299", got("", status(299, "{}")).gets(0.005, token1, wrapped(taskIn("WORKING"))).hands(0.009, taskIn("WORKING")), "", ""},
		{"AUTH-12", "reset and hangs", begun(timeout(9)).send(0.003, token1, "", cut(0)), "", ""},

		{"AUTH-09", "a refusal after the second rejection", fresh().send(0.02, token2, "", status(403, refusal)).resolve(0.03, stopped("unavailable")).
			resolve(0.04, stopped("unavailable")).fails(0.05, evidence.Unauthorized), "", ""},
		{"AUTH-09", "the second direction not waited for", first().resolve(0.01, soon).resolve(0.6, soon).resolve(0.7, ready(token2)).send(0.71, token2, answered()).returns(0.8, answered()),
			Failed, "resolved again 0.098991s"},
		{"AUTH-09", "the resolve may be another call's", first().resolve(0.01, soon).fails(0.1, evidence.NotReady).call(0).resolve(0.6, ready(token2), ofCalls(1, 2)), "", ""},
		{"AUTH-09", "returned where it no longer fits", first().resolve(0.01, waiting("waking", "60000")).returns(0.1, answered()), Failed, "no longer fitted"},
		{"AUTH-09", "admitted by an answer that may be another call's", first().resolve(0.01, stopped("unavailable")).send(0.03, token2, answered()).returns(0.04, answered()).
			call(0).resolve(0.02, ready(token2), ofCalls(1, 2)), Inconclusive, "may be another call's"},

		{"AUTH-11", "no credential at all", nameless(nameless(newTape().call(0), 0.003, "", status(401, refusal)).fails(0.01, evidence.Unauthorized).call(1), 1.2, answered()).returns(1.3, answered()), "", ""},
		{"AUTH-11", "handed out again in the instant of the rejection", first().call(0).resolve(0.003, ready(token1)).fails(0.01, evidence.Other).
			call(1).send(1.2, token1, answered()).returns(1.3, answered()), Passed, ""},
		{"AUTH-11", "handed out again by an answer that broke off", gaveUp(first()).call(1).resolve(1.1, ready(token1), broken).send(1.2, token1, answered()).returns(1.3, answered()), Failed, token1},
		{"AUTH-11", "handed out again, but later", gaveUp(first()).call(1).send(1.2, token1, answered()).resolve(1.25, ready(token1)).returns(1.3, answered()), Failed, token1},
	})
}

func TestPartsOfTheStop(t *testing.T) {
	t.Parallel()
	stop := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, edit...).resolve(0.001, stopped("unavailable"))
	}
	admitted := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, ready(token1), edit...)
	}
	wordless := func(e *evidence.Error) { e.Text = "" }
	prove(t, []proof{
		{"FLOW-08", "asked again after an answer that broke off", admitted(broken).resolve(0.01, ready(token2)).send(0.02, token2, answered()).returns(0.03, answered()), Passed, ""},
		{"FLOW-08", "a rejection that may be another call's", admitted().resolve(0.01, ready(token2)).send(0.02, token2, answered()).returns(0.03, answered()).
			call(0).send(0.005, token1, "", status(401, refusal), ofCalls(1, 2)), Inconclusive, "several calls sent"},
		{"FLOW-08", "a rejection of its own beside one that may be another's", refreshed(rejected(401, refusal)).call(0).send(0.015, token1, "{}", ofCalls(1, 2)), Passed, ""},
		{"FLOW-08", "refreshed and hangs", rejected(401, refusal).resolve(0.01, ready(token2)), Passed, ""},

		{"FLOW-09", "its caller gave up", stop(cancelled(8)).fails(9, evidence.Other), "", ""},
		{"FLOW-09", "late behind another request", stop().asks(5, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/").fails(6, evidence.Blocked), Passed, ""},
		{"FLOW-09", "a send that may be another call's", stop().fails(0.01, evidence.Blocked).call(0).send(0.005, token1, answered(), ofCalls(1, 2)), Inconclusive, "whether this one went on"},

		{"FLOW-17", "an answer that broke off", admitted(broken).fails(0.01, evidence.Transport), "", ""},
		{"FLOW-17", "asked several times before the answer", admitted(answerAfter(1)).resolve(0.5, ready(token1)).resolve(0.6, ready(token1)).fails(2, evidence.Other), Passed, ""},
		{"FLOW-17", "terminal and hangs", stop(), "", ""},

		{"FLOW-27", "its caller gave up", stop(cancelled(0.005)).fails(0.01, evidence.TimedOut), "", ""},
		{"FLOW-27", "a resolve that may be another call's", stop().fails(0.01, evidence.TimedOut).call(0).resolve(0.005, ready(token1), ofCalls(1, 2)), "", ""},
		{"FLOW-27", "an error without words", stop().fails(0.01, evidence.Blocked, wordless), "", ""},
		{"FLOW-21", "an error without words", stop().fails(0.01, evidence.Blocked, wordless), "", ""},
	})
}

func TestPartsOfWhoseAccess(t *testing.T) {
	t.Parallel()
	stop := func() *tape {
		return newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.01, evidence.Blocked)
	}
	prove(t, []proof{
		{"CACHE-05", "asks for nothing", held(999).call(5, onSession("other")).fails(5.1, evidence.InvalidArgument), "", ""},
		{"CACHE-05", "nothing whole there to use", newTape().call(0).resolve(0.001, ready(token1), broken).fails(0.01, evidence.Transport).asksAgain(5, onSession("other")), "", ""},
		{"CACHE-05", "given in the instant of the start", held(999).asksAgain(receipt, onSession("other")), Passed, ""},
		{"CACHE-09", "asked and hangs", stop().call(5).resolve(5.001, ready(token2)), Passed, ""},
		{"CACHE-16", "a resolve that may be another call's", stop().call(5).fails(6, evidence.Blocked).call(5).resolve(5.1, ready(token2), ofCalls(2, 3)), "", ""},
	})
}
