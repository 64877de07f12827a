package suites

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Register judges recorded runs and adds the checks to the Ginkgo suite that is being built: a container for each
// chapter and rule, a spec for each scenario in which the rule applied. Call it where containers are made, at the top
// level of a package or inside a Describe, or in a test before RunSpecs; it returns the checks.
func Register(s evidence.Session, runs []evidence.Run) []Check {
	scope := ScopeOf(s)
	checks := Judge(runs, scope)
	RegisterChecks(scope.Rules, checks, ByScenario)
	return checks
}

// Grain says which checks of a rule are one spec: those to which it gives one name. Ginkgo's work grows faster than the
// number of specs, so that one spec a check would take seconds.
type Grain func(Check) string

// ByScenario makes a spec of the checks of all cases of a scenario.
func ByScenario(c Check) string {
	name, _, _ := strings.Cut(c.Run, "/")
	return name
}

// ByRule makes one spec of all checks of a rule.
func ByRule(Check) string { return "in every run" }

// RegisterChecks adds checks that were already judged to the Ginkgo suite that is being built. What did not apply has
// no check and no spec.
func RegisterChecks(rules []Rule, checks []Check, grain Grain) {
	byRule := map[string][]Check{}
	for _, together := range gathered(checks, func(c Check) string { return c.Rule }) {
		byRule[together[0].Rule] = together
	}
	for _, chapter := range chapters(rules) {
		ginkgo.Describe(chapter[0].Chapter(), func() {
			for _, rule := range chapter {
				registerRule(rule, byRule[rule.ID], grain)
			}
		})
	}
}

// chapters splits rules, sorted as the catalogue is, by their chapter.
func chapters(rules []Rule) [][]Rule {
	var split [][]Rule
	for i, r := range rules {
		if i == 0 || rules[i-1].Chapter() != r.Chapter() {
			split = append(split, nil)
		}
		split[len(split)-1] = append(split[len(split)-1], r)
	}
	return split
}

func registerRule(rule Rule, checks []Check, grain Grain) {
	if len(checks) == 0 {
		return
	}
	ginkgo.Context(rule.ID+" must "+rule.Obligation, ginkgo.Label(rule.ID, string(rule.Level)), func() {
		for _, together := range gathered(checks, grain) {
			ginkgo.It(grain(together[0]), func() {
				gomega.Expect(together).To(Hold())
			})
		}
	})
}

// gathered puts checks together by grain, in the order in which they come. Those that stand together already, as nearly
// all do, are not copied.
func gathered(checks []Check, grain Grain) [][]Check {
	var split [][]Check
	place := map[string]int{}
	for len(checks) > 0 {
		name := grain(checks[0])
		n := 1
		for n < len(checks) && grain(checks[n]) == name {
			n++
		}
		if i, known := place[name]; known {
			split[i] = append(split[i], checks[:n]...)
		} else {
			place[name] = len(split)
			split = append(split, checks[:n:n])
		}
		checks = checks[n:]
	}
	return split
}

// Hold is the matcher of a Check and of a []Check: it holds unless one of them failed. A warning, an observation and a
// check that the evidence does not decide are no failures.
func Hold() gomega.OmegaMatcher { return holds{} }

type holds struct{}

// Match implements gomega's matcher.
func (holds) Match(actual any) (bool, error) {
	switch actual.(type) {
	case Check, []Check:
		_, n := firstFailed(actual)
		return n == 0, nil
	default:
		return false, fmt.Errorf("Hold expects a suites.Check or a slice of them, got %T", actual)
	}
}

// firstFailed returns the first check that failed, and how many did.
func firstFailed(actual any) (first Check, n int) {
	checks, several := actual.([]Check)
	if one, ok := actual.(Check); ok && !several {
		checks = []Check{one}
	}
	for i := range checks {
		if checks[i].Status != Failed {
			continue
		}
		if n == 0 {
			first = checks[i]
		}
		n++
	}
	return first, n
}

// FailureMessage says which obligation was broken, where, what was seen and what was expected, for the first check that
// failed, and how many more did.
func (holds) FailureMessage(actual any) string {
	check, n := firstFailed(actual)
	rule, _ := Find(check.Rule)
	text := fmt.Sprintf("%s (ADR 0029, %s): must %s\nin %s, call %d\nseen: %s\n%s\nexpected: %s\nusual cause: %s",
		rule.ID, rule.Section, rule.Obligation, check.Run, check.Call, check.Reason, check.Seen, check.Expected, rule.Cause)
	if n > 1 {
		text += fmt.Sprintf("\nand in %d more checks", n-1)
	}
	return text
}

// NegatedFailureMessage is FailureMessage for a check that was expected to fail.
func (holds) NegatedFailureMessage(actual any) string {
	check, _ := actual.(Check)
	if checks, ok := actual.([]Check); ok && len(checks) > 0 {
		check = checks[0]
	}
	return fmt.Sprintf("%s held in %s, call %d, and was expected not to", check.Rule, check.Run, check.Call)
}

// Show runs the checks as a Ginkgo tree, one spec a rule, in a program that is not a test, and returns an error where the tree and the
// checks disagree: they are two ways to the same verdict. Ginkgo runs one tree in a process, so a second call fails.
// Its own report is written to out.
func Show(rules []Rule, checks []Check, out io.Writer) error {
	formatter.ColorableStdOut = out
	gomega.RegisterFailHandler(ginkgo.Fail)
	RegisterChecks(rules, checks, ByRule)
	var failed, passed []string
	ginkgo.ReportAfterSuite("checks", func(report ginkgo.Report) {
		for i := range report.SpecReports {
			switch s := &report.SpecReports[i]; {
			case s.LeafNodeType != types.NodeTypeIt:
			case s.State == types.SpecStatePassed:
				passed = append(passed, s.FullText())
			default:
				failed = append(failed, s.FullText())
			}
		}
	})
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.RandomizeAllSpecs, suite.FailFast, suite.Timeout = false, false, time.Hour
	reporter.NoColor, reporter.Succinct = true, true
	verdict := &treeVerdict{}
	ginkgo.RunSpecs(verdict, "ADR 0029", suite, reporter)
	return agree(rules, checks, passed, failed)
}

// treeVerdict is told by Ginkgo that some spec failed.
type treeVerdict struct{ failed bool }

// Fail implements the T of Ginkgo.
func (v *treeVerdict) Fail() { v.failed = true }

// agree compares the checks with the specs that passed and that did not, spec by spec.
func agree(rules []Rule, checks []Check, passed, failed []string) error {
	want := map[string]bool{} // whether a spec must pass
	names := make(map[string]string, len(rules))
	for _, r := range rules {
		names[r.ID] = fmt.Sprintf("%s %s must %s %s", r.Chapter(), r.ID, r.Obligation, ByRule(Check{}))
	}
	for _, c := range checks {
		name := names[c.Rule]
		held, known := want[name]
		want[name] = c.Status != Failed && (held || !known)
	}
	var problems []string
	compare := func(names []string, held bool) {
		for _, name := range names {
			if expected, known := want[name]; !known || expected != held {
				problems = append(problems, name)
			}
			delete(want, name)
		}
	}
	compare(passed, true)
	compare(failed, false)
	problems = append(problems, slices.Sorted(maps.Keys(want))...)
	if len(problems) > 0 {
		return fmt.Errorf("the tree of specs and the checks disagree in %d specs, first: %s", len(problems), problems[0])
	}
	return nil
}
