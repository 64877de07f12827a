package suites

import (
	"strings"
	"testing"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// tapeEpoch is when the tapes of cached access begin.
var tapeEpoch = time.Date(2026, 9, 3, 10, 0, 0, 0, time.UTC)

// expires gives an admitting answer an expiry, in seconds of the tape; readyUntil(t, -1) leaves it out.
func readyUntil(token string, seconds float64) string {
	text := "null"
	if seconds >= 0 {
		text = jsonText(tapeEpoch.Add(inSeconds(seconds)).Format(time.RFC3339Nano))
	}
	return swap(ready(token), `"2999-01-01T00:00:00Z"`, text)
}

// held is a tape whose first call was given access that ends at a moment; below 0 it has no end.
func held(ends float64, edit ...func(*evidence.Call)) *tape {
	t := newTape()
	t.run.Epoch, t.run.ObservedUntil = tapeEpoch, at(20000)
	return t.call(0, edit...).resolve(0.001, readyUntil(token1, ends)).send(0.003, token1, answered()).returns(0.005, answered())
}

// uses adds a call that sends with the first token at once, or asks first.
func (t *tape) uses(moment float64, edit ...func(*evidence.Call)) *tape {
	return t.call(moment, edit...).send(moment+0.001, token1, answered()).returns(moment+0.003, answered())
}

func (t *tape) asksAgain(moment float64, edit ...func(*evidence.Call)) *tape {
	return t.call(moment, edit...).resolve(moment+0.001, readyUntil(token2, moment+3600)).send(moment+0.003, token2, answered()).returns(moment+0.005, answered())
}

// ofEve and ofSecond make a call for another user, and to another platform.
func ofEve(c *evidence.Call) { c.User = "eve" }

func ofSecond(c *evidence.Call) { c.Backend = "second" }

func TestTheEndOfAccess(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"CACHE-02", "asked afresh", held(60).asksAgain(61), Passed, ""},
		{"CACHE-02", "used", held(60).uses(61), Failed, "the call used access 1s past its expires_at"},
		{"CACHE-02", "expired when it came", held(0).uses(1), Failed, "past its expires_at"},
		{"CACHE-02", "still good", held(60).uses(20), "", ""},
		{"CACHE-02", "asked too early", held(60).asksAgain(20), "", ""},
		{"CACHE-02", "one call", held(0), "", ""},
		{"CACHE-02", "without an end", held(-1).uses(61), "", ""},
		{"CACHE-02", "of another instance", held(60).uses(61, ofAnother()), "", ""},
		{"CACHE-02", "handed out again", held(60).call(61).resolve(61.001, readyUntil(token1, 999)).send(61.003, token1, answered()).returns(61.005, answered()).uses(62), Passed, ""},
		{"CACHE-02", "near the border", held(60).onClock().uses(60.01), Inconclusive, "too near"},
		{"CACHE-02", "after a sign-in that took long", held(60).call(59).asks(59.001, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/", answerAfter(3)).
			send(62.01, token1, answered()).returns(62.02, answered()), Failed, "2.001s past"},

		{"CACHE-03", "asked with a second left", held(60).asksAgain(59), Passed, ""},
		{"CACHE-03", "used with a second left", held(60).uses(59), Failed, "1s before its expires_at"},
		{"CACHE-03", "used with two seconds left", held(60).uses(58), "", ""},
		{"CACHE-03", "asked with two seconds left", held(60).asksAgain(58), "", ""},
		{"CACHE-03", "past it", held(60).uses(61), "", ""},
		{"CACHE-03", "its own access", held(0.5), "", ""},
		{"CACHE-03", "near the border", held(60).onClock().uses(58.99), Inconclusive, "too near"},

		{"CACHE-12", "ends before the fallback", held(20).asksAgain(21), Passed, ""},
		{"CACHE-12", "used after it, before the fallback", held(20).uses(21), Failed, "20"},
		{"CACHE-12", "ends later, used as long", held(3600).uses(1800), Passed, ""},
		{"CACHE-12", "ends later, asked earlier", held(3600).asksAgain(120), Observed, "before the expires_at of what it had"},
		{"CACHE-12", "without an end", held(-1).asksAgain(120), "", ""},

		{"CACHE-04", "asked after a minute", held(-1).asksAgain(61), Passed, ""},
		{"CACHE-04", "used within it", held(-1).uses(50), "", ""},
		{"CACHE-04", "used after eleven minutes", held(-1).uses(660), Warned, "659"},
		{"CACHE-04", "used after an hour", held(-1).uses(3700), Failed, "was used 3699"},
		{"CACHE-04", "prolonged by use", held(-1).uses(50).uses(100).call(0, ofAnother()).resolve(0.001, readyUntil(token2, -1)).send(0.002, token2, answered()).returns(0.005, answered()).
			asksAgain(70, ofAnother()), Failed, "use prolongs it"},
		{"CACHE-04", "the same with and without use", held(-1).uses(50).call(0, ofAnother()).resolve(0.001, readyUntil(token2, -1)).send(0.002, token2, answered()).returns(0.005, answered()).
			asksAgain(70, ofAnother()), Passed, ""},
		{"CACHE-04", "with an end", held(7000).uses(3700), "", ""},
		{"CACHE-04", "whose resolve is not known", held(-1).call(70).resolve(70.001, ready(token2), ofCalls(1, 2)).returns(71, answered()), "", ""},
	})
}

