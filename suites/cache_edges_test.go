package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Each proof here lies at the edge of a rule about kept access.

func TestEdgesOfTheEndOfAccess(t *testing.T) {
	t.Parallel()
	ofThird := func(c *evidence.Call) { c.Client = "c" }
	given := func(x *tape, ends float64, client func(*evidence.Call), edit ...func(*evidence.Exchange)) *tape {
		return x.call(0, client).resolve(0.001, readyUntil(token2, ends)).send(0.003, token2, answered(), edit...).returns(0.005, answered())
	}
	uses2 := func(x *tape, moment float64, client func(*evidence.Call)) *tape {
		return x.call(moment, client).send(moment+0.001, token2, answered()).returns(moment+0.003, answered())
	}
	// busy is an instance that uses its access twice, to the age of 100s.
	busy := func() *tape { return held(-1).uses(50).uses(100) }
	b := ofAnother()
	const prolongs = "use prolongs it"
	prove(t, []proof{
		{"CACHE-02", "asked too near to the border for a clock", held(60).onClock().asksAgain(60.01), "", ""},
		{"CACHE-02", "asked elsewhere, and used past its end", held(60).call(61).resolve(61.001, ready(token2), to("other")).send(61.003, token1, answered()).returns(61.01, answered()), Failed, "past its expires_at"},
		{"CACHE-02", "asked after a request without a credential", held(60).call(61).asks(61.001, evidence.OpUnknown, "runtime", "GET", "/health").resolve(61.003, ready(token2)).
			send(61.005, token2, answered()).returns(61.01, answered()), Passed, ""},
		{"CACHE-02", "used past its end, after a sign-in without an answer", held(60).call(61).asks(61.001, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/", hang(70)).
			send(62, token1, answered()).returns(62.1, answered()), Failed, "1s past"},
		{"CACHE-02", "used past its end, after an answer that is no access", held(60).call(61).asks(61.001, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/", status(200, ready(token1))).
			send(61.01, token1, answered()).returns(61.1, answered()), Failed, "past"},
		{"CACHE-03", "without an end, used at once", newTape().call(-5).resolve(-4.9, readyUntil(token1, -1)).send(-4.8, token1, answered()).returns(-4.7, answered()).uses(0), "", ""},

		{"CACHE-04", "asked, though another instance asked earlier", given(held(-1), -1, b).asksAgain(20, b).asksAgain(50), "", ""},
		{"CACHE-04", "asked earlier by the instance itself", held(-1).asksAgain(20).uses(70), "", ""},
		{"CACHE-04", "asked earlier by one that used it in between", uses2(given(busy(), -1, b), 30, b).asksAgain(70, b), Passed, ""},
		{"CACHE-04", "asked earlier by one that had nothing", busy().call(0, b).fails(0.1, evidence.Other).asksAgain(70, b), "", ""},
		{"CACHE-04", "used earlier by one, asked earlier by another", given(uses2(given(busy(), -1, b), 30, b), -1, ofThird).asksAgain(70, ofThird), Failed, prolongs},
		{"CACHE-04", "asked earlier by one whose access had an end", given(busy(), 60, b).asksAgain(70, b), "", ""},
		{"CACHE-04", "asked earlier by one that was rejected", given(busy(), -1, b, status(401, "{}")).asksAgain(70, b), Passed, ""},
		{"CACHE-04", "asked in the instant of the receipt", given(busy(), -1, b).asksAgain(receipt, b), "", ""},
		{"CACHE-04", "asked at the same age", given(held(-1).uses(70), -1, b).asksAgain(70, b), Passed, ""},
		{"CACHE-04", "asked just earlier", given(held(-1).uses(70), -1, b).asksAgain(69.9995, b), Failed, prolongs},
		{"CACHE-04", "asked earlier, on a clock", given(busy(), -1, b).asksAgain(70, b).onClock(), Passed, ""},

		{"CACHE-01", "rejected by a server that is no runtime", held(999).call(1).send(1.001, token1, "", to("other"), status(401, "{}")).fails(1.1, evidence.Other).asksAgain(5), Observed, "resolved once"},
		{"CACHE-01", "rejected in the instant of the start", rejectedBefore().asksAgain(0.004009), "", ""},
	})
}

func TestEdgesOfARefusalBefore(t *testing.T) {
	t.Parallel()
	begins := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, stopped("unavailable"), edit...)
	}
	at0 := newTape().call(5).resolve(5, stopped("unavailable"), answerAfter(0)).fails(5.1, evidence.Blocked)
	prove(t, []proof{
		{"CACHE-16", "by a server that is no platform", begins(to("other")).fails(0.01, evidence.Blocked).asksAgain(5), "", ""},
		{"CACHE-16", "perhaps of another instance", newTape().call(0).call(0, ofAnother()).resolve(0.001, stopped("unavailable"), ofCalls(1, 2)).fails(0.01, evidence.Blocked).asksAgain(5), "", ""},
		{"CACHE-16", "its own, in the instant of its start", at0, "", ""},
		{"CACHE-05", "an admission whose end was not noted", newTape().call(0).resolve(0.001, ready(token1), unnoted).fails(0.01, evidence.Other).asksAgain(5, onSession("other")), "", ""},
	})
}

