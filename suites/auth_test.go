package suites

import (
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// rejected is a call whose first send, at 0.003s, was answered with that status and body.
func rejected(code int, body string, edit ...func(*evidence.Exchange)) *tape {
	return begun(timeout(9)).send(0.003, token1, "", append([]func(*evidence.Exchange){status(code, body)}, edit...)...)
}

// refreshed goes on from a rejection with a resolve, a second send and its answer.
func refreshed(t *tape, edit ...func(*evidence.Exchange)) *tape {
	return t.resolve(0.01, ready(token2)).send(0.02, token2, answered(), edit...).returns(0.03, answered())
}

const refusal = `{"detail":"no"}`

func TestRefreshAfterARejection(t *testing.T) {
	t.Parallel()
	unauthorised := func(c *tape) *tape { return c.fails(0.02, evidence.Unauthorized) }
	proofs := make([]proof, 0, 64)
	for rule, code := range map[string]int{"AUTH-01": 401, "AUTH-02": 403} {
		other := 401 + 403 - code
		proofs = append(proofs, []proof{
			{rule, "refreshes and sends once more", refreshed(rejected(code, refusal)), Passed, ""},
			{rule, "the other status", refreshed(rejected(other, refusal)), "", ""},
			{rule, "gives up", unauthorised(rejected(code, refusal)), Failed, "without asking for access afresh"},
			{rule, "sends again with what it had", rejected(code, refusal).send(0.01, token1, answered()).returns(0.02, answered()), Failed, "sent again after the " + r(code)},
			{rule, "sends before the fresh answer", rejected(code, refusal).resolve(0.01, ready(token2), answerAfter(1)).send(0.02, token2, answered()).returns(2, answered()), Failed, "sent again"},
			{rule, "does not send though admitted", rejected(code, refusal).resolve(0.01, ready(token2)).fails(0.02, evidence.Unauthorized), Failed, "but no second send came"},
			{rule, "fresh answer is terminal", rejected(code, refusal).resolve(0.01, stopped("unavailable")).fails(0.02, evidence.Blocked), Passed, ""},
			{rule, "fresh server cannot be reached", rejected(code, refusal).resolve(0.01, strings.Replace(ready(token2), rpcURL, "http://gone.test/", 1)).fails(0.02, evidence.Transport), "", ""},
			{rule, "no budget left", begun(timeout(1)).send(0.003, token1, "", answerAfter(0.98), status(code, refusal)).fails(1, evidence.TimedOut), "", ""},
			{rule, "no budget left for the send", begun(timeout(1)).send(0.003, token1, "", status(code, refusal)).resolve(0.01, ready(token2), answerAfter(0.98)).fails(1, evidence.TimedOut), "", ""},
			{rule, "platform token could not be renewed", unauthorised(rejected(code, refusal).renew(0.01, status(401, ""))), "", ""},
			{rule, "cancelled", begun(timeout(9), cancelled(0.005)).send(0.003, token1, "", status(code, refusal)).fails(0.006, evidence.Other), "", ""},
			{rule, "hangs", rejected(code, refusal), "", ""},
			{rule, "ambiguous", rejected(code, refusal).fails(0.02, evidence.Unauthorized).call(0).resolve(0.01, ready(token2), ofCalls(1, 2)), Inconclusive, "may belong"},
			{rule, "client hung up at the head", refreshed(rejected(code, refusal, drip(code, 9, 0.005))), Passed, ""},
			{rule, "admitting answer with a peculiarity may be refused", rejected(code, refusal).resolve(0.01, strings.Replace(ready(token2), `"mode":"token"`, `"mode":"unavailable"`, 1)).fails(0.02, evidence.InvalidResponse), "", ""},
		}...)
	}
	prove(t, append(proofs, []proof{
		{"AUTH-01", "elsewhere", begun().send(0.003, token1, "", status(401, refusal), func(x *evidence.Exchange) { x.Endpoint = "other" }).fails(0.01, evidence.Unauthorized), "", ""},
		{"AUTH-01", "no rejection", plain(), "", ""},

		{"AUTH-13", "HTML", refreshed(rejected(401, "<html>no</html>")), Passed, ""},
		{"AUTH-13", "empty", refreshed(rejected(403, "")), Passed, ""},
		{"AUTH-13", "unknown", refreshed(rejected(403, `{"why":1}`)), Passed, ""},
		{"AUTH-13", "HTML taken for an invalid answer", rejected(401, "<html>no</html>").fails(0.02, evidence.InvalidResponse), Failed, "after the 401 without asking"},
		{"AUTH-13", "detail is usual", rejected(401, refusal).fails(0.02, evidence.InvalidResponse), "", ""},
		{"AUTH-13", "code is usual", rejected(401, `{"ok":false,"error":"x"}`).fails(0.02, evidence.InvalidResponse), "", ""},
		{"AUTH-13", "rpc error is usual", rejected(401, `{"error":{"code":401}}`).fails(0.02, evidence.InvalidResponse), "", ""},

		{"AUTH-14", "stalls", refreshed(rejected(401, "", drip(401, 9, 0.005))), Passed, ""},
		{"AUTH-14", "cut", refreshed(rejected(403, "", cut(403))), Passed, ""},
		{"AUTH-14", "cut and reported", rejected(403, "", cut(403)).fails(0.02, evidence.Transport), Warned, "after the 403"},
		{"AUTH-14", "waits for the rest", rejected(401, "", drip(401, 99, 9)).fails(9, evidence.TimedOut), Warned, "without asking"},
		{"AUTH-14", "whole", rejected(401, refusal).fails(0.02, evidence.Unauthorized), "", ""},
	}...))
}

func r(code int) string { return map[int]string{401: "401", 403: "403"}[code] }

func TestWhatTheSecondSendKeeps(t *testing.T) {
	t.Parallel()
	again := func(edit ...func(*evidence.Exchange)) *tape { return refreshed(rejected(401, refusal), edit...) }
	moved := strings.Replace(ready(token2), rpcURL, "http://other.test/p/", 1)
	to := func(endpoint, path string) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) { x.Endpoint, x.Request.Target = endpoint, path }
	}
	resend := func(answer string, edit ...func(*evidence.Exchange)) *tape {
		return rejected(401, refusal).resolve(0.01, answer).send(0.02, token2, answered(), edit...).returns(0.03, answered())
	}
	none := rejected(401, refusal).resolve(0.01, stopped("unavailable")).fails(0.02, evidence.Blocked)
	prove(t, []proof{
		{"AUTH-03", "same bytes", again(), Passed, ""},
		{"AUTH-03", "white space", again(requestBody(`"role":`, `"role": `)), Failed, `they differ from byte 40 on: " \"`},
		{"AUTH-03", "empty", again(func(x *evidence.Exchange) { x.Request.Body = bodyOf("") }), Failed, `from byte 1 on: nothing in place of "{`},
		{"AUTH-03", "same size, other bytes", again(requestBody("hello", "hallo")), Failed, "they differ from byte"},
		{"AUTH-03", "not received whole", again(unread(3)), "", ""},
		{"AUTH-03", "other bytes, not received whole", again(requestBody("hello", "hallo"), unread(3)), Failed, "they differ from byte"},
		{"AUTH-03", "no second send", none, "", ""},

		{"AUTH-04", "kept", again(requestBody(`"role":`, `"role": `)), Passed, ""},
		{"AUTH-04", "new", again(requestBody("msg-1", "msg-2")), Failed, `is "msg-2", that of the first "msg-1"`},
		{"AUTH-04", "lost", again(func(x *evidence.Exchange) { x.Request.Body = bodyOf("") }), Failed, `is absent, that of the first "msg-1"`},
		{"AUTH-04", "first had none", refreshed(rejected(401, refusal, requestBody(`"messageId":"msg-1",`, ""))), "", ""},
		{"AUTH-04", "no second send", none, "", ""},

		{"AUTH-05", "fresh", again(), Passed, ""},
		{"AUTH-05", "old", again(header("Authorization", "Bearer "+token1)), Failed, "carries " + token1},
		{"AUTH-05", "none", again(header("Authorization")), Failed, "carries no token"},
		{"AUTH-05", "foreign", again(header("Authorization", "Bearer x")), Failed, "no token of the run"},
		{"AUTH-05", "not asked for", rejected(401, refusal).send(0.02, token1, answered()).returns(0.03, answered()), Failed, "no fresh access was resolved"},
		{"AUTH-05", "the same token handed out again", rejected(401, refusal).resolve(0.01, ready(token1)).send(0.02, token1, answered()).returns(0.03, answered()), Passed, ""},
		{"AUTH-05", "ambiguous", rejected(401, refusal).call(0).resolve(0.01, ready(token2), ofCalls(1, 2)).send(0.02, token2, answered(), ofCalls(1)).returns(0.03, answered()), Inconclusive, "may belong"},
		{"AUTH-05", "fresh answer without a token", rejected(401, refusal).resolve(0.01, stopped("unavailable")).send(0.02, token1, answered()).returns(0.03, answered()), "", ""},
		{"AUTH-05", "no second send", none, "", ""},

		{"AUTH-06", "moved", resend(moved, to("other", "/p/api/a2a/v1/message:send")), Passed, ""},
		{"AUTH-06", "moved and not followed", resend(moved), Failed, "went to /api/a2a/v1/message:send (runtime)"},
		{"AUTH-06", "prefix lost", resend(moved, to("other", "/api/a2a/v1/message:send")), Failed, "another rpc_url"},
		{"AUTH-06", "fresh answer gives no address", resend(stopped("unavailable")), "", ""},
		{"AUTH-06", "not moved", again(), "", ""},
		{"AUTH-06", "odd address", resend(strings.Replace(ready(token2), rpcURL, "http://other.test/p//", 1)), "", ""},

		{"AUTH-10", "repeated", again(), Passed, ""},
		{"AUTH-10", "lost", again(header("A2A-Extensions")), Warned, "another A2A-Extensions than"},
		{"AUTH-10", "other spelling", again(header("Content-Type", "application/A2A+json")), Passed, ""},
		{"AUTH-10", "two lost", again(header("Accept"), header("Content-Encoding", "gzip")), Warned, "another Accept, Content-Encoding"},
		{"AUTH-10", "no second send", none, "", ""},
	})
}

