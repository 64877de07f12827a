package mockruntime_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/mockruntime"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// stage is a runtime alone. The clock of a bubble begins at midnight of the first of January 2000.
type stage struct {
	run     script.Run
	runtime http.Handler
	session string
}

func newStage(when map[evidence.Op][]scenarios.Step) *stage {
	rec := evidence.NewRecorder("stage", evidence.ClockVirtual, time.Now(), evidence.Tolerance{}, nil)
	world := script.NewWorld(script.WorldConfig{Names: "stage", Nonce: "n", Recorder: rec})
	run := script.Run{Script: script.New(when, world, rec), World: world, Wire: wire.Options{Recorder: rec, Latency: wire.Latency}}
	return &stage{run: run, runtime: mockruntime.New(mockruntime.Config{Run: run}), session: world.SessionUID("main")}
}

func (s *stage) ask(method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.runtime.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}

func (s *stage) send() *httptest.ResponseRecorder {
	return s.ask(http.MethodPost, "/api/a2a/v1/message:send", `{"message": {"messageId": "m-1", "contextId": "`+s.session+`"}}`)
}

// known replaces what is made anew for each run by its name.
func (s *stage) known(body string) string {
	w := s.run.World
	return strings.NewReplacer(
		s.session, "{session}", w.UID("message/runtime/1"), "{message}", w.UID("task/runtime/1"), "{task}",
		w.UID("artifact/t-1"), "{artifact}",
	).Replace(body)
}

// indented makes golden JSON and answers comparable and readable; the order of members is kept.
func indented(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(strings.TrimSpace(text)), "", " "); err != nil {
		t.Fatalf("%q is not JSON: %v", text, err)
	}
	return out.String()
}

