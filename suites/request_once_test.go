package suites

import (
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestSendOnce(t *testing.T) {
	t.Parallel()
	again := func(kind string, first ...func(*evidence.Exchange)) *tape {
		return newTape().call(0, ofKind(kind)).resolve(0.001, ready(token1)).send(0.003, token1, "", first...).
			send(0.5, token1, answered()).returns(0.502, answered())
	}
	prove(t, []proof{
		{"REQ-24", "once", plain(), Passed, ""},
		{"REQ-24", "never", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},
		{"REQ-24", "after 401", again("message", status(401, "")), Passed, ""},
		{"REQ-24", "after 403 whose body stalls", again("message", status(403, "{"), broken), Passed, ""},
		{"REQ-24", "after 503", again("message", status(503, "")), Failed, "sent again after an answer of 503"},
		{"REQ-24", "after 200", again("message"), Failed, "sent again after an answer of 200"},
		{"REQ-24", "after a reset", again("message", noAnswer(0.004, evidence.EndedByCut)), Failed, "a send that got no answer"},
		{"REQ-24", "while the first is open", again("message", noAnswer(9, evidence.EndedByRun)), Failed, "which had no answer yet"},
		{"REQ-24", "before the head of the 401", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).
			send(0.0035, token1, answered()).returns(0.502, answered()), Failed, "which had no answer yet"},
		{"REQ-24", "no script foresaw the second", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(503, "")).
			send(0.5, token1, "", unscripted).fails(0.502, evidence.Other), Failed, "sent again after an answer of 503"},
		{"REQ-24", "hanging call", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(503, "")).send(0.5, token1, "", noAnswer(9, evidence.EndedByRun)),
			Failed, "sent again after an answer of 503"},
		{"REQ-24", "hanging call, once", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", noAnswer(9, evidence.EndedByRun)), "", ""},
		{"REQ-24", "task after 503", again("task", status(503, "")), Warned, "sent again after an answer of 503"},
		{"REQ-24", "task after a reset", again("task", noAnswer(0.004, evidence.EndedByCut)), Observed, "after the connection broke"},
		{"REQ-24", "task after a timeout", again("task", noAnswer(0.4, evidence.EndedByClient)), Failed, "a send that got no answer"},
		{"REQ-24", "another call's id", newTape().call(0, withID("one")).call(0, withID("two")).send(0.003, token1, answered(), requestBody("two", "one")).returns(1, answered()),
			Failed, "carries the message of call 1"},
		{"REQ-24", "another call's text", newTape().call(0, saying("one")).call(0, saying("two")).send(0.003, token1, answered(), requestBody("two", "one")).returns(1, answered()),
			Failed, "carries the message of call 1"},
		{"REQ-24", "an id that a later call is given by choice", newTape().call(0).send(0.003, token1, answered()).returns(1, answered()).
			call(2, withID("msg-1")).send(2.003, token1, answered()).returns(3, answered()), Passed, ""},
		{"REQ-24", "equal texts", newTape().call(0).call(0).send(0.003, token1, answered()).returns(1, answered()), Passed, ""},
		{"REQ-24", "uncertain whose", newTape().call(0).call(0).send(0.003, token1, answered()).send(0.003, token1, answered(), ofCalls(1, 2)).returns(1, answered()), "", ""},
		{"REQ-24", "crash", plain().ends(0.005, evidence.Outcome{Kind: evidence.OutcomeCrash}), "", ""},
		{"REQ-24", "get", newTape().call(0, taskCall(evidence.CallGetTask, "t")).send(0.003, token1, answered()).returns(1, answered()), "", ""},
	})
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	large := func(c *evidence.Call) { c.Files = append(c.Files, evidence.InputFile{Readable: true, Size: 16 << 20}) }
	halfway := func(edit func(*evidence.Call), category evidence.Category) *tape {
		return newTape().call(0, edit).resolve(0.001, ready(token1)).fails(0.003, category)
	}
	command := func(edit func(*evidence.Call)) *tape {
		return newTape().call(0, edit).asks(0.001, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/")
	}
	closed := halfway(saying(" "), "")
	closed.run.Endpoints[1].Accepts = evidence.AcceptsRefuse
	prove(t, []proof{
		{"REQ-01", "good input", plain(), "", ""},
		{"REQ-01", "file refused", refusing(unreadable), Passed, ""},
		{"REQ-01", "file found missing too late", halfway(unreadable, evidence.Other), Failed, "a file (1) that cannot be read asked for /api/v1"},
		{"REQ-01", "file left out", asking(unreadable), Observed, "was sent"},
		{"REQ-01", "no script foresaw the resolve", newTape().call(0, unreadable).resolve(0.001, "", unscripted).fails(0.003, evidence.Other), Failed, "cannot be read"},
		{"REQ-01", "blank refused", refusing(saying(" \n")), Passed, ""},
		{"REQ-01", "blank sent", asking(saying("")), Observed, "a call with a blank message was sent"},
		{"REQ-01", "blank refused too late", halfway(saying(" "), evidence.InvalidArgument), Failed, "a blank message asked for"},
		{"REQ-01", "blank and blocked", newTape().call(0, saying(" ")).resolve(0.001, stopped("unavailable")).fails(0.003, evidence.Blocked), "", ""},
		{"REQ-01", "blank and untold", halfway(saying(" "), ""), Failed, "a blank message"},
		{"REQ-01", "blank, untold, and blocked", newTape().call(0, saying(" ")).resolve(0.001, stopped("unavailable")).fails(0.003, ""), "", ""},
		{"REQ-01", "blank, untold, and nobody listens", closed, "", ""},
		{"REQ-01", "untold without a resolve", newTape().call(0, saying(" ")).asks(0.001, evidence.OpGetSession, "platform", "GET", "/x").fails(0.003, ""), "", ""},
		{"REQ-01", "a file found missing after discovery", newTape().call(0, unreadable).asks(0.001, evidence.OpGetSession, "platform", "GET", "/x").fails(0.003, evidence.Other), Warned, "asked for /x before"},
		{"REQ-01", "a file found missing after discovery and access", newTape().call(0, unreadable).asks(0.001, evidence.OpGetSession, "platform", "GET", "/x").
			resolve(0.002, ready(token1)).fails(0.003, evidence.Other), Failed, "asked for /x before"},
		{"REQ-01", "attempts refused", refusing(strictly("0")), Passed, ""},
		{"REQ-01", "attempts sent", asking(strictly("-1")), Observed, "json_repair_attempts below 1"},
		{"REQ-01", "large file refused", refusing(large), Passed, ""},
		{"REQ-01", "large file sent", asking(large), Observed, "of 16777216 bytes"},
		{"REQ-01", "uncertain whose", newTape().call(0, saying(" ")).call(0, saying(" ")).resolve(0.001, ready(token1), ofCalls(1, 2)).fails(0.003, evidence.Other), Inconclusive, "may belong"},
		{"REQ-01", "sign-in check of a command", command(unreadable).exits(0.003, 1, "", "no such file"), Passed, ""},
		{"REQ-01", "never ended", newTape().call(0, unreadable), "", ""},

		{"REQ-21", "known kind", asking(ofKind("task")), "", ""},
		{"REQ-21", "refused", refusing(ofKind("stream")), Passed, ""},
		{"REQ-21", "sent", asking(ofKind("stream")), Warned, `"stream" the client made 2 requests`},
		{"REQ-21", "made up", newTape().call(0, ofKind("")).returns(0.001, answered()), Warned, "returned a result"},
	})
}

