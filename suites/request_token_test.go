package suites

import (
	"net/http"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestAuthorisation(t *testing.T) {
	t.Parallel()
	bearer := func(token string) func(*evidence.Exchange) { return header("Authorization", "Bearer "+token) }
	twice := func(token string) *tape {
		return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).
			resolve(0.005, ready(token2)).send(0.007, token, answered()).returns(0.009, answered())
	}
	userinfo := rpc("http://user:secret@runtime.test:80/")
	offered := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, userinfo).send(0.003, token1, answered(), edit...).returns(0.005, answered())
	}
	netrc := func(c *evidence.Call) {
		c.Command = &evidence.Command{Files: []evidence.LeftFile{{Path: ".netrc"}}}
	}
	variable := func(c *evidence.Call) { c.Command = &evidence.Command{Env: []string{"HOME", "NETRC"}} }
	command := func(c *evidence.Call) { c.Command = &evidence.Command{} }
	userB := func(c *evidence.Call) { c.User = "b" }
	prove(t, []proof{
		{"REQ-16", "right", plain(), Passed, ""},
		{"REQ-16", "scheme in small letters", sends(header("Authorization", "bearer "+token1)), Passed, ""},
		{"REQ-16", "none", sends(header("Authorization")), Failed, "has 0 Authorization headers"},
		{"REQ-16", "two", sends(header("Authorization", "Bearer "+token1, "Bearer "+token1)), Failed, "has 2 Authorization headers"},
		{"REQ-16", "no scheme", sends(header("Authorization", token1)), Failed, "another scheme"},
		{"REQ-16", "basic", sends(header("Authorization", "Basic dTpw")), Failed, "another scheme"},
		{"REQ-16", "platform token", sends(bearer("‹platform-token›")), Failed, "is authorised with ‹platform-token›"},
		{"REQ-16", "unknown token", sends(bearer("abc")), Failed, "a token without a name"},
		{"REQ-16", "part of the token", sends(bearer("‹runtime-token:1 part›")), Failed, "a token without a name"},
		{"REQ-16", "a token that is no secret", newTape().call(0).resolve(0.001, ready("abc")).send(0.003, "abc", answered()), Passed, ""},
		{"REQ-16", "in the target too", sends(target("/api/a2a/v1/message:send?token=" + token1)), Failed, "also in the target"},
		{"REQ-16", "in the body too", sends(requestBody("hello", token1)), Failed, "also in the body"},
		{"REQ-16", "in a cookie too", sends(header("Cookie", "t="+token1)), Failed, "also in the Cookie header"},
		{"REQ-16", "encoded in a header too", sends(header("X-Token", "‹runtime-token:1 base64›")), Failed, "also in the X-Token header"},
		{"REQ-16", "none where a redirect was followed", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(307, "http://other.test"+sendPath)).
			asks(0.005, evidence.OpSendMessage, "other", "POST", sendPath).fails(0.007, evidence.Other), Passed, ""},
		{"REQ-16", "fresh token", twice(token2), Passed, ""},
		{"REQ-16", "older token", twice(token1), Failed, "the second send is authorised with ‹runtime-token:1›"},
		{"REQ-16", "cached", plain().call(1).send(1.001, token1, answered()), Passed, ""},
		{"REQ-16", "cached of two answers", plain().call(1).resolve(1.001, ready(token2)).call(2).send(2.001, token1, answered()), Passed, ""},
		{"REQ-16", "cached of another instance", newTape().call(0).resolve(0.001, ready(token1)).call(1, ofAnother()).send(1.001, token1, answered()), "", ""},
		{"REQ-16", "cached, newer by another instance", plain().call(1, ofAnother()).resolve(1.001, ready(token2)).call(2).send(2.001, token2, answered()), Passed, ""},
		{"REQ-16", "cached, newer by another command's home", plain().call(1, ofAnother()).resolve(1.001, ready(token2)).call(2, command).send(2.001, token2, answered()), Failed, "is authorised with ‹runtime-token:2›"},
		{"REQ-16", "cached, newer by another user", plain().call(1, ofAnother(), userB).resolve(1.001, ready(token2)).call(2).send(2.001, token2, answered()), Failed, "is authorised with ‹runtime-token:2›"},
		{"REQ-16", "resolved and passed over", plain().call(1).resolve(1.001, ready(token2)).send(1.003, token1, answered()), Failed, "authorised with ‹runtime-token:1›"},
		{"REQ-16", "resolved together", newTape().call(0).call(0).resolve(0.001, ready(token1), ofCalls(1, 2)).resolve(0.001, ready(token2), ofCalls(1, 2)).
			send(0.003, token1, answered()), Passed, ""},
		{"REQ-16", "not admitted", newTape().call(0).resolve(0.001, stopped("unavailable")).send(0.003, token1, answered()), "", ""},
		{"REQ-16", "token of no use", newTape().call(0).resolve(0.001, swap(ready(token1), `"`+token1+`"`, "null")).send(0.003, token1, answered()), "", ""},
		{"REQ-16", "credentials offered", offered(header("Authorization", "Basic dTpw")), "", ""},

		{"REQ-22", "nothing offered", plain(), "", ""},
		{"REQ-22", "URL passed over", offered(), Passed, ""},
		{"REQ-22", "URL taken", offered(header("Authorization", "Basic dTpw")), Warned, "another scheme"},
		{"REQ-22", "netrc passed over", asking(netrc), Passed, ""},
		{"REQ-22", "netrc taken", asking(variable, header("Authorization", "Basic dTpw")), Warned, "another scheme"},
		{"REQ-22", "no netrc", asking(func(c *evidence.Call) { c.Command = &evidence.Command{} }), "", ""},
	})
}

