package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

var update = flag.Bool("update", false, "write the golden files anew")

// shell is a program and what it wrote.
type shell struct {
	*program
	out, err bytes.Buffer
}

// loaded loads the scenarios once for all tests, which only read them.
var loaded = sync.OnceValues(func() ([]*scenarios.File, error) { return scenarios.Builtin() })

func shippedOnce(names ...string) ([]*scenarios.File, error) {
	files, err := loaded()
	if len(names) == 0 {
		return files, err
	}
	var found []*scenarios.File
	for _, f := range files {
		if slices.Contains(names, f.Name) {
			found = append(found, f)
		}
	}
	return found, err
}

// newShell is a program with the real runner, without the tree of specs: Ginkgo runs one in a process.
func newShell() *shell {
	s := &shell{}
	s.program = &program{stdin: strings.NewReader(""), version: "v1.2.0", shipped: shippedOnce, record: runner.RunAll, now: time.Now}
	s.stdout, s.stderr = &s.out, &s.err
	return s
}

// fake replaces the runner by one that finds what it is told to, and notes what it was asked.
func (s *shell) fake(t *testing.T, find func(context.Context, []scenarios.Case, runner.Options) (runner.Recording, error)) *shell {
	t.Helper()
	s.record = func(ctx context.Context, who subject.Subject, cases []scenarios.Case, o runner.Options) (runner.Recording, error) {
		rec, err := find(ctx, cases, o)
		rec.Session.Subject, rec.Session.Tool, rec.Session.Contract = who.About(), o.Tool, o.Contract
		rec.Session.Selection, rec.Session.Repeat, rec.Session.Clock = o.Selection, o.Repeat, evidence.ClockVirtual
		return rec, err
	}
	return s
}

func (s *shell) do(t *testing.T, args ...string) int {
	t.Helper()
	return s.main(t.Context(), args)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if filepath.Ext(name) == "" {
		file += ".golden"
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; look at it, and run the test with -update if it is right:\n%s", file, diff)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"", "run", "demo", "judge", "list", "explain", "validate", "schema", "version", "selftest", "serve", "baseline", "baseline update", "driver", "driver check"} {
		t.Run("help "+command, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			args := strings.Fields(command + " --help")
			if code := s.do(t, args...); code != 0 || s.err.Len() > 0 {
				t.Errorf("exit %d, %s", code, s.err.String())
			}
			golden(t, strings.TrimSuffix("help-"+strings.ReplaceAll(command, " ", "-"), "-"), s.out.String())
			if command == "" {
				return
			}
			byTopic := newShell()
			byTopic.do(t, append([]string{"help"}, strings.Fields(command)...)...)
			if diff := cmp.Diff(s.out.String(), byTopic.out.String()); diff != "" {
				t.Errorf("help %s says something else than %s --help:\n%s", command, command, diff)
			}
		})
	}
}

func TestHelpWinsOverMistakes(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "run", "--bogus", "-h"); code != 0 || !strings.Contains(s.out.String(), "Exit codes:") {
		t.Errorf("exit %d: %s", code, s.out.String())
	}
}

func TestPanicIsOneLine(t *testing.T) {
	t.Parallel()
	s := newShell().fake(t, func(context.Context, []scenarios.Case, runner.Options) (runner.Recording, error) {
		panic("out of luck")
	})
	code := s.do(t, "run", "plain-send")
	want := "a2a-conform: a fault of the program itself: out of luck; please report it with your command line\n"
	if code != verdict.ExitFault || s.err.String() != want {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}

func TestMainUsesWhatItIsGiven(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	code := Main(t.Context(), []string{"version"}, strings.NewReader(""), &out, &errs, []string{"NO_COLOR=1"})
	if code != 0 || !strings.Contains(out.String(), "judges ADR-0029, revision 2026-10-11") || errs.Len() > 0 {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "version"); code != 0 || !strings.HasPrefix(s.out.String(), "a2a-conform v1.2.0\njudges ADR-0029, revision 2026-10-11\ngo") {
		t.Errorf("exit %d: %s", code, s.out.String())
	}
	asFlag := newShell()
	if code := asFlag.do(t, "--version"); code != 0 || asFlag.out.String() != s.out.String() {
		t.Errorf("exit %d: %s%s", code, asFlag.out.String(), asFlag.err.String())
	}
}

// brokenPipe is a standard output that nobody reads.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAReportThatCannotBeWrittenIsNoSuccess(t *testing.T) {
	t.Parallel()
	s := newShell()
	s.stdout = brokenPipe{}
	if code := s.do(t, "demo"); code != verdict.ExitFault || s.err.String() != "a2a-conform: write the report: broken pipe\n" {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}

func TestTheTreeIsShown(t *testing.T) {
	t.Parallel()
	s := newShell()
	shown := 0
	s.tree = func(_ []suites.Rule, checks []suites.Check, out io.Writer) error {
		shown = len(checks)
		_, err := io.WriteString(out, "specs")
		return err
	}
	if code := s.do(t, "demo"); code != 0 || shown == 0 || strings.Contains(s.out.String(), "specs") {
		t.Errorf("exit %d, %d checks shown", code, shown)
	}
	s = newShell()
	s.tree = func([]suites.Rule, []suites.Check, io.Writer) error {
		return errors.New("the tree says 3, the checks 4")
	}
	if code := s.do(t, "demo"); code != verdict.ExitFault || s.err.String() != "a2a-conform: show the checks: the tree says 3, the checks 4\n" {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}
