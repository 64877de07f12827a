package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// receipt is when the first call of held got its access.
const receipt = 0.001 + 0.001009

// rejectedBefore is a tape whose first call was given access that the runtime rejected.
func rejectedBefore() *tape {
	t := newTape()
	t.run.Epoch, t.run.ObservedUntil = tapeEpoch, at(20000)
	return t.call(0).resolve(0.001, readyUntil(token1, 3600)).send(0.003, token1, "", status(401, "{}")).fails(0.005, evidence.Unauthorized)
}

func TestBordersOfTheEndOfAccess(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"CACHE-03", "used at its end", held(60).uses(60), Failed, "0s before its expires_at"},
		{"CACHE-03", "used with just more than a second left", held(60).uses(58.9995), "", ""},
		{"CACHE-03", "asked near the border", held(60).onClock().asksAgain(58.99), "", ""},

		{"CACHE-12", "a life just short of the fallback, asked", held(receipt + 59.9995).asksAgain(61), Passed, ""},
		{"CACHE-12", "a life as long as the fallback, asked", held(receipt + 60).asksAgain(61), "", ""},
		{"CACHE-12", "a life just longer, asked", held(receipt + 60.0005).asksAgain(61), "", ""},
		{"CACHE-12", "a life just short of the fallback, used", held(receipt + 59.9995).uses(61), Failed, "59.9995s ahead"},
		{"CACHE-12", "a life as long as the fallback, used", held(receipt + 60).uses(61), "", ""},
		{"CACHE-12", "a life just longer, used", held(receipt + 60.0005).uses(61), "", ""},
		{"CACHE-12", "a short life, used before its end", held(20).uses(5), "", ""},
		{"CACHE-12", "a short life, asked before its end", held(20).asksAgain(5), "", ""},
		{"CACHE-12", "a long life, asked after it", held(90).asksAgain(91), "", ""},
		{"CACHE-12", "a long life, used after it", held(900).uses(1000), "", ""},
		{"CACHE-12", "used just shorter than shows", held(3600).uses(receipt + 599.9995), "", ""},
		{"CACHE-12", "used as long as shows nothing", held(3600).uses(receipt + 600), "", ""},
		{"CACHE-12", "used just longer", held(3600).uses(receipt + 600.0005), Passed, ""},
		{"CACHE-12", "used soon", held(3600).uses(5), "", ""},
		{"CACHE-12", "asked though long used", held(3600).asksAgain(1800), Observed, "1800s before"},
		{"CACHE-12", "asked just long before", held(900).asksAgain(299.9995), Observed, "600.0005s before"},
		{"CACHE-12", "asked as long before", held(900).asksAgain(300), "", ""},
		{"CACHE-12", "asked just shorter before", held(900).asksAgain(300.0005), "", ""},
		{"CACHE-12", "asked after a rejection", rejectedBefore().asksAgain(5), "", ""},

		{"CACHE-04", "asked just before a minute", held(-1).asksAgain(receipt + 59.9995), "", ""},
		{"CACHE-04", "asked at a minute", held(-1).asksAgain(receipt + 60), "", ""},
		{"CACHE-04", "asked just after it", held(-1).asksAgain(receipt + 60.0005), Passed, ""},
		{"CACHE-04", "used just before ten minutes", held(-1).uses(receipt + 599.9995), "", ""},
		{"CACHE-04", "used at ten minutes", held(-1).uses(receipt + 600), "", ""},
		{"CACHE-04", "used just after them", held(-1).uses(receipt + 600.0005), Warned, "600.0005s after"},
		{"CACHE-04", "used just before an hour", held(-1).uses(receipt + 3599.9995), Warned, "3599.9995s after"},
		{"CACHE-04", "used at an hour", held(-1).uses(receipt + 3600), Warned, "3600s after"},
		{"CACHE-04", "used just after it", held(-1).uses(receipt + 3600.0005), Failed, "3600.0005s after"},

		{"CACHE-01", "just valid for long", held(305.0005).uses(5), Observed, "used the access"},
		{"CACHE-01", "valid for as long as counts not", held(305).uses(5), "", ""},
		{"CACHE-01", "valid for just shorter", held(304.9995).uses(5), "", ""},
		{"CACHE-01", "without an end, just fresh", held(-1).uses(receipt + 19.9995), Observed, "used the access"},
		{"CACHE-01", "without an end, no longer fresh", held(-1).uses(receipt + 20), "", ""},
		{"CACHE-01", "without an end, just older", held(-1).uses(receipt + 20.0005), "", ""},
		{"CACHE-01", "with an end that nobody can read", newTape().call(0).resolve(0.001, swap(ready(token1), `"2999-01-01T00:00:00Z"`, `"soon"`)).
			send(0.003, token1, answered()).returns(0.005, answered()).uses(5), "", ""},
		{"CACHE-01", "rejected in another session", held(999).call(1, onSession("other")).resolve(1.001, ready(token1)).
			send(1.003, token1, "", status(401, "{}")).fails(1.1, evidence.Other).asksAgain(5), Observed, "resolved once before its send"},
		{"CACHE-01", "rejected and given again", rejectedBefore().call(2).resolve(2.001, ready(token1)).fails(2.1, evidence.Other).asksAgain(5), Observed, "resolved once before its send"},
		{"CACHE-01", "rejected before", rejectedBefore().asksAgain(5), "", ""},
		{"CACHE-01", "asked twice, and once more after the send", held(999).call(5).resolve(5.001, ready(token2)).resolve(5.003, ready(token2)).
			send(5.005, token2, "", status(401, "{}")).resolve(5.007, ready(token2)).fails(6, evidence.Other), Observed, "resolved twice before its send"},
		{"CACHE-01", "asked and never sent", held(999).call(5).resolve(5.001, ready(token2)).fails(6, evidence.Other), Observed, "resolved once"},
	})
}

