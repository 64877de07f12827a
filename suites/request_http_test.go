package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// rpc is an admitting answer with another rpc_url.
func rpc(address string) string { return swap(ready(token1), rpcURL, address) }

// sendTo is a call that is given an rpc_url and sends to a target.
func sendTo(address, raw string, edit ...func(*evidence.Exchange)) *tape {
	return newTape().call(0).resolve(0.001, rpc(address)).send(0.003, token1, answered(), append(edit, target(raw))...).returns(0.005, answered())
}

func TestSendTarget(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"REQ-12", "plain", plain(), Passed, ""},
		{"REQ-12", "no slash at the end", sendTo("http://runtime.test", "/api/a2a/v1/message:send"), Passed, ""},
		{"REQ-12", "letter case of the host", sendTo("http://Runtime.Test/", "/api/a2a/v1/message:send"), Passed, ""},
		{"REQ-12", "prefix", sendTo("http://runtime.test:80/p/%7Eq/", "/p/%7Eq/api/a2a/v1/message:send"), Passed, ""},
		{"REQ-12", "credentials in the address", sendTo("http://u:p@runtime.test:80/p", "/p/api/a2a/v1/message:send"), Passed, ""},
		{"REQ-12", "prefix dropped", sendTo("http://runtime.test:80/p/", "/api/a2a/v1/message:send"), Failed, "went as POST to http://runtime.test:80/api"},
		{"REQ-12", "prefix dropped, at a route that nobody knows", sendTo("http://runtime.test:80/p/", "/api/a2a/v1/message:send", meaning(evidence.OpUnknown)), Failed, "went as POST"},
		{"REQ-12", "doubled slash", sendTo(rpcURL, "//api/a2a/v1/message:send"), Failed, "http://runtime.test:80//api"},
		{"REQ-12", "colon escaped", sendTo(rpcURL, "/api/a2a/v1/message%3Asend"), Failed, "message%3Asend"},
		{"REQ-12", "a query", sendTo(rpcURL, "/api/a2a/v1/message:send?x=1"), Failed, "message:send?x=1"},
		{"REQ-12", "PUT", sends(method("PUT"), meaning(evidence.OpUnknown)), Failed, "went as PUT"},
		{"REQ-12", "another server", sends(to("other")), Failed, "http://other.test:80/"},
		{"REQ-12", "several slashes", sendTo("http://runtime.test:80//", "//api/a2a/v1/message:send"), Observed, "several slashes"},
		{"REQ-12", "query in the address", sendTo("http://runtime.test:80/?a=1", "/api/a2a/v1/message:send?a=1"), Observed, "a query"},
		{"REQ-12", "no admission", newTape().call(0).send(0.003, token1, answered()), "", ""},
		{"REQ-12", "unusable address", sendTo("ftp://runtime.test/", "/api/a2a/v1/message:send"), "", ""},
		{"REQ-12", "follows a redirect", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", redirect(307, "/elsewhere")).
			send(0.005, token1, answered(), target("/elsewhere"), meaning(evidence.OpUnknown)), Passed, ""},
		{"REQ-12", "cached access", plain().call(1).send(1.001, token1, answered()).returns(1.003, answered()), Passed, ""},
		{"REQ-12", "cached access, other place", plain().call(1).send(1.001, token1, answered(), target("/x")).returns(1.003, answered()), Failed, "to http://runtime.test:80/x"},
		{"REQ-12", "get", newTape().call(0, taskCall(evidence.CallGetTask, "t")).resolve(0.001, ready(token1)), "", ""},
	})
}

func TestSendHeaders(t *testing.T) {
	t.Parallel()
	uri := evidence.ResponseKindURI
	prove(t, []proof{
		{"REQ-13", "right", plain(), Passed, ""},
		{"REQ-13", "letter case", sends(header("Content-Type", "Application/A2A+json")), Passed, ""},
		{"REQ-13", "charset", sends(header("Content-Type", "application/a2a+json; charset=utf-8")), Observed, "charset=utf-8"},
		{"REQ-13", "plain json", sends(header("Content-Type", "application/json")), Failed, `"application/json"`},
		{"REQ-13", "none", sends(header("Content-Type")), Failed, "has 0 Content-Type headers"},
		{"REQ-13", "two", sends(header("Content-Type", mediaType, "application/json")), Failed, "has 2 Content-Type headers"},

		{"REQ-14", "right", plain(), Passed, ""},
		{"REQ-14", "none", sends(header("Accept")), Failed, "has no Accept header"},
		{"REQ-14", "anything", sends(header("Accept", "*/*")), Failed, `"*/*"`},
		{"REQ-14", "json beside", sends(header("Accept", "application/a2a+json, application/json;q=0.5")), Observed, "more than the contract's"},
		{"REQ-14", "in two lines", sends(header("Accept", "application/json", "application/a2a+json;q=0.9")), Observed, "more than the contract's"},
		{"REQ-14", "refused", sends(header("Accept", "application/a2a+json;q=0.0, application/json")), Failed, "q=0.0"},

		{"REQ-15", "right", plain(), Passed, ""},
		{"REQ-15", "list", sends(header("A2A-Extensions", evidence.OutputContractURI+" , "+uri)), Passed, ""},
		{"REQ-15", "repeated", sends(header("A2A-Extensions", evidence.OutputContractURI, uri)), Passed, ""},
		{"REQ-15", "none", sends(header("A2A-Extensions")), Failed, "has no A2A-Extensions header"},
		{"REQ-15", "another", sends(header("A2A-Extensions", evidence.OutputContractURI)), Failed, "names only"},
		{"REQ-15", "longer", sends(header("A2A-Extensions", uri+"/x")), Failed, "names only"},
		{"REQ-15", "lost on the second send", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).
			resolve(0.005, ready(token2)).send(0.007, token2, answered(), header("A2A-Extensions")).returns(0.009, answered()), Failed, "the second send"},
	})
}

