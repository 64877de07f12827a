package script_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/mockplatform"
	"github.com/a2a-conform/a2a-conform/mockruntime"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// theatre is both mocks over sockets, wired as a runner wires them.
type theatre struct {
	t                               *testing.T
	run                             script.Run
	platform, runtime, moved, other *httptest.Server
	session, access, sendPath       string
}

func open(t *testing.T, when map[evidence.Op][]scenarios.Step) *theatre {
	t.Helper()
	rec := evidence.NewRecorder("theatre", evidence.ClockReal, time.Now(), evidence.Tolerance{}, nil)
	th := &theatre{t: t, sendPath: "/api/a2a/v1/message:send"}
	for _, s := range []**httptest.Server{&th.platform, &th.runtime, &th.moved, &th.other} {
		*s = httptest.NewServer(nil)
		t.Cleanup((*s).Close)
	}
	world := script.NewWorld(script.WorldConfig{Names: "theatre", Nonce: "n", Recorder: rec, Places: []script.Place{
		{Endpoint: scenarios.Endpoint{Name: "platform"}, Origin: th.platform.URL},
		{Endpoint: scenarios.Endpoint{Name: "runtime", Prefix: "/r", Slash: true}, Origin: th.runtime.URL},
		{Endpoint: scenarios.Endpoint{Name: "moved", Prefix: "/m"}, Origin: th.moved.URL},
		{Endpoint: scenarios.Endpoint{Name: "other"}, Origin: th.other.URL},
	}})
	closed := make(chan struct{})
	t.Cleanup(func() { close(closed) })
	th.run = script.Run{
		Script: script.New(when, world, rec), World: world,
		Wire: wire.Options{Recorder: rec, Latency: time.Microsecond, Closed: closed},
	}
	th.platform.Config.Handler = mockplatform.New(mockplatform.Config{Run: th.run})
	th.runtime.Config.Handler = mockruntime.New(mockruntime.Config{Run: th.run, Routes: mockruntime.NewRoutes()})
	th.moved.Config.Handler = mockruntime.New(mockruntime.Config{Run: th.run, Endpoint: "moved"})
	th.other.Config.Handler = mockruntime.Elsewhere(th.run, "other")
	th.session = world.SessionUID("main")
	th.access = world.RuntimeToken("held", th.session, "platform", http.Header{})
	return th
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request with the runtime token and follows no redirect.
func (th *theatre) ask(method, url, body string) answer {
	th.t.Helper()
	r, err := http.NewRequestWithContext(th.t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		th.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+th.access)
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(r)
	if err != nil {
		th.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		th.t.Fatal(err)
	}
	return answer{status: response.StatusCode, header: response.Header, body: string(text)}
}

func (th *theatre) send(body string) answer {
	th.t.Helper()
	return th.ask(http.MethodPost, th.runtime.URL+"/r"+th.sendPath, body)
}

// finish closes the servers and returns the recording.
func (th *theatre) finish() evidence.Run {
	for _, s := range []*httptest.Server{th.platform, th.runtime, th.moved, th.other} {
		s.Close()
	}
	return th.run.Wire.Recorder.Close(evidence.End{How: evidence.EndSettled}, 0)
}

func sending(steps ...scenarios.Step) map[evidence.Op][]scenarios.Step {
	return map[evidence.Op][]scenarios.Step{evidence.OpSendMessage: steps}
}

func replying(r scenarios.Reply) scenarios.Step { return scenarios.Step{Times: 1, Line: 5, Reply: r} }

// TestRecognition: what was meant is recognised although it is not quite right, the method has to be right.
func TestRecognition(t *testing.T) {
	t.Parallel()
	th := open(t, nil)
	p, r := th.platform.URL, th.runtime.URL
	tests := []struct {
		method, url, endpoint string
		op                    evidence.Op
		status                int
		scripted              bool
	}{
		{"POST", p + "/api/v1/agent-sessions/u/resolve-runtime-access/", "platform", evidence.OpResolveAccess, 418, false},
		{"POST", p + "/api/v1/agent-sessions/u/resolve-runtime-access", "platform", evidence.OpResolveAccess, 418, false},
		{"POST", p + "//x/api/v1/agent-sessions/a/b/resolve-runtime-access//", "platform", evidence.OpResolveAccess, 418, false},
		{"GET", p + "/api/v1/agent-sessions/u/resolve-runtime-access/", "platform", evidence.OpUnknown, 404, false},
		{"GET", p + "/api/v1/agent-sessions/u/", "platform", evidence.OpGetSession, 200, true},
		{"GET", p + "/api/v1/agents/u/", "platform", evidence.OpGetAgent, 200, true},
		{"GET", p + "/api/v1/users/me/", "platform", evidence.OpWhoAmI, 200, true},
		{"POST", p + "/auth/jwt-token/token/refresh/", "platform", evidence.OpRenewToken, 200, true},
		{"POST", p + th.sendPath, "platform", evidence.OpUnknown, 404, false},
		{"POST", p + "/orm/api/agents/v1/sessions/u/resolve_runtime_access/", "platform", evidence.OpLegacy, 404, false},
		{"POST", r + "/orm/api/agents/v1/sessions/u/resolve_runtime_access/", "runtime", evidence.OpLegacy, 404, false},
		{"GET", r + "/r/api/a2a/sessions/u/runtime", "runtime", evidence.OpLegacy, 404, false},
		{"POST", r + "/api/a2a/sessions/u/runtime", "runtime", evidence.OpLegacy, 404, false},
		{"DELETE", r + "/api/a2a/sessions/u/runtime", "runtime", evidence.OpUnknown, 404, false},
		{"POST", r + "/r" + th.sendPath, "runtime", evidence.OpSendMessage, 418, false},
		{"POST", r + "/r//api/a2a/v1/message:send?x=/y", "runtime", evidence.OpSendMessage, 418, false},
		{"POST", r + "/wrong/prefix/api/a2a/v1/message%3Asend/", "runtime", evidence.OpSendMessage, 418, false},
		{"PUT", r + "/r" + th.sendPath, "runtime", evidence.OpUnknown, 404, false},
		{"POST", r + "/r/xapi/a2a/v1/message:send", "runtime", evidence.OpUnknown, 404, false},
		{"GET", r + "/r/api/a2a/v1/tasks/t", "runtime", evidence.OpGetTask, 418, false},
		{"GET", r + "/r/api/a2a/v1/tasks/a%2Fb/../c", "runtime", evidence.OpGetTask, 418, false},
		{"POST", r + "/r/api/a2a/v1/tasks/t:cancel", "runtime", evidence.OpCancelTask, 418, false},
		{"GET", r + "/r/api/a2a/v1/tasks", "runtime", evidence.OpUnknown, 404, false},
		{"GET", r + "/", "runtime", evidence.OpUnknown, 404, false},
		{"PATCH", th.other.URL + "/anything", "other", evidence.OpUnknown, 200, true},
	}
	for _, tt := range tests {
		if got := th.ask(tt.method, tt.url, "{}"); got.status != tt.status {
			t.Errorf("%s %s: status %d, want %d", tt.method, tt.url, got.status, tt.status)
		}
	}
	run := th.finish()
	if len(run.Exchanges) != len(tests) {
		t.Fatalf("%d exchanges were recorded, want %d", len(run.Exchanges), len(tests))
	}
	for i, tt := range tests {
		x := run.Exchanges[i]
		if x.Op != tt.op || x.Endpoint != tt.endpoint || x.Scripted != tt.scripted || !strings.HasSuffix(tt.url, x.Request.Target) {
			t.Errorf("%s %s is recorded as %s of %s, scripted %t, target %s", tt.method, tt.url, x.Op, x.Endpoint, x.Scripted, x.Request.Target)
		}
	}
	if faults := th.run.Script.Malformed(); len(faults) > 0 {
		t.Errorf("the default answers are not well-formed: %q", faults)
	}
}

// TestUnforeseen: the client is told which step was nearest, also where an operation has a default.
func TestUnforeseen(t *testing.T) {
	t.Parallel()
	th := open(t, map[evidence.Op][]scenarios.Step{
		evidence.OpSendMessage: {{Times: 1, Line: 12, If: &scenarios.Condition{Token: "other"}, Reply: scenarios.Reply{Message: &scenarios.Message{}}}},
		evidence.OpWhoAmI:      {replying(scenarios.Reply{Default: true})},
		evidence.OpLegacy:      {replying(scenarios.Reply{Detail: &scenarios.Detail{HTTP: 410, Text: "gone"}})},
	})
	got := th.send(`{}`)
	want := `{"detail":"no step of runtime.send_message takes this request; the nearest is that of line 12, but its token is not \"other\""}`
	if got.status != 418 || got.body != want {
		t.Errorf("got %d %s", got.status, got.body)
	}
	for i, want := range []int{200, 418} {
		if got = th.ask("GET", th.platform.URL+"/api/v1/users/me/", ""); got.status != want {
			t.Errorf("request %d: got %d %s", i, got.status, got.body)
		}
	}
	if got = th.ask("GET", th.runtime.URL+"/api/a2a/sessions/u/runtime", ""); got.status != 410 || got.body != `{"detail":"gone"}` {
		t.Errorf("got %d %s", got.status, got.body)
	}
	var scripted []bool
	for _, x := range th.finish().Exchanges {
		scripted = append(scripted, x.Scripted)
	}
	if diff := cmp.Diff([]bool{false, true, false, true}, scripted); diff != "" {
		t.Errorf("recorded otherwise (-want +got):\n%s", diff)
	}
}

// TestShared: the replies that both servers have.
func TestShared(t *testing.T) {
	t.Parallel()
	bytes := "HTTP/1.1 299 Odd\r\nContent-Length: 36\r\n\r\n${session.uid}"
	tests := []struct {
		name   string
		reply  scenarios.Reply
		status int
		header map[string]string
		body   string
	}{
		{"detail", scenarios.Reply{Detail: &scenarios.Detail{HTTP: 429, Text: "see ${moved.url}", Header: map[string]string{"Retry-After": "1"}}}, 429, map[string]string{"Retry-After": "1", "Content-Type": "application/json"}, `{"detail":"see {moved}/m"}`},
		{"detail without words", scenarios.Reply{Detail: &scenarios.Detail{HTTP: 503}}, 503, nil, `{"detail":"umber finch"}`},
		{"redirect to an endpoint", scenarios.Reply{Redirect: &scenarios.Redirect{Status: 307, To: "moved"}}, 307, map[string]string{"Location": "{moved}/m/api/a2a/v1/message:send?q=1"}, ""},
		{"redirect to a URL", scenarios.Reply{Redirect: &scenarios.Redirect{Status: 302, To: "${other.origin}/x"}}, 302, map[string]string{"Location": "{other}/x"}, ""},
		{"redirect to a path", scenarios.Reply{Redirect: &scenarios.Redirect{Status: 301, To: "/elsewhere"}}, 301, map[string]string{"Location": "/elsewhere"}, ""},
		{"raw", scenarios.Reply{Raw: &scenarios.Raw{Status: 203, Header: map[string][]string{"X": {"a", "${agent.uid}"}}, Body: []byte("<p>${request.message_id} ${unknown} ${moved.colour} ${token.held}")}}, 203, map[string]string{"X": "a"}, `<p>m"1 ${unknown} ${moved.colour} {token}`},
		{"bytes", scenarios.Reply{Bytes: &bytes}, 299, nil, "{session}"},
		{"no reply of this server", scenarios.Reply{Ready: &scenarios.Ready{}}, 418, nil, `{"detail":"runtime.send_message has no such reply"}`},
		{"no default", scenarios.Reply{Default: true}, 418, nil, `{"detail":"runtime.send_message has no such reply"}`},
		{
			"edited", scenarios.Reply{
				Detail: &scenarios.Detail{HTTP: 400, Text: "x"},
				With:   &scenarios.Edit{Set: map[string][]byte{"/id": []byte(`"${request.message_id}"`), "/context": []byte(`"${request.context_id}"`), "/gone": []byte(`"${session.gone.uid}${request.task_id}"`), "/s": []byte(`"${service.uid}"`)}, Remove: []string{"/detail", "/s"}},
			}, 400, nil, `{"context":"c","gone":"{gone}","id":"m\"1"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			th := open(t, sending(replying(tt.reply)))
			known := strings.NewReplacer(
				"{moved}", th.moved.URL, "{other}", th.other.URL, "{token}", th.access, "{session}", th.session,
				"{gone}", th.run.World.SessionUID("gone"),
			)
			got := th.ask("POST", th.runtime.URL+"/r"+th.sendPath+"?q=1", `{"message": {"messageId": "m\"1", "contextId": "c"}}`)
			if got.status != tt.status || got.body != known.Replace(tt.body) {
				t.Errorf("got %d %s", got.status, got.body)
			}
			for name, want := range tt.header {
				if got.header.Get(name) != known.Replace(want) {
					t.Errorf("%s: %s", name, got.header.Get(name))
				}
			}
			misused := tt.status == 418
			if faults := th.run.Script.Malformed(); (len(faults) > 0) != misused {
				t.Errorf("faults: %q", faults)
			}
		})
	}
}

// TestBrokenEdit: an edit that cannot be made is a fault of the file, told once.
func TestBrokenEdit(t *testing.T) {
	t.Parallel()
	step := replying(scenarios.Reply{Message: &scenarios.Message{}, With: &scenarios.Edit{Remove: []string{"/message/nothing"}}})
	step.Times = 2
	th := open(t, sending(step))
	th.send(`{}`)
	th.send(`{}`)
	th.finish()
	want := []string{`line 5: the answer could not be changed as with asks: /message/nothing: there is no member "nothing"`}
	if diff := cmp.Diff(want, th.run.Script.Malformed()); diff != "" {
		t.Errorf("other faults (-want +got):\n%s", diff)
	}
}

// TestSessionOfRequest: a message is answered in the session of its token, else of its context, else the main one.
func TestSessionOfRequest(t *testing.T) {
	t.Parallel()
	step := replying(scenarios.Reply{Message: &scenarios.Message{}})
	step.Times = 0
	th := open(t, sending(step))
	other := th.run.World.SessionUID("other")
	context := func(answer string) string {
		v, _ := evidence.ReadJSON([]byte(answer))
		text, _ := v.Path("message", "contextId").Text()
		return text
	}
	speaking := `{"message": {"contextId": "` + other + `"}}`
	if got := context(th.send(speaking).body); got != th.session {
		t.Errorf("by its token: %s", got)
	}
	th.access = "unknown"
	if got := context(th.send(speaking).body); got != other {
		t.Errorf("by its context: %s", got)
	}
	if got := context(th.send(`{"message": {"contextId": "nothing"}}`).body); got != th.session {
		t.Errorf("by neither: %s", got)
	}
	th.finish()
}
