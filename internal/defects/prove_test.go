package defects

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// What selftest proves of all clients is tried here on a sample, where races are looked for.

// sample is of how many defects one is tried.
const sample = 8

// casesThat lists the cases of the scenarios that ship with the program, those that fit.
func casesThat(t *testing.T, fits func(scenarios.Case) bool) []scenarios.Case {
	t.Helper()
	files, err := scenarios.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(scenarios.Expand(files, evidence.ClockVirtual), func(c scenarios.Case) bool { return !fits(c) })
}

func try(t *testing.T, s subject.Subject, cases []scenarios.Case) []suites.Check {
	t.Helper()
	rec, err := runner.RunAll(t.Context(), s, cases, runner.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rec.Session.Faults {
		t.Errorf("a fault of the harness in %s: %s", f.Scenario, f.Text)
	}
	return suites.Judge(rec.Runs, suites.ScopeOf(rec.Session))
}

func TestADefectIsNoticedByItsRule(t *testing.T) {
	t.Parallel()
	all := casesThat(t, func(c scenarios.Case) bool { return !heavy(c) })
	for i, d := range All() {
		if i%sample != 0 {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			var shown []scenarios.Case
			for _, c := range all {
				if c.Scenario == d.Shows {
					shown = append(shown, c)
				}
			}
			checks := try(t, d.Subject, shown)
			if p, ok := switchesOf(d.Subject); ok && !p.reached.Load() {
				t.Error("the place where it is wrong was never reached")
			}
			if !slices.ContainsFunc(checks, func(c suites.Check) bool {
				return c.Rule == d.Kills && (c.Status == suites.Failed || c.Level == suites.Should && c.Status == suites.Warned)
			}) {
				t.Errorf("%s was not broken in %d cases of %s", d.Kills, len(shown), d.Shows)
			}
		})
	}
}

// heavy tells whether a case moves so many bytes that it takes seconds where races are looked for.
func heavy(c scenarios.Case) bool {
	const much = 1 << 20
	for _, step := range c.Calls {
		for _, call := range append(slices.Clone(step.Together), *orNone(step.Call)) {
			for _, f := range call.Input.Files {
				if f.Size >= much {
					return true
				}
			}
			if call.Input.Message.Or(scenarios.Text{}).Bytes >= much {
				return true
			}
		}
	}
	return false
}

func orNone(call *scenarios.Call) *scenarios.Call {
	if call == nil {
		return &scenarios.Call{}
	}
	return call
}

func TestNoRuleThatBindsBreaksForAVariant(t *testing.T) {
	t.Parallel()
	light := casesThat(t, func(c scenarios.Case) bool { return !heavy(c) })
	variants := append(Variants(), Variant{Name: "without-a-switch", Subject: Twin(nil)}, Variant{Name: "command-without-a-switch", Subject: CommandTwin(nil)})
	for i, v := range variants {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			var share []scenarios.Case
			for k := i; k < len(light); k += sample * len(variants) {
				share = append(share, light[k])
			}
			for _, c := range try(t, v.Subject, share) {
				if c.Status == suites.Failed {
					t.Errorf("%s in %s: %s\n%s", c.Rule, c.Run, c.Reason, c.Seen)
				}
			}
		})
	}
}

func TestEveryRuleInScopeHasADefect(t *testing.T) {
	t.Parallel()
	killed, byCommand := map[string]bool{}, map[string]bool{}
	for _, d := range All() {
		killed[d.Kills] = true
		byCommand[d.Kills] = byCommand[d.Kills] || d.Subject.About().Command
	}
	covered := map[string]bool{}
	for _, c := range casesThat(t, func(scenarios.Case) bool { return true }) {
		for _, rule := range c.Covers {
			covered[rule] = true
		}
	}
	var bare []string
	for _, rule := range suites.Rules() {
		if rule.Level == suites.Observe || !covered[rule.ID] {
			continue
		}
		ofCommands := slices.Contains(rule.Sides, suites.Command) && slices.Contains([]string{"CLI", "CACHE"}, rule.Chapter())
		if !killed[rule.ID] || ofCommands && !byCommand[rule.ID] {
			bare = append(bare, rule.ID)
		}
	}
	if diff := cmp.Diff([]string(nil), bare); diff != "" {
		t.Errorf("rules that no defect breaks:\n%s", diff)
	}
}
