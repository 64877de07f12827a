package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestDoesNotFit(t *testing.T) {
	t.Parallel()
	rejected := func() *tape {
		return newTape().call(0, timeout(10)).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, waiting("waking", "60000"))
	}
	alsoNotReady := func(e *evidence.Error) { e.Is = append(e.Is, evidence.NotReady) }
	untold := func(e *evidence.Error) { e.Category, e.Is = "", nil }
	command := evidence.Subject{Kind: evidence.KindCommand, Command: true}
	late := func(exit int) *tape {
		return newTape().call(0, timeout(3)).resolve(2, waiting("waking", "60000")).exits(2.1, exit, "", "").by(command)
	}
	cancelled := func(c *evidence.Call) { when := at(0.5); c.Cancelled = &when }
	prove(t, []proof{
		{"FLOW-11", "not ready", gaveUp(0.003, "60000", evidence.NotReady, timeout(10)), Passed, ""},
		{"FLOW-11", "the default budget", gaveUp(0.003, "905000", evidence.NotReady), Passed, ""},
		{"FLOW-11", "a pair", gaveUp(0.003, "7001", evidence.NotReady, pair(2, 5)), Passed, ""},
		{"FLOW-11", "timed out", gaveUp(10, "60000", evidence.TimedOut, timeout(10)), Failed, "ended with timeout (Errtimeout) after an answer that said to wait 60s with 9.997991s of the budget left"},
		{"FLOW-11", "blocked", gaveUp(0.003, "60000", evidence.Blocked, timeout(10)), Failed, "ended with blocked"},
		{"FLOW-11", "a timeout that is a not-ready error", newTape().call(0, timeout(10)).resolve(0.001, waiting("waking", "60000")).fails(0.003, evidence.TimedOut, alsoNotReady), Passed, ""},
		{"FLOW-11", "an error that tells nothing", newTape().call(0, timeout(10)).resolve(0.001, waiting("waking", "60000")).fails(0.003, "", untold), "", ""},
		{"FLOW-11", "returned something", newTape().call(0, timeout(10)).resolve(0.001, waiting("waking", "60000")).returns(0.003, answered()), Failed, "the call returned a message"},
		{"FLOW-11", "sent", newTape().call(0, timeout(10)).resolve(0.001, waiting("waking", "60000")).send(0.003, token1, answered()).returns(0.005, answered()), Failed, "asked the runtime after"},
		{"FLOW-11", "probed before", newTape().call(0, timeout(10)).asks(0.0001, evidence.OpUnknown, "runtime", "GET", "/health").
			resolve(0.002, waiting("waking", "60000")).fails(0.005, evidence.NotReady), Failed, "had asked the runtime before"},
		{"FLOW-11", "after a rejection", rejected().fails(0.007, evidence.NotReady), Passed, ""},
		{"FLOW-11", "sent after a rejection", rejected().send(0.007, token1, answered()).returns(0.009, answered()), Failed, "asked the runtime after"},
		{"FLOW-11", "unauthorised after a rejection", rejected().fails(0.007, evidence.Unauthorized), Failed, "ended with unauthorized"},
		{"FLOW-11", "fits", woken(1.502009), "", ""},
		{"FLOW-11", "fits exactly", newTape().call(0, timeout(1.502009)).resolve(0.001, waiting("waking", "1500")).fails(1, evidence.TimedOut), "", ""},
		{"FLOW-11", "near the end on a real clock", gaveUp(0.003, "9990", evidence.TimedOut, timeout(10)).onClock(), "", ""},
		{"FLOW-11", "cancelled", gaveUp(0.6, "60000", evidence.Other, timeout(10), cancelled), "", ""},
		{"FLOW-11", "a hang", newTape().call(0, timeout(10)).resolve(0.001, waiting("waking", "60000")), "", ""},
		{"FLOW-11", "a command", late(1), Passed, ""},
		{"FLOW-11", "a command that succeeds", late(0), Failed, "exit status 0"},
		{"FLOW-11", "resolved early, off script", newTape().call(0, timeout(10)).resolve(0.001, waiting("waking", "60000")).resolve(1, "", unscripted).fails(2, evidence.Other), "", ""},
	})
}

