//go:build unix

package cli

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// steady takes out of a check what differs from one to the next: times, ids, lines of a driver with both, its name.
func steady(text string) string {
	for pattern, with := range map[string]string{
		`[0-9.]+ s( apart|,)`:   "‹n› s$1",
		`msg-[0-9a-f-]{36}`:     "‹id›",
		`in "\{.*"; answer`:     "in ‹line›; answer",
		`http://127[0-9.]+:\d+`: "‹url›",
	} {
		text = regexp.MustCompile(pattern).ReplaceAllString(text, with)
	}
	return strings.ReplaceAll(text, filepath.Base(os.Args[0]), "‹driver›")
}

func TestDriverCheck(t *testing.T) {
	t.Parallel()
	var checks sync.WaitGroup
	shells := map[string]*shell{}
	places := make(chan struct{}, 8) // they mostly wait, and parallel tests would be as few as processors
	for flaw, code := range map[string]int{
		"none": 0, "no elapsed": 0,
		"silent": 1, "ends": 1, "old": 1, "half a hello": 1, "noisy": 1, "does anything": 1, "promises": 1, "half a result": 1, "own words": 1,
		"drops members": 1, "one at a time": 1, "other ids": 1, "elapsed in milliseconds": 1, "leaves a process": 1, "elsewhere": 1, "crashes": 1,
	} {
		s, dir := newShell(), t.TempDir()
		shells[flaw] = s
		checks.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			patience := "20s" // the machine may be busy, and nothing is waited for in vain
			if flaw == "silent" || flaw == "other ids" {
				patience = "2s"
			}
			got := s.do(t, "driver", "check", "--patience", patience, "--env", driverVariable+"="+flaw, "--env", "GOCOVERDIR="+dir, "--", os.Args[0])
			if got != code || s.err.Len() > 0 {
				t.Errorf("%s: exit %d, want %d: %s", flaw, got, code, s.err.String())
			}
		})
	}
	checks.Wait()
	for flaw, s := range shells {
		golden(t, "driver-check-"+strings.ReplaceAll(flaw, " ", "-"), steady(s.out.String()))
	}
}

// TestDriverCheckAttached checks drivers that are running already, with what they have in common with others.
func TestDriverCheckAttached(t *testing.T) {
	t.Parallel()
	for flaw, code := range map[string]int{"none": 0, "own words": 1} {
		t.Run(flaw, func(t *testing.T) {
			t.Parallel()
			running := httptest.NewServer(newFake(flaw))
			t.Cleanup(running.Close)
			s := newShell()
			if got := s.do(t, "driver", "check", "--patience", "20s", "--attach", running.URL); got != code || s.err.Len() > 0 {
				t.Errorf("exit %d, want %d: %s", got, code, s.err.String())
			}
			golden(t, "driver-check-attached-"+strings.ReplaceAll(flaw, " ", "-"), steady(s.out.String()))
		})
	}
}

// Each line of a check says one thing, and what is broken says what to do.
func TestDriverCheckSaysWhatToDo(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/driver-check-*.golden")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		broken := 0
		for line := range strings.Lines(string(readFile(t, file))) {
			if !strings.HasPrefix(line, string(broke)) && !strings.HasPrefix(line, string(refused)) {
				continue
			}
			broken++
			if !strings.Contains(line, "; ") && !strings.Contains(line, ", did you mean") && !strings.Contains(line, notTried) {
				t.Errorf("%s: what is to be done? %s", file, line)
			}
		}
		if good := strings.Contains(file, "none") || strings.Contains(file, "no-elapsed"); good != (broken == 0) {
			t.Errorf("%s: %d lines tell of what is broken", file, broken)
		}
	}
}

// TestProbesHold tries the probes on the reference client, which can do everything.
func TestProbesHold(t *testing.T) {
	t.Parallel()
	tried, err := probes()
	if err != nil {
		t.Fatal(err)
	}
	rec, err := runner.RunAll(t.Context(), subject.Reference("1"), casesOf(tried), runner.Options{Clock: evidence.ClockReal})
	if err != nil {
		t.Fatal(err)
	}
	var want []finding
	claims := map[string]bool{}
	for _, p := range tried {
		want = append(want, finding{works, p.about, ""})
		claims[p.about] = true
		file := strings.NewReplacer("_", "-", "calls at once", "at-once").Replace(p.about) + ".yaml"
		if _, err := scenarios.Check(file, readFile(t, filepath.Join("probes", file)), scenarios.Options{KnownRules: suites.RuleIDs()}); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(append(want, finding{fine, "answers", ""}), found(tried, rec), cmp.AllowUnexported(finding{})); diff != "" {
		t.Error(diff)
	}
	for _, c := range append(verdict.Required(), verdict.Optional()...) {
		if !claims[c] {
			t.Errorf("the capability %s is not tried", c)
		}
	}
}

func TestDriverCheckMistakes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]mistake{
		"nothing":          {[]string{"driver", "check"}, []string{"there is no driver: name its command line behind --, or its address with --attach"}},
		"which":            {[]string{"driver", "chek"}, []string{`there is no command "chek", did you mean "check"?`}},
		"alone":            {[]string{"driver"}, []string{"no command was given: a2a-conform demo shows what it does"}},
		"words":            {[]string{"driver", "check", "d.py", "--patience", "-1s"}, []string{"driver check takes no argument before --, got d.py", "there is no driver: name its command line behind --, or its address with --attach", `--patience: want a time above zero with its unit, such as 30s, got "-1s"`}},
		"both, and nobody": {[]string{"driver", "check", "--attach", "here", "--", "no-such-driver"}, []string{"--attach: the driver is running already; what stands behind -- would start one: take one of the two", `--attach: want a URL such as http://127.0.0.1:9000, got "here"`}},
		"no such driver":   {[]string{"driver", "check", "--", "no-such-driver"}, []string{"--: no-such-driver cannot be started: there is no such program on the PATH; a path with a slash names one beside it"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			s.record = nil // nothing may be run
			code := s.do(t, test.args...)
			told := strings.Split(strings.TrimSpace(s.err.String()), "\n")
			var got []string
			for _, line := range told[1 : len(told)-1] {
				got = append(got, strings.TrimPrefix(line, "  "))
			}
			if diff := cmp.Diff(test.want, got); diff != "" || code != verdict.ExitUsage {
				t.Errorf("exit %d: %s", code, diff)
			}
		})
	}
}
