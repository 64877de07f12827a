package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const ms = Offset(time.Millisecond)

func newTestRecorder() *Recorder {
	r := NewRecorder("plain", ClockVirtual, time.Now(), Tolerance{}, nil)
	r.AddSecret(Secret{Kind: SecretPlatform}, tokenB)
	r.AddSecret(Secret{Kind: SecretRuntime, Session: "session-1"}, tokenA)
	r.AddEndpoint(Endpoint{Name: "platform", Side: SidePlatform, Origin: "http://127.0.0.1:1", Accepts: AcceptsYes})
	return r
}

// pass lets a millisecond of virtual time go by.
func pass() { <-time.After(time.Millisecond) }

// exact lets go-cmp look into Opt.
func exact() cmp.Option { return cmp.Exporter(func(reflect.Type) bool { return true }) }

func TestSecretsAreNamedInTheirOrder(t *testing.T) {
	t.Parallel()
	r := NewRecorder("x", ClockReal, time.Now(), Tolerance{}, &Bodies{})
	got := []string{
		r.AddSecret(Secret{Kind: SecretPlatform}, "platform-one-value"),
		r.AddSecret(Secret{Kind: SecretRefresh}, "refresh-one-value"),
		r.AddSecret(Secret{Kind: SecretRuntime, Session: "s"}, tokenA),
		r.AddSecret(Secret{Kind: SecretRuntime}, tokenB),
		r.AddSecret(Secret{Kind: SecretRuntime}, tokenA),
		r.AddSecret(Secret{Kind: SecretPlatform}, "platform-two-value"),
		r.AddSecret(Secret{Kind: SecretRuntime, Name: "‹other›"}, "other-value-of-it"),
		r.AddSecret(Secret{Kind: SecretRuntime}, ""),
	}
	want := []string{
		"‹platform-token›", "‹refresh-token›", "‹runtime-token:1›", "‹runtime-token:2›", "‹runtime-token:1›",
		"‹platform-token:2›", "‹other›", "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len(r.Close(End{}, 0).Secrets); n != 6 {
		t.Errorf("%d secrets are recorded", n)
	}
}

func TestTextsThatHoldASecret(t *testing.T) {
	t.Parallel()
	r := newTestRecorder()
	const token = "Zq7Wc2Xv9Bn4Mk1L"
	r.AddSecret(Secret{Kind: SecretRuntime}, token)
	for text, want := range map[string]bool{`{"token":"` + token + `"}`: true, token[:13]: false, "": false, "Zq7W": false} {
		if got := r.Holds([]byte(text)); got != want {
			t.Errorf("%q: want %t, got %t", text, want, got)
		}
	}
	r.Close(End{How: EndSettled}, 0)
	if r.Holds([]byte(token)) {
		t.Error("a closed recording knows no secret any more")
	}
}

func TestRecordingOfAnExchange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newTestRecorder()
		playOneExchange(t, r)
		got := r.Close(End{How: EndSettled, Text: "with " + tokenB}, 10*ms)
		if again := r.Close(End{How: EndHang}, 0); again.End.How != EndSettled {
			t.Error("a second close changes the run")
		}
		want := oneExchange(got.Epoch)
		if diff := cmp.Diff(want, got, exact()); diff != "" {
			t.Errorf("run (-want +got):\n%s", diff)
		}
	})
}

