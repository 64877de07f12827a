package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// conclude gives the verdict and the exit code. Of several reasons a defect of the harness comes first, then a
// counter-example, which proves its point whatever else was left open, then what was left open, then a baseline that
// excuses what no longer is so.
func (r *Result) conclude(s evidence.Session) {
	broken, warned := r.broken(), r.warned()
	open := r.open()
	switch {
	case len(r.Faults) > 0:
		r.set(HarnessFault, ExitFault, fmt.Sprintf("%s of the harness or its scenarios, first in %s: %s",
			count(len(r.Faults), "fault"), r.Faults[0].Scenario, r.Faults[0].Text))
	case len(broken) > 0:
		r.set(NonConformant, ExitNonConformant, count(len(broken), "rule")+" broken: "+list(broken))
	case r.Strict && len(warned) > 0:
		r.set(NonConformant, ExitNonConformant, count(len(warned), "rule")+" with warnings, which count as failures here (strict): "+list(warned))
	case !s.Control.Held:
		r.set(NotJudged, ExitNotJudged, "the plain success case did not succeed, so nothing was judged: "+s.Control.Text)
	case s.Incomplete != "":
		r.set(NotJudged, ExitNotJudged, s.Incomplete)
	case r.Summary.Checks.Total() == 0:
		r.set(NotJudged, ExitNotJudged, "no rule applied to anything that was recorded"+r.silence())
	case len(open) > 0:
		r.set(NotJudged, ExitNotJudged, fmt.Sprintf("%s left open (not exercised or inconclusive): %s", count(len(open), "MUST rule"), list(open)))
	case len(r.stale()) > 0:
		r.set(BaselineStale, ExitStale, staleReason(r.stale()))
	default:
		r.green()
	}
}

// silence says where to look when runs were made and no request came.
func (r *Result) silence() string {
	if r.Summary.Scenarios.Run == 0 || r.Summary.Exchanges > 0 {
		return ""
	}
	return ": no request came in " + count(r.Summary.Scenarios.Run, "run") +
		". The client sends nothing, or elsewhere: through a proxy, or with access that it kept of another session"
}

func (r *Result) set(v Verdict, exit int, reason string) {
	r.Verdict, r.Exit, r.ExitReason = v, exit, reason
}

// ids names the rules of which keep is true.
func (r *Result) ids(keep func(RuleResult) bool) []string {
	var found []string
	for _, rr := range r.Rules {
		if keep(rr) {
			found = append(found, rr.Rule)
		}
	}
	return found
}

// broken returns the rules that make the subject non-conformant by themselves.
func (r *Result) broken() []string {
	return r.ids(func(rr RuleResult) bool { return rr.Counts.Failed > 0 })
}

// warned returns the rules that do so under --strict.
func (r *Result) warned() []string {
	return r.ids(func(rr RuleResult) bool { return rr.Counts.Warned > 0 })
}

// open returns the MUST rules that were left open and not excused: not exercised, or inconclusive and nothing else.
func (r *Result) open() []string {
	return r.ids(func(rr RuleResult) bool {
		return rr.Level == suites.Must && rr.Known == "" && (rr.Status == RuleNotExercised || rr.Status == RuleInconclusive)
	})
}

// green tells which of the green verdicts it is, and names what was left out.
func (r *Result) green() {
	held := r.ids(func(rr RuleResult) bool {
		return rr.Level == suites.Must && rr.Counts.Passed > 0 && rr.Counts.ExpectedFailure == 0
	})
	reason := count(len(held), "MUST rule") + " held in every check"
	parts := r.leftOut()
	if len(parts) > 0 {
		reason += " of the part that was judged"
	}
	verdict := Conformant
	switch known := r.known(); {
	case len(known) > 0:
		verdict = WithKnown
		reason += ", but for what is known of " + count(len(known), "rule") + ": " + list(known)
	case len(parts) > 0:
		verdict = PartConformant
	}
	r.set(verdict, ExitOK, strings.Join(append([]string{reason}, parts...), "; "))
}

// leftOut names the parts of the contract that were not judged: by choice, for want of time, or because the subject
// cannot do them.
func (r *Result) leftOut() []string {
	var parts []string
	if chosen := slices.Concat(r.Selection.Rules, r.Selection.Scenarios); len(chosen) > 0 {
		parts = append(parts, "selected: "+list(chosen))
	}
	if l := r.Selection.Level; l != "" && l != string(suites.Observe) {
		parts = append(parts, "levels below "+l+" left out")
	}
	if slow := r.ids(func(rr RuleResult) bool { return rr.Status == RuleSlow }); len(slow) > 0 {
		parts = append(parts, "slow, left out: "+list(slow))
	}
	if unsupported := r.ids(func(rr RuleResult) bool { return rr.Status == RuleUnsupported }); len(unsupported) > 0 {
		parts = append(parts, "unsupported: "+list(unsupported))
	}
	if n := len(r.Skipped); n > 0 {
		parts = append(parts, count(n, "run")+" skipped")
	}
	return parts
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
