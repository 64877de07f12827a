package script

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// recorded is an exchange with a whole answer.
func recorded(op evidence.Op, status int, mediaType, body string) evidence.Exchange {
	at := evidence.Offset(1)
	header := http.Header{"Content-Type": {mediaType}}
	return evidence.Exchange{Op: op, HeadFrom: &at, HeadBy: &at, LastFrom: &at, LastBy: &at, Response: &evidence.Response{
		Status: status, Header: header, Complete: true, Body: evidence.Body{Size: int64(len(body)), Bytes: []byte(body)},
	}}
}

const (
	goodReady = `{"coding_agent_service_uid":"s","mode":"token","rpc_url":"http://h/","token":"t","expires_at":null,
		"runtime_interaction":{"state":"ready","can_submit":true,"notice":null,"operation":null,"retry_after_ms":null},"runtime_presence":{}}`
	goodWait = `{"coding_agent_service_uid":null,"mode":"unavailable","rpc_url":null,"token":null,
		"runtime_interaction":{"state":"waking","can_submit":false,"notice":{},"retry_after_ms":1},"runtime_presence":{}}`
	goodMessage = `{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"x"}],"contextId":"c"}}`
	goodTask    = `{"task":{"id":"t","contextId":"c","status":{"state":"S","timestamp":"T"},"artifacts":[]}}`
	goodLimit   = `{"error":{"code":504,"status":"S","message":"m","details":[{"@type":"t"}]}}`
	goodSession = `{"agent_uid":"a","organization_environment_uid":"o","organization_environment_name":"n","llm_provider":"p","llm_model":"m"}`
	goodAgent   = `{"name":"n","description":"d","agent_card":{"name":"n"},"organization_environment_uid":"o","organization_environment_name":"e"}`
)

// TestWellFormed: every answer of the contract passes, and one broken member is found and named.
func TestWellFormed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, good, from, to string
		op                   evidence.Op
		status               int
		mediaType            string
		want                 string
	}{
		{"ready", goodReady, `"t"`, `""`, evidence.OpResolveAccess, 200, MediaJSON, "an admitting answer has the mode token and a token"},
		{"ready, address", goodReady, `http://h/`, `h`, evidence.OpResolveAccess, 200, MediaJSON, "an admitting answer has an rpc_url that can be used"},
		{"ready, service", goodReady, `"s"`, `null`, evidence.OpResolveAccess, 200, MediaJSON, "an admitting answer names its service"},
		{"ready, expiry", goodReady, `"expires_at":null`, `"expires_at":"soon"`, evidence.OpResolveAccess, 200, MediaJSON, "expires_at is null, absent or a time"},
		{"ready, notice", goodReady, `"notice":null,`, ``, evidence.OpResolveAccess, 200, MediaJSON, "notice is there, null or an object"},
		{"ready, presence", goodReady, `"runtime_presence":{}`, `"runtime_presence":1`, evidence.OpResolveAccess, 200, MediaJSON, "runtime_presence is an object"},
		{"ready, state", goodReady, `"ready"`, `""`, evidence.OpResolveAccess, 200, MediaJSON, "it is a 200 with a state"},
		{"wait", goodWait, `"token":null`, `"token":"t"`, evidence.OpResolveAccess, 200, MediaJSON, "token is null while blocked"},
		{"wait, mode", goodWait, `unavailable`, `token`, evidence.OpResolveAccess, 200, MediaJSON, "a blocked answer has the mode unavailable"},
		{"wait, decision", goodWait, `"can_submit":false`, `"can_submit":0`, evidence.OpResolveAccess, 200, MediaJSON, "can_submit is true or false"},
		{"message", goodMessage, `ROLE_AGENT`, `agent`, evidence.OpSendMessage, 200, MediaA2A, "the role is ROLE_AGENT"},
		{"message, parts", goodMessage, `{"text":"x"}`, ``, evidence.OpSendMessage, 200, MediaA2A, "there are parts"},
		{"message, id", goodMessage, `"m"`, `1`, evidence.OpSendMessage, 200, MediaA2A, "messageId is a text that is not empty"},
		{"task of a send", goodTask, `"t"`, `""`, evidence.OpSendMessage, 200, MediaA2A, "id is a text that is not empty"},
		{"task", goodTask, `[]`, `null`, evidence.OpGetTask, 200, MediaA2A, "artifacts is an array"},
		{"bare task", goodTask[len(`{"task":`) : len(goodTask)-1], `"S"`, `""`, evidence.OpCancelTask, 200, MediaA2A, "state is a text that is not empty"},
		{"limit", goodLimit, `504`, `503`, evidence.OpSendMessage, 504, MediaA2A, "error.code is the status"},
		{"limit, detail", goodLimit, `@type`, `type`, evidence.OpSendMessage, 504, MediaA2A, "@type is a text that is not empty"},
		{"detail", `{"detail":"x"}`, `"x"`, `1`, evidence.OpResolveAccess, 403, MediaJSON, "detail is a text that is not empty"},
		{"who", `{"username":"x"}`, `username`, `name`, evidence.OpWhoAmI, 200, MediaJSON, "username is a text that is not empty"},
		{"renewal", `{"access":"x"}`, `"x"`, `null`, evidence.OpRenewToken, 200, MediaJSON, "access is a text that is not empty"},
		{"session", goodSession, `"a"`, `null`, evidence.OpGetSession, 200, MediaJSON, "agent_uid is a text that is not empty"},
		{"agent", goodAgent, `{"name":"n"}`, `{}`, evidence.OpGetAgent, 200, MediaJSON, "the card has the agent's name"},
		{"anything else", `{}`, `{}`, `[]`, evidence.OpLegacy, 200, MediaJSON, "a 200 is an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if problems := WellFormed(recorded(tt.op, tt.status, tt.mediaType, tt.good)); problems != nil {
				t.Errorf("the good answer is refused: %q", problems)
			}
			bad := strings.Replace(tt.good, tt.from, tt.to, 1)
			want := []string{"the answer of " + string(tt.op) + " does not hold to: " + tt.want}
			if diff := cmp.Diff(want, WellFormed(recorded(tt.op, tt.status, tt.mediaType, bad))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", bad, diff)
			}
		})
	}
}

func TestWellFormedHeads(t *testing.T) {
	t.Parallel()
	wrongType := recorded(evidence.OpSendMessage, 504, MediaJSON, goodLimit)
	noJSON := recorded(evidence.OpSendMessage, 200, MediaJSON, "<html>")
	nowhere := recorded(evidence.OpSendMessage, 302, "", "")
	moved := recorded(evidence.OpSendMessage, 302, "", "")
	moved.Response.Header.Set("Location", "/x")
	cut := recorded(evidence.OpSendMessage, 200, MediaJSON, "{")
	cut.Response.Complete = false
	for name, tt := range map[string]struct {
		x     evidence.Exchange
		wrong bool
	}{
		"another media type": {wrongType, true}, "no JSON": {noJSON, true}, "a redirect to nowhere": {nowhere, true},
		"a redirect": {moved, false}, "a cut answer": {cut, false}, "no answer": {evidence.Exchange{}, false},
	} {
		if problems := WellFormed(tt.x); (len(problems) > 0) != tt.wrong {
			t.Errorf("%s: %q", name, problems)
		}
	}
}
