package verdict

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/suites"
)

// readBack is a result as a program reads it from its JSON form.
func readBack(t *testing.T, r Result) Result {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again Result
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	return again
}

// spread is a judging of FLOW-06 in runs, of which those that begin with a minus failed.
func spread(runs ...string) judging {
	j := green()
	j.checks = nil
	for _, run := range runs {
		c := check("FLOW-06", suites.Must, suites.Passed)
		if name, failed := strings.CutPrefix(run, "-"); failed {
			c, run = failedCheck(), name
		}
		c.Run = run
		j.checks = append(j.checks, c)
	}
	j.checks = append(j.checks, check("FLOW-21", suites.Should, suites.Passed))
	return j
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	many := []string{"held"}
	for i := range 11 {
		many = append(many, fmt.Sprintf("-s%02d", i))
	}
	late := entry("FLOW-06", "a")
	late.Expires = "2020-01-01"
	broken := spread("-a", "b")
	broken.rules = append(broken.rules, rule("SUBJ-01", suites.Must))
	broken.checks = append(broken.checks, check("SUBJ-01", suites.Must, suites.Failed))
	open := spread("a", "b")
	open.rules = append(open.rules, openRule(), rule("BUD-01", suites.Must, "timeout_number"))
	open.session.Subject.Capabilities = []string{"send"}
	strict := spread("a", "b")
	strict.strict = true
	strict.checks[2] = check("FLOW-21", suites.Should, suites.Warned)
	cut := spread("-a", "b")
	cut.session.Incomplete = "the time was over"
	for name, test := range map[string]struct {
		j     judging
		known []baseline.Entry
		want  string
	}{
		"nothing fails":                    {spread("a", "b"), nil, ""},
		"a run":                            {spread("-a", "b"), nil, "added    FLOW-06 a: not looked at yet\n"},
		"all cases of a scenario":          {spread("-a/x=1", "-a/x=2", "b"), nil, "added    FLOW-06 a: not looked at yet\n"},
		"some cases of a scenario":         {spread("-a/x=1", "a/x=2"), nil, "added    FLOW-06 a/x=1: not looked at yet\n"},
		"many cases of a scenario":         {spread("-a/x=1", "-a/x=2", "-a/x=3", "-a/x=4", "a/x=5"), nil, "added    FLOW-06 a: not looked at yet\n"},
		"every scenario":                   {spread("-a", "-b"), nil, "added    FLOW-06: not looked at yet\n"},
		"many scenarios":                   {spread(many...), nil, "added    FLOW-06: not looked at yet\n"},
		"one that is known":                {spread("-a", "-b", "c"), []baseline.Entry{entry("FLOW-06", "a")}, "added    FLOW-06 b: not looked at yet\nkept     FLOW-06 a: known of FLOW-06\n"},
		"one that is known and has passed": {spread("a", "b"), []baseline.Entry{entry("FLOW-06", "a")}, "dropped  FLOW-06 a: known of FLOW-06\n"},
		"one that has expired":             {spread("-a", "b"), []baseline.Entry{late}, "kept     FLOW-06 a: known of FLOW-06\n"},
		"one that was not judged":          {spread("a"), []baseline.Entry{entry("REQ-02", "")}, "kept     REQ-02: known of REQ-02\n"},
		"a rule of the harness":            {broken, nil, "added    FLOW-06 a: not looked at yet\nbroken   SUBJ-01: a rule of the harness, which is never excused\n"},
		"rules left open": {
			open, []baseline.Entry{ofRule("FLOW-07", baseline.NotExercised)},
			"added    BUD-01 (unsupported): not looked at yet\nkept     FLOW-07 (not exercised): known of FLOW-07\n",
		},
		"a warning, strict": {strict, nil, "added    FLOW-21: not looked at yet\n"},
		"the time was over": {cut, nil, "added    FLOW-06 a: not looked at yet\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, known := range [][]baseline.Entry{nil, test.known} { // whether it was judged with the baseline is the same
				test.j.known = known
				c, err := Update(baseline.File{Entries: test.known}, readBack(t, test.j.result()))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.ReplaceAll(test.want, "FLOW-21:", "FLOW-21 plain-send:"), c.Text()); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// TestAnUpdateIsEnough: judged with what an update adds, the same is green.
func TestAnUpdateIsEnough(t *testing.T) {
	t.Parallel()
	for _, runs := range [][]string{{"-a", "b"}, {"-a/x=1", "a/x=2", "-b"}, {"-a", "-b"}, {"-a/x=1", "-a/x=2", "-a/x=3", "-a/x=4", "a/x=5", "c"}} {
		j := spread(runs...)
		j.rules = append(j.rules, openRule())
		c, err := Update(baseline.File{}, readBack(t, j.result()))
		if err != nil {
			t.Fatal(err)
		}
		j.known = c.Added
		if r := j.result(); r.Verdict != WithKnown || r.Baseline.Used != len(c.Added) {
			t.Errorf("%v: %s (%s) with\n%s", runs, r.Verdict, r.ExitReason, c.Text())
		}
	}
}

func TestWhatCannotBeAccepted(t *testing.T) {
	t.Parallel()
	faulty, unjudged := green(), green()
	faulty.session.Faults = fault()
	unjudged.session.Control.Held = false
	for want, j := range map[string]judging{"a fault of the harness": faulty, "nothing was judged": unjudged} {
		if _, err := Update(baseline.File{}, readBack(t, j.result())); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
