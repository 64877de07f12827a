package suites

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// ruleThat is a rule made for the tests of judging itself.
func ruleThat(id string, level Level, judge func(c *Call, j *Judgement)) Rule {
	return Rule{ID: id, Level: level, Judge: judge}
}

// counts reports how many exchanges of a call the rule is shown.
func counts(forbids bool) Rule {
	return Rule{ID: "COUNT-01", Level: Must, Forbids: forbids, Judge: func(c *Call, j *Judgement) {
		j.Fail(fmt.Sprintf("%d exchanges, ended %t", len(c.Exchanges), c.Done()), "")
	}}
}

func TestJudgeOrdersChecks(t *testing.T) {
	t.Parallel()
	var runs []evidence.Run
	for _, id := range []string{"c", "a", "b"} {
		tape := plain().call(1).returns(1.001, answered())
		tape.run.ID = id
		runs = append(runs, tape.run)
	}
	fail := func(_ *Call, j *Judgement) { j.Fail("seen", "expected") }
	scope := Scope{Rules: []Rule{ruleThat("Z-01", Must, fail), ruleThat("A-01", Must, fail)}}
	var got []string
	for _, c := range Judge(runs, scope) {
		got = append(got, fmt.Sprintf("%s %s %d", c.Rule, c.Run, c.Call))
	}
	want := []string{
		"Z-01 a 1", "Z-01 a 2", "Z-01 b 1", "Z-01 b 2", "Z-01 c 1", "Z-01 c 2",
		"A-01 a 1", "A-01 a 2", "A-01 b 1", "A-01 b 2", "A-01 c 1", "A-01 c 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order differs (-want +got):\n%s", diff)
	}
}

func TestJudgeIsPure(t *testing.T) {
	t.Parallel()
	var runs []evidence.Run
	for i := range 40 {
		tape := theLimit().limitError(45)
		tape.run.ID = fmt.Sprintf("run-%02d", i)
		runs = append(runs, tape.run)
	}
	scope := Scope{Rules: Rules(), Subject: evidence.Subject{Kind: evidence.KindReference}}
	first := Judge(runs, scope)
	if len(first) < len(runs) {
		t.Fatalf("%d checks of %d runs", len(first), len(runs))
	}
	if diff := cmp.Diff(first, Judge(runs, scope)); diff != "" {
		t.Errorf("the same evidence was judged otherwise (-first +second):\n%s", diff)
	}
	if got := Judge(nil, scope); len(got) != 0 {
		t.Errorf("%d checks of no run", len(got))
	}
}

func TestWhatARuleSees(t *testing.T) {
	t.Parallel()
	astray := newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(503, "")).
		send(0.005, token1, "", unscripted).send(0.007, token1, "", unscripted).fails(0.009, evidence.Other)
	for name, tt := range map[string]struct {
		tape    *tape
		forbids bool
		want    string
	}{
		"a rule sees up to the request that no script foresaw": {astray, false, "2 exchanges, ended false"},
		"one that forbids sees all":                            {astray, true, "4 exchanges, ended true"},
		"without such a request there is no horizon":           {plain(), false, "2 exchanges, ended true"},
		"a retired route is none": {newTape().call(0).asks(0.001, evidence.OpLegacy, "platform", "GET", "/x", unscripted).
			resolve(0.003, ready(token1)).fails(0.005, evidence.Other), false, "2 exchanges, ended true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checks := Judge([]evidence.Run{tt.tape.run}, Scope{Rules: []Rule{counts(tt.forbids)}})
			if len(checks) != 1 || checks[0].Reason != tt.want {
				t.Errorf("checks %+v, want one that says %q", checks, tt.want)
			}
		})
	}
}

