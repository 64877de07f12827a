package suites

import (
	"net/http"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// woken waits once, as long as it was told (1.5s after the answer at 0.002009s), then sends; again moves the second
// resolve.
func woken(again float64, edit ...func(*evidence.Call)) *tape {
	return newTape().call(0, edit...).resolve(0.001, waiting("waking", "1500")).resolve(again, ready(token1)).
		send(again+0.002, token1, answered()).returns(again+0.004, answered())
}

// gaveUp ends with an error at a moment after one answer that says to wait.
func gaveUp(end float64, retry string, category evidence.Category, edit ...func(*evidence.Call)) *tape {
	return newTape().call(0, edit...).resolve(0.001, waiting("starting", retry)).fails(end, category)
}

func TestResolveAgain(t *testing.T) {
	t.Parallel()
	cancelled := func(c *evidence.Call) { when := at(0.5); c.Cancelled = &when }
	command := evidence.Subject{Kind: evidence.KindCommand, Command: true}
	prove(t, []proof{
		{"FLOW-05", "once", woken(1.502009), Passed, ""},
		{"FLOW-05", "gave up", gaveUp(0.003, "1500", evidence.NotReady, timeout(10)), Failed, "the answer said starting and to wait 1.5s"},
		{"FLOW-05", "slept the rest out", gaveUp(10, "1500", evidence.TimedOut, timeout(10)), Failed, "with 0s of its budget left"},
		{"FLOW-05", "gave up at the third", newTape().call(0).resolve(0.001, waiting("checking", "0")).resolve(0.003, waiting("updating", "0")).
			resolve(0.005, waiting("waking", "0")).fails(0.007, evidence.NotReady), Failed, "did not resolve again"},
		{"FLOW-05", "does not fit", gaveUp(0.003, "60000", evidence.NotReady, timeout(10)), "", ""},
		{"FLOW-05", "cancelled", gaveUp(0.6, "1500", evidence.Other, cancelled), "", ""},
		{"FLOW-05", "a timeout that nobody can keep", gaveUp(0.6, "1500", evidence.Other, timeout(0)), "", ""},
		{"FLOW-05", "a hang", newTape().call(0).resolve(0.001, waiting("waking", "1500")), "", ""},
		{"FLOW-05", "the next one was off script", newTape().call(0).resolve(0.001, waiting("waking", "1500")).resolve(1.502009, "", unscripted).fails(2, evidence.Other), "", ""},
		{"FLOW-05", "the second rejection is behind it", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, ready(token2)).
			send(0.007, token2, "", status(403, "")).resolve(0.009, waiting("waking", "100")).fails(0.02, evidence.Unauthorized), "", ""},
		{"FLOW-05", "after the first rejection", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).
			resolve(0.005, waiting("waking", "100")).fails(0.02, evidence.Unauthorized), Failed, "did not resolve again"},
		{"FLOW-05", "one that may be another call's", newTape().call(0).returns(9, answered()).call(0).resolve(0.001, waiting("waking", "1500")).
			resolve(1.6, ready(token1), ofCalls(1, 2)).returns(2, answered()), Inconclusive, "cannot be told"},
		{"FLOW-05", "can_submit null", newTape().call(0).resolve(0.001, swap(waiting("waking", "1500"), `"can_submit":false`, `"can_submit":null`)).fails(0.003, evidence.InvalidResponse), "", ""},
		{"FLOW-05", "too near to the end on a real clock", gaveUp(0.1, "1500", evidence.NotReady, timeout(1.55)).onClock(), "", ""},
		{"FLOW-05", "by a command", newTape().call(0, timeout(10)).resolve(2, waiting("waking", "1500")).exits(2.5, 1, "", "not ready").by(command), Failed, "the command ended with exit status 1"},
		{"FLOW-05", "within the wait that the subject always makes", gaveUp(0.1, "0", evidence.NotReady, timeout(0.4)).by(least(500)), "", ""},
	})
}

// least is a client that never waits less than that.
func least(ms float64) evidence.Subject {
	return evidence.Subject{Kind: evidence.KindDriver, Constants: evidence.Constants{MinWaitMS: &ms}}
}

