package suites

import (
	"math"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestTotalBudget(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"BUD-01", "ends with the budget", begun(timeout(2)).send(0.003, token1, "", hang(2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-01", "late", begun(timeout(2)).send(0.003, token1, "", hang(2.5)).fails(2.5, evidence.TimedOut), Failed, "ended 2.5s after its start, with no answer to the send"},
		{"BUD-01", "late by a microsecond on virtual time", begun(timeout(2)).send(0.003, token1, "", hang(2.000001)).fails(2.000001, evidence.TimedOut), Failed, "2.000001s"},
		{"BUD-01", "late success after a long answer", begun(timeout(2)).send(0.003, token1, answered(), answerAfter(3)).returns(3.004, answered()), Failed, "ended 3.004s"},
		{"BUD-01", "never ends", begun(timeout(2)).send(0.003, token1, "", noAnswer(122, evidence.EndedByRun)).until(122), Failed, "still going on 122s"},
		{"BUD-01", "sleeps with nothing open", begun(timeout(2)).send(0.003, token1, "", status(503, "")).fails(4, evidence.ServerFailed), Failed, "nothing open"},
		{"BUD-01", "watched too short", begun(timeout(2)).send(0.003, token1, "", noAnswer(1, evidence.EndedByRun)).until(1), "", ""},
		{"BUD-01", "early says nothing", begun(timeout(2)).send(0.003, token1, "", hang(1)).fails(1, evidence.TimedOut), "", ""},
		{"BUD-01", "plain success says nothing", plain(), "", ""},
		{"BUD-01", "cancelled", begun(timeout(2), cancelled(1)).send(0.003, token1, "", hang(3)).fails(3, evidence.Other), "", ""},
		{"BUD-01", "pair is not its business", begun(pair(1, 1)).send(0.003, token1, "", hang(3)).fails(3, evidence.TimedOut), "", ""},
		{"BUD-01", "unusable timeout", begun(timeout(-1)).send(0.003, token1, "", hang(3)).fails(3, evidence.TimedOut), "", ""},
		{"BUD-01", "connect that hangs", begun(timeout(2)).deaf("runtime", 0.003).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-01", "a little late on real time", begun(timeout(2)).onClock().send(0.003, token1, "", hang(2.2)).fails(2.2, evidence.TimedOut), Passed, ""},
		{"BUD-01", "in the band of a real clock", begun(timeout(2)).onClock().send(0.003, token1, "", hang(2.31)).fails(2.31, evidence.TimedOut), Inconclusive, "too near"},
		{"BUD-01", "beyond the band", begun(timeout(2)).onClock().send(0.003, token1, "", hang(2.45)).fails(2.45, evidence.TimedOut), Failed, "2.45s"},

		{"BUD-02", "sum", begun(pair(1, 2)).send(0.003, token1, "", drip(200, 1, 3)).fails(3, evidence.TimedOut), Passed, ""},
		{"BUD-02", "beyond the sum", begun(pair(1, 2)).send(0.003, token1, "", drip(200, 1, 9)).fails(9, evidence.TimedOut), Failed, "budget of (1s, 2s)"},
		{"BUD-02", "a phase that ended the call says nothing", begun(pair(1, 2)).send(0.003, token1, "", hang(2.003)).fails(2.003, evidence.TimedOut), "", ""},
		{"BUD-02", "default is not its business", begun().send(0.003, token1, "", hang(906)).fails(906, evidence.TimedOut), "", ""},
		{"BUD-02", "an upload that stalls may use the whole pair", begun(pair(1, 2)).send(0.003, token1, "", hang(3), unread(9<<20)).fails(3, evidence.TimedOut), Passed, ""},

		{"BUD-17", "before the limit", begun(timeout(30)).send(0.003, token1, "", hang(30)).fails(30, evidence.TimedOut), Passed, ""},
		{"BUD-17", "waits for the 504", begun(timeout(30)).send(0.003, token1, "{}", answerAfter(90), status(504, "{}")).fails(90.003, evidence.MessageLimit), Failed, "90.003s"},
		{"BUD-17", "budget above the limit", begun(timeout(120)).send(0.003, token1, "", hang(120)).fails(120, evidence.TimedOut), "", ""},
		{"BUD-17", "Task mode", begun(timeout(30), task).send(0.003, token1, "", hang(30)).fails(30, evidence.TimedOut), "", ""},
	})
}

func TestWhatTheBudgetCounts(t *testing.T) {
	t.Parallel()
	resolving := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0, timeout(2)).resolve(0.001, "", edit...)
	}
	prove(t, []proof{
		{"BUD-06", "hanging resolve", resolving(hang(2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-06", "dripping resolve", resolving(drip(200, 0.3, 2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-06", "resolve with a limit of its own", resolving(hang(30)).fails(30, evidence.TimedOut), Failed, "no answer to the resolve"},
		{"BUD-06", "late resolve, then a success", newTape().call(0, timeout(2)).resolve(0.001, ready(token1), answerAfter(4)).send(4.1, token1, answered()).returns(4.2, answered()), Failed, "4.2s"},
		{"BUD-06", "platform that lets connections hang", newTape().call(0, timeout(2)).deaf("platform", 0).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-06", "the same on real time", newTape().call(0, timeout(2)).onClock().deaf("platform").fails(2.1, evidence.TimedOut), Passed, ""},
		{"BUD-06", "silent send", begun(timeout(2)).send(0.003, token1, "", hang(3)).fails(3, evidence.TimedOut), "", ""},

		{"BUD-07", "ends at the direction", newTape().call(0, timeout(2)).resolve(0.001, waiting("waking", "5000")).fails(0.003, evidence.NotReady), Passed, ""},
		{"BUD-07", "slept out to the end", newTape().call(0, timeout(2)).resolve(0.001, waiting("waking", "5000")).fails(2, evidence.NotReady), Passed, ""},
		{"BUD-07", "not counted", newTape().call(0, timeout(2)).resolve(0.001, waiting("waking", "5000")).resolve(5.1, ready(token1)).send(5.2, token1, answered()).returns(5.3, answered()), Failed, "direction to wait 5s"},
		{"BUD-07", "fits", newTape().call(0, timeout(2)).resolve(0.001, waiting("waking", "500")).fails(0.003, evidence.NotReady), "", ""},
		{"BUD-07", "terminal", newTape().call(0, timeout(2)).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},

		{"BUD-08", "silent", begun(timeout(2)).send(0.003, token1, "", hang(2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-08", "budget of its own", newTape().call(0, timeout(5)).resolve(0.001, ready(token1), answerAfter(4)).send(4.1, token1, "", hang(9.1)).fails(9.1, evidence.TimedOut), Failed, "9.1s"},
		{"BUD-08", "dripping body", begun(timeout(2)).send(0.003, token1, "", drip(200, 0.5, 3)).fails(3, evidence.TimedOut), "", ""},
		{"BUD-08", "small request that is not read, on real time", begun(timeout(2)).onClock().send(0.003, token1, "", hang(2), unread(300)).fails(2, evidence.TimedOut), Passed, ""},

		{"BUD-09", "dripping", begun(timeout(2)).send(0.003, token1, "", drip(200, 0.5, 2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-09", "stalled", begun(timeout(2)).send(0.003, token1, "", drip(200, 9, 2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-09", "read to the end", begun(timeout(2)).send(0.003, token1, "", drip(200, 0.5, 200)).fails(200, evidence.TimedOut), Failed, "the body of the answer 200 to the send"},
		{"BUD-09", "cut by the server", begun(timeout(2)).send(0.003, token1, "", cut(200)).fails(0.01, evidence.Transport), "", ""},

		{"BUD-10", "not restarted", begun(timeout(2)).send(0.003, token1, "", answerAfter(1), status(401, "")).resolve(1.1, ready(token2)).send(1.2, token2, "", hang(2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-10", "restarted", begun(timeout(2)).send(0.003, token1, "", answerAfter(1), status(401, "")).resolve(1.1, ready(token2)).send(1.2, token2, "", hang(3)).fails(3, evidence.TimedOut), Failed, "ended 3s after its start, 1.997s after the 401, with"},
		{"BUD-10", "direction after the rejection", begun(timeout(2)).send(0.003, token1, "", answerAfter(1), status(401, "")).resolve(1.1, waiting("waking", "1500")).fails(1.2, evidence.NotReady), Passed, ""},
		{"BUD-10", "direction that would not fit a new budget either", begun(timeout(2)).send(0.003, token1, "", answerAfter(1), status(401, "")).resolve(1.1, waiting("waking", "9000")).fails(1.2, evidence.NotReady), "", ""},
		{"BUD-10", "rejected too early to show on real time", begun(timeout(2)).onClock().send(0.003, token1, "", status(401, "")).resolve(0.1, ready(token2)).send(0.2, token2, "", hang(2)).fails(2, evidence.TimedOut), "", ""},
		{"BUD-10", "no rejection", begun(timeout(2)).send(0.003, token1, "", hang(3)).fails(3, evidence.TimedOut), "", ""},

		{"BUD-20", "not read", begun(timeout(2)).send(0.003, token1, "", hang(2), unread(9<<20)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-20", "chunked", begun(timeout(2)).send(0.003, token1, "", hang(2), unread(-1)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-20", "stays in the write", begun(timeout(2)).onClock().send(0.003, token1, "", hang(60), unread(9<<20)).fails(60, evidence.TimedOut), Failed, "did not read the send on"},
		{"BUD-20", "read", begun(timeout(2)).send(0.003, token1, "", hang(2)).fails(2, evidence.TimedOut), "", ""},

		{"BUD-21", "dripped head", begun(timeout(2)).send(0.003, token1, "", dripHead(0.3, 2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-21", "endless 1xx", begun(timeout(2)).send(0.003, token1, "", dripHead(0.3, 99)).fails(99, evidence.TimedOut), Failed, "the head of the answer to the send not whole"},
		{"BUD-21", "dripped 503", begun(timeout(2)).send(0.003, token1, "", drip(503, 0.3, 99)).fails(99, evidence.ServerFailed), Failed, "the answer 503"},
		{"BUD-21", "dripped 503 that is not waited for", begun(timeout(2)).send(0.003, token1, "", drip(503, 0.3, 0.01)).fails(0.01, evidence.ServerFailed), Passed, ""},
		{"BUD-21", "dripped 401 that is not waited for", begun(timeout(2)).send(0.003, token1, "", drip(401, 0.3, 0.01)).resolve(0.02, ready(token2)).send(0.03, token2, answered()).returns(0.04, answered()), Passed, ""},
		{"BUD-21", "renewal", newTape().call(0, timeout(2)).renew(0, drip(200, 0.1, 5)).fails(5, evidence.TimedOut), Failed, "renewal of the platform token"},
		{"BUD-21", "renewal in time", newTape().call(0, timeout(2)).renew(0, hang(2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-21", "silent", begun(timeout(2)).send(0.003, token1, "", hang(2)).fails(2, evidence.TimedOut), "", ""},
	})
}

func TestPhases(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"BUD-03", "connect", begun(pair(1, 5)).deaf("runtime", 0.003).fails(1.003, evidence.TimedOut), Passed, ""},
		{"BUD-03", "connect takes the read limit", begun(pair(1, 5)).deaf("runtime", 0.003).fails(5.003, evidence.TimedOut), Failed, "5s after it began to wait with a connection to the runtime that never opened"},
		{"BUD-03", "connect takes the sum", begun(pair(1, 5)).deaf("runtime", 0.003).fails(6, evidence.TimedOut), Failed, "connection"},
		{"BUD-03", "connect on real time", begun(pair(1, 5)).onClock().deaf("runtime").fails(1.1, evidence.TimedOut), Passed, ""},
		{"BUD-03", "read", begun(pair(1, 5)).send(0.003, token1, "", hang(5.003)).fails(5.003, evidence.TimedOut), Passed, ""},
		{"BUD-03", "read takes the sum", begun(pair(1, 5)).send(0.003, token1, "", hang(6)).fails(6, evidence.TimedOut), Failed, "no answer to the send"},
		{"BUD-03", "silence in the body", begun(pair(3, 2)).send(0.003, token1, "", drip(200, 9, 5)).fails(5, evidence.TimedOut), Failed, "the body of the answer 200"},
		{"BUD-03", "silence before a late answer", begun(pair(3, 2)).send(0.003, token1, answered(), answerAfter(3)).returns(3.01, answered()), Failed, "3.007s after it began to wait"},
		{"BUD-03", "drips without a silence", begun(pair(3, 2)).send(0.003, token1, "", drip(200, 1, 5)).fails(5, evidence.TimedOut), "", ""},
		{"BUD-03", "rejection given up at its head", begun(pair(3, 1)).send(0.003, token1, "", drip(401, 9, 0.01)).resolve(0.02, ready(token2)).send(0.03, token2, "", drip(200, 0.5, 4)).fails(4, evidence.TimedOut), "", ""},
		{"BUD-03", "a look-up given up at its limit and made again", newTape().call(0, pair(3, 1), ofKind("task")).looksUp(0.003, "", noAnswer(1.003, evidence.EndedByClient)).
			looksUp(1.1, "", noAnswer(2.1, evidence.EndedByClient)).fails(2.5, evidence.Transport), Failed, "1.4s after it began"},
		{"BUD-03", "look-ups to the end of the total", newTape().call(0, pair(1.5, 1), ofKind("task")).looksUp(0.003, "", noAnswer(1.003, evidence.EndedByClient)).
			looksUp(1.6, "", noAnswer(2.5, evidence.EndedByClient)).fails(2.5, evidence.TimedOut), "", ""},
		{"BUD-03", "a look-up given up too late and made again", newTape().call(0, pair(3, 1), ofKind("task")).looksUp(0.003, "", noAnswer(2, evidence.EndedByClient)).
			looksUp(2.1, "", noAnswer(4, evidence.EndedByClient)).fails(4, evidence.TimedOut), Failed, "after it began"},
		{"BUD-03", "upload that stalls", begun(pair(1, 2)).send(0.003, token1, "", hang(3), unread(9<<20)).fails(3, evidence.TimedOut), "", ""},
		{"BUD-03", "total comes first", newTape().call(0, pair(1, 2)).resolve(0.001, ready(token1), answerAfter(1.9)).send(2, token1, "", hang(3)).fails(3, evidence.TimedOut), "", ""},
		{"BUD-03", "hung up a little early for a real clock", begun(pair(1, 2)).onClock().send(0.003, token1, "", hang(1.999)).fails(2.01, evidence.TimedOut), Passed, ""},
		{"BUD-03", "hangs", begun(pair(1, 2)).send(0.003, token1, "", noAnswer(1, evidence.EndedByRun)).until(1), "", ""},
		{"BUD-03", "nothing to wait for", begun(pair(1, 5)).fails(6, evidence.Other).resolve(7, ready(token1)), "", ""},
		{"BUD-03", "a silence after the end of the total", begun(pair(1, 2)).send(0.003, token1, "", drip(200, 0.9, 9)).fails(9, evidence.TimedOut), "", ""},
		{"BUD-03", "ended by something else meanwhile", begun(pair(3, 2)).send(0.003, token1, "", drip(200, 9, 2.004)).fails(2.0039, evidence.InvalidResponse), "", ""},
		{"BUD-03", "connect given up early is another rule's", begun(pair(1, 5)).deaf("runtime", 0.003).fails(0.5, evidence.TimedOut), "", ""},
		{"BUD-03", "connect begun near the end of the total", newTape().call(0, pair(1, 2)).resolve(0.001, ready(token1), answerAfter(1.9)).deaf("runtime", 2.5).fails(3, evidence.TimedOut), "", ""},
		{"BUD-03", "early is another rule's", begun(pair(1, 5)).send(0.003, token1, "", hang(1)).fails(1, evidence.TimedOut), "", ""},

		{"BUD-04", "silent", begun().send(0.003, token1, "", hang(900.003)).fails(900.003, evidence.TimedOut), Passed, ""},
		{"BUD-04", "silent to the total", begun().send(0.003, token1, "", hang(905)).fails(905, evidence.TimedOut), Passed, ""},
		{"BUD-04", "silent, too early", begun().send(0.003, token1, "", hang(60)).fails(60, evidence.TimedOut), Failed, "ended 60s"},
		{"BUD-04", "silent, too late", begun().send(0.003, token1, "", hang(906)).fails(906, evidence.TimedOut), Failed, "ended 906s"},
		{"BUD-04", "silent for ever", begun().send(0.003, token1, "", noAnswer(7200, evidence.EndedByRun)), Failed, "still going on 7200s"},
		{"BUD-04", "dripping", begun().send(0.003, token1, "", drip(200, 50, 905)).fails(905, evidence.TimedOut), Passed, ""},
		{"BUD-04", "dripping given up early", begun().send(0.003, token1, "", drip(200, 50, 300)).fails(300, evidence.TimedOut), Failed, "ended 300s"},
		{"BUD-04", "dripping and refused by its head", begun().send(0.003, token1, "", drip(503, 50, 0.1)).fails(0.1, evidence.ServerFailed), "", ""},
		{"BUD-04", "connect", begun().deaf("runtime", 0.003).fails(5.003, evidence.TimedOut), Passed, ""},
		{"BUD-04", "connect too late", begun().deaf("runtime", 0.003).fails(30, evidence.TimedOut), Failed, "ended 30s"},
		{"BUD-04", "connect too early", begun().deaf("runtime", 0.003).fails(1, evidence.TimedOut), Failed, "ended 1s"},
		{"BUD-04", "connect on real time", begun().onClock().deaf("runtime").fails(9, evidence.TimedOut), "", ""},
		{"BUD-04", "plain", plain(), "", ""},
		{"BUD-04", "with a timeout", begun(timeout(2)).send(0.003, token1, "", hang(2)).fails(2, evidence.TimedOut), "", ""},
	})
}

func TestHowABudgetEnds(t *testing.T) {
	t.Parallel()
	silentSend := func(end float64, category evidence.Category, edit ...func(*evidence.Error)) *tape {
		return begun(timeout(2)).send(0.003, token1, "", hang(end)).fails(end, category, edit...)
	}
	prove(t, []proof{
		{"BUD-11", "timeout", silentSend(2, evidence.TimedOut), Passed, ""},
		{"BUD-11", "a kind of timeout", silentSend(2, evidence.Transport, is(evidence.TimedOut)), Passed, ""},
		{"BUD-11", "transport", silentSend(2, evidence.Transport), Failed, "transport (Errtransport) when its total limit ran out, with no answer to the send"},
		{"BUD-11", "transport when the watching had ended", begun(timeout(2)).send(0.003, token1, "", noAnswer(7, evidence.EndedByRun)).fails(7.001, evidence.Transport), "", ""},
		{"BUD-11", "transport before the watching ended", begun(timeout(2)).send(0.003, token1, "", noAnswer(7, evidence.EndedByRun)).fails(6.9, evidence.Transport), Failed, "transport"},
		{"BUD-11", "not ready", silentSend(2, evidence.NotReady), Failed, "not_ready"},
		{"BUD-11", "early", silentSend(1, evidence.Transport), "", ""},
		{"BUD-11", "untold", silentSend(2, evidence.Transport, untold), "", ""},
		{"BUD-11", "connect phase", begun(pair(1, 5)).deaf("runtime", 0.003).fails(1.003, evidence.Transport), Failed, "connect limit"},
		{"BUD-11", "read phase", begun(pair(1, 5)).send(0.003, token1, "", hang(5.003)).fails(5.003, evidence.InvalidResponse), Failed, "read limit"},
		{"BUD-11", "cut body at the deadline is a timeout", begun(timeout(2)).send(0.003, token1, "", drip(200, 0.3, 2)).fails(2, evidence.InvalidResponse), Failed, "invalid_response"},
		{"BUD-11", "refusal known from its head", begun(timeout(2)).send(0.003, token1, "", drip(503, 0.3, 2)).fails(2, evidence.ServerFailed), "", ""},
		{"BUD-11", "directed", newTape().call(0, timeout(2)).resolve(0.001, waiting("waking", "5000")).fails(2, evidence.NotReady), "", ""},
		{"BUD-11", "re-resolve in the band of a real clock", newTape().call(0, timeout(2)).onClock().resolve(0.001, waiting("waking", "1950")).resolve(1.96, "", hang(2)).fails(2, evidence.NotReady), "", ""},
		{"BUD-11", "re-resolve far from the deadline", newTape().call(0, timeout(2)).resolve(0.001, waiting("waking", "500")).resolve(0.6, "", hang(2)).fails(2, evidence.NotReady), Failed, "no answer to the resolve"},

		{"BUD-18", "holds out", silentSend(2, evidence.TimedOut), Passed, ""},
		{"BUD-18", "early", silentSend(1, evidence.TimedOut), Failed, "ended 1s after its start"},
		{"BUD-18", "a little early", silentSend(1.6, evidence.TimedOut), Warned, "1.6s"},
		{"BUD-18", "within the tolerance of a real clock", silentSend(1.985, evidence.TimedOut).onClock(), Inconclusive, "too near"},
		{"BUD-18", "any error of a silent server", silentSend(0.5, evidence.Transport), Failed, "0.5s"},
		{"BUD-18", "reset", begun(timeout(2)).send(0.003, token1, "", cut(0)).fails(0.01, evidence.Transport), "", ""},
		{"BUD-18", "read phase of a pair", begun(pair(1, 5)).send(0.003, token1, "", hang(5.003)).fails(5.003, evidence.TimedOut), Passed, ""},
		{"BUD-18", "connect part taken for reading", begun(pair(1, 5)).send(0.003, token1, "", hang(1.003)).fails(1.003, evidence.TimedOut), Failed, "ended 1.003s"},
		{"BUD-18", "head that drips is no silence", begun(pair(1, 2)).send(0.003, token1, "", dripHead(0.5, 2)).fails(2, evidence.TimedOut), Failed, "the head of the answer"},
		{"BUD-18", "upload may end with a phase", begun(pair(1, 5)).send(0.003, token1, "", hang(1.003), unread(9<<20)).fails(1.003, evidence.TimedOut), Passed, ""},
		{"BUD-18", "silence from when the buffers had the request", begun(pair(3, 5)).send(0.003, token1, "", hang(5.003), readBy(1.5)).fails(5.003, evidence.TimedOut), Passed, ""},
		{"BUD-18", "silence from when the server had read the request", begun(pair(3, 5)).send(0.003, token1, "", hang(6.5), readBy(1.5)).fails(6.5, evidence.TimedOut), Passed, ""},
		{"BUD-18", "silence too short from either", begun(pair(3, 5)).send(0.003, token1, "", hang(4), readBy(1.5)).fails(4, evidence.TimedOut), Failed, "ended 4s"},
		{"BUD-18", "refusal by its head", begun(timeout(2)).send(0.003, token1, "", drip(503, 0.3, 0.01)).fails(0.01, evidence.ServerFailed), "", ""},
		{"BUD-18", "bytes that this client does not take", begun(timeout(2)).send(0.003, token1, "", drip(200, 0.3, 0.01)).fails(0.01, evidence.InvalidResponse), "", ""},
		{"BUD-18", "a 1xx answer that this client's library does not take", begun(timeout(2)).send(0.003, token1, "", inform(0.4, 0.005)).fails(0.005, evidence.Transport), "", ""},
		{"BUD-18", "a 1xx answer not taken, on a real clock", begun(timeout(2)).onClock().send(0.003, token1, "", inform(0.4, 0.2)).fails(0.2, evidence.Transport), "", ""},
		{"BUD-18", "early between 1xx answers", begun(timeout(2)).send(0.003, token1, "", inform(0.4, 0.3)).fails(0.3, evidence.Transport), Failed, "ended 0.3s"},
		{"BUD-18", "early between 1xx answers, on a real clock", begun(timeout(2)).onClock().send(0.003, token1, "", inform(0.6, 0.5)).fails(0.5, evidence.Transport), Failed, "ended 0.5s"},
		{"BUD-18", "a 1xx answer taken for the answer", begun(timeout(2)).send(0.003, token1, "", inform(0.4, 0.005)).fails(0.005, evidence.Other), Failed, "ended 0.005s"},
		{"BUD-18", "a 1xx answer ends a call as timeout", begun(timeout(2)).send(0.003, token1, "", inform(0.4, 0.005)).fails(0.005, evidence.TimedOut), Failed, "ended 0.005s"},
		{"BUD-18", "out of time at once, nothing asked", newTape().call(0, timeout(2)).fails(0.001, evidence.TimedOut), Failed, "ended 0.001s after its start with timeout (Errtimeout), and nothing had been asked"},
		{"BUD-18", "out of time at once on a real clock", newTape().onClock().call(0, timeout(2)).fails(0.001, evidence.TimedOut), Failed, "nothing had been asked"},
		{"BUD-18", "out of time in time, nothing asked", newTape().call(0, timeout(2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-18", "out of time early in a pair, nothing asked", newTape().call(0, pair(2, 5)).fails(0.5, evidence.TimedOut), Failed, "nothing had been asked"},
		{"BUD-18", "out of time with a part of a pair, nothing asked", newTape().call(0, pair(5, 2)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-18", "an argument refused", newTape().call(0, timeout(2)).fails(0.001, evidence.InvalidArgument), "", ""},
		{"BUD-18", "given up by the caller, nothing asked", newTape().call(0, timeout(2), cancelled(0.001)).fails(0.001, evidence.TimedOut), "", ""},
		{"BUD-18", "drip given up early", begun(timeout(2)).send(0.003, token1, "", drip(200, 0.3, 0.5)).fails(0.5, evidence.TimedOut), Failed, "the body of the answer 200"},
		{"BUD-18", "success with bytes to come", begun(timeout(2)).send(0.003, token1, "", drip(200, 0.3, 0.5)).returns(0.5, answered()), "", ""},
		{"BUD-18", "cancelled", begun(timeout(2), cancelled(1)).send(0.003, token1, "", hang(1)).fails(1, evidence.Other), "", ""},
		{"BUD-18", "a silence that was too long already", begun(pair(3, 1)).send(0.003, token1, "", drip(200, 1.5, 4)).fails(4, evidence.TimedOut), Passed, ""},
		{"BUD-18", "a connection of another call", begun(timeout(2)).call(0.004).deaf("runtime", 0.005).fails(1, evidence.TimedOut), "", ""},
		{"BUD-18", "an address of no server", newTape().call(0, timeout(2)).resolve(0.001, strings.Replace(ready(token1), rpcURL, "http://gone.test/", 1)).fails(1, evidence.Transport), "", ""},
		{"BUD-18", "chunked request, buffers of a real socket", begun(timeout(2), filed).onClock().send(0.003, token1, "", hang(1), unread(-1)).fails(1, evidence.TimedOut), Failed, "did not read the send on"},
		{"BUD-18", "default", begun().send(0.003, token1, "", hang(60)).fails(60, evidence.TimedOut), Failed, "ended 60s"},
		{"BUD-18", "plain", plain(), "", ""},

		{"BUD-15", "refused", newTape().call(0, timeout(0)).fails(0, evidence.InvalidArgument), Passed, ""},
		{"BUD-15", "not a number", newTape().call(0, timeout(math.NaN())).fails(0, evidence.InvalidArgument), Passed, ""},
		{"BUD-15", "half a pair", newTape().call(0, pair(1, -1)).fails(0, evidence.InvalidArgument), Passed, ""},
		{"BUD-15", "resolves", begun(timeout(-1)).fails(0.1, evidence.InvalidArgument), Warned, "timeout -1s and made a resolve"},
		{"BUD-15", "connects", newTape().call(0, timeout(-1)).deaf("platform", 0).fails(0.1, evidence.TimedOut), Warned, "connection to the platform"},
		{"BUD-15", "ambiguous", newTape().call(0, timeout(1)).call(0, timeout(-1)).resolve(0.1, ready(token1), ofCalls(1, 2)).fails(0.2, evidence.InvalidArgument), Inconclusive, "may belong"},
		{"BUD-15", "usable", plain(), "", ""},
		{"BUD-15", "hangs", newTape().call(0, timeout(0)), "", ""},
	})
}

// filed gives a call files that no buffer holds.
func filed(c *evidence.Call) { c.Files = []evidence.InputFile{{Name: "a.pdf", Size: 9 << 20}} }

func TestAfterTheBudget(t *testing.T) {
	t.Parallel()
	gaveUp := func(edit ...func(*evidence.Call)) *tape {
		return begun(append(edit, timeout(2))...).send(0.003, token1, "", hang(2)).fails(2, evidence.TimedOut)
	}
	notReady := func() *tape {
		return newTape().call(0, timeout(2)).resolve(0.001, waiting("waking", "5000")).fails(0.003, evidence.NotReady)
	}
	prove(t, []proof{
		{"BUD-12", "no other send", gaveUp(), Passed, ""},
		{"BUD-12", "another in the call", begun(pair(1, 2)).send(0.003, token1, "", hang(2.003)).send(2.5, token1, answered()).returns(2.6, answered()), Failed, "came 0.497s later"},
		{"BUD-12", "another after the call", gaveUp().send(3, token1, answered()), Failed, "came 1s later"},
		{"BUD-12", "another that no script foresaw", begun(pair(1, 2)).send(0.003, token1, "", hang(2.003)).send(2.5, token1, "", unscripted).fails(2.6, evidence.Other), Failed, "another one"},
		{"BUD-12", "too short a watch", gaveUp().until(2.1), Inconclusive, "not watched"},
		{"BUD-12", "ambiguous", gaveUp().call(1).send(3, token1, answered(), ofCalls(1, 2)), Inconclusive, "may belong"},
		{"BUD-12", "resend after 401", begun(timeout(2)).send(0.003, token1, "", drip(401, 1, 0.01)).resolve(0.02, ready(token2)).send(0.03, token2, answered()).returns(0.05, answered()), "", ""},
		{"BUD-12", "given up early", begun(timeout(9)).send(0.003, token1, "", hang(1)).fails(1, evidence.TimedOut), "", ""},
		{"BUD-12", "Task call of another kind", begun(timeout(2), func(c *evidence.Call) { c.Op = evidence.CallGetTask }).send(0.003, token1, "", hang(2)).fails(2, evidence.TimedOut), "", ""},
		{"BUD-12", "cancelled", gaveUp(cancelled(1)), "", ""},
		{"BUD-12", "plain", plain(), "", ""},

		{"BUD-16", "closed", gaveUp(), Passed, ""},
		{"BUD-16", "closed by a helper, late", begun(timeout(2)).send(0.003, token1, "", hang(2.4)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-16", "closed much later", begun(timeout(2)).send(0.003, token1, "", hang(9)).fails(2, evidence.TimedOut), Warned, "closed 7s after"},
		{"BUD-16", "never closed", begun(timeout(2)).send(0.003, token1, "", noAnswer(122, evidence.EndedByRun)).fails(2, evidence.TimedOut), Warned, "still open 120s"},
		{"BUD-16", "too short a watch", begun(timeout(2)).send(0.003, token1, "", noAnswer(2.3, evidence.EndedByRun)).fails(2, evidence.TimedOut), Inconclusive, "not watched"},
		{"BUD-16", "a server that does not read sees no end", begun(timeout(2)).onClock().send(0.003, token1, "", noAnswer(9, evidence.EndedByRun), unread(9<<20)).fails(2, evidence.TimedOut), Inconclusive, "not watched"},
		{"BUD-16", "leak", func() *tape { c := gaveUp(); c.run.End.How = evidence.EndLeak; return c }(), Warned, "left something running"},
		{"BUD-16", "connect", begun(timeout(2)).deaf("runtime", 0.003).fails(2, evidence.TimedOut), "", ""},
		{"BUD-16", "plain", plain(), "", ""},

		{"BUD-19", "nothing after not ready", notReady(), Passed, ""},
		{"BUD-19", "nothing after a timeout", gaveUp(), Passed, ""},
		{"BUD-19", "nothing after a cancel", gaveUp(cancelled(1)), Passed, ""},
		{"BUD-19", "the directed resolve still comes", notReady().resolve(5.1, ready(token1)), Failed, "a resolve of the call came 5.097s after"},
		{"BUD-19", "a send still comes", gaveUp().send(3, token1, answered()), Failed, "a send of the call"},
		{"BUD-19", "after a success too", plain().resolve(1, ready(token2)), Failed, "a resolve of the call"},
		{"BUD-19", "under way on real time", notReady().onClock().resolve(0.015, ready(token1)), Inconclusive, "too near"},
		{"BUD-19", "direction longer than the watch", notReady().until(4), "", ""},
		{"BUD-19", "too short a watch", gaveUp().until(2.1), Inconclusive, "not watched"},
		{"BUD-19", "ambiguous", notReady().call(1).resolve(3, ready(token1), ofCalls(1, 2)), Inconclusive, "may belong"},
		{"BUD-19", "plain", plain(), "", ""},
		{"BUD-19", "hang", newTape().call(0).resolve(1, "", noAnswer(9, evidence.EndedByRun)), "", ""},
	})
}

// A program is given its budget when it has been loaded: the seconds before its first question do not count, and its
// process needs time to end.
func TestBudgetOfACommand(t *testing.T) {
	t.Parallel()
	loaded := func() *tape { return aCommand().call(0, timeout(2)).resolve(3, ready(token1)) }
	prove(t, []proof{
		{"BUD-01", "start-up aside", loaded().send(3.1, token1, "", hang(5.1)).exits(5.9, 1, "", ""), Passed, ""},
		{"BUD-01", "late", loaded().send(3.1, token1, "", hang(9)).exits(9.5, 1, "", ""), Failed, "ended 9.5s"},
		{"BUD-06", "nothing but a connection that hangs", aCommand().call(0, timeout(2)).deaf("platform").exits(9, 1, "", ""), Passed, ""},
		{"BUD-06", "the same for ever", aCommand().call(0, timeout(2)).deaf("platform").exits(40, 1, "", ""), Failed, "a connection to the platform that never opened"},
		{"BUD-06", "another platform", aCommand().call(0, timeout(2), func(c *evidence.Call) { c.Backend = "elsewhere" }).deaf("platform").exits(9, 1, "", ""), "", ""},
		{"BUD-03", "connect cannot be seen", aCommand().call(0, pair(1, 5)).deaf("platform").exits(4, 1, "", ""), "", ""},
		{"BUD-18", "early", aCommand().call(0, timeout(9)).resolve(3, ready(token1)).send(3.1, token1, "", hang(5)).exits(5, 1, "", ""), Failed, "ended 5s"},
		{"BUD-11", "prints no kind", loaded().send(3.1, token1, "", hang(5.1)).exits(5.3, 1, "", ""), "", ""},
		{"BUD-15", "sign-in check aside", aCommand().call(0, timeout(0)).asks(1, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/").exits(2, 2, "", ""), Passed, ""},
	})
}

func TestWaitingInWords(t *testing.T) {
	t.Parallel()
	named := map[evidence.Op]string{
		evidence.OpGetSession: "discovery", evidence.OpGetAgent: "discovery", evidence.OpGetTask: "get of the Task",
		evidence.OpCancelTask: "cancel of the Task", evidence.OpWhoAmI: "request",
	}
	for op, name := range named {
		w := wait{stage: silent, x: &Exchange{Exchange: &evidence.Exchange{Op: op}}}
		if got := w.words(); got != "no answer to the "+name {
			t.Errorf("waiting for %s is called %q", op, got)
		}
	}
}

// readBy has the server read the request slowly, to its end at t.
func readBy(t float64) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		when := at(t)
		x.BodyRead = &when
	}
}