func TestWhoseAccess(t *testing.T) {
	t.Parallel()
	other := "0b2701a1-0000-4000-8000-000000000002"
	command := evidence.Subject{Kind: evidence.KindCommand}
	byCommand := func(t *tape) *tape {
		for i := range t.run.Calls {
			t.run.Calls[i].Command = &evidence.Command{}
			t.run.Calls[i].Outcome = &evidence.Outcome{Kind: evidence.OutcomePrinted}
		}
		return t.by(command)
	}
	prove(t, []proof{
		{"CACHE-05", "its own", held(999).asksAgain(5, onSession(other)), Passed, ""},
		{"CACHE-05", "another session's", held(999).uses(5, onSession(other)), Failed, "which is another session's"},
		{"CACHE-05", "after a resolve of its own", held(999).call(5, onSession(other)).resolve(5.001, ready(token2)).send(5.003, token1, answered()).returns(5.01, answered()), Failed, "another session's"},
		{"CACHE-05", "the same token for both", held(999).call(5, onSession(other)).resolve(5.001, ready(token1)).send(5.003, token1, answered()).returns(5.01, answered()), Passed, ""},
		{"CACHE-05", "the same session", held(999).uses(5), "", ""},
		{"CACHE-05", "another instance", held(999).uses(5, onSession(other), ofAnother()), "", ""},
		{"CACHE-05", "nothing there to use", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.01, evidence.Blocked).asksAgain(5, onSession(other)), "", ""},

		{"CACHE-06", "its own", byCommand(held(999).asksAgain(5, ofEve)), Passed, ""},
		{"CACHE-06", "another user's", byCommand(held(999).uses(5, ofEve)), Failed, "which is another user's"},
		{"CACHE-06", "in process", held(999).uses(5, ofEve), "", ""},
		{"CACHE-07", "its own", byCommand(held(999).asksAgain(5, ofSecond)), Passed, ""},
		{"CACHE-07", "another backend's", byCommand(held(999).uses(5, ofSecond)), Failed, "which is another backend's"},
		{"CACHE-07", "in process", held(999).uses(5, ofSecond), "", ""},
		{"CACHE-18", "its own", held(999).asksAgain(5, ofEve), Passed, ""},
		{"CACHE-18", "another user's", held(999).uses(5, ofEve), Warned, "another user's or backend's"},
		{"CACHE-18", "another backend's", held(999).uses(5, ofSecond), Warned, "another user's or backend's"},
		{"CACHE-18", "by a command", byCommand(held(999).uses(5, ofEve)), "", ""},
	})
}

