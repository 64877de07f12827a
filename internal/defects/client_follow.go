package defects

import (
	"context"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// follow waits until a Task has come to its end: it reads it, and again after each pause, within a limit. Each read
// has the budget of a read of its own, which ends with the limit at the latest.
func (c *call) follow() (evidence.Outcome, *failure) {
	poll, limit, err := c.pace()
	if err != nil {
		return evidence.Outcome{}, err
	}
	until := time.Now().Add(limit)
	if c.has("wait-ends-half-a-minute-late") {
		until = until.Add(30 * time.Second)
	}
	for {
		result, err := c.look(until)
		if err != nil || c.over(stateOf(result.Task)) {
			return result, err
		}
		if err := c.rest(poll, until); err != nil {
			return evidence.Outcome{}, err
		}
	}
}

// pace is how long to pause between two reads, and how long to wait in all.
func (c *call) pace() (poll, limit time.Duration, err *failure) {
	every := c.asked.Input.PollInterval.Or(evidence.Timeout{Total: 1})
	whole := c.asked.Input.WaitTimeout.Or(evidence.Timeout{Total: 900})
	if !every.Usable() || !whole.Usable() {
		return 0, 0, fail(evidence.InvalidArgument, "poll_interval and wait_timeout must be numbers of seconds above zero")
	}
	poll, limit = duration(every.Sum()), duration(whole.Sum())
	switch {
	case c.has("wait-without-a-pause"):
		poll = 10 * time.Millisecond
	case c.has("wait-pauses-for-half-as-long"):
		poll /= 2
	case c.has("wait-asks-every-second"):
		poll = time.Second
	case c.has("wait-pauses-twice-as-long"):
		poll *= 2
	}
	return poll, limit, nil
}

// look reads the Task once.
func (c *call) look(until time.Time) (evidence.Outcome, *failure) {
	budget, err := c.budgetOf(c.asked.Input.Timeout)
	if err != nil {
		return evidence.Outcome{}, err
	}
	if until.Before(budget.ends) {
		budget.ends = until
	}
	c.budget, c.waits = budget, 0
	c.ctx, c.cancel = context.WithDeadline(c.caller, budget.ends)
	defer func() { c.cancel() }()
	if _, err := c.compose(); err != nil {
		return evidence.Outcome{}, err
	}
	return c.deliver(nil)
}

// rest pauses between two reads, or ends the wait where its limit comes first.
func (c *call) rest(poll time.Duration, until time.Time) *failure {
	next := time.Now().Add(poll)
	late := !next.Before(until)
	switch {
	case late && c.has("wait-ends-when-a-pause-does-not-fit"):
		return fail(evidence.TimedOut, "the Task cannot come to its end within the wait_timeout")
	case late:
		next = until
	}
	timer := time.NewTimer(time.Until(next))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.caller.Done():
		return fail(evidence.Other, "the caller gave up")
	}
	if late {
		if c.has("wait-looks-once-more-at-its-limit") {
			_, _ = c.look(time.Now().Add(time.Minute))
		}
		return fail(evidence.TimedOut, "the Task did not come to its end within the wait_timeout")
	}
	return nil
}

// over tells whether a state is one that a Task does not leave (contract, section 3).
func (c *call) over(state string) bool {
	switch state {
	case "TASK_STATE_COMPLETED":
		return !c.has("wait-blind-to-completed")
	case "TASK_STATE_FAILED":
		return !c.has("wait-blind-to-failed")
	case "TASK_STATE_CANCELED":
		return !c.has("wait-blind-to-canceled")
	case "TASK_STATE_REJECTED":
		return !c.has("wait-blind-to-rejected")
	case "TASK_STATE_SUBMITTED":
		return c.has("wait-ends-at-submitted")
	case "TASK_STATE_WORKING":
		return c.has("wait-ends-at-working")
	case "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED":
		return c.has("wait-ends-when-something-is-required")
	}
	return c.has("wait-ends-at-unknown-states")
}
