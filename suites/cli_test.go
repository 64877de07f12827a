package suites

import (
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// ordered is a command's send whose resolve was admitted, not yet sent.
func ordered(edit ...func(*evidence.Call)) *tape {
	return newTape().call(0, edit...).resolve(0.001, ready(token1))
}

// refusedWith goes on with a send that was answered with that status.
func (t *tape) refusedWith(code int) *tape { return t.send(0.003, token1, "", status(code, "")) }

// signalled gives a call a signal.
func signalled(name string, moment float64) func(*evidence.Call) {
	return func(c *evidence.Call) { c.Signal = &evidence.Signal{Name: name, At: at(moment)} }
}

// killed ends the last call by a signal that the command did not heed.
func (t *tape) killed(end float64, name string) *tape {
	t = t.exits(end, 128, "", "")
	t.last().Command.Signal = name
	return t
}

// helped is a call that asks for help.
func helped(stdout string) *tape {
	t := newTape().call(0).exits(0.01, 0, stdout, "")
	t.last().Command.Args = []string{"agent", "session", "a2a", "send", sessionUID, "--help"}
	return t
}

func TestTheCommandsAnswer(t *testing.T) {
	t.Parallel()
	good := func() *tape { return ordered().send(0.003, token1, answered()) }
	with := func(parts string) *tape {
		return ordered().send(0.003, token1, swap(answered(), `[{"text":"canary answer"}]`, parts))
	}
	rich := `[{"text":"canary answer"},{"data":{"rate":1.25,"unit":"EURUSD"}},{"url":"https://x.test/a.pdf","filename":"a.pdf"}]`
	prove(t, []proof{
		{"CLI-01", "as JSON", good().exits(0.01, 0, answered(), ""), Passed, ""},
		{"CLI-01", "as text, broken over lines", good().exits(0.01, 0, "│ canary │\n│ answer │", ""), Passed, ""},
		{"CLI-01", "on standard error", good().exits(0.01, 0, "", "canary answer"), Failed, "not on standard output but on standard error"},
		{"CLI-01", "not printed", good().exits(0.01, 0, "done", ""), Failed, `"canary answer" is not on standard output`},
		{"CLI-01", "failed", good().exits(0.01, 1, "", "broken"), Failed, "exit status 1"},
		{"CLI-01", "rendered", with(`[{"text":"**bold**"}]`).exits(0.01, 0, "bold", ""), Inconclusive, "may be rendered"},
		{"CLI-01", "no text, nothing printed", with(`[{"data":1}]`).exits(0.01, 0, "", ""), Failed, "nothing is on standard output"},
		{"CLI-01", "in process", plain(), "", ""},
		{"CLI-01", "refused", ordered().refusedWith(409).exits(0.01, 1, "", "x"), "", ""},
		{"CLI-01", "help", helped("Usage"), "", ""},

		{"CLI-08", "failed", ordered().refusedWith(409).exits(0.01, 1, "", "x"), Passed, ""},
		{"CLI-08", "failed and exit 0", ordered().refusedWith(409).exits(0.01, 0, "", "x"), Failed, "was answered 409, and the command ended with exit status 0"},
		{"CLI-08", "nothing sent and exit 0", newTape().call(0).resolve(0.001, stopped("unavailable")).exits(0.01, 0, "", "x"), Failed, "no message was sent"},
		{"CLI-08", "cut and exit 0", ordered().send(0.003, token1, answered(), broken).exits(0.01, 0, "", "x"), Failed, "no whole answer"},
		{"CLI-08", "to be rejected and exit 0", ordered().send(0.003, token1, "{}").exits(0.01, 0, "{}", ""), Failed, "had to be rejected"},
		{"CLI-08", "ended by a signal", newTape().call(0, signalled("TERM", 0.005)).resolve(0.001, stopped("unavailable")).killed(0.01, "TERM"), Passed, ""},
		{"CLI-08", "answered", good().exits(0.01, 0, answered(), ""), "", ""},
		{"CLI-08", "help", helped("Usage"), "", ""},

		{"CLI-13", "on standard error", ordered().refusedWith(409).exits(0.01, 1, "", "x"), Passed, ""},
		{"CLI-13", "on standard output", ordered().refusedWith(409).exits(0.01, 1, "x", "x"), Warned, "standard output has text"},
		{"CLI-13", "nowhere", ordered().refusedWith(409).exits(0.01, 1, "", ""), Warned, "standard error is empty"},
		{"CLI-13", "killed", ordered().killed(0.01, "KILL"), "", ""},
		{"CLI-13", "answered", good().exits(0.01, 0, answered(), ""), "", ""},

		{"CLI-15", "as JSON", with(rich).exits(0.01, 0, swap(answered(), `[{"text":"canary answer"}]`, rich), ""), Passed, ""},
		{"CLI-15", "in a form of its own", with(rich).exits(0.01, 0, "canary answer\nrate 1.25 EURUSD\nfile a.pdf", ""), Passed, ""},
		{"CLI-15", "as JSON, escaped", with(`[{"data":"\u0061bc \u00fc"}]`).exits(0.01, 0, swap(answered(), `[{"text":"canary answer"}]`, `[{"data":"ab\u0063 \u00FC"}]`), ""), Passed, ""},
		{"CLI-15", "the text alone", with(rich).exits(0.01, 0, "canary answer", ""), Warned, "of the answer part 2 was not printed"},
		{"CLI-15", "the first of two texts", with(`[{"text":"canary answer"},{"text":"more words"}]`).exits(0.01, 0, "canary answer", ""), Warned, "second text part"},
		{"CLI-15", "a member lost", ordered().send(0.003, token1, swap(answered(), `"role"`, `"metadata":{"k":"canary value"},"role"`)).exits(0.01, 0, "canary answer", ""), Warned, "the member metadata"},
		{"CLI-15", "text alone was answered", good().exits(0.01, 0, "canary answer", ""), "", ""},
	})
}

func TestTheMessageIDOfACommand(t *testing.T) {
	t.Parallel()
	silent := func(edit ...func(*evidence.Call)) *tape {
		return ordered(append(edit, timeout(2))...).send(0.003, token1, "", noAnswer(2, evidence.EndedByClient))
	}
	stopped := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, edit...).resolve(0.001, stopped("unavailable"))
	}
	elsewhere := func(stderr string) *tape {
		first := ordered().refusedWith(409).exits(0.01, 1, "", "message id: msg-1")
		return first.call(1).resolve(1.001, blocked("unavailable", "null")).exits(1.01, 1, "", stderr)
	}
	again := func(first *tape, id string, edit ...func(*evidence.Exchange)) *tape {
		return first.call(5, withID(id)).resolve(5.001, ready(token2)).send(5.003, token2, answered(), edit...).exits(5.01, 0, answered(), "")
	}
	prove(t, []proof{
		{"CLI-05", "printed", silent().exits(2, 1, "", "timed out\nmessage id: msg-1"), Passed, ""},
		{"CLI-05", "printed without the words", silent().exits(2, 1, "", "retry with msg-1"), Passed, ""},
		{"CLI-05", "printed, broken over lines", silent().exits(2, 1, "", "│ message id: ms │\n│ g-1 │"), Passed, ""},
		{"CLI-05", "not printed", silent().exits(2, 1, "", "timed out"), Failed, "the message id was not printed"},
		{"CLI-05", "refused", ordered().refusedWith(409).exits(0.01, 1, "", "409"), Failed, "was not printed"},
		{"CLI-05", "blocked and printed", stopped().exits(0.01, 1, "", "blocked; message id: msg-7"), Passed, ""},
		{"CLI-05", "blocked, none to be told", stopped().exits(0.01, 1, "", "blocked"), Inconclusive, "cannot be told"},
		{"CLI-05", "blocked, several", stopped().exits(0.01, 1, "", "message id msg-1\nmessage id msg-2"), Inconclusive, "‹message id›"},
		{"CLI-05", "blocked, silent", stopped().exits(0.01, 1, "", ""), Failed, "was not printed"},
		{"CLI-05", "blocked, none, where another start named its own", elsewhere("blocked"), Failed, "was not printed"},
		{"CLI-05", "blocked, one, where another start named its own", elsewhere("blocked\nmessage id: msg-7"), Passed, ""},
		{"CLI-05", "blocked, one in other words, where another start named its own", elsewhere("blocked; repeat it with msg-7"), Inconclusive, "cannot be told"},
		{"CLI-05", "blocked, the session alone, where another start named its own", elsewhere("session " + sessionUID + " is blocked."), Failed, "was not printed"},
		{"CLI-05", "interrupted", silent(signalled("INT", 1)).exits(1.01, 130, "", "interrupted, message id msg-1"), Passed, ""},
		{"CLI-05", "interrupted, not printed", silent(signalled("INT", 1)).killed(1.01, "INT"), Failed, "ended by INT"},
		{"CLI-05", "terminated, not printed", silent(signalled("TERM", 1)).killed(1.01, "TERM"), Warned, "ended by a signal"},
		{"CLI-05", "killed", silent().killed(1.01, "KILL"), "", ""},
		{"CLI-05", "usage", newTape().call(0).exits(0.01, 2, "", "bad"), "", ""},
		{"CLI-05", "own id", silent(withID("mine")).exits(2, 1, "", "timed out"), "", ""},
		{"CLI-05", "answered", ordered().send(0.003, token1, answered()).exits(0.01, 0, answered(), ""), "", ""},

		{"CLI-06", "that of the wire", silent().exits(2, 1, "", "message id: msg-1"), Passed, ""},
		{"CLI-06", "another", silent().exits(2, 1, "", "message id: msg-9"), Failed, "that it did not send"},
		{"CLI-06", "none", silent().exits(2, 1, "", "timed out"), "", ""},
		{"CLI-06", "nothing on the wire", stopped().exits(0.01, 1, "", "message id: msg-9"), "", ""},

		{"CLI-03", "sent", ordered(withID("mine")).send(0.003, token1, answered()).exits(0.01, 0, answered(), ""), Passed, ""},
		{"CLI-03", "another", ordered(withID("mine")).send(0.003, token1, answered(), requestBody("mine", "msg-1")).exits(0.01, 0, answered(), ""), Failed, "another messageId than --message-id gave"},
		{"CLI-03", "in process", newTape().call(0, withID("mine")).resolve(0.001, ready(token1)).send(0.003, token1, answered()).returns(0.01, answered()), "", ""},

		{"CLI-11", "equal", again(silent().exits(2, 1, "", "message id: msg-1"), "msg-1"), Passed, ""},
		{"CLI-11", "another body", again(silent().exits(2, 1, "", "message id: msg-1"), "msg-1", requestBody(`"role":`, `"metadata":{"try":2},"role":`)), Failed, "another than that of the send"},
		{"CLI-11", "never sent before", again(stopped().exits(0.01, 1, "", "message id: msg-7"), "msg-7"), Passed, ""},
		{"CLI-11", "never sent before, another id", again(stopped().exits(0.01, 1, "", "message id: msg-7"), "msg-7", requestBody("msg-7", "msg-8")), Failed, "than the one that was printed"},
		{"CLI-11", "an id of its own", again(silent().exits(2, 1, "", "message id: msg-1"), "other"), "", ""},
	})
}

