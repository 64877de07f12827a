package conform_test

import (
	"context"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

func cases(b *testing.B) []scenarios.Case {
	b.Helper()
	files, err := scenarios.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	return scenarios.Expand(files, evidence.ClockVirtual)
}

func record(b *testing.B, all []scenarios.Case) runner.Recording {
	b.Helper()
	rec, err := runner.RunAll(context.Background(), subject.Reference("bench"), all, runner.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return rec
}

// The whole of a default judging: load, run on virtual time, judge.
func BenchmarkWhole(b *testing.B) {
	runs, checks := 0, 0
	for b.Loop() {
		rec := record(b, cases(b))
		runs += len(rec.Runs)
		checks += len(suites.Judge(rec.Runs, suites.ScopeOf(rec.Session)))
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "scenarios/s")
	b.ReportMetric(float64(checks)/b.Elapsed().Seconds(), "checks/s")
}

// Its three parts, each alone.
func BenchmarkLoad(b *testing.B) {
	n := 0
	for b.Loop() {
		n += len(cases(b))
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "scenarios/s")
}

func BenchmarkRun(b *testing.B) {
	all := cases(b)
	runs := 0
	for b.Loop() {
		runs += len(record(b, all).Runs)
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "scenarios/s")
}

func BenchmarkJudge(b *testing.B) {
	rec := record(b, cases(b))
	checks := 0
	for b.Loop() {
		checks += len(suites.Judge(rec.Runs, suites.ScopeOf(rec.Session)))
	}
	b.ReportMetric(float64(checks)/b.Elapsed().Seconds(), "checks/s")
}
