package suites

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// The evidence of rule tests is built by hand with a tape: each method adds one thing at a moment, answers take the
// latency, and edits change exactly one member. A tape is right where nothing is edited.
type tape struct {
	run evidence.Run
	// subject is who made the calls; the reference client where it is nil.
	subject *evidence.Subject
}

// Names that a tape uses.
const (
	sessionUID = "0b2701a1-e777-4cfe-8437-b94025f00069"
	rpcURL     = "http://runtime.test:80/"
	latency    = evidence.Offset(1009 * time.Microsecond)
	token1     = "‹runtime-token:1›"
	token2     = "‹runtime-token:2›"
)

func newTape() *tape {
	return &tape{run: evidence.Run{
		ID: "tape", Clock: evidence.ClockVirtual, ObservedUntil: evidence.Offset(2 * time.Hour), End: evidence.End{How: evidence.EndSettled},
		Secrets: []evidence.Secret{
			{Name: "‹platform-token›", Kind: evidence.SecretPlatform, Backend: "platform", User: "main"},
			{Name: token1, Kind: evidence.SecretRuntime, Session: sessionUID},
			{Name: token2, Kind: evidence.SecretRuntime, Session: sessionUID},
		},
		Endpoints: []evidence.Endpoint{
			{Name: "platform", Side: evidence.SidePlatform, Origin: "http://platform.test:80", Accepts: evidence.AcceptsYes},
			{Name: "runtime", Side: evidence.SideRuntime, Origin: "http://runtime.test:80", Accepts: evidence.AcceptsYes},
			{Name: "other", Side: evidence.SideElsewhere, Origin: "http://other.test:80", Accepts: evidence.AcceptsYes},
		},
	}}
}

// at is a moment in seconds.
func at(seconds float64) evidence.Offset { return evidence.Offset(inSeconds(seconds)) }

// call adds a send of "hello" that starts at a moment; edit may change it.
func (t *tape) call(start float64, edit ...func(*evidence.Call)) *tape {
	c := evidence.Call{
		Number: len(t.run.Calls) + 1, Client: "a", Session: sessionUID, User: "main", Backend: "platform",
		Op: evidence.CallSend, Input: evidence.Input{Message: evidence.Some("hello")}, Started: at(start),
	}
	for _, e := range edit {
		e(&c)
	}
	t.run.Calls = append(t.run.Calls, c)
	return t
}

// timeout gives a call a total budget in seconds.
func timeout(seconds float64) func(*evidence.Call) {
	return func(c *evidence.Call) { c.Input.Timeout = evidence.Some(evidence.Timeout{Total: seconds}) }
}

// pair gives a call a (connect, read) pair.
func pair(connect, read float64) func(*evidence.Call) {
	return func(c *evidence.Call) {
		c.Input.Timeout = evidence.Some(evidence.Timeout{Pair: true, Connect: connect, Read: read})
	}
}

// last is the call that was added last.
func (t *tape) last() *evidence.Call { return &t.run.Calls[len(t.run.Calls)-1] }

// exchange adds a whole exchange of the last call.
func (t *tape) exchange(arrive float64, op evidence.Op, endpoint string, req evidence.Request, body string, edit []func(*evidence.Exchange)) *tape {
	arrived := at(arrive)
	answered := arrived + latency
	x := evidence.Exchange{
		Seq: len(t.run.Exchanges) + 1, Calls: []int{t.last().Number}, Endpoint: endpoint, Op: op, Connection: len(t.run.Exchanges) + 1,
		Scripted: true, Arrived: arrived, BodyRead: &arrived, HeadFrom: &answered, HeadBy: &answered, LastFrom: &answered, LastBy: &answered,
		Ended: &answered, EndedBy: evidence.EndedByServer, Request: req,
		Response: &evidence.Response{
			Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: bodyOf(body),
			Writes: []evidence.Write{{At: answered, Bytes: int64(len(body))}}, Sent: int64(len(body)), Complete: true,
		},
	}
	for _, e := range edit {
		e(&x)
	}
	t.run.Exchanges = append(t.run.Exchanges, x)
	return t
}

func bodyOf(s string) evidence.Body { return evidence.Body{Size: int64(len(s)), Bytes: []byte(s)} }

