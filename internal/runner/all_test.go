package runner

import (
	"context"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// builtin returns every case that ships with the program.
func builtin(t testing.TB) []scenarios.Case {
	t.Helper()
	files, err := scenarios.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var cases []scenarios.Case
	for _, f := range files {
		cases = append(cases, f.Cases(evidence.ClockVirtual)...)
	}
	return cases
}

func TestTheReferenceClientDoesWhatTheScenariosExpect(t *testing.T) {
	t.Parallel()
	rec, err := RunAll(context.Background(), subject.Reference("test"), builtin(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rec.Session.Faults {
		t.Errorf("%s: %s: %s", f.Scenario, f.Kind, f.Text)
	}
	for _, run := range rec.Runs {
		if run.End.How != evidence.EndSettled {
			t.Errorf("%s ended as %s: %s", run.ID, run.End.How, run.End.Text)
		}
	}
}
