package verdict

import (
	"slices"
	"testing"

	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

func TestExample(t *testing.T) {
	t.Parallel()
	long, short, bare := CheckResult{Scenario: "a", Seen: "1\n2\n3"}, CheckResult{Scenario: "b", Seen: "1\n2"}, CheckResult{Scenario: "c"}
	plain := CheckResult{Scenario: scenarios.Control, Seen: "1\n2\n3\n4"}
	for name, test := range map[string]struct {
		found []CheckResult
		want  int
	}{
		"one":                         {[]CheckResult{long}, 0},
		"the shortest":                {[]CheckResult{long, short, short}, 1},
		"what shows nothing is worse": {[]CheckResult{bare, long}, 1},
		"nothing shows anything":      {[]CheckResult{bare, bare}, 0},
		"the plain success case":      {[]CheckResult{short, long, plain}, 2},
	} {
		if got := Example(test.found); got != test.want {
			t.Errorf("%s: example %d, want %d", name, got, test.want)
		}
	}
}

// TestEveryOptionalCapabilityIsNeeded compares the list with the needs of the rules and of the built-in scenarios: a
// capability that nothing needs would be named as left out where nothing is.
func TestEveryOptionalCapabilityIsNeeded(t *testing.T) {
	t.Parallel()
	files, err := scenarios.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var needed []string
	for _, rule := range suites.Rules() {
		needed = append(needed, rule.Needs...)
	}
	for _, file := range files {
		needed = append(needed, file.Needs...)
	}
	// What is asked of commands alone is out of the scope of any other subject: it leaves nothing out there.
	needed = slices.DeleteFunc(needed, func(n string) bool { return n == "command" })
	known := slices.Concat(Required(), Optional())
	for _, capability := range Optional() {
		if !slices.Contains(needed, capability) {
			t.Errorf("nothing needs %s, which is named as optional", capability)
		}
	}
	for _, capability := range needed {
		if !slices.Contains(known, capability) {
			t.Errorf("%s is needed, and never named where a subject lacks it", capability)
		}
	}
}
