package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// watched is a standard output that tests wait for words on.
type watched struct {
	mu     sync.Mutex
	text   bytes.Buffer
	change chan struct{} // closed at the next write
}

func newWatched() *watched { return &watched{change: make(chan struct{})} }

func (w *watched) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.change)
	w.change = make(chan struct{})
	return w.text.Write(b)
}

func (w *watched) now() (string, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String(), w.change
}

// await returns what was written once it holds some words.
func (w *watched) await(t *testing.T, words string) string {
	t.Helper()
	patience := time.After(20 * time.Second)
	for {
		text, change := w.now()
		if strings.Contains(text, words) {
			return text
		}
		select {
		case <-change:
		case <-patience:
			t.Fatalf("%q was never written, but:\n%s", words, text)
		}
	}
}

// serving runs serve at free ports until end is called, which returns the exit code and all that was written.
func serving(t *testing.T, args ...string) (out *watched, end func() (int, string)) {
	t.Helper()
	s := newShell()
	out = newWatched()
	s.stdout = out
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() { // ends with the context
		code <- s.main(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...))
	}()
	return out, func() (int, string) {
		cancel()
		select {
		case ended := <-code:
			text, _ := out.now()
			return ended, text + s.err.String()
		case <-time.After(5 * time.Second):
			t.Fatal("it goes on after its context has ended")
			return 0, ""
		}
	}
}

// environment reads what a screen says is to be pasted.
func environment(screen string) map[string]string {
	named := map[string]string{}
	for _, found := range regexp.MustCompile(`(?m)^export ([A-Z_]+)='?([^'\n]*)'?$`).FindAllStringSubmatch(screen, -1) {
		named[found[1]] = found[2]
	}
	return named
}

// ask makes a request with a token and returns the body of the answer.
func ask(t *testing.T, method, url, token, body string) string {
	t.Helper()
	asking, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		asking.Header.Set("Authorization", "Bearer "+token)
	}
	own := &http.Transport{DisableKeepAlives: true}
	answer, err := own.RoundTrip(asking)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// curlOf is the request that a screen has for curl.
func curlOf(t *testing.T, screen string) (url, token string) {
	t.Helper()
	found := regexp.MustCompile(`curl -sS --max-time 60 -X POST (\S+) \\\n  -H 'Authorization: Bearer (\w+)' -H 'Content-Type: application/json' -d '\{}'`).FindStringSubmatch(screen)
	if found == nil {
		t.Fatalf("no request for curl is to be seen:\n%s", screen)
	}
	return found[1], found[2]
}

// accessIn is what an answer to a resolve admits with.
func accessIn(t *testing.T, answer string) (url, token string) {
	t.Helper()
	var access struct {
		URL   string `json:"rpc_url"`
		Token string `json:"token"`
	}
	if err := json.Unmarshal([]byte(answer), &access); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return access.URL, access.Token
}

// steadied takes out of a screen what is another each time.
func steadied(screen string) string {
	for _, form := range []struct{ form, instead string }{
		{`(?m)^ +\d+\.\d{3}s`, "    T.TTTs"},
		{`ended after \d+\.\ds`, "ended after T.Ts"},
		{`\b[A-Za-z0-9]{40}\b`, "TOKEN"},
		{`127\.0\.0\.1:\d+`, "127.0.0.1:PORT"},
	} {
		screen = regexp.MustCompile(form.form).ReplaceAllString(screen, form.instead)
	}
	return screen
}

