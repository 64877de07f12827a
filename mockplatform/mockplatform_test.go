package mockplatform_test

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
	"github.com/a2a-conform/a2a-conform/mockplatform"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// stage is a platform alone. The clock of a bubble begins at midnight of the first of January 2000.
type stage struct {
	run      script.Run
	platform http.Handler
	session  string
}

func newStage(when map[evidence.Op][]scenarios.Step) *stage {
	rec := evidence.NewRecorder("stage", evidence.ClockVirtual, time.Now(), evidence.Tolerance{}, nil)
	world := script.NewWorld(script.WorldConfig{Names: "stage", Nonce: "n", Recorder: rec, Places: []script.Place{
		{Endpoint: scenarios.Endpoint{Name: "runtime", Prefix: "/r", Slash: true}, Origin: "http://runtime.test:80"},
		{Endpoint: scenarios.Endpoint{Name: "moved"}, Origin: "http://moved.test:80"},
	}})
	run := script.Run{Script: script.New(when, world, rec), World: world, Wire: wire.Options{Recorder: rec, Latency: wire.Latency}}
	return &stage{run: run, platform: mockplatform.New(mockplatform.Config{Run: run}), session: world.SessionUID("main")}
}

// ask sends a request as a user, past every socket.
func (s *stage) ask(method, path, body, user string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.run.World.PlatformToken(user, "platform"))
	w := httptest.NewRecorder()
	s.platform.ServeHTTP(w, r)
	return w
}

func (s *stage) resolve() *httptest.ResponseRecorder {
	return s.ask(http.MethodPost, "/api/v1/agent-sessions/"+s.session+"/resolve-runtime-access/", "{}", "main")
}

