package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/suites"
)

// entry is one of the most common kind.
func entry(rule, scenario string) baseline.Entry {
	return baseline.Entry{Rule: rule, Scenario: scenario, Status: baseline.Failed, Reason: "known of " + rule}
}

func ofRule(rule string, status baseline.Status) baseline.Entry {
	return baseline.Entry{Rule: rule, Status: status, Reason: "known of " + rule}
}

// knownOf is a judging in which FLOW-06 failed in one of two runs, with a baseline.
func knownOf(entries ...baseline.Entry) judging {
	j := green()
	held := check("FLOW-06", suites.Must, suites.Passed)
	held.Run = "retry-not/status=400"
	j.checks = []suites.Check{failedCheck(), held, j.checks[1]}
	j.known = entries
	return j
}

const (
	butKnown = "0 MUST rules held in every check, but for what is known of 1 rule: FLOW-06"
	noLonger = "1 entry of the baseline excuses what no longer is so: "
)

// withBaseline are the exits of judgings with known failures.
func withBaseline() map[string]exit {
	known := func(more func(*judging), entries ...baseline.Entry) func(*judging) {
		return func(j *judging) {
			*j = knownOf(entries...)
			if more != nil {
				more(j)
			}
		}
	}
	return map[string]exit{
		"a failure that is known":               {known(nil, entry("FLOW-06", "plain-send")), WithKnown, ExitOK, butKnown},
		"a failure that is known everywhere":    {known(nil, entry("FLOW-06", "")), WithKnown, ExitOK, butKnown},
		"a failure that is known by a pattern":  {known(nil, entry("FLOW-06", "plain-*")), WithKnown, ExitOK, butKnown},
		"an empty baseline excuses nothing":     {known(func(j *judging) { j.known = []baseline.Entry{} }), NonConformant, ExitNonConformant, "1 rule broken: FLOW-06"},
		"a failure of another run is not known": {known(nil, entry("FLOW-06", "retry-not")), NonConformant, ExitNonConformant, "1 rule broken: FLOW-06"},
		"a rule that no longer fails": {
			known(nil, entry("FLOW-06", ""), entry("FLOW-21", "")), BaselineStale, ExitStale, noLonger + "FLOW-21",
		},
		"a run that no longer fails": {
			known(nil, entry("FLOW-06", ""), entry("FLOW-06", "retry-not/*")), BaselineStale, ExitStale, noLonger + "FLOW-06 retry-not/*",
		},
		"a fault is never excused": {
			known(func(j *judging) { j.session.Faults = fault() }, entry("FLOW-06", "")), HarnessFault, ExitFault,
			"1 fault of the harness or its scenarios, first in plain-send: its JSON is broken",
		},
		"a file expects what a client with a known mistake does not do": {
			known(func(j *judging) { j.session.Faults = ofFile() }, entry("FLOW-06", "")), WithKnown, ExitOK, butKnown,
		},
		"a rule left open comes before a stale entry": {
			known(func(j *judging) { j.rules = append(j.rules, openRule()) }, entry("FLOW-06", ""), entry("FLOW-06", "retry-not")),
			NotJudged, ExitNotJudged, "1 MUST rule left open (not exercised or inconclusive): FLOW-07",
		},
		"a rule broken comes before a stale entry": {
			known(nil, entry("FLOW-06", "retry-not")), NonConformant, ExitNonConformant, "1 rule broken: FLOW-06",
		},
		"a rule that is known to be left open": {
			known(func(j *judging) { j.rules = append(j.rules, openRule()) }, entry("FLOW-06", ""), ofRule("FLOW-07", baseline.NotExercised)),
			WithKnown, ExitOK, "0 MUST rules held in every check, but for what is known of 2 rules: FLOW-06, FLOW-07",
		},
		"a warning that is known, strict": {
			func(j *judging) {
				j.checks[1] = check("FLOW-21", suites.Should, suites.Warned)
				j.strict, j.known = true, []baseline.Entry{entry("FLOW-21", "")}
			}, WithKnown, ExitOK, "1 MUST rule held in every check, but for what is known of 1 rule: FLOW-21",
		},
		"a warning that is known, not strict": {
			func(j *judging) {
				j.checks[1] = check("FLOW-21", suites.Should, suites.Warned)
				j.known = []baseline.Entry{entry("FLOW-21", "")}
			}, Conformant, ExitOK, "1 MUST rule held in every check",
		},
		"known, of a part": {
			known(func(j *judging) { j.session.Selection.Rules = []string{"FLOW"} }, entry("FLOW-06", "")), WithKnown, ExitOK,
			"0 MUST rules held in every check of the part that was judged, but for what is known of 1 rule: FLOW-06; selected: FLOW",
		},
	}
}

