package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/baseline"
)

// action is what of action.yml its test looks at.
type action struct {
	Inputs map[string]struct{ Description, Default string }
	Runs   struct {
		Using string
		Steps []struct {
			Name, Run, Shell string
			Env              map[string]string
		}
	}
}

func readAction(t *testing.T) action {
	t.Helper()
	var a action
	if err := yaml.Unmarshal(readFile(t, "../../action.yml"), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestActionStartsTheProgram runs the last step of the action with a program that writes its arguments.
func TestActionStartsTheProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the action's script is one of bash")
	}
	a := readAction(t)
	step := a.Runs.Steps[len(a.Runs.Steps)-1]
	if a.Runs.Using != "composite" || step.Shell != "bash" {
		t.Fatalf("the action is %q, its last step of %q", a.Runs.Using, step.Shell)
	}
	for name := range a.Inputs {
		if got := step.Env[strings.ToUpper(name)]; got != "${{ inputs."+name+" }}" {
			t.Errorf("the input %s reaches the script as %q", name, got)
		}
	}
	dir := t.TempDir()
	const fake = "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 4\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	reports := []string{"run", "--format", "github", "--format", "junit", "--output", "j.xml", "--format", "json", "--output", "r.json"}
	for title, test := range map[string]struct {
		env  []string
		code int
		want []string
	}{
		"a driver":     {[]string{"DRIVER=python3 'my driver.py' --x=\"a b\""}, 4, append(reports, "--", "python3", "my driver.py", "--x=a b")},
		"a command":    {[]string{"COMMAND=./bin/mycli", "BASELINE=known of mine.yaml", "ARGS=--slow 'waking-*'"}, 4, append(reports, "--baseline", "known of mine.yaml", "--command", "--slow", "waking-*", "--", "./bin/mycli")},
		"both of them": {[]string{"COMMAND=a", "DRIVER=b"}, 2, []string{"::error title=a2a-conform::want one of the inputs driver and command"}},
		"none of them": {nil, 2, []string{"::error title=a2a-conform::want one of the inputs driver and command"}},
	} {
		cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Env = append([]string{"DRIVER=", "COMMAND=", "BASELINE=", "ARGS=", "PATH=" + os.Getenv("PATH"), "RUNNER_TEMP=" + dir, "JUNIT=j.xml", "RESULT=r.json"}, test.env...)
		out, err := cmd.Output()
		if err == nil || cmd.ProcessState.ExitCode() != test.code {
			t.Errorf("%s: %v", title, err)
		}
		if diff := cmp.Diff(test.want, strings.Split(strings.TrimSpace(string(out)), "\n")); diff != "" {
			t.Errorf("%s: %s", title, diff)
		}
	}
}

// examples are the blocks of YAML in a guide.
func examples(t *testing.T, guide string) []string {
	t.Helper()
	parts := strings.Split(string(readFile(t, "../../docs/"+guide)), "```yaml\n")
	var found []string
	for _, part := range parts[1:] {
		text, _, _ := strings.Cut(part, "```\n")
		found = append(found, text)
	}
	return found
}

// TestGuidesHoldWhatTheySay: the examples are YAML, use inputs that there are, and are baselines that are taken.
func TestGuidesHoldWhatTheySay(t *testing.T) {
	t.Parallel()
	ci := examples(t, "ci.md")
	if len(ci) != 2 {
		t.Fatalf("the guide to CI has %d examples", len(ci))
	}
	var github struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(ci[0]), &github); err != nil {
		t.Fatal(err)
	}
	inputs, used := readAction(t).Inputs, 0
	for _, step := range github.Jobs["conformance"].Steps {
		if !strings.HasPrefix(step.Uses, "a2a-conform/") {
			continue
		}
		for input := range step.With {
			used++
			if _, ok := inputs[input]; !ok {
				t.Errorf("the action has no input %s", input)
			}
		}
	}
	var gitlab map[string]struct{ Script []string }
	if err := yaml.Unmarshal([]byte(ci[1]), &gitlab); err != nil || used == 0 {
		t.Fatalf("%v; %d inputs are used", err, used)
	}
	words := strings.Fields(gitlab["conformance"].Script[0])
	if given := parse(newShell().runCommand().Flags(), words[2:]); len(given.problems) > 0 || len(given.behind) == 0 {
		t.Errorf("the command line of the example is wrong: %v", given.problems)
	}
	files := examples(t, "baseline.md")
	for _, text := range files {
		if _, err := baseline.Parse("docs/baseline.md", []byte(text)); err != nil {
			t.Error(err)
		}
	}
	if len(files) == 0 {
		t.Error("the guide to baselines has no example")
	}
}