// playOneExchange tells a recorder of one call with one exchange, and of a good deal that comes too late or belongs
// to nothing.
func playOneExchange(t *testing.T, r *Recorder) {
	t.Helper()
	pass()
	call := r.StartCall(Call{Client: "a", Session: "session-1", Op: CallSend})
	conn := r.Attempt("platform")
	pass()
	conn.Opened()
	conn.Transferred(100, 0)
	open := r.Arrive(Exchange{
		Endpoint: "platform", Connection: conn.Number(),
		Request: Request{
			Method: http.MethodPost, Target: "/api/v1/agent-sessions/session-1/resolve-runtime-access/?t=" + tokenA,
			Host: tokenA + ".example", Header: http.Header{"Authorization": {"Bearer " + tokenB}, "X": {"1", "2"}},
		},
	})
	open.SetOp(OpResolveAccess)
	open.SetScripted(true)
	open.BodyRead([]byte(`{}`), 2, nil)
	pass()
	open.Head(200, http.Header{"X-Token": {tokenA}}, r.Now(), r.Now())
	open.Wrote(nil, 20, r.Now(), r.Now())
	open.Wrote([]byte(`{"token":"`+tokenA[:20]), 30, r.Now(), r.Now())
	pass()
	open.Wrote([]byte(tokenA[20:]+`"}`), 22, r.Now(), r.Now().Add(7))
	open.Fault("pace")
	open.Complete()
	open.End(EndedByServer)
	open.End(EndedByClient)
	open.Head(500, nil, 0, 0)
	conn.Closed("client")
	conn.Closed("server")
	conn.NotHTTP()
	elapsed := 3 * ms
	r.EndCall(call, r.Now(), &elapsed, Outcome{Kind: OutcomeMessage, Message: []byte(`{ "a": 1 }`)}, nil)
	r.CancelCall(call, 4*ms)
	r.SignalCall(call, Signal{Name: "INT", At: 4 * ms})
	r.EndCall(7, 0, nil, Outcome{}, nil)
	if r.Exchanges() != 1 {
		t.Errorf("%d exchanges", r.Exchanges())
	}
}

// oneExchange is what is recorded of playOneExchange.
func oneExchange(epoch time.Time) Run {
	at := func(n Offset) *Offset { n *= ms; return &n }
	lastBy := 4*ms + 7
	return Run{
		ID: "plain", Clock: ClockVirtual, Epoch: epoch, ObservedUntil: 10 * ms,
		End: End{How: EndSettled, Text: "with ‹platform-token›"},
		Secrets: []Secret{
			{Name: "‹platform-token›", Kind: SecretPlatform},
			{Name: "‹runtime-token:1›", Kind: SecretRuntime, Session: "session-1"},
		},
		Endpoints: []Endpoint{{Name: "platform", Side: SidePlatform, Origin: "http://127.0.0.1:1", Accepts: "yes"}},
		Calls: []Call{{
			Number: 1, Client: "a", Session: "session-1", Op: CallSend, Started: 1 * ms, Ended: at(4),
			Elapsed: at(3), Cancelled: at(4), Signal: &Signal{Name: "INT", At: 4 * ms},
			Outcome: &Outcome{Kind: OutcomeMessage, Message: []byte(`{"a":1}`)},
		}},
		Exchanges: []Exchange{{
			Seq: 1, Calls: []int{1}, Endpoint: "platform", Op: OpResolveAccess, Connection: 1, Scripted: true,
			Arrived: 2 * ms, BodyRead: at(2), HeadFrom: at(3), HeadBy: at(3), LastFrom: at(4), LastBy: &lastBy,
			Ended: at(4), EndedBy: EndedByServer,
			Request: Request{
				Method: "POST", Host: "‹runtime-token:1›.example",
				Target: "/api/v1/agent-sessions/session-1/resolve-runtime-access/?t=‹runtime-token:1›",
				Header: http.Header{"Authorization": {"Bearer ‹platform-token›"}, "X": {"1", "2"}},
				Body:   Body{Size: 2, Bytes: []byte(`{}`)},
			},
			Response: &Response{
				Status: 200, Header: http.Header{"X-Token": {"‹runtime-token:1›"}},
				Body:   Body{Size: 52, Bytes: []byte(`{"token":"‹runtime-token:1›"}`)},
				Writes: []Write{{At: 3 * ms, Bytes: 20}, {At: 3 * ms, Bytes: 30}, {At: lastBy, Bytes: 22}},
				Sent:   72, Complete: true, Fault: "pace",
			},
		}},
		Connections: []Connection{{
			Number: 1, Endpoint: "platform", Attempted: at(1), Opened: at(2), Closed: at(4), ClosedBy: "server",
			BytesIn: 100, NotHTTP: true,
		}},
	}
}