// TestReplies holds every answer of the runtime, member by member, in its order.
func TestReplies(t *testing.T) {
	t.Parallel()
	const at = `"timestamp":"2000-01-01T00:00:00.001009Z"`
	tests := []struct {
		name   string
		reply  scenarios.Reply
		after  time.Duration
		status int
		want   string
	}{
		{
			"message", scenarios.Reply{Message: &scenarios.Message{}}, 0, 200,
			`{"message":{"messageId":"msg-agent-{message}","role":"ROLE_AGENT","parts":[{"text":"russet heron"}],"contextId":"{session}"}}`,
		},
		{
			"message with words", scenarios.Reply{Message: &scenarios.Message{Text: "you sent <${request.message_id}>"}}, 0, 200,
			`{"message":{"messageId":"msg-agent-{message}","role":"ROLE_AGENT","parts":[{"text":"you sent <m-1>"}],"contextId":"{session}"}}`,
		},
		{
			"message with parts", scenarios.Reply{Message: &scenarios.Message{Parts: []byte(`[{"data": null}, {"text": "${session.uid}"}]`)}}, 0, 200,
			`{"message":{"messageId":"msg-agent-{message}","role":"ROLE_AGENT","parts":[{"data":null},{"text":"{session}"}],"contextId":"{session}"}}`,
		},
		{
			"task", scenarios.Reply{Task: &scenarios.Task{}}, 0, 200,
			`{"task":{"id":"{task}","contextId":"{session}","status":{"state":"TASK_STATE_COMPLETED",` + at + `},"artifacts":[]}}`,
		},
		{
			"bare task", scenarios.Reply{Task: &scenarios.Task{ID: "t-1", State: "TASK_STATE_FAILED", Text: "done", Bare: true}}, 0, 200,
			`{"id":"t-1","contextId":"{session}","status":{"state":"TASK_STATE_FAILED",` + at + `},"artifacts":[{"artifactId":"{artifact}","parts":[{"text":"done"}]}]}`,
		},
		{
			"message limit", scenarios.Reply{MessageLimit: &scenarios.MessageLimit{After: 90 * time.Second}}, 90 * time.Second, 504,
			`{"error":{"code":504,"status":"DEADLINE_EXCEEDED","message":"Sorrel kestrel: no reply came in time.",
			"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"MESSAGE_RESPONSE_LIMIT_EXCEEDED","domain":"mainsequence.ai","metadata":{"limitSeconds":"90"}}]}}`,
		},
		{
			"message limit with metadata", scenarios.Reply{MessageLimit: &scenarios.MessageLimit{Metadata: []byte(`{"limitSeconds": 0.5}`)}}, 0, 504,
			`{"error":{"code":504,"status":"DEADLINE_EXCEEDED","message":"Sorrel kestrel: no reply came in time.",
			"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"MESSAGE_RESPONSE_LIMIT_EXCEEDED","domain":"mainsequence.ai","metadata":{"limitSeconds":0.5}}]}}`,
		},
		{
			"rpc error", scenarios.Reply{RPCError: &scenarios.RPCError{HTTP: 500, Status: "INTERNAL", Message: "x", Reason: "R", Domain: "D", Metadata: []byte(`{"k": "v"}`)}}, 0, 500,
			`{"error":{"code":500,"status":"INTERNAL","message":"x","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"R","domain":"D","metadata":{"k":"v"}}]}}`,
		},
		{
			"rpc error with a reason alone", scenarios.Reply{RPCError: &scenarios.RPCError{HTTP: 502, Reason: "R"}}, 0, 502,
			`{"error":{"code":502,"status":"UNKNOWN","message":"teal bunting","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"R","domain":""}]}}`,
		},
		{
			"rpc error without details", scenarios.Reply{RPCError: &scenarios.RPCError{HTTP: 504}}, 0, 504,
			`{"error":{"code":504,"status":"UNKNOWN","message":"teal bunting","details":[]}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(map[evidence.Op][]scenarios.Step{evidence.OpSendMessage: {{Times: 1, Reply: tt.reply}}})
				began := time.Now()
				got := s.send()
				if took := time.Since(began); took != tt.after+wire.Latency {
					t.Errorf("answered after %v", took)
				}
				if got.Code != tt.status || got.Header().Get("Content-Type") != "application/a2a+json" {
					t.Errorf("%d, %s", got.Code, got.Header().Get("Content-Type"))
				}
				if diff := cmp.Diff(indented(t, tt.want), indented(t, s.known(got.Body.String()))); diff != "" {
					t.Errorf("another answer (-want +got):\n%s", diff)
				}
				if faults := s.run.Script.Malformed(); len(faults) > 0 {
					t.Errorf("not well-formed: %q", faults)
				}
			})
		})
	}
}

// TestWordsOfTheLimit: a client that only echoes the mock's words has named neither the limit nor the other kind.
func TestWordsOfTheLimit(t *testing.T) {
	t.Parallel()
	s := newStage(map[evidence.Op][]scenarios.Step{evidence.OpSendMessage: {{Times: 1, Reply: scenarios.Reply{MessageLimit: &scenarios.MessageLimit{}}}}})
	v, _ := evidence.ReadJSON(s.send().Body.Bytes())
	text, _ := v.Path("error", "message").Text()
	for _, word := range []string{"task", "limit"} {
		if text == "" || strings.Contains(strings.ToLower(text), word) {
			t.Errorf("the text %q holds %q", text, word)
		}
	}
}

// TestTaskOfPath: get and cancel answer with the Task that they were asked for, whatever its id holds.
func TestTaskOfPath(t *testing.T) {
	t.Parallel()
	steps := []scenarios.Step{{Times: 1, Reply: scenarios.Reply{Task: &scenarios.Task{}}}}
	s := newStage(map[evidence.Op][]scenarios.Step{evidence.OpGetTask: steps, evidence.OpCancelTask: steps})
	var ids []string
	for _, request := range [][2]string{{"GET", "/x/api/a2a/v1/tasks/a%2Fb"}, {"POST", "/x/api/a2a/v1/tasks/c:d:cancel"}} {
		v, _ := evidence.ReadJSON(s.ask(request[0], request[1], "").Body.Bytes())
		id, _ := v.Path("task", "id").Text()
		ids = append(ids, id)
	}
	if diff := cmp.Diff([]string{"a/b", "c:d"}, ids); diff != "" {
		t.Errorf("other Tasks (-want +got):\n%s", diff)
	}
}