func TestWhatIsNotSentAgain(t *testing.T) {
	t.Parallel()
	twice := func() *tape {
		return rejected(401, refusal).resolve(0.01, ready(token2)).send(0.02, token2, "", status(403, refusal))
	}
	failed := func(code int, edit ...func(*evidence.Call)) *tape {
		return begun(append(edit, timeout(9))...).send(0.003, token1, "", status(code, ""))
	}
	broken := func(edit func(*evidence.Exchange), more ...func(*evidence.Call)) *tape {
		return begun(append(more, timeout(9))...).send(0.003, token1, "", edit)
	}
	proofs := make([]proof, 0, 64)
	for _, code := range []int{200, 302, 307, 400, 402, 404, 407, 408, 409, 413, 415, 421, 422, 425, 429, 500, 502, 503, 504} {
		name := string(rune('0'+code/100)) + "xx "
		proofs = append(proofs,
			proof{"AUTH-08", name + "left", failed(code).fails(0.02, evidence.Rejected), Passed, ""},
			proof{"AUTH-08", name + "repeated", failed(code).send(0.5, token1, answered()).returns(0.6, answered()), Failed, "after its send was answered"})
	}
	prove(t, append(proofs, []proof{
		{"AUTH-07", "stops", twice().fails(0.03, evidence.Unauthorized), Passed, ""},
		{"AUTH-07", "third send", twice().send(0.03, token2, answered()).returns(0.04, answered()), Failed, "again after its second rejection"},
		{"AUTH-07", "third send that no script foresaw", twice().send(0.03, token2, "", unscripted).fails(0.04, evidence.Rejected), Failed, "again after its second rejection"},
		{"AUTH-07", "third resolve", twice().resolve(0.03, ready(token1)).fails(0.04, evidence.Unauthorized), Warned, "resolved again"},
		{"AUTH-07", "success", twice().returns(0.04, answered()), Failed, "returned a message after its second rejection"},
		{"AUTH-07", "too short a watch", twice().fails(0.03, evidence.Unauthorized).until(0.1), Inconclusive, "not watched"},
		{"AUTH-07", "hangs", twice(), "", ""},
		{"AUTH-07", "one rejection", refreshed(rejected(401, refusal)), "", ""},

		{"AUTH-08", "the answer to the second send", refreshed(rejected(401, refusal)), Passed, ""},
		{"AUTH-08", "cut", broken(cut(200)).send(0.5, token1, answered()).returns(0.6, answered()), Passed, ""},
		{"AUTH-08", "Task mode", failed(503, task).send(0.5, token1, answered()).returns(0.6, answered()), Warned, "answered 503"},
		{"AUTH-08", "Task mode left", failed(503, task).fails(0.6, evidence.ServerFailed), Passed, ""},
		{"AUTH-08", "too short a watch", failed(503).fails(0.02, evidence.ServerFailed).until(0.1), Inconclusive, "not watched"},
		{"AUTH-08", "ambiguous", failed(503).fails(0.02, evidence.ServerFailed).call(0).send(0.01, token1, answered(), ofCalls(1, 2)), Inconclusive, "may belong"},
		{"AUTH-08", "hangs", failed(503), "", ""},

		{"AUTH-12", "reset", broken(cut(0)).fails(0.02, evidence.Transport), Passed, ""},
		{"AUTH-12", "reset and sent again", broken(cut(0)).send(0.5, token1, answered()).returns(0.6, answered()), Failed, "the connection was lost"},
		{"AUTH-12", "cut and sent again", broken(cut(200)).send(0.5, token1, answered()).returns(0.6, answered()), Failed, "the answer was cut"},
		{"AUTH-12", "timeout and sent again", broken(hang(0.4)).send(0.5, token1, answered()).returns(0.6, answered()), Failed, "had given it up"},
		{"AUTH-12", "closed by the server and sent again", broken(func(x *evidence.Exchange) {
			noAnswer(0.1, evidence.EndedByServer)(x)
		}).send(0.5, token1, answered()).returns(0.6, answered()), Failed, "the connection was lost"},
		{"AUTH-12", "Task mode, reset", broken(cut(0), task).send(0.5, token1, answered()).returns(0.6, answered()), Observed, "the connection was lost"},
		{"AUTH-12", "Task mode, timeout", broken(hang(0.4), task).send(0.5, token1, answered()).returns(0.6, answered()), Failed, "given it up"},
		{"AUTH-12", "head of a 401", refreshed(broken(cut(401))), "", ""},
		{"AUTH-12", "run ended it", broken(noAnswer(9, evidence.EndedByRun)), "", ""},
		{"AUTH-12", "cancelled", broken(hang(0.4), cancelled(0.3)).fails(0.4, evidence.Other), "", ""},
		{"AUTH-12", "plain", plain(), "", ""},
		{"AUTH-08", "get", begun(func(c *evidence.Call) { c.Op = evidence.CallGetTask }).send(0.003, token1, "", status(503, "")).fails(1, evidence.Other), "", ""},
	}...))
}