func TestClearingAndRefusals(t *testing.T) {
	t.Parallel()
	twice := func(t *tape) *tape { return t.fails(0.02, evidence.Blocked) }
	refused := func() *tape { return rejected(401, refusal).resolve(0.01, stopped("unavailable")) }
	file := func(t *tape, content string) *tape {
		t = t.exits(0.02, 1, "", "blocked")
		t.last().Command.Files = []evidence.LeftFile{{Path: ".config/cache.json", Mode: "0600", Content: evidence.Text(content)}}
		return t
	}
	stop := func() *tape {
		return newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.01, evidence.Blocked)
	}
	// given hands the token that is rejected later to somebody else first.
	given := func(whom func(*evidence.Call)) *tape {
		return newTape().call(-9, whom).resolve(-8.9, ready(token1)).fails(-8, evidence.Other).call(0).resolve(0.001, ready(token1)).
			send(0.003, token1, "", status(401, refusal)).resolve(0.01, stopped("unavailable"))
	}
	prove(t, []proof{
		{"CACHE-08", "in memory", twice(refused()).call(5).resolve(5.001, ready(token2)).send(5.003, token2, answered()).returns(5.01, answered()), Passed, ""},
		{"CACHE-08", "used by the next call", twice(refused()).call(5).send(5.003, token1, answered()).returns(5.01, answered()), Failed, "which the runtime had rejected"},
		{"CACHE-08", "cleared in the file", file(refused(), `{"entries":[]}`), Passed, ""},
		{"CACHE-08", "left in the file", file(refused(), `{"entries":[{"token":"`+token1+`"}]}`), Failed, "the file .config/cache.json still held " + token1},
		{"CACHE-08", "handed out again", file(rejected(403, refusal).resolve(0.01, ready(token1)).send(0.012, token1, "", status(409, refusal)), `{"token":"`+token1+`"}`), "", ""},
		{"CACHE-08", "beside another command", file(refused(), token1).call(0.004).resolve(0.005, ready(token2)).send(0.006, token2, answered()).returns(0.01, answered()), Inconclusive, "meanwhile"},
		{"CACHE-08", "no rejection", file(plainSend(), token1), "", ""},
		{"CACHE-08", "another session's too", file(given(onSession("other")), token1), "", ""},
		{"CACHE-08", "given to another home too", file(given(ofAnother()), token1), Failed, "still held"},

		{"CACHE-09", "asked", stop().asksAgain(5), Passed, ""},
		{"CACHE-09", "refused again", stop().call(5).fails(5.001, evidence.Blocked), Passed, ""},
		{"CACHE-09", "sent", newTape().call(0).resolve(0.001, swap(ready(token1), `"can_submit":true`, `"can_submit":false`)).fails(0.01, evidence.Blocked).uses(5), Failed, "without asking"},
		{"CACHE-09", "admitted before", held(999).uses(5), "", ""},

		{"CACHE-16", "asked", stop().asksAgain(5), Observed, "asked again 0.001s after its start"},
		{"CACHE-16", "repeated", stop().call(5).fails(5.001, evidence.Blocked), Observed, "asked nothing"},
		{"CACHE-16", "admitted before", held(999).asksAgain(5), "", ""},

		{"CACHE-01", "used", held(999).uses(5), Observed, "used the access that an earlier call had resolved"},
		{"CACHE-01", "asked", held(999).asksAgain(5), Observed, "resolved once before its send"},
		{"CACHE-01", "without an end, fresh", held(-1).uses(5), Observed, "used the access"},
		{"CACHE-01", "without an end, old", held(-1).asksAgain(50), "", ""},
		{"CACHE-01", "near its end", held(100).asksAgain(50), "", ""},
	})
}

// plainSend is a call whose send was answered, not yet ended.
func plainSend() *tape {
	return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, answered())
}

