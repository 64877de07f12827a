package runner

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

func TestSample(t *testing.T) {
	t.Parallel()
	made := func(chapter, id string, calls int, covers ...string) scenarios.Case {
		name, _, _ := strings.Cut(id, "/")
		c := scenarios.Case{ID: id, Scenario: name, Chapter: chapter, Covers: covers}
		for range calls {
			c.Calls = append(c.Calls, scenarios.CallStep{Call: &scenarios.Call{}})
		}
		return c
	}
	tests := map[string]struct {
		cases  []scenarios.Case
		want   []string
		chosen []string
	}{
		"none": {},
		"two for each rule, the first and the last case first": {
			[]scenarios.Case{made("flow", "a/1", 1, "R"), made("flow", "a/2", 1, "R"), made("flow", "a/3", 1, "R")}, []string{"a/1", "a/3"}, nil,
		},
		"the most rules first": {
			[]scenarios.Case{made("flow", "a", 1, "R"), made("flow", "b", 1, "R", "S"), made("flow", "c", 1, "R", "S")}, []string{"b", "c"}, nil,
		},
		"other scenarios before further cases": {
			[]scenarios.Case{made("flow", "a/1", 1, "R"), made("flow", "a/2", 1, "R"), made("flow", "b", 1, "R")}, []string{"a/1", "b"}, nil,
		},
		"few calls before many": {
			[]scenarios.Case{made("flow", "a", 9, "R"), made("flow", "b", 1, "R"), made("flow", "c", 2, "R")}, []string{"b", "c"}, nil,
		},
		"the first case of each scenario about commands": {
			[]scenarios.Case{
				made("answer", "a", 1, "R"), made("cli", "b/1", 1, "R"), made("cli", "b/2", 1, "R"), made("cli", "c", 3, "R"), made("cli", "d", 1, "R"),
			},
			[]string{"b/1", "c", "d"}, nil,
		},
		"all there are": {[]scenarios.Case{made("flow", "a", 1, "R")}, []string{"a"}, nil},
		"of what was chosen": {
			[]scenarios.Case{
				made("cli", "a", 1, "CLI-01"), made("cli", "b", 1, "REQ-01"), made("flow", "c", 1, "FLOW-01"), made("flow", "d", 1, "FLOW-02"), made("flow", "e", 1, "CLI-01"),
			},
			[]string{"a", "d", "e"}, []string{"CLI", "FLOW-02"},
		},
	}
	for name, tt := range tests {
		var got []string
		for _, c := range sample(tt.cases, tt.chosen) {
			got = append(got, c.ID)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// TestSampleCoversWhatAllCasesCover: no rule is left out that a case of those that ship is said to put to the test.
func TestSampleCoversWhatAllCasesCover(t *testing.T) {
	t.Parallel()
	files, err := scenarios.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var all []scenarios.Case
	for _, cases := range scenarios.ExpandEach(files, evidence.ClockReal) {
		all = append(all, cases...)
	}
	covered := func(cases []scenarios.Case) map[string]int {
		found := map[string]int{}
		for _, c := range cases {
			for _, rule := range c.Covers {
				found[rule] = min(sampledPerRule, found[rule]+1)
			}
		}
		return found
	}
	kept := sample(all, nil)
	if diff := cmp.Diff(covered(all), covered(kept)); diff != "" {
		t.Errorf("(-all +sample)\n%s", diff)
	}
	if len(kept) > len(all)/4 {
		t.Errorf("want a sample to be small, got %d of %d cases", len(kept), len(all))
	}
	rec := Recording{}
	if got := rec.sampled(all); len(got) != len(kept) || len(rec.Session.Skipped) != len(all)-len(kept) {
		t.Errorf("want all others named as left out, got %d and %d of %d", len(got), len(rec.Session.Skipped), len(all))
	}
	if !slices.ContainsFunc(rec.Session.Skipped, func(s evidence.Skipped) bool { return strings.Contains(s.Reason, "--all") }) {
		t.Error("want the reason to say how all are run")
	}
}

// costly is a subject of which a start costs so much.
type costly struct {
	subject.Subject

	cost time.Duration
}

func (c costly) Cost() time.Duration { return c.cost }

func TestHowManyRunsAreMadeSideBySide(t *testing.T) {
	t.Parallel()
	processors := runtime.GOMAXPROCS(0)
	tests := map[string]struct {
		subject subject.Subject
		want    int
	}{
		"no program":            {subject.InProcess("tool", nil), liveJobs},
		"before the first":      {costly{}, liveJobs},
		"a quick one":           {costly{cost: time.Millisecond}, liveJobs},
		"a slow one":            {costly{cost: 2 * time.Second}, startingPerProcessor * processors},
		"one that takes a 20th": {costly{cost: 50 * time.Millisecond}, min(liveJobs, max(startingPerProcessor*processors, 20*processors))},
	}
	for name, tt := range tests {
		l := &live{}
		weigh(l, tt.subject)
		if got := l.sideBySide(); got != tt.want {
			t.Errorf("%s: want %d, got %d", name, tt.want, got)
		}
	}
	weigh(&virtual{}, costly{cost: time.Second}) // nothing is started there
}
