package suites

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestATreeThatDisagreesIsNamed(t *testing.T) {
	t.Parallel()
	rule := Rules()[0]
	spec := rule.Chapter() + " " + rule.ID + " must " + rule.Obligation + " in every run"
	held := []Check{{Rule: rule.ID, Run: "a", Status: Passed}, {Rule: rule.ID, Run: "b", Status: Warned}}
	broken := []Check{held[0], {Rule: rule.ID, Run: "b", Status: Failed}, held[1]}
	for _, test := range []struct {
		name           string
		checks         []Check
		passed, failed []string
		agree          bool
	}{
		{"passed and held", held, []string{spec}, nil, true},
		{"failed and broken", broken, nil, []string{spec}, true},
		{"passed though broken", broken, []string{spec}, nil, false},
		{"failed though held", held, nil, []string{spec}, false},
		{"never ran", held, nil, nil, false},
		{"ran without a check", nil, []string{spec}, nil, false},
		{"failed without a check", nil, nil, []string{spec}, false},
	} {
		err := agree([]Rule{rule}, test.checks, test.passed, test.failed)
		if (err == nil) != test.agree {
			t.Errorf("%s: %v", test.name, err)
		}
		if err != nil && !strings.Contains(err.Error(), rule.ID) {
			t.Errorf("%s: %v does not name the rule", test.name, err)
		}
	}
}

func TestChapters(t *testing.T) {
	t.Parallel()
	var rules []Rule
	for id := range strings.FieldsSeq("A-01 A-02 B-01 A-03") {
		rules = append(rules, Rule{ID: id})
	}
	var got []string
	for _, chapter := range chapters(rules) {
		var ids []string
		for _, r := range chapter {
			ids = append(ids, r.ID)
		}
		got = append(got, strings.Join(ids, " "))
	}
	if diff := cmp.Diff([]string{"A-01 A-02", "B-01", "A-03"}, got); diff != "" {
		t.Errorf("chapters differ (-want +got):\n%s", diff)
	}
}

func TestChecksOfOneSpec(t *testing.T) {
	t.Parallel()
	var got []string
	for _, together := range gathered([]Check{{Run: "a/x"}, {Run: "b"}, {Run: "a/y"}}, ByScenario) {
		var runs []string
		for _, c := range together {
			runs = append(runs, c.Run)
		}
		got = append(got, strings.Join(runs, " "))
	}
	if diff := cmp.Diff([]string{"a/x a/y", "b"}, got); diff != "" {
		t.Errorf("specs differ (-want +got):\n%s", diff)
	}
}

func TestHold(t *testing.T) {
	t.Parallel()
	held, first, second := Check{Rule: "FLOW-06", Run: "h", Status: Passed}, Check{Rule: "FLOW-06", Run: "a", Status: Failed}, Check{Rule: "FLOW-06", Run: "b", Status: Failed}
	for name, tt := range map[string]struct {
		actual     any
		holds      bool
		says       string
		more       bool
		negatively string
	}{
		"one that held":         {held, true, "", false, "FLOW-06 held in h"},
		"one that failed":       {first, false, "in a, call 0", false, "FLOW-06 held in a"},
		"none":                  {[]Check{}, true, "", false, " held in , call 0"},
		"one of two failed":     {[]Check{held, first}, false, "in a, call 0", false, "FLOW-06 held in h"},
		"two of three failed":   {[]Check{first, held, second}, false, "in a, call 0", true, "FLOW-06 held in a"},
		"several that all held": {[]Check{held, held}, true, "", false, "FLOW-06 held in h"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ok, err := Hold().Match(tt.actual)
			if ok != tt.holds || err != nil {
				t.Errorf("holds %t, %v", ok, err)
			}
			said := Hold().FailureMessage(tt.actual)
			if !strings.Contains(said, tt.says) || strings.Contains(said, "and in 1 more checks") != tt.more || strings.Contains(said, "more checks") != tt.more {
				t.Errorf("the message is %s", said)
			}
			if negated := Hold().NegatedFailureMessage(tt.actual); !strings.HasPrefix(negated, tt.negatively) {
				t.Errorf("the negated message is %s", negated)
			}
		})
	}
	if ok, err := Hold().Match("a text"); ok || err == nil {
		t.Errorf("a text holds: %t, %v", ok, err)
	}
}

func TestWhatWasExpectedNotToHold(t *testing.T) {
	t.Parallel()
	held := Check{Rule: "FLOW-06", Run: "r", Call: 2}
	for _, what := range []any{held, []Check{held}, []Check{held, {Rule: "REQ-02"}}} {
		if text := (holds{}).NegatedFailureMessage(what); !strings.Contains(text, "FLOW-06 held in r, call 2") {
			t.Errorf("of %v is said %q", what, text)
		}
	}
}
