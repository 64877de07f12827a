package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Each proof here lies at the edge of a rule about budgets.

// unended takes away when an exchange ended.
func unended(x *evidence.Exchange) { x.Ended = nil }

// noisy puts a tape on a clock that noise disturbs as well.
func (t *tape) noisy() *tape {
	t.onClock()
	t.run.Tolerance.Noise = at(0.02)
	return t
}

func TestEdgesOfTheTotal(t *testing.T) {
	t.Parallel()
	silent := func(seconds float64) *tape {
		return begun(timeout(seconds)).send(0.003, token1, "", hang(seconds)).fails(seconds, evidence.TimedOut)
	}
	// onTime is a call that turns from a resolve of one second to something silent, and ends with its budget of (1s, 2s).
	onTime := newTape().call(0, pair(1, 2)).resolve(0, ready(token1), answerAfter(0.9)).send(1, token1, "", hang(3)).fails(3, evidence.TimedOut)
	prove(t, []proof{
		{"BUD-02", "the read part ends with the whole", onTime, Passed, ""},
		{"BUD-17", "just below the limit", silent(89.9995), Passed, ""},
		{"BUD-17", "as long as the limit", silent(90), "", ""},
		{"BUD-18", "as early as is only warned of", begun(timeout(2)).send(0.003, token1, "", hang(1.5)).fails(1.5, evidence.TimedOut), Warned, "ended 1.5s"},
		{"BUD-18", "just earlier", begun(timeout(2)).send(0.003, token1, "", hang(1.4995)).fails(1.4995, evidence.TimedOut), Failed, "ended 1.4995s"},
		{"BUD-18", "an upload given up before any phase", begun(pair(1, 5)).send(0.003, token1, "", hang(0.5), unread(9<<20)).fails(0.5, evidence.TimedOut), Failed, "ended 0.5s"},
		{"BUD-18", "out of time early with nothing open", begun(timeout(9)).fails(1, evidence.TimedOut), "", ""},
		{"BUD-18", "out of time early, and only another call asked", begun().fails(0.1, evidence.Other).call(2, timeout(9)).fails(3, evidence.TimedOut), Failed, "nothing had been asked"},
		{"BUD-18", "early in a head that holds no 1xx answer", begun(timeout(2)).send(0.003, token1, "", dripHead(0.4, 0.41)).fails(0.41, evidence.Transport), Failed, "ended 0.41s"},
		{"BUD-11", "a direction that does not fit, and another error than not ready", newTape().call(0, timeout(2)).resolve(0.001, waiting("waking", "5000")).
			resolve(0.5, "", hang(2)).fails(2, evidence.Transport), Failed, "ended as"},
		{"BUD-11", "an answer that the run left open", begun(timeout(2)).send(0.003, token1, "", noAnswer(9, evidence.EndedByRun), unended).fails(2, evidence.Transport), Failed, "ended as"},
		{"BUD-15", "a connection beside the sign-in check", newTape().call(0, timeout(-1)).asks(0.001, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/").
			deaf("platform", 0.01).fails(2, evidence.InvalidArgument), Passed, ""},
		{"BUD-15", "its caller gave up", newTape().call(0, timeout(0), cancelled(1)).fails(2, evidence.Other), "", ""},
	})
}

func TestEdgesOfPhases(t *testing.T) {
	t.Parallel()
	dripping := func(x *evidence.Exchange) {
		drip(200, 1, 4.5)(x)
		end := at(9)
		x.Ended = &end
	}
	command := evidence.Subject{Kind: evidence.KindCommand, Command: true}
	beside := newTape().call(0, pair(3, 2), ofKind("task")).looksUp(0.003, "", dripping).resolve(0.1, "", hang(9)).fails(9, evidence.TimedOut)
	endless := begun().send(0.003, token1, "", noAnswer(100, evidence.EndedByRun)).until(100)
	looksUp := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0, pair(3, 1), ofKind("task")).looksUp(0.003, "", edit...)
	}
	tiny := func(arrive float64) *tape {
		return begun(pair(1, 0.01)).onClock().fails(0.5, evidence.Other).resolve(arrive, "", hang(0.6))
	}
	prove(t, []proof{
		{"BUD-03", "a connection for as long as both, and then something else", begun(pair(1, 5)).deaf("runtime", 0.003).resolve(7, "", hang(9)).fails(9, evidence.TimedOut), Failed, "that never opened"},
		{"BUD-03", "a command on virtual time", newTape().by(command).call(0, pair(1, 5)).deaf("platform", 0.5).exits(1.5, 1, "", ""), Passed, ""},
		{"BUD-03", "a silence beside one that began too late to matter", beside, Failed, "no answer to the resolve"},
		{"BUD-03", "broken off by the server after the limit", begun(pair(9, 2)).send(0.003, token1, "", noAnswer(4, evidence.EndedByCut)).fails(4, evidence.Transport), Failed, "after it began to wait"},
		{"BUD-03", "broken off by the server at the limit", begun(pair(9, 2)).send(0.003, token1, "", noAnswer(2.003, evidence.EndedByCut)).fails(4, evidence.Transport), "", ""},
		{"BUD-03", "broken off too near to the limit for a clock", begun(pair(9, 2)).onClock().send(0.003, token1, "", noAnswer(2.32, evidence.EndedByCut)).fails(4, evidence.Transport), "", ""},
		{"BUD-03", "broken off later, on a clock", begun(pair(9, 2)).onClock().send(0.003, token1, "", noAnswer(2.33, evidence.EndedByCut)).fails(4, evidence.Transport), Failed, "after it began to wait"},
		{"BUD-03", "answered too near to the limit for a clock", begun(pair(9, 2)).onClock().send(0.003, token1, answered(), answerAfter(2.32)).returns(4, answered()), "", ""},
		{"BUD-03", "answered later, on a clock", begun(pair(9, 2)).onClock().send(0.003, token1, answered(), answerAfter(2.3205)).returns(4, answered()), Failed, "after it began to wait"},
		{"BUD-03", "a resolve given up at its limit and made again", newTape().call(0, pair(3, 1)).resolve(0.003, "", hang(1.003)).resolve(1.1, ready(token1)).fails(1.2, evidence.Other), Failed, "after it began to wait"},
		{"BUD-03", "a look-up given up at its limit, and a resolve", looksUp(hang(1.003)).resolve(1.1, ready(token1)).fails(1.2, evidence.Other), Failed, "after it began to wait"},
		{"BUD-03", "a look-up given up at its limit, and answered then", looksUp(hang(1.003)).looksUp(1.1, takesTasks()).fails(1.2, evidence.Other), "", ""},
		{"BUD-03", "a look-up given up too late, and answered then", looksUp(hang(2)).looksUp(2.1, takesTasks()).fails(2.2, evidence.Other), Failed, "after it began to wait"},
		{"BUD-03", "a look-up left open, and answered then", looksUp(hang(2), unended).looksUp(1.1, takesTasks()).fails(2.2, evidence.Other), Failed, "after it began to wait"},
		{"BUD-03", "answered after the total, the bytes not noted", begun(pair(3, 2)).send(0.003, token1, answered(), answerAfter(7), func(x *evidence.Exchange) { x.Response.Writes = nil }).
			returns(7.1, answered()), Failed, "after it began to wait"},
		{"BUD-03", "hangs for ever", begun(pair(1, 2)).send(0.003, token1, "", noAnswer(100, evidence.EndedByRun)).until(100), Failed, "still going on"},
		{"BUD-03", "a request after the end", tiny(0.505), "", ""},
		{"BUD-03", "a request in the instant of the end", tiny(0.5), Passed, ""},

		{"BUD-04", "goes on after the whole", begun().send(0.003, token1, "", hang(905.5)).resolve(905.6, "", hang(910)).fails(910, evidence.TimedOut), Failed, "with no answer to the send"},
		{"BUD-04", "too early on a clock", begun().onClock().send(0.003, token1, "", hang(60)).fails(60, evidence.TimedOut), Failed, "ended 60s"},
		{"BUD-04", "late within what a clock may mislead by", begun().onClock().send(0.003, token1, "", hang(905.31)).fails(905.31, evidence.TimedOut), Inconclusive, "too near"},
		{"BUD-04", "not watched to its end", endless, "", ""},
	})
}

