package suites

import (
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// The request at the edges of its rules, where one condition alone decides.

func TestTheEdgesOfTheBody(t *testing.T) {
	t.Parallel()
	cutOff := func(x *evidence.Exchange) { x.Request.BodyError = "unexpected EOF" }
	announcing := func(n int64) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) { x.BodyRead, x.Request.ContentLength = nil, n }
	}
	whole := int64(len(plainBody(plain().last())))
	noText := func(c *evidence.Call) { c.Input.Message = evidence.Null[string]() }
	alone := func(file string, parts ...string) *tape {
		return asking(func(c *evidence.Call) { noText(c); withFiles(file)(c) }, sentBody(partsBody(parts...)))
	}
	part := func(raw string) string { return `{"raw":` + raw + `}` }
	prove(t, []proof{
		{"REQ-02", "a body that could not be read to its end", sends(requestBody("ROLE_USER", "user"), cutOff), "", ""},
		{"REQ-02", "a body in a coding that is not read", sends(header("Content-Encoding", "gzip"), sentBody("\x1f\x8b")), Inconclusive, "content coding"},
		{"REQ-03", "an id of nobody beside another session", newTape().call(0, onSession("other")).call(0).
			send(0.003, token1, answered(), requestBody(sessionUID, "heron")), Failed, "is not the uid of the session"},
		{"REQ-17", "half of a pair", sends(requestBody("hello", `\ud800`)), Passed, ""},
		{"REQ-17", "a body that nobody read on, as long as it said", sends(announcing(whole)), "", ""},
		{"REQ-17", "a number that may go on", sends(sentBody("7"), announcing(2)), "", ""},

		{"REQ-26", "nothing to be said", asking(noText), "", ""},
		{"REQ-26", "blank, beside a file", asking(func(c *evidence.Call) { saying(" ")(c); withFiles("a")(c) }, sentBody(partsBody(filePart("a"), filePart("a")))), "", ""},
		{"REQ-26", "a file alone, and one more", alone("a", filePart("a"), filePart("a")), Failed, "has 2 parts for 1 files"},
		{"REQ-26", "a file alone, as text", alone("a", `{"text":"a"}`), Passed, ""},
		{"REQ-26", "a slash escaped", alone("???", part(`"Pz8\/"`)), Passed, ""},
		{"REQ-26", "an empty file", alone("", part(`""`)), Passed, ""},
		{"REQ-26", "a file of one character that is no base64", alone("a", part(`"A"`)), Failed, "content that no file has"},
		{"REQ-26", "a media type for a file that was given none", asking(func(c *evidence.Call) { withFiles("a")(c); c.Files[0].MediaType = "" }, sentBody(partsBody(`{"text":"hello"}`, filePart("a")))), Passed, ""},
		{"REQ-26", "a text file of two lines, as text", alone("a\nb", `{"text":"a\nb"}`), Passed, ""},
		{"REQ-26", "another media type of the second file", asking(withFiles("a", "b"), sentBody(partsBody(`{"text":"hello"}`, filePart("a"), `{"raw":"Yg==","mediaType":"text/plain"}`))), Warned, "the part of file 2 of"},
		{"REQ-26", "raw is a long number", alone("a", part("1234")), Inconclusive, "could be compared"},
		{"REQ-26", "a long file in lines", alone(strings.Repeat("a", 60_000), part(`"\n`+strings.Repeat(strings.Repeat("YWFh", 10)+`\r\n`, 2000)+`"`)), Warned, "in lines, as in mail"},
		{"REQ-26", "the second character of the other alphabet", alone("???", part(`"Pz8_"`)), Passed, ""},
	})
}