func TestResolveTarget(t *testing.T) {
	t.Parallel()
	right := resolvePath(sessionUID)
	resolved := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, ready(token1), edit...)
	}
	escaped := func(segment string) *tape {
		return newTape().call(0, onSession("a/b c")).resolve(0.001, ready(token1), target("/api/v1/agent-sessions/"+segment+"/resolve-runtime-access/"))
	}
	task := func(id, raw string) *tape {
		return newTape().call(0, taskCall(evidence.CallCancelTask, id)).resolve(0.001, ready(token1)).
			asks(0.003, evidence.OpUnknown, "runtime", "POST", raw)
	}
	prove(t, []proof{
		{"REQ-18", "right", resolved(), Passed, ""},
		{"REQ-18", "no slash", resolved(target(right[:len(right)-1]), meaning(evidence.OpUnknown)), Failed, "the client resolved with POST"},
		{"REQ-18", "GET", resolved(method("GET"), meaning(evidence.OpUnknown)), Failed, "resolved with GET"},
		{"REQ-18", "retired route", resolved(target("/orm/api/agents/v1/sessions/"+sessionUID+"/resolve_runtime_access/"), meaning(evidence.OpLegacy)), Failed, "resolve_runtime_access"},
		{"REQ-18", "query", resolved(target(right + "?fresh=1")), Observed, "fresh=1"},
		{"REQ-18", "another session", resolved(target(resolvePath("other"))), Failed, "agent-sessions/other"},
		{"REQ-18", "strange session", escaped("a%2Fb%20c"), "", ""},
		{"REQ-18", "a redirect followed", newTape().call(0).resolve(0.001, "", redirect(302, "/resolve")).
			asks(0.003, evidence.OpUnknown, "platform", "GET", "/resolve").fails(0.005, evidence.Other), Passed, ""},
		{"REQ-18", "another route than a redirect's", newTape().call(0).resolve(0.001, "", redirect(302, "/moved")).
			asks(0.003, evidence.OpUnknown, "platform", "GET", "/resolve").fails(0.005, evidence.Other), Failed, "resolved with GET"},
		{"REQ-18", "unknown request to the runtime", resolved().asks(0.003, evidence.OpUnknown, "runtime", "GET", "/resolve"), Passed, ""},

		{"REQ-23", "ordinary session", plain(), "", ""},
		{"REQ-23", "escaped", escaped("a%2Fb%20c"), Passed, ""},
		{"REQ-23", "escaped more than needed", escaped("%61%2fb%20c"), Passed, ""},
		{"REQ-23", "as it is", escaped("a/b%20c"), Warned, "agent-sessions/a/b%20c/"},
		{"REQ-23", "plus for a space", escaped("a%2Fb+c"), Warned, "a%2Fb+c"},
		{"REQ-23", "refused", refusing(onSession("a/b")), Passed, ""},
		{"REQ-23", "dots", newTape().call(0, onSession("..")).resolve(0.001, ready(token1)), Warned, "agent-sessions/../"},
		{"REQ-23", "discovery of the agent has no session", newTape().call(0, onSession("a/b")).
			asks(0.001, evidence.OpGetSession, "platform", "GET", "/api/v1/agent-sessions/a%2Fb/").
			asks(0.003, evidence.OpGetAgent, "platform", "GET", "/api/v1/agents/x/"), Passed, ""},
		{"REQ-23", "another route", newTape().call(0, onSession("a/b")).asks(0.001, evidence.OpUnknown, "platform", "GET", "/a/b"), Warned, "went to /a/b"},
		{"REQ-23", "task escaped", task("a?b", "/api/a2a/v1/tasks/a%3Fb:cancel"), Passed, ""},
		{"REQ-23", "task as it is", task("a?b", "/api/a2a/v1/tasks/a?b:cancel"), Warned, "tasks/a?b:cancel"},
	})
}