func TestEdgesOfTaskBudgets(t *testing.T) {
	t.Parallel()
	took := func(t *tape, seconds float64) *tape {
		return t.looksUp(0.001, takesTasks(), answerAfter(seconds)).resolve(0.5, ready(token1)).send(0.502, token1, "", hang(2)).fails(2, evidence.TimedOut)
	}
	starts := func() *tape { return newTape().call(0, ofKind("task"), timeout(2)) }
	get, cancel := evidence.CallGetTask, evidence.CallCancelTask
	asks := func(op evidence.CallOp, edit ...func(*evidence.Call)) *tape {
		return about(op, edit...).resolve(0.001, ready(token1))
	}
	waits := func(edit ...func(*evidence.Call)) *tape {
		return about(evidence.CallWaitTask, edit...).resolve(0.001, ready(token1)).gets(0.003, token1, wrapped(taskIn("WORKING"))).fails(10, evidence.TimedOut)
	}
	prove(t, []proof{
		{"BUD-05", "discovery as short as shows nothing", took(starts(), 0.01), "", ""},
		{"BUD-05", "discovery just longer", took(starts(), 0.0105), Passed, ""},
		{"BUD-05", "discovery as short as shows nothing on a clock", took(starts().onClock(), 0.325), "", ""},
		{"BUD-05", "discovery just longer on a clock", took(starts().onClock(), 0.3305), Passed, ""},
		{"BUD-05", "discovery as short as shows nothing with noise", took(starts().noisy(), 0.34), "", ""},
		{"BUD-05", "a slow resolve is no discovery", starts().looksUp(0.001, takesTasks()).resolve(0.003, ready(token1), answerAfter(1)).send(1.1, token1, "", hang(2)).
			fails(2, evidence.TimedOut), "", ""},
		{"BUD-05", "a connection that hangs after discovery", starts().looksUp(0.001, takesTasks()).deaf("platform", 0.01).fails(2, evidence.TimedOut), "", ""},
		{"BUD-05", "nothing open when the budget ran out", starts().looksUp(0.001, takesTasks(), answerAfter(1)).resolve(1.1, ready(token1)).send(1.2, token1, "", status(503, "")).
			fails(9, evidence.ServerFailed), "", ""},

		{"BUD-13", "the default begins again after a rejection", asks(get).gets(0.003, token1, "", answerAfter(6), status(401, "{}")).resolve(6.1, ready(token2)).
			gets(6.2, token2, "", drip(200, 50, 911)).fails(911, evidence.TimedOut), Failed, "ended 911s"},
		{"BUD-13", "a refusal left at its head", asks(get, timeout(2)).gets(0.003, token1, "", drip(503, 0.3, 0.01)).fails(0.01, evidence.ServerFailed), Passed, ""},
		{"BUD-13", "a refusal left after the default", asks(get).gets(0.003, token1, "", drip(503, 50, 906)).fails(906, evidence.ServerFailed), "", ""},
		{"BUD-13", "a direction left after the default", about(get).resolve(0.001, waiting("waking", "1000000")).fails(910, evidence.NotReady), "", ""},
		{"BUD-14", "asked again after its caller gave up", asks(cancel, timeout(9), cancelled(0.5)).gets(0.003, token1, "", hang(1)).gets(1.1, token1, wrapped(taskIn("CANCELED"))).
			hands(1.2, taskIn("CANCELED")), "", ""},

		{"BUD-22", "a get with the limit of a wait", asks(get, everySecond).gets(0.003, token1, wrapped(taskIn("WORKING"))).fails(10, evidence.TimedOut), "", ""},
		{"BUD-22", "no limit", waits(), "", ""},
		{"BUD-22", "its caller gave up", waits(everySecond, cancelled(9)), "", ""},
		{"BUD-22", "nothing open", waits(everySecond), Observed, "between two gets"},
	})
}

