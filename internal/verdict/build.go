package verdict

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Options are what a caller adds to the evidence.
type Options struct {
	// Strict makes a warning count as a failure of the verdict.
	Strict bool
	// Beside counts runs that were judged as well and are not kept.
	Beside Amount
	// Brief leaves checks that passed out of the list of results; they are counted all the same.
	Brief bool
	// Baseline is what is known to fail; nil where there is none. It is not to be had with Brief.
	Baseline *baseline.File
}

// Amount counts runs and their exchanges.
type Amount struct{ Runs, Exchanges int }

// AmountOf counts runs.
func AmountOf(runs []evidence.Run) Amount {
	a := Amount{Runs: len(runs)}
	for i := range runs {
		a.Exchanges += len(runs[i].Exchanges)
	}
	return a
}

// Judge judges recorded runs and builds the result. It is pure: a recording that is judged again gives the same
// result as the run that made it.
func Judge(s evidence.Session, runs []evidence.Run, o Options) Result {
	scope := suites.ScopeOf(s)
	return Build(s, runs, scope, suites.Judge(runs, scope), o)
}

// Build makes the result of checks that were already judged. Where the plain success case failed nothing is scored:
// what a subject that was not reached did or did not do says nothing about it. Where a rule was broken the scenario
// files are not held to what they expect: the reference client must then have a mistake in it, as it has for whoever
// works on it, and the rule says better which.
func Build(s evidence.Session, runs []evidence.Run, scope suites.Scope, checks []suites.Check, o Options) Result {
	r := Result{
		Schema: SchemaVersion, Tool: s.Tool, Contract: s.Contract, Selection: s.Selection, Strict: o.Strict, Clock: s.Clock,
		Subject: Subject{
			Kind: s.Subject.Kind, Name: s.Subject.Name, Version: s.Subject.Version, Capabilities: nonNil(s.Subject.Capabilities),
		},
		Skipped: nonNil(s.Skipped), Faults: nonNil(s.Faults), Rules: []RuleResult{}, Results: []CheckResult{},
	}
	r.Selection.Rules, r.Selection.Scenarios = nonNil(s.Selection.Rules), nonNil(s.Selection.Scenarios)
	byRule := map[string][]suites.Check{}
	if s.Control.Held {
		byRule = grouped(checks)
		if !o.Brief {
			r.Results = make([]CheckResult, 0, len(checks))
		}
	}
	for _, rule := range scope.Rules {
		found := byRule[rule.ID]
		if len(found) == 0 && beside(rule, s.Selection) {
			continue
		}
		r.Rules = append(r.Rules, ruleResult(rule, found, s))
		for _, c := range found {
			if o.Brief && c.Status == suites.Passed {
				continue
			}
			r.Results = append(r.Results, checkResult(rule, c, s.Repeat))
		}
	}
	if o.Baseline != nil {
		r.excuse(o.Baseline, s.Control.Held && s.Incomplete == "")
	}
	if len(r.broken())+len(r.warned())+len(r.known()) > 0 {
		r.Faults = slices.DeleteFunc(slices.Clone(r.Faults), evidence.Fault.OfFile)
	}
	r.summarise(s, AmountOf(runs), o.Beside)
	r.conclude(s)
	return r
}

// grouped returns the checks of each rule. They come sorted by rule, tens of thousands of them, and are not copied.
func grouped(checks []suites.Check) map[string][]suites.Check {
	byRule := map[string][]suites.Check{}
	for len(checks) > 0 {
		n := 1
		for n < len(checks) && checks[n].Rule == checks[0].Rule {
			n++
		}
		if before := byRule[checks[0].Rule]; before != nil {
			byRule[checks[0].Rule] = append(before, checks[:n]...)
		} else {
			byRule[checks[0].Rule] = checks[:n:n]
		}
		checks = checks[n:]
	}
	return byRule
}