func TestBordersOfARefusalBefore(t *testing.T) {
	t.Parallel()
	stop := func() *tape {
		return newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.01, evidence.Blocked)
	}
	prove(t, []proof{
		{"CACHE-09", "nothing known of what came", stop().call(5), "", ""},
		{"CACHE-09", "asked in the instant of the refusal", stop().asksAgain(receipt), Passed, ""},
		{"CACHE-09", "begun before the refusal", stop().asksAgain(receipt - 0.0005), "", ""},
		{"CACHE-09", "uncertain who asked", stop().call(5).call(5).resolve(5.001, ready(token2), ofCalls(2, 3)).fails(6, evidence.Other), "", ""},
		{"CACHE-16", "nothing known of what came", stop().call(5), "", ""},
		{"CACHE-16", "sent", stop().uses(5), "", ""},
		{"CACHE-16", "its caller gave up", stop().call(5, cancelled(5.0005)).fails(5.001, evidence.Other), "", ""},
		{"CACHE-16", "asked in the instant of the refusal", stop().asksAgain(receipt), Observed, "0s before"},
	})
}

func TestBordersOfTheCacheFile(t *testing.T) {
	t.Parallel()
	file := func(mode, created, content string) evidence.LeftFile {
		return evidence.LeftFile{Path: "c.json", Mode: mode, ModeAtCreation: created, Content: evidence.Text(content)}
	}
	leaves := func(t *tape, files ...evidence.LeftFile) *tape {
		t = t.exits(9, 0, answered(), "")
		t.last().Command.Files = files
		return t
	}
	unseen := file("0600", "", token1)
	elsewhere := unseen
	elsewhere.Path = "d.json"
	prove(t, []proof{
		{"CACHE-11", "laid by an earlier command", leaves(leaves(plainSend(), file("0600", "0600", "{}")).call(9), unseen), Passed, ""},
		{"CACHE-11", "laid by another instance", leaves(leaves(plainSend(), file("0600", "0600", "{}")).call(9, ofAnother()), unseen), Inconclusive, "not seen"},
		{"CACHE-11", "laid at another place", leaves(leaves(plainSend(), file("0600", "0600", "{}")).call(9), elsewhere), Inconclusive, "not seen"},
		{"CACHE-11", "after a call in process", leaves(plain().call(9), unseen), Inconclusive, "not seen"},
		{"CACHE-11", "modes too short to be read", leaves(plainSend(), file("rw---", "rw---", token1)), Inconclusive, "not seen"},
		{"CACHE-11", "modes of six letters", leaves(plainSend(), file("------", "------", token1)), Passed, ""},
		{"CACHE-11", "the platform's token", leaves(plainSend(), file("0644", "0644", "‹platform-token›")), "", ""},
	})
}

