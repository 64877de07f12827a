package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// The Message limit at the edges of its rules, where one condition alone decides.
func TestTheEdgesOfTheLimit(t *testing.T) {
	t.Parallel()
	among := limitBody(`{"@type":"x"},` + limitInfo(`"90"`))
	pairOf := func(first, second string) *tape {
		return theLimit().limitError(90, named(first)).call(1).resolve(1.001, ready(token1)).send(1.003, token1, "", status(504, "")).
			fails(1.005, evidence.ServerFailed, named(second))
	}
	inTask := newTape().call(0, ofKind("task")).resolve(0.001, ready(token1)).send(0.003, token1, "", limited(swap(limitBody(limitInfo(`"90"`)), "504", "503")))
	get := taskCall(evidence.CallGetTask, "t")
	prove(t, []proof{
		{"LIM-04", "the argument without its value", theLimit().limitError(90, shown("the limit is reached; see response_kind")), Failed, "does not name both"},
		{"LIM-04", "an error of which nothing is known", theLimit().ends(0.005, evidence.Outcome{Kind: evidence.OutcomeError}), "", ""},
		{"LIM-05", "a limit whose last byte nobody saw", atLimit(limitBody(limitInfo(`"90"`)), lastUnseen).limitError(90), "", ""},
		{"LIM-07", "whole, as a transport error", atLimit("").fails(0.005, evidence.Transport), Failed, "the call ended with transport"},
		{"LIM-10", "in Task mode", inTask.fails(0.005, evidence.ServerFailed), "", ""},
		{"LIM-10", "among other details, and a result", atLimit(among).returns(0.005, answered()), "", ""},
		{"LIM-10", "among other details, in a text that helps nobody", atLimit(among).limitError(90, shown("504")), Passed, ""},

		{"LIM-11", "of a kind that nobody knows", newTape().call(0, ofKind("stream")).resolve(0.001, ready(token1)).send(0.003, token1, "", status(503, "")).fails(0.005, evidence.MessageLimit), "", ""},
		{"LIM-11", "beside a send that may be another call's", beside().resolve(0.001, "", status(503, "")).
			send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`))), mayBeOf).fails(0.005, evidence.MessageLimit), "", ""},
		{"LIM-11", "a get beside one that may be another call's", newTape().call(0, get).hands(9, taskIn("WORKING")).call(0, get).resolve(0.001, ready(token1)).
			gets(0.003, token1, "", status(500, "")).gets(0.005, token1, "", status(504, ""), mayBeOf).fails(0.007, evidence.MessageLimit), "", ""},

		{"LIM-12", "a command, beside an error of a client", theLimit().exits(0.005, 1, "", wayOut).call(1).resolve(1.001, ready(token1)).
			send(1.003, token1, "", status(504, "")).fails(1.005, evidence.ServerFailed), "", ""},
		{"LIM-12", "the other error has no name", pairOf("LimitError", ""), Passed, ""},
		{"LIM-12", "the limit error has no name", pairOf("", "ServerError"), Passed, ""},
	})
}

func TestTheEdgesOfTheWaitForTheLimit(t *testing.T) {
	t.Parallel()
	gaveUp := func(budget float64) *tape {
		return newTape().call(0, timeout(budget)).resolve(0.001, ready(token1)).send(0.003, token1, "", hang(60)).fails(60, evidence.TimedOut)
	}
	prove(t, []proof{
		{"LIM-09", "a budget that just holds the limit", gaveUp(90.003), Failed, "gave up"},
		{"LIM-09", "a budget just too short for it", gaveUp(90.0025), "", ""},
		{"LIM-09", "asked for access after a late answer", newTape().call(0, timeout(120)).resolve(0.001, ready(token1)).send(0.003, token1, answered(), answerAfter(89)).
			resolve(89.1, ready(token1)).fails(90, evidence.Other), "", ""},
	})
}
