package command

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/a2a-conform/a2a-conform/internal/subject"
)

const (
	session       = "0b2701a1-e777-4cfe-8437-b94025f00069"
	platformToken = "platformTokenOfTheTests"
	refreshToken  = "refreshTokenOfTheTests"
	runtimeToken  = "runtimeTokenOfTheTests"
	resolve       = "/api/v1/agent-sessions/" + session + "/resolve-runtime-access/"
	messageSend   = "/api/a2a/v1/message:send"
)

// world is the surroundings of commands: a network in memory, with servers that answer by path, and a home.
type world struct {
	t       *testing.T
	env     map[string]string
	dir     string
	stdin   io.Reader
	signals chan os.Signal

	mu      sync.Mutex
	answers map[string]answer
	asked   []asked
	ids     int
}

// asked is one request as it arrived.
type asked struct{ method, path, auth, body string }

// answer is what a path answers: nothing at all when it has no status.
type answer struct {
	status int
	body   string
}

// newWorld has a platform that admits every send to a runtime that says hello.
func newWorld(t *testing.T) *world {
	t.Helper()
	home := t.TempDir()
	return &world{
		t: t, dir: t.TempDir(), stdin: strings.NewReader(""), signals: make(chan os.Signal, 1),
		env: map[string]string{
			"HOME": home, "MAINSEQUENCE_ENDPOINT": "http://platform.test", "MAINSEQUENCE_AUTH_MODE": "jwt",
			"MAINSEQUENCE_ACCESS_TOKEN": platformToken, "MAINSEQUENCE_REFRESH_TOKEN": refreshToken,
		},
		answers: map[string]answer{
			resolve:     {200, admitting(runtimeToken)},
			messageSend: {200, `{"message":{"messageId":"msg-agent-1","role":"ROLE_AGENT","contextId":"` + session + `","parts":[{"text":"Hello"}]}}`},
		},
	}
}

func admitting(token string) string {
	return fmt.Sprintf(`{"rpc_url":"http://runtime.test/","token":%q,"runtime_interaction":{"state":"ready","can_submit":true}}`, token)
}

func blocking(state, retry string) string {
	return fmt.Sprintf(`{"rpc_url":null,"token":null,"runtime_interaction":{"state":%q,"can_submit":false,"retry_after_ms":%s}}`, state, retry)
}

// ran is what a command did.
type ran struct {
	exit     int
	out, err string
}

// run runs the command with more arguments behind "send".
func (w *world) run(args ...string) ran {
	w.t.Helper()
	var out, errs bytes.Buffer
	exit := w.runInto(w.t.Context(), &out, &errs, args...)
	for _, token := range []string{platformToken, refreshToken, runtimeToken} {
		if strings.Contains(out.String()+errs.String(), token) {
			w.t.Errorf("a token was printed:\n%s%s", out.String(), errs.String())
		}
	}
	return ran{exit, out.String(), errs.String()}
}

func (w *world) runInto(ctx context.Context, out, errs io.Writer, args ...string) int {
	return Main(ctx, subject.Process{
		Args: append([]string{"agent", "session", "a2a", "send"}, args...),
		Env:  func(name string) string { return w.env[name] },
		Dir:  w.dir, Stdin: w.stdin, Stdout: out, Stderr: errs, Dial: w.dial,
		NewMessageID: func() string {
			w.ids++
			return fmt.Sprintf("msg-made-%d", w.ids)
		},
		Notify: func() <-chan os.Signal { return w.signals },
	})
}

// dial connects to a server for one request. Its goroutine ends with the answer, or when the client is gone.
func (w *world) dial(_ context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	go w.serve(far)
	return near, nil
}

func (w *world) serve(conn net.Conn) {
	defer conn.Close()
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	w.mu.Lock()
	w.asked = append(w.asked, asked{request.Method, request.URL.Path, request.Header.Get("Authorization"), string(body)})
	answer, known := w.answers[request.URL.Path]
	w.mu.Unlock()
	switch {
	case !known:
		answer.status = 404
	case answer.status == 0:
		_, _ = io.Copy(io.Discard, conn)
		return
	}
	fmt.Fprintf(conn, "HTTP/1.1 %d Words\r\nContent-Length: %d\r\n\r\n%s", answer.status, len(answer.body), answer.body)
}

// times is how often a path was asked.
func (w *world) times(path string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	count := 0
	for _, one := range w.asked {
		if one.path == path {
			count++
		}
	}
	return count
}

// sent is the body of the last message:send.
func (w *world) sent() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	body := ""
	for _, one := range w.asked {
		if one.path == messageSend {
			body = one.body
		}
	}
	return body
}

// onVirtualTime runs a test with a world of its own, on a clock of its own.
func onVirtualTime(t *testing.T, name string, test func(w *world)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { test(newWorld(t)) })
	})
}
