package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

func readResult(t *testing.T, data []byte) verdict.Result {
	t.Helper()
	var r verdict.Result
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("%v in %.200s", err, data)
	}
	return r
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRunRecordJudge is the whole way: a run that is recorded, and the recording judged again with an equal result.
func TestRunRecordJudge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recorded, file := filepath.Join(dir, "evidence"), filepath.Join(dir, "result.json")
	s := newShell()
	code := s.do(t, "run", "plain-send", "waking-*", "--record", recorded, "--format", "json", "--output", file, "--jobs", "2")
	kept := "a2a-conform: the recording is in " + recorded + "; a2a-conform judge judges it again\n"
	if code != 0 || !strings.Contains(s.out.String(), "conformant in part, exit 0: ") || s.err.String() != kept {
		t.Fatalf("exit %d: %s%s", code, s.out.String(), s.err.String())
	}
	ran := readResult(t, readFile(t, file))
	if ran.Verdict != verdict.PartConformant || ran.Summary.Scenarios.Run < 2 || ran.Tool.Version != "v1.2.0" {
		t.Errorf("%s after %d runs of %s", ran.Verdict, ran.Summary.Scenarios.Run, ran.Tool.Version)
	}
	if diff := cmp.Diff([]string{"plain-send", "waking-*"}, ran.Selection.Scenarios); diff != "" {
		t.Error(diff)
	}
	again := newShell()
	if code := again.do(t, "judge", recorded, "--format", "json"); code != 0 {
		t.Fatalf("exit %d: %s", code, again.err.String())
	}
	if diff := cmp.Diff(ran, readResult(t, again.out.Bytes()), cmpopts.IgnoreFields(verdict.Result{}, "DurationMS")); diff != "" {
		t.Errorf("the recording is judged differently:\n%s", diff)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("beside the recording and the result there is something left: %v, %v", entries, err)
	}
}

func TestEveryFormatGoesToItsFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text, data := filepath.Join(dir, "a.txt"), filepath.Join(dir, "a.json")
	if err := os.WriteFile(text, []byte("of yesterday"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newShell()
	code := s.do(t, "run", "FLOW-06", "waking-then-ready", "-v", "--format", "console", "--output", text, "--format=json", "--output="+data)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, s.err.String())
	}
	if diff := cmp.Diff(s.out.String(), string(readFile(t, text))); diff != "" {
		t.Errorf("the console report of the file differs from that of standard output:\n%s", diff)
	}
	r := readResult(t, readFile(t, data))
	if len(r.Rules) != 1 || r.Rules[0].Rule != "FLOW-06" || r.Exit != 0 {
		t.Errorf("judged are %v with exit %d", r.Rules, r.Exit)
	}
}

func TestDemo(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "demo"); code != 0 || !strings.Contains(s.out.String(), "reference v1.2.0: judged by ADR-0029") {
		t.Errorf("exit %d: %s%s", code, s.out.String(), s.err.String())
	}
}

func TestDemoFailDiagnoses(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "demo", "--fail"); code != verdict.ExitNonConformant {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
	rest := s.out.String()
	for _, want := range []string{
		"waits-for-half-a-second: judged by ADR-0029, revision 2026-10-11", "1 failed", "\nFLOW-06  MUST, failed in 1 of 1 check",
		"\n  obligation     the subject must not resolve again before", "(ADR-0029, Decision 3)", "\n  seen           resolved again 0.5s after",
		"    >  0.501009s  POST ", "\n  expected       ", "\n  usual cause    ",
		"\n  repeat         a2a-conform run --defect waits-for-half-a-second FLOW-06 waking-then-ready\n", "\nnon-conformant, exit 1: 1 rule broken: FLOW-06\n",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is not there, or not where it belongs, in\n%s", want, s.out.String())
		}
		rest = after
	}
	again := newShell()
	if code := again.do(t, "run", "--defect", demoDefect, "FLOW-06", "waking-then-ready"); code != verdict.ExitNonConformant {
		t.Errorf("the command that repeats it gives exit %d: %s", code, again.err.String())
	}
}

