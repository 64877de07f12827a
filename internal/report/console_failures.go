package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

// failures writes a block for each rule that makes the subject non-conformant.
func (p *page) failures(r verdict.Result) {
	var broken []verdict.RuleResult
	var ids []string
	for _, rr := range r.Rules {
		if rr.Counts.Of(breaks(r, rr)) > 0 {
			broken, ids = append(broken, rr), append(ids, rr.Rule)
		}
	}
	if len(broken) > 1 {
		p.linef("")
		p.wrapped("", "  ", plural(len(broken), "rule")+" broken: "+strings.Join(ids, ", "))
	}
	for _, rr := range broken {
		p.linef("")
		p.failure(r.Contract.ID, rr, checksOf(r, rr.Rule, breaks(r, rr)))
	}
}

// breaks is the status of the checks that count against a rule: warnings only where they are strictly seen, and where
// nothing worse is.
func breaks(r verdict.Result, rr verdict.RuleResult) suites.Status {
	if rr.Counts.Failed == 0 && r.Strict {
		return suites.Warned
	}
	return suites.Failed
}

// failure writes one of the checks that a rule failed in full, and names the others.
func (p *page) failure(contract string, rr verdict.RuleResult, found []verdict.CheckResult) {
	i := verdict.Example(found)
	first := found[i]
	p.linef("%s  %s, %s in %d of %s", p.paint(red, rr.Rule), rr.Level, words(string(first.Status)), len(found), plural(rr.Checks, "check"))
	p.field(2, "obligation", fmt.Sprintf("the subject %s %s (%s)", verb(rr.Level), rr.Obligation, source(contract, rr.Section)))
	p.field(2, "seen", fmt.Sprintf("%s (%s, call %d)", first.Reason, first.Scenario, first.Call))
	if first.Seen != "" {
		p.timeline(first.Seen)
	}
	if first.Expected != "" {
		p.field(2, "expected", first.Expected)
	}
	p.field(2, "usual cause", first.Cause)
	if first.Repeat != "" {
		p.linef("  %s%s", pad("repeat", labelWidth), clean(first.Repeat))
	}
	found = slices.DeleteFunc(found, func(c verdict.CheckResult) bool { return c.Scenario == first.Scenario })
	if len(found) > 0 {
		p.field(2, "also in", others(found))
	}
}

// verb is the word for how binding an obligation is.
func verb(l suites.Level) string {
	if l == suites.Must {
		return "must"
	}
	return "should"
}

// source is where an obligation stands; those of the harness stand in no contract.
func source(contract, section string) string {
	if section == "" || section == "harness" {
		return "the harness's own rule"
	}
	return contract + ", " + section
}

// others names a few runs and counts the rest.
func others(found []verdict.CheckResult) string {
	const few = 5
	var names []string
	for _, c := range found {
		if len(names) == 0 || names[len(names)-1] != c.Scenario {
			names = append(names, c.Scenario)
		}
	}
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more runs", strings.Join(names[:few], ", "), len(names)-few)
}

// timeline writes the rows of a time-line, one line each: the whole of an address is in the JSON report.
func (p *page) timeline(seen string) {
	const indent = "    "
	for row := range strings.Lines(seen) {
		p.linef("%s%s", indent, squeeze(clean(strings.TrimRight(row, "\n")), p.width-len(indent)))
	}
}
