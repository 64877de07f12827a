package client

import (
	"context"
	"math"
	"net/http"
	"time"
)

// What a wait does when its caller names no numbers, in seconds.
const (
	defaultPollInterval = 1.0
	defaultWaitLimit    = 900.0
)

// WaitRequest names a Task and how to wait for it.
type WaitRequest struct {
	// SessionUID and TaskID are those of TaskRequest.
	SessionUID, TaskID string
	// PollInterval is the pause in seconds between the end of one look at the
	// Task and the start of the next: above zero, nil means 1.
	PollInterval *float64
	// Limit bounds the whole wait in seconds, its looks included: above zero, nil
	// means 900.
	Limit *float64
	// Timeout is the budget of each look, never beyond the Limit; the zero value
	// is Phases(5, 900).
	Timeout Timeout
}

func (r WaitRequest) look() TaskRequest {
	return TaskRequest{SessionUID: r.SessionUID, TaskID: r.TaskID, Timeout: r.Timeout}
}

func (r WaitRequest) problems() problems {
	found := r.look().problems()
	check := func(name string, seconds *float64) {
		if seconds != nil && (!(*seconds > 0) || math.IsInf(*seconds, 1)) {
			found.addf("%s of %v seconds: must be a finite number above zero", name, *seconds)
		}
	}
	check("PollInterval", r.PollInterval)
	check("Limit", r.Limit)
	return found
}

// WaitTask looks at a Task, as GetTask does, until it is over, and returns it:
// completed, failed, canceled or rejected. It also returns a Task that is
// interrupted, because that one goes on only when its caller acts; look at State
// in any case. In every other state, an unknown one too, it looks again.
//
// The first look is at once. A look that fails ends the wait and is not
// repeated, but each look may refresh rejected credentials once. When the next
// look would not come before the Limit, the wait ends at once with a
// *TimeoutError of PhaseWait: sleeping would bring nothing. Every error is a
// *TaskError, which tells the Task as it was last seen.
func (c *Client) WaitTask(ctx context.Context, request WaitRequest) (*Task, error) {
	failed := &TaskError{Doing: "wait for", TaskID: request.TaskID}
	if found := request.problems(); len(found) > 0 {
		failed.Err = &InvalidArgumentError{Problems: found}
		return nil, failed
	}
	limit := duration(or(request.Limit, defaultWaitLimit))
	wait, release := startBudget(ctx, limits{total: limit})
	defer release()
	wait.phase = PhaseWait
	for {
		task, err := c.look(ctx, request.look(), wait)
		if err != nil {
			failed.Err = err
			return nil, failed
		}
		if task.State.Terminal() || task.State.Interrupted() {
			return task, nil
		}
		failed.Last = task
		due := time.Now().Add(duration(or(request.PollInterval, defaultPollInterval)))
		if !wait.fits(due) {
			failed.Err = &TimeoutError{Phase: PhaseWait, Limit: limit}
			return nil, failed
		}
		if failed.Err = wait.pause(due); failed.Err != nil {
			return nil, failed
		}
	}
}

// look is one get within what is left of the wait.
func (c *Client) look(ctx context.Context, request TaskRequest, wait *budget) (*Task, error) {
	l := request.Timeout.limits()
	l.total = min(l.total, time.Until(wait.deadline))
	task, err := c.follow(ctx, request, l, http.MethodGet, "")
	if err != nil && endsCall(err) {
		if over := wait.over(); over != nil {
			return nil, over
		}
	}
	return task, err
}

func or(given *float64, fallback float64) float64 {
	if given == nil {
		return fallback
	}
	return *given
}
