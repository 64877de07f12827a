package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

const legacyPath = "/api/a2a/sessions/" + sessionUID + "/runtime"

func TestPlatformRoutes(t *testing.T) {
	t.Parallel()
	session := "/api/v1/agent-sessions/" + sessionUID + "/"
	discovering := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, edit...).asks(0.001, evidence.OpGetSession, "platform", "GET", session).
			resolve(0.003, ready(token1)).send(0.005, token1, answered()).returns(0.007, answered())
	}
	command := evidence.Subject{Kind: evidence.KindCommand, Command: true}
	signIn := func() *tape {
		return newTape().call(0).asks(0.001, evidence.OpWhoAmI, "platform", "GET", "/api/v1/users/me/").resolve(0.003, ready(token1)).send(0.005, token1, answered())
	}
	together := func(kind string) *tape {
		second := func(c *evidence.Call) { c.Input.ResponseKind = evidence.Some(kind) }
		return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, answered()).returns(0.005, answered()).
			call(0, second).asks(0.001, evidence.OpGetSession, "platform", "GET", session, ofCalls(1, 2)).resolve(0.002, ready(token1)).returns(0.005, answered())
	}
	prove(t, []proof{
		{"FLOW-01", "access only", plain(), Passed, ""},
		{"FLOW-01", "discovery", discovering(), Failed, "more than runtime access: GET /api/v1/agent-sessions/"},
		{"FLOW-01", "an id that breaks out of its segment", newTape().call(0, func(c *evidence.Call) { c.Session = "a/b" }).
			asks(0.001, evidence.OpUnknown, "platform", "POST", "/api/v1/agent-sessions/a/b/resolve-runtime-access/").returns(0.007, answered()), Passed, ""},
		{"FLOW-01", "an unknown route", newTape().call(0).asks(0.001, evidence.OpUnknown, "platform", "POST", "/wake").returns(0.007, answered()), Failed, "POST /wake"},
		{"FLOW-01", "discovery in Task mode", discovering(func(c *evidence.Call) { c.Input.ResponseKind = evidence.Some("task") }), "", ""},
		{"FLOW-01", "renewal of the platform token", newTape().call(0).asks(0.001, evidence.OpRenewToken, "platform", "POST", "/auth/jwt-token/token/refresh/").
			resolve(0.003, ready(token1)).send(0.005, token1, answered()).returns(0.007, answered()), Passed, ""},
		{"FLOW-01", "sign-in check of a client", signIn().returns(0.007, answered()), Failed, "GET /api/v1/users/me/"},
		{"FLOW-01", "sign-in check of a command", signIn().exits(0.1, 0, "{}", "").by(command), Passed, ""},
		{"FLOW-01", "where the platform redirects a resolve", newTape().call(0).resolve(0.001, "", status(307, ""), func(x *evidence.Exchange) {
			x.Response.Header.Set("Location", "/v2/resolve/")
		}).asks(0.003, evidence.OpUnknown, "platform", "POST", "/v2/resolve/").fails(0.005, evidence.Other), Passed, ""},
		{"FLOW-01", "no request at all", newTape().call(0).fails(0.001, evidence.InvalidArgument), "", ""},
		{"FLOW-01", "a hang", newTape().call(0).resolve(0.001, ready(token1)), "", ""},
		{"FLOW-01", "discovery of one of two Messages", together("message"), Failed, "more than runtime access"},
		{"FLOW-01", "discovery that may be a Task's", together("task"), Passed, ""},
		{"FLOW-15", "none", plain(), Passed, ""},
		{"FLOW-15", "status", newTape().call(0).asks(0.001, evidence.OpLegacy, "platform", "GET", legacyPath).
			resolve(0.003, ready(token1)).send(0.005, token1, answered()).returns(0.007, answered()), Failed, "called a retired route: GET /api/a2a/sessions/"},
		{"FLOW-15", "attach in a hang", newTape().call(0).asks(0.001, evidence.OpLegacy, "runtime", "POST", legacyPath), Failed, "POST"},
		{"FLOW-15", "in a get", newTape().call(0, func(c *evidence.Call) { c.Op = evidence.CallGetTask }).
			asks(0.001, evidence.OpLegacy, "platform", "GET", legacyPath).fails(0.1, evidence.Other), Failed, "retired"},
		{"FLOW-15", "after an unscripted request", newTape().call(0).resolve(0.001, "", unscripted).
			asks(0.003, evidence.OpLegacy, "platform", "GET", legacyPath).fails(0.1, evidence.Other), Failed, "retired"},
	})
}

