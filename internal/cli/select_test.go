package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

func TestMatches(t *testing.T) {
	t.Parallel()
	made := scenarios.Case{Scenario: "retry-not", ID: "retry-not/status=400,to=/a#2"}
	for pattern, want := range map[string]bool{
		"retry-not": true, "retry-not/status=400,to=/a#2": true, "retry-*": true, "retry-not/*": true, "*": true, "*=400*": true,
		"retry-no?": true, "retry-not/status=4??,*": true, "r*t": true, "retry": false, "retry-not/": false, "retry-not/status=40": false,
		"not*": false, "retry.not": false, "retry-not/status=[4]00*": false, "?": false,
	} {
		if got := matches(pattern, made); got != want {
			t.Errorf("%q matches %s: %t, want %t", pattern, made.ID, got, want)
		}
		if want && !mayMatch(pattern, made.Scenario) {
			t.Errorf("%q matches %s, and is not looked for there", pattern, made.ID)
		}
	}
}

func TestChoice(t *testing.T) {
	t.Parallel()
	files, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		filters         []string
		rules, patterns []string
		runs            bool
	}{
		"a chapter":               {[]string{"FLOW"}, []string{"FLOW"}, nil, true},
		"a rule":                  {[]string{"FLOW-06"}, []string{"FLOW-06"}, nil, true},
		"a scenario":              {[]string{"plain-send"}, nil, []string{"plain-send"}, true},
		"a glob":                  {[]string{"plain-*"}, nil, []string{"plain-*"}, true},
		"a rule and a scenario":   {[]string{"AUTH-01", "waking-then-ready"}, []string{"AUTH-01"}, []string{"waking-then-ready"}, true},
		"nothing means all":       {nil, nil, nil, true},
		"a rule that nobody runs": {[]string{"SUBJ-02"}, []string{"SUBJ-02"}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChooser(test.filters, files, []suites.Side{suites.Client}, evidence.ClockVirtual)
			got := c.choice()
			if diff := cmp.Diff([]any{test.rules, test.patterns, []string(nil)}, []any{got.rules, got.patterns, c.problems}); diff != "" {
				t.Error(diff)
			}
			for _, made := range got.cases {
				if len(test.patterns) > 0 && !matches(test.patterns[0], made) {
					t.Errorf("%s is chosen by %v", made.ID, test.filters)
				}
			}
			if test.runs && len(got.cases) == 0 {
				t.Errorf("%v chooses nothing", test.filters)
			}
		})
	}
}

func TestChoiceOfWhatBindsOthers(t *testing.T) {
	t.Parallel()
	c := newChooser([]string{"REQ-02"}, nil, []suites.Side{suites.Platform}, evidence.ClockVirtual)
	want := []string{`filter "REQ-02": binds a client (C), and none of these is judged here`}
	if diff := cmp.Diff(want, c.problems); diff != "" {
		t.Error(diff)
	}
}

func TestARunIsNamedByItsID(t *testing.T) {
	t.Parallel()
	files, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	c := newChooser([]string{"waking-then-ready/pause=1s"}, files, []suites.Side{suites.Client}, evidence.ClockVirtual)
	if len(c.problems) != 1 {
		t.Errorf("problems %v", c.problems)
	}
}
