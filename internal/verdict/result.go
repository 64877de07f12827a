package verdict

import (
	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// SchemaVersion is the version of the result's JSON form. Members are only ever added.
const SchemaVersion = 1

// Result is everything that a judging says. Its JSON form is stable: rules are sorted by the catalogue, results by
// rule, scenario and call.
type Result struct {
	Schema     int                `json:"schema"`
	Tool       evidence.Tool      `json:"tool"`
	Contract   evidence.Contract  `json:"contract"`
	Subject    Subject            `json:"subject"`
	Selection  evidence.Selection `json:"selection"`
	Strict     bool               `json:"strict"`
	Baseline   *Baseline          `json:"baseline"`
	Clock      evidence.Clock     `json:"clock"`
	Verdict    Verdict            `json:"verdict"`
	Exit       int                `json:"exit"`
	ExitReason string             `json:"exit_reason"`
	// DurationMS is how long the judging took, in milliseconds: the one member that differs between equal judgings.
	DurationMS int64              `json:"duration_ms"`
	Summary    Summary            `json:"summary"`
	Rules      []RuleResult       `json:"rules"`
	Skipped    []evidence.Skipped `json:"skipped"`
	Faults     []evidence.Fault   `json:"faults"`
	Results    []CheckResult      `json:"results"`
}

// Subject names who was judged.
type Subject struct {
	Kind         evidence.SubjectKind `json:"kind"`
	Name         string               `json:"name"`
	Version      string               `json:"version"`
	Capabilities []string             `json:"capabilities"`
}

// Summary counts what was done and what came of it.
type Summary struct {
	Scenarios struct {
		Run     int `json:"run"`
		Skipped int `json:"skipped"`
	} `json:"scenarios"`
	Exchanges int `json:"exchanges"`
	Rules     struct {
		InScope      int `json:"in_scope"`
		Exercised    int `json:"exercised"`
		Unsupported  int `json:"unsupported"`
		Slow         int `json:"slow"`
		NotExercised int `json:"not_exercised"`
	} `json:"rules"`
	Checks Counts `json:"checks"`
}

// Counts counts checks by their status.
type Counts struct {
	Passed          int `json:"passed"`
	Failed          int `json:"failed"`
	ExpectedFailure int `json:"expected_failure"`
	Warned          int `json:"warned"`
	Observed        int `json:"observed"`
	Inconclusive    int `json:"inconclusive"`
}

// count is where the checks of a status are counted; nil for a status that there is not.
func (c *Counts) count(s suites.Status) *int {
	switch s {
	case suites.Passed:
		return &c.Passed
	case suites.Failed:
		return &c.Failed
	case suites.ExpectedFailure:
		return &c.ExpectedFailure
	case suites.Warned:
		return &c.Warned
	case suites.Observed:
		return &c.Observed
	case suites.Inconclusive:
		return &c.Inconclusive
	default:
		return nil
	}
}

// Of returns how many checks have a status.
func (c *Counts) Of(s suites.Status) int {
	if n := c.count(s); n != nil {
		return *n
	}
	return 0
}

func (c *Counts) add(s suites.Status) {
	if n := c.count(s); n != nil {
		*n++
	}
}

// addAll counts what others counted.
func (c *Counts) addAll(more Counts) {
	for _, s := range statuses() {
		*c.count(s) += *more.count(s)
	}
}

// Total is how many checks there were.
func (c *Counts) Total() int {
	n := 0
	for _, s := range statuses() {
		n += *c.count(s)
	}
	return n
}

// statuses are those that checks have.
func statuses() []suites.Status {
	return []suites.Status{suites.Passed, suites.Failed, suites.ExpectedFailure, suites.Warned, suites.Observed, suites.Inconclusive}
}

// RuleStatus is what came of one rule over all runs.
type RuleStatus string

// The statuses of a rule: those of checks, and three for a rule that had none.
const (
	RulePassed          RuleStatus = "passed"
	RuleFailed          RuleStatus = "failed"
	RuleExpectedFailure RuleStatus = "expected_failure"
	RuleWarned          RuleStatus = "warned"
	RuleObserved        RuleStatus = "observed"
	RuleInconclusive    RuleStatus = "inconclusive"
	RuleUnsupported     RuleStatus = "unsupported"
	RuleSlow            RuleStatus = "slow"
	RuleNotExercised    RuleStatus = "not_exercised"
)

// RuleResult is what came of one rule.
type RuleResult struct {
	Rule       string       `json:"rule"`
	Level      suites.Level `json:"level"`
	Side       string       `json:"side"`
	Section    string       `json:"section"`
	Obligation string       `json:"obligation"`
	Status     RuleStatus   `json:"status"`
	Reason     string       `json:"reason"`
	Checks     int          `json:"checks"`

	// Counts splits Checks by status, for reports.
	Counts Counts `json:"-"`
	// Known is why a rule that was left open is excused as a whole; empty where it is not.
	Known string `json:"-"`
}

// CheckResult is one check with what a reader needs to act on it.
type CheckResult struct {
	Rule      string        `json:"rule"`
	Level     suites.Level  `json:"level"`
	Scenario  string        `json:"scenario"`
	Call      int           `json:"call"`
	Status    suites.Status `json:"status"`
	Reason    string        `json:"reason"`
	Seen      string        `json:"seen"`
	Expected  string        `json:"expected"`
	Cause     string        `json:"cause"`
	Repeat    string        `json:"repeat"`
	Exchanges []int         `json:"exchanges"`

	// Known is why it is excused, as the entries of the baseline say that name it.
	Known []string `json:"-"`
}

// Verdict is the one word for a whole judging.
type Verdict string

// The verdicts.
const (
	Conformant     Verdict = "conformant"
	WithKnown      Verdict = "conformant_with_known_failures"
	PartConformant Verdict = "part_conformant"
	NonConformant  Verdict = "non_conformant"
	NotJudged      Verdict = "not_judged"
	BaselineStale  Verdict = "baseline_stale"
	HarnessFault   Verdict = "fault"
)

// The exit codes of every command that judges.
const (
	ExitOK            = 0
	ExitNonConformant = 1
	ExitUsage         = 2
	ExitNotJudged     = 3
	ExitStale         = 4
	ExitFault         = 5
	ExitInterrupted   = 130
)