func TestEdgesOfWaits(t *testing.T) {
	t.Parallel()
	directed := func(end float64, edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, append(edit, timeout(2))...).resolve(0.001, waiting("waking", "5000")).fails(end, evidence.NotReady)
	}
	// turned is a call of 2s whose send was rejected after so long.
	turned := func(t *tape, after float64) *tape {
		return t.call(0, timeout(2)).resolve(0, ready(token1), answerAfter(0)).send(0, token1, "", answerAfter(after), status(401, ""))
	}
	silent := func(t *tape) *tape {
		return t.resolve(0.5, ready(token2)).send(0.6, token2, "", hang(2)).fails(2, evidence.TimedOut)
	}
	later := func(end float64) *tape {
		return turned(newTape(), 1.003).resolve(1.1, waiting("waking", "1500")).fails(end, evidence.NotReady)
	}
	refused := func(edit ...func(*evidence.Exchange)) *tape {
		return begun(timeout(2)).send(0.003, token1, "", edit...).fails(0.1, evidence.ServerFailed)
	}
	byRun := func(x *evidence.Exchange) { x.EndedBy = evidence.EndedByRun }
	byClient := func(x *evidence.Exchange) { x.EndedBy = evidence.EndedByClient }
	prove(t, []proof{
		{"BUD-07", "ended too near to the border for a clock", directed(2.31).onClock(), "", ""},
		{"BUD-07", "its caller gave up", directed(1.1, cancelled(1)), "", ""},

		{"BUD-10", "rejected in the instant of the start", silent(turned(newTape(), 0)), "", ""},
		{"BUD-10", "rejected just after it", silent(turned(newTape(), 0.0005)), Passed, ""},
		{"BUD-10", "rejected as early as shows nothing on a clock", silent(turned(newTape().onClock(), 0.3)), "", ""},
		{"BUD-10", "rejected just later on a clock", silent(turned(newTape().onClock(), 0.3205)), Passed, ""},
		{"BUD-10", "rejected as early as shows nothing with noise", silent(turned(newTape().noisy(), 0.32)), "", ""},
		{"BUD-10", "nothing open when the budget ran out", turned(newTape(), 1).resolve(1.1, ready(token2)).send(1.2, token2, "", status(503, "")).fails(5, evidence.ServerFailed), "", ""},
		{"BUD-10", "a connection that hangs after the rejection", turned(newTape(), 1).deaf("platform", 1.1).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-10", "a direction after a rejection too early to show", turned(newTape().onClock(), 0.3).resolve(0.35, waiting("waking", "1750")).fails(0.36, evidence.NotReady), "", ""},
		{"BUD-10", "a direction from before the rejection", turned(newTape(), 1).resolve(0.5, waiting("waking", "1600")).fails(1.2, evidence.NotReady), "", ""},
		{"BUD-10", "a direction to where a new budget would end", turned(newTape(), 1.003).resolve(1.1, waiting("waking", "1900"), answerAfter(0.003)).fails(1.2, evidence.NotReady), "", ""},
		{"BUD-10", "a direction to just before", turned(newTape(), 1.003).resolve(1.1, waiting("waking", "1900"), answerAfter(0.0025)).fails(1.2, evidence.NotReady), Passed, ""},
		{"BUD-10", "left too near to the border for a clock", later(2.31).onClock(), "", ""},

		{"BUD-21", "300 left at its head", refused(drip(300, 0.3, 0.1)), Passed, ""},
		{"BUD-21", "299 left at its head", refused(drip(299, 0.3, 0.1)), "", ""},
		{"BUD-21", "a refusal left at its head, and its caller gave up", begun(timeout(2), cancelled(0.05)).send(0.003, token1, "", drip(503, 0.3, 0.1)).fails(0.1, evidence.ServerFailed), "", ""},
		{"BUD-21", "a refusal left by a call that goes on", begun(timeout(2)).send(0.003, token1, "", drip(503, 0.3, 0.1)).until(1), "", ""},
		{"BUD-21", "a refusal that was whole", refused(status(503, ""), byClient), "", ""},
		{"BUD-21", "a refusal that was whole after the end", refused(status(503, ""), answerAfter(0.5), func(x *evidence.Exchange) { head := at(0.004); x.HeadFrom, x.HeadBy = &head, &head }, byClient), Passed, ""},
		{"BUD-21", "a refusal left open", refused(drip(503, 0.3, 9), byRun), "", ""},
	})
}

