package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Baseline is what came of a file of known failures.
type Baseline struct {
	// File is its path as it was given.
	File string `json:"file"`
	// Used and Stale count the entries that excused something, and those that excuse what no longer is so.
	Used    int          `json:"used"`
	Stale   int          `json:"stale"`
	Entries []KnownEntry `json:"entries"`
}

// KnownEntry is an entry of the file, and what came of it.
type KnownEntry struct {
	Rule     string          `json:"rule"`
	Scenario string          `json:"scenario"`
	Status   baseline.Status `json:"status"`
	Reason   string          `json:"reason"`
	Issue    string          `json:"issue"`
	Expires  string          `json:"expires"`
	// Line is where it stands in the file, from 1.
	Line  int        `json:"line"`
	State EntryState `json:"state"`
	// Checks is how many checks it excused.
	Checks int `json:"checks"`
}

// EntryState is what came of an entry.
type EntryState string

// The states of an entry. One that is beside is about nothing that was judged, or about what this judging cannot tell.
const (
	EntryUsed   EntryState = "used"
	EntryStale  EntryState = "stale"
	EntryBeside EntryState = "beside"
)

// Name is the rule and, where there is one, the scenario.
func (e KnownEntry) Name() string {
	return baseline.Entry{Rule: e.Rule, Scenario: e.Scenario}.Name()
}

// Unreviewed tells whether nobody has written yet why it is accepted.
func (e KnownEntry) Unreviewed() bool { return e.Reason == baseline.Unreviewed }

// excuse changes the status of the checks that the file names, and notes what came of each of its entries. Told is
// whether all runs of the selection were made and reached the subject, without which nothing is stale.
func (r *Result) excuse(file *baseline.File, told bool) {
	r.Baseline = &Baseline{File: file.Path, Entries: make([]KnownEntry, len(file.Entries))}
	for i, e := range file.Entries {
		seen := r.look(e)
		k := KnownEntry{
			Rule: e.Rule, Scenario: e.Scenario, Status: e.Status, Reason: e.Reason, Issue: e.Issue, Expires: e.Expires,
			Line: e.Line, State: seen.state(r, e, told), Checks: len(seen.excused),
		}
		if k.State == EntryUsed {
			for _, at := range seen.excused {
				r.Results[at].Known = append(r.Results[at].Known, e.Reason)
			}
			if seen.rule >= 0 && e.Status != baseline.Failed {
				r.Rules[seen.rule].Known = e.Reason
			}
		}
		r.Baseline.Entries[i] = k
		r.Baseline.Used += btoi(k.State == EntryUsed)
		r.Baseline.Stale += btoi(k.State == EntryStale)
	}
	r.recount()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sight is what a result shows of an entry.
type sight struct {
	// rule is the index of its rule; below zero where that is out of scope.
	rule int
	// excused are the checks that it excuses; ran tells whether a run was made that it is about.
	excused []int
	ran     bool
	// passed tells whether a check that it is about passed.
	passed bool
	// unsure tells whether a check of it leaves open how it stands.
	unsure bool
}

// look finds what an entry is about.
func (r *Result) look(e baseline.Entry) sight {
	s := sight{rule: slices.IndexFunc(r.Rules, func(rr RuleResult) bool { return rr.Rule == e.Rule })}
	if e.Status != baseline.Failed {
		return s
	}
	for i := range r.Results {
		c := &r.Results[i]
		if s.ran && c.Rule != e.Rule || !e.Takes(c.Scenario) {
			continue
		}
		s.ran = true
		switch {
		case c.Rule != e.Rule:
		case c.Status == suites.Failed || c.Status == suites.ExpectedFailure || r.Strict && c.Status == suites.Warned:
			s.excused = append(s.excused, i)
		case c.Status == suites.Inconclusive || c.Status == suites.Warned:
			s.unsure = true
		case c.Status == suites.Passed:
			s.passed = true
		}
	}
	return s
}

// state says what came of an entry.
func (s sight) state(r *Result, e baseline.Entry, told bool) EntryState {
	if s.rule < 0 || !told && len(s.excused) == 0 {
		return EntryBeside
	}
	if e.Status != baseline.Failed {
		return wholeState(r.Rules[s.rule], e.Status, r.Selection.Scenarios)
	}
	switch {
	case len(s.excused) > 0:
		return EntryUsed
	case !s.ran || s.unsure || !r.wholly(e) || e.Scenario != "" && !s.passed: // nothing to excuse may be luck, a pass is word of it
		return EntryBeside
	default:
		return EntryStale
	}
}

// wholly tells whether all was run that an entry is about: a choice of scenarios may have left out what fails.
func (r *Result) wholly(e baseline.Entry) bool {
	chosen := r.Selection.Scenarios
	cases := func(pattern string) string { return strings.TrimSuffix(pattern, "/*") } // a name alone means all of its runs too
	same := func(pattern string) bool { return cases(pattern) == cases(e.Scenario) }
	return len(chosen) == 0 || e.Scenario != "" && (slices.ContainsFunc(chosen, same) ||
		slices.ContainsFunc(r.Results, func(c CheckResult) bool { return c.Scenario == e.Scenario && strings.Contains(e.Scenario, "/") }))
}

// wholeState is the state of an entry that is about a rule as a whole.
func wholeState(rr RuleResult, status baseline.Status, chosen []string) EntryState {
	holds := map[baseline.Status]bool{
		baseline.NotExercised: rr.Status == RuleNotExercised,
		baseline.Inconclusive: rr.Status == RuleInconclusive,
		baseline.Unsupported:  rr.Status == RuleUnsupported || rr.Status == RuleNotExercised && strings.HasPrefix(rr.Reason, lacks),
	}[status]
	switch {
	case holds:
		return EntryUsed
	case len(chosen) > 0 || rr.Status == RuleSlow:
		return EntryBeside
	default:
		return EntryStale
	}
}

// recount gives the checks that are excused their status, and the rules what follows from it.
func (r *Result) recount() {
	excused := map[string]string{}
	counts := map[string]Counts{}
	for i := range r.Results {
		c := &r.Results[i]
		if len(c.Known) > 0 {
			if excused[c.Rule] == "" {
				excused[c.Rule] = c.Reason
			}
			n := counts[c.Rule]
			n.add(c.Status)
			counts[c.Rule] = n
			c.Status = suites.ExpectedFailure
		}
	}
	for i := range r.Rules {
		rr := &r.Rules[i]
		gone, ok := counts[rr.Rule]
		if !ok {
			continue
		}
		for _, s := range statuses() {
			*rr.Counts.count(s) -= *gone.count(s)
		}
		rr.Counts.ExpectedFailure += gone.Total()
		if rr.Status = ruleStatus(rr.Counts); rr.Status == RuleExpectedFailure {
			rr.Reason = excused[rr.Rule]
		}
	}
}

// known names the rules of which something is excused.
func (r *Result) known() []string {
	return r.ids(func(rr RuleResult) bool { return rr.Counts.ExpectedFailure > 0 || rr.Known != "" })
}

// stale names the entries that excuse what no longer is so.
func (r *Result) stale() []string {
	if r.Baseline == nil {
		return nil
	}
	var names []string
	for _, e := range r.Baseline.Entries {
		if e.State == EntryStale {
			names = append(names, e.Name())
		}
	}
	return names
}

// staleReason says that entries are stale.
func staleReason(stale []string) string {
	if len(stale) == 1 {
		return "1 entry of the baseline excuses what no longer is so: " + stale[0]
	}
	return fmt.Sprintf("%d entries of the baseline excuse what no longer is so: %s", len(stale), list(stale))
}
