package runner_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
)

// settle runs f in a bubble that must settle.
func settle(t *testing.T, f func()) {
	t.Helper()
	end, err := runner.Bubble(t.Name(), runner.Patience, f)
	if err != nil {
		t.Fatal(err)
	}
	if end.How != evidence.EndSettled {
		t.Fatalf("the bubble ended with %s: %s", end.How, end.Text)
	}
}

// pass lets virtual time pass. It belongs inside a bubble.
func pass(d time.Duration) { <-time.After(d) }

func TestBubbleTellsHowItEnded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		f        func()
		want     evidence.EndKind
		says     []string // parts of the text
		saysNot  []string
		textless bool
	}{
		{name: "settled", f: func() { pass(90 * time.Second) }, want: evidence.EndSettled, textless: true},
		{name: "settled with a goroutine that ends", f: func() { go pass(time.Second); pass(time.Minute) }, want: evidence.EndSettled, textless: true},
		{
			name: "panic", f: func() { explode("no such state") }, want: evidence.EndPanic,
			says: []string{"no such state\n", "runner_test.explode (bubble_test.go:"}, saysNot: []string{"runtime.", "guard", "goroutine "},
		},
		{
			name: "panic of the runtime", f: func() { explode(nil) }, want: evidence.EndPanic,
			says: []string{"invalid memory address", "\ngithub.com/a2a-conform/a2a-conform/internal/runner_test.explode ("},
		},
		{name: "panic with nil", f: func() { panic(nil) }, want: evidence.EndPanic, says: []string{"panic called with nil"}}, //nolint:govet // what a subject may do
		{name: "panic leaves goroutines", f: func() { go forever(); panic("first") }, want: evidence.EndPanic, says: []string{"first"}},
		{name: "goexit", f: runtime.Goexit, want: evidence.EndPanic, says: []string{"runtime.Goexit", "FailNow"}},
		{name: "failed test of the subject's own", f: func() { new(testing.T).FailNow() }, want: evidence.EndPanic, says: []string{"runtime.Goexit"}},
		{
			name: "deadlock", f: func() { go forever(); go forever(); make(chan int) <- 1 }, want: evidence.EndDeadlock,
			says: []string{
				"2 × [chan receive] github.com/a2a-conform/a2a-conform/internal/runner_test.forever (bubble_test.go:",
				"[chan send] ",
			},
			saysNot: []string{"tRunner", "0x", "durable", "goroutine "},
		},
		{
			name: "leak", f: func() { go forever() }, want: evidence.EndLeak,
			says: []string{"[chan receive] github.com/a2a-conform/a2a-conform/internal/runner_test.forever (bubble_test.go:"},
		},
		{name: "leak of a sleeper", f: func() { go pass(time.Hour); runner.Wait() }, want: evidence.EndLeak, says: []string{"[chan receive] ", "runner_test.pass ("}},
		{
			name: "many leaks", f: func() {
				for _, depth := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9} {
					go deep(depth)
				}
			}, want: evidence.EndLeak, says: []string{"runner_test.deep", "7 × "},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			end, err := runner.Bubble(test.name, runner.Patience, test.f)
			if err != nil {
				t.Fatal(err)
			}
			if end.How != test.want {
				t.Errorf("it ended with %s: %s, want %s", end.How, end.Text, test.want)
			}
			if test.textless != (end.Text == "") {
				t.Errorf("the text is %q", end.Text)
			}
			for _, part := range test.says {
				if !strings.Contains(end.Text, part) {
					t.Errorf("the text lacks %q:\n%s", part, end.Text)
				}
			}
			for _, part := range test.saysNot {
				if strings.Contains(end.Text, part) {
					t.Errorf("the text has %q:\n%s", part, end.Text)
				}
			}
		})
	}
}

// explode panics with value, or like a careless client where there is none.
func explode(value any) {
	if value == nil {
		value = nobody().Status
	}
	panic(value)
}

func nobody() *http.Response { return nil }

func forever() { <-make(chan int) }

func deep(more int) {
	if more > 0 {
		deep(more - 1)
	}
	forever()
}

func TestBubbleGivesUpWhereTimeStandsStill(t *testing.T) {
	t.Parallel()
	var stop atomic.Bool
	var gate sync.Mutex
	gate.Lock()
	tests := []struct {
		name    string
		f       func()
		culprit string
	}{
		{"busy loop", func() { go forever(); spin(&stop) }, "runner_test.spin"},
		{"mutex", func() { go forever(); pass(time.Second); gate.Lock(); defer gate.Unlock() }, "[sync.Mutex.Lock] "},
	}
	var wait sync.WaitGroup
	for _, test := range tests {
		wait.Go(func() {
			end, err := runner.Bubble(test.name, 500*time.Millisecond, test.f) // a busy machine has run them by then
			if err != nil || end.How != evidence.EndHang {
				t.Errorf("%s: it ended with %s, %v, want hang", test.name, end.How, err)
			}
			if !strings.Contains(end.Text, "stood still") || !strings.Contains(end.Text, test.culprit) || strings.Contains(end.Text, "forever") {
				t.Errorf("%s: the text does not name the culprit alone:\n%s", test.name, end.Text)
			}
		})
	}
	wait.Wait()
	stop.Store(true) // lets the abandoned goroutines end
	gate.Unlock()
}

