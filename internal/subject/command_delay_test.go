package subject

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

func TestDelaySinceAMoment(t *testing.T) {
	t.Parallel()
	start := time.Now()
	sample := func(second int, waited time.Duration) delaySample {
		return delaySample{start.Add(time.Duration(second) * time.Second), waited}
	}
	long := delays{sample(0, 0), sample(5, 3*time.Second), sample(20, 4*time.Second), sample(28, 6*time.Second)}
	tests := map[string]struct {
		samples delays
		since   int
		want    time.Duration
	}{
		"nothing known":           {nil, 1, 0},
		"all of a life":           {long, -1, 6 * time.Second},
		"from a sample on":        {long, 20, 2 * time.Second},
		"between two samples":     {long, 10, 3 * time.Second},
		"after the last one":      {long, 60, 0},
		"the count ran backwards": {delays{sample(0, time.Second), sample(1, 0)}, 0, 0},
	}
	for name, tt := range tests {
		if got := tt.samples.since(start.Add(time.Duration(tt.since) * time.Second)); got != tt.want {
			t.Errorf("%s: want %s, got %s", name, tt.want, got)
		}
	}
}

func TestReadSchedstat(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want time.Duration
		ok   bool
	}{
		"three numbers": {"720519 153227 2\n", 153227, true},
		"two":           {"720519 153227\n", 0, false},
		"no number":     {"720519 x 2\n", 0, false},
		"below zero":    {"1 -5 2\n", -5, false},
		"nothing":       {"", 0, false},
	}
	for name, tt := range tests {
		if got, ok := readSchedstat(tt.text); got != tt.want || ok != tt.ok {
			t.Errorf("%s: want %s, %t, got %s, %t", name, tt.want, tt.ok, got, ok)
		}
	}
}

func FuzzReadSchedstat(f *testing.F) {
	f.Add("1 2 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		if waited, ok := readSchedstat(text); ok && waited < 0 {
			t.Errorf("%q: want no time below zero, got %s", text, waited)
		}
	})
}

// TestDelayOfAProcess: one that has ended, and was not waited for, can still be asked.
func TestDelayOfAProcess(t *testing.T) {
	t.Parallel()
	_, known := waitedOf(os.Getpid())
	if known != (runtime.GOOS == "linux") {
		t.Errorf("want it known on Linux alone, got %t", known)
	}
	if _, ok := waitedOf(1 << 30); ok {
		t.Error("want nothing known of a process that is not there")
	}
}

func TestCostIsThatOfTheCostliestStart(t *testing.T) {
	t.Parallel()
	c := &CommandLine{}
	if got := c.Cost(); got != 0 {
		t.Errorf("want nothing before the first start, got %s", got)
	}
	for _, took := range []time.Duration{time.Second, 3 * time.Second, 2 * time.Second} {
		c.spent(took)
	}
	if got := c.Cost(); got != 3*time.Second {
		t.Errorf("want 3s, got %s", got)
	}
	if _, err := exec.LookPath("/bin/sh"); err != nil {
		t.Skip("this system has no shell to start")
	}
	made, err := Command([]string{"/bin/sh", "-c", "exit 0"}, CommandOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := made.Identify(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := made.Cost(); got <= 0 || got > time.Minute {
		t.Errorf("want what starting a shell takes, got %s", got)
	}
}

// TestChangesOfAHome: a file that comes is seen, whenever its directory was read last.
func TestChangesOfAHome(t *testing.T) {
	t.Parallel()
	hs, err := newHomes("", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hs.remove() })
	h, err := hs.of("a")
	if err != nil {
		t.Fatal(err)
	}
	if (changes{}).current() {
		t.Error("want what was never read not to be current")
	}
	<-time.After(2 * coarse)
	seen := h.changes()
	if !seen.current() {
		t.Error("want a home in which nothing happens to be as it was read")
	}
	if err := os.WriteFile(h.dir()+"/new", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if seen.current() || h.changes().current() {
		t.Error("want a new file to be noticed, and its directory to be read again soon after")
	}
	if err := os.RemoveAll(h.work()); err != nil {
		t.Fatal(err)
	}
	if seen.current() {
		t.Error("want a directory that is gone to be noticed")
	}
}
