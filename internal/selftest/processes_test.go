package selftest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// ofProcesses is a self-test of processes in which virtual time is as it is, and what a process does on real time is
// what the command with the defect that lies says does on virtual time: an empty name is the right command.
func ofProcesses(t *testing.T, says func(defect string) string) Processes {
	t.Helper()
	cases := shipped(t, "command-refused", "no-expiry-for-an-hour")
	return Processes{
		Start: func(defect string) (subject.Subject, error) {
			if said := says(defect); said != "" {
				d, _ := defects.Find(said)
				return d.Subject, nil
			}
			return defects.CommandTwin(nil), nil
		},
		Virtual: cases, Real: cases, Within: time.Minute,
		Record: func(ctx context.Context, s subject.Subject, cases []scenarios.Case, _ runner.Options) (runner.Recording, error) {
			return runner.RunAll(ctx, s, cases, runner.Options{Clock: evidence.ClockVirtual, Jobs: 1})
		},
	}
}

func listOf(t *testing.T, names ...string) []defects.Defect {
	t.Helper()
	var list []defects.Defect
	for _, name := range names {
		d, ok := defects.Find(name)
		if !ok {
			t.Fatalf("there is no defect %s", name)
		}
		list = append(list, d)
	}
	return list
}

func TestProcesses(t *testing.T) {
	t.Parallel()
	const noID, noExit, noExpiry, client = "command-id-never-printed", "command-ends-well-when-refused", "command-fallback-of-a-day", "hedges"
	honest := func(defect string) string { return defect }
	tests := map[string]struct {
		says func(string) string
		list []string
		want Started
	}{
		"noticed": {honest, []string{noID, noExit, client}, Started{Commands: 2, Killed: 2, Silent: []string{}, LeftOut: []string{}}},
		"on virtual time only": {honest, []string{noID, noExpiry}, Started{
			Commands: 2, Killed: 1, Silent: []string{}, LeftOut: []string{noExpiry},
		}},
		"a process that does right": {func(string) string { return "" }, []string{noID}, Started{Commands: 1, Silent: []string{noID}, LeftOut: []string{}}},
		"a right one that does wrong": {func(string) string { return noID }, []string{noID}, Started{
			Commands: 1, Silent: []string{noID}, LeftOut: []string{},
		}},
		"none": {honest, []string{client}, Started{Silent: []string{}, LeftOut: []string{}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ofProcesses(t, tt.says).Run(t.Context(), listOf(t, tt.list...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("what came of it (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProcessesAreLeftOutWhenTimeIsUp(t *testing.T) {
	t.Parallel()
	p := ofProcesses(t, func(defect string) string { return defect })
	p.Within = 0
	const name = "command-id-never-printed"
	got, err := p.Run(t.Context(), listOf(t, name))
	if err != nil || got.Killed != 0 || !slices.Equal(got.LeftOut, []string{name}) {
		t.Errorf("got %+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Run(ctx, listOf(t, name)); err == nil {
		t.Error("an interruption is no error")
	}
}

func TestTheWordsOfProcesses(t *testing.T) {
	t.Parallel()
	got := Started{Commands: 4, Killed: 1, Silent: []string{"a", "b"}, LeftOut: []string{"c"}}.words()
	if want := "1 of 4 command lines killed as processes of their own; not noticed: a, b; left out: c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
