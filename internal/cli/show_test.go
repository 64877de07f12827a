package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/report"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	s := newShell()
	s.do(t, "explain", "FLOW-06")
	rest := s.out.String()
	for _, want := range []string{
		"FLOW-06  MUST, binds a client (C)\n", "the subject    must not resolve again before", "source         ADR-0029, Decision 3", "rests on       2 sentences of the text (SHA-256 1bf41d2d 584dcdcc)",
		"needs          nothing beyond", "right          ", "wrong          ", "usual cause    ", "exercised by   ", "waking-then-ready",
		"variants       ", "try it         a2a-conform run FLOW-06",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is not there, or not where it belongs, in\n%s", want, s.out.String())
		}
		rest = after
	}
}

func TestExplainEveryRule(t *testing.T) {
	t.Parallel()
	for _, rule := range suites.Rules() {
		s := newShell()
		code := s.do(t, "explain", rule.ID)
		if code != verdict.ExitOK || !strings.HasPrefix(s.out.String(), rule.ID+"  "+string(rule.Level)) {
			t.Errorf("%s: exit %d: %s", rule.ID, code, s.err.String())
		}
		for line := range strings.Lines(s.out.String()) {
			if len([]rune(line)) > report.DefaultWidth+1 && strings.Contains(strings.TrimSpace(line[15:]), " ") {
				t.Errorf("%s: %q is too long", rule.ID, line)
			}
		}
	}
}

func TestListRules(t *testing.T) {
	t.Parallel()
	s := newShell()
	s.env = []string{"COLUMNS=90"}
	if code := s.do(t, "list", "rules"); code != 0 || strings.Count(s.out.String(), "\n") != len(suites.Rules()) {
		t.Errorf("exit %d, %d lines", code, strings.Count(s.out.String(), "\n"))
	}
	for line := range strings.Lines(s.out.String()) {
		if len([]rune(line)) > 91 {
			t.Errorf("%q is too long", line)
		}
	}
	s = newShell()
	s.do(t, "list", "rules", "--format", "json")
	var list []listedRule
	if err := json.Unmarshal(s.out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(r listedRule) bool { return r.Rule == "FLOW-06" })
	if len(list) != len(suites.Rules()) || i < 0 || list[i].Level != suites.Must || list[i].Needs == nil {
		t.Fatalf("%d rules, FLOW-06 is the one at %d", len(list), i)
	}
	if !slices.Contains(list[i].Cases, "waking-then-ready") {
		t.Errorf("FLOW-06 has the cases %q", list[i].Cases)
	}
	s = newShell()
	if code := s.do(t, "list", "rules", "-v"); code != 0 || !strings.Contains(s.out.String(), "waking-then-ready (1 run)") {
		t.Errorf("exit %d: %s", code, s.out.String())
	}
}

func TestExplainAChapter(t *testing.T) {
	t.Parallel()
	s := newShell()
	code := s.do(t, "explain", "auth")
	lines := strings.Split(strings.TrimSpace(s.out.String()), "\n")
	if code != 0 || len(lines) != len(chapterRules("AUTH")) {
		t.Errorf("exit %d: %s", code, s.out.String())
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "AUTH-") {
			t.Errorf("%q is listed", line)
		}
	}
}

// TestWhatIsNotJudgedYet keeps the list of what is to come apart from what there is.
func TestWhatIsNotJudgedYet(t *testing.T) {
	t.Parallel()
	for _, rule := range suites.Rules() {
		if notJudgedYet(rule.ID) || notJudgedYet(rule.Chapter()) {
			t.Errorf("%s is judged", rule.ID)
		}
	}
	for id, want := range map[string]bool{
		"RUN": true, "RUN-13": true, "RUN-14": false, "RUN-5": false, "RUN-": false, "RUN-00": false, "CLI-05": false, "CLI": false, "BUD-23": false, "": false,
	} {
		if notJudgedYet(id) != want {
			t.Errorf("%q: want %t", id, want)
		}
	}
}

func TestListScenarios(t *testing.T) {
	t.Parallel()
	files, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	s := newShell()
	if code := s.do(t, "list", "scenarios"); code != 0 || strings.Count(s.out.String(), "\n") != len(files) {
		t.Errorf("exit %d, %d lines", code, strings.Count(s.out.String(), "\n"))
	}
	s = newShell()
	s.do(t, "list", "scenarios", "--format=json")
	var list []listedScenario
	if err := json.Unmarshal(s.out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(l listedScenario) bool { return l.Scenario == "waking-then-ready" })
	if i < 0 || !slices.Contains(list[i].Covers, "FLOW-06") || !slices.Equal(list[i].Runs, []string{"waking-then-ready"}) {
		t.Errorf("waking-then-ready stands at %d of %d", i, len(list))
	}
}

func TestListDefects(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "list", "defects"); code != 0 || strings.Count(s.out.String(), "\n") != len(defects.All()) {
		t.Errorf("exit %d, %d lines", code, strings.Count(s.out.String(), "\n"))
	}
	s = newShell()
	s.do(t, "list", "defects", "--format=json")
	var list []listedDefect
	if err := json.Unmarshal(s.out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(list, func(d listedDefect) bool { return d.Defect == demoDefect && d.Kills == "FLOW-06" && d.Also != nil }) {
		t.Errorf("%s is not among %d defects", demoDefect, len(list))
	}
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	for _, schema := range publishedSchemas() {
		s := newShell()
		if code := s.do(t, "schema", schema.name); code != 0 || !bytes.Equal(s.out.Bytes(), schema.text()) || !json.Valid(s.out.Bytes()) {
			t.Errorf("%s: exit %d, %d bytes", schema.name, code, s.out.Len())
		}
	}
}

func TestConsoleOfATerminalOnly(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = null.Close() })
	s := newShell()
	s.stdout, s.stderr = null, null
	if got := s.console(); got.Colour || got.Width != 0 {
		t.Errorf("the null device is taken for a terminal: %+v", got)
	}
	if show, wipe := s.progress(); show != nil || wipe == nil {
		t.Error("progress is shown where nobody looks")
	}
	s.env = []string{"COLUMNS=72", "HOME=x"}
	if got := s.console().Width; got != 72 {
		t.Errorf("width %d, COLUMNS says 72", got)
	}
	s.env = []string{"COLUMNS=wide"}
	if got := s.width(); got != report.DefaultWidth {
		t.Errorf("width %d", got)
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 10, 11, 0, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	show, wipe := progressOn(&out, func() time.Time { return now })
	for done := 1; done <= 30; done++ {
		show(done, 30)
		now = now.Add(40 * time.Millisecond)
	}
	wipe()
	if got := strings.Count(out.String(), "\r"); got != 10+2 {
		t.Errorf("%d returns of the carriage for 1.2 s: %q", got, out.String())
	}
	if !strings.HasPrefix(out.String(), "\r1 of 30 runs\r4 of 30 runs") || !strings.HasSuffix(out.String(), "\r"+strings.Repeat(" ", 13)+"\r") {
		t.Errorf("progress reads %q", out.String())
	}
	out.Reset()
	_, wipe = progressOn(&out, time.Now)
	wipe()
	if out.Len() > 0 {
		t.Errorf("a line that was never written is wiped: %q", out.String())
	}
}

func TestDemoScenariosAreFew(t *testing.T) {
	t.Parallel()
	files, err := scenarios.Builtin(demoScenarios()...)
	if err != nil || len(files) != len(demoScenarios()) {
		t.Fatalf("%d files: %v", len(files), err)
	}
}