func TestServe(t *testing.T) {
	t.Parallel()
	out, end := serving(t, "--scenario", "waking-then-ready", "--env", "TOKEN_HOLDER={platform.token} it's")
	screen := out.await(t, "what arrives")
	env := environment(screen)
	url, token := curlOf(t, screen)
	if token != env["MAINSEQUENCE_ACCESS_TOKEN"] || !strings.HasPrefix(url, env["MAINSEQUENCE_ENDPOINT"]+"/") {
		t.Errorf("curl asks %s with %s, the environment is %q", url, token, env)
	}
	asked := 0
	ask := func(method, url, token, body string) string {
		answer := ask(t, method, url, token, body)
		asked++
		out.await(t, fmt.Sprintf("#%d     ", asked)) // its last row, or the next request could come before it
		return answer
	}
	ask(http.MethodPost, url, token, "{}")
	ask(http.MethodPost, url, token, "{}")
	address, access := accessIn(t, ask(http.MethodPost, url, token, "{}"))
	ask(http.MethodPost, address+"api/a2a/v1/message:send", access, `{"message":{"messageId":"m-1"}}`)
	ask(http.MethodPost, address+"api/a2a/v1/message:send", "NeverHandedOutNeverHandedOutNeverHandedOut", "{}")
	ask(http.MethodGet, env["MAINSEQUENCE_ENDPOINT"]+"/api/v1/users/me/", token, "")
	ask(http.MethodGet, env["MAINSEQUENCE_ENDPOINT"]+"/favicon.ico?x=%C2%9B"+access, "", "")
	code, all := end()
	if code != verdict.ExitOK {
		t.Errorf("exit %d", code)
	}
	golden(t, "serve", steadied(all))
	_, arrived, _ := strings.Cut(all, "what arrives")
	for _, secret := range []string{token, access, env["MAINSEQUENCE_REFRESH_TOKEN"], "NeverHandedOut"} {
		if secret == "" || strings.Contains(arrived, secret) {
			t.Errorf("the secret %q is shown with what arrives:\n%s", secret, arrived)
		}
	}
}

func TestServeEndsAtOnceThoughSomethingHangs(t *testing.T) {
	t.Parallel()
	out, end := serving(t, "--scenario", "resolve-hangs/wire=cut_after_request_how_hang")
	url, token := curlOf(t, out.await(t, "what arrives"))
	answer := make(chan string, 1)
	go func() { answer <- ask(t, http.MethodPost, url, token, "{}") }() // ends when the server does
	out.await(t, "leaves the client waiting")
	began := time.Now()
	code, all := end()
	if took := time.Since(began); code != verdict.ExitOK || took > time.Second {
		t.Errorf("exit %d after %s", code, took)
	}
	if !strings.Contains(all, "no answer (line ") || !strings.Contains(all, "1 exchange\n") {
		t.Errorf("the screen is\n%s", all)
	}
	if text := <-answer; !strings.Contains(text, "EOF") && !strings.Contains(text, "reset") {
		t.Errorf("the request that hung came to %q", text)
	}
}

func TestServeWithoutAScenario(t *testing.T) {
	t.Parallel()
	out, end := serving(t)
	out.await(t, "what arrives")
	code, all := end()
	if code != verdict.ExitOK || !strings.Contains(all, "serving plain-send of ADR-0029") || !strings.Contains(all, "since no --scenario was given") {
		t.Errorf("exit %d:\n%s", code, all)
	}
	if !strings.Contains(all, "0 exchanges\nleft over\n  line 6: the step of platform.resolve_access has answered 0 of 1 times\n") {
		t.Errorf("the summary is\n%s", all)
	}
}

func TestServeAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mine.yaml")
	text := "scenario: mine\nabout: Two of them.\neach: {status: [404, 409]}\nvars: {late: 90s}\nreal: {vars: {late: 1s}}\nwhen:\n  platform.resolve_access:\n    - reply: {detail: {http: \"${status}\"}}\n      wire: {head_after: \"${late}\"}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--scenario", file + "/status=409"}, "once     409, held back for 1s"},
		{[]string{"--scenario", file + "/status=404", "--own-times"}, "once     404, held back for 1m30s"},
	} {
		out, end := serving(t, test.args...)
		screen := out.await(t, "what arrives")
		if code, _ := end(); code != verdict.ExitOK || !strings.Contains(screen, test.want) {
			t.Errorf("%q: exit %d:\n%s", test.args, code, screen)
		}
	}
	s := newShell()
	if code := s.do(t, "serve", "--scenario", file); code != verdict.ExitUsage || !strings.Contains(s.err.String(), "mine has 2 cases, and one is served: name it, of mine/status=404, mine/status=409") {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}