func TestEndsWhenItShows(t *testing.T) {
	t.Parallel()
	command := evidence.Subject{Kind: evidence.KindCommand, Command: true}
	prove(t, []proof{
		{"FLOW-12", "at once", gaveUp(0.003, "60000", evidence.NotReady, timeout(20)), Passed, ""},
		{"FLOW-12", "a second later", gaveUp(1.002009, "60000", evidence.NotReady, timeout(20)), Passed, ""},
		{"FLOW-12", "more than a second later", gaveUp(1.1, "60000", evidence.NotReady, timeout(20)), Failed, "ended only 1.097991s after the answer that said to wait 60s"},
		{"FLOW-12", "slept out", gaveUp(20, "60000", evidence.TimedOut, timeout(20)), Failed, "ended only 19.997991s"},
		{"FLOW-12", "too little budget to tell", gaveUp(0.9, "60000", evidence.NotReady, timeout(0.9)), "", ""},
		{"FLOW-12", "about a second on a real clock", gaveUp(1.01, "60000", evidence.NotReady, timeout(20)).onClock(), Inconclusive, "too near"},
		{"FLOW-12", "fits", gaveUp(0.003, "1500", evidence.NotReady, timeout(20)), "", ""},
		{"FLOW-12", "a command that takes its time", newTape().call(0, timeout(20)).resolve(2, waiting("waking", "60000")).exits(4, 1, "", "").by(command), Passed, ""},
		{"FLOW-12", "a command that sleeps", newTape().call(0, timeout(20)).resolve(2, waiting("waking", "60000")).exits(21, 1, "", "").by(command), Failed, "ended only"},
		{"FLOW-12", "a hang", newTape().call(0, timeout(20)).resolve(0.001, waiting("waking", "60000")), "", ""},
	})
}

func TestDoesNotGiveUp(t *testing.T) {
	t.Parallel()
	narrow := func(d float64) *tape { return gaveUp(0.003, "1500", evidence.NotReady, timeout(d)) }
	prove(t, []proof{
		{"FLOW-13", "resolved again", woken(1.502009, timeout(1.51)), Passed, ""},
		{"FLOW-13", "gave up with time to spare", narrow(10), Failed, "gave up as not ready although the answer said to wait 1.5s and 9.997991s of the budget were left"},
		{"FLOW-13", "gave up by a nanosecond", narrow(1.50200901), Failed, "1.5s of the budget were left"},
		{"FLOW-13", "exactly at the end", narrow(1.502009), "", ""},
		{"FLOW-13", "by 60ms on a real clock", narrow(1.562009).onClock(), "", ""},
		{"FLOW-13", "by 80ms on a real clock", narrow(1.582009).onClock(), Failed, "gave up"},
		{"FLOW-13", "another error", gaveUp(0.003, "1500", evidence.Blocked, timeout(10)), "", ""},
		{"FLOW-13", "the budget ends before the second answer", newTape().call(0, timeout(2)).resolve(0.001, waiting("waking", "1500")).
			resolve(1.502009, "", noAnswer(2, evidence.EndedByClient)).fails(2, evidence.TimedOut), Passed, ""},
		{"FLOW-13", "does not fit", narrow(1), "", ""},
	})
}

func TestWhatWasSent(t *testing.T) {
	t.Parallel()
	rejected := func(text string) *tape {
		return newTape().call(0, timeout(10)).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, waiting("waking", "60000")).
			fails(0.007, evidence.NotReady, func(e *evidence.Error) { e.Text = text })
	}
	prove(t, []proof{
		{"FLOW-25", "claims it", rejected("Not ready; Nothing was sent."), Observed, "says that nothing was sent"},
		{"FLOW-25", "does not claim it", rejected("not ready"), Observed, "does not claim"},
		{"FLOW-25", "nothing rejected", gaveUp(0.003, "60000", evidence.NotReady, timeout(10)), "", ""},
		{"FLOW-25", "another error", plain(), "", ""},
	})
}