func TestTheEdgesOfTheTarget(t *testing.T) {
	t.Parallel()
	byCommand := func(edit func(*evidence.Call)) *tape { return newTape().call(0, edit).ofCommand() }
	prove(t, []proof{
		{"REQ-12", "a retired route that is given a message", plain().asks(0.004, evidence.OpLegacy, "runtime", "POST", "/old", sentBody(plainBody(plain().last()))), Passed, ""},
		{"REQ-12", "redirected to itself at once", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(307, sendPath), answerAfter(0)), Passed, ""},
		{"REQ-12", "where a redirect leads, before it said so", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(307, "/elsewhere")).
			send(0.0035, token1, answered(), target("/elsewhere"), meaning(evidence.OpUnknown)), Failed, "http://runtime.test:80/elsewhere"},
		{"REQ-14", "nothing behind a comma", sends(header("Accept", mediaType+",")), Passed, ""},
		{"REQ-18", "a look-up of a session whose name says resolve", newTape().call(0, onSession("resolver"), ofKind("task")).looksUpSession(0.001, ofAgent()).
			resolve(0.003, ready(token1)), Passed, ""},
		{"REQ-20", "a target that is no address", sends(target("/%zz"), redirect(307, "/x")), "", ""},
		{"REQ-23", "no path at all", newTape().call(0, onSession("*")).resolve(0.001, ready(token1), target("*")), Warned, "went to *"},

		{"REQ-01", "the get of a Task", newTape().call(0, taskCall(evidence.CallGetTask, "t"), unreadable).fails(0.001, evidence.InvalidArgument), "", ""},
		{"REQ-01", "not ended", newTape().call(0, unreadable).resolve(0.001, ready(token1)), "", ""},
		{"REQ-01", "a command that asked for access", byCommand(unreadable).resolve(0.001, ready(token1)).exits(0.01, 1, "", "x"), Failed, "resolve-runtime-access/ before"},
		{"REQ-01", "a command that renewed its token", byCommand(unreadable).renew(0.001).exits(0.01, 1, "", "x"), Passed, ""},
		{"REQ-21", "the get of a Task", newTape().call(0, taskCall(evidence.CallGetTask, "t"), ofKind("stream")).fails(0.001, evidence.InvalidArgument), "", ""},
		{"REQ-21", "one request", newTape().call(0, ofKind("stream")).resolve(0.001, ready(token1)).fails(0.003, evidence.Other), Warned, "made 1 requests"},
		{"REQ-21", "a request that may be another call's", beside(ofKind("stream")).resolve(0.001, ready(token1), mayBeOf).fails(0.003, evidence.Other), "", ""},
		{"REQ-21", "not ended", newTape().call(0, ofKind("stream")), "", ""},
	})
}

func TestFailedByItsInput(t *testing.T) {
	t.Parallel()
	blank := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, append(edit, saying(" "))...).resolve(0.001, ready(token1))
	}
	large := func(c *evidence.Call) {
		c.Files = []evidence.InputFile{{Name: "a.pdf", Size: largestFile + 1, Readable: true}}
	}
	prove(t, []proof{
		{"REQ-01", "admitted, and no word of why", blank().fails(0.003, "", untold), Failed, "a blank message asked for"},
		{"REQ-01", "a file that may be too large, and a broken connection", newTape().call(0, large).resolve(0.001, ready(token1)).fails(0.003, evidence.Transport), "", ""},
		{"REQ-01", "given up by the caller", blank(cancelled(0.002)).fails(0.003, "", untold), "", ""},
		{"REQ-01", "a signal", blank(signalled("INT", 0.002)).exits(0.003, 130, "", "x"), "", ""},
		{"REQ-01", "a request that no script foresaw", blank().asks(0.002, evidence.OpGetAgent, "platform", "GET", "/x", unscripted).fails(0.003, "", untold), "", ""},
		{"REQ-01", "not admitted, with all that a send needs", newTape().call(0, saying(" ")).resolve(0.001, swap(ready(token1), `"can_submit":true`, `"can_submit":false`)).
			fails(0.003, "", untold), "", ""},
		{"REQ-01", "behind its budget", blank(timeout(1)).fails(2, "", untold), "", ""},
	})
	for n, want := range map[string]bool{"0": true, "1": false, "0.5": true, "1e999": false, "-1e999": true} {
		if got := newTape().call(0, strictly(n)).view(false).Calls[0].tooFewAttempts(); got != want {
			t.Errorf("%s attempts are too few: %t", n, got)
		}
	}
}