func TestNotBefore(t *testing.T) {
	t.Parallel()
	twice := func(second float64, edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, "", edit...).resolve(second, ready(token1)).send(second+0.002, token1, answered()).returns(second+0.004, answered())
	}
	prove(t, []proof{
		{"FLOW-06", "exactly then", woken(1.502009), Passed, ""},
		{"FLOW-06", "half of it", woken(0.752009), Failed, "resolved again 0.75s after the answer that said to wait 1.5s"},
		{"FLOW-06", "a nanosecond early", woken(1.502008999), Failed, "to wait 1.5s"},
		{"FLOW-06", "counted from the request", woken(1.501), Failed, "resolved again 1.498991s after"},
		{"FLOW-06", "a little early on a real clock", woken(1.49).onClock(), Inconclusive, "too near"},
		{"FLOW-06", "zero", newTape().call(0).resolve(0.001, waiting("waking", "0")).resolve(0.002009, ready(token1)).fails(0.02, evidence.Other), Passed, ""},
		{"FLOW-06", "a day", gaveUp(0.003, "86400000", evidence.NotReady), Passed, ""},
		{"FLOW-06", "a day, not waited for", newTape().call(0).resolve(0.001, waiting("waking", "86400000")).resolve(30, ready(token1)).fails(31, evidence.Other), Failed, "to wait 86400s"},
		{"FLOW-06", "off script", newTape().call(0).resolve(0.001, waiting("waking", "1500")).resolve(0.5, "", unscripted).fails(1, evidence.Other), Failed, "resolved again"},
		{"FLOW-06", "one that hangs and a second", twice(0.5, noAnswer(9, evidence.EndedByRun)), Failed, "while an earlier resolve of the call was unanswered"},
		{"FLOW-06", "one that nobody ended and a second", twice(0.5, noAnswer(9, evidence.EndedByRun), func(x *evidence.Exchange) { x.Ended = nil }), Failed, "unanswered"},
		{"FLOW-06", "one that was given up and a second", twice(0.5, noAnswer(0.4, evidence.EndedByClient)), "", ""},
		{"FLOW-06", "two at once", newTape().call(0).resolve(0.001, waiting("waking", "1500")).resolve(0.0015, waiting("waking", "1500")).fails(1, evidence.NotReady), Failed, "unanswered"},
		{"FLOW-06", "no direction", plain(), "", ""},
		{"FLOW-06", "gave up before", gaveUp(0.003, "1500", evidence.NotReady), Passed, ""},
		{"FLOW-06", "a hang", newTape().call(0).resolve(0.001, waiting("waking", "1500")), "", ""},
	})
}

func TestNotMuchLater(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"FLOW-07", "exactly then", woken(1.502009), Passed, ""},
		{"FLOW-07", "late by its own work", woken(1.752009), Passed, ""},
		{"FLOW-07", "late by a little more", woken(1.752010), Warned, "resolved again 1.750001s"},
		{"FLOW-07", "half a second late", woken(2.002009), Warned, "resolved again 2s after the answer that said to wait 1.5s"},
		{"FLOW-07", "just not too late", woken(3.252009), Warned, "3.25s after"},
		{"FLOW-07", "too late", woken(3.252010), Failed, "resolved again 3.250001s"},
		{"FLOW-07", "too late, with a resolve of one of two calls between", newTape().call(0).returns(9, answered()).call(0).
			resolve(0.001, waiting("waking", "1500")).resolve(1.502009, waiting("waking", "1500"), ofCalls(1, 2)).
			resolve(3.5, ready(token1)).send(3.6, token1, answered()).returns(3.7, answered()), Inconclusive, "several calls resolved at once"},
		{"FLOW-07", "late by what the subject declares", woken(3.7).by(least(500)), Warned, "resolved again 3.697991s"},
		{"FLOW-07", "near the border on a real clock", woken(3.26).onClock(), Inconclusive, "too near"},
		{"FLOW-07", "a little late on a real clock", woken(1.51).onClock(), Passed, ""},
		{"FLOW-07", "early", woken(0.5), "", ""},
		{"FLOW-07", "never", gaveUp(10, "1500", evidence.TimedOut), "", ""},
	})
}