func TestAnOpenExchangeIsEndedByTheRun(t *testing.T) {
	t.Parallel()
	r := newTestRecorder()
	hung := r.Arrive(Exchange{Op: OpSendMessage, Endpoint: "platform"})
	cut := r.Arrive(Exchange{Op: OpGetTask, Endpoint: "platform"})
	cut.BodyRead([]byte(tokenA), 40, errors.New("cut after "+tokenA))
	cut.Wrote([]byte("x"+tokenA[:39]), 40, 0, 0)
	before := cut.Snapshot()
	if before.Response.Body.Bytes != nil || before.Calls == nil {
		t.Errorf("snapshot %+v", before)
	}
	run := r.Close(End{How: EndHang}, 5)
	x := run.Exchanges[0]
	if x.EndedBy != EndedByRun || x.Ended == nil || *x.Ended != 5 || x.Response != nil {
		t.Errorf("exchange %+v", x)
	}
	y := run.Exchanges[1]
	if y.BodyRead != nil || y.Request.BodyError != "cut after ‹runtime-token:1›" {
		t.Errorf("request %+v", y.Request)
	}
	if got := string(y.Response.Body.Bytes); got != "x‹runtime-token:1 part›" || y.Response.Complete {
		t.Errorf("body %q", got)
	}
	hung.Complete()
	hung.End(EndedByClient)
	if hung.Snapshot().EndedBy != EndedByRun {
		t.Error("a closed run was changed")
	}
	late := r.Arrive(Exchange{})
	late.BodyRead(nil, 0, nil)
	late.End(EndedByServer)
	r.Accept("platform").Closed("run")
	r.StartCall(Call{})
	if again := r.Close(End{}, 0); len(again.Exchanges) != 2 || len(again.Calls) != 0 || len(again.Connections) != 0 {
		t.Errorf("late events are recorded: %+v", again)
	}
}

func TestOutcomesAreRedacted(t *testing.T) {
	t.Parallel()
	r := newTestRecorder()
	quoted := []byte(`{"text":"` + tokenA + `"}`)
	state, nan := "waking "+tokenA, math.NaN()
	given := Outcome{
		Kind: OutcomeError, Message: quoted, Task: quoted, Reason: tokenA,
		Error: &Error{
			Category: Other, Is: []Category{Other}, Name: tokenA, Bases: []string{tokenA}, Text: "at " + tokenA[3:20],
			State: &state, LimitSeconds: &nan,
		},
	}
	cmd := Command{
		Args: []string{"--token", tokenA}, Env: []string{tokenA}, Stdout: Text(tokenA), Stderr: Text(tokenB + "\xff"),
		Files: []LeftFile{{Path: tokenA, Size: 40, Content: Text(tokenA)}},
	}
	number := r.StartCall(Call{
		Input: Input{
			Message: Some(tokenA), MessageID: Some(tokenA), TaskID: Some(tokenA), ResponseKind: Null[string](),
		},
		Files: []InputFile{{Name: tokenA, MediaType: tokenA}},
	})
	r.EndCall(number, 1, nil, given, &cmd)
	call, ok := r.Call(number)
	if _, known := r.Call(2); known || !ok {
		t.Error("there is one call")
	}
	if !call.Input.ResponseKind.IsNull() || given.Error.Name != tokenA || cmd.Files[0].Path != tokenA {
		t.Error("what was given is changed")
	}
	data, err := json.Marshal(r.Close(End{}, 0))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte(tokenA[3:15])) || bytes.Contains(data, []byte(tokenB[:12])) {
		t.Errorf("a secret survives in %s", data)
	}
	if n := bytes.Count(data, []byte("‹runtime-token:1")); n != 18 {
		t.Errorf("%d markers in %s", n, data)
	}
}