// held is a recording of nothing, after a control that held.
func held() runner.Recording {
	return runner.Recording{Session: evidence.Session{Control: evidence.Control{Held: true}}}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		find  func(context.Context, []scenarios.Case, runner.Options) (runner.Recording, error)
		args  []string
		code  int
		shows string
	}{
		"the control failed": {
			find: func(context.Context, []scenarios.Case, runner.Options) (runner.Recording, error) {
				return runner.Recording{Session: evidence.Session{Control: evidence.Control{Text: "nothing arrived"}}}, nil
			},
			code: verdict.ExitNotJudged, shows: "not judged, exit 3: the plain success case did not succeed, so nothing was judged: nothing arrived",
		},
		"nothing was recorded": {
			find: func(context.Context, []scenarios.Case, runner.Options) (runner.Recording, error) { return held(), nil },
			code: verdict.ExitNotJudged, shows: "no rule applied to anything that was recorded",
		},
		"a fault of a scenario": {
			find: func(context.Context, []scenarios.Case, runner.Options) (runner.Recording, error) {
				rec := held()
				rec.Session.Faults = []evidence.Fault{{Scenario: "plain-send", Kind: "expect", Text: "2 sends, the file expects 1"}}
				return rec, nil
			},
			code: verdict.ExitFault, shows: "plain-send (expect): 2 sends, the file expects 1",
		},
		"a scenario that covers less than it says": {
			find: func(context.Context, []scenarios.Case, runner.Options) (runner.Recording, error) {
				rec := held()
				rec.Runs = []evidence.Run{{ID: "plain-send"}}
				return rec, nil
			},
			code: verdict.ExitFault, shows: "the file says that it covers",
		},
		"the runner cannot": {
			find: func(context.Context, []scenarios.Case, runner.Options) (runner.Recording, error) {
				return runner.Recording{}, errors.New("GODEBUG=asynctimerchan=1 is set")
			},
			code: verdict.ExitFault, shows: "a2a-conform: make the runs: GODEBUG=asynctimerchan=1 is set",
		},
		"the time is over": {
			find: func(ctx context.Context, _ []scenarios.Case, _ runner.Options) (runner.Recording, error) {
				<-ctx.Done()
				rec := held()
				rec.Incomplete = "1 of 2 runs were made when the time for the whole judging was over"
				return rec, nil
			},
			args: []string{"--timeout", "1ms"},
			code: verdict.ExitNotJudged, shows: "the time for the whole judging was over (--timeout 1ms)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell().fake(t, test.find)
			code := s.do(t, append([]string{"run", "plain-send"}, test.args...)...)
			told := strings.Join(strings.Fields(s.out.String()+s.err.String()), " ")
			if code != test.code || !strings.Contains(told, test.shows) {
				t.Errorf("exit %d, want %d with %q:\n%s%s", code, test.code, test.shows, s.out.String(), s.err.String())
			}
		})
	}
}

func TestInterruptionIsNoVerdict(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	s := newShell().fake(t, func(ctx context.Context, _ []scenarios.Case, _ runner.Options) (runner.Recording, error) {
		cancel()
		<-ctx.Done()
		rec := held()
		rec.Runs = make([]evidence.Run, 1)
		return rec, nil
	})
	code := s.main(ctx, []string{"run", "plain-send", "waking-then-ready", "--record", dir, "--format", "json", "--output", dir + "/a.json"})
	if code != verdict.ExitInterrupted || s.out.Len() > 0 || s.err.String() != "a2a-conform: interrupted after 1 of 2 runs; nothing was judged\n" {
		t.Errorf("exit %d: %s%s", code, s.out.String(), s.err.String())
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("something was written: %v, %v", entries, err)
	}
}