func TestTheCommandsSend(t *testing.T) {
	t.Parallel()
	limit := func(stderr string) *tape {
		return ordered().send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`)))).exits(0.01, 1, "", stderr)
	}
	strict := func(body string) *tape {
		return ordered(strictly()).send(0.003, token1, answered(), sentBody(body)).exits(0.01, 0, answered(), "")
	}
	good := ordered().send(0.003, token1, answered()).exits(0.01, 0, answered(), "")
	deaf := newTape().call(0).exits(5, 1, "", "no connection")
	deaf.run.Endpoints[0].Accepts = evidence.AcceptsHang
	signedIn := func(edit func(*evidence.Call)) *tape {
		return newTape().call(0, edit).asks(1, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/")
	}
	drips := func(end float64, edit ...func(*evidence.Call)) *tape {
		return ordered(append(edit, timeout(2))...).send(0.003, token1, "", noAnswer(end, evidence.EndedByClient)).exits(end, 1, "", "x")
	}
	prove(t, []proof{
		{"CLI-02", "strict", strict(strictBody()), Passed, ""},
		{"CLI-02", "plain all the same", strict(partsBody(`{"text":"hello"}`)), Failed, "has not the strict shape"},
		{"CLI-02", "not asked for", good, "", ""},

		{"CLI-04", "works", good, Passed, ""},
		{"CLI-04", "asks for a login", newTape().call(0).exits(0.01, 1, "", "log in first"), Failed, "in an empty home"},
		{"CLI-04", "a platform that does not connect", deaf, "", ""},
		{"CLI-04", "a diagnostic that nobody knows", newTape().call(0).resolve(0.001, swap(ready(token1), `"wake":null}`, `"wake":null,"else":1}`)).exits(0.01, 1, "", "x"), "", ""},
		{"CLI-04", "in Task mode", newTape().call(0, ofKind("task")).exits(0.01, 1, "", "x"), "", ""},
		{"CLI-04", "refused", ordered().refusedWith(409).exits(0.01, 1, "", "x"), "", ""},
		{"CLI-04", "a uid of odd characters", newTape().call(0, onSession("a/b")).exits(0.01, 2, "", "bad uid"), "", ""},
		{"CLI-04", "not the first", newTape().call(0).exits(0.01, 0, "", "").call(1).exits(1.01, 1, "", "x"), "", ""},

		{"CLI-07", "once", good, Passed, ""},
		{"CLI-07", "after a rejection", rejected(401, refusal).resolve(0.01, ready(token2)).send(0.02, token2, answered()).exits(0.03, 0, answered(), ""), Passed, ""},
		{"CLI-07", "after a 503", ordered().refusedWith(503).send(0.02, token1, answered()).exits(0.03, 0, answered(), ""), Failed, "which was answered 503"},
		{"CLI-07", "after silence", ordered().send(0.003, token1, "", noAnswer(1, evidence.EndedByClient)).send(1.1, token1, answered()).exits(1.2, 0, answered(), ""), Failed, "which got no answer"},
		{"CLI-07", "a third time", rejected(401, refusal).resolve(0.01, ready(token2)).send(0.02, token2, "", status(401, refusal)).send(0.03, token2, answered()).exits(0.04, 0, answered(), ""), Failed, "after its second send"},

		{"CLI-10", "named", limit("For longer work use --response-kind task."), Passed, ""},
		{"CLI-10", "with an equals sign", limit("use '--response-kind=task'"), Passed, ""},
		{"CLI-10", "broken over lines", limit("│ use --response-kind │\n│ task │"), Passed, ""},
		{"CLI-10", "the argument of a function", limit(`within the limit; use response_kind="task"`), Failed, "does not name --response-kind task"},
		{"CLI-10", "another failure", ordered().refusedWith(409).exits(0.01, 1, "", "x"), "", ""},

		{"CLI-12", "in time", drips(2), Passed, ""},
		{"CLI-12", "too late", drips(3), Warned, "with a budget of 2s"},
		{"CLI-12", "in time, after it asked who is signed in", signedIn(timeout(2)).resolve(4, ready(token1)).send(4.003, token1, "", noAnswer(6, evidence.EndedByClient)).exits(6, 1, "", "x"), Passed, ""},
		{"CLI-12", "nothing but who is signed in", signedIn(timeout(2)).exits(9, 1, "", "x"), "", ""},
		{"CLI-12", "too late, and then interrupted", drips(18, signalled("INT", 17)), Warned, "with a budget of 2s"},
		{"CLI-12", "interrupted in time", drips(1.5, signalled("INT", 1)), "", ""},
		{"CLI-12", "no timeout", good, "", ""},

		{"CLI-14", "help without steps", helped("Sends a message. Access is resolved automatically before the send."), Passed, ""},
		{"CLI-14", "help with a step", helped("Usage: send UID. Run agent session runtime status first."), Warned, "Run agent session runtime status first"},
		{"CLI-14", "a failure with a step", ordered().refusedWith(409).exits(0.01, 1, "", "Not ready. Attach the session before you send."), Warned, "Attach the session"},
		{"CLI-14", "a failure", ordered().refusedWith(409).exits(0.01, 1, "", "the platform answered with status 409 before the send"), Passed, ""},
		{"CLI-14", "answered", good, "", ""},
	})
}

func TestFormerSteps(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"No other command has to be run first: the session may be asleep":           false,
		"could not resolve host example.test before the timeout":                    false,
		"failed to resolve runtime access before sending":                           false,
		"runtime status: waking":                                                    false,
		"You must resolve runtime access before sending":                            true,
		"Error: prewarm the runtime first":                                          true,
		"Try `mainsequence agent session runtime resolve-access UID` and run again": true,
		"Use agent session a2a attach UID":                                          true,
		"Please check the runtime's readiness before you send a message":            true,
		"You need not attach the session first":                                     false,
		"It is not ready\nRun agent session runtime status first":                   true,
		"No command has to be\nrun agent session runtime status":                    false,
	} {
		if got := formerStep(text) != ""; got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func TestHelpIsJudgedByTheRulesOfCommandsAlone(t *testing.T) {
	t.Parallel()
	for _, c := range Judge([]evidence.Run{helped("Usage").run}, Scope{Rules: Rules(), Subject: evidence.Subject{Kind: evidence.KindCommand}}) {
		if !strings.HasPrefix(c.Rule, "CLI-") && !strings.HasPrefix(c.Rule, "SUBJ-") {
			t.Errorf("%s says %s of a help text: %s", c.Rule, c.Status, c.Reason)
		}
	}
}
