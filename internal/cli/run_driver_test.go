//go:build unix

package cli

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestRunStartsASecondProcessOfADriver looks at what a judging of enough cases starts, and that nothing of it is left.
func TestRunStartsASecondProcessOfADriver(t *testing.T) {
	t.Parallel()
	for jobs, want := range map[string]int{"8": 2, "1": 1} {
		pids, covered := t.TempDir(), t.TempDir()
		s := newShell()
		code := s.do(t, "run", "plain-send", "refresh-fails", "resolve-fails-with-access", "--jobs", jobs, "--env", driverVariable+"=sound",
			"--env", pidsVariable+"="+pids, "--env", "GOCOVERDIR="+covered, "--", os.Args[0])
		if code != 0 || !strings.Contains(s.out.String(), "8 runs") {
			t.Errorf("--jobs %s: exit %d\n%s%s", jobs, code, s.out.String(), s.err.String())
		}
		entries, err := os.ReadDir(pids)
		if err != nil || len(entries) != want {
			t.Errorf("--jobs %s: %d processes said hello, want %d: %v", jobs, len(entries), want, err)
		}
		for _, entry := range entries {
			pid, err := strconv.Atoi(entry.Name())
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(-pid, 0); err == nil {
				t.Errorf("--jobs %s: the process group %d is left", jobs, pid)
			}
		}
	}
}
