package conform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Check judges the recording. It logs what was judged and what was left out, and fails the test for each rule that is
// broken, once a rule: with what was seen in the plainest of its checks, where else it failed and how to repeat it. A MUST
// rule that was never put to the test fails it too, unless Only cut the scenarios or the client lacks what it needs.
func (r Recording) Check(tb testing.TB) {
	tb.Helper()
	scope := suites.ScopeOf(r.Session)
	checks := suites.Judge(r.Runs, scope)
	result := verdict.Build(r.Session, r.Runs, scope, checks, verdict.Options{})
	tb.Log(summary(result))
	if len(checks) == 0 {
		tb.Error("conform: no rule applied to anything that was recorded")
	}
	broken := rulesOf(result, "", verdict.RuleFailed)
	for _, rr := range broken {
		tb.Error(failure(failedOf(result, checks, rr.Rule)))
	}
	open := rulesOf(result, suites.Must, verdict.RuleNotExercised, verdict.RuleInconclusive)
	for _, rr := range open {
		tb.Error(openText(rr, broken, len(r.Runs)))
	}
	if len(broken)+len(open) > 0 {
		tb.Error(closing(broken, open))
	}
}

// rulesOf returns the rules that have one of the statuses, in the order of the catalogue; of one level, or of all where
// it is empty.
func rulesOf(r verdict.Result, level suites.Level, statuses ...verdict.RuleStatus) []verdict.RuleResult {
	return slices.DeleteFunc(slices.Clone(r.Rules), func(rr verdict.RuleResult) bool {
		return level != "" && rr.Level != level || !slices.Contains(statuses, rr.Status)
	})
}

func ids(rules []verdict.RuleResult) string {
	names := make([]string, len(rules))
	for i := range rules {
		names[i] = rules[i].Rule
	}
	return strings.Join(names, ", ")
}

// failedOf returns the checks that a rule failed, the one that reports show first.
func failedOf(r verdict.Result, checks []suites.Check, rule string) []suites.Check {
	var failed []suites.Check
	for i := range checks {
		if checks[i].Rule == rule && checks[i].Status == suites.Failed {
			failed = append(failed, checks[i])
		}
	}
	var shown []verdict.CheckResult
	for i := range r.Results {
		if r.Results[i].Rule == rule && r.Results[i].Status == suites.Failed {
			shown = append(shown, r.Results[i])
		}
	}
	i := verdict.Example(shown) // both lists are in the order of the checks
	return slices.Concat(failed[i:i+1], failed[:i], failed[i+1:])
}

// failure says what was seen in the first of the checks, in which other runs the rule failed, and how to
// see it again.
func failure(failed []suites.Check) string {
	const few = 3
	runs := spread(failed)
	text := suites.Hold().FailureMessage(failed)
	if others := runs[1:]; len(others) > few {
		text += fmt.Sprintf("\nalso in %s and %s", strings.Join(others[:few], ", "), plural(len(others)-few, "more run"))
	} else if len(others) > 0 {
		text += "\nalso in " + strings.Join(others, ", ")
	}
	return text + fmt.Sprintf("\nto repeat: Only: []string{%q}", runs[0])
}

// spread names the runs of the checks, one of each scenario before the others: what scenarios have in common says more
// about a cause than what the cases of one do.
func spread(checks []suites.Check) []string {
	var first, more []string
	seen := map[string]bool{}
	for i := range checks {
		c := &checks[i]
		scenario := scenarioOf(c.Run)
		switch {
		case seen[c.Run]:
		case seen[scenario]:
			more = append(more, c.Run)
		default:
			first = append(first, c.Run)
		}
		seen[c.Run], seen[scenario] = true, true
	}
	return slices.Concat(first, more)
}

