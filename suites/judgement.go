package suites

import (
	"fmt"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Judgement collects what a rule finds in one call. The worst finding is the check: one failure outweighs any number
// of passes. A judgement without findings means that the rule does not apply.
type Judgement struct {
	call     *Call
	findings []finding
}

type finding struct {
	status    Status
	reason    string
	expected  string
	exchanges []int
}

// Pass notes that the rule applied and held.
func (j *Judgement) Pass() { j.findings = append(j.findings, finding{status: Passed}) }

// Fail notes a breach: what was seen, in one sentence, what was expected in its place, and the exchanges that show
// it. On a SHOULD rule it becomes a warning, on an OBSERVE rule an observation.
func (j *Judgement) Fail(seen, expected string, at ...*Exchange) { j.add(Failed, seen, expected, at) }

// Warn notes something less than a breach.
func (j *Judgement) Warn(seen, expected string, at ...*Exchange) { j.add(Warned, seen, expected, at) }

// Observe notes a choice that the contract leaves free.
func (j *Judgement) Observe(seen string, at ...*Exchange) { j.add(Observed, seen, "", at) }

// Unclear notes that the evidence does not decide, and why.
func (j *Judgement) Unclear(why string, at ...*Exchange) { j.add(Inconclusive, why, "", at) }

// Hold passes where ok is true and fails otherwise.
func (j *Judgement) Hold(ok bool, seen, expected string, at ...*Exchange) {
	if ok {
		j.Pass()
		return
	}
	j.Fail(seen, expected, at...)
}

// HoldIf does what Hold does for a comparison of times: a comparison inside the tolerance of the clock is unclear.
func (j *Judgement) HoldIf(v evidence.Verdict, seen, expected string, at ...*Exchange) {
	switch v {
	case evidence.Yes:
		j.Pass()
	case evidence.Unclear:
		j.Unclear("too near to the border for this clock: "+seen, at...)
	default:
		j.Fail(seen, expected, at...)
	}
}

func (j *Judgement) add(s Status, reason, expected string, at []*Exchange) {
	f := finding{status: s, reason: reason, expected: expected}
	for _, x := range at {
		if x != nil && !slices.Contains(f.exchanges, x.Seq) {
			f.exchanges = append(f.exchanges, x.Seq)
		}
	}
	j.findings = append(j.findings, f)
}

// weight orders statuses from good to bad; of equal ones the first found counts.
func weight(s Status) int {
	return slices.Index([]Status{Passed, Observed, Inconclusive, Warned, Failed}, s)
}

func (j *Judgement) check(r Rule) (Check, bool) {
	if len(j.findings) == 0 {
		return Check{}, false
	}
	worst := j.findings[0]
	for _, f := range j.findings[1:] {
		if weight(f.status) > weight(worst.status) {
			worst = f
		}
	}
	c := Check{
		Rule: r.ID, Level: r.Level, Run: j.call.Run.ID, Call: j.call.Number,
		Status: atLevel(worst.status, r.Level), Reason: worst.reason, Expected: worst.expected, Exchanges: worst.exchanges,
	}
	if c.Status != Passed {
		c.Seen = timeline(j.call, c.Exchanges)
		if c.Reason == "" {
			c.Reason = fmt.Sprintf("call %d did not hold it", c.Call)
		}
	}
	return c, true
}

// atLevel lowers a breach of a rule that does not bind.
func atLevel(s Status, l Level) Status {
	switch {
	case l == Should && s == Failed:
		return Warned
	case l == Observe && (s == Failed || s == Warned):
		return Observed
	default:
		return s
	}
}