func TestServeForAScript(t *testing.T) {
	t.Parallel()
	kept := filepath.Join(t.TempDir(), "evidence")
	out, end := serving(t, "--format", "json", "--record", kept)
	first, _, _ := strings.Cut(out.await(t, "\n"), "\n")
	var opening servedOpening
	if err := json.Unmarshal([]byte(first), &opening); err != nil {
		t.Fatal(err)
	}
	token := opening.Environment["MAINSEQUENCE_ACCESS_TOKEN"]
	route := opening.Environment["MAINSEQUENCE_ENDPOINT"] + "/api/v1/agent-sessions/" + opening.Calls[0].Session + "/resolve-runtime-access/"
	address, access := accessIn(t, ask(t, http.MethodPost, route, token, "{}"))
	out.await(t, `"ended"`)
	ask(t, http.MethodPost, route, token, "{}")
	code, all := end()
	if code != verdict.ExitOK || address != opening.Servers["runtime"] || access == "" {
		t.Errorf("exit %d, access to %s, the runtime is %s", code, address, opening.Servers["runtime"])
	}
	var got []string
	for line := range strings.Lines(all) {
		var e servedEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, e.Event+" "+e.Words)
	}
	want := []string{
		"serving ", "arrived ", "answering ", "ended 200 OK: ready, can_submit true, ‹runtime-token:1›", "arrived ",
		"ended every step of platform.resolve_access is used up; the last, in line 6: it has answered 1 of 1 times", "closed ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what happens differs (-want +got):\n%s", diff)
	}
	_, runs, err := evidence.Read(kept)
	if err != nil || len(runs) != 1 || len(runs[0].Exchanges) != 2 || len(runs[0].Calls) != 0 {
		t.Errorf("%d runs were kept, %v", len(runs), err)
	}
}

func TestServeMistakes(t *testing.T) {
	t.Parallel()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() }) // a deferred call would come before the parallel parts
	taken := other.Addr().String()
	for name, test := range map[string]mistake{
		"misspelt": {[]string{"--scenario", "waking-than-ready"}, []string{`--scenario: there is no scenario "waking-than-ready", did you mean "waking-then-ready"?`}},
		"unknown":  {[]string{"--scenario", "zzz"}, []string{`--scenario: there is no scenario "zzz"; a2a-conform list scenarios names all, and a file ends in .yaml`}},
		"no case": {[]string{"--scenario", "resolve-after-a-renewal/x=1"}, []string{
			`--scenario: resolve-after-a-renewal has one case only: leave out "/x=1"`,
		}},
		"no file": {[]string{"--scenario", "no/such.yaml"}, []string{"--scenario: no/such.yaml: cannot be read: no such file or directory"}},
		"port taken": {[]string{"--listen", taken}, []string{
			"--listen: " + taken + ", where the server platform is to listen, is taken by another program: end that one, or name another place such as --listen 127.0.0.1:9000 (each server takes the next port; port 0 takes any)",
		}},
		"several": {[]string{"plain-send", "--listen", "here", "--format", "xml", "--env", "A={platform.uri}", "--record", "no/such/dir", "--scenario", "zzz.yaml"}, []string{
			"serve takes no argument, got plain-send: --scenario names what is served",
			`--listen: want HOST:PORT such as 127.0.0.1:8080, got "here"`,
			"--env: A: there is no {platform.uri}; there are {platform.url}, {platform.token}, {platform.refresh_token}",
			"--record: no/such/dir cannot be written: directory no/such: no such file or directory",
			`--format: want console or json, got "xml"`,
			"--scenario: zzz.yaml: cannot be read: no such file or directory",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			s.refuses(t, test.want, append([]string{"serve"}, test.args...)...)
		})
	}
}

func TestServeWhereThisMachineIsNot(t *testing.T) {
	t.Parallel()
	s := newShell() // an address that documents have to themselves
	if code := s.do(t, "serve", "--listen", "192.0.2.1:8123"); code != verdict.ExitUsage || !strings.Contains(s.err.String(), "name an address of this machine and a port that you may use, such as --listen 127.0.0.1:8123") {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}

func TestServeToNobody(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"console", "json"} {
		s := newShell()
		s.stdout = brokenPipe{}
		if code := s.do(t, "serve", "--listen", "127.0.0.1:0", "--format", format); code != verdict.ExitFault || s.err.String() != "a2a-conform: write what arrives: broken pipe\n" {
			t.Errorf("%s: exit %d: %s", format, code, s.err.String())
		}
	}
}

func TestWhereAPlatformIsServed(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]serveOptions{
		"127.0.0.1:8123": {}, ":8123": {advertise: "host"}, "127.0.0.1:9000": {listen: "127.0.0.1:9000", advertise: "host"},
	} {
		if got := o.place(); got != want {
			t.Errorf("%+v: %s, want %s", o, got, want)
		}
	}
}

func TestTheScreenSaysWhenNothingMoreIsAnswered(t *testing.T) {
	t.Parallel()
	out := newWatched()
	s := &serveScreen{out: out, opened: true, most: 2}
	for i := range 2 {
		if text, _ := out.now(); strings.Contains(text, "the last that is answered") {
			t.Errorf("it is said too early: %s", text)
		}
		s.Arrived(evidence.Exchange{Seq: i + 1, Request: evidence.Request{Method: http.MethodGet, Target: "/\x1b[2J"}})
	}
	text, _ := out.now()
	if !strings.Contains(text, "this was request 2, the last that is answered") || strings.Contains(text, "\x1b") {
		t.Errorf("the screen is %q", text)
	}
}

