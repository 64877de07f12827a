package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/internal/selftest"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

func TestTheDefectiveCommandIsFoundByName(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":                                    "give the name",
		"none":                                "",
		"command-id-never-printed":            "",
		"command-answer-on-one-line":          "",
		"command-id-never-print":              `"command-id-never-print", did you mean "command-id-never-printed"?`,
		"never-sends":                         "no command line has the defect",
		"command-answer-on-one-line --help x": "",
	} {
		_, problem := defective(strings.Fields(args))
		if (problem == "") != (want == "") || !strings.Contains(problem, want) {
			t.Errorf("%q: %q, want %q", args, problem, want)
		}
	}
}

func TestTheDefectiveCommandIsNotInTheHelp(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "--help"); code != verdict.ExitOK || strings.Contains(s.out.String(), defectiveWord) {
		t.Errorf("exit %d: %s", code, s.out.String())
	}
	if code := s.do(t, defectiveWord, "no-such-thing"); code != verdict.ExitUsage {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}

// A defect is noticed in a process of its own too: this test's program is that process.
func TestSelftestStartsCommands(t *testing.T) {
	t.Parallel()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := newShell()
	s.env = append(s.env, "PATH="+os.Getenv("PATH"))
	s.self = []string{"env", programVariable + "=1", path}
	if code := s.do(t, "selftest", "command-id-never-printed", "command-fallback-of-a-day", "--format", "json"); code != verdict.ExitOK {
		t.Fatalf("exit %d: %s%s", code, s.out.String(), s.err.String())
	}
	var found selftest.Result
	if err := json.Unmarshal(s.out.Bytes(), &found); err != nil {
		t.Fatal(err)
	}
	if p := found.Processes; p == nil || p.Commands != 2 || p.Killed != 1 || len(p.LeftOut) != 1 {
		t.Errorf("the processes: %+v", p)
	}
}
