package suites

import (
	"strings"
	"testing"
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
