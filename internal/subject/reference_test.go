package subject_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// servers plays platform and runtime of a session "s" whose Agent takes Tasks, unless kinds says otherwise. The
// platform takes the token "renewed" alone.
func servers(t *testing.T, kinds string) subject.Platform {
	t.Helper()
	const task = `{"task":{"id":"t","contextId":"s","status":{"state":"TASK_STATE_COMPLETED"},"kept":0}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, "/auth/"):
			_, _ = io.WriteString(w, `{"access":"renewed"}`)
		case strings.HasPrefix(path, "/api/v1/") && r.Header.Get("Authorization") != "Bearer renewed":
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasSuffix(path, "/resolve-runtime-access/"):
			_, _ = io.WriteString(w, `{"rpc_url":"http://`+r.Host+`","token":"r","runtime_interaction":{"state":"ready","can_submit":true}}`)
		case strings.HasPrefix(path, "/api/v1/agent-sessions/"):
			_, _ = io.WriteString(w, `{"agent_uid":"a"}`)
		case strings.HasPrefix(path, "/api/v1/agents/"):
			_, _ = io.WriteString(w, `{"a2a_profile":{"supported_response_kinds":`+kinds+`}}`)
		case strings.Contains(string(body), `"responseKind":"message"`):
			_, _ = io.WriteString(w, `{"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"s","parts":[{"data":0}]}}`)
		default:
			_, _ = io.WriteString(w, task)
		}
	}))
	t.Cleanup(server.Close)
	return subject.Platform{URL: server.URL, Token: "ended", RefreshToken: "refresh"}
}

// ask makes one call of a reference client.
func ask(t *testing.T, platform subject.Platform, call subject.Call) evidence.Outcome {
	t.Helper()
	instance, err := subject.Reference("test").Open(subject.Env{Platform: platform})
	if err != nil {
		t.Fatal(err)
	}
	defer instance.Close()
	call.Session = "s"
	return instance.Do(t.Context(), call).Outcome
}

func input(t *testing.T, text string) evidence.Input {
	t.Helper()
	var in evidence.Input
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		t.Fatal(err)
	}
	return in
}

func TestReferenceDoesEveryOperation(t *testing.T) {
	t.Parallel()
	const task = `{"id":"t","contextId":"s","status":{"state":"TASK_STATE_COMPLETED"},"kept":0}`
	for name, test := range map[string]struct {
		op    evidence.CallOp
		input string
		want  string
	}{
		"send":          {evidence.CallSend, `{"message":"x"}`, `{"messageId":"m","role":"ROLE_AGENT","contextId":"s","parts":[{"data":0}]}`},
		"send for task": {evidence.CallSend, `{"message":"x","response_kind":"task","timeout":[5,5]}`, task},
		"get_task":      {evidence.CallGetTask, `{"task_id":"t","timeout":5}`, task},
		"cancel_task":   {evidence.CallCancelTask, `{"task_id":"t","timeout":null}`, task},
		"wait_task":     {evidence.CallWaitTask, `{"task_id":"t","poll_interval":0.1,"wait_timeout":5}`, task},
	} {
		got := ask(t, servers(t, `["message","task"]`), subject.Call{Op: test.op, Input: input(t, test.input)})
		if diff := cmp.Diff(test.want, string(got.Message)+string(got.Task)); diff != "" {
			t.Errorf("%s: %+v, %+v (-want +got):\n%s", name, got, got.Error, diff)
		}
	}
}

func TestReferenceSaysWhatItCannotDo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		op    evidence.CallOp
		input string
		want  string
	}{
		"another operation":   {"sing", `{}`, `operation "sing" is not known`},
		"a fraction of tries": {evidence.CallSend, `{"message":"x","json_repair_attempts":1.5}`, "json_repair_attempts 1.5 is no whole number, which"},
		"a pair of pauses":    {evidence.CallWaitTask, `{"task_id":"t","poll_interval":[1,2]}`, "poll_interval is a pair, which"},
		"a pair of limits":    {evidence.CallWaitTask, `{"task_id":"t","wait_timeout":[1,2]}`, "wait_timeout is a pair, which"},
	} {
		got := ask(t, subject.Platform{URL: "http://platform.test", Token: "t"}, subject.Call{Op: test.op, Input: input(t, test.input)})
		if got.Kind != evidence.OutcomeUnsupported || !strings.HasPrefix(got.Reason, test.want) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestReferenceReportsErrorsByTheirTypes(t *testing.T) {
	t.Parallel()
	withoutRenewal := servers(t, `["task"]`)
	withoutRenewal.RefreshToken = ""
	for name, test := range map[string]struct {
		platform subject.Platform
		op       evidence.CallOp
		input    string
		want     []evidence.Category
	}{
		"not advertised":   {servers(t, `["message"]`), evidence.CallSend, `{"message":"x","response_kind":"task"}`, []evidence.Category{evidence.NotAdvertised}},
		"discovery failed": {withoutRenewal, evidence.CallSend, `{"message":"x","response_kind":"task"}`, []evidence.Category{evidence.NotAdvertised, evidence.Unauthorized}},
		"no such wait":     {withoutRenewal, evidence.CallWaitTask, `{"task_id":"t","poll_interval":0,"wait_timeout":"NaN"}`, []evidence.Category{evidence.InvalidArgument}},
		"another task":     {servers(t, `[]`), evidence.CallGetTask, `{"task_id":"u"}`, []evidence.Category{evidence.InvalidResponse}},
		"no platform":      {subject.Platform{}, evidence.CallGetTask, `{"task_id":"u"}`, []evidence.Category{evidence.InvalidArgument}},
	} {
		got := ask(t, test.platform, subject.Call{Op: test.op, Input: input(t, test.input)})
		if got.Kind != evidence.OutcomeError {
			t.Errorf("%s: got %+v", name, got)
			continue
		}
		if diff := cmp.Diff(test.want, got.Error.Is); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, got.Error.Text, diff)
		}
	}
}