// resolve adds a resolve and its answer's body.
func (t *tape) resolve(arrive float64, answer string, edit ...func(*evidence.Exchange)) *tape {
	req := evidence.Request{
		Method: "POST", Target: "/api/v1/agent-sessions/" + t.last().Session + "/resolve-runtime-access/", Host: "platform.test", Proto: "HTTP/1.1",
		Header: http.Header{"Authorization": {"Bearer ‹platform-token›"}, "Content-Type": {"application/json"}}, Body: bodyOf("{}"), ContentLength: 2,
	}
	return t.exchange(arrive, evidence.OpResolveAccess, "platform", req, answer, edit)
}

// ready is an admitting answer with that token.
func ready(token string) string {
	return fmt.Sprintf(`{"coding_agent_service_uid":"7bd86be3-0000-4000-8000-000000000001","mode":"token","rpc_url":%q,"token":%q,`+
		`"expires_at":"2999-01-01T00:00:00Z","is_ready":true,"runtime_interaction":{"state":"ready","can_submit":true,"notice":null,`+
		`"operation":null,"retry_after_ms":null},"runtime_presence":{"phase":"serving","replicas":{},"detail":"","observed_at":null,"wake":null}}`, rpcURL, token)
}

// waiting is a transient answer; retry is written as it is ("1500", "null").
func waiting(state, retry string) string { return blocked(state, retry) }

// stopped is a terminal answer.
func stopped(state string) string { return blocked(state, "null") }

func blocked(state, retry string) string {
	return fmt.Sprintf(`{"coding_agent_service_uid":null,"mode":"unavailable","rpc_url":null,"token":null,"expires_at":null,"is_ready":false,`+
		`"detail":"canary detail","runtime_interaction":{"state":%q,"can_submit":false,"notice":null,"operation":null,"retry_after_ms":%s},`+
		`"runtime_presence":{"phase":"starting","replicas":{},"detail":"","observed_at":null,"wake":null}}`, state, retry)
}

// send adds a send with the plain body and its answer; the answer's status is 200 unless an edit says otherwise.
func (t *tape) send(arrive float64, token, answer string, edit ...func(*evidence.Exchange)) *tape {
	body := plainBody(t.last())
	req := evidence.Request{
		Method: "POST", Target: "/api/a2a/v1/message:send", Host: "runtime.test", Proto: "HTTP/1.1",
		Header: http.Header{
			"Authorization": {"Bearer " + token}, "Content-Type": {"application/a2a+json"}, "Accept": {"application/a2a+json"},
			"A2a-Extensions": {"https://mainsequence.ai/a2a/extensions/response-kind/v1"},
		},
		Body: bodyOf(body), ContentLength: int64(len(body)),
	}
	return t.exchange(arrive, evidence.OpSendMessage, "runtime", req, answer, edit)
}

func plainBody(c *evidence.Call) string {
	text := jsonText(c.Input.Message.Or(""))
	return fmt.Sprintf(`{"message":{"messageId":%q,"role":"ROLE_USER","contextId":%q,"parts":[{"text":%s}]},`+
		`"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":%q}}`,
		c.Input.MessageID.Or(fmt.Sprintf("msg-%d", c.Number)), c.Session, text, c.Input.ResponseKind.Or("message"))
}

// answered is a good Message of the Agent.
func answered() string {
	return fmt.Sprintf(`{"message":{"messageId":"msg-agent-1","role":"ROLE_AGENT","contextId":%q,"parts":[{"text":"canary answer"}]}}`, sessionUID)
}

// status answers with that status and body.
func status(code int, body string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		x.Response.Status, x.Response.Body = code, bodyOf(body)
	}
}

// unscripted marks a request that no step took.
func unscripted(x *evidence.Exchange) {
	x.Scripted, x.Response.Status, x.Response.Body = false, http.StatusTeapot, bodyOf(`{"detail":"no step"}`)
}

// noAnswer leaves a request without any answer until it is ended by someone.
func noAnswer(until float64, by evidence.EndedBy) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		ended := at(until)
		x.Response, x.HeadFrom, x.HeadBy, x.LastFrom, x.LastBy, x.Ended, x.EndedBy = nil, nil, nil, nil, nil, &ended, by
	}
}

