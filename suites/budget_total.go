package suites

import "github.com/a2a-conform/a2a-conform/evidence"

func bud01() Rule {
	return Rule{
		ID: "BUD-01", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "end the whole call within a numeric timeout",
		Cause:      "The timeout is handed to each HTTP request, or to each read of a socket, instead of being made one deadline for the call.",
		Right:      "With timeout 2 and an answer that never comes the call ends 2s after its start.",
		Wrong:      "With timeout 2 an answer that drips a byte a second keeps the call open for as long as it drips.",
		Needs:      []string{"timeout_number"},
		Judge: sending(func(c *Call, j *Judgement) {
			if !c.Budget.Pair {
				judgeTotal(c, j, anyWait)
			}
		}),
	}
}

func bud02() Rule {
	return Rule{
		ID: "BUD-02", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "end within the sum of a (connect, read) pair",
		Cause:      "The pair goes to the HTTP library as it is: there the read part limits one silence, so an answer that keeps dripping never ends.",
		Right:      "With (1, 2) an answer that drips a byte a second is given up 3s after the start of the call.",
		Wrong:      "With (1, 2) the same call is still reading after 30s.",
		Needs:      []string{"timeout_pair"},
		Judge: sending(func(c *Call, j *Judgement) {
			if c.Budget.Pair && !c.Budget.Default {
				judgeTotal(c, j, anyWait)
			}
		}),
	}
}

func bud17() Rule {
	return Rule{
		ID: "BUD-17", Level: Must, Sides: []Side{Client}, Section: "Message limit",
		Obligation: "let a timeout below the platform's limit end its own wait",
		Cause:      "The client waits for the platform's 504 whatever the caller's timeout says, or raises every timeout to 90 seconds.",
		Right:      "With timeout 30 and an Agent that is silent the call ends with a timeout after 30s.",
		Wrong:      "With timeout 30 the call waits until the platform's 504 comes after 90s.",
		Judge: sending(func(c *Call, j *Judgement) {
			if c.Message() && c.Budget.Total < messageLimit {
				judgeTotal(c, j, func(_ *Call, w wait) bool { return w.on(evidence.OpSendMessage) })
			}
		}),
	}
}

func anyWait(*Call, wait) bool { return true }

// judgeTotal judges whether the whole budget ended the call, where what was open when the budget ran out is of the
// kind that the rule is about. A call that something else ended earlier says nothing.
func judgeTotal(c *Call, j *Judgement, kind func(c *Call, w wait) bool) {
	if !c.timed() {
		return
	}
	w := c.waitingAt(min(c.lasted(), c.latestEnd()))
	if !kind(c, w) {
		return
	}
	seen := c.lastedWords() + c.sinceRejection() + ", with " + w.words() + " when its " + c.budgetWords() + " ran out"
	want := "an end by " + inWords(c.Budget.Total) + " after the start, whatever is still open"
	switch v := c.endedBy(c.latestEnd()); {
	case v == evidence.No:
		j.Fail(seen, want, w.x)
	case c.Ended == nil || !w.open() || c.dueFor(w).phase != "total" || !c.ranOut(cause{w, c.dueFor(w)}):
		return
	default:
		j.HoldIf(v, seen, want, w.x)
	}
}
