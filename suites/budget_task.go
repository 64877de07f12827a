package suites

import (
	"fmt"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func bud05() Rule {
	return Rule{
		ID: "BUD-05", Level: Must, Sides: []Side{Client}, Section: "Timeouts", Needs: []string{taskMode},
		Obligation: "count discovery in Task mode",
		Cause:      "The Agent is looked up before the clock is started, or by a client of the platform that has a timeout of its own.",
		Right:      "With timeout 3, of which discovery took 2s, a silent Agent is given up 1s after the send.",
		Wrong:      "With timeout 3 a lookup that is never answered keeps the call open for 30s.",
		Judge:      inTaskMode(countsDiscovery),
	}
}

func countsDiscovery(c *Call, j *Judgement) {
	var spent time.Duration
	for _, x := range c.Exchanges {
		if x.discovers() && x.Whole() {
			spent += x.LastBy.Sub(x.Arrived)
		}
	}
	// A short lookup shows nothing: a budget that began behind it would end within the tolerance of the clock.
	visible := spent > c.grace()+(c.Run.Tolerance.Late+c.Run.Tolerance.Noise).Duration()+latencyMargin
	judgeTotal(c, j, func(_ *Call, w wait) bool {
		discovering := w.stage != connecting && w.x != nil && w.x.discovers()
		return discovering || visible && w.stage != notWaiting
	})
}

// latencyMargin is more than the ordinary answers of discovery take.
const latencyMargin = 10 * time.Millisecond

func bud13() Rule {
	return Rule{
		ID: "BUD-13", Level: Must, Sides: []Side{Client}, Section: "amendments, Timeouts", Needs: []string{getTask},
		Obligation: "obey the same rules in get_task: one total budget, the phases of a pair, its timeout error, nothing repeated after it",
		Cause:      "Get goes through a helper that has the timeout of the HTTP library only.",
		Right:      "With timeout 2 a get whose answer drips a byte a second ends 2s after its start.",
		Wrong:      "With timeout 2 the get is open for as long as the answer drips.",
		Judge:      taskBudget(evidence.CallGetTask),
	}
}

func bud14() Rule {
	return Rule{
		ID: "BUD-14", Level: Must, Sides: []Side{Client}, Section: "amendments, Timeouts", Needs: []string{cancelTask},
		Obligation: "obey the same rules in cancel_task: one total budget, the phases of a pair, its timeout error, nothing repeated after it",
		Cause:      "Cancel goes through a helper that has the timeout of the HTTP library only, or repeats a request that timed out.",
		Right:      "With timeout 2 a cancel that is never answered ends 2s after its start, and is not repeated.",
		Wrong:      "With timeout 2 the cancel is given up after 1s and made once more.",
		Judge:      taskBudget(evidence.CallCancelTask),
	}
}

// taskBudget judges a call that follows a Task by what binds a send: BUD-01 to 03, 06 to 12, 18, 20 and 21.
func taskBudget(op evidence.CallOp) func(c *Call, j *Judgement) {
	return func(c *Call, j *Judgement) {
		if c.Op != op {
			return
		}
		if !c.Budget.Default { // else BUD-04
			judgeTotal(c, j, anyWait)
			keepsPhases(c, j)
			holdsOut(c, j)
		}
		notRestarted(c, j)
		timesOut(c, j)
		refusedInTime(c, j)
		if d, ok := c.leftWaiting(); ok && c.endedBy(c.latestEnd()) == evidence.Yes && c.fits(d) == evidence.No {
			j.Pass()
		}
		notAskedAgain(c, j)
	}
}

// notAskedAgain judges that nothing follows a request that was given up. A GET that is repeated changes nothing, so that
// it is noted only.
func notAskedAgain(c *Call, j *Judgement) {
	if !c.unhindered() {
		return
	}
	for i, x := range c.Own {
		if !x.abandoned() || i+1 == len(c.Own) {
			continue
		}
		next := c.Own[i+1]
		seen := "a " + opWords(x.Op) + " was given up without a whole answer and another one came " + inWords(next.Arrived.Sub(*x.Ended)) + " later"
		if c.Op == evidence.CallGetTask {
			j.Observe(seen, x, next)
			continue
		}
		j.Fail(seen, "no other cancel: the first may already have reached the runtime", x, next)
	}
}

func bud22() Rule {
	return Rule{
		ID: "BUD-22", Level: Observe, Sides: []Side{Client}, Section: "amendments", Needs: []string{waitTask},
		Obligation: "end a wait in one way or the other when its limit comes; it is noted whether the limit is a total that includes the gets, and which error ends it",
		Cause:      "The contract gives get and cancel a total budget and says nothing of wait.",
		Right:      "Either: the contract does not decide.",
		Wrong:      "Nothing here is wrong.",
		Judge:      notesWaitLimit,
	}
}

func notesWaitLimit(c *Call, j *Judgement) {
	limit, ok := c.waitLimit()
	if c.Op != evidence.CallWaitTask || !ok || !c.unhindered() || c.Returned() || len(c.Own) == 0 {
		return
	}
	x := c.Own[len(c.Own)-1]
	if p, _ := progressOf(x.task()); x.task() != nil && p != underWay || x.Whole() && x.task() == nil {
		return // something else than the limit ended it
	}
	open := "between two gets"
	if x.openAt(c.lasted()) {
		open = "with a get open"
	}
	j.Observe(fmt.Sprintf("the limit of the wait was %s: %s, %s; %s", inWords(limit.Sub(c.Started)), c.lastedWords(), open, c.Ending()), x)
}
