package arch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCoverageScript holds the script that holds the coverage: it merges the
// lines of several test binaries, and a package that is short or absent fails.
func TestCoverageScript(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no POSIX shell here, and make does not run either")
	}
	script := filepath.Join("..", "..", "scripts", "coverage")
	profile := filepath.Join(t.TempDir(), "profile")
	// client: 9 of 10, the 9 by the second binary alone; suites: 1 of 2.
	lines := []string{
		"mode: atomic",
		module + "/client/a.go:1.1,2.2 9 0", module + "/client/a.go:3.1,4.2 1 0",
		module + "/client/a.go:1.1,2.2 9 7", module + "/client/a.go:3.1,4.2 1 0",
		module + "/suites/a.go:1.1,2.2 1 1", module + "/suites/a.go:3.1,4.2 1 0",
	}
	if err := os.WriteFile(profile, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		packages []string
		pass     bool
		shows    string
	}{
		{[]string{"client"}, true, "90.0 % of 10 statements"},
		{[]string{"client", "suites"}, false, "50.0 % of 2 statements, at least 90 % wanted"},
		{[]string{"client", "absent"}, false, "no statement in the profile"},
	} {
		t.Run(strings.Join(test.packages, "+"), func(t *testing.T) {
			t.Parallel()
			output, err := exec.CommandContext(t.Context(), shell, append([]string{script, profile, "90"}, test.packages...)...).CombinedOutput()
			if (err == nil) != test.pass {
				t.Errorf("passed = %t, want %t", err == nil, test.pass)
			}
			if !strings.Contains(string(output), test.shows) {
				t.Errorf("it shows\n%swithout %q", output, test.shows)
			}
		})
	}
}