// beside tells whether a rule without checks is out of scope: a choice of scenarios puts in scope what they exercise,
// and rules that were named one by one.
func beside(rule suites.Rule, chosen evidence.Selection) bool {
	return len(chosen.Scenarios) > 0 && !slices.Contains(chosen.Rules, rule.ID)
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func sideText(sides []suites.Side) string {
	words := make([]string, len(sides))
	for i, s := range sides {
		words[i] = string(s)
	}
	return strings.Join(words, " ")
}

func ruleResult(rule suites.Rule, checks []suites.Check, s evidence.Session) RuleResult {
	rr := RuleResult{
		Rule: rule.ID, Level: rule.Level, Side: sideText(rule.Sides), Section: rule.Section,
		Obligation: rule.Obligation, Checks: len(checks),
	}
	for _, c := range checks {
		rr.Counts.add(c.Status)
	}
	if len(checks) == 0 {
		rr.Status, rr.Reason = idle(rule, s)
		return rr
	}
	rr.Status = ruleStatus(rr.Counts)
	if rr.Status != RulePassed {
		rr.Reason = firstReason(checks, rr.Status)
	}
	return rr
}

// ruleStatus is the one status of a rule that had checks.
func ruleStatus(n Counts) RuleStatus {
	switch {
	case n.Failed > 0:
		return RuleFailed
	case n.ExpectedFailure > 0:
		return RuleExpectedFailure
	case n.Passed > 0:
		return RulePassed
	case n.Warned > 0:
		return RuleWarned
	case n.Observed > 0:
		return RuleObserved
	default:
		return RuleInconclusive
	}
}

// lacks begins the reason of a rule that was left open for want of a capability.
const lacks = "the subject does not claim "

// idle says why a rule had no check.
func idle(rule suites.Rule, s evidence.Session) (RuleStatus, string) {
	if !s.Control.Held {
		return RuleNotExercised, "the plain success case did not succeed"
	}
	missing := slices.DeleteFunc(slices.Clone(rule.Needs), func(need string) bool {
		return slices.Contains(s.Subject.Capabilities, need)
	})
	required := slices.ContainsFunc(missing, func(m string) bool { return slices.Contains(Required(), m) })
	reason := lacks + strings.Join(missing, ", ")
	switch {
	case required && rule.Level == suites.Must:
		return RuleNotExercised, reason + ", which every client must have"
	case len(missing) > 0:
		return RuleUnsupported, reason
	case tooSlow(rule, s):
		return RuleSlow, "takes longer than a judging on the machine's own clock waits"
	default:
		return RuleNotExercised, "nothing in the evidence put it to the test"
	}
}

func firstReason(checks []suites.Check, s RuleStatus) string {
	for _, c := range checks {
		if string(c.Status) == string(s) {
			return c.Reason
		}
	}
	return ""
}

func checkResult(rule suites.Rule, c suites.Check, repeat []string) CheckResult {
	r := CheckResult{
		Rule: c.Rule, Level: c.Level, Scenario: c.Run, Call: c.Call, Status: c.Status,
		Reason: c.Reason, Seen: c.Seen, Expected: c.Expected, Exchanges: nonNil(c.Exchanges),
	}
	if c.Status != suites.Passed && c.Status != suites.Observed {
		r.Cause = rule.Cause
		r.Repeat = repeatCommand(repeat, c)
	}
	return r
}

func (r *Result) summarise(s evidence.Session, kept, beside Amount) {
	r.Summary.Scenarios.Run = kept.Runs + beside.Runs
	r.Summary.Scenarios.Skipped = len(s.Skipped)
	r.Summary.Exchanges = kept.Exchanges + beside.Exchanges
	r.Summary.Rules.InScope = len(r.Rules)
	for _, rr := range r.Rules {
		switch rr.Status {
		case RuleUnsupported:
			r.Summary.Rules.Unsupported++
		case RuleSlow:
			r.Summary.Rules.Slow++
		case RuleNotExercised:
			r.Summary.Rules.NotExercised++
		default:
			r.Summary.Rules.Exercised++
		}
		r.Summary.Checks.addAll(rr.Counts)
	}
}