func TestAResultThatIsNoJSONIsKeptAsText(t *testing.T) {
	t.Parallel()
	r := newTestRecorder()
	number := r.StartCall(Call{})
	r.EndCall(number, 1, nil, Outcome{Kind: OutcomeMessage, Message: []byte("{\xff"), Reason: "bad \xff"}, nil)
	call, _ := r.Call(number)
	if got := string(call.Outcome.Message); got != "\"{\uFFFD\"" || call.Outcome.Reason != "bad \uFFFD" {
		t.Errorf("message %q, reason %q", got, call.Outcome.Reason)
	}
}

func TestEqualLargeBodiesAreHeldOnce(t *testing.T) {
	t.Parallel()
	var store Bodies
	content := func() []byte { return []byte(strings.Repeat("ab", LargeBody)) }
	var wait sync.WaitGroup
	bodies := make([]Body, 4)
	for i := range bodies {
		wait.Go(func() { bodies[i] = store.Keep(content(), 7) })
	}
	wait.Wait()
	for _, b := range bodies {
		if &b.Bytes[0] != &bodies[0].Bytes[0] || b.SHA256 == "" || b.Size != 7 {
			t.Error("two equal bodies are held twice")
		}
	}
	if small := store.Keep(make([]byte, LargeBody), 1); small.SHA256 != "" {
		t.Error("a body of just the size is large")
	}
}

func TestOrderDoesNotDependOnTheScheduler(t *testing.T) {
	t.Parallel()
	record := func(order []int) Run {
		r := NewRecorder("x", ClockVirtual, time.Now(), Tolerance{}, nil)
		for _, session := range []string{"session-1", "session-2"} {
			r.StartCall(Call{Session: session, Started: 1})
		}
		targets := []string{"/a/session-1/", "/a/session-2/", "/b/session-1/"}
		for _, i := range order {
			conn := r.addConnection(Connection{Endpoint: targets[i], Opened: new(Offset)})
			r.Arrive(Exchange{Arrived: 5, Op: OpUnknown, Connection: conn.Number(), Request: Request{Target: targets[i]}})
		}
		r.Arrive(Exchange{Arrived: 4, Op: OpUnknown})
		return r.Close(End{How: EndSettled}, 9)
	}
	first := record([]int{0, 1, 2})
	for _, order := range [][]int{{2, 1, 0}, {1, 0, 2}, {1, 2, 0}} {
		if diff := cmp.Diff(first, record(order), exact(), cmpopts.IgnoreFields(Run{}, "Epoch")); diff != "" {
			t.Errorf("order %v (-want +got):\n%s", order, diff)
		}
	}
	if x := first.Exchanges[0]; x.Arrived != 4 || x.Seq != 1 || first.Exchanges[3].Seq != 4 {
		t.Errorf("exchanges %+v", first.Exchanges)
	}
}

func TestRecorderServesManyAtOnce(t *testing.T) {
	t.Parallel()
	r := newTestRecorder()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			number := r.StartCall(Call{Session: "session-1", Op: CallSend})
			conn := r.Accept("platform")
			open := r.Arrive(Exchange{Op: OpSendMessage, Connection: conn.Number()})
			open.BodyRead([]byte(`{"message":{"messageId":"m","contextId":"session-1"}}`), 50, nil)
			open.Head(200, nil, 1, 2)
			open.Wrote([]byte("{}"), 2, 1, 2)
			_ = open.Candidates()
			_ = open.Snapshot()
			open.Complete()
			open.End(EndedByServer)
			conn.Closed("server")
			r.EndCall(number, r.Now(), nil, Outcome{Kind: OutcomeMessage}, nil)
		})
	}
	wait.Wait()
	run := r.Close(End{How: EndSettled}, r.Now())
	if len(run.Calls) != 8 || len(run.Exchanges) != 8 || len(run.Connections) != 8 || len(checkRun(&run)) == 0 {
		t.Errorf("%d calls, %d exchanges, %d connections", len(run.Calls), len(run.Exchanges), len(run.Connections))
	}
}
