package cli

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

func TestRunOnRealTime(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "run", "--clock", "real", "--format", "json", "plain-send", "limit-cut"); code != 0 {
		t.Fatalf("exit %d: %s", code, s.err.String())
	}
	r := readResult(t, s.out.Bytes())
	if r.Clock != evidence.ClockReal || r.Summary.Scenarios.Run != 4 || r.Summary.Checks.Failed != 0 {
		t.Errorf("clock %s, %d runs, %d failed checks; want real, 4 and 0", r.Clock, r.Summary.Scenarios.Run, r.Summary.Checks.Failed)
	}
}

func TestTheRunnerIsToldOfTheClock(t *testing.T) {
	t.Parallel()
	var asked runner.Options
	s := newShell().fake(t, func(_ context.Context, _ []scenarios.Case, o runner.Options) (runner.Recording, error) {
		asked = o
		return held(), nil
	})
	s.do(t, "run", "--clock", "real", "--slow", "plain-send")
	if asked.Clock != evidence.ClockReal || !asked.Slow || !asked.Selection.Slow || asked.Unclear == nil || asked.Control.Settle.Seconds() > 1 {
		t.Errorf("the runner was asked for %+v, want real time with all that goes with it", asked)
	}
	if diff := cmp.Diff([]string{"a2a-conform", "run", "--clock", "real", "--slow", evidence.RepeatFilter}, asked.Repeat); diff != "" {
		t.Errorf("what repeats a run differs (-want +got):\n%s", diff)
	}
}

func TestAClockThatDoesNotExist(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "run", "--clock", "reel"); code != 2 || !strings.Contains(s.err.String(), `--clock: want virtual or real, got "reel", did you mean "real"?`) {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}
