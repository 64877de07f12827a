package stranger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// change is one mistake in the reference client, as change.yaml tells it.
type change struct {
	// About says what the client does, as "it …".
	About string `yaml:"about"`
	// File is the source that is changed, from the root of the module, and Edits what is changed in it.
	File  string `yaml:"file"`
	Edits []edit `yaml:"edits"`
	// Rules are all that break in a judging of everything. The first is the one that a stranger must be shown.
	Rules []string `yaml:"rules"`
	// Run is the scenario, or the run, that shows the first rule broken.
	Run string `yaml:"run"`
}

// edit replaces a text that stands in the file once.
type edit struct {
	Old string `yaml:"old"`
	New string `yaml:"new"`
}

func loadChange(t *testing.T, name string) change {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name, "change.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var c change
	if err := yaml.UnmarshalWithOptions(content, &c, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(c.About, "it ") || c.File == "" || len(c.Edits) == 0 || len(c.Rules) == 0 || c.Run == "" {
		t.Fatalf("testdata/%s/change.yaml lacks about, file, edits, rules or run: %+v", name, c)
	}
	return c
}

// apply makes the edits, or says which of them has gone stale.
func (c change) apply(source string) (string, error) {
	for _, e := range c.Edits {
		switch n := strings.Count(source, e.Old); {
		case e.Old == e.New:
			return "", fmt.Errorf("the edit of %q changes nothing", e.Old)
		case n == 0:
			return "", fmt.Errorf("the text to change is no longer in %s: %q", c.File, e.Old)
		case n > 1:
			return "", fmt.Errorf("the text to change is in %s %d times, so it is not clear which is meant: %q", c.File, n, e.Old)
		}
		source = strings.Replace(source, e.Old, e.New, 1)
	}
	return source, nil
}

// build makes the program with the change in it and returns the directory that it is in, under its own name.
func (c change) build(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	original := filepath.Join(root, filepath.FromSlash(c.File))
	source, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := c.apply(string(source))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replacement := filepath.Join(dir, filepath.Base(c.File))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: replacement}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, replacement, []byte(changed))
	write(t, filepath.Join(dir, "overlay.json"), overlay)

	bin := filepath.Join(dir, "bin")
	command := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w",
		"-overlay", filepath.Join(dir, "overlay.json"), "-o", bin+string(filepath.Separator), "./cmd/a2a-conform")
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("build the client when %s: %v\n%s", c.About, err, output)
	}
	return bin
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAStaleChangeIsRefused(t *testing.T) {
	t.Parallel()
	const source = "one two three two\n"
	for name, test := range map[string]struct {
		edits []edit
		want  string
		err   string
	}{
		"applied": {[]edit{{"one", "1"}, {"three", "3"}}, "1 two 3 two\n", ""},
		"gone":    {[]edit{{"four", "4"}}, "", `the text to change is no longer in client/x.go: "four"`},
		"doubled": {[]edit{{"two", "2"}}, "", `the text to change is in client/x.go 2 times, so it is not clear which is meant: "two"`},
		"idle":    {[]edit{{"one", "one"}}, "", `the edit of "one" changes nothing`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := change{File: "client/x.go", Edits: test.edits}.apply(source)
			if got != test.want {
				t.Errorf("the source became %q, want %q", got, test.want)
			}
			if said := fmt.Sprint(err); test.err != "" && said != test.err || test.err == "" && err != nil {
				t.Errorf("the error is %q, want %q", said, test.err)
			}
		})
	}
}

// said is what a run of the program left behind.
type said struct {
	exit           int
	stdout, stderr string
}

// start runs a command line with the program found by its own name, as a shell does that a person types into.
func start(t *testing.T, bin string, argument ...string) said {
	t.Helper()
	command := exec.CommandContext(t.Context(), argument[0], argument[1:]...)
	command.Dir = t.TempDir()
	command.Env = []string{"PATH=" + bin, "GOGC=400"} // memory is cheaper here than time
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return said{exit: command.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
}