func TestWhatStandsAgainstACommand(t *testing.T) {
	t.Parallel()
	cut := func(c *evidence.Call) { c.Home = []evidence.HomeChange{{Spoiled: "cut"}} }
	begins := func(edit ...func(*evidence.Call)) *tape { return newTape().call(0, append(edit, cut)...) }
	asked := func(edit ...func(*evidence.Call)) *tape { return begins(edit...).resolve(0.001, ready(token1)) }
	fails := func(t *tape) *tape { return t.exits(0.1, 1, "", "bad file") }
	deaf := fails(asked().send(0.003, token1, answered()))
	deaf.run.Endpoints[0].Accepts = evidence.AcceptsHang
	prove(t, []proof{
		{"CACHE-13", "nothing", fails(asked().send(0.003, token1, answered())), Warned, "was corrupt"},
		{"CACHE-13", "nothing, with another request beside", fails(asked().asks(0.003, evidence.OpWhoAmI, "platform", "GET", "/x")), Warned, "was corrupt"},
		{"CACHE-13", "it sent nothing and ended well", begins().exits(0.1, 0, "", ""), "", ""},
		{"CACHE-13", "a resolve that broke off", fails(begins().resolve(0.001, ready(token1), broken)), "", ""},
		{"CACHE-13", "a resolve that failed", fails(begins().resolve(0.001, ready(token1), status(500, ready(token1)))), "", ""},
		{"CACHE-13", "an admission with a flaw", fails(begins().resolve(0.001, swap(ready(token1), `"mode":"token"`, `"mode":"unavailable"`))), "", ""},
		{"CACHE-13", "an answer that broke off", fails(asked().send(0.003, token1, answered(), broken)), "", ""},
		{"CACHE-13", "an answer that failed", fails(asked().send(0.003, token1, "", status(500, answered()))), "", ""},
		{"CACHE-13", "an answer with a flaw", fails(asked().send(0.003, token1, "{}")), "", ""},
		{"CACHE-13", "a budget that ran out", fails(asked(timeout(0.05)).send(0.003, token1, answered())), "", ""},
		{"CACHE-13", "a caller who gave up", fails(asked(cancelled(0.05)).send(0.003, token1, answered())), "", ""},
		{"CACHE-13", "another call at once", fails(newTape().call(0).call(0, cut).resolve(0.001, ready(token1), ofCalls(1, 2))), "", ""},
		{"CACHE-13", "a message id that is blank", fails(asked(withID(" ")).send(0.003, token1, answered())), "", ""},
		{"CACHE-13", "a kind that nobody knows", fails(asked(ofKind("stream")).send(0.003, token1, answered())), "", ""},
		{"CACHE-13", "a platform that takes no connections", deaf, "", ""},
		{"CACHE-13", "a Task", fails(asked(ofKind("task"))), "", ""},
	})
}

func TestBordersOfTwoCommandsAtOnce(t *testing.T) {
	t.Parallel()
	const other = "0b2701a1-0000-4000-8000-000000000002"
	lost := func(edit func(first, second *evidence.Call)) *tape {
		t := plainSend().exits(0.01, 0, answered(), "")
		t.last().Command.Files = []evidence.LeftFile{{Path: "c", Content: evidence.Text(token1)}}
		t = t.call(0.005, onSession(other)).resolve(0.006, ready(token2)).send(0.008, token2, answered()).exits(0.012, 0, answered(), "")
		t.last().Command.Files = []evidence.LeftFile{{Path: "c", Content: evidence.Text(token2)}}
		edit(&t.run.Calls[0], &t.run.Calls[1])
		return t
	}
	same := lost(func(_, _ *evidence.Call) {})
	same.run.Exchanges[2].Response.Body = bodyOf(ready(token1))
	unnamed := lost(func(_, _ *evidence.Call) {})
	unnamed.run.Exchanges[2].Response.Body = bodyOf(ready("plain"))
	refused := lost(func(_, _ *evidence.Call) {})
	refused.run.Exchanges[2].Response.Body = bodyOf(swap(ready(token2), `"can_submit":true`, `"can_submit":false`))
	prove(t, []proof{
		{"CACHE-14", "at once", lost(func(_, _ *evidence.Call) {}), Warned, "no longer the access of call 1"},
		{"CACHE-14", "the second begins as the first ends", lost(func(first, second *evidence.Call) { second.Started = *first.Ended }), "", ""},
		{"CACHE-14", "the first begins as the second ends", lost(func(first, second *evidence.Call) {
			first.Started = *second.Ended
			later := *second.Ended + at(1)
			first.Ended = &later
		}), "", ""},
		{"CACHE-14", "of two instances", lost(func(_, second *evidence.Call) { second.Client = "b" }), "", ""},
		{"CACHE-14", "the first failed", lost(func(first, _ *evidence.Call) { first.Command.Exit = 1 }), "", ""},
		{"CACHE-14", "the second failed", lost(func(_, second *evidence.Call) { second.Command.Exit = 1 }), "", ""},
		{"CACHE-14", "one and the same access", same, "", ""},
		{"CACHE-14", "a token without a name", unnamed, "", ""},
		{"CACHE-14", "a refusal", refused, "", ""},
	})
}
