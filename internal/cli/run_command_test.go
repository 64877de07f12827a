package cli

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// programVariable makes the test binary the program itself.
const programVariable = "CLI_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		os.Exit(Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ()))
	}
	if act := os.Getenv(driverVariable); act != "" {
		os.Exit(fakeDriver(act))
	}
	os.Exit(m.Run())
}

func TestCommandMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]mistake{
		"no such driver": {[]string{"run", "--", "no-such-driver", "d.py"}, []string{
			"--: no-such-driver cannot be started: there is no such program on the PATH; a path with a slash names one beside it",
		}},
		"variables without the flag": {[]string{"run", "--env", "A=b"}, []string{"--env: only a program that is started gets variables; name one behind --"}},
		"all of the own":             {[]string{"run", "--command", "--all"}, []string{"--all: only of a command of yours a sample is taken; of what you name all runs are made"}},
		"variables of the own":       {[]string{"run", "--command", "--env", "A=b"}, []string{"--env: only a program that is started gets variables; name one behind --"}},
		"a driver that runs, and one to start": {[]string{"run", "--attach", "127.0.0.1:9", "--listen", "here", "--advertise", "a b", "--defect", "never-sends", "--", plain}, []string{
			"--attach: the driver is running already; what stands behind -- would start one: take one of the two",
			"--defect: a defect is one of a client in process, and a driver was named; take one of the two",
			"--attach: want a URL such as http://127.0.0.1:9000, got \"127.0.0.1:9\"",
			"--listen: want HOST:PORT such as 127.0.0.1:8080, got \"here\"",
			"--advertise: want the name or address of this machine, without a port, got \"a b\"",
		}},
		"addresses on virtual time": {[]string{"run", "--listen", "127.0.0.1:80", "--advertise", "host"}, []string{
			"--listen: the servers listen nowhere on virtual time; name a driver behind --",
			"--advertise: nothing is reached over the network on virtual time; name a driver or a command behind --",
		}},
		"no words": {[]string{"run", "--command", "--"}, []string{"--command: there is no command: name the program that agent session a2a send … is appended to"}},
		"no such program": {[]string{"run", "--command", "--", "no-such-program"}, []string{
			"--command: no-such-program cannot be started: there is no such program on the PATH; a path with a slash names one beside it",
		}},
		"no program":          {[]string{"run", "--command", "--", plain}, []string{"--command: " + plain + " cannot be started: permission denied"}},
		"a defect of another": {[]string{"run", "--command", "--defect", "never-sends"}, []string{"--command: a defect is one of a client in process; take one of the two"}},
		"several": {[]string{"run", "--command", "--clock", "virtual", "--env", "x y", "--env", "A={platform.uri}", "--env", "GONE", "--", plain}, []string{
			"--clock: a program of its own runs on real time only",
			`--env: want NAME=VALUE or NAME, got "x y"`,
			"--env: A: there is no {platform.uri}; there are {platform.url}, {platform.token}, {platform.refresh_token}",
			"--env: there is no variable GONE in your environment; NAME=VALUE gives it a value",
			"--command: " + plain + " cannot be started: permission denied",
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			s.record = nil // nothing may be run
			code := s.do(t, tt.args...)
			lines := strings.Split(strings.TrimSpace(s.err.String()), "\n")
			var got []string
			for _, line := range lines[1 : len(lines)-1] {
				got = append(got, strings.TrimPrefix(line, "  "))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || code != verdict.ExitUsage {
				t.Errorf("exit %d: %s", code, diff)
			}
		})
	}
}

// TestRunOwnCommand judges the project's own command on virtual time.
func TestRunOwnCommand(t *testing.T) {
	t.Parallel()
	s := newShell()
	code := s.do(t, "run", "--command", "plain-send", "--format", "json")
	r := readResult(t, s.out.Bytes())
	if code != 0 || r.Subject.Kind != evidence.KindCommand || r.Clock != evidence.ClockVirtual || r.Summary.Checks.Passed == 0 {
		t.Errorf("exit %d: %s %s, %+v: %s", code, r.Subject.Kind, r.Clock, r.Summary.Checks, r.ExitReason)
	}
}