func TestPrivacy(t *testing.T) {
	t.Parallel()
	secret := "What does the canary sing in the morning?"
	quietly := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0, saying(secret)).resolve(0.001, ready(token1), edit...).send(0.003, token1, answered()).returns(0.005, answered())
	}
	filed := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0, withFiles("the content of a file of some length")).resolve(0.001, ready(token1)).
			send(0.003, token1, answered(), sentBody(partsBody(`{"text":"hello"}`, filePart("the content of a file of some length")))).
			asks(0.005, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t", edit...).returns(0.007, answered())
	}
	prove(t, []proof{
		{"REQ-25", "kept", quietly(), Passed, ""},
		{"REQ-25", "short text", plain(), "", ""},
		{"REQ-25", "in the resolve", quietly(sentBody(`{"title":"What does the canary…"}`)), Failed, `holds 20 characters of the message: "What does the canary"`},
		{"REQ-25", "escaped in the resolve", quietly(sentBody(`{"title":["What does th\u0065 canary"]}`)), Failed, `"What does the canary"`},
		{"REQ-25", "in a target", quietly(target(resolvePath(sessionUID) + "?q=the+canary%20sing+in")), Failed, "the target of POST"},
		{"REQ-25", "in a header", quietly(header("X-Trace", "the canary sing in")), Failed, "the X-Trace header"},
		{"REQ-25", "in a header of the send", asking(saying(secret), header("X-Title", secret)), Failed, "the X-Title header"},
		{"REQ-25", "fifteen characters of it", quietly(sentBody(`{"title":"What does the c"}`)), Passed, ""},
		{"REQ-25", "to someone else", quietly().asks(0.006, evidence.OpUnknown, "other", "POST", "/log", sentBody(secret)), Failed, "the body of POST /log"},
		{"REQ-25", "what was meant as a send", asking(saying(secret), meaning(evidence.OpUnknown)), Passed, ""},
		{"REQ-25", "words of the contract", asking(saying("Send application/a2a+json to " + sessionUID)), Passed, ""},
		{"REQ-25", "very long text", asking(saying(strings.Repeat("ab", 1<<19))), Passed, ""},
		{"REQ-25", "file kept", filed(), Passed, ""},
		{"REQ-25", "file in another request", filed(sentBody("the content of a file of some length")), Failed, "the body of GET"},
		{"REQ-25", "file in base64 in another request", filed(sentBody("dGhlIGNvbnRlbnQgb2YgYSBmaWxl")), Failed, "the body of GET"},
	})
}