func TestNoCadenceOfItsOwn(t *testing.T) {
	t.Parallel()
	once := func(retry string) *tape { return gaveUp(0.003, retry, evidence.NotReady) }
	polled := func(retry string, edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, waiting("waking", retry), edit...).resolve(1.002009, ready(token1)).
			send(1.004, token1, answered()).returns(1.006, answered())
	}
	retryAfter := func(x *evidence.Exchange) { x.Response.Header = http.Header{"Retry-After": {"1"}} }
	prove(t, []proof{
		{"FLOW-18", "null", once("null"), Passed, ""},
		{"FLOW-18", "null, polled", polled("null"), Failed, "resolved again 1s after an answer in state waking with retry_after_ms null"},
		{"FLOW-18", "absent, polled", newTape().call(0).resolve(0.001, swap(waiting("waking", "1"), `,"retry_after_ms":1`, "")).resolve(1, ready(token1)).fails(2, evidence.Other), Failed, "retry_after_ms nothing"},
		{"FLOW-18", "negative, polled", polled("-1"), Failed, "retry_after_ms -1"},
		{"FLOW-18", "a boolean, polled", polled("true"), Failed, "retry_after_ms true"},
		{"FLOW-18", "Retry-After obeyed", polled("null", retryAfter), Failed, "resolved again"},
		{"FLOW-18", "text", polled(`"1500"`), "", ""},
		{"FLOW-18", "a fraction", polled("0.5"), "", ""},
		{"FLOW-18", "usable", woken(1.502009), "", ""},
		{"FLOW-18", "null in a terminal answer", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},
		{"FLOW-18", "the value of before", newTape().call(0).resolve(0.001, waiting("waking", "1000")).resolve(1.002009, waiting("waking", "null")).
			resolve(2.003018, ready(token1)).fails(3, evidence.Other), Failed, "resolved again 1s after"},
		{"FLOW-18", "polled off script", newTape().call(0).resolve(0.001, waiting("waking", "null")).resolve(0.5, "", unscripted).fails(1, evidence.Other), Failed, "resolved again"},
		{"FLOW-18", "sent", newTape().call(0).resolve(0.001, waiting("waking", "null")).send(0.003, token1, answered()).returns(0.005, answered()), Failed, "sent 0.000991s after"},
		{"FLOW-18", "returned something", newTape().call(0).resolve(0.001, waiting("waking", "null")).returns(0.005, answered()), Failed, "the call returned a message after"},
		{"FLOW-18", "a hang", newTape().call(0).resolve(0.001, waiting("waking", "null")), "", ""},
		{"FLOW-18", "two calls at once", newTape().call(0).returns(9, answered()).call(0).resolve(0.001, waiting("waking", "null")).
			resolve(0.5, ready(token1), ofCalls(1, 2)).fails(0.6, evidence.Other), Inconclusive, "cannot be told"},
	})
}