// TestRunCommand judges a command in processes of its own, on real time.
func TestRunCommand(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("commands are judged on Linux and macOS")
	}
	s := newShell()
	code := s.do(t, "run", "--command", "--env", programVariable+"=1", "--env", "GOCOVERDIR="+t.TempDir(),
		"plain-send", "id-given", "--format", "json", "--", os.Args[0])
	r := readResult(t, s.out.Bytes())
	if code != 0 || r.Subject.Name != filepath.Base(os.Args[0]) || r.Clock != evidence.ClockReal || r.Summary.Checks.Passed == 0 {
		t.Errorf("exit %d: %+v %s, %+v: %s%s", code, r.Subject, r.Clock, r.Summary.Checks, r.ExitReason, s.err.String())
	}
}

func TestCommandThatCannotBeStarted(t *testing.T) {
	t.Parallel()
	s := newShell()
	s.env = []string{"PATH=" + os.Getenv("PATH")}
	code := s.do(t, "run", "--command", "--", "env", "no-such-program")
	if code != verdict.ExitUsage || !strings.Contains(s.err.String(), "no-such-program") || !strings.Contains(s.err.String(), "--command: env cannot be started: ") {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}

// TestRepeatOfACommand: what a report says to run again names the same command and the same surroundings.
func TestRepeatOfACommand(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ args, want []string }{
		"the own":         {[]string{"--command"}, []string{"--command", "{filter}"}},
		"the own on real": {[]string{"--command", "--clock", "real"}, []string{"--clock", "real", "--command", "{filter}"}},
		"another": {
			[]string{"--command", "--slow", "--env", "A={platform.url}", "--env", programVariable + "=1", "--", os.Args[0], "x y"},
			[]string{"--slow", "--command", "--env", "A={platform.url}", "--env", programVariable + "=1", "{filter}", "--", os.Args[0], "x y"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var repeat []string
			s := newShell().fake(t, func(_ context.Context, _ []scenarios.Case, o runner.Options) (runner.Recording, error) {
				repeat = o.Repeat
				return runner.Recording{}, nil
			})
			s.do(t, append([]string{"run", "plain-send"}, tt.args...)...)
			if diff := cmp.Diff(append([]string{"a2a-conform", "run"}, tt.want...), repeat); diff != "" {
				t.Error(diff, s.err.String())
			}
		})
	}
}

// TestOfACommandASampleIsTaken: unless all runs are asked for, or some are named.
func TestOfACommandASampleIsTaken(t *testing.T) {
	t.Parallel()
	own := []string{"--env", programVariable + "=1", "--", os.Args[0]}
	for name, tt := range map[string]struct {
		args []string
		want bool
	}{
		"a command":         {own, true},
		"slow ones too":     {append([]string{"--slow"}, own...), true},
		"all":               {append([]string{"--all"}, own...), false},
		"a chapter":         {append([]string{"CLI"}, own...), true},
		"a name":            {append([]string{"CLI", "command-*"}, own...), false},
		"scenarios of mine": {append([]string{"--scenarios", filepath.Join("..", "..", "scenarios", "data", "cli")}, own...), false},
		"the own":           {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked *runner.Options
			s := newShell().fake(t, func(_ context.Context, _ []scenarios.Case, o runner.Options) (runner.Recording, error) {
				asked = &o
				return held(), nil
			})
			s.do(t, append([]string{"run", "--command"}, tt.args...)...)
			if asked == nil || asked.Sample != tt.want {
				t.Errorf("the runner was asked for %+v, want a sample: %t; %s", asked, tt.want, s.err.String())
			}
		})
	}
}
