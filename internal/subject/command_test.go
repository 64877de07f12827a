//go:build unix

package subject

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// acting is the test binary as a command.
func acting(t *testing.T, act string, more ...string) *CommandLine {
	t.Helper()
	c, err := Command([]string{os.Args[0], "prefix"}, CommandOptions{
		Surroundings: os.Environ(),
		// A binary that counts coverage complains on standard error unless it is told where to.
		Env: append([]string{actVariable + "=" + act, "GOCOVERDIR=" + t.TempDir()}, more...),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCommandGetsItsWordsAndSurroundings(t *testing.T) {
	t.Parallel()
	c := acting(t, "tell", "WHERE={platform.url}/x", "MAINSEQUENCE_AUTH_MODE=other")
	instance := opened(t, c, Env{Platform: platform()})
	call := sending("-hello")
	call.Env, call.Args = []string{"DEBUG=1"}, []string{"--debug"}
	answer := instance.Do(t.Context(), call)
	if answer.Kind != evidence.OutcomePrinted || answer.Command.Exit != 3 || answer.Command.Signal != "" {
		t.Fatalf("want printed with exit status 3, got %+v", answer)
	}
	var got told
	if err := json.Unmarshal(answer.Command.Stdout, &got); err != nil {
		t.Fatal(err)
	}
	words := []string{"agent", "session", "a2a", "send", "s-1", "--message=-hello", "--debug"}
	if diff := cmp.Diff(append([]string{"prefix"}, words...), got.Args); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(words, answer.Command.Args); diff != "" {
		t.Error(diff)
	}
	if string(answer.Command.Stderr) != "said ‹home›\n" || got.Dir != "‹work›" {
		t.Errorf("the directories are not taken out: %s, %s", answer.Command.Stderr, got.Dir)
	}
	for _, want := range []string{
		"HOME=‹home›", "TMPDIR=‹tmp›", "MAINSEQUENCE_ENDPOINT=http://127.0.0.1:1", "MAINSEQUENCE_ACCESS_TOKEN=tok",
		"MAINSEQUENCE_REFRESH_TOKEN=ref", "MAINSEQUENCE_AUTH_MODE=other", "WHERE=http://127.0.0.1:1/x", "DEBUG=1", "PATH=" + os.Getenv("PATH"),
	} {
		if !slices.Contains(got.Env, want) {
			t.Errorf("%s is missing in %v", want, got.Env)
		}
	}
	if !slices.Contains(answer.Command.Env, "MAINSEQUENCE_ACCESS_TOKEN") || strings.Contains(strings.Join(answer.Command.Env, ""), "=") {
		t.Errorf("want names alone, got %v", answer.Command.Env)
	}
}

func TestCommandLineOfEachMember(t *testing.T) {
	t.Parallel()
	full := Call{Session: "s", Op: evidence.CallSend, Input: evidence.Input{
		Message: evidence.Some("m"), MessageID: evidence.Some("id"), StrictDictionary: evidence.Some(true),
		JSONRepairAttempts: evidence.Some(json.Number("2")), ResponseKind: evidence.Some("task"), Timeout: evidence.Some(evidence.Timeout{Total: 30}),
	}, Files: []File{{"/a.pdf", "application/pdf"}, {"/b.pdf", "text/plain"}}}
	bare := Call{Session: "s", Op: evidence.CallSend, Input: evidence.Input{StrictDictionary: evidence.Some(false), Message: evidence.Null[string]()}}
	late := bare
	late.Input.Timeout = evidence.Some(evidence.Timeout{Total: -1})
	nul := bare
	nul.Input.Message = evidence.Some("a\x00b")
	long := bare
	long.Input.Message = evidence.Some(strings.Repeat("x", maxArgument+1))
	half := bare
	half.Files = []File{{"/a", ""}, {"/b", "text/plain"}}
	none := bare
	none.Files = []File{{"/a", ""}, {"/b", ""}}
	tests := []struct {
		name string
		call Call
		want string
	}{
		{"half the media types", half, "--file /a --media-type application/pdf --file /b --media-type text/plain"},
		{"no media types", none, "--file /a --file /b"},
		{"everything", full, "--message m --message-id id --strict-dictionary --json-repair-attempts 2 --response-kind task " +
			"--file /a.pdf --media-type application/pdf --file /b.pdf --media-type text/plain --timeout 30"},
		{"nothing", bare, ""},
		{"a value like a flag", late, "--timeout=-1"},
		{"a message with U+0000", nul, "--message-file F"},
		{"a long message", long, "--message-file F"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := strings.TrimSpace("agent session a2a send s " + tt.want)
			if got := strings.Join(words(tt.call, "F"), " "); got != want {
				t.Errorf("want %s\ngot  %s", want, got)
			}
			if reason := CommandCannot(tt.call); reason != "" {
				t.Errorf("want a call that can be made, got %s", reason)
			}
		})
	}
}

func TestWhatACommandCannotBeAsked(t *testing.T) {
	t.Parallel()
	timed := func(to evidence.Timeout) Call {
		return Call{Op: evidence.CallSend, Input: evidence.Input{Timeout: evidence.Some(to)}}
	}
	tests := []struct {
		name string
		call Call
		want string
	}{
		{"another operation", Call{Op: evidence.CallGetTask}, "there is no command for get_task"},
		{"a pair", timed(evidence.Timeout{Pair: true, Connect: 1, Read: 2}), "no pair"},
		{"a fraction", timed(evidence.Timeout{Total: 2.5}), "whole seconds, not 2.5"},
		{"no number", timed(evidence.Timeout{Total: nan()}), "whole seconds, not NaN"},
		{"without end", timed(evidence.Timeout{Total: -1 / zero()}), "whole seconds, not -Inf"},
		{"U+0000 in an argument", Call{Op: evidence.CallSend, Session: "a\x00"}, "U+0000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			answer := (&commandInstance{}).Do(t.Context(), tt.call)
			if answer.Kind != evidence.OutcomeUnsupported || !strings.Contains(answer.Reason, tt.want) {
				t.Errorf("want unsupported with %q, got %+v", tt.want, answer)
			}
		})
	}
}

func zero() float64 { return 0 }
func nan() float64  { return zero() / zero() }

// TestMessageThatIsGivenInAFile: it arrives whole, and its file is none that the command left.
func TestMessageThatIsGivenInAFile(t *testing.T) {
	t.Parallel()
	text := "a\x00" + strings.Repeat("é", maxArgument)
	program := func(_ context.Context, p Process) int {
		content, err := os.ReadFile(p.Args[6])
		if err != nil || string(content) != text {
			return 1
		}
		return 0
	}
	instance := opened(t, InProcess("tool", program), Env{})
	for _, name := range []string{"‹input›/message-1.txt", "‹input›/message-2.txt"} {
		answer := instance.Do(t.Context(), sending(text))
		if c := answer.Command; c.Exit != 0 || c.Args[5] != "--message-file" || c.Args[6] != name || len(c.Files) != 0 {
			t.Errorf("got exit status %d, words %q and files %v", c.Exit, c.Args, c.Files)
		}
	}
}

func TestLongArgumentsAreRecordedShort(t *testing.T) {
	t.Parallel()
	got := shown([]string{"--message", "é" + strings.Repeat("é", 600), strings.Repeat("a", shownArgument)})
	want := []string{"--message", strings.Repeat("é", 512) + "… (1202 bytes)", strings.Repeat("a", shownArgument)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSignalsByName(t *testing.T) {
	t.Parallel()
	for s, want := range map[syscall.Signal]string{
		syscall.SIGINT: "INT", syscall.SIGTERM: "TERM", syscall.SIGKILL: "KILL", syscall.SIGABRT: "ABRT", syscall.SIGSEGV: "SEGV",
		syscall.SIGPIPE: "PIPE", syscall.SIGHUP: "HUP", syscall.SIGQUIT: "QUIT", syscall.SIGALRM: "alarm clock",
	} {
		if got := signalName(s); got != want {
			t.Errorf("want %s, got %s", want, got)
		}
	}
	if err := sendSignal(os.Getpid(), "KILL"); err == nil {
		t.Error("want KILL refused: it is for the harness alone")
	}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		act, signal string
		exit        int
		ended       string
		stderr      string
	}{
		{"wait", "INT", 130, "INT", ""},
		{"wait", "TERM", 143, "TERM", ""},
		{"trap", "INT", 130, "", "message id: m-1, interrupt\n"},
		{"trap", "TERM", 130, "", "message id: m-1, terminated\n"},
	}
	for _, tt := range tests {
		t.Run(tt.act+" "+tt.signal, func(t *testing.T) {
			t.Parallel()
			instance := opened(t, acting(t, tt.act), Env{})
			due := make(chan struct{})
			time.AfterFunc(2*time.Second, func() { close(due) }) // by then it listens, also on a busy machine
			call := sending("x")
			call.Signal = &Signal{Name: tt.signal, Due: due}
			began := time.Now()
			answer := instance.Do(t.Context(), call)
			if answer.Kind != evidence.OutcomePrinted || answer.Command.Exit != tt.exit || answer.Command.Signal != tt.ended || string(answer.Command.Stderr) != tt.stderr {
				t.Errorf("got %+v with %+v", answer.Outcome, answer.Command)
			}
			if answer.Signalled == nil || answer.Signalled.Before(began) {
				t.Errorf("want the time of the signal, got %v", answer.Signalled)
			}
		})
	}
}

func TestSignalThatNeverComesDue(t *testing.T) {
	t.Parallel()
	call := sending("x")
	call.Signal = &Signal{Name: "INT", Due: make(chan struct{})}
	answer := opened(t, acting(t, "tell"), Env{}).Do(t.Context(), call)
	if answer.Signalled != nil || answer.Command.Exit != 3 {
		t.Errorf("got %+v with %+v", answer, answer.Command)
	}
}

func TestCommandThatNeverEndsIsKilledWithItsGroup(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
	defer cancel()
	call := sending("x")
	due := make(chan struct{})
	time.AfterFunc(4*time.Second, func() { close(due) }) // by then it has stopped listening, also on a busy machine
	call.Signal = &Signal{Name: "TERM", Due: due}
	answer := opened(t, acting(t, "stubborn"), Env{}).Do(ctx, call)
	if answer.Kind != evidence.OutcomeCrash || !strings.Contains(answer.Reason, "was killed") || answer.Command == nil {
		t.Fatalf("want a crash that shows what was printed, got %+v", answer)
	}
	gone(t, string(answer.Command.Stdout))
}

func TestGrandchildHoldsUpNothing(t *testing.T) {
	t.Parallel()
	began := time.Now()
	answer := opened(t, acting(t, "grandchild"), Env{}).Do(t.Context(), sending("x"))
	if answer.Kind != evidence.OutcomePrinted || answer.Command.Exit != 0 {
		t.Errorf("got %+v", answer)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
	gone(t, string(answer.Command.Stdout))
}

// gone waits until the process whose number a command printed first is no more.
func gone(t *testing.T, printed string) {
	t.Helper()
	line, _, _ := strings.Cut(printed, "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		state, err := os.ReadFile("/proc/" + line + "/stat")
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ") {
			return
		}
		<-time.After(50 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

func TestFloodIsContained(t *testing.T) {
	t.Parallel()
	answer := opened(t, acting(t, "flood"), Env{}).Do(t.Context(), sending("x"))
	stdout := string(answer.Command.Stdout)
	if len(stdout) > maxOutput+100 || !strings.HasPrefix(stdout, "begin\n") || !strings.HasSuffix(stdout, "end\n") || !strings.Contains(stdout, "bytes left out") {
		t.Errorf("want both ends of the output, got %d bytes", len(stdout))
	}
	if len(answer.Command.Stderr) > maxOutput+100 || answer.Command.Exit != 1 {
		t.Errorf("got %d bytes of errors and exit status %d", len(answer.Command.Stderr), answer.Command.Exit)
	}
}

func TestCommandThatIsTakenDown(t *testing.T) {
	t.Parallel()
	answer := opened(t, acting(t, "crash"), Env{}).Do(t.Context(), sending("x"))
	if answer.Kind != evidence.OutcomeCrash || answer.Command.Signal != "KILL" || answer.Command.Exit != 137 ||
		answer.Reason != "the command was ended by the signal KILL" {
		t.Errorf("got %+v with exit status %d", answer.Outcome, answer.Command.Exit)
	}
}

func TestFilesThatAreLeft(t *testing.T) {
	t.Parallel()
	instance := opened(t, acting(t, "leave"), Env{})
	answer := instance.Do(t.Context(), sending("x"))
	want := []evidence.LeftFile{
		{Path: ".config/cache.json", Mode: "0600", ModeAtCreation: "0644", Size: answer.Command.Files[0].Size, Content: evidence.Text("in ‹home›")},
		{Path: "../tmp/there.txt", Mode: "0600", Size: answer.Command.Files[1].Size, Content: evidence.Text("in ‹home›")},
		{Path: "../work/here.txt", Mode: "0600", Size: answer.Command.Files[2].Size, Content: evidence.Text("in ‹home›")},
	}
	for i := range answer.Command.Files[1:] { // they are there too short a time to be sure to be seen
		answer.Command.Files[i+1].ModeAtCreation = ""
	}
	if diff := cmp.Diff(want, answer.Command.Files); diff != "" {
		t.Error(diff)
	}
	other := sending("x")
	other.Client = "b"
	if files := instance.Do(t.Context(), other).Command.Files; len(files) != 3 {
		t.Errorf("want the files of another home alone, got %v", files)
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tool := filepath.Join(dir, "bin", "tool")
	if err := os.MkdirAll(filepath.Dir(tool), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "text"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		dir  string
		path string
		want string
	}{
		{"./bin/tool", dir, "", tool},
		{"bin/tool", dir, "", tool},
		{tool, "/", "", tool},
		{"tool", dir, "/nowhere:" + filepath.Dir(tool), tool},
		{"tool", dir, "bin", tool},
		{"tool", dir, "/nowhere", "tool cannot be started: there is no such program on the PATH"},
		{"./text", dir, "", "./text cannot be started: permission denied"},
		{"./none", dir, "", "./none cannot be started: "},
		{"", dir, "", "there is no command"},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.path, func(t *testing.T) {
			t.Parallel()
			c, err := Command([]string{tt.name}, CommandOptions{Dir: tt.dir, Surroundings: []string{"PATH=" + tt.path}})
			switch {
			case err != nil && !strings.HasPrefix(err.Error(), tt.want):
				t.Errorf("want %s, got %v", tt.want, err)
			case err == nil && c.program != tt.want:
				t.Errorf("want %s, got %s", tt.want, c.program)
			}
		})
	}
	if _, err := Command(nil, CommandOptions{}); err == nil {
		t.Error("want an error for no command at all")
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for act, want := range map[string]string{"version": "1.20.3-rc.1", "version word": "dev", "no version": ""} {
		t.Run(act, func(t *testing.T) {
			t.Parallel()
			c := acting(t, act)
			if err := c.Identify(t.Context()); err != nil {
				t.Fatal(err)
			}
			about := c.About()
			if about.Version != want || about.Kind != evidence.KindCommand || !about.Command || !strings.HasSuffix(about.Name, " prefix") {
				t.Errorf("want version %q, got %+v", want, about)
			}
		})
	}
	t.Run("cannot be started", func(t *testing.T) {
		t.Parallel()
		c, err := Command([]string{"env", "there-is-no-such-program"}, CommandOptions{Surroundings: os.Environ()})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Identify(t.Context()); err == nil || !strings.Contains(err.Error(), "there-is-no-such-program") {
			t.Errorf("want an error that names the program, got %v", err)
		}
	})
}

func FuzzVariables(f *testing.F) {
	for _, text := range []string{"A=b", "A", "=", "A={platform.url}", "A={platform.x}", "A-B=c", "\x00=\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		variables, problems := Variables([]string{text}, []string{"A=1"})
		if len(variables)+len(problems) == 0 {
			t.Fatalf("%q is neither taken nor refused", text)
		}
		if len(problems) == 0 && !variableForm.MatchString(nameOf(variables[0])) {
			t.Fatalf("%q became %q", text, variables)
		}
	})
}

func TestVariables(t *testing.T) {
	t.Parallel()
	got, problems := Variables(
		[]string{"A=b=c", "KEPT", "GONE", "=x", "1A=x", "U={platform.url}", "V={platform.uri}", `W={"a": 1}`, "EMPTY="},
		[]string{"KEPT=old", "KEPT=new"},
	)
	if diff := cmp.Diff([]string{"A=b=c", "KEPT=new", "U={platform.url}", "V={platform.uri}", `W={"a": 1}`, "EMPTY="}, got); diff != "" {
		t.Error(diff)
	}
	want := map[int]string{
		2: "there is no variable GONE in your environment; NAME=VALUE gives it a value",
		3: `want NAME=VALUE or NAME, got "=x"`,
		4: `want NAME=VALUE or NAME, got "1A=x"`,
		6: "V: there is no {platform.uri}; there are {platform.url}, {platform.token}, {platform.refresh_token}",
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Error(diff)
	}
}
