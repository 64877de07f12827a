package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

func TestRunGenerated(t *testing.T) {
	t.Parallel()
	results := make([]verdict.Result, 2)
	for i := range results {
		s := newShell()
		if code := s.do(t, "run", "--generate", "60", "--seed", "9", "--format", "json"); code != 0 {
			t.Fatalf("exit %d: %s%s", code, s.out.String(), s.err.String())
		}
		if err := json.Unmarshal(s.out.Bytes(), &results[i]); err != nil {
			t.Fatal(err)
		}
	}
	one, again := results[0], results[1]
	if one.Summary.Scenarios.Run != 60 || one.Summary.Exchanges < 60 || one.Summary.Checks.Passed < 600 {
		t.Errorf("the summary is %+v", one.Summary)
	}
	if one.Summary != again.Summary {
		t.Errorf("the same seed gave %+v and %+v", one.Summary, again.Summary)
	}
	for _, r := range one.Results {
		if r.Status == "passed" {
			t.Fatalf("a check that passed is in the list: %+v", r)
		}
	}
}

func TestRunOneOfTheGenerated(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "run", "--generate", "60", "--seed", "9", "generated-9-1?", "REQ", "FLOW-03"); code != 0 {
		t.Fatalf("exit %d: %s", code, s.err.String())
	}
	if !strings.Contains(s.out.String(), "10 runs") || strings.Contains(s.out.String(), "CACHE") {
		t.Errorf("it shows\n%s", s.out.String())
	}
}

// It changes the working directory, in which what was found is kept.
func TestWhatBreaksInAGeneratedScenarioIsKeptSmall(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s := newShell()
	if code := s.do(t, "run", "--generate", "80", "--defect", "third-send-after-401", "AUTH-07"); code != verdict.ExitNonConformant {
		t.Fatalf("exit %d: %s%s", code, s.out.String(), s.err.String())
	}
	kept, err := filepath.Glob(filepath.Join(dir, "generated-1-*-auth-07.yaml"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("it kept %v (%v): %s", kept, err, s.err.String())
	}
	if _, err := scenarios.Load(kept, scenarios.Options{}); err != nil {
		t.Error(err)
	}
	content, err := os.ReadFile(kept[0])
	if err != nil || len(strings.Split(string(content), "\n")) > 12 {
		t.Errorf("%v: it kept\n%s", err, content)
	}
	if said := "a2a-conform run --scenarios " + filepath.Base(kept[0]) + " --defect third-send-after-401"; !strings.Contains(s.err.String(), said) {
		t.Errorf("%q is not in what it said: %s", said, s.err.String())
	}
	again := newShell()
	if code := again.do(t, "run", "--scenarios", filepath.Base(kept[0]), "--defect", "third-send-after-401"); code != verdict.ExitNonConformant {
		t.Errorf("the kept scenario ends with exit %d: %s", code, again.out.String())
	}
}

func TestGenerateMistakes(t *testing.T) {
	t.Parallel()
	s := newShell()
	code := s.do(t, "run", "--generate", "none", "--seed", "-1", "--dry-run", "--record", "x", "--scenarios", "y", "--clock", "real", "--slow", "waking-then-ready", "NOPE-1")
	if code != verdict.ExitUsage {
		t.Fatalf("exit %d", code)
	}
	for _, want := range []string{
		`--generate: want a whole number from 1 to 10000000, got "none"`, "--seed: want a whole number", "--dry-run: scenarios that are drawn",
		"--record: scenarios", "--scenarios: scenarios", "--clock real: scenarios", "--slow: scenarios", `filter "waking-then-ready"`, `filter "NOPE-1"`,
	} {
		if !strings.Contains(s.err.String(), want) {
			t.Errorf("%q is not said in\n%s", want, s.err.String())
		}
	}
	none := newShell()
	if code := none.do(t, "run", "--generate", "5", "generated-1-77"); code != verdict.ExitUsage || !strings.Contains(none.err.String(), "none of the 5") {
		t.Errorf("exit %d: %s", code, none.err.String())
	}
}