func TestInsideTheBudgetOfANoisyClock(t *testing.T) {
	t.Parallel()
	noisy := newTape().onClock().call(0, timeout(2))
	noisy.run.Tolerance.Noise = at(0.01)
	c := noisy.view(false).Calls[0]
	for moment, want := range map[float64]bool{1.97: true, 1.9705: false, 1.985: false, 2: false} {
		if got := c.inBudget(at(moment)); got != want {
			t.Errorf("%gs lies within a budget of 2s on a clock that may mislead by 30ms: %t", moment, got)
		}
	}
}

func TestTheEdgesOfTheMessageID(t *testing.T) {
	t.Parallel()
	blank := func() *tape { return newTape().call(0, withID(" ")) }
	task := func(first ...func(*evidence.Exchange)) *tape {
		return newTape().call(0, ofKind("task")).send(0.003, token1, "", first...).send(0.5, token1, answered()).returns(0.502, answered())
	}
	prove(t, []proof{
		{"REQ-10", "the get of a Task", newTape().call(0, taskCall(evidence.CallGetTask, "t"), withID(" ")).fails(0.001, evidence.InvalidArgument), "", ""},
		{"REQ-10", "blank, and a result of nothing", blank().returns(0.001, answered()), "", ""},
		{"REQ-10", "blank, and asked for access", blank().resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},
		{"REQ-10", "an id that another call was given, which REQ-24 judges", asking(withID("msg-2")).call(1).resolve(1.001, ready(token2)).send(1.003, token2, answered()), Passed, ""},
		{"REQ-24", "the same", asking(withID("msg-2")).call(1).resolve(1.001, ready(token2)).send(1.003, token2, answered()), Failed, "carries the message of call 1"},
		{"REQ-24", "a Task, after a 503 whose connection goes on", task(status(503, ""), goesOn(5)), Warned, "sent again after an answer of 503"},
		{"REQ-24", "a first send that nobody ended", task(noAnswer(9, evidence.EndedByRun), goesOn(-1)), Failed, "which had no answer yet"},
	})
}