func TestEdgesAfterTheBudget(t *testing.T) {
	t.Parallel()
	gaveUp := func() *tape {
		return begun(timeout(2)).send(0.003, token1, "", hang(2)).fails(2, evidence.TimedOut)
	}
	maybe := func(arrive float64) *tape { return gaveUp().call(1).resolve(arrive, ready(token1), ofCalls(1, 2)) }
	prove(t, []proof{
		{"BUD-12", "sent again after its caller gave up", begun(pair(1, 2), cancelled(0.9)).send(0.003, token1, "", hang(1)).send(1.5, token1, answered()).returns(1.6, answered()), "", ""},
		{"BUD-12", "given up for a resolve that hangs", begun(timeout(3)).send(0.003, token1, "", hang(1)).resolve(1.1, "", hang(3)).fails(3, evidence.TimedOut), "", ""},
		{"BUD-16", "an upload closed late, on a clock", begun(timeout(2)).onClock().send(0.003, token1, "", hang(9), unread(9<<20)).fails(2, evidence.TimedOut), Warned, "was closed 7s after"},
		{"BUD-19", "the platform token is renewed after the end", gaveUp().renew(3), Passed, ""},
		{"BUD-19", "one before the end that may be another call's", maybe(1.5), Passed, ""},
		{"BUD-19", "one in the instant of the end that may be another call's", maybe(2), Passed, ""},
		{"BUD-19", "a renewal after the end that may be another call's", gaveUp().call(1).renew(3, ofCalls(1, 2)), Passed, ""},
		{"BUD-19", "hardly watched at all, on a clock", begun(timeout(2)).onClock().send(0.003, token1, "", hang(0.01)).fails(0.01, evidence.TimedOut).until(0.015), Inconclusive, "not watched"},
	})
}

