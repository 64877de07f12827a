package verdict

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// exit is a change of a judging in which all held, and the verdict that it gives.
type exit struct {
	change  func(*judging)
	verdict Verdict
	exit    int
	reason  string
}

// fault is a defect of the harness; ofFile one of a scenario file, which expects or covers what did not come about.
func fault() []evidence.Fault {
	return []evidence.Fault{{Scenario: "plain-send", Kind: "answer", Text: "its JSON is broken"}}
}

func ofFile() []evidence.Fault {
	return []evidence.Fault{{Scenario: "plain-send", Kind: evidence.FaultCovers, Text: "FLOW-06 did not apply"}}
}

func failedCheck() suites.Check { return check("FLOW-06", suites.Must, suites.Failed) }

// openRule is a MUST rule that no check is about.
func openRule() suites.Rule { return rule("FLOW-07", suites.Must) }

// seen are the exits of what was seen: all well, a rule broken, a fault.
func seen() map[string]exit {
	return map[string]exit{
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
			func(j *judging) { j.checks[0] = failedCheck() }, NonConformant, ExitNonConformant, "1 rule broken: FLOW-06",
		},
		"a rule broken, however much is left open": {
			func(j *judging) {
				j.checks[0] = failedCheck()
				j.rules = append(j.rules, openRule())
				j.session.Incomplete = "the time was over"
			},
			NonConformant, ExitNonConformant, "1 rule broken: FLOW-06",
		},
		"a fault comes before a broken rule": {
			func(j *judging) {
				j.checks[0] = failedCheck()
				j.session.Faults = fault()
			},
			HarnessFault, ExitFault, "1 fault of the harness or its scenarios, first in plain-send: its JSON is broken",
		},
		"a file that expects too much": {
			func(j *judging) { j.session.Faults = ofFile() },
			HarnessFault, ExitFault, "1 fault of the harness or its scenarios, first in plain-send: FLOW-06 did not apply",
		},
		"a file expects what a client with a mistake does not do": {
			func(j *judging) { j.checks[0] = failedCheck(); j.session.Faults = ofFile() },
			NonConformant, ExitNonConformant, "1 rule broken: FLOW-06",
		},
		"a file expects what a client with a warning does not do": {
			func(j *judging) {
				j.checks[1] = check("FLOW-21", suites.Should, suites.Warned)
				j.session.Faults = ofFile()
			},
			Conformant, ExitOK, "1 MUST rule held in every check",
		},
		"of faults beside a broken rule only those of files are left out": {
			func(j *judging) { j.checks[0] = failedCheck(); j.session.Faults = append(ofFile(), fault()...) },
			HarnessFault, ExitFault, "1 fault of the harness or its scenarios, first in plain-send: its JSON is broken",
		},
	}
}

// leftOpen are the exits of what was not seen.
func leftOpen() map[string]exit {
	return map[string]exit{
		"the control failed, and nothing is scored": {
			func(j *judging) {
				j.checks[0] = failedCheck()
				j.session.Control = evidence.Control{Text: "nothing arrived"}
			},
			NotJudged, ExitNotJudged, "the plain success case did not succeed, so nothing was judged: nothing arrived",
		},
		"not all runs were made": {
			func(j *judging) { j.session.Incomplete = "the time was over" }, NotJudged, ExitNotJudged, "the time was over",
		},
		"zero checks are never green": {
			func(j *judging) {
				j.checks = nil
				j.runs = []evidence.Run{{ID: "plain-send", Exchanges: []evidence.Exchange{{Seq: 1}}}}
			},
			NotJudged, ExitNotJudged, "no rule applied to anything that was recorded",
		},
		"no request in any run": {
			func(j *judging) { j.checks = nil }, NotJudged, ExitNotJudged,
			"no rule applied to anything that was recorded: no request came in 1 run. The client sends nothing, or elsewhere: through a proxy, or with access that it kept of another session",
		},
		"no rules at all": {
			func(j *judging) { j.rules, j.checks, j.runs = nil, nil, []evidence.Run{} }, NotJudged, ExitNotJudged, "no rule applied to anything that was recorded",
		},
		"a MUST rule not exercised": {
			func(j *judging) { j.rules = append(j.rules, openRule()) },
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
	}
}

// inPart are the exits of a part.
func inPart() map[string]exit {
	return map[string]exit{
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
			PartConformant, ExitOK, "1 MUST rule held in every check of the part that was judged; selected: FLOW, plain-*; levels below MUST left out; 1 run skipped",
		},
		"what chosen scenarios do not exercise is out of scope": {
			func(j *judging) {
				j.session.Selection.Scenarios = []string{"plain-send"}
				j.rules = append(j.rules, openRule())
			},
			PartConformant, ExitOK, "1 MUST rule held in every check of the part that was judged; selected: plain-send",
		},
		"unless its rule was named": {
			func(j *judging) {
				j.session.Selection = evidence.Selection{Rules: []string{"FLOW-07"}, Scenarios: []string{"plain-send"}}
				j.rules = append(j.rules, openRule())
			},
			NotJudged, ExitNotJudged, "1 MUST rule left open (not exercised or inconclusive): FLOW-07",
		},
	}
}

func TestExit(t *testing.T) {
	t.Parallel()
	all := seen()
	maps.Copy(all, leftOpen())
	maps.Copy(all, inPart())
	maps.Copy(all, withBaseline())
	for name, test := range all {
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
