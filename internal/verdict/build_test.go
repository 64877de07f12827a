package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/suites"
)

// judging is a made-up session with its rules and checks, changed by each test where it matters.
type judging struct {
	session evidence.Session
	rules   []suites.Rule
	checks  []suites.Check
	strict  bool
	known   []baseline.Entry
	runs    []evidence.Run // nil for one in which no request came
}

func (j judging) result() Result {
	o := Options{Strict: j.strict}
	if j.known != nil {
		o.Baseline = &baseline.File{Path: "known.yaml", Entries: j.known}
	}
	runs := j.runs
	if runs == nil {
		runs = []evidence.Run{{ID: "plain-send"}}
	}
	return Build(j.session, runs, suites.Scope{Rules: j.rules}, j.checks, o)
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
		"message_id", "strict_dictionary", "timeout_number", "timeout_pair", "timeout_default", "files", "task_mode", "get_task",
		"cancel_task", "wait_task", "typed_errors", "cancel", "per_call_platform",
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