func TestTokensStayAtHome(t *testing.T) {
	t.Parallel()
	away := func(code int, edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(code, "http://other.test/x")).
			asks(0.005, evidence.OpUnknown, "other", "GET", "/x", edit...).fails(0.007, evidence.Other)
	}
	carrying := func(name string) func(*evidence.Exchange) { return header("Authorization", "Bearer "+name) }
	prove(t, []proof{
		{"REQ-19", "plain", plain(), Passed, ""},
		{"REQ-19", "no token anywhere", newTape().call(0).asks(0.001, evidence.OpUnknown, "other", "GET", "/x"), "", ""},
		{"REQ-19", "runtime token to the platform", newTape().call(0).resolve(0.001, ready(token1)).resolve(0.003, ready(token2), carrying(token1)),
			Failed, "‹runtime-token:1› reached http://platform.test:80 in the Authorization header"},
		{"REQ-19", "platform token to the runtime", sends(header("X-Platform", "‹platform-token›")), Failed, "‹platform-token› reached http://runtime.test:80 in the X-Platform header"},
		{"REQ-19", "redirect followed bare", away(302), Passed, ""},
		{"REQ-19", "redirect followed with token", away(302, carrying(token1)), Failed, "‹runtime-token:1› reached http://other.test:80"},
		{"REQ-19", "redirect followed with token in the target", away(302, target("/x?t="+token1)), Failed, "in the target"},
		{"REQ-19", "redirect followed with body", away(307, sentBody("{}")), Failed, "got a body of 2 bytes"},
		{"REQ-19", "redirect to the same origin with body", newTape().call(0).resolve(0.001, "", redirect(307, "/y")).
			resolve(0.003, ready(token1), target("/y")), Passed, ""},
		{"REQ-19", "uncertain whose", newTape().call(0).call(0).resolve(0.001, ready(token1)).
			asks(0.003, evidence.OpUnknown, "other", "GET", "/x", carrying(token1), ofCalls(1, 2)), Failed, "reached http://other.test:80"},
		{"REQ-19", "moved runtime", newTape().call(0).resolve(0.001, rpc("http://other.test/")).send(0.003, token1, answered(), to("other")), Passed, ""},
		{"REQ-19", "stale address with the fresh token", newTape().call(0).resolve(0.001, rpc("http://other.test/")).send(0.003, token1, answered()),
			Failed, "‹runtime-token:1› reached http://runtime.test:80"},
		{"REQ-19", "a token that no answer gave", newTape().call(0).send(0.003, token2, answered()), Passed, ""},
		{"REQ-19", "text between marks that is no secret", sends(header("X-Note", "‹platform-tokens›")), Passed, ""},
	})
	two := newTape().call(0).resolve(0.001, ready(token1), to("second"))
	two.run.Endpoints = append(two.run.Endpoints, evidence.Endpoint{Name: "second", Side: evidence.SidePlatform, Origin: "http://second.test:80"})
	prove(t, []proof{{"REQ-19", "another backend", two, Failed, "‹platform-token› reached http://second.test:80"}})
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	redirected := func(code int, to string) *tape {
		return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(code, to))
	}
	get := func(follow bool) *tape {
		t := newTape().call(0, taskCall(evidence.CallGetTask, "t")).resolve(0.001, ready(token1)).
			asks(0.003, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t", redirect(302, "/moved"))
		if follow {
			t.asks(0.005, evidence.OpUnknown, "runtime", "GET", "/moved")
		}
		return t.fails(0.007, evidence.Other)
	}
	prove(t, []proof{
		{"REQ-20", "no redirect", plain(), "", ""},
		{"REQ-20", "not followed", redirected(307, "/x").fails(0.005, evidence.Other), Passed, ""},
		{"REQ-20", "followed as GET", redirected(302, "/x").asks(0.005, evidence.OpUnknown, "runtime", "GET", "/x").fails(0.007, evidence.Other),
			Failed, "the redirect (302) of the send was followed: GET went to http://runtime.test:80/x"},
		{"REQ-20", "followed elsewhere", redirected(308, "http://other.test/y?z=1").asks(0.005, evidence.OpUnknown, "other", "POST", "/y?z=1").returns(0.007, answered()),
			Failed, "POST went to http://other.test:80/y?z=1"},
		{"REQ-20", "followed to another address elsewhere", redirected(308, "http://other.test/y").asks(0.005, evidence.OpUnknown, "other", "POST", "/z").fails(0.007, evidence.Other),
			Failed, "http://other.test:80/z"},
		{"REQ-20", "followed, no script foresaw it", redirected(301, sendPath).send(0.005, token1, answered(), unscripted).fails(0.007, evidence.Other), Failed, "of the first send was followed"},
		{"REQ-20", "followed and uncertain whose", newTape().call(0).call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(303, "/x")).
			asks(0.005, evidence.OpUnknown, "runtime", "GET", "/x", ofCalls(1, 2)).fails(0.007, evidence.Other), Failed, "was followed"},
		{"REQ-20", "asked for before it was answered", redirected(302, "/x").asks(0.0035, evidence.OpUnknown, "runtime", "GET", "/x").fails(0.007, evidence.Other), Passed, ""},
		{"REQ-20", "asked for in the instant of the answer", redirected(302, "/x").asks(0.004009, evidence.OpUnknown, "runtime", "GET", "/x").fails(0.007, evidence.Other), Failed, "GET went to"},
		{"REQ-20", "another request to the runtime", redirected(302, "/x").asks(0.005, evidence.OpUnknown, "runtime", "GET", "/z").fails(0.007, evidence.Other), Passed, ""},
		{"REQ-20", "to itself, answered at once", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(307, sendPath), answerAfter(0)).fails(0.005, evidence.Other), Passed, ""},
		{"REQ-20", "elsewhere and uncertain whose", newTape().call(0).call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(303, "/x")).
			asks(0.005, evidence.OpUnknown, "other", "GET", "/z", ofCalls(1, 2)).fails(0.007, evidence.Other), Passed, ""},
		{"REQ-20", "a get left alone", got("{}", redirect(307, "/x")).fails(0.005, evidence.Other), Passed, ""},
		{"REQ-20", "a get followed", got("{}", redirect(307, "/x")).asks(0.005, evidence.OpUnknown, "runtime", "GET", "/x").fails(0.007, evidence.Other), Warned, "of a Task request was followed"},
		{"REQ-20", "a get followed in a hang", got("{}", redirect(307, "/x")).asks(0.005, evidence.OpUnknown, "runtime", "GET", "/x"), Warned, "was followed"},
		{"REQ-20", "a get that never ended", got("{}", redirect(307, "/x")), "", ""},
		{"REQ-20", "taken for the answer", redirected(302, "/x").returns(0.005, answered()), Failed, "returned a result although its send was answered 302"},
		{"REQ-20", "never ended", redirected(302, "/x"), Inconclusive, "had not ended"},
		{"REQ-20", "no location", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(http.StatusFound, "")).fails(0.005, evidence.Other), "", ""},
		{"REQ-20", "no URL", redirected(302, "http://[").fails(0.005, evidence.Other), "", ""},
		{"REQ-20", "resolve redirected", newTape().call(0).resolve(0.001, "", redirect(307, "/y")).resolve(0.003, ready(token1), target("/y")).fails(0.005, evidence.Other), "", ""},
		{"REQ-20", "get not followed", get(false), Passed, ""},
		{"REQ-20", "get followed", get(true), Warned, "redirect (302) of a Task request was followed"},
	})
}