func TestWhatTheRunnerIsAsked(t *testing.T) {
	t.Parallel()
	var asked runner.Options
	var ids []string
	s := newShell().fake(t, func(_ context.Context, cases []scenarios.Case, o runner.Options) (runner.Recording, error) {
		for _, c := range cases {
			ids = append(ids, c.ID)
		}
		asked = o
		return held(), nil
	})
	s.do(t, "run", "--level", "SHOULD", "--jobs", "7", "REQ", "waking-then-ready")
	got := []any{ids, asked.Jobs, asked.Selection, asked.Repeat, asked.Control.ID, asked.Tool, asked.Contract}
	want := []any{
		[]string{"waking-then-ready"}, 7,
		evidence.Selection{Rules: []string{"REQ"}, Scenarios: []string{"waking-then-ready"}, Level: "SHOULD"},
		[]string{"a2a-conform", "run", "{filter}"}, "plain-send",
		evidence.Tool{Name: "a2a-conform", Version: "v1.2.0"}, evidence.Contract{ID: "ADR-0029", Revision: "2026-10-11"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const ownScenario = `scenario: mine
about: A plain send of my own.
covers: [REQ-02]
calls:
  - send: {message: hello, timeout: 30s}
when:
  platform.resolve_access:
    - reply: {ready: {}}
  runtime.send_message:
    - reply: {message: {text: hello}}
`

// TestAdvice wants the word on one's own client where the reference client was judged, and nowhere else.
func TestAdvice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, recorded := filepath.Join(dir, "mine.yaml"), filepath.Join(dir, "evidence")
	if err := os.WriteFile(file, []byte(ownScenario), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want bool
	}{
		{[]string{"run", "plain-send", "--record", recorded}, true},
		{[]string{"judge", recorded}, false},
		{[]string{"run", "--scenarios", file}, false},
		{[]string{"run", "plain-send", "--defect", demoDefect}, false},
		{[]string{"demo"}, false},
	} {
		s := newShell()
		code := s.do(t, test.args...)
		if code != 0 || strings.Contains(s.out.String(), "To judge your own Go client") != test.want {
			t.Errorf("%q: exit %d, the advice is wanted: %t\n%s%s", test.args, code, test.want, s.out.String(), s.err.String())
		}
		if test.want && strings.Contains(s.out.String(), "Not claimed") {
			t.Errorf("%q: the reference client is said to leave something out:\n%s", test.args, s.out.String())
		}
	}
}

func TestAnyLetterCaseOfARule(t *testing.T) {
	t.Parallel()
	s := newShell()
	code := s.do(t, "run", "flow-06", "waking-then-ready", "--level", "should", "--format", "json")
	r := readResult(t, s.out.Bytes())
	want := evidence.Selection{Rules: []string{"FLOW-06"}, Scenarios: []string{"waking-then-ready"}, Level: "SHOULD"}
	if diff := cmp.Diff(want, r.Selection); code != 0 || diff != "" {
		t.Errorf("exit %d: %s\n%s", code, s.err.String(), diff)
	}
}

func TestOwnScenarios(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(ownScenario), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newShell()
	code := s.do(t, "run", "--scenarios", file, "--format", "json")
	r := readResult(t, s.out.Bytes())
	if code != 0 || r.Verdict != verdict.PartConformant || r.Summary.Scenarios.Run != 1 {
		t.Errorf("exit %d, %s after %d runs", code, r.Verdict, r.Summary.Scenarios.Run)
	}
	if diff := cmp.Diff([]string{"mine"}, r.Selection.Scenarios); diff != "" {
		t.Error(diff)
	}
	s = newShell()
	if code := s.do(t, "validate", file); code != 0 || s.out.String() != "1 scenario, 1 run: nothing is wrong with them\n" {
		t.Errorf("exit %d: %s%s", code, s.out.String(), s.err.String())
	}
	broken := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(broken, []byte(strings.ReplaceAll(ownScenario, "REQ-02", "REQ-0")+"wen: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run", "--scenarios", broken}, {"validate", broken}} {
		s = newShell()
		if code := s.do(t, args...); code != verdict.ExitUsage || strings.Count(s.err.String(), broken+":") != 2 {
			t.Errorf("%v gives exit %d: %s", args, code, s.err.String())
		}
	}
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	s := newShell()
	s.record = nil
	if code := s.do(t, "run", "--dry-run", "plain-send", "waking-then-ready"); code != 0 {
		t.Fatalf("exit %d: %s", code, s.err.String())
	}
	for _, want := range []string{"waking-then-ready ", "plain-send ", "\n2 runs would be made, covering ", "\nREQ-02 REQ-03 "} {
		if !strings.Contains(s.out.String(), want) {
			t.Errorf("%q is not in\n%s", want, s.out.String())
		}
	}
}

func TestDryRunTellsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	const sampled, slow, unclaimed, others = "not in the sample", "would not: slow\n", "which the subject does not claim", "would not:"
	for name, test := range map[string]struct {
		args      []string
		want, not []string
	}{
		"a sample for a command":  {[]string{"--command", "--", os.Args[0]}, []string{sampled, slow, unclaimed}, nil},
		"all for a command":       {[]string{"--command", "--all", "--", os.Args[0]}, []string{slow, unclaimed}, []string{sampled}},
		"a driver, not yet asked": {[]string{"TASK-04", "LIM-09", "--", os.Args[0]}, []string{"\nwait-", slow}, []string{sampled, unclaimed}},
		"slow":                    {[]string{"LIM-09", "--slow", "--", os.Args[0]}, nil, []string{others}},
		"the reference":           {[]string{"plain-send"}, []string{"\n1 run would be made, "}, []string{others}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			s.record = nil
			if code := s.do(t, append([]string{"run", "--dry-run"}, test.args...)...); code != 0 {
				t.Fatalf("exit %d: %s", code, s.err.String())
			}
			for _, want := range test.want {
				if !strings.Contains(s.out.String(), want) {
					t.Errorf("%q is not in\n%s", want, s.out.String())
				}
			}
			for _, not := range test.not {
				if strings.Contains(s.out.String(), not) {
					t.Errorf("%q is in\n%s", not, s.out.String())
				}
			}
		})
	}
}

func TestAFileIsReplacedWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := replace(file, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half of"); err != nil {
			return err
		}
		return errors.New("stop")
	})
	entries, _ := os.ReadDir(dir)
	if err == nil || string(readFile(t, file)) != "before" || len(entries) != 1 {
		t.Errorf("error %v, the file holds %q, the directory %v", err, readFile(t, file), entries)
	}
	if err := replace(file, func(w io.Writer) error { _, err := io.WriteString(w, "after"); return err }); err != nil || string(readFile(t, file)) != "after" {
		t.Errorf("error %v, the file holds %q", err, readFile(t, file))
	}
	if err := replace(filepath.Join(dir, "none", "a"), func(io.Writer) error { return nil }); err == nil {
		t.Error("a file was made in a directory that is not there")
	}
}

func TestOutputThatIsTakenAwayMeanwhile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "reports")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--format", "json", "--output", dir + "/a.json"}, {"--record", dir + "/evidence"}} {
		s := newShell().fake(t, func(context.Context, []scenarios.Case, runner.Options) (runner.Recording, error) {
			rec := held()
			rec.Session.Control.Held = false
			return rec, errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600))
		})
		code := s.do(t, slices.Concat([]string{"run", "plain-send"}, flags)...)
		if code != verdict.ExitFault || !bytes.HasPrefix(s.err.Bytes(), []byte("a2a-conform: ")) {
			t.Errorf("%v: exit %d: %s", flags, code, s.err.String())
		}
		if err := errors.Join(os.Remove(dir), os.Mkdir(dir, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
}