func TestFreshAdmission(t *testing.T) {
	t.Parallel()
	fresh := func(answer string, edit ...func(*evidence.Exchange)) *tape {
		return rejected(401, refusal).resolve(0.01, answer, edit...)
	}
	soon, late := waiting("waking", "500"), waiting("waking", "60000")
	prove(t, []proof{
		{"AUTH-09", "waits and sends", fresh(soon).resolve(0.6, ready(token2)).send(0.7, token2, answered()).returns(0.8, answered()), Passed, ""},
		{"AUTH-09", "does not wait", fresh(soon).resolve(0.1, ready(token2)).send(0.7, token2, answered()).returns(0.8, answered()), Failed, "resolved again 0.088991s after a fresh answer that said to wait 0.5s"},
		{"AUTH-09", "sends at once", fresh(soon).send(0.1, token2, answered()).returns(0.8, answered()), Failed, "does not admit"},
		{"AUTH-09", "sends at once off script", fresh(soon).send(0.1, token2, "", unscripted).fails(0.8, evidence.Rejected), Failed, "does not admit"},
		{"AUTH-09", "sends before the answer", rejected(401, refusal).send(0.1, token2, answered()).returns(0.8, answered()), Failed, "before any answer that admits it afresh"},
		{"AUTH-09", "gives up though it fits", fresh(soon).fails(0.1, evidence.NotReady), Failed, "though that fitted its budget"},
		{"AUTH-09", "not ready", fresh(late).fails(0.1, evidence.NotReady), Passed, ""},
		{"AUTH-09", "other error than not ready", fresh(late).fails(0.1, evidence.TimedOut), Failed, "no longer fitted"},
		{"AUTH-09", "untold error", fresh(late).fails(0.1, evidence.NotReady, untold), Passed, ""},
		{"AUTH-09", "waits beyond its budget", fresh(late).resolve(61, ready(token2)).fails(62, evidence.TimedOut), Failed, "no longer fitted"},
		{"AUTH-09", "equal to the budget", fresh(waiting("waking", "8990"), answerAfter(0)).fails(0.1, evidence.NotReady), "", ""},
		{"AUTH-09", "terminal", fresh(stopped("unavailable")).fails(0.1, evidence.Blocked), Passed, ""},
		{"AUTH-09", "terminal and asked again", fresh(stopped("unavailable")).resolve(0.1, ready(token2)).fails(0.2, evidence.Blocked), Failed, "directs to nothing"},
		{"AUTH-09", "terminal and sent", fresh(stopped("unavailable")).send(0.1, token1, answered()).returns(0.2, answered()), Failed, "does not admit"},
		{"AUTH-09", "terminal and returned", fresh(stopped("unavailable")).returns(0.2, answered()), Failed, "returned a message"},
		{"AUTH-09", "terminal and hangs", fresh(stopped("unavailable")), "", ""},
		{"AUTH-09", "undirected", fresh(waiting("waking", "null")).fails(0.1, evidence.InvalidResponse), Passed, ""},
		{"AUTH-09", "direction as text", fresh(waiting("waking", `"1500"`)).resolve(1.6, stopped("x")).fails(1.7, evidence.Blocked), Passed, ""},
		{"AUTH-09", "hangs while waiting", fresh(soon), "", ""},
		{"AUTH-09", "ambiguous", rejected(401, refusal).send(0.5, token2, answered()).returns(0.6, answered()).call(0).resolve(0.1, ready(token2), ofCalls(1, 2)), Inconclusive, "may belong"},
		{"AUTH-09", "admitted at once", refreshed(rejected(401, refusal)), "", ""},
		{"AUTH-09", "can_submit as text", fresh(strings.Replace(ready(token2), `"can_submit":true`, `"can_submit":"true"`, 1)).send(0.1, token2, answered()).returns(0.2, answered()), "", ""},
		{"AUTH-09", "no rejection", plain(), "", ""},
	})
}

