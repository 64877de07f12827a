package suites

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Status is what one check says.
type Status string

// The statuses of a check. A check that does not apply does not exist. ExpectedFailure is given by a baseline only.
const (
	Passed          Status = "passed"
	Failed          Status = "failed"
	Warned          Status = "warned"
	Observed        Status = "observed"
	Inconclusive    Status = "inconclusive"
	ExpectedFailure Status = "expected_failure"
)

// Check is what one rule says about one call of one run.
type Check struct {
	Rule   string
	Level  Level
	Run    string
	Call   int
	Status Status
	// Reason is one sentence: what was seen, with its times and bytes. Empty for a check that passed.
	Reason string
	// Seen is the call as a small time-line; Expected what should have been seen. Empty for a check that passed.
	Seen      string
	Expected  string
	Exchanges []int
}

// Scope is what is judged: whose rules, and what is known of the subject beyond the evidence of a run.
type Scope struct {
	// Rules are the rules in scope.
	Rules []Rule
	// Subject gives the constants that a client declares and whether it runs in process.
	Subject evidence.Subject
}

// Judge judges every run by every rule in scope. It is pure: equal evidence gives equal checks, in an order that
// depends on the rules and the runs only.
func Judge(runs []evidence.Run, scope Scope) []Check {
	perRun := make([][]Check, len(runs))
	var next sync.Mutex
	at := 0
	take := func() int {
		next.Lock()
		defer next.Unlock()
		at++
		return at - 1
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), max(1, len(runs))) {
		workers.Go(func() {
			for i := take(); i < len(runs); i = take() {
				perRun[i] = judgeRun(&runs[i], scope)
			}
		})
	}
	workers.Wait()
	return inOrder(runs, perRun, scope.Rules)
}

// inOrder puts the checks of all runs together by rule, then by the id of the run, then by call. Those of one run are in
// the order of the rules and calls already, so that each rule takes a piece from the front of each.
func inOrder(runs []evidence.Run, perRun [][]Check, rules []Rule) []Check {
	byID := make([]int, len(runs))
	total := 0
	for i := range runs {
		byID[i] = i
		total += len(perRun[i])
	}
	slices.SortStableFunc(byID, func(a, b int) int { return cmp.Compare(runs[a].ID, runs[b].ID) })
	checks := make([]Check, 0, total)
	for _, rule := range rules {
		for _, i := range byID {
			n := 0
			for n < len(perRun[i]) && perRun[i][n].Rule == rule.ID {
				n++
			}
			checks, perRun[i] = append(checks, perRun[i][:n]...), perRun[i][n:]
		}
	}
	return checks
}

// subjectChapter is the chapter of the harness's own rules: the only one that judges calls that came to nothing.
const subjectChapter = "SUBJ"

// outOf tells whether a rule has nothing to do with a call: the call came to nothing that it could judge, or a command was
// asked for its help, which only the rules of commands are about.
func (c *Call) outOf(rule Rule) bool {
	chapter := rule.Chapter()
	return chapter != subjectChapter && (c.Void() || c.asksHelp() && chapter != commandChapter)
}

// judgeRun judges one run. Rules that forbid a request see all of it, the others each call up to its first request
// that no script foresaw.
func judgeRun(run *evidence.Run, scope Scope) []Check {
	whole := newRun(run, scope.Subject, false)
	scripted := whole
	if whole.offScript {
		scripted = newRun(run, scope.Subject, true)
	}
	checks := make([]Check, 0, 48*len(run.Calls)) // about as many rules apply to a call
	var j Judgement                               // one for all: most of what is judged holds and says nothing
	for _, rule := range scope.Rules {
		view := scripted
		if rule.Forbids {
			view = whole
		}
		for _, call := range view.Calls {
			if call.outOf(rule) {
				continue
			}
			j.call, j.findings = call, j.findings[:0]
			rule.Judge(call, &j)
			if c, ok := j.check(rule); ok {
				checks = append(checks, c)
			}
		}
	}
	return checks
}
