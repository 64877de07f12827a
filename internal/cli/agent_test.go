package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const agentSession = "0b2701a1-e777-4cfe-8437-b94025f00069"

func TestAgentHelp(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"agent", "agent session", "agent session a2a", "agent session a2a send"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			s, byTopic := newShell(), newShell()
			if code := s.do(t, append(strings.Fields(command), "--help")...); code != 0 || s.err.Len() > 0 {
				t.Errorf("exit %d, %s", code, s.err.String())
			}
			golden(t, "help-"+strings.ReplaceAll(command, " ", "-"), s.out.String())
			byTopic.do(t, append([]string{"help"}, strings.Fields(command)...)...)
			if diff := cmp.Diff(s.out.String(), byTopic.out.String()); diff != "" {
				t.Errorf("help %s says something else than %s --help:\n%s", command, command, diff)
			}
		})
	}
}

func TestAgentMistakes(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		args []string
		say  string
	}{
		"no command":    {[]string{"agent"}, "a2a-conform agent: nothing was done"},
		"a wrong one":   {[]string{"agent", "session", "a2a", "snd"}, `there is no command "snd"`},
		"no arguments":  {[]string{"agent", "session", "a2a", "send"}, "UID: the uid of the agent session is missing"},
		"no platform":   {[]string{"agent", "session", "a2a", "send", agentSession, "--message", "Hello"}, "MAINSEQUENCE_ENDPOINT: is missing"},
		"another's way": {[]string{"agent", "session", "a2a", "send", agentSession, "--jobs", "3"}, "--jobs: there is no such flag"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			if code := s.do(t, test.args...); code != 2 || s.out.Len() > 0 || !strings.Contains(s.err.String(), test.say) {
				t.Errorf("exit %d: %s", code, s.err.String())
			}
		})
	}
}

// agentServer is a platform whose runtime gives one answer; silent is closed when the runtime was asked and will not.
func agentServer(t *testing.T, answer string, asked chan<- struct{}) string {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	mux.HandleFunc("POST /api/v1/agent-sessions/"+agentSession+"/resolve-runtime-access/", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"rpc_url":%q,"token":"runtimeToken","runtime_interaction":{"state":"ready","can_submit":true}}`, server.URL)
	})
	mux.HandleFunc("POST /api/a2a/v1/message:send", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if answer == "" {
			asked <- struct{}{}
			<-r.Context().Done()
			return
		}
		_, _ = io.WriteString(w, answer)
	})
	return server.URL
}

func agentEnvironment(home, platform string) []string {
	return []string{"HOME=" + home, "MAINSEQUENCE_ENDPOINT=" + platform, "MAINSEQUENCE_ACCESS_TOKEN=platformToken", "MAINSEQUENCE_AUTH_MODE=jwt"}
}

func TestAgentSends(t *testing.T) {
	t.Parallel()
	s := newShell()
	s.env = agentEnvironment(t.TempDir(), agentServer(t, `{"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"`+agentSession+`","parts":[{"text":"Hi"}]}}`, nil))
	code := s.do(t, "agent", "session", "a2a", "send", agentSession, "--message", "Hello", "--timeout", "60")
	want := "{\n  \"message\": {\n    \"messageId\": \"m\",\n    \"role\": \"ROLE_AGENT\",\n    \"contextId\": \"" + agentSession +
		"\",\n    \"parts\": [\n      {\n        \"text\": \"Hi\"\n      }\n    ]\n  }\n}\n"
	if diff := cmp.Diff(want, s.out.String()); code != 0 || diff != "" {
		t.Errorf("exit %d: %s\n%s", code, s.err.String(), diff)
	}
}

func TestAgentEndsWithItsContext(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	s := newShell()
	s.env = agentEnvironment(t.TempDir(), agentServer(t, "", asked))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	code := s.main(ctx, []string{"agent", "session", "a2a", "send", agentSession, "--message", "Hello", "--message-id", "mine", "--timeout", "60"})
	if code != 130 || !strings.HasSuffix(s.err.String(), "\nmessage id: mine\n") {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}

// agentChild makes a child process run the command line as main does.
const agentChild = "A2A_TEST_AGENT_CHILD"

func TestAgentHeedsSignals(t *testing.T) {
	t.Parallel()
	if os.Getenv(agentChild) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		context.AfterFunc(ctx, stop)
		args := []string{"agent", "session", "a2a", "send", agentSession, "--message", "Hello", "--timeout", "60"}
		os.Exit(Main(ctx, args, os.Stdin, os.Stdout, os.Stderr, os.Environ()))
	}
	for sent, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		t.Run(sent.String(), func(t *testing.T) {
			t.Parallel()
			asked := make(chan struct{}, 1)
			var errs bytes.Buffer
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAgentHeedsSignals$")
			child.Env = append(agentEnvironment(t.TempDir(), agentServer(t, "", asked)), agentChild+"=1", "GOCOVERDIR="+t.TempDir()) // a test binary built for coverage asks for one
			child.Stderr = &errs
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			select {
			case <-asked:
				if err := child.Process.Signal(sent); err != nil {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				t.Error("the runtime was never asked")
				_ = child.Process.Kill()
			}
			_ = child.Wait() // the status says it
			lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
			if got := child.ProcessState.ExitCode(); got != want || !strings.HasPrefix(lines[len(lines)-1], "message id: msg-") {
				t.Errorf("exit %d: %s", got, errs.String())
			}
		})
	}
}