func TestEdgesOfWhatACallWaitsFor(t *testing.T) {
	t.Parallel()
	stays := func(x *evidence.Exchange) { end := at(9); x.Ended = &end }
	agent := func(t *tape, arrive float64, edit ...func(*evidence.Exchange)) *tape {
		return t.asks(arrive, evidence.OpGetAgent, "platform", "GET", "/x", edit...)
	}
	accepted := func(t *tape, endpoint string) *tape {
		when := at(0.001)
		t.run.Connections = append(t.run.Connections, evidence.Connection{Number: 9, Endpoint: endpoint, Opened: &when})
		return t
	}
	unseen := func(t *tape) *tape {
		t.run.Connections = append(t.run.Connections, evidence.Connection{Number: 9, Endpoint: "platform"})
		return t
	}
	swapped := func() *tape {
		t := newTape().call(1, func(c *evidence.Call) { c.Backend = "" }).deaf("runtime")
		t.run.Endpoints[0], t.run.Endpoints[1] = t.run.Endpoints[1], t.run.Endpoints[0]
		return t
	}
	said := func(body string) func(*evidence.Exchange) { return status(200, body) }
	refused := swap(ready(token1), `"can_submit":true`, `"can_submit":false`)
	for name, tt := range map[string]struct {
		tape    *tape
		moments []float64
		want    string
	}{
		"discovery and access both open":              {agent(newTape().call(0), 1, hang(9)).resolve(2, "", hang(9)), []float64{2.5}, "silent 2 since 2s"},
		"discovery that is asked later":               {agent(newTape().call(0).resolve(1, ready(token1)), 3, hang(9)), []float64{2}, "nothing"},
		"discovery asked in the instant of an answer": {agent(newTape().call(0), 3, hang(9)).resolve(3, ready(token1), answerAfter(0)), []float64{3}, "silent 1 since 3s"},
		"discovery answered before a direction":       {agent(newTape().call(0), 1, stays).resolve(2, waiting("waking", "500")), []float64{2.5}, "directed 2 since 2.001009s"},
		"discovery that nobody ended":                 {agent(newTape().call(0), 1, hang(9), unended).resolve(2, ready(token1)), []float64{3}, "silent 1 since 1s"},
		"an answer whose connection stays":            {newTape().call(0).send(1, token1, "", stays), []float64{2}, "nothing"},
		"in the instant of that answer":               {newTape().call(0).send(1, token1, "", stays), []float64{1.001009}, "nothing"},
		"an end by the server at no moment":           {newTape().call(0).send(1, token1, "", noAnswer(9, evidence.EndedByServer), unended), []float64{2}, "silent 1 since 1s"},
		"unseen, beside a connection that opened":     {accepted(newTape().call(1).deaf("platform"), "platform"), []float64{2}, "connecting 0 since 1s"},
		"seen, and one beside whose attempt was not":  {accepted(newTape().call(1).deaf("platform", 0.5), "runtime"), []float64{2}, "nothing"},
		"a connection of which nothing was seen":      {unseen(newTape().call(1).deaf("platform")), []float64{2}, "connecting 0 since 1s"},
		"unseen after a look-up like an admission":    {agent(newTape().call(0), 0.001, said(ready(token1))).deaf("runtime"), []float64{2}, "nothing"},
		"unseen after an admission without an end":    {newTape().call(0).resolve(0.001, ready(token1), unnoted).deaf("runtime"), []float64{2}, "nothing"},
		"unseen after a refusal with an address":      {newTape().call(0).resolve(0.001, refused).deaf("runtime"), []float64{2}, "nothing"},
		"unseen, a runtime in the first place":        {swapped(), []float64{2}, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := stages(tt.tape.view(false).Calls[0], tt.moments...); got[0] != tt.want {
				t.Errorf("it waits for %q, want %q", got[0], tt.want)
			}
		})
	}
	kept := newTape().call(0).send(1, token1, "", stays).view(false).Calls[0]
	if since, ok := kept.silence(kept.Sends[0], inSeconds(2), at(9)); ok {
		t.Errorf("a whole answer whose connection stays is silent since %v", since)
	}
	c := newTape().call(0).send(1, token1, "", hang(9), unended).view(false).Calls[0]
	if since, ok := c.silence(c.Sends[0], inSeconds(2), at(9)); !ok || since != at(1) {
		t.Errorf("an exchange that nobody ended is silent %t since %v", ok, since)
	}
}