func spin(stop *atomic.Bool) {
	for !stop.Load() {
	}
}

func TestBubbleThatNeverEndsThoughTimeMoves(t *testing.T) {
	t.Parallel()
	var stop atomic.Bool
	end, err := runner.Bubble("runaway", 50*time.Millisecond, func() {
		for !stop.Load() {
			pass(time.Hour)
		}
	})
	stop.Store(true)
	if err != nil || end.How != evidence.EndHang || !strings.Contains(end.Text, "50ms of real time") {
		t.Errorf("it ended with %+v, %v", end, err)
	}
}

func TestBubbleInsideABubbleIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ran := false
		_, err := runner.Bubble("inner", runner.Patience, func() { ran = true })
		if err == nil || !strings.Contains(err.Error(), "already inside a bubble") {
			t.Errorf("the error is %v", err)
		}
		if ran {
			t.Error("the function ran all the same")
		}
	})
}

func TestCheckVirtualTime(t *testing.T) {
	t.Parallel()
	if err := runner.CheckVirtualTime(); err != nil {
		t.Error(err)
	}
}

// A failing bubble must not touch those that run beside it.
func TestBubblesSideBySideDoNotDisturbEachOther(t *testing.T) {
	t.Parallel()
	fail := []func(){func() { explode("one of many") }, runtime.Goexit, forever, func() { go forever() }}
	var wait sync.WaitGroup
	for i := range 200 {
		wait.Go(func() {
			if i%10 == 0 {
				if end, err := runner.Bubble("failing", runner.Patience, fail[i/10%len(fail)]); err != nil || end.How == evidence.EndSettled {
					t.Errorf("bubble %d ended with %s, %v", i, end.How, err)
				}
				return
			}
			log := &journal{}
			end, err := runner.Bubble("exchanges", 6*runner.Patience, func() { talk(t, log) })
			if err != nil || end.How != evidence.EndSettled {
				t.Errorf("bubble %d ended with %s, %v: %s", i, end.How, err, end.Text)
			}
			want := []string{
				"0s attempted 1 platform.test:80", "0s opened 1",
				"3.003027s closed 1 by client, 447 in, 363 out",
			}
			if diff := cmp.Diff(want, log.lines()); diff != "" {
				t.Errorf("bubble %d (-want +got):\n%s", i, diff)
			}
		})
	}
	wait.Wait()
}

// talk makes three exchanges over one connection, a second apart.
func talk(t *testing.T, log *journal) {
	t.Helper()
	log.begin()
	network := runner.NewNetwork(log)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pass(1009 * time.Microsecond)
		_, _ = io.Copy(w, r.Body)
	})}
	listener := network.Listen("platform.test:80", evidence.AcceptsYes)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	transport := &http.Transport{DialContext: network.Dial}
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	for range 3 {
		answer, err := client.Post("http://platform.test/echo", "text/plain", strings.NewReader("hello"))
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil || string(body) != "hello" {
			t.Errorf("the answer is %q, %v", body, err)
		}
		_ = answer.Body.Close()
		pass(time.Second)
	}
	runner.Wait()
	transport.CloseIdleConnections()
	runner.Wait()
	_ = network.Close()
	_ = server.Close()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) { // whichever it sees first
		t.Errorf("the server ended with %v", err)
	}
}

// build makes the program of testdata, as a release would.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "bubblebin")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	command := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./testdata/bubblebin")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	return program
}

func TestVirtualTimeInAShippedBinary(t *testing.T) {
	t.Parallel()
	program := build(t)
	tests := []struct {
		name   string
		args   []string
		godbg  string
		stdout string
		stderr string
		exit   int
	}{
		{name: "90 seconds", args: []string{"-v"}, stdout: "settled 1m30s\nsettled 1m30s\ntrue 1 true []\n"},
		{name: "panic", args: []string{"panic"}, stdout: "panic 0s\npanic 0s\nfalse 1 true [panic]\n"},
		{name: "deadlock", args: []string{"deadlock"}, stdout: "deadlock 0s\ndeadlock 0s\nfalse 1 true [deadlock]\n"},
		{
			name: "timers of old", godbg: "asynctimerchan=1", exit: 2,
			stderr: "virtual time does not work with asynctimerchan=1: remove it from GODEBUG (now \"asynctimerchan=1\") and start again\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr strings.Builder
			command := exec.CommandContext(t.Context(), program, test.args...)
			command.Env = append(os.Environ(), "GODEBUG="+test.godbg)
			command.Stdout, command.Stderr = &stdout, &stderr
			start := time.Now()
			if err := command.Run(); err != nil && command.ProcessState.ExitCode() != test.exit {
				t.Errorf("it failed: %v", err)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("it took %s of real time", took) // far below the 180 virtual seconds, far above a slow machine's start
			}
			if diff := cmp.Diff([]any{test.stdout, test.stderr, test.exit}, []any{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}); diff != "" {
				t.Errorf("standard output, standard error, exit code (-want +got):\n%s", diff)
			}
		})
	}
}