func TestNoPauses(t *testing.T) {
	t.Parallel()
	sentAt := func(s float64) *tape {
		return newTape().call(0).resolve(0.001, ready(token1)).send(s, token1, answered()).returns(s+0.002, answered())
	}
	refreshed := func(again float64, edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", append(edit, status(401, ""))...).resolve(again, ready(token2)).
			send(again+0.002, token2, answered()).returns(again+0.004, answered())
	}
	later := func(x *evidence.Exchange) { read := at(2); x.BodyRead = &read }
	never := func(x *evidence.Exchange) { x.BodyRead = nil }
	prove(t, []proof{
		{"FLOW-28", "none", plain(), Passed, ""},
		{"FLOW-28", "before the first resolve", newTape().call(0).resolve(0.5, ready(token1)).send(0.502, token1, answered()).returns(0.504, answered()), Failed, "was idle for 0.5s after the start of the call"},
		{"FLOW-28", "before the first resolve on a real clock", newTape().call(0).resolve(3, ready(token1)).send(3.002, token1, answered()).returns(3.004, answered()).onClock(), Passed, ""},
		{"FLOW-28", "before the send", sentAt(2), Failed, "was idle for 1.997991s after the answer with can_submit true"},
		{"FLOW-28", "before the send on a real clock", sentAt(0.9).onClock(), Passed, ""},
		{"FLOW-28", "long before the send on a real clock", sentAt(2).onClock(), Failed, "was idle"},
		{"FLOW-28", "about a second on a real clock", sentAt(1.01).onClock(), Inconclusive, "too near"},
		{"FLOW-28", "before a send on remembered access", plain().call(1).send(2, token1, answered()).returns(2.1, answered()), Failed, "after the start of the call"},
		{"FLOW-28", "after a rejection", refreshed(1), Failed, "after the rejection"},
		{"FLOW-28", "none after a rejection", refreshed(0.005), Passed, ""},
		{"FLOW-28", "while a rejected request goes on", refreshed(2.01, later), Passed, ""},
		{"FLOW-28", "while a rejected request never ends", refreshed(2.01, never), Passed, ""},
		{"FLOW-28", "while the platform token is renewed", newTape().call(0).resolve(0.001, "{}", status(401, "{}")).
			asks(0.003, evidence.OpRenewToken, "platform", "POST", "/auth/jwt-token/token/refresh/", func(x *evidence.Exchange) { e := at(0.9); x.Ended = &e }).
			resolve(0.9, ready(token1)).send(0.902, token1, answered()).returns(0.904, answered()), Passed, ""},
		{"FLOW-28", "beside a request that goes on", newTape().call(0).resolve(0.001, "{}", status(401, "{}")).
			asks(0.003, evidence.OpRenewToken, "platform", "POST", "/auth/jwt-token/token/refresh/", noAnswer(5, evidence.EndedByClient)).
			resolve(0.9, ready(token1)).send(0.902, token1, answered()).returns(0.904, answered()), Passed, ""},
		{"FLOW-28", "before a failed resolve is repeated", newTape().call(0).resolve(0.001, "{}", status(503, "{}")).resolve(1.1, ready(token1)).
			send(1.102, token1, answered()).returns(1.2, answered()), Failed, "after a resolve that failed"},
		{"FLOW-28", "as short a pause as may be", sentAt(0.002009 + 0.1), Passed, ""},
		{"FLOW-28", "a longer one", sentAt(0.002009 + 0.1005), Failed, "was idle for 0.1005s"},
		{"FLOW-28", "a second on a real clock", sentAt(0.002009 + 1).onClock(), Passed, ""},
		{"FLOW-28", "after a failure that broke off", newTape().call(0).resolve(0.001, "{}", status(503, "{}"), broken).resolve(1.1, ready(token1)), Passed, ""},
		{"FLOW-28", "after a rejection that broke off", refreshed(1, broken), Passed, ""},
		{"FLOW-28", "a direction", woken(1.502009), Passed, ""},
		{"FLOW-28", "between the look-ups", newTape().call(0, ofKind("task")).looksUpSession(0.001, ofAgent()).looksUp(0.3, takesTasks()), Failed, "after an answer of discovery"},
		{"FLOW-28", "a look-up that broke off", newTape().call(0, ofKind("task")).looksUpSession(0.001, ofAgent(), broken).looksUp(0.3, takesTasks()), Passed, ""},
		{"FLOW-28", "a look-up that failed and is repeated", newTape().call(0, ofKind("task")).looksUpSession(0.001, "{}", status(503, "{}")).
			looksUpSession(0.3, ofAgent()), Observed, "asked discovery again 0.297991s after it"},
		{"FLOW-28", "a look-up that failed and is repeated soon", newTape().call(0, ofKind("task")).looksUpSession(0.001, "{}", status(503, "{}")).
			looksUpSession(0.002009+0.1, ofAgent()), Passed, ""},
		{"FLOW-28", "a look-up that failed, and another request", newTape().call(0, ofKind("task")).looksUpSession(0.001, "{}", status(503, "{}")).
			resolve(0.3, ready(token1)), Passed, ""},
		{"FLOW-28", "a look-up that failed, and nothing more", newTape().call(0, ofKind("task")).looksUpSession(0.001, "{}", status(503, "{}")).
			fails(0.3, evidence.Other), Passed, ""},
		{"FLOW-28", "while another call goes on", newTape().call(0).returns(0.9, answered()).call(0).resolve(0.9, ready(token1)).send(1.5, token1, answered()).returns(2, answered()), Failed, "0.598991s"},
		{"FLOW-28", "until another call has ended", newTape().call(0).returns(0.9, answered()).call(0).resolve(0.9, ready(token1)).send(0.902, token1, answered()).returns(2, answered()), Passed, ""},
	})
}
