package client

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// bigFile is larger than any buffer between client and server.
func bigFile(t *testing.T, size int) File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "big.pdf")
	if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	return File{Path: path}
}

func TestBudgetEndsTheCall(t *testing.T) {
	second := time.Second
	okHead := "HTTP/1.1 200 OK\r\n"
	type network = func(*fakeNet) *fakeNet
	onPlatform := func(replies ...reply) network { return func(f *fakeNet) *fakeNet { return f.platform(replies...) } }
	onRuntime := func(replies ...reply) network {
		return func(f *fakeNet) *fakeNet { return f.platform(admits(), admits()).runtime(replies...) }
	}
	for name, test := range map[string]struct {
		network network
		timeout Timeout
		phase   Phase
		after   time.Duration
	}{
		"connect to the platform hangs": {onPlatform(reply{hangs: true}), Total(10), PhaseTotal, 10 * second},
		"connect phase, platform":       {onPlatform(reply{hangs: true}), Phases(2, 8), PhaseConnect, 2 * second},
		"connect phase, runtime":        {onRuntime(reply{hangs: true}), Phases(2, 8), PhaseConnect, 2 * second},
		"default connect phase":         {onRuntime(reply{hangs: true}), Timeout{}, PhaseConnect, 5 * second},
		"resolve silent":                {onPlatform(silent()), Total(10), PhaseTotal, 10 * second},
		"resolve drips":                 {onPlatform(dripped(okHead+"\r\n", " ", 700*time.Millisecond)), Total(10), PhaseTotal, 10 * second},
		"resolve after a wait":          {onPlatform(waking("6000"), silent()), Total(10), PhaseTotal, 10 * second},
		"resolve fails slowly":          {onPlatform(dripped("HTTP/1.1 503 x\r\n\r\n", "x", second)), Total(10.5), PhaseTotal, 10500 * time.Millisecond},
		"head silent":                   {onRuntime(silent()), Total(10), PhaseTotal, 10 * second},
		"read phase, head":              {onRuntime(silent()), Phases(2, 8), PhaseRead, 8 * second},
		"read phase, head stalls":       {onRuntime(stalled("HTTP/1.1 200 OK\r\n")), Phases(8, 2), PhaseRead, 2 * second},
		"read phase, head line stalls":  {onRuntime(stalled(okHead + "X: y")), Phases(8, 2), PhaseRead, 2 * second},
		"read phase, platform stalls":   {onPlatform(stalled(okHead)), Phases(8, 2), PhaseRead, 2 * second},
		"read phase beyond the sum":     {onRuntime(late(3*second, stalled(okHead+"\r\n{"))), Phases(2, 8), PhaseTotal, 10 * second},
		"read phase, body":              {onRuntime(late(1*second, stalled(okHead+"\r\n{"))), Phases(2, 8), PhaseRead, 9 * second},
		"default read phase":            {onRuntime(silent()), Timeout{}, PhaseRead, 900 * second},
		"default drips":                 {onRuntime(dripped(okHead+"\r\n", " ", 7*second)), Timeout{}, PhaseTotal, 905 * second},
		"drips within the read phase":   {onRuntime(dripped(okHead+"\r\n", " ", 3*second)), Phases(1, 9), PhaseTotal, 10 * second},
		"head drips":                    {onRuntime(dripped(okHead, "X: y\r\n", 700*time.Millisecond)), Total(10), PhaseTotal, 10 * second},
		"endless 1xx":                   {onRuntime(dripped("", "HTTP/1.1 102 Processing\r\n\r\n", 700*time.Millisecond)), Total(10), PhaseTotal, 10 * second},
		"504 drips":                     {onRuntime(dripped("HTTP/1.1 504 x\r\n\r\n", " ", 700*time.Millisecond)), Total(10), PhaseTotal, 10 * second},
		"404 stalls":                    {onRuntime(stalled("HTTP/1.1 404 x\r\n\r\n")), Total(10), PhaseTotal, 10 * second},
		"redirect stalls":               {onRuntime(stalled("HTTP/1.1 302 x\r\nLocation: /\r\n\r\n")), Total(10), PhaseTotal, 10 * second},
		"the refresh does not restart":  {onRuntime(late(6*second, respond(401, "")), silent()), Total(10), PhaseTotal, 10 * second},
		"upload stalls":                 {onRuntime(deaf()), Total(10), PhaseTotal, 10 * second},
		"upload stalls, phases":         {onRuntime(deaf()), Phases(2, 8), PhaseTotal, 10 * second},
		"a moment":                      {onRuntime(silent()), Total(1e-12), PhaseTotal, 1},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := test.network(newFakeNet(t))
			_, err := f.client().Send(t.Context(), Request{
				SessionUID: session, Text: "x", Timeout: test.timeout, Files: []File{bigFile(t, 1<<17)},
			})
			took := time.Since(f.start)
			got := mustFail[*TimeoutError](t, err)
			if got.Phase != test.phase || took != test.after || !got.Timeout() {
				t.Errorf("ended after %v by %q (%v); want %v by %q", took, got.Phase, err, test.after, test.phase)
			}
		})
	}
}

func TestBudgetIsNotCutShort(t *testing.T) {
	for name, test := range map[string]struct {
		reply   reply
		timeout Timeout
		after   time.Duration
	}{
		"an answer after 89 s":           {late(89*time.Second, says("Hello")), Total(100), 89 * time.Second},
		"the default waits 899 s":        {late(899*time.Second, says("Hello")), Timeout{}, 899 * time.Second},
		"silences shorter than the read": {late(7*time.Second, late(2*time.Second, says("Hello"))), Phases(1, 9.5), 9 * time.Second},
		"an upload is no silence":        {reply{deaf: true, play: slowReader}, Phases(2, 4), 5 * time.Second},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(admits()).runtime(test.reply)
			_, err := f.client().Send(t.Context(), Request{SessionUID: session, Text: "x", Timeout: test.timeout})
			if took := time.Since(f.start); err != nil || took != test.after {
				t.Errorf("after %v: %v", took, err)
			}
		})
	}
}

// slowReader takes five seconds over the request, and then answers at once.
func slowReader(conn net.Conn) {
	buffer := make([]byte, 100)
	_, _ = conn.Read(buffer)
	<-time.After(5 * time.Second) // virtual: only used in bubbles
	go func() {
		for { // ends when the client closes
			if _, err := conn.Read(buffer); err != nil {
				return
			}
		}
	}()
	says("Hello").play(conn)
}

func TestNotReadyAtOnce(t *testing.T) {
	for name, test := range map[string]struct {
		direction string
		ready     bool
	}{
		"before the deadline": {"59999", true},
		"at the deadline":     {"60000", false},
		"after it":            {"60001", false},
		"a day":               {"86400000", false},
		"beyond an int64":     {"1e300", false},
		"beyond a float":      {"1" + strings.Repeat("0", 400), false},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(waking(test.direction), admits()).runtime(says("Hello"))
			_, err := f.send(f.client())
			if test.ready {
				if err != nil {
					t.Error(err)
				}
				return
			}
			got := mustFail[*NotReadyError](t, err)
			if took := time.Since(f.start); took != 0 || got.State != "waking" || got.Explanation != "a detail" {
				t.Errorf("after %v: %+v", took, got)
			}
			if !strings.Contains(err.Error(), "nothing was sent") {
				t.Errorf("does not say that nothing was sent: %v", err)
			}
		})
	}
}