func TestWorstFindingIsTheCheck(t *testing.T) {
	t.Parallel()
	pass := func(j *Judgement, _ ...*Exchange) { j.Pass() }
	fail := func(j *Judgement, at ...*Exchange) { j.Fail("failed", "better", at...) }
	warn := func(j *Judgement, at ...*Exchange) { j.Warn("warned", "better", at...) }
	observe := func(j *Judgement, at ...*Exchange) { j.Observe("observed", at...) }
	unclear := func(j *Judgement, at ...*Exchange) { j.Unclear("unclear", at...) }
	type finds []func(j *Judgement, at ...*Exchange)
	for name, tt := range map[string]struct {
		level  Level
		finds  finds
		want   Status
		reason string
	}{
		"passes only":                       {Must, finds{pass, pass}, Passed, ""},
		"a failure outweighs all":           {Must, finds{pass, warn, fail, unclear, observe}, Failed, "failed"},
		"a warning outweighs the unclear":   {Must, finds{unclear, warn}, Warned, "warned"},
		"the unclear outweighs notes":       {Must, finds{observe, unclear, pass}, Inconclusive, "unclear"},
		"a note outweighs passes":           {Must, finds{pass, observe}, Observed, "observed"},
		"of equals the first":               {Must, finds{func(j *Judgement, _ ...*Exchange) { j.Fail("first", "") }, fail}, Failed, "first"},
		"SHOULD warns":                      {Should, finds{fail}, Warned, "failed"},
		"SHOULD may pass":                   {Should, finds{pass}, Passed, ""},
		"OBSERVE notes a failure":           {Observe, finds{fail}, Observed, "failed"},
		"OBSERVE notes a warning":           {Observe, finds{warn}, Observed, "warned"},
		"OBSERVE stays unclear":             {Observe, finds{unclear}, Inconclusive, "unclear"},
		"a finding without words gets some": {Must, finds{func(j *Judgement, _ ...*Exchange) { j.Hold(false, "", "") }}, Failed, "call 1 did not hold it"},
		"a comparison that holds":           {Must, finds{func(j *Judgement, _ ...*Exchange) { j.HoldIf(evidence.Yes, "late", "") }}, Passed, ""},
		"a comparison that does not":        {Must, finds{func(j *Judgement, _ ...*Exchange) { j.HoldIf(evidence.No, "late", "") }}, Failed, "late"},
		"a comparison that nobody can make": {Must, finds{func(j *Judgement, _ ...*Exchange) { j.HoldIf(evidence.Unclear, "late", "") }}, Inconclusive, "too near to the border for this clock: late"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule := ruleThat("X-01", tt.level, func(c *Call, j *Judgement) {
				for _, find := range tt.finds {
					find(j, c.Sends[0], nil, c.Sends[0], c.Resolves[0])
				}
			})
			checks := Judge([]evidence.Run{plain().run}, Scope{Rules: []Rule{rule}})
			if len(checks) != 1 || checks[0].Status != tt.want || checks[0].Reason != tt.reason {
				t.Fatalf("checks %+v, want one that %s: %q", checks, tt.want, tt.reason)
			}
			if seen := checks[0].Seen != ""; seen == (tt.want == Passed) {
				t.Errorf("time-line of a check that %s: %q", tt.want, checks[0].Seen)
			}
		})
	}
}

func TestCheckNamesItsExchanges(t *testing.T) {
	t.Parallel()
	rule := ruleThat("X-01", Must, func(c *Call, j *Judgement) {
		j.Fail("seen", "expected", c.Sends[0], nil, c.Sends[0], c.Resolves[0])
	})
	got := Judge([]evidence.Run{plain().run}, Scope{Rules: []Rule{rule}})
	want := []Check{{Rule: "X-01", Level: Must, Run: "tape", Call: 1, Status: Failed, Reason: "seen", Expected: "expected", Exchanges: []int{2, 1}}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Check{}, "Seen")); diff != "" {
		t.Errorf("checks differ (-want +got):\n%s", diff)
	}
	if marked := strings.Count(got[0].Seen, "> "); marked != 2 {
		t.Errorf("%d exchanges are marked in:\n%s", marked, got[0].Seen)
	}
}

func TestNothingFoundIsNoCheck(t *testing.T) {
	t.Parallel()
	rule := ruleThat("X-01", Must, func(*Call, *Judgement) {})
	if got := Judge([]evidence.Run{plain().run}, Scope{Rules: []Rule{rule}}); len(got) != 0 {
		t.Errorf("a rule that found nothing made %+v", got)
	}
}