// requestBody replaces parts of the request's body: pairs of old and new text.
func requestBody(pairs ...string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		x.Request.Body = bodyOf(strings.NewReplacer(pairs...).Replace(string(x.Request.Body.Bytes)))
	}
}

// header sets a request header; no values take it away.
func header(name string, values ...string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		x.Request.Header.Del(name)
		for _, v := range values {
			x.Request.Header.Add(name, v)
		}
	}
}

// target sets the raw request target.
func target(raw string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) { x.Request.Target = raw }
}

// returns ends the last call with that Message as its result.
func (t *tape) returns(end float64, answer string) *tape {
	var body struct {
		Message json.RawMessage `json:"message"`
	}
	if err := json.Unmarshal([]byte(answer), &body); err != nil {
		panic(err)
	}
	return t.ends(end, evidence.Outcome{Kind: evidence.OutcomeMessage, Message: body.Message})
}

// fails ends the last call with an error of that category; edit may say more of it.
func (t *tape) fails(end float64, category evidence.Category, edit ...func(*evidence.Error)) *tape {
	e := evidence.Error{Category: category, Is: []evidence.Category{category}, Name: "Err" + string(category), Text: "canary error"}
	for _, f := range edit {
		f(&e)
	}
	return t.ends(end, evidence.Outcome{Kind: evidence.OutcomeError, Error: &e})
}

func (t *tape) ends(end float64, o evidence.Outcome) *tape {
	ended := at(end)
	t.last().Ended, t.last().Outcome = &ended, &o
	return t
}

// judge judges the tape by one rule and returns its checks.
func (t *tape) judge(id string) []Check {
	rule, ok := Find(id)
	if !ok {
		panic("no rule " + id)
	}
	scope := Scope{Rules: []Rule{rule}, Subject: evidence.Subject{Kind: evidence.KindReference}}
	if t.subject != nil {
		scope.Subject = *t.subject
	}
	return Judge([]evidence.Run{t.run}, scope)
}

// plain is the plain success case: the tape of a client that is right.
func plain() *tape {
	return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, answered()).returns(0.005, answered())
}

// by sets who made the calls.
func (t *tape) by(s evidence.Subject) *tape {
	t.subject = &s
	return t
}

// onClock puts the tape on a real clock that may mislead by 20ms.
func (t *tape) onClock() *tape {
	t.run.Clock = evidence.ClockReal
	t.run.Tolerance = evidence.Tolerance{Early: at(0.02), Late: at(0.02)}
	return t
}

// swap replaces parts of a body: pairs of old and new text. A part that is not there is a mistake of the test.
func swap(body string, pairs ...string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if !strings.Contains(body, pairs[i]) {
			panic(fmt.Sprintf("the body has no %q", pairs[i]))
		}
		body = strings.ReplaceAll(body, pairs[i], pairs[i+1])
	}
	return body
}

// broken ends an answer before its end: the script cut it.
func broken(x *evidence.Exchange) {
	x.Response.Complete, x.EndedBy = false, evidence.EndedByCut
}

// ofCalls makes it uncertain whose the exchange is.
func ofCalls(numbers ...int) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) { x.Calls = numbers }
}

// to sends the request to another server of the tape.
func to(endpoint string) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) { x.Endpoint = endpoint }
}

// asks adds a request of the last call that is none of resolve and send, answered 200 with an empty object.
func (t *tape) asks(arrive float64, op evidence.Op, endpoint, method, target string, edit ...func(*evidence.Exchange)) *tape {
	req := evidence.Request{Method: method, Target: target, Proto: "HTTP/1.1", Header: http.Header{}}
	return t.exchange(arrive, op, endpoint, req, "{}", edit)
}

// connects adds a connection to an endpoint.
func (t *tape) connects(moment float64, endpoint string) *tape {
	when := at(moment)
	t.run.Connections = append(t.run.Connections, evidence.Connection{
		Number: len(t.run.Connections) + 1, Endpoint: endpoint, Attempted: &when, Opened: &when,
	})
	return t
}

// exits ends the last call as a command does.
func (t *tape) exits(end float64, exit int, stdout, stderr string) *tape {
	t.last().Command = &evidence.Command{Exit: exit, Stdout: evidence.Text(stdout), Stderr: evidence.Text(stderr)}
	return t.ends(end, evidence.Outcome{Kind: evidence.OutcomePrinted})
}
