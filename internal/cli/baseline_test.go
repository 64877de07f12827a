package cli

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

// broken is the beginning of a command line that judges a client which breaks FLOW-06.
func broken(more ...string) []string {
	return append([]string{"run", "--defect", demoDefect, "waking-then-ready", "plain-send"}, more...)
}

// keep writes a file of known failures.
func keep(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "known.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestBaselineExits gives each exit code that a baseline has a part in.
func TestBaselineExits(t *testing.T) {
	t.Parallel()
	const flow = "known:\n  - {rule: FLOW-06, scenario: waking-then-ready, reason: known}\n"
	for name, test := range map[string]struct {
		known string
		args  []string
		code  int
		want  string
	}{
		"a failure that is known":  {flow, broken(), verdict.ExitOK, "conformant with known failures, exit 0: "},
		"a failure that is not":    {"known: []\n", broken(), verdict.ExitNonConformant, "non-conformant, exit 1: 1 rule broken: FLOW-06"},
		"one that no longer is":    {flow, []string{"run", "waking-then-ready"}, verdict.ExitStale, "baseline stale, exit 4: 1 entry of the baseline"},
		"one that was not judged":  {flow, []string{"run", "plain-send"}, verdict.ExitOK, "conformant in part, exit 0: "},
		"one beside the selection": {flow, []string{"run", "REQ-02", "waking-then-ready"}, verdict.ExitOK, "conformant in part, exit 0: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			if code := s.do(t, append(test.args, "--baseline", keep(t, test.known))...); code != test.code || !strings.Contains(s.out.String(), "\n"+test.want) {
				t.Errorf("exit %d, want %d and %q:\n%s%s", code, test.code, test.want, s.out.String(), s.err.String())
			}
		})
	}
}

// TestBaselineMistakes are told before anything is started.
func TestBaselineMistakes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		known string
		args  []string
		want  []string
	}{
		"several": {
			"known:\n  - rule: FLOW-60\n    reason: a\n  - rule: SUBJ-02\n    reason: b\n", []string{"run", "--jobs", "0"},
			[]string{"--jobs: want a whole number from 1, got \"0\"", ":2:5: there is no rule \"FLOW-60\", did you mean \"FLOW-06\"?", ":4:5: SUBJ-02 is a rule of the harness"},
		},
		"expired": {
			"known:\n  - {rule: FLOW-06, reason: a, expires: 2026-11-01}\n", []string{"run"},
			[]string{":2:6: the entry for FLOW-06 expired on 2026-11-01: look at it again, then give it a later day or take it out"},
		},
		"unmatched": {
			"known:\n  - {rule: FLOW-06, reason: a, scenario: waking-then-redy}\n  - {rule: FLOW-06, reason: a, scenario: 'waking-then-ready/x=1'}\n", []string{"run", "plain-send"},
			[]string{":2:6: no scenario and no run is called \"waking-then-redy\", did you mean \"waking-then-ready\"?", ":3:6: no scenario and no run is called \"waking-then-ready/x=1\""},
		},
		"with drawn scenarios": {"known: []\n", []string{"run", "--generate", "3"}, []string{"--baseline: scenarios that are drawn do without it"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			s.record = nil // whatever starts a run now is a fault
			s.now = func() time.Time { return time.Date(2026, 11, 2, 0, 30, 0, 0, time.UTC) }
			code := s.do(t, append(test.args, "--baseline", keep(t, test.known))...)
			if code != verdict.ExitUsage || s.out.Len() > 0 {
				t.Errorf("exit %d: %s", code, s.out.String())
			}
			for _, want := range test.want {
				if !strings.Contains(s.err.String(), want) {
					t.Errorf("%q is not told:\n%s", want, s.err.String())
				}
			}
		})
	}
}