func TestEdgesOfTheBody(t *testing.T) {
	t.Parallel()
	id := withID("m")
	first := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0, id).resolve(0.001, ready(token1)).send(0.003, token1, answered(), edit...).returns(0.005, answered())
	}
	again := func(x *tape, edit ...func(*evidence.Exchange)) *tape {
		return x.call(5, id).send(5.001, token1, answered(), edit...).returns(5.003, answered())
	}
	none := func(size int64) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) { x.Request.Body = evidence.Body{Size: size} }
	}
	const differs = "the body differs from that of call 1"
	prove(t, []proof{
		{"CACHE-10", "nothing sent", first().call(5, id).fails(5.1, evidence.Other), "", ""},
		{"CACHE-10", "nothing sent before", again(newTape().call(0, id).fails(0.1, evidence.Other)), "", ""},
		{"CACHE-10", "the first not received", again(first(func(x *evidence.Exchange) { x.BodyRead = nil }, sentBody("{}"))), "", ""},
		{"CACHE-10", "the first not kept", again(first(none(9))), "", ""},
		{"CACHE-10", "the first of one byte not kept", again(first(none(1))), "", ""},
		{"CACHE-10", "the first of no byte", again(first(none(0))), Failed, differs},
		{"CACHE-10", "the second not kept", again(first(), none(9)), "", ""},
		{"CACHE-10", "the second of no byte", again(first(), none(0)), Failed, differs},
		{"CACHE-10", "two lists", again(first(sentBody("[1]")), sentBody("[2]")), Failed, differs},
	})
}

func TestEdgesOfWhatIsLeft(t *testing.T) {
	t.Parallel()
	cached := func(t *tape, end float64) *tape {
		t = t.exits(end, 1, "", "blocked")
		t.last().Command.Files = []evidence.LeftFile{{Path: "c.json", Mode: "0600", Content: evidence.Text(`"` + token1 + `"`)}}
		return t
	}
	refused := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, edit...).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, refusal))
	}
	open := cached(refused(), 0.02)
	open.last().Ended = nil
	strange := newTape().call(0).resolve(0.001, ready(token1)).send(0.003, "mine", "", status(401, refusal))
	prove(t, []proof{
		{"CACHE-08", "its end is not known", open, "", ""},
		{"CACHE-08", "its caller gave up meanwhile", cached(refused(cancelled(0.5)), 2), "", ""},
		{"CACHE-08", "its caller gave up a second later", cached(refused(cancelled(1.004009)), 2), "", ""},
		{"CACHE-08", "its caller gave up just after that", cached(refused(cancelled(1.0045)), 2), Failed, "still held"},
		{"CACHE-08", "a credential that is no token of the run", cached(strange, 0.02), "", ""},
		{"CACHE-08", "named by an answer that is no access", cached(refused().asks(0.01, evidence.OpWhoAmI, "platform", "GET", "/x", status(200, ready(token1))), 0.02), Failed, "still held"},
		{"CACHE-08", "handed out again in the instant of the end", cached(refused(), 0.02).call(0.01).resolve(0.02, ready(token1), answerAfter(0)).fails(0.03, evidence.Other), Passed, ""},
		{"CACHE-08", "handed out again in the instant of the rejection", cached(refused().resolve(0.003, ready(token1)), 0.02), "", ""},
	})
}

func TestEdgesOfTheCacheFile(t *testing.T) {
	t.Parallel()
	cut := func(c *evidence.Call) { c.Home = []evidence.HomeChange{{Spoiled: "cut"}} }
	asked := func() *tape { return newTape().call(0, cut).resolve(0.001, ready(token1)) }
	checks := func(edit ...func(*evidence.Exchange)) *tape {
		return asked().asks(0.003, evidence.OpWhoAmI, "platform", "GET", "/x", edit...)
	}
	fails := func(t *tape) *tape { return t.exits(0.1, 1, "", "bad file") }
	const other = "0b2701a1-0000-4000-8000-000000000002"
	// beside is two commands at once, of two sessions, that leave these files behind.
	beside := func(first, second string, edit func(r *evidence.Run)) *tape {
		t := plainSend().exits(0.01, 0, answered(), "")
		t.last().Command.Files = []evidence.LeftFile{{Path: "c", Content: evidence.Text(first)}}
		t = t.call(0.005, onSession(other)).resolve(0.006, ready(token2)).send(0.008, token2, answered()).exits(0.012, 0, answered(), "")
		t.last().Command.Files = []evidence.LeftFile{{Path: "c", Content: evidence.Text(second)}}
		edit(&t.run)
		return t
	}
	inProcess := func(n int) func(*evidence.Run) {
		return func(r *evidence.Run) {
			r.Calls[n].Command, r.Calls[n].Outcome = nil, &evidence.Outcome{Kind: evidence.OutcomeMessage, Message: []byte("{}")}
		}
	}
	saying := func(body string) func(*evidence.Run) {
		return func(r *evidence.Run) { r.Exchanges[2].Response.Body = bodyOf(body) }
	}
	together := func(r *evidence.Run) { r.Calls[1].Ended = r.Calls[0].Ended }
	prove(t, []proof{
		{"CACHE-13", "a client in process", asked().send(0.003, token1, answered()).returns(0.1, answered()), "", ""},
		{"CACHE-13", "a sign-in that failed", fails(checks(status(500, "{}"))), "", ""},
		{"CACHE-13", "a sign-in that broke off", fails(checks(broken)), "", ""},
		{"CACHE-13", "a good answer of another media type", fails(asked().send(0.003, token1, answered(), responseHeader("Content-Type", "text/html"))), "", ""},
		{"CACHE-13", "a server beside that takes no connections", fails(asked().send(0.003, token1, answered())).deaf("other"), Warned, "was corrupt"},

		{"CACHE-14", "the first in process", beside(token1, token2, inProcess(0)), "", ""},
		{"CACHE-14", "the second in process", beside(token1, token2, inProcess(1)), "", ""},
		{"CACHE-14", "one and the same access, which is there", beside(token1, token1, saying(ready(token1))), "", ""},
		{"CACHE-14", "a token without a name beside one that is there", beside(token1, token1, saying(ready("plain"))), "", ""},
		{"CACHE-14", "ended at once, and one lost", beside(token2, token2, together), Warned, "no longer the access of call 1"},
	})
}
