package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// judging is a made-up session with its rules and checks, changed by each test where it matters.
type judging struct {
	session evidence.Session
	rules   []suites.Rule
	checks  []suites.Check
	strict  bool
}

func (j judging) result() Result {
	return Build(j.session, []evidence.Run{{ID: "plain-send"}}, suites.Scope{Rules: j.rules}, j.checks, Options{Strict: j.strict})
}

func rule(id string, level suites.Level, needs ...string) suites.Rule {
	return suites.Rule{ID: id, Level: level, Sides: []suites.Side{suites.Client}, Section: "Decision 3", Obligation: "do " + id, Cause: "cause of " + id, Needs: needs}
}

func check(id string, level suites.Level, status suites.Status) suites.Check {
	c := suites.Check{Rule: id, Level: level, Run: "plain-send", Call: 1, Status: status}
	if status != suites.Passed {
		c.Reason, c.Seen, c.Expected, c.Exchanges = "seen of "+id, "time-line", "expected of "+id, []int{2}
	}
	return c
}

// green is a judging of two rules that both held.
func green() judging {
	return judging{
		session: evidence.Session{
			Tool: evidence.Tool{Name: "a2a-conform", Version: "1"}, Contract: evidence.Contract{ID: "ADR-0029", Revision: "2026-10-11"},
			Subject: evidence.Subject{Kind: evidence.KindReference, Name: "reference", Version: "1", Capabilities: append(Required(), Optional()...)},
			Clock:   evidence.ClockVirtual, Control: evidence.Control{Held: true}, Repeat: []string{"a2a-conform", "run", evidence.RepeatFilter},
		},
		rules:  []suites.Rule{rule("FLOW-06", suites.Must), rule("FLOW-21", suites.Should)},
		checks: []suites.Check{check("FLOW-06", suites.Must, suites.Passed), check("FLOW-21", suites.Should, suites.Passed)},
	}
}