// TestBaselineUpdate is the whole way: a result, a baseline of it, a green judging with it, the client repaired.
func TestBaselineUpdate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	result, known, recorded := filepath.Join(dir, "result.json"), filepath.Join(dir, "known.yaml"), filepath.Join(dir, "evidence")
	if code := newShell().do(t, broken("--format", "json", "--output", result, "--record", recorded)...); code != verdict.ExitNonConformant {
		t.Fatalf("exit %d", code)
	}
	s := newShell()
	code := s.do(t, "baseline", "update", "--baseline", known, result)
	want := "added    FLOW-06 waking-then-ready: not looked at yet\n" + known + ": 1 added, 0 kept, 0 dropped\n" +
		"Now write into it why each is accepted, in place of \"not looked at yet\".\n"
	if diff := cmp.Diff(want, s.out.String()); code != 0 || diff != "" {
		t.Fatalf("exit %d, %s%s", code, diff, s.err.String())
	}
	s = newShell()
	if code := s.do(t, "judge", recorded, "--strict", "--baseline", known); code != 0 || !strings.Contains(s.out.String(), "1 entry has no reason yet") {
		t.Errorf("exit %d: %s%s", code, s.out.String(), s.err.String())
	}
	if code := newShell().do(t, "run", "waking-then-ready", "--baseline", known, "--format", "json", "--output", result); code != verdict.ExitStale {
		t.Errorf("exit %d", code)
	}
	var r verdict.Result
	if err := json.Unmarshal(readFile(t, result), &r); err != nil || r.Baseline == nil || r.Baseline.Stale != 1 || r.Baseline.File != known {
		t.Errorf("%v: the result says of the baseline %+v", err, r.Baseline)
	}
	s = newShell()
	code = s.do(t, "baseline", "update", "--baseline", known, result)
	want = "dropped  FLOW-06 waking-then-ready: not looked at yet\n" + known + ": 0 added, 0 kept, 1 dropped\n"
	if diff := cmp.Diff(want, s.out.String()); code != 0 || diff != "" || !strings.HasSuffix(string(readFile(t, known)), "known: []\n") {
		t.Errorf("exit %d, %s%s\n%s", code, diff, s.err.String(), readFile(t, known))
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("something is left beside: %v, %v", entries, err)
	}
}

func TestBaselineUpdateMistakes(t *testing.T) {
	t.Parallel()
	bad := keep(t, "known: 1\n")
	for name, test := range map[string]struct{ args, want []string }{
		"nothing":        {nil, []string{"--baseline: want the file that is to be written", "baseline update takes one result, a report of run --format json, got 0"}},
		"no result":      {[]string{"--baseline", "x.yaml", "cli_test.go"}, []string{"cli_test.go: is no result of a judging: give what run --format json has written"}},
		"no file":        {[]string{"--baseline", "x.yaml", "no/such"}, []string{"no/such: cannot be read: no such file or directory"}},
		"no baseline":    {[]string{"--baseline", bad, "."}, []string{"--baseline: " + bad + ":1:1: known: want a list of entries, [] for none", ".: is no plain file"}},
		"a directory":    {[]string{"--baseline", ".", "no/such"}, []string{"--baseline: . is there and no plain file", "no/such: cannot be read"}},
		"another result": {[]string{"--baseline", "x.yaml", keep(t, `{"schema": 2, "tool": {"name": "a2a-conform"}}`)}, []string{"is no result of a judging"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			if code := s.do(t, append([]string{"baseline", "update"}, test.args...)...); code != verdict.ExitUsage {
				t.Errorf("exit %d", code)
			}
			for _, want := range test.want {
				if !strings.Contains(s.err.String(), want) {
					t.Errorf("%q is not told:\n%s", want, s.err.String())
				}
			}
		})
	}
	if _, err := os.Stat("x.yaml"); err == nil {
		t.Error("a baseline was written")
	}
}

// TestInCI writes what a job on GitHub wants at once: the report, annotations, a summary, and a file for test viewers.
func TestInCI(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	junit, summary := filepath.Join(dir, "junit.xml"), filepath.Join(dir, "summary.md")
	if err := os.WriteFile(summary, []byte("of an earlier step\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newShell()
	s.env = []string{"GITHUB_STEP_SUMMARY=" + summary}
	if code := s.do(t, broken("--format", "github", "--format", "junit", "--output", junit)...); code != verdict.ExitNonConformant {
		t.Fatalf("exit %d: %s", code, s.err.String())
	}
	report, annotations, found := strings.Cut(s.out.String(), "\n::error title=a2a-conform%3A non-conformant::")
	if !found || !strings.Contains(report, "non-conformant, exit 1") || !strings.Contains(annotations, "::error title=FLOW-06 failed in 1 check::") {
		t.Errorf("on standard output:\n%s", s.out.String())
	}
	page := string(readFile(t, summary))
	if !strings.HasPrefix(page, "of an earlier step\n## ") || !strings.Contains(page, "<b>FLOW-06</b>") {
		t.Errorf("the summary is\n%s", page)
	}
	decoder := xml.NewDecoder(strings.NewReader(string(readFile(t, junit))))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	s = newShell()
	if code := s.do(t, "run", "--format", "github", "--format", "junit"); code != verdict.ExitUsage || !strings.Contains(s.err.String(), "beside github") {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
	s = newShell()
	s.env = []string{"GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "no", "such")}
	if code := s.do(t, "demo"); code != 0 || s.err.Len() > 0 {
		t.Errorf("nobody asked for a summary: exit %d, %s", code, s.err.String())
	}
	if code := s.do(t, "run", "plain-send", "--format", "github"); code != verdict.ExitFault || !strings.Contains(s.err.String(), "GITHUB_STEP_SUMMARY") {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}