// TestEveryStepHasWords writes the steps of all that ships: a kind of answer without words would show here.
func TestEveryStepHasWords(t *testing.T) {
	t.Parallel()
	files, err := shippedOnce()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		c := f.Cases(evidence.ClockReal)[0]
		for op, steps := range c.When {
			for _, step := range steps {
				words := stepWords(step)
				dull := !step.Reply.Default && strings.Contains(words, "well-behaved")
				if dull || strings.Contains(words, "%!") || words != strings.TrimSpace(words) || strings.Contains(words, ", ,") {
					t.Errorf("%s, line %d, %s: %q", c.ID, step.Line, op, words)
				}
			}
		}
	}
}

// TestEveryScenarioIsServed opens all that ships, each for as long as its screen takes.
func TestEveryScenarioIsServed(t *testing.T) {
	t.Parallel()
	files, err := shippedOnce()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		c := f.Cases(evidence.ClockReal)[0]
		if runtime.GOOS != "linux" && slices.ContainsFunc(c.Endpoints, func(e scenarios.Endpoint) bool { return e.Accepts == evidence.AcceptsHang }) {
			continue // other systems cannot let connections hang, and say so
		}
		out := newWatched()
		s := &serveScreen{out: out}
		served, err := runner.Serve(c, runner.ServeOptions{Listen: "127.0.0.1:0", Onlooker: s})
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		s.open(c, served, nil, serveOptions{scenario: c.ID})
		s.close(served.Close())
		text, _ := out.now()
		if strings.Contains(text, "%!") || strings.Count(text, "\n     session ") != len(served.Calls()) || !strings.Contains(text, "ended after") {
			t.Errorf("%s is shown as\n%s", c.ID, text)
		}
	}
}

func TestStepWords(t *testing.T) {
	t.Parallel()
	for want, step := range map[string]scenarios.Step{
		"2 times  wait: waking, retry_after_ms 1500": {Times: 2, Reply: scenarios.Reply{Wait: &scenarios.Wait{State: "waking", RetryAfter: evidence.Some(1500 * time.Millisecond)}}},
		"for 3s   stop: unavailable":                 {For: 3 * time.Second, Reply: scenarios.Reply{Stop: &scenarios.Stop{State: "unavailable"}}},
		"once     a Task t-1 TASK_STATE_WORKING":     {Times: 1, Reply: scenarios.Reply{Task: &scenarios.Task{ID: "t-1", State: "TASK_STATE_WORKING"}}},
		"once     the 504 of the Message limit, held back for 1m30s": {Times: 1, Reply: scenarios.Reply{
			MessageLimit: &scenarios.MessageLimit{After: 90 * time.Second},
		}},
		"always   the error 409 ABORTED BUSY, if its token is a": {
			Reply: scenarios.Reply{RPCError: &scenarios.RPCError{HTTP: 409, Status: "ABORTED", Reason: "BUSY"}}, If: &scenarios.Condition{Token: "a"},
		},
		"once     307 to moved, then the connection ends (close)": {Times: 1, Reply: scenarios.Reply{Redirect: &scenarios.Redirect{Status: 307, To: "moved"}}, Wire: scenarios.Wire{Finish: "close"}},
		"once     ready, the token a, with /mode set to \"x\", without /token, silent after the headers": {
			Times: 1, Reply: scenarios.Reply{Ready: &scenarios.Ready{Token: "a"}, With: &scenarios.Edit{Set: map[string][]byte{"/mode": []byte(`"x"`)}, Remove: []string{"/token"}}},
			Wire: scenarios.Wire{Cut: &scenarios.Cut{After: "headers", How: "hang"}},
		},
		"once     a Message, cut after 120 bytes of body (reset), once runtime.send_message#1 has been answered": {
			Times: 1, Reply: scenarios.Reply{Message: &scenarios.Message{}}, Wire: scenarios.Wire{Cut: &scenarios.Cut{Bytes: 120, How: "reset"}},
			If: &scenarios.Condition{After: &scenarios.AfterExchange{Op: evidence.OpSendMessage, N: 1}},
		},
	} {
		if diff := cmp.Diff(want, stepWords(step)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
