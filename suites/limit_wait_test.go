package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestAfterTheLimit(t *testing.T) {
	t.Parallel()
	watchedTo := func(t *tape, until float64) *tape {
		t.run.ObservedUntil = at(until)
		return t
	}
	task := theLimit().send(0.006, token1, answered(), requestBody(`"responseKind":"message"`, `"responseKind":"task"`)).fails(0.008, evidence.Other)
	prove(t, []proof{
		{"LIM-05", "no limit", plain(), "", ""},
		{"LIM-05", "not retried", theLimit().limitError(90), Passed, ""},
		{"LIM-05", "retried", theLimit().send(1.004009, token1, answered()).returns(1.007, answered()), Failed, "sent again 1s after the 504"},
		{"LIM-05", "retried at once", theLimit().send(0.004009, token1, answered()).returns(0.007, answered()), Failed, "sent again 0s after"},
		{"LIM-05", "retried, no script foresaw it", theLimit().send(1.004009, token1, "", unscripted).fails(1.007, evidence.Other), Failed, "sent again 1s after"},
		{"LIM-05", "retried after the call", theLimit().limitError(90).send(3.004009, token1, answered()), Failed, "sent again 3s after"},
		{"LIM-05", "uncertain whose", newTape().call(0).call(0).send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`)))).
			send(0.5, token1, answered(), ofCalls(1, 2)).fails(1, evidence.MessageLimit), Inconclusive, "may belong"},
		{"LIM-05", "another request after it", theLimit().asks(0.006, evidence.OpGetAgent, "platform", "GET", "/x").limitError(90), Passed, ""},
		{"LIM-05", "uncertain whose, and before it", newTape().call(0).call(0).send(0.001, token1, answered(), ofCalls(1, 2)).
			send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`)))).fails(1, evidence.MessageLimit), Passed, ""},
		{"LIM-05", "never ended", theLimit(), Inconclusive, "not watched beyond its end"},
		{"LIM-05", "not watched", watchedTo(theLimit().limitError(90), 0.005), Inconclusive, "not watched beyond its end"},
		{"LIM-05", "odd limit retried", atLimit(limitBody(limitInfo(`"90"`)), responseHeader("Content-Type", "text/plain")).
			send(1.004009, token1, answered()).returns(1.007, answered()), Failed, "sent again"},
		{"LIM-05", "task mode", newTape().call(0, ofKind("task")).send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`)))).fails(1, evidence.ServerFailed), "", ""},

		{"LIM-06", "no limit", plain(), "", ""},
		{"LIM-06", "left alone", theLimit().limitError(90), Passed, ""},
		{"LIM-06", "discovery", theLimit().asks(0.006, evidence.OpGetSession, "platform", "GET", "/api/v1/agent-sessions/x/").limitError(90), Failed, "discovery (/api/v1/agent-sessions/x/)"},
		{"LIM-06", "list", theLimit().asks(0.004009, evidence.OpUnknown, "runtime", "GET", "/api/a2a/v1/tasks").limitError(90), Failed, "a Task request"},
		{"LIM-06", "something unknown", theLimit().asks(0.006, evidence.OpUnknown, "runtime", "GET", "/healthz").limitError(90), Passed, ""},
		{"LIM-06", "get", theLimit().asks(0.006, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t").limitError(90), Failed, "a Task request"},
		{"LIM-06", "send as a Task", task, Failed, "a send with responseKind task"},
		{"LIM-06", "sent again as a Message", theLimit().send(0.006, token1, answered()).limitError(90), Passed, ""},
		{"LIM-06", "a Task returned", theLimit().ends(0.005, evidence.Outcome{Kind: evidence.OutcomeTask}), Failed, "returned a Task"},
		{"LIM-06", "never ended", theLimit(), Inconclusive, "not watched beyond its end"},
	})
}

func TestWaitingForTheLimit(t *testing.T) {
	t.Parallel()
	late := func(seconds float64) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) {
			answer := x.Arrived + at(seconds)
			x.HeadFrom, x.HeadBy, x.LastFrom, x.LastBy, x.Ended = &answer, &answer, &answer, &answer, &answer
			x.Response.Writes = []evidence.Write{{At: answer, Bytes: x.Response.Sent}}
		}
	}
	after := func(seconds float64, budget func(*evidence.Call)) *tape {
		return newTape().call(0, budget).resolve(0.001, ready(token1)).send(0.003, token1, answered(), late(seconds))
	}
	silent := func(until float64, budget func(*evidence.Call), by evidence.EndedBy) *tape {
		return newTape().call(0, budget).resolve(0.001, ready(token1)).send(0.003, token1, "", noAnswer(until, by))
	}
	prove(t, []proof{
		{"LIM-09", "answer after 89 s", after(89, timeout(120)).returns(89.1, answered()), Passed, ""},
		{"LIM-09", "thrown away", after(89, timeout(120)).fails(89.1, evidence.TimedOut), Failed, "a good answer came after 89s, and the call ended with timeout"},
		{"LIM-09", "quick answer", plain(), "", ""},
		{"LIM-09", "given up after 60 s", silent(60, timeout(120), evidence.EndedByClient).fails(60, evidence.TimedOut), Failed, "the call gave up 59.997s after its send"},
		{"LIM-09", "waited until the budget ended", silent(120, timeout(120), evidence.EndedByClient).fails(120, evidence.TimedOut), Passed, ""},
		{"LIM-09", "small budget", silent(60, timeout(60), evidence.EndedByClient).fails(60, evidence.TimedOut), "", ""},
		{"LIM-09", "small read phase", silent(60, pair(60, 60), evidence.EndedByClient).fails(60, evidence.TimedOut), "", ""},
		{"LIM-09", "connection broke", silent(60, timeout(120), evidence.EndedByCut).fails(60, evidence.Transport), "", ""},
		{"LIM-09", "bad answer after 89 s", newTape().call(0, timeout(120)).send(0.003, token1, "{}", late(89)).fails(89.1, evidence.InvalidResponse), "", ""},
		{"LIM-09", "near the limit on a real clock", silent(90, timeout(120), evidence.EndedByClient).onClock().fails(89.99, evidence.TimedOut), Inconclusive, "too near"},
		{"LIM-09", "thrown away after just as long as counts", after(80, timeout(120)).fails(80.1, evidence.TimedOut), Failed, "a good answer came after 80s"},
		{"LIM-09", "thrown away sooner", after(79.9995, timeout(120)).fails(80.1, evidence.TimedOut), "", ""},
		{"LIM-09", "a read phase just long enough", silent(60, pair(60, 90), evidence.EndedByClient).fails(60, evidence.TimedOut), Failed, "gave up"},
		{"LIM-09", "a read phase just too short", silent(60, pair(60, 89.9995), evidence.EndedByClient).fails(60, evidence.TimedOut), "", ""},
		{"LIM-09", "given up just in time", silent(90.003, timeout(120), evidence.EndedByClient).fails(90.003, evidence.TimedOut), Passed, ""},
		{"LIM-09", "given up just too early", silent(90.0025, timeout(120), evidence.EndedByClient).fails(90.0025, evidence.TimedOut), Failed, "gave up"},
		{"LIM-09", "given up by the caller", newTape().call(0, timeout(120), cancelled(60)).resolve(0.001, ready(token1)).send(0.003, token1, "", hang(60)).
			fails(60, evidence.Other), "", ""},
		{"LIM-09", "given up in the middle of an answer", newTape().call(0, timeout(120)).resolve(0.001, ready(token1)).send(0.003, token1, "", drip(200, 1, 60)).
			fails(60, evidence.TimedOut), "", ""},
		{"LIM-09", "returned without an answer", silent(60, timeout(120), evidence.EndedByClient).returns(60, answered()), "", ""},
		{"LIM-09", "a Task", newTape().call(0, task, timeout(120)).resolve(0.001, ready(token1)).send(0.003, token1, "", hang(60)).fails(60, evidence.TimedOut), "", ""},
		{"LIM-09", "still going on", silent(60, timeout(120), evidence.EndedByClient), "", ""},
		{"LIM-09", "never sent", newTape().call(0).fails(1, evidence.Other), "", ""},

		{"LIM-11", "answered", plain(), "", ""},
		{"LIM-11", "timeout", silent(30, timeout(30), evidence.EndedByClient).fails(30, evidence.TimedOut), Passed, ""},
		{"LIM-11", "own clock", silent(90, timeout(120), evidence.EndedByClient).fails(90, evidence.MessageLimit), Failed, "no answer to a send said so, and the call ended with message_limit"},
		{"LIM-11", "reset", silent(1, timeout(30), evidence.EndedByCut).fails(1, evidence.MessageLimit), Failed, "message_limit"},
		{"LIM-11", "cut before its end", theLimit().fails(0.005, evidence.MessageLimit), "", ""},
		{"LIM-11", "command", silent(30, timeout(30), evidence.EndedByClient).exits(30, 1, "", "timed out"), Passed, ""},
		{"LIM-11", "command gives a hint", silent(30, timeout(30), evidence.EndedByClient).exits(30, 1, "", "no answer within 30s; try --response-kind task"), Inconclusive, "speaks of a limit"},
		{"LIM-11", "its body under another status", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(503, limitBody(limitInfo(`"90"`)))).fails(0.005, evidence.MessageLimit),
			Failed, "no answer to a send said so"},
		{"LIM-11", "another status", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(503, "")).fails(0.005, evidence.ServerFailed), Passed, ""},
		{"LIM-11", "a gateway's 504", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(504, "")).fails(0.005, evidence.MessageLimit), "", ""},
		{"LIM-11", "the platform's own 504", newTape().call(0).resolve(0.001, limitBody(limitInfo(`"90"`)), status(504, limitBody(limitInfo(`"90"`)))).fails(0.003, evidence.MessageLimit), Failed, "no answer to a send said so"},
		{"LIM-11", "another command", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(503, "")).exits(0.005, 1, "", "limit: response_kind=task"), "", ""},
		{"LIM-11", "blocked", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},
	})
}
