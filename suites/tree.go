package suites

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Register judges recorded runs and adds the checks to the Ginkgo suite that is being built: a container for each
// chapter and rule, a spec for each check. Call it where containers are made, at the top level of a package or inside
// a Describe; it returns the checks, in the order of the specs.
func Register(s evidence.Session, runs []evidence.Run) []Check {
	scope := ScopeOf(s)
	checks := Judge(runs, scope)
	RegisterChecks(scope.Rules, checks)
	return checks
}

// RegisterChecks adds checks that were already judged to the Ginkgo suite that is being built. What did not apply has
// no check and no spec. Checks must be sorted as Judge sorts them.
func RegisterChecks(rules []Rule, checks []Check) {
	for len(rules) > 0 {
		chapter := rules[0].Chapter()
		ginkgo.Describe(chapter, func() {
			for len(rules) > 0 && rules[0].Chapter() == chapter {
				n := 0
				for n < len(checks) && checks[n].Rule == rules[0].ID {
					n++
				}
				registerRule(rules[0], checks[:n])
				rules, checks = rules[1:], checks[n:]
			}
		})
	}
}

func registerRule(rule Rule, checks []Check) {
	if len(checks) == 0 {
		return
	}
	ginkgo.Context(rule.ID+" must "+rule.Obligation, ginkgo.Label(rule.ID, string(rule.Level)), func() {
		for _, check := range checks {
			ginkgo.It(fmt.Sprintf("%s, call %d", check.Run, check.Call), func() {
				if check.Status == Inconclusive {
					ginkgo.Skip(check.Reason)
				}
				gomega.Expect(check).To(Hold())
			})
		}
	})
}

// Hold is the matcher of a check: it holds unless the check failed. A warning and an observation are no failures.
func Hold() gomega.OmegaMatcher { return holds{} }

type holds struct{}

// Match implements gomega's matcher.
func (holds) Match(actual any) (bool, error) {
	check, ok := actual.(Check)
	if !ok {
		return false, fmt.Errorf("Hold expects a suites.Check, got %T", actual)
	}
	return check.Status != Failed, nil
}

// FailureMessage says which obligation was broken, what was seen and what was expected.
func (holds) FailureMessage(actual any) string {
	check, _ := actual.(Check)
	rule, _ := Find(check.Rule)
	return fmt.Sprintf("%s (ADR 0029, %s): must %s\nseen: %s\n%s\nexpected: %s\nusual cause: %s",
		rule.ID, rule.Section, rule.Obligation, check.Reason, check.Seen, check.Expected, rule.Cause)
}

// NegatedFailureMessage is FailureMessage for a check that was expected to fail.
func (holds) NegatedFailureMessage(actual any) string {
	check, _ := actual.(Check)
	return fmt.Sprintf("%s held in %s, call %d, and was expected not to", check.Rule, check.Run, check.Call)
}

// Show runs the checks as a Ginkgo tree in a program that is not a test, and returns an error where the tree and the
// checks disagree: they are two ways to the same verdict. Ginkgo runs one tree in a process, so a second call fails.
// Its own report is written to out.
func Show(rules []Rule, checks []Check, out io.Writer) error {
	formatter.ColorableStdOut = out
	gomega.RegisterFailHandler(ginkgo.Fail)
	RegisterChecks(rules, checks)
	seen := map[types.SpecState]int{}
	ginkgo.ReportAfterSuite("checks", func(report ginkgo.Report) {
		for i := range report.SpecReports {
			if s := &report.SpecReports[i]; s.LeafNodeType == types.NodeTypeIt {
				seen[s.State]++
			}
		}
	})
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.RandomizeAllSpecs, suite.FailFast, suite.Timeout = false, false, time.Hour
	reporter.NoColor, reporter.Succinct = true, true
	verdict := &treeVerdict{}
	ginkgo.RunSpecs(verdict, "ADR 0029", suite, reporter)
	return agree(checks, seen, verdict.failed)
}

// treeVerdict is told by Ginkgo that some spec failed.
type treeVerdict struct{ failed bool }

// Fail implements the T of Ginkgo.
func (v *treeVerdict) Fail() { v.failed = true }

// agree compares the checks with what the tree's specs came to.
func agree(checks []Check, seen map[types.SpecState]int, failed bool) error {
	want := map[types.SpecState]int{}
	for _, c := range checks {
		switch c.Status {
		case Failed:
			want[types.SpecStateFailed]++
		case Inconclusive:
			want[types.SpecStateSkipped]++
		default:
			want[types.SpecStatePassed]++
		}
	}
	var problems []string
	for _, state := range []types.SpecState{types.SpecStatePassed, types.SpecStateFailed, types.SpecStateSkipped} {
		if want[state] != seen[state] {
			problems = append(problems, fmt.Sprintf("%d specs %s, want %d", seen[state], state, want[state]))
		}
	}
	if failed != (want[types.SpecStateFailed] > 0) {
		problems = append(problems, fmt.Sprintf("the tree as a whole failed: %t", failed))
	}
	if len(problems) > 0 {
		return errors.New("the tree of specs and the checks disagree: " + strings.Join(problems, ", "))
	}
	return nil
}