func TestTheBodyWithAndWithoutACache(t *testing.T) {
	t.Parallel()
	twice := func(edit ...func(*evidence.Exchange)) *tape {
		return held(999, withID("m")).call(5, withID("m")).send(5.001, token1, answered(), edit...).returns(5.003, answered())
	}
	prove(t, []proof{
		{"CACHE-10", "equal", twice(requestBody(`"role":`, `"role": `)), Passed, ""},
		{"CACHE-10", "another", twice(requestBody(`,"responseKind":"message"`, "")), Failed, "the body differs from that of call 1"},
		{"CACHE-10", "a null more", twice(requestBody(`"role":`, `"metadata":null,"role":`)), Observed, "null in one"},
		{"CACHE-10", "other text", held(999, withID("m")).call(5, withID("m"), saying("x")).send(5.001, token1, answered()).returns(5.003, answered()), "", ""},
		{"CACHE-10", "own ids", held(999).uses(5), "", ""},
		{"CACHE-10", "not received", twice(func(x *evidence.Exchange) { x.BodyRead = nil }), "", ""},
	})
}

func TestTheCacheFile(t *testing.T) {
	t.Parallel()
	with := func(files ...evidence.LeftFile) *tape {
		t := plainSend().exits(0.01, 0, answered(), "")
		t.last().Command.Files = files
		return t
	}
	cache := func(mode, created, content string) evidence.LeftFile {
		return evidence.LeftFile{Path: "c.json", Mode: mode, ModeAtCreation: created, Content: evidence.Text(content)}
	}
	secondWith := func(f evidence.LeftFile) *tape {
		t := with(cache("0600", "0600", token1)).uses(1)
		t.last().Command = &evidence.Command{Files: []evidence.LeftFile{f}}
		return t
	}
	prove(t, []proof{
		{"CACHE-11", "narrow", with(cache("0600", "0600", token1)), Passed, ""},
		{"CACHE-11", "wide", with(cache("0644", "0644", token1)), Warned, "has mode 0644"},
		{"CACHE-11", "wide at first", with(cache("0600", "0644", token1)), Warned, "was created with mode 0644"},
		{"CACHE-11", "creation not seen", with(cache("0600", "", token1)), Inconclusive, "was not seen"},
		{"CACHE-11", "creation not seen, of an earlier command", secondWith(cache("0600", "", token1)), Passed, ""},
		{"CACHE-11", "as letters", with(cache("-rw-------", "-rw-r-----", token1)), Warned, "created with"},
		{"CACHE-11", "no token in it", with(cache("0644", "", "{}")), "", ""},
		{"CACHE-11", "in process", plain(), "", ""},
	})
	after := func(changes ...evidence.HomeChange) func(*evidence.Call) {
		return func(c *evidence.Call) { c.Home = changes }
	}
	spoiled := func(how string) func(*evidence.Call) { return after(evidence.HomeChange{Spoiled: how}) }
	put := after(evidence.HomeChange{Put: ".config", Mode: "0444"})
	sent := func(edit func(*evidence.Call)) *tape {
		return newTape().call(0, edit).resolve(0.001, ready(token1)).send(0.003, token1, answered())
	}
	prove(t, []proof{
		{"CACHE-13", "cut", sent(spoiled("cut")).exits(0.01, 0, answered(), ""), Passed, ""},
		{"CACHE-13", "empty", sent(spoiled("empty")).exits(0.01, 0, answered(), ""), Passed, ""},
		{"CACHE-13", "cut and stumbled over", newTape().call(0, spoiled("cut")).exits(0.01, 1, "", "bad file"), Warned, "was corrupt (cut), and the command ended with exit status 1"},
		{"CACHE-13", "empty and stumbled over", sent(spoiled("empty")).exits(0.01, 1, "", "bad file"), Warned, "was empty"},
		{"CACHE-13", "the servers failed", newTape().call(0, spoiled("cut")).resolve(0.001, stopped("unavailable")).exits(0.01, 1, "", ""), "", ""},
		{"CACHE-13", "directory", sent(spoiled("directory")).exits(0.01, 1, "", ""), "", ""},
		{"CACHE-15", "directory", sent(spoiled("directory")).exits(0.01, 0, answered(), ""), Passed, ""},
		{"CACHE-15", "directory, answer lost", sent(spoiled("directory")).exits(0.01, 1, "", "is a directory"), Warned, "a directory stood in place"},
		{"CACHE-15", "put", sent(put).exits(0.01, 1, "", "x"), Warned, "the file .config was put into the home (mode 0444)"},
		{"CACHE-15", "a netrc put", sent(after(evidence.HomeChange{Put: ".netrc", Mode: "0600"})).exits(0.01, 1, "", "x"), "", ""},
		{"CACHE-15", "garbage", sent(spoiled("garbage")).exits(0.01, 0, answered(), ""), "", ""},
	})
}