func TestExit(t *testing.T) {
	t.Parallel()
	fault := []evidence.Fault{{Scenario: "plain-send", Kind: "answer", Text: "its JSON is broken"}}
	ofFile := []evidence.Fault{{Scenario: "plain-send", Kind: evidence.FaultCovers, Text: "FLOW-06 did not apply"}}
	failed := check("FLOW-06", suites.Must, suites.Failed)
	open := rule("FLOW-07", suites.Must)
	for name, test := range map[string]struct {
		change  func(*judging)
		verdict Verdict
		exit    int
		reason  string
	}{
		"all held": {
			func(*judging) {}, Conformant, ExitOK, "1 MUST rule held in every check",
		},
		"a warning alone": {
			func(j *judging) { j.checks[1] = check("FLOW-21", suites.Should, suites.Warned) },
			Conformant, ExitOK, "1 MUST rule held in every check",
		},
		"a warning, strict": {
			func(j *judging) { j.checks[1] = check("FLOW-21", suites.Should, suites.Warned); j.strict = true },
			NonConformant, ExitNonConformant, "1 rule with warnings, which count as failures here (strict): FLOW-21",
		},
		"a rule broken": {
			func(j *judging) { j.checks[0] = failed }, NonConformant, ExitNonConformant, "1 rule broken: FLOW-06",
		},
		"a rule broken, however much is left open": {
			func(j *judging) {
				j.checks[0] = failed
				j.rules = append(j.rules, open)
				j.session.Incomplete = "the time was over"
			},
			NonConformant, ExitNonConformant, "1 rule broken: FLOW-06",
		},
		"a fault comes before a broken rule": {
			func(j *judging) { j.checks[0] = failed; j.session.Faults = fault },
			HarnessFault, ExitFault, "1 fault of the harness or its scenarios, first in plain-send: its JSON is broken",
		},
		"a file that expects too much": {
			func(j *judging) { j.session.Faults = ofFile },
			HarnessFault, ExitFault, "1 fault of the harness or its scenarios, first in plain-send: FLOW-06 did not apply",
		},
		"a file expects what a client with a mistake does not do": {
			func(j *judging) { j.checks[0] = failed; j.session.Faults = ofFile },
			NonConformant, ExitNonConformant, "1 rule broken: FLOW-06",
		},
		"a file expects what a client with a warning does not do": {
			func(j *judging) {
				j.checks[1] = check("FLOW-21", suites.Should, suites.Warned)
				j.session.Faults = ofFile
			},
			Conformant, ExitOK, "1 MUST rule held in every check",
		},
		"of faults beside a broken rule only those of files are left out": {
			func(j *judging) { j.checks[0] = failed; j.session.Faults = append(ofFile, fault...) },
			HarnessFault, ExitFault, "1 fault of the harness or its scenarios, first in plain-send: its JSON is broken",
		},
		"the control failed, and nothing is scored": {
			func(j *judging) { j.checks[0] = failed; j.session.Control = evidence.Control{Text: "nothing arrived"} },
			NotJudged, ExitNotJudged, "the plain success case did not succeed, so nothing was judged: nothing arrived",
		},
		"not all runs were made": {
			func(j *judging) { j.session.Incomplete = "the time was over" }, NotJudged, ExitNotJudged, "the time was over",
		},
		"zero checks are never green": {
			func(j *judging) { j.checks = nil }, NotJudged, ExitNotJudged, "no rule applied to anything that was recorded",
		},
		"no rules at all": {
			func(j *judging) { j.rules, j.checks = nil, nil }, NotJudged, ExitNotJudged, "no rule applied to anything that was recorded",
		},
		"a MUST rule not exercised": {
			func(j *judging) { j.rules = append(j.rules, open) },
			NotJudged, ExitNotJudged, "1 MUST rule left open (not exercised or inconclusive): FLOW-07",
		},
		"a MUST rule inconclusive": {
			func(j *judging) { j.checks[0] = check("FLOW-06", suites.Must, suites.Inconclusive) },
			NotJudged, ExitNotJudged, "1 MUST rule left open (not exercised or inconclusive): FLOW-06",
		},
		"a SHOULD rule not exercised": {
			func(j *judging) { j.rules = append(j.rules, rule("REQ-17", suites.Should)) },
			Conformant, ExitOK, "1 MUST rule held in every check",
		},
		"an optional capability missing": {
			func(j *judging) {
				j.session.Subject.Capabilities = Required()
				j.rules = append(j.rules, rule("TASK-01", suites.Must, "task_mode"))
			},
			PartConformant, ExitOK, "1 MUST rule held in every check of the part that was judged; unsupported: TASK-01",
		},
		"a required capability missing": {
			func(j *judging) {
				j.session.Subject.Capabilities = nil
				j.rules = append(j.rules, rule("BUD-01", suites.Must, "timeout_number"))
			},
			NotJudged, ExitNotJudged, "1 MUST rule left open (not exercised or inconclusive): BUD-01",
		},
		"slow rules left out on real time": {
			func(j *judging) {
				j.session.Clock = evidence.ClockReal
				j.rules = append(j.rules, rule("LIM-09", suites.Must))
			},
			PartConformant, ExitOK, "1 MUST rule held in every check of the part that was judged; slow, left out: LIM-09",
		},
		"slow rules asked for and not exercised": {
			func(j *judging) {
				j.session.Clock, j.session.Selection.Slow = evidence.ClockReal, true
				j.rules = append(j.rules, rule("LIM-09", suites.Must))
			},
			NotJudged, ExitNotJudged, "1 MUST rule left open (not exercised or inconclusive): LIM-09",
		},
		"a part was selected": {
			func(j *judging) {
				j.session.Selection = evidence.Selection{Rules: []string{"FLOW"}, Scenarios: []string{"plain-*"}, Level: "MUST"}
				j.session.Skipped = []evidence.Skipped{{Scenario: "plain-files", Reason: "needs files"}}
			},
			PartConformant, ExitOK, "1 MUST rule held in every check of the part that was judged; selected: FLOW, plain-*; levels below MUST left out; 1 scenario skipped",
		},
		"what chosen scenarios do not exercise is out of scope": {
			func(j *judging) {
				j.session.Selection.Scenarios = []string{"plain-send"}
				j.rules = append(j.rules, open)
			},
			PartConformant, ExitOK, "1 MUST rule held in every check of the part that was judged; selected: plain-send",
		},
		"unless its rule was named": {
			func(j *judging) {
				j.session.Selection = evidence.Selection{Rules: []string{"FLOW-07"}, Scenarios: []string{"plain-send"}}
				j.rules = append(j.rules, open)
			},
			NotJudged, ExitNotJudged, "1 MUST rule left open (not exercised or inconclusive): FLOW-07",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := green()
			test.change(&j)
			r := j.result()
			got := []any{r.Verdict, r.Exit, r.ExitReason}
			if diff := cmp.Diff([]any{test.verdict, test.exit, test.reason}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRuleStatus(t *testing.T) {
	t.Parallel()
	statuses := []suites.Status{suites.Inconclusive, suites.Observed, suites.Warned, suites.Passed, suites.ExpectedFailure, suites.Failed}
	want := []RuleStatus{RuleInconclusive, RuleObserved, RuleWarned, RulePassed, RuleExpectedFailure, RuleFailed}
	// Each is worth more than all before it: with every status seen so far the rule has the last one.
	j := green()
	j.checks = nil
	for i, status := range statuses {
		j.checks = append(j.checks, check("FLOW-06", suites.Must, status))
		got := j.result().Rules[0]
		if got.Status != want[i] || got.Checks != i+1 {
			t.Errorf("with %v: %s in %d checks, want %s", statuses[:i+1], got.Status, got.Checks, want[i])
		}
		if (got.Reason == "") != (want[i] == RulePassed) {
			t.Errorf("status %s with reason %q", got.Status, got.Reason)
		}
	}
	if diff := cmp.Diff(Counts{1, 1, 1, 1, 1, 1}, j.result().Summary.Checks); diff != "" {
		t.Error(diff)
	}
}

func TestIdleRules(t *testing.T) {
	t.Parallel()
	j := green()
	j.checks, j.session.Clock = nil, evidence.ClockReal
	j.session.Subject.Capabilities = []string{"send"}
	j.rules = []suites.Rule{
		rule("BUD-01", suites.Must, "timeout_number"), rule("BUD-15", suites.Should, "timeout_number"),
		rule("BUD-02", suites.Must, "timeout_pair"), rule("BUD-04", suites.Must), rule("REQ-02", suites.Must, "send"),
	}
	got := map[string]string{}
	for _, rr := range j.result().Rules {
		got[rr.Rule] = string(rr.Status) + ": " + rr.Reason
	}
	want := map[string]string{
		"BUD-01": "not_exercised: the subject does not claim timeout_number, which every client must have",
		"BUD-15": "unsupported: the subject does not claim timeout_number",
		"BUD-02": "unsupported: the subject does not claim timeout_pair",
		"BUD-04": "slow: takes longer than a judging on the machine's own clock waits",
		"REQ-02": "not_exercised: nothing in the evidence put it to the test",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	wantMissing := []string{
		"message_id", "strict_dictionary", "timeout_number", "timeout_pair", "timeout_default", "files", "task_mode",
		"get_task", "cancel_task", "wait_task", "typed_errors", "cancel", "per_call_platform",
	}
	if diff := cmp.Diff(wantMissing, j.result().Subject.Missing()); diff != "" {
		t.Error(diff)
	}
}

func TestManyAreCounted(t *testing.T) {
	t.Parallel()
	j := green()
	j.rules, j.checks = nil, nil
	for _, id := range []string{"REQ-01", "REQ-02", "REQ-03", "REQ-04", "REQ-05", "REQ-06", "REQ-07", "REQ-08", "REQ-09", "REQ-10"} {
		j.rules = append(j.rules, rule(id, suites.Must))
		j.checks = append(j.checks, check(id, suites.Must, suites.Failed))
	}
	want := "10 rules broken: REQ-01, REQ-02, REQ-03, REQ-04, REQ-05, REQ-06, REQ-07, REQ-08 and 2 more"
	if got := j.result().ExitReason; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRepeat(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		repeat []string
		run    string
		want   string
	}{
		"plain":        {[]string{"a2a-conform", "run", "{filter}"}, "retry-not/status=400", "a2a-conform run FLOW-06 retry-not/status=400"},
		"with a shell": {[]string{"a2a-conform", "run", "{filter}", "--", "python", "my driver.py"}, "a/b=1#2", "a2a-conform run FLOW-06 'a/b=1#2' -- python 'my driver.py'"},
		"quotes":       {[]string{"it's", ""}, "", `'it'\''s' ''`},
		"none":         {nil, "a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := repeatCommand(test.repeat, suites.Check{Rule: "FLOW-06", Run: test.run})
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