// known replaces what is made anew for each run by its name.
func (s *stage) known(body string) string {
	pairs := []string{
		s.run.World.ServiceUID(), "{service}", s.run.World.AgentUID(), "{agent}", s.run.World.EnvironmentUID(), "{environment}",
	}
	for _, name := range []string{"first", "second"} {
		pairs = append(pairs, s.run.World.RuntimeToken(name, s.session, "platform", http.Header{}), "{"+name+"}")
	}
	return strings.NewReplacer(pairs...).Replace(body)
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

const paths = `"runtime_paths":{"a2a":"/api/a2a/v1","chat":"/api/chat"},`

// TestAccess holds every answer of resolve_access, member by member, in its order.
func TestAccess(t *testing.T) {
	t.Parallel()
	serving := `"runtime_presence":{"phase":"serving","replicas":{"desired":1,"actual":1},"detail":"amber wren","observed_at":"2000-01-01T00:00:00Z","wake":null}}`
	tests := []struct {
		name  string
		reply scenarios.Reply
		want  string
	}{
		{
			"ready", scenarios.Reply{Ready: &scenarios.Ready{Token: "first"}},
			`{"coding_agent_service_uid":"{service}","mode":"token","rpc_url":"http://runtime.test:80/r/","token":"{first}",
			"expires_at":"2000-01-01T01:00:00.001009Z","is_ready":true,"detail":null,` + paths + `
			"runtime_interaction":{"state":"ready","can_submit":true,"notice":null,"operation":null,"retry_after_ms":null},` + serving,
		},
		{
			"ready elsewhere, for ever", scenarios.Reply{Ready: &scenarios.Ready{Token: "second", Endpoint: "moved", State: "warning", ExpiresIn: evidence.Null[time.Duration]()}},
			`{"coding_agent_service_uid":"{service}","mode":"token","rpc_url":"http://moved.test:80","token":"{second}",
			"expires_at":null,"is_ready":true,"detail":null,` + paths + `
			"runtime_interaction":{"state":"warning","can_submit":true,"notice":null,"operation":null,"retry_after_ms":null},` + serving,
		},
		{
			"expired", scenarios.Reply{Ready: &scenarios.Ready{Token: "first", ExpiresIn: evidence.Some(-1500 * time.Millisecond)}, With: &scenarios.Edit{Remove: []string{
				"/runtime_interaction", "/runtime_presence", "/runtime_paths", "/detail", "/is_ready",
			}}},
			`{"coding_agent_service_uid":"{service}","expires_at":"1999-12-31T23:59:58.501009Z","mode":"token","rpc_url":"http://runtime.test:80/r/","token":"{first}"}`,
		},
		{
			"wait", scenarios.Reply{Wait: &scenarios.Wait{State: "waking", RetryAfter: evidence.Some(1500 * time.Millisecond), Notice: "soon", Detail: "patience"}},
			`{"coding_agent_service_uid":null,"mode":"unavailable","rpc_url":null,"token":null,"expires_at":null,"is_ready":false,"detail":"patience",` + paths + `
			"runtime_interaction":{"state":"waking","can_submit":false,"notice":{"code":"runtime_info","severity":"info","title":"Ochre siskin","message":"soon"},"operation":null,"retry_after_ms":1500},
			"runtime_presence":{"phase":"pulling_image","replicas":{"desired":1,"actual":0},"detail":"cobalt dunnock","observed_at":"2000-01-01T00:00:00Z","wake":null}}`,
		},
		{
			"wait no time", scenarios.Reply{Wait: &scenarios.Wait{State: "odd", RetryAfter: evidence.Some(time.Duration(0))}},
			`{"coding_agent_service_uid":null,"mode":"unavailable","rpc_url":null,"token":null,"expires_at":null,"is_ready":false,"detail":null,` + paths + `
			"runtime_interaction":{"state":"odd","can_submit":false,"notice":null,"operation":null,"retry_after_ms":0},
			"runtime_presence":{"phase":"provisioning","replicas":{"desired":1,"actual":0},"detail":"cobalt dunnock","observed_at":"2000-01-01T00:00:00Z","wake":null}}`,
		},
		{
			"wait without a direction", scenarios.Reply{Wait: &scenarios.Wait{State: "checking", RetryAfter: evidence.Null[time.Duration]()}},
			`{"coding_agent_service_uid":null,"mode":"unavailable","rpc_url":null,"token":null,"expires_at":null,"is_ready":false,"detail":null,` + paths + `
			"runtime_interaction":{"state":"checking","can_submit":false,"notice":null,"operation":null,"retry_after_ms":null},
			"runtime_presence":{"phase":"observing","replicas":{"desired":1,"actual":0},"detail":"cobalt dunnock","observed_at":"2000-01-01T00:00:00Z","wake":null}}`,
		},
		{
			"stop", scenarios.Reply{Stop: &scenarios.Stop{State: "unavailable", Notice: "no more", Detail: "retired"}},
			`{"coding_agent_service_uid":null,"mode":"unavailable","rpc_url":null,"token":null,"expires_at":null,"is_ready":false,"detail":"retired",` + paths + `
			"runtime_interaction":{"state":"unavailable","can_submit":false,"notice":{"code":"runtime_error","severity":"error","title":"Ochre siskin","message":"no more"},"operation":null,"retry_after_ms":null},
			"runtime_presence":{"phase":"not_deployed","replicas":{"desired":null,"actual":null},"detail":"slate plover","observed_at":null,"wake":null}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(map[evidence.Op][]scenarios.Step{evidence.OpResolveAccess: {{Times: 1, Reply: tt.reply}}})
				got := s.resolve()
				if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "application/json" {
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

// TestDefaults holds the well-behaved answers of the other operations.
func TestDefaults(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, method, path, want string }{
		{"who am I", "GET", "/api/v1/users/me/", `{"username":"thrush-main"}`},
		{
			"session", "GET", "/api/v1/agent-sessions/SESSION/",
			`{"agent_uid":"{agent}","organization_environment_uid":"{environment}","organization_environment_name":"heath","catalog_digest":null,"llm_provider":"linnet","llm_model":"linnet-2"}`,
		},
		{
			"agent", "GET", "/api/v1/agents/AGENT/",
			`{"name":"nightjar","description":"answers what it is asked","agent_card":{"name":"nightjar","description":"answers what it is asked"},"llm_thinking":"low","repository_branch":"trunk",
			"organization_environment_uid":"{environment}","organization_environment_name":"heath",
			"a2a_profile":{"response_kind_extension_uri":"https://mainsequence.ai/a2a/extensions/response-kind/v1","supported_response_kinds":["message","task"],"default_response_kind":"message"}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(nil)
			path := strings.NewReplacer("SESSION", s.session, "AGENT", s.run.World.AgentUID()).Replace(tt.path)
			got := s.ask(tt.method, path, "", "main")
			if diff := cmp.Diff(indented(t, tt.want), indented(t, s.known(got.Body.String()))); diff != "" || got.Code != http.StatusOK {
				t.Errorf("%d, another answer (-want +got):\n%s", got.Code, diff)
			}
		})
	}
}

// TestRenewal: a refresh token renews the platform token of its own user.
func TestRenewal(t *testing.T) {
	t.Parallel()
	s := newStage(nil)
	old := s.run.World.PlatformToken("eve", "platform")
	refresh := s.run.World.RefreshToken("eve", "platform")
	got := s.ask(http.MethodPost, "/auth/jwt-token/token/refresh/", `{"refresh": "`+refresh+`"}`, "eve")
	fresh := s.run.World.PlatformToken("eve", "platform")
	if want := `{"access":"` + fresh + `"}`; fresh == old || got.Body.String() != want {
		t.Errorf("got another body, or the old token")
	}
}

// TestWhoAmI: a command may tell users apart by their names, so each has one of their own, which outlives a token.
func TestWhoAmI(t *testing.T) {
	t.Parallel()
	s := newStage(nil)
	ask := func(user string) string { return s.ask(http.MethodGet, "/api/v1/users/me/", "", user).Body.String() }
	first, other := ask("main"), ask("eve")
	s.run.World.RenewPlatformToken(s.run.World.RefreshToken("eve", "platform"), "platform")
	if renewed := ask("eve"); first == other || renewed != other {
		t.Errorf("main is %s, eve %s and with a renewed token %s", first, other, renewed)
	}
}

// TestWhoseToken: a runtime token is registered with the session, the user and the backend that it is for.
func TestWhoseToken(t *testing.T) {
	t.Parallel()
	s := newStage(map[evidence.Op][]scenarios.Step{evidence.OpResolveAccess: {{Times: 1, Reply: scenarios.Reply{Ready: &scenarios.Ready{}}}}})
	s.ask(http.MethodPost, "/api/v1/agent-sessions/a%2Fb/resolve-runtime-access/", "{}", "eve")
	run := s.run.Wire.Recorder.Close(evidence.End{}, 0)
	want := evidence.Secret{Name: "‹runtime-token:1›", Kind: evidence.SecretRuntime, Session: "a/b", User: "eve", Backend: "platform"}
	if diff := cmp.Diff(want, run.Secrets[len(run.Secrets)-1]); diff != "" {
		t.Errorf("registered otherwise (-want +got):\n%s", diff)
	}
}

// TestForeignReplies: a reply of the runtime, or access as the answer of another route, is a fault of the file.
func TestForeignReplies(t *testing.T) {
	t.Parallel()
	s := newStage(map[evidence.Op][]scenarios.Step{
		evidence.OpResolveAccess: {{Times: 1, Line: 3, Reply: scenarios.Reply{Message: &scenarios.Message{}}}},
		evidence.OpWhoAmI:        {{Times: 1, Line: 8, Reply: scenarios.Reply{Ready: &scenarios.Ready{}}}},
	})
	codes := []int{s.resolve().Code, s.ask(http.MethodGet, "/api/v1/users/me/", "", "main").Code}
	if diff := cmp.Diff([]int{418, 418}, codes); diff != "" {
		t.Errorf("other statuses (-want +got):\n%s", diff)
	}
	want := []string{"line 3: platform.resolve_access has no such reply", "line 8: platform.whoami has no such reply"}
	if diff := cmp.Diff(want, s.run.Script.Malformed()); diff != "" {
		t.Errorf("other faults (-want +got):\n%s", diff)
	}
}