func TestRuntimeRoutes(t *testing.T) {
	t.Parallel()
	moved := func(x *evidence.Exchange) {
		x.Response.Header.Set("Location", "/api/a2a/v1/message")
	}
	prove(t, []proof{
		{"FLOW-16", "the send alone", plain(), Passed, ""},
		{"FLOW-16", "health before the send", newTape().call(0).resolve(0.001, ready(token1)).asks(0.003, evidence.OpUnknown, "runtime", "GET", "/health").
			send(0.005, token1, answered()).returns(0.007, answered()), Failed, "something else than the send: GET /health"},
		{"FLOW-16", "a get behind the send", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, answered()).
			asks(0.005, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t1").returns(0.007, answered()), Failed, "GET /api/a2a/v1/tasks/t1"},
		{"FLOW-16", "a send gone astray", newTape().call(0).resolve(0.001, ready(token1)).
			asks(0.003, evidence.OpUnknown, "runtime", "POST", "/p/api/a2a/v1/message:send").fails(0.007, evidence.Rejected), Passed, ""},
		{"FLOW-16", "what a redirect asked for", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(302, ""), moved).
			asks(0.005, evidence.OpUnknown, "runtime", "GET", "/api/a2a/v1/message").fails(0.007, evidence.InvalidResponse), Passed, ""},
		{"FLOW-16", "a platform that says no", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.004, evidence.Blocked), Passed, ""},
		{"FLOW-16", "a get", newTape().call(0, func(c *evidence.Call) { c.Op = evidence.CallGetTask }).
			asks(0.005, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t1").fails(0.1, evidence.Other), Passed, ""},
		{"FLOW-16", "a get and a list", newTape().call(0, func(c *evidence.Call) { c.Op = evidence.CallGetTask }).
			asks(0.005, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t1").asks(0.007, evidence.OpUnknown, "runtime", "GET", "/api/a2a/v1/tasks").
			fails(0.1, evidence.Other), Failed, "something else than its Task: GET /api/a2a/v1/tasks"},
		{"FLOW-16", "a get inside a cancel", newTape().call(0, func(c *evidence.Call) { c.Op = evidence.CallCancelTask }).
			asks(0.005, evidence.OpGetTask, "runtime", "GET", "/api/a2a/v1/tasks/t1").fails(0.1, evidence.Other), Failed, "something else than its Task"},
	})
}

func TestConnectionsWhileBlocked(t *testing.T) {
	t.Parallel()
	woken := func() *tape {
		return newTape().connects(0.001, "platform").call(0).resolve(0.001, waiting("waking", "1000")).resolve(1.002009, ready(token1)).
			send(1.004, token1, answered()).returns(1.006, answered())
	}
	accepted := woken().connects(0.5, "runtime")
	accepted.run.Connections[1].Attempted = nil
	unseen := woken().connects(0.5, "runtime")
	unseen.run.Connections[1].Attempted, unseen.run.Connections[1].Opened = nil, nil
	other := func(c *evidence.Call) { c.Client, c.Session = "b", "11111111-e777-4cfe-8437-b94025f00069" }
	naming := swap(waiting("waking", "1000"), `"rpc_url":null`, `"rpc_url":"`+rpcURL+`"`)
	prove(t, []proof{
		{"FLOW-19", "none while it wakes", woken().connects(1.004, "runtime"), Passed, ""},
		{"FLOW-19", "one while it wakes", woken().connects(0.5, "runtime"), Failed, "opened a connection to the runtime 0.497991s after an answer with can_submit false"},
		{"FLOW-19", "one at the instant of the answer", woken().connects(0.002009, "runtime"), Failed, "opened a connection to the runtime 0s after"},
		{"FLOW-19", "one right behind the first answer, on a real clock", woken().onClock().connects(0.0025, "runtime"), Failed, "opened a connection to the runtime 0.000491s after"},
		{"FLOW-19", "one right behind a refusal that names the address itself, on a real clock", newTape().onClock().call(0).resolve(0.001, naming).
			connects(0.0025, "runtime").fails(0.1, evidence.NotReady), Failed, "opened a connection to the runtime 0.000491s after"},
		{"FLOW-19", "one right behind such a refusal after one that named none", newTape().onClock().call(0).resolve(0.001, waiting("waking", "1000")).
			resolve(1.002009, naming).connects(1.0035, "runtime").fails(1.1, evidence.NotReady), Failed, "opened a connection to the runtime 0.000482s after"},
		{"FLOW-19", "one right behind an answer, of an address that was known", newTape().onClock().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "").returns(0.005, answered()).
			call(1).resolve(1.001, stopped("unavailable")).connects(1.0025, "runtime").fails(1.1, evidence.Blocked), Passed, ""},
		{"FLOW-19", "one whose attempt nobody saw", accepted, Failed, "0.497991s"},
		{"FLOW-19", "one of which no time is known", unseen, Passed, ""},
		{"FLOW-19", "one elsewhere while it wakes", woken().connects(0.5, "platform"), Passed, ""},
		{"FLOW-19", "one before the answer", woken().connects(0.0005, "runtime"), Passed, ""},
		{"FLOW-19", "one of another call", woken().connects(0.5, "runtime").call(0.4, other).returns(0.6, answered()), "", ""},
		{"FLOW-19", "one of the call that follows", newTape().connects(0.001, "platform").call(0).resolve(0.001, stopped("unavailable")).fails(0.004, evidence.Blocked).
			call(5).connects(5.1, "runtime").resolve(5.001, ready(token1)).send(5.1, token1, answered()).returns(5.2, answered()), Passed, ""},
		{"FLOW-19", "one after a terminal answer", newTape().connects(0.001, "platform").call(0).resolve(0.001, stopped("unavailable")).fails(0.004, evidence.Blocked).
			connects(0.003, "runtime"), Failed, "opened a connection"},
		{"FLOW-19", "that of a send that nothing admitted", newTape().connects(0.001, "platform").call(0).resolve(0.001, stopped("unavailable")).
			connects(0.003, "runtime").send(0.003, token1, answered()).returns(0.006, answered()), Passed, ""},
		{"FLOW-19", "attempts not recorded at all", newTape().call(0).resolve(0.001, stopped("unavailable")).fails(0.004, evidence.Blocked), "", ""},
		{"FLOW-19", "an admission", plain().connects(0.0025, "runtime"), "", ""},
	})
}

func TestAddress(t *testing.T) {
	t.Parallel()
	given := func(url string, edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, swap(ready(token1), rpcURL, url)).send(0.003, token1, answered(), edit...).returns(0.005, answered())
	}
	refreshed := func(second string) *tape {
		return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).
			resolve(0.005, swap(ready(token2), rpcURL, "http://other.test:80/")).send(0.007, token2, answered(), to(second), host(second+".test")).returns(0.009, answered())
	}
	remembered := func(server string) *tape {
		return plain().call(1).send(1.001, token1, answered(), to(server), host(server+".test")).returns(1.003, answered())
	}
	prove(t, []proof{
		{"FLOW-14", "as given", plain(), Passed, ""},
		{"FLOW-14", "no slash at the end", given("http://runtime.test"), Passed, ""},
		{"FLOW-14", "a prefix kept", given("http://runtime.test/p%2fQ/", target("/p%2fQ/api/a2a/v1/message:send")), Passed, ""},
		{"FLOW-14", "a prefix dropped", given("http://runtime.test/p/"), Failed, `has the path "/p/"`},
		{"FLOW-14", "an escape decoded", given("http://runtime.test/p%2fQ/", target("/p/Q/api/a2a/v1/message:send")), Failed, "has the path"},
		{"FLOW-14", "a prefix added", given("http://runtime.test/p/", target("/p/tenant/api/a2a/v1/message:send")), Failed, "nothing behind it"},
		{"FLOW-14", "two slashes where they join", given("http://runtime.test/p/", target("/p//api/a2a/v1/message:send")), Passed, ""},
		{"FLOW-14", "another server", given("http://runtime.test/", to("other"), host("other.test")), Failed, "sent to http://other.test:80 where rpc_url names http://runtime.test:80"},
		{"FLOW-14", "another name of the same server", given("http://runtime.test/", host("10.0.0.1")), Failed, `named the host "10.0.0.1"`},
		{"FLOW-14", "letter case of the host", given("http://Runtime.TEST/", host("Runtime.TEST")), Passed, ""},
		{"FLOW-14", "credentials in the address", given("http://u:p@runtime.test/"), Passed, ""},
		{"FLOW-14", "a query", given("http://runtime.test/?a=b"), "", ""},
		{"FLOW-14", "the fresh address", refreshed("other"), Passed, ""},
		{"FLOW-14", "the address of before the refresh", refreshed("runtime"), Failed, "rpc_url names http://other.test:80"},
		{"FLOW-14", "remembered access", remembered("runtime"), Passed, ""},
		{"FLOW-14", "remembered access for another server", remembered("other"), Failed, "rpc_url names"},
		{"FLOW-14", "a send gone astray", newTape().call(0).resolve(0.001, swap(ready(token1), rpcURL, "http://runtime.test/p/")).
			asks(0.003, evidence.OpUnknown, "runtime", "POST", sendPath).fails(0.005, evidence.Rejected), Failed, "has the path"},
		{"FLOW-14", "no send", newTape().call(0).resolve(0.001, ready(token1)).fails(0.005, evidence.Other), "", ""},
	})
}

// host sets the host that a request names.
func host(name string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) { x.Request.Host = name }
}
