package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Options are what a caller adds to the evidence.
type Options struct {
	// Strict makes a warning of a SHOULD rule count as a failure of the verdict.
	Strict bool
	// Incomplete names why not all runs that were wanted are there ("the time limit of 10s was reached"); empty where
	// they are.
	Incomplete string
}

// Required are the capabilities that no subject may lack: a MUST rule that is unsupported for want of one counts as
// not exercised.
func Required() []string {
	return []string{"send", "message_id", "strict_dictionary", "timeout_number"}
}

// Judge judges recorded runs and builds the result. It is pure: a recording that is judged again gives the same
// result as the run that made it.
func Judge(s evidence.Session, runs []evidence.Run, o Options) Result {
	scope := suites.ScopeOf(s)
	return Build(s, runs, scope, suites.Judge(runs, scope), o)
}

// Build makes the result of checks that were already judged.
func Build(s evidence.Session, runs []evidence.Run, scope suites.Scope, checks []suites.Check, o Options) Result {
	r := Result{
		Schema: SchemaVersion, Tool: s.Tool, Contract: s.Contract, Selection: s.Selection, Strict: o.Strict, Clock: s.Clock,
		Subject: Subject{Kind: s.Subject.Kind, Name: s.Subject.Name, Version: s.Subject.Version, Capabilities: s.Subject.Capabilities},
		Skipped: nonNil(s.Skipped), Faults: nonNil(s.Faults), Rules: []RuleResult{}, Results: []CheckResult{},
	}
	byRule := map[string][]suites.Check{}
	for _, c := range checks {
		byRule[c.Rule] = append(byRule[c.Rule], c)
	}
	for _, rule := range scope.Rules {
		rr := ruleResult(rule, byRule[rule.ID], s.Subject.Capabilities)
		if rr.Checks == 0 && len(s.Selection.Scenarios) > 0 && len(s.Selection.Rules) == 0 {
			continue // a choice of scenarios puts in scope what they exercise
		}
		r.Rules = append(r.Rules, rr)
		for _, c := range byRule[rule.ID] {
			r.Results = append(r.Results, checkResult(rule, c, s.Repeat))
		}
	}
	r.summarise(s, runs)
	r.conclude(s, o)
	return r
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

func ruleResult(rule suites.Rule, checks []suites.Check, capabilities []string) RuleResult {
	rr := RuleResult{
		Rule: rule.ID, Level: rule.Level, Side: sideText(rule.Sides), Section: rule.Section,
		Obligation: rule.Obligation, Checks: len(checks),
	}
	for _, c := range checks {
		rr.Counts.add(c.Status)
	}
	rr.Status, rr.Reason = ruleStatus(rule, rr.Counts, capabilities)
	if rr.Status != RulePassed && rr.Reason == "" {
		rr.Reason = firstReason(checks, rr.Status)
	}
	return rr
}

func (c *Counts) add(s suites.Status) {
	switch s {
	case suites.Passed:
		c.Passed++
	case suites.Failed:
		c.Failed++
	case suites.ExpectedFailure:
		c.ExpectedFailure++
	case suites.Warned:
		c.Warned++
	case suites.Observed:
		c.Observed++
	case suites.Inconclusive:
		c.Inconclusive++
	}
}

func ruleStatus(rule suites.Rule, n Counts, capabilities []string) (RuleStatus, string) {
	switch {
	case n.Failed > 0:
		return RuleFailed, ""
	case n.ExpectedFailure > 0:
		return RuleExpectedFailure, ""
	case n.Passed > 0:
		return RulePassed, ""
	case n.Warned > 0:
		return RuleWarned, ""
	case n.Observed > 0:
		return RuleObserved, ""
	case n.Inconclusive > 0:
		return RuleInconclusive, ""
	}
	var missing []string
	for _, need := range rule.Needs {
		if !slices.Contains(capabilities, need) {
			missing = append(missing, need)
		}
	}
	if len(missing) == 0 {
		return RuleNotExercised, "nothing in the evidence put it to the test"
	}
	reason := "the subject does not claim " + strings.Join(missing, ", ")
	if rule.Level == suites.Must && slices.ContainsFunc(missing, func(m string) bool { return slices.Contains(Required(), m) }) {
		return RuleNotExercised, reason + ", which every client must have"
	}
	return RuleUnsupported, reason
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

// repeatCommand fills the rule and the run into the command line that the session says repeats a part of it.
func repeatCommand(repeat []string, c suites.Check) string {
	words := make([]string, 0, len(repeat)+1)
	for _, w := range repeat {
		if w == evidence.RepeatFilter {
			words = append(words, c.Rule, shellQuote(c.Run))
			continue
		}
		words = append(words, shellQuote(w))
	}
	return strings.Join(words, " ")
}

// shellQuote quotes a word for a POSIX shell where it needs it.
func shellQuote(w string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:+@%", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !plain(r) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

func (r *Result) summarise(s evidence.Session, runs []evidence.Run) {
	r.Summary.Scenarios.Run = len(runs)
	r.Summary.Scenarios.Skipped = len(s.Skipped)
	for i := range runs {
		r.Summary.Exchanges += len(runs[i].Exchanges)
	}
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
	}
	for _, c := range r.Results {
		r.Summary.Checks.add(c.Status)
	}
}

// open returns the MUST rules that were left open: not exercised, or inconclusive and nothing else.
func (r *Result) open() []string {
	var ids []string
	for _, rr := range r.Rules {
		if rr.Level == suites.Must && (rr.Status == RuleNotExercised || rr.Status == RuleInconclusive) {
			ids = append(ids, rr.Rule)
		}
	}
	return ids
}

// conclude gives the verdict and the exit code. Of several reasons a defect of the harness comes first, then a
// counter-example, then what was left open.
func (r *Result) conclude(s evidence.Session, o Options) {
	failed := r.failing(o.Strict)
	open := r.open()
	switch {
	case len(r.Faults) > 0:
		r.set(HarnessFault, ExitFault, fmt.Sprintf("%s of the harness or its scenarios, first in %s: %s",
			count(len(r.Faults), "fault"), r.Faults[0].Scenario, r.Faults[0].Text))
	case len(failed) > 0:
		r.set(NonConformant, ExitNonConformant, fmt.Sprintf("%s broken: %s", count(len(failed), "rule"), list(failed)))
	case !s.Control.Held:
		r.set(NotJudged, ExitNotJudged, "the plain success case did not succeed, so nothing was judged: "+s.Control.Text)
	case o.Incomplete != "":
		r.set(NotJudged, ExitNotJudged, o.Incomplete)
	case len(r.Results) == 0:
		r.set(NotJudged, ExitNotJudged, "no rule applied to anything that was recorded")
	case len(open) > 0:
		r.set(NotJudged, ExitNotJudged, fmt.Sprintf("%s left open (not exercised or inconclusive): %s", count(len(open), "MUST rule"), list(open)))
	default:
		r.set(r.green(s))
	}
}

func (r *Result) set(v Verdict, exit int, reason string) {
	r.Verdict, r.Exit, r.ExitReason = v, exit, reason
}

// failing returns the rules that make the subject non-conformant.
func (r *Result) failing(strict bool) []string {
	var ids []string
	for _, rr := range r.Rules {
		if rr.Counts.Failed > 0 || strict && rr.Counts.Warned > 0 {
			ids = append(ids, rr.Rule)
		}
	}
	return ids
}

// green tells which of the green verdicts it is.
func (r *Result) green(s evidence.Session) (Verdict, int, string) {
	must := 0
	for _, rr := range r.Rules {
		if rr.Level == suites.Must && rr.Counts.Passed > 0 {
			must++
		}
	}
	reason := fmt.Sprintf("%s held in every check", count(must, "MUST rule"))
	var parts []string
	if len(s.Selection.Rules) > 0 || len(s.Selection.Scenarios) > 0 || selectionCutsLevel(s.Selection.Level) {
		parts = append(parts, "a part was selected")
	}
	if n := r.Summary.Rules.Slow; n > 0 {
		parts = append(parts, count(n, "slow rule")+" left out")
	}
	if n := r.Summary.Rules.Unsupported; n > 0 {
		parts = append(parts, count(n, "optional rule")+" unsupported")
	}
	if len(parts) > 0 {
		return PartConformant, ExitOK, reason + " of what was judged (" + strings.Join(parts, ", ") + ")"
	}
	return Conformant, ExitOK, reason
}

// selectionCutsLevel tells whether MUST rules alone, or MUST and SHOULD rules, were asked for.
func selectionCutsLevel(level string) bool {
	return level != "" && level != string(suites.Observe)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// list names a few ids and counts the rest.
func list(ids []string) string {
	const few = 8
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}