func TestTwoCommandsAtOnce(t *testing.T) {
	t.Parallel()
	other := "0b2701a1-0000-4000-8000-000000000002"
	both := func(first, second string) *tape {
		t := plainSend().exits(0.01, 0, answered(), "")
		t.last().Command.Files = []evidence.LeftFile{{Path: "c", Content: evidence.Text(first)}}
		answer := strings.ReplaceAll(answered(), sessionUID, other)
		t = t.call(0.001, onSession(other)).resolve(0.002, ready(token2)).send(0.004, token2, answer).exits(0.012, 0, answer, "")
		t.last().Command.Files = []evidence.LeftFile{{Path: "c", Content: evidence.Text(second)}}
		return t
	}
	together := both(token1+token2, token2)
	together.run.Calls[1].Ended = together.run.Calls[0].Ended
	prove(t, []proof{
		{"CACHE-14", "both", both(token1, token1+token2), Passed, ""},
		{"CACHE-14", "one lost", both(token1, token2), Warned, "no longer the access of call 1"},
		{"CACHE-14", "the other lost", both(token1, token1), Warned, "no longer the access of call 2"},
		{"CACHE-14", "nothing kept", both("", ""), "", ""},
		{"CACHE-14", "ended at once", together, Passed, ""},
		{"CACHE-14", "one after the other", held(999).asksAgain(5), "", ""},
	})
}

func TestLeaks(t *testing.T) {
	t.Parallel()
	part := strings.TrimSuffix(token1, "›") + " part›"
	says := func(text string) *tape { return plainSend().fails(0.01, evidence.Rejected, shown(text)) }
	left := func(path, content string) *tape {
		t := plainSend().exits(0.01, 0, answered(), "")
		t.last().Command.Files = []evidence.LeftFile{{Path: path, Content: evidence.Text(content)}}
		return t
	}
	prove(t, []proof{
		{"CACHE-17", "quiet", says("no"), Passed, ""},
		{"CACHE-17", "whole", says("headers: Bearer " + token1), Failed, token1 + " stands whole in the error's text"},
		{"CACHE-17", "in part", says("token " + part), Failed, "stands in part"},
		{"CACHE-17", "the platform's", says("‹platform-token›"), Passed, ""},
		{"CACHE-17", "no secret", says("‹runtime-token:9›"), Passed, ""},
		{"CACHE-17", "in the name", plainSend().fails(0.01, evidence.Rejected, func(e *evidence.Error) { e.Bases = []string{token1} }), Failed, "name or state"},
		{"CACHE-17", "a result", plainSend().returns(0.01, answered()), "", ""},
		{"CACHE-17", "none handed out", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.01, evidence.Blocked), "", ""},

		{"CLI-09", "quiet", left("c.json", `{"token":"`+token1+`"}`), Passed, ""},
		{"CLI-09", "on standard error", plainSend().exits(0.01, 0, "", "Authorization: Bearer "+token1), Failed, "whole in standard error"},
		{"CLI-09", "on standard output, as base64", plainSend().exits(0.01, 0, strings.TrimSuffix(token1, "›")+" base64›", ""), Failed, "as base64 in standard output"},
		{"CLI-09", "in a log", left(".config/x/debug.log", token1), Failed, "in the left file .config/x/debug.log"},
		{"CLI-09", "in a request that was kept", left("last.txt", "Authorization: Bearer "+token1), Failed, "in the left file last.txt"},
		{"CLI-09", "a part of it in a file", left("c.json", part), Failed, "in part in the left file"},
		{"CLI-09", "in process", says("Bearer " + token1), "", ""},
	})
}
