package report

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

// testcase is a rule in all runs of a scenario: what a program for test reports shows as one test. With a check each, a
// report of everything would be a hundred thousand lines long.
type testcase struct {
	scenario string
	status   suites.Status
	// checks counts all of them, found are those that have its status.
	checks int
	found  []verdict.CheckResult
}

// casesOf gathers the checks of a result, which are in the order of the rules, by rule and scenario. Strict makes
// warnings what failures are.
func casesOf(r verdict.Result) map[string][]testcase {
	cases := map[string][]testcase{}
	for _, c := range r.Results {
		name, _, _ := strings.Cut(c.Scenario, "/")
		of := cases[c.Rule]
		if len(of) == 0 || of[len(of)-1].scenario != name {
			of = append(of, testcase{scenario: name, status: c.Status})
		}
		last := &of[len(of)-1]
		last.checks++
		status := c.Status
		if r.Strict && status == suites.Warned {
			status = suites.Failed
		}
		if weight(status) < weight(last.status) {
			last.status, last.found = status, nil
		}
		if status == last.status && status != suites.Passed {
			last.found = append(last.found, c)
		}
		cases[c.Rule] = of
	}
	return cases
}

// weight is the place of a status among those that a testcase may have: the first that occurs is its own.
func weight(s suites.Status) int {
	return slices.Index([]suites.Status{
		suites.Failed, suites.ExpectedFailure, suites.Warned, suites.Passed, suites.Observed, suites.Inconclusive,
	}, s)
}
