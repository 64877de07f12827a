package stranger

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestWhatAStrangerSees builds each changed client and compares what the program says of it.
func TestWhatAStrangerSees(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) < 10 {
		t.Fatalf("testdata holds %d changes, want ten at least", len(entries))
	}
	turns := make(chan struct{}, 2) // a build and a judging want a processor each
	for _, entry := range entries {
		t.Run(entry.Name(), func(t *testing.T) {
			t.Parallel()
			turns <- struct{}{}
			defer func() { <-turns }()
			look(t, entry.Name())
		})
	}
}

func look(t *testing.T, name string) {
	t.Helper()
	c := loadChange(t, name)
	bin := c.build(t)
	program := filepath.Join(bin, programName())

	report := filepath.Join(t.TempDir(), "result.json")
	all := start(t, bin, program, "run", "--jobs", "1", "--format", "json", "--output", report)
	if all.exit != verdict.ExitNonConformant || all.stderr != "" {
		t.Errorf("judging everything ended with exit %d, want %d, and says on standard error: %s", all.exit, verdict.ExitNonConformant, all.stderr)
	}
	result := read(t, report)
	if diff := cmp.Diff(sorted(c.Rules), broken(result)); diff != "" {
		t.Errorf("when %s, other rules break (- expected, + seen):\n%s", c.About, diff)
	}
	if len(result.Faults) > 0 {
		t.Errorf("the fault is looked for in the harness: %+v", result.Faults)
	}
	if block(all.stdout, c.Rules[0]) == "" {
		t.Errorf("the console does not show %s:\n%s", c.Rules[0], all.stdout)
	}

	narrowed := start(t, bin, program, "run", c.Rules[0], c.Run)
	if narrowed.exit != verdict.ExitNonConformant {
		t.Errorf("the narrowed judging ended with exit %d, want %d: %s", narrowed.exit, verdict.ExitNonConformant, narrowed.stderr)
	}
	shown := block(narrowed.stdout, c.Rules[0])
	golden(t, filepath.Join("testdata", name, "console.golden"), shown)
	repeat(t, bin, shown, c.Rules[0])
}

// repeat types the command of a block into a shell: it must show the rule broken again.
func repeat(t *testing.T, bin, shown, rule string) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no POSIX shell here to type the repeat command into")
	}
	line := ""
	for row := range strings.Lines(shown) {
		if words, ok := strings.CutPrefix(row, "  repeat "); ok {
			line = strings.TrimSpace(words)
		}
	}
	again := start(t, bin, shell, "-c", line)
	if again.exit != verdict.ExitNonConformant || block(again.stdout, rule) == "" {
		t.Errorf("%q ended with exit %d and does not show %s broken:\n%s%s", line, again.exit, rule, again.stdout, again.stderr)
	}
}

func programName() string {
	if runtime.GOOS == "windows" {
		return "a2a-conform.exe"
	}
	return "a2a-conform"
}

func read(t *testing.T, report string) verdict.Result {
	t.Helper()
	content, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var result verdict.Result
	if err := json.Unmarshal(content, &result); err != nil {
		t.Fatal(err)
	}
	return result
}

// broken lists the rules that failed.
func broken(r verdict.Result) []string {
	var rules []string
	for _, rule := range r.Rules {
		if rule.Status == verdict.RuleFailed {
			rules = append(rules, rule.Rule)
		}
	}
	return sorted(rules)
}

func sorted(rules []string) []string { return slices.Sorted(slices.Values(rules)) }

// block cuts a rule's block out of the console report: from its line to the next empty one.
func block(console, rule string) string {
	_, rest, found := strings.Cut(console, "\n\n"+rule+"  ")
	if !found {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n\n")
	return rule + "  " + rest + "\n"
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		write(t, file, []byte(got))
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; read it as somebody new would, and run the test with -update if it is right:\n%s", file, diff)
	}
}
