package verdict

import (
	"fmt"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Uncovered compares what scenario files say they cover with the checks of a run of the reference client: a rule in
// scope that stayed not applicable in every case of its file is a fault of the file. For other subjects covers only
// selects, since a right client may well avoid what a file means to provoke.
func Uncovered(cases []scenarios.Case, rules []suites.Rule, checks []suites.Check) []evidence.Fault {
	scenarioOf := map[string]string{}
	for _, c := range cases {
		scenarioOf[c.ID] = c.Scenario
	}
	applied := map[[2]string]bool{}
	for _, c := range checks {
		applied[[2]string{scenarioOf[c.Run], c.Rule}] = true
	}
	var faults []evidence.Fault
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.Scenario] {
			continue
		}
		seen[c.Scenario] = true
		for _, id := range c.Covers {
			known := slices.ContainsFunc(rules, func(r suites.Rule) bool { return r.ID == id })
			if known && !applied[[2]string{c.Scenario, id}] {
				faults = append(faults, evidence.Fault{
					Scenario: c.Scenario, Kind: evidence.FaultCovers,
					Text: fmt.Sprintf("the file says that it covers %s, which applied in none of its cases", id),
				})
			}
		}
	}
	return faults
}