// TestStates gives one entry to a judging of each kind.
func TestStates(t *testing.T) {
	t.Parallel()
	with := func(more func(*judging)) judging {
		j := knownOf()
		more(&j)
		return j
	}
	chosen := func(patterns ...string) judging {
		return with(func(j *judging) { j.session.Selection.Scenarios = patterns })
	}
	failed := knownOf()
	for name, test := range map[string]struct {
		j     judging
		entry baseline.Entry
		want  EntryState
	}{
		"it fails":                            {failed, entry("FLOW-06", "*"), EntryUsed},
		"one of its runs fails":               {failed, entry("FLOW-06", ""), EntryUsed},
		"it passed":                           {failed, entry("FLOW-06", "retry-not/status=400"), EntryStale},
		"it did not apply in a run":           {failed, entry("FLOW-21", "retry-not"), EntryBeside},
		"its rule passed":                     {failed, entry("FLOW-21", ""), EntryStale},
		"its rule is out of scope":            {failed, entry("REQ-02", ""), EntryBeside},
		"its runs were not made":              {failed, entry("FLOW-06", "waking-*"), EntryBeside},
		"it passed in the one chosen":         {chosen("retry-*"), entry("FLOW-06", "retry-not/status=400"), EntryStale},
		"all that it names were chosen":       {chosen("retry-not"), entry("FLOW-06", "retry-not"), EntryStale},
		"all its cases were chosen":           {chosen("retry-not"), entry("FLOW-06", "retry-not/*"), EntryStale},
		"some that it names were chosen":      {chosen("*400"), entry("FLOW-06", "retry-not"), EntryBeside},
		"the choice may leave out a failure":  {chosen("retry-not"), entry("FLOW-21", ""), EntryBeside},
		"nothing reached the subject":         {with(func(j *judging) { j.session.Control.Held = false }), entry("FLOW-21", ""), EntryBeside},
		"not all runs were made":              {with(func(j *judging) { j.session.Incomplete = "time" }), entry("FLOW-21", ""), EntryBeside},
		"not all were made, and it fails":     {with(func(j *judging) { j.session.Incomplete = "time" }), entry("FLOW-06", ""), EntryUsed},
		"the clock cannot tell":               {with(func(j *judging) { j.checks[2].Status = suites.Inconclusive }), entry("FLOW-21", ""), EntryBeside},
		"a rule is exercised":                 {failed, ofRule("FLOW-06", baseline.NotExercised), EntryStale},
		"a rule is not exercised":             {with(func(j *judging) { j.rules = append(j.rules, openRule()) }), ofRule("FLOW-07", baseline.NotExercised), EntryUsed},
		"a rule is inconclusive":              {with(func(j *judging) { j.checks = []suites.Check{check("FLOW-06", suites.Must, suites.Inconclusive)} }), ofRule("FLOW-06", baseline.Inconclusive), EntryUsed},
		"it is conclusive":                    {failed, ofRule("FLOW-06", baseline.Inconclusive), EntryStale},
		"a rule is supported":                 {failed, ofRule("FLOW-06", baseline.Unsupported), EntryStale},
		"a required capability is missing":    {lacking("timeout_number"), ofRule("BUD-01", baseline.Unsupported), EntryUsed},
		"an optional capability is missing":   {lacking("timeout_pair"), ofRule("BUD-01", baseline.Unsupported), EntryUsed},
		"a rule not exercised is not lacking": {with(func(j *judging) { j.rules = append(j.rules, openRule()) }), ofRule("FLOW-07", baseline.Unsupported), EntryStale},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.j.known = []baseline.Entry{test.entry}
			b := test.j.result().Baseline
			if b.Entries[0].State != test.want || b.Used != btoi(test.want == EntryUsed) || b.Stale != btoi(test.want == EntryStale) {
				t.Errorf("it is %s, want %s; %d used, %d stale", b.Entries[0].State, test.want, b.Used, b.Stale)
			}
		})
	}
}

// lacking is a judging of a rule that needs what the subject does not claim.
func lacking(capability string) judging {
	j := green()
	j.session.Subject.Capabilities = nil
	j.rules = append(j.rules, rule("BUD-01", suites.Must, capability))
	return j
}

// TestExcusedChecks says what becomes of checks and rules.
func TestExcusedChecks(t *testing.T) {
	t.Parallel()
	j := knownOf(entry("FLOW-06", "plain-send"), entry("FLOW-06", ""))
	before := j.checks[0]
	r := j.result()
	if diff := cmp.Diff(Counts{Passed: 2, ExpectedFailure: 1}, r.Summary.Checks); diff != "" {
		t.Error(diff)
	}
	if rr := r.Rules[0]; rr.Status != RuleExpectedFailure || rr.Reason != "seen of FLOW-06" || rr.Checks != 2 {
		t.Errorf("the rule is %s, %q in %d checks", rr.Status, rr.Reason, rr.Checks)
	}
	c := r.Results[0]
	if diff := cmp.Diff([]string{"known of FLOW-06", "known of FLOW-06"}, c.Known); diff != "" || c.Status != suites.ExpectedFailure || c.Repeat == "" {
		t.Errorf("the check is %s, to be repeated by %q; known: %s", c.Status, c.Repeat, diff)
	}
	if diff := cmp.Diff(before, j.checks[0]); diff != "" {
		t.Errorf("the check that was judged is changed itself:\n%s", diff)
	}
	if k := r.Baseline.Entries[1]; k.Checks != 1 || k.Name() != "FLOW-06" || k.Unreviewed() {
		t.Errorf("the entry is %+v", k)
	}
	unjudged := knownOf(entry("FLOW-06", ""))
	unjudged.session.Control = evidence.Control{}
	if r := unjudged.result(); r.Exit != ExitNotJudged || r.Baseline.Used != 0 {
		t.Errorf("nothing was judged, and it is %s with %d used", r.Verdict, r.Baseline.Used)
	}
}