func TestRejectedAccessIsForgotten(t *testing.T) {
	t.Parallel()
	blockedAfter := func() *tape {
		return rejected(401, refusal).resolve(0.01, stopped("unavailable")).fails(0.02, evidence.Blocked)
	}
	second := func(c *tape, edit ...func(*evidence.Call)) *tape { return c.call(1, edit...) }
	otherClient := func(c *evidence.Call) { c.Client = "b" }
	elsewhere := func(c *evidence.Call) { c.Session = "other" }
	own := func(*evidence.Call) {}
	// apart is a session whose access is the other session's token too, and where that was rejected.
	apart := func(rejectedAt float64) *tape {
		return newTape().call(0).resolve(0.01, ready(token1)).send(0.02, token1, answered()).returns(0.03, answered()).
			call(0.1, elsewhere).resolve(rejectedAt-0.1, ready(token1)).send(rejectedAt, token1, "", status(403, refusal)).
			resolve(rejectedAt+0.1, stopped("unavailable")).fails(rejectedAt+0.2, evidence.Blocked)
	}
	asksOnce := func(t *tape, session func(*evidence.Call)) *tape {
		return t.call(1, session).send(1.2, token1, answered()).returns(1.3, answered())
	}
	again := func(t *tape, session func(*evidence.Call)) *tape {
		return t.call(0.8, session).resolve(0.81, ready(token1)).fails(0.82, evidence.Other)
	}
	prove(t, []proof{
		{"AUTH-11", "another session's of the same token", asksOnce(apart(0.5), own), Passed, ""},
		{"CACHE-08", "another session's of the same token", asksOnce(apart(0.5), own), Passed, ""},
		{"AUTH-11", "its own session's of the same token", asksOnce(apart(0.5), elsewhere), Failed, "had rejected 0.698991s before"},
		{"AUTH-11", "handed out again to the other session alone", asksOnce(again(apart(0.5), own), elsewhere), Failed, token1},
		{"AUTH-11", "handed out again to its own session", asksOnce(again(apart(0.5), elsewhere), elsewhere), Passed, ""},
		{"AUTH-11", "another session's, never given it", asksOnce(blockedAfter(), elsewhere), Failed, token1},
		{"AUTH-11", "another session's, handed out again there", asksOnce(again(blockedAfter(), own), elsewhere), Passed, ""},
		{"AUTH-11", "resolves first", second(blockedAfter()).resolve(1.1, ready(token2)).send(1.2, token2, answered()).returns(1.3, answered()), Passed, ""},
		{"AUTH-11", "uses what was rejected", second(blockedAfter()).send(1.2, token1, answered()).returns(1.3, answered()), Failed, "used " + token1 + ", which the runtime had rejected 1.195991s before"},
		{"AUTH-11", "after a second rejection", second(rejected(401, refusal).resolve(0.01, ready(token2)).send(0.02, token2, "", status(403, "")).fails(0.03, evidence.Unauthorized)).send(1.2, token2, answered()).returns(1.3, answered()), Failed, token2},
		{"AUTH-11", "off script", second(blockedAfter()).send(1.2, token1, "", unscripted).fails(1.3, evidence.Other), Failed, token1},
		{"AUTH-11", "handed out again", second(blockedAfter()).resolve(1.1, ready(token1)).send(1.2, token1, answered()).returns(1.3, answered()), Passed, ""},
		{"AUTH-11", "handed out again by the refresh", second(rejected(401, refusal).resolve(0.01, ready(token1)).send(0.02, token1, answered()).returns(0.03, answered())).send(1.2, token1, answered()).returns(1.3, answered()), Passed, ""},
		{"AUTH-11", "another client", second(blockedAfter(), otherClient).send(1.2, token1, answered()).returns(1.3, answered()), "", ""},
		{"AUTH-11", "started before the rejection", blockedAfter().call(0).send(1.2, token1, answered()).returns(1.3, answered()), "", ""},
		{"AUTH-11", "a call that asks for nothing", second(blockedAfter()).fails(1.1, evidence.InvalidArgument), "", ""},
		{"AUTH-11", "blocked by the platform", second(blockedAfter()).resolve(1.1, stopped("unavailable")).fails(1.3, evidence.Blocked), Passed, ""},
		{"AUTH-11", "no rejection", second(plain()).send(1.2, token1, answered()).returns(1.3, answered()), "", ""},
	})
}