// openText says why a rule may have been left open: a client that goes astray early in a chapter does not come to where
// the rest of it applies.
func openText(rr verdict.RuleResult, broken []verdict.RuleResult, runs int) string {
	text, why := "%s was never put to the test: must %s\nwhy: %s", fmt.Sprintf("it applied to nothing in any of the %d runs", runs)
	if rr.Status == verdict.RuleInconclusive {
		text, why = "%s was not decided by any of its checks: must %s\nwhy: %s", rr.Reason
	}
	near := slices.DeleteFunc(slices.Clone(broken), func(b verdict.RuleResult) bool { return chapter(b.Rule) != chapter(rr.Rule) })
	if len(near) > 0 {
		why += "; that may be because of what broke " + ids(near)
	}
	return fmt.Sprintf(text, rr.Rule, rr.Obligation, why) + fmt.Sprintf("\n`a2a-conform explain %s` names the scenarios that exercise it", rr.Rule)
}

func chapter(id string) string {
	rule, _ := suites.Find(id)
	return rule.Chapter()
}

// closing is the last line of a judging that failed.
func closing(broken, open []verdict.RuleResult) string {
	var parts []string
	if n := len(broken); n > 0 {
		parts = append(parts, plural(n, "rule")+" broken: "+ids(broken))
	}
	if n := len(open); n > 0 {
		parts = append(parts, plural(n, "rule")+" left open: "+ids(open))
	}
	return "conform: " + strings.Join(parts, "; ") + "; start with " + slices.Concat(broken, open)[0].Rule
}

// summary says what was judged, what was left out and why, and what was seen that breaks no rule.
func summary(r verdict.Result) string {
	var statuses []string
	for _, status := range []verdict.RuleStatus{
		verdict.RulePassed, verdict.RuleFailed, verdict.RuleWarned, verdict.RuleObserved, verdict.RuleInconclusive,
		verdict.RuleUnsupported, verdict.RuleNotExercised,
	} {
		if n := len(rulesOf(r, "", status)); n > 0 {
			statuses = append(statuses, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(status), "_", " ")))
		}
	}
	lines := []string{fmt.Sprintf("conform: %s %s: %s in scope (%s), %s, %s", r.Subject.Name, r.Subject.Version,
		plural(len(r.Rules), "rule"), strings.Join(statuses, ", "), plural(r.Summary.Scenarios.Run, "run"), plural(len(r.Results), "check"))}
	if only := r.Selection.Scenarios; len(only) > 0 {
		lines = append(lines, "cut to "+strings.Join(only, ", ")+" by Only: rules that these do not exercise were not judged")
	}
	lines = append(lines, leftOut(r)...)
	return strings.Join(append(lines, remarks(r)...), "\n")
}

// leftOut names the rules and scenarios that were not judged, a line for each reason.
func leftOut(r verdict.Result) []string {
	var heads []string
	names := map[string][]string{}
	add := func(head, name string) {
		if names[head] == nil {
			heads = append(heads, head)
		}
		if !slices.Contains(names[head], name) {
			names[head] = append(names[head], name)
		}
	}
	for i := range r.Rules {
		if rr := &r.Rules[i]; rr.Status == verdict.RuleUnsupported || rr.Status == verdict.RuleNotExercised {
			add("rules left out ("+rr.Reason+")", rr.Rule)
		}
	}
	for _, s := range r.Skipped {
		add("scenarios skipped ("+s.Reason+")", scenarioOf(s.Scenario))
	}
	lines := make([]string, len(heads))
	for i, head := range heads {
		lines[i] = head + ": " + strings.Join(names[head], ", ")
	}
	return lines
}

// scenarioOf is the scenario of a run, whose id is that name and, after a slash, what was varied.
func scenarioOf(run string) string {
	name, _, _ := strings.Cut(run, "/")
	return name
}

// remarks are what was seen and breaks no rule that binds: a line for each rule, from the first check that says so.
func remarks(r verdict.Result) []string {
	var lines []string
	for _, status := range []suites.Status{suites.Warned, suites.Inconclusive, suites.Observed} {
		said := map[string]bool{}
		for i := range r.Results {
			c := &r.Results[i]
			if c.Status != status || said[c.Rule] {
				continue
			}
			said[c.Rule] = true
			lines = append(lines, fmt.Sprintf("%s %s: %s (%s)", status, c.Rule, c.Reason, c.Scenario))
		}
	}
	return lines
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
