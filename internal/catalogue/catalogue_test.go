package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/catalogue"
	"github.com/a2a-conform/a2a-conform/internal/command"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// bound is a rule's id, level and sides in one line.
func bound(id, level string, sides ...string) string {
	slices.Sort(sides)
	return id + " " + level + " " + strings.Join(sides, " ")
}

// TestCatalogueHasTheRules compares ids, levels and sides with the rules that judge, both ways.
func TestCatalogueHasTheRules(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, rule := range suites.Rules() {
		var sides []string
		for _, side := range rule.Sides {
			sides = append(sides, string(side))
		}
		want = append(want, bound(rule.ID, string(rule.Level), sides...))
	}
	for _, rule := range readRules(t) {
		got = append(got, bound(rule.ID, rule.Level, rule.Sides...))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-rules of package suites +catalogue:\n%s", diff)
	}
}

// TestEveryVariantIsExercised runs all built-in scenarios with the reference client: for each pattern of each variant
// the rule must have passed in a run that the pattern means. For a rule that only observes, an observation is as good,
// and where its text leaves something to the client, an observation is what is wanted.
func TestEveryVariantIsExercised(t *testing.T) {
	t.Parallel()
	held, observed := outcomes(t)
	for _, rule := range readRules(t) {
		for _, variant := range rule.Variants {
			where, did := held, "held"
			if variant.Left {
				where, did = observed, "observed"
			}
			for _, pattern := range variant.Runs {
				if !slices.ContainsFunc(where[rule.ID], func(run string) bool { return catalogue.Match(pattern, run) }) {
					t.Errorf("%s: %s: the rule %s in no run like %s", rule.ID, variant.What, did, pattern)
				}
			}
		}
	}
}

// TestUnshownVariantsAreFew keeps reasons the exception that they are.
func TestUnshownVariantsAreFew(t *testing.T) {
	t.Parallel()
	unshown, all := 0, 0
	for _, rule := range readRules(t) {
		shown := false
		for _, variant := range rule.Variants {
			all++
			shown = shown || len(variant.Runs) > 0
			if variant.Reason != "" {
				unshown++
			}
		}
		if !shown {
			t.Errorf("%s has no variant that a run shows", rule.ID)
		}
	}
	if unshown*20 > all {
		t.Errorf("%d of %d variants have a reason in the place of a run, want at most one of twenty", unshown, all)
	}
}

func TestVariants(t *testing.T) {
	t.Parallel()
	variants, err := catalogue.Variants("FLOW-25")
	if err != nil {
		t.Fatal(err)
	}
	want := []catalogue.Variant{{
		What: "after 401 and after 403",
		Runs: []string{"not-ready-after-a-rejection/status=401", "not-ready-after-a-rejection/status=403"},
	}}
	if diff := cmp.Diff(want, variants); diff != "" {
		t.Error(diff)
	}
	if none, err := catalogue.Variants("FLOW-99"); err != nil || none != nil {
		t.Errorf("a rule that there is none of has %v, error %v", none, err)
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, run string
		want         bool
	}{
		{"a/b=1", "a/b=1", true},
		{"a/b=1", "a/b=12", false},
		{"a/b=1", "x/b=1", false},
		{"a/*", "a/b=/c/d", true},
		{"a/*", "ab", false},
		{"*", "", true},
		{"a/*=1,*", "a/b=1,c=2", true},
		{"a/*=1,*c", "a/b=1,c", true},
		{"a*a", "a", false},
		{"a*b*c", "a-c-b", false},
		{"a*b*c", "a-b-c", true},
	} {
		if got := catalogue.Match(test.pattern, test.run); got != test.want {
			t.Errorf("Match(%q, %q) = %t", test.pattern, test.run, got)
		}
	}
}

func readRules(t *testing.T) []catalogue.Rule {
	t.Helper()
	rules, err := catalogue.Rules()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// outcomes runs everything with the reference client, and what is about commands with the reference command, and lists
// for each rule the runs in which it held, and those in which it observed.
func outcomes(t *testing.T) (held, observed map[string][]string) {
	t.Helper()
	files, err := scenarios.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	cases := scenarios.Expand(files, evidence.ClockVirtual)
	ofCommands := func(c scenarios.Case) bool { return slices.Contains(c.Needs, "command") }
	held, observed = map[string][]string{}, map[string][]string{}
	for _, tt := range []struct {
		subject subject.Subject
		cases   []scenarios.Case
	}{
		{subject.Reference("test"), slices.DeleteFunc(slices.Clone(cases), ofCommands)},
		{subject.InProcess("a2a-conform", command.Main), slices.DeleteFunc(cases, func(c scenarios.Case) bool { return !ofCommands(c) })},
	} {
		recording, err := runner.RunAll(t.Context(), tt.subject, tt.cases, runner.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(recording.Runs) != len(tt.cases) {
			t.Fatalf("%d of %d cases were run", len(recording.Runs), len(tt.cases))
		}
		for _, check := range suites.Judge(recording.Runs, suites.ScopeOf(recording.Session)) {
			if check.Status == suites.Passed || check.Level == suites.Observe && check.Status == suites.Observed {
				held[check.Rule] = append(held[check.Rule], check.Run)
			}
			if check.Status == suites.Observed {
				observed[check.Rule] = append(observed[check.Rule], check.Run)
			}
		}
	}
	return held, observed
}
