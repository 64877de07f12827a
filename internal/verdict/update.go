package verdict

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Changes are what a result makes of a file of known failures.
type Changes struct {
	// Added are the entries for what is not in the file yet; their reason is baseline.Unreviewed.
	Added []baseline.Entry
	// Kept still hold, or are about what was not judged; Dropped excuse what no longer is so.
	Kept, Dropped []baseline.Entry
	// Never are the rules of the harness that are broken, which no entry excuses.
	Never []string
}

// Update compares a file of known failures with a result. Its error says why the result cannot be accepted as it is.
func Update(file baseline.File, r Result) (Changes, error) {
	switch {
	case len(r.Faults) > 0:
		return Changes{}, errors.New("a fault of the harness or a scenario is no word about the subject: nothing in it can be accepted")
	case r.Summary.Checks.Total() == 0:
		return Changes{}, errors.New("nothing was judged, so there is nothing to accept")
	}
	r.recall()
	whole := r.Exit != ExitNotJudged || len(r.open()) > 0 // otherwise not all of the runs were made
	var c Changes
	for _, e := range file.Entries {
		seen := r.look(e)
		if seen.state(&r, e, whole) == EntryStale {
			c.Dropped = append(c.Dropped, e)
			continue
		}
		c.Kept = append(c.Kept, e)
		for _, at := range seen.excused {
			r.Results[at].Status = suites.ExpectedFailure
		}
	}
	for _, rr := range r.Rules {
		if strings.HasPrefix(rr.Rule, "SUBJ-") {
			if rr.Counts.Failed > 0 {
				c.Never = append(c.Never, rr.Rule)
			}
			continue
		}
		c.Added = append(c.Added, r.toAdd(rr, c.Kept)...)
	}
	return c, nil
}

// recall gives a result that was read back what is not in its JSON form, and takes back what a baseline excused.
func (r *Result) recall() {
	r.Results = slices.Clone(r.Results)
	counts := map[string]Counts{}
	for i := range r.Results {
		c := &r.Results[i]
		if c.Status == suites.ExpectedFailure {
			c.Status = suites.Failed
		}
		n := counts[c.Rule]
		n.add(c.Status)
		counts[c.Rule] = n
	}
	r.Rules = slices.Clone(r.Rules)
	for i := range r.Rules {
		r.Rules[i].Counts = counts[r.Rules[i].Rule]
	}
}

// toAdd makes the entries of a rule that are wanted beside those that are kept.
func (r *Result) toAdd(rr RuleResult, kept []baseline.Entry) []baseline.Entry {
	if rr.Level == suites.Must && (rr.Status == RuleNotExercised || rr.Status == RuleInconclusive) {
		return r.wholeToAdd(rr, kept)
	}
	places := r.failures(rr.Rule)
	failing, all := 0, 0
	for _, p := range places {
		failing, all = failing+btoi(p.failed > 0), all+1
	}
	const many = 10 // scenarios, beyond which nobody reads a line for each
	if failing > many || failing == all && failing > 1 {
		return []baseline.Entry{added(rr.Rule, "", baseline.Failed)}
	}
	var made []baseline.Entry
	for _, p := range places {
		for _, name := range p.names() {
			made = append(made, added(rr.Rule, name, baseline.Failed))
		}
	}
	return made
}

// wholeToAdd makes the entry of a MUST rule that was left open, unless one is kept.
func (r *Result) wholeToAdd(rr RuleResult, kept []baseline.Entry) []baseline.Entry {
	if slices.ContainsFunc(kept, func(e baseline.Entry) bool { return e.Rule == rr.Rule && e.Status != baseline.Failed }) {
		return nil
	}
	status := baseline.NotExercised
	switch {
	case rr.Status == RuleInconclusive:
		status = baseline.Inconclusive
	case strings.HasPrefix(rr.Reason, lacks):
		status = baseline.Unsupported
	}
	return []baseline.Entry{added(rr.Rule, "", status)}
}

func added(rule, scenario string, status baseline.Status) baseline.Entry {
	return baseline.Entry{Rule: rule, Scenario: scenario, Status: status, Reason: baseline.Unreviewed}
}

// place is a scenario in which a rule applied.
type place struct {
	scenario string
	// runs are those in which it failed; failed counts them, passed the others.
	runs           []string
	failed, passed int
}

// names are what an entry calls the runs that failed: the scenario where all of its runs did or many, else each run.
func (p place) names() []string {
	const few = 3
	if p.failed > 0 && p.passed == 0 || p.failed > few {
		return []string{p.scenario}
	}
	return p.runs
}

// failures are the scenarios in which a rule applied, without the checks that an entry excuses already.
func (r *Result) failures(rule string) []place {
	var places []place
	for _, c := range r.Results {
		if c.Rule != rule {
			continue
		}
		name, _, _ := strings.Cut(c.Scenario, "/")
		if len(places) == 0 || places[len(places)-1].scenario != name {
			places = append(places, place{scenario: name})
		}
		p := &places[len(places)-1]
		switch {
		case c.Status != suites.Failed && (!r.Strict || c.Status != suites.Warned):
			p.passed++
		case len(p.runs) == 0 || p.runs[len(p.runs)-1] != c.Scenario:
			p.runs = append(p.runs, c.Scenario)
			p.failed++
		}
	}
	return places
}

// Text says what the changes are, a line each.
func (c Changes) Text() string {
	var b strings.Builder
	for _, part := range []struct {
		word    string
		entries []baseline.Entry
	}{{"added", c.Added}, {"kept", c.Kept}, {"dropped", c.Dropped}} {
		for _, e := range part.entries {
			status := ""
			if e.Status != baseline.Failed {
				status = " (" + strings.ReplaceAll(string(e.Status), "_", " ") + ")"
			}
			fmt.Fprintf(&b, "%-9s%s%s: %s\n", part.word, e.Name(), status, e.Reason)
		}
	}
	for _, rule := range c.Never {
		fmt.Fprintf(&b, "%-9s%s: a rule of the harness, which is never excused\n", "broken", rule)
	}
	return b.String()
}