func TestTheEdgesOfPrivacy(t *testing.T) {
	t.Parallel()
	const secret = "What does the canary sing in the morning?"
	leaking := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(1, append([]func(*evidence.Call){taskCall(evidence.CallGetTask, "t")}, edit...)...)
	}
	follows := func(t *tape) *tape {
		return t.asks(1.001, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t?of=canary%20sing%20in%20the").hands(1.01, taskIn("WORKING"))
	}
	said := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, append(edit, saying(secret))...).resolve(0.001, ready(token1)).send(0.003, token1, answered()).returns(0.005, answered())
	}
	raw := func(value, leak string) *tape {
		return newTape().call(0, withFiles("a")).send(0.003, token1, answered(), sentBody(partsBody(`{"text":"hello"}`, `{"raw":`+value+`}`))).
			asks(0.005, evidence.OpUnknown, "other", "POST", "/log", sentBody(leak)).returns(0.007, answered())
	}
	file := func(content, leak string) *tape {
		return newTape().call(0, withFiles(content)).send(0.003, token1, answered(), sentBody(partsBody(`{"text":"hello"}`, filePart(content)))).
			asks(0.005, evidence.OpUnknown, "other", "POST", "/log", sentBody(leak)).returns(0.007, answered())
	}
	prove(t, []proof{
		{"REQ-25", "in a get, what was sent before", follows(said().call(1, taskCall(evidence.CallGetTask, "t"))), Failed, "the target of GET"},
		{"REQ-25", "in a get, what another instance had sent", follows(said(ofAnother()).call(1, taskCall(evidence.CallGetTask, "t"))), Passed, ""},
		{"REQ-25", "in a get, what was sent later", follows(leaking()).call(2, saying(secret)).resolve(2.001, ready(token1)).send(2.003, token1, answered()), Passed, ""},
		{"REQ-25", "sixteen characters of it", newTape().call(0, saying(secret)).resolve(0.001, ready(token1), header("X-Trace", "What does the ca")), Failed, "holds 16 characters"},

		{"REQ-25", "raw is a long number", raw("12345678901234567890", "12345678901234567890"), "", ""},
		{"REQ-25", "raw of fifteen characters", raw(`"ABCDEFGHIJKLMNO"`, "ABCDEFGHIJKLMNO"), "", ""},
		{"REQ-25", "a file of a few bytes", file("hi", "hi"), "", ""},
		{"REQ-25", "a file of twelve bytes", file("twelve bytes", "twelve bytes"), Passed, ""},
		{"REQ-25", "a file of fifteen bytes", file("fifteen bytes..", "fifteen bytes.."), Passed, ""},
		{"REQ-25", "a file of sixteen bytes", file("sixteen bytes...", "sixteen bytes..."), Failed, "the body of POST /log"},
		{"REQ-25", "a file in the other alphabet", raw(`"c2l4dGVlbiBieXRlcy4uLiEh-_-_"`, "sixteen bytes..."), Failed, "the body of POST /log"},
	})
}

func TestTheEdgesOfTokens(t *testing.T) {
	t.Parallel()
	carrying := func(name string) func(*evidence.Exchange) { return header("Authorization", "Bearer "+name) }
	ofNoBackend := func(t *tape) *tape { t.run.Secrets[0].Backend = ""; return t }
	netrc := func(c *evidence.Call) {
		c.Command = &evidence.Command{Files: []evidence.LeftFile{{Path: "_netrc"}}}
	}
	variable := func(c *evidence.Call) { c.Command = &evidence.Command{Env: []string{"NETRC"}} }
	away := newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(307, "http://other.test/x")).
		asks(0.005, evidence.OpUnknown, "other", "GET", "/x", sentBody("7"))
	prove(t, []proof{
		{"REQ-22", "a netrc and no access", newTape().call(0, variable).send(0.003, token1, answered()), "", ""},
		{"REQ-22", "a netrc by its other name", asking(netrc), Passed, ""},
		{"REQ-19", "redirect followed with one byte", away, Failed, "got a body of 1 bytes"},
		{"REQ-19", "a token of no certain platform", ofNoBackend(plain()), Passed, ""},
		{"REQ-19", "a token of no certain platform to the runtime", ofNoBackend(sends(header("X-Platform", "‹platform-token›"))), Failed, "reached http://runtime.test:80"},
		{"REQ-19", "an address that only somebody else named", newTape().call(0).resolve(0.001, ready(token1)).
			asks(0.003, evidence.OpUnknown, "other", "GET", "/x", status(200, elsewhere(token1))).
			asks(0.005, evidence.OpUnknown, "other", "GET", "/x", carrying(token1)), Failed, "reached http://other.test:80"},
		{"REQ-19", "a token without an address", newTape().call(0).resolve(0.001, swap(ready(token1), `"`+rpcURL+`"`, "null")).send(0.003, token1, answered()), Passed, ""},
	})
	twice := newTape().call(0).resolve(0.001, ready(token1)).resolve(0.003, ready(token1)).asks(0.005, evidence.OpUnknown, "other", "GET", "/x", carrying(token1))
	if got, want := twice.judge("REQ-19")[0].Expected, token1+" goes to http://runtime.test:80 only"; got != want {
		t.Errorf("of a token that was handed out twice is expected %q, want %q", got, want)
	}
}
