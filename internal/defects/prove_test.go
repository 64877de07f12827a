package defects

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// full tells to run every defect over all scenarios that cover its rule, and every variant over all there are. That
// takes minutes; otherwise a defect is run where it shows best, and the variants share half of the scenarios.
func full() bool { return os.Getenv("A2A_CONFORM_FULL") != "" }

// ground is what the clients of this package are run on.
type ground struct {
	cases []scenarios.Case

	mu    sync.Mutex
	twins map[place]func() trial
}

// place is where a twin is run: in a scenario, as a client or as a command.
type place struct {
	command  bool
	scenario string
}

// newGround reads the scenarios that ship with the program.
func newGround(t *testing.T) *ground {
	t.Helper()
	files, err := scenarios.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return &ground{cases: scenarios.Expand(files, evidence.ClockVirtual), twins: map[place]func() trial{}}
}

func (g *ground) where(fits func(scenarios.Case) bool) []scenarios.Case {
	var found []scenarios.Case
	for _, c := range g.cases {
		if fits(c) {
			found = append(found, c)
		}
	}
	return found
}

// trial is what came of a client in some cases.
type trial struct {
	runs   map[string]evidence.Run
	checks []suites.Check
}

// check names a check.
type check struct {
	rule, run string
	call      int
}

func try(t *testing.T, s subject.Subject, cases []scenarios.Case) trial {
	t.Helper()
	rec, err := runner.RunAll(t.Context(), s, cases, runner.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rec.Session.Faults {
		t.Errorf("a fault of the harness in %s: %s", f.Scenario, f.Text)
	}
	made := trial{runs: map[string]evidence.Run{}, checks: suites.Judge(rec.Runs, suites.ScopeOf(rec.Session))}
	for _, run := range rec.Runs {
		made.runs[run.ID] = run
	}
	return made
}

// equal tells whether two recordings of a case say the same.
func equal(t *testing.T, a, b evidence.Run) bool {
	t.Helper()
	one, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	other, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(one, other)
}

// twin is the same client without any switch, in the same cases of one scenario. It is run once.
func (g *ground) twin(t *testing.T, at place) trial {
	t.Helper()
	g.mu.Lock()
	known := g.twins[at]
	if known == nil {
		known = sync.OnceValue(func() trial {
			twin := Twin(nil)
			if at.command {
				twin = CommandTwin(nil)
			}
			return try(t, twin, g.where(func(c scenarios.Case) bool { return c.Scenario == at.scenario }))
		})
		g.twins[at] = known
	}
	g.mu.Unlock()
	return known()
}

// broken tells whether a check is one that a defect is to be known by.
func broken(c suites.Check) bool {
	return c.Status == suites.Failed || c.Level == suites.Should && c.Status == suites.Warned
}

func TestEachDefectIsNoticedByItsRule(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	for _, d := range All() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			g.prove(t, d)
		})
	}
}

// prove runs a defect where it shows, or wherever its rule is covered.
func (g *ground) prove(t *testing.T, d Defect) {
	t.Helper()
	cases := g.where(func(c scenarios.Case) bool {
		return slices.Contains(c.Covers, d.Kills) && (full() || c.Scenario == d.Shows)
	})
	if len(cases) == 0 {
		t.Fatalf("no scenario %q covers %s", d.Shows, d.Kills)
	}
	made := try(t, d.Subject, cases)
	if p, ok := switchesOf(d.Subject); ok && !p.reached.Load() {
		t.Error("the place where it is wrong was never reached")
	}
	right, twins := map[check]suites.Status{}, map[string]evidence.Run{}
	for _, scenario := range scenariosOf(cases) {
		twin := g.twin(t, place{d.Subject.About().Command, scenario})
		for _, c := range twin.checks {
			right[check{c.Rule, c.Run, c.Call}] = c.Status
			if broken(c) {
				t.Errorf("%s is broken without the defect too, in %s: %s", c.Rule, c.Run, c.Reason)
			}
		}
		maps.Copy(twins, twin.runs)
	}
	shown := d.compare(t, made, right)
	if shown != "" && equal(t, made.runs[shown], twins[shown]) {
		t.Errorf("%s: the evidence is that of the client without the defect", shown)
	}
}

// compare compares what is broken with what the defect says, and returns a run in which its rule noticed.
func (d Defect) compare(t *testing.T, made trial, right map[check]suites.Status) (shown string) {
	t.Helper()
	rules := map[string]string{}
	for _, c := range made.checks {
		if !broken(c) {
			continue
		}
		if rules[c.Rule] == "" {
			rules[c.Rule] = c.Run + ": " + c.Reason
		}
		// A rule may not even apply where the client does right: nothing is wrong with that.
		status, applies := right[check{c.Rule, c.Run, c.Call}]
		if c.Rule == d.Kills && (status == suites.Passed || !applies) {
			shown = c.Run
		}
	}
	if shown == "" {
		t.Errorf("%s was not broken anywhere where it holds without the defect", d.Kills)
	}
	for rule, why := range rules {
		if rule != d.Kills && !slices.Contains(d.Also, rule) {
			t.Errorf("%s was broken too, in %s", rule, why)
		}
	}
	for _, rule := range d.Also {
		if full() && rules[rule] == "" {
			t.Errorf("%s was not broken, though the defect says so", rule)
		}
	}
	return shown
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

func scenariosOf(cases []scenarios.Case) []string {
	var names []string
	for _, c := range cases {
		if !slices.Contains(names, c.Scenario) {
			names = append(names, c.Scenario)
		}
	}
	return names
}

func TestNoRuleThatBindsBreaksForAVariant(t *testing.T) {
	t.Parallel()
	g := newGround(t)
	variants := append(Variants(), Variant{Name: "without-a-switch", Subject: Twin(nil)}, Variant{Name: "command-without-a-switch", Subject: CommandTwin(nil)})
	for i, v := range variants {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			share := g.cases
			if !full() {
				light := g.where(func(c scenarios.Case) bool { return !heavy(c) })
				share = nil
				for k := i; k < len(light); k += 2 * len(variants) {
					share = append(share, light[k])
				}
			}
			for _, c := range try(t, v.Subject, share).checks {
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
	for _, c := range newGround(t).cases {
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
