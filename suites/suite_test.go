package suites_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// record runs the built-in scenarios against the reference client.
func record(t *testing.T) runner.Recording {
	t.Helper()
	files, err := scenarios.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	cases := scenarios.Expand(files, evidence.ClockVirtual)
	rec, err := runner.RunAll(context.Background(), subject.Reference("test"), cases, runner.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// The contract as a tree of specs, one for each rule and scenario, for go test and the ginkgo command alike. What the
// tree says is compared with the checks, one by one.
func TestADR0029(t *testing.T) { // not parallel: Ginkgo runs one tree in a process
	if os.Getenv(showing) != "" {
		t.Skip("this process shows another tree: unset " + showing)
	}
	rec := record(t)
	gomega.RegisterFailHandler(ginkgo.Fail)
	checks := suites.Register(rec.Session, rec.Runs)
	worst := map[string]suites.Status{} // by the name of the spec
	for _, c := range checks {
		rule, _ := suites.Find(c.Rule)
		scenario, _, _ := strings.Cut(c.Run, "/")
		spec := rule.Chapter() + " " + rule.ID + " must " + rule.Obligation + " " + scenario
		if worst[spec] != suites.Failed {
			worst[spec] = c.Status
		}
	}
	var problems []string
	ginkgo.ReportAfterSuite("the tree and the checks agree", func(report ginkgo.Report) {
		for i := range report.SpecReports {
			s := &report.SpecReports[i]
			if s.LeafNodeType != types.NodeTypeIt {
				continue
			}
			status, known := worst[s.FullText()]
			if !known || (status == suites.Failed) != (s.State == types.SpecStateFailed) {
				problems = append(problems, s.FullText()+": "+s.State.String())
			}
			delete(worst, s.FullText())
		}
	})
	ginkgo.RunSpecs(t, "ADR 0029")
	for spec := range worst {
		problems = append(problems, spec+": no such spec ran")
	}
	if len(checks) == 0 || len(problems) > 0 {
		t.Errorf("%d checks; the tree and the checks disagree in %d specs: %q", len(checks), len(problems), problems)
	}
}

// showing names, in a process of its own, which tree TestShow shows there.
const showing = "SUITES_TEST_SHOW"

// Show runs in processes of its own, since Ginkgo runs one tree in each.
func TestShow(t *testing.T) {
	rules := suites.Rules()[:2]
	held := suites.Check{Rule: rules[0].ID, Run: "plain", Call: 1, Status: suites.Passed}
	broken := suites.Check{Rule: rules[1].ID, Run: "each/n=2", Call: 1, Status: suites.Failed, Reason: "seen wheatear", Expected: "lapwing"}
	unclear := suites.Check{Rule: rules[1].ID, Run: "other", Call: 1, Status: suites.Inconclusive, Reason: "too near"}
	trees := map[string][]suites.Check{"held": {held}, "broken": {held, broken, unclear}}
	if checks := trees[os.Getenv(showing)]; checks != nil {
		if err := suites.Show(rules, checks, os.Stdout); err != nil {
			t.Error(err)
		}
		return
	}
	for name, want := range map[string]string{"held": "1/1 specs", "broken": "seen: seen wheatear"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run", "^TestShow$", "-test.timeout", "1m") // also where nobody waits for it any more
			cmd.Env = append(os.Environ(), showing+"="+name)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("the tree and its checks disagree: %v\n%s", err, out)
			}
			if !strings.Contains(string(out), want) {
				t.Errorf("the tree does not show %q:\n%s", want, out)
			}
		})
	}
}

func TestHoldTakesChecksOnly(t *testing.T) {
	t.Parallel()
	if _, err := suites.Hold().Match("a text"); err == nil {
		t.Error("a text passed for a check")
	}
	ok, err := suites.Hold().Match(suites.Check{Status: suites.Warned})
	if !ok || err != nil {
		t.Error(errors.Join(errors.New("a warning counts as a failure"), err))
	}
	text := suites.Hold().NegatedFailureMessage(suites.Check{Rule: "FLOW-06", Run: "r", Call: 2})
	if !strings.Contains(text, "FLOW-06 held in r, call 2") {
		t.Errorf("the negated message is %q", text)
	}
}
