package defects

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// What the contract does not want: sending again, and working on. Nothing here happens where no switch is on.

// unasked sends again after a first answer that is no rejection.
func (c *call) unasked(r reply, err *failure, held access, body []byte) (reply, *failure) {
	if c.op != evidence.OpSendMessage || !c.resends(r, err) {
		return r, err
	}
	return c.post(held, body, true)
}

func (c *call) resends(r reply, err *failure) bool {
	if c.task() && c.resendsTask(r, err) {
		return true
	}
	if err != nil {
		return err.category == evidence.Transport && c.has("resend-after-a-reset") ||
			err.category == evidence.TimedOut && c.ctx.Err() == nil && c.has("resend-after-a-silence")
	}
	later := r.header.Get("Retry-After") != ""
	switch r.status {
	case http.StatusOK:
		return r.cut != nil && c.has("resend-after-a-cut")
	case http.StatusProxyAuthRequired:
		return c.has("resend-on-407")
	case http.StatusRequestTimeout:
		return c.has("resend-on-408")
	case http.StatusConflict:
		return c.has("resend-on-409")
	case http.StatusTooEarly:
		return c.has("resend-on-425")
	case http.StatusTooManyRequests:
		return later && c.has("resend-on-429-with-retry-after")
	case http.StatusInternalServerError:
		return c.has("resend-on-500")
	case http.StatusBadGateway:
		return c.has("resend-on-502")
	case http.StatusServiceUnavailable:
		return c.has("resend-on-503") || later && c.has("resend-on-503-with-retry-after")
	case http.StatusGatewayTimeout:
		return c.limit(r) != nil && c.has("limit-retried") || c.limit(r) == nil && c.has("resend-on-504")
	}
	return false
}

// resendsTask tells whether a send in Task mode is sent again, as one of a Task seems to be free to.
func (c *call) resendsTask(r reply, err *failure) bool {
	switch {
	case err != nil:
		return err.category == evidence.Transport && c.has("task-sent-again-after-a-reset") ||
			err.category == evidence.TimedOut && c.ctx.Err() == nil && c.has("task-sent-again-after-a-silence")
	case r.status == http.StatusServiceUnavailable:
		return c.has("task-sent-again-on-503")
	case r.status == http.StatusGatewayTimeout:
		return c.has("task-sent-again-on-504")
	}
	return false
}

// afterResult is what follows when the runtime has answered as it should: nothing.
func (c *call) afterResult(result evidence.Outcome, held access) (evidence.Outcome, *failure) {
	switch {
	case c.op != evidence.OpSendMessage:
	case c.task():
		return c.afterTask(result, held)
	case c.has("task-looked-for-after-a-message"):
		_, _ = c.exchange(c.runtimeGet(held, "/tasks"))
	}
	return result, nil
}

// afterTask is what follows when a send was answered with a Task: nothing (ADR, Decision).
func (c *call) afterTask(result evidence.Outcome, held access) (evidence.Outcome, *failure) {
	path := "/tasks/" + segment(taskID(result.Task))
	look := func() (evidence.Outcome, *failure) {
		r, err := c.exchange(c.runtimeGet(held, path))
		if err != nil {
			return evidence.Outcome{}, err
		}
		return c.result(r)
	}
	switch {
	case c.has("task-read-after-the-send"):
		return look()
	case !c.over(stateOf(result.Task)) && c.has("send-waits-for-the-end-of-the-task"):
		for err := c.pause(time.Second); err == nil && !c.over(stateOf(result.Task)); err = c.pause(time.Second) {
			next, err := look()
			if err != nil {
				return result, err
			}
			result = next
		}
	case c.has("task-subscribed-to-after-the-send"):
		_, _ = c.exchange(c.runtimeGet(held, path+":subscribe"))
	case c.has("tasks-listed-after-the-send"):
		_, _ = c.exchange(c.runtimeGet(held, "/tasks"))
	}
	return result, nil
}

// taskID is the id of a Task.
func taskID(task json.RawMessage) string {
	fields, _ := objectOf(task)
	return textIn(fields["id"])
}

// goesOn tells whether a third send follows the second.
func (c *call) goesOn(r reply) bool {
	switch r.status {
	case http.StatusUnauthorized:
		return c.op == evidence.OpSendMessage && c.has("third-send-after-401") ||
			c.op == evidence.OpGetTask && c.has("third-get") || c.op == evidence.OpCancelTask && c.has("third-cancel")
	case http.StatusForbidden:
		return c.op == evidence.OpSendMessage && c.has("third-send-after-403")
	case http.StatusServiceUnavailable:
		return c.op == evidence.OpSendMessage && c.has("resend-on-503-after-a-refresh")
	}
	return false
}

// afterFailure is what follows when a send has failed: nothing.
func (c *call) afterFailure(err *failure, held access, body []byte) (evidence.Outcome, *failure) {
	if c.op != evidence.OpSendMessage {
		return c.afterFailedTask(err, held)
	}
	api := join(held.rpcURL, "/api/a2a/v1")
	authorised := http.Header{"Authorization": {"Bearer " + held.token}, "Accept": {mediaType}}
	switch {
	case err.category == evidence.InvalidResponse && err.status == 0 && c.has("invalid-answer-asked-again"):
		if r, failed := c.post(held, body, true); failed == nil {
			return c.result(r)
		}
	case c.task() && err.category == evidence.TimedOut && c.has("task-sent-again-after-the-timeout"):
		c.extend(time.Since(c.budget.began))
		if r, failed := c.post(held, body, true); failed == nil {
			return c.result(r)
		}
	case err.category == evidence.TimedOut && c.has("resend-after-the-timeout"):
		c.extend(time.Since(c.budget.began))
		if r, failed := c.post(held, body, true); failed == nil {
			return c.result(r)
		}
	case err.category == evidence.MessageLimit && c.has("limit-turned-into-a-task"):
		_, _ = c.exchange(request{method: http.MethodGet, target: api + "/tasks", header: authorised})
	case err.category == evidence.MessageLimit && c.has("limit-asks-discovery"):
		_ = c.askPlatform("/api/v1/agent-sessions/" + c.asked.Session + "/")
	case err.status != 0 && c.has("asks-the-runtime-for-its-state"):
		_, _ = c.exchange(request{method: http.MethodGet, target: api + "/extendedAgentCard", header: authorised})
	case c.memory.lastAnswer() != nil && c.has("last-answer-remembered"):
		return evidence.Outcome{Kind: evidence.OutcomeMessage, Message: c.memory.lastAnswer()}, nil
	}
	return evidence.Outcome{}, err
}

// afterFailedTask is what follows when a get or cancel has failed: nothing.
func (c *call) afterFailedTask(err *failure, held access) (evidence.Outcome, *failure) {
	known := c.memory.lastTask()
	switch {
	case known != nil && c.has("last-task-remembered"):
		return evidence.Outcome{Kind: evidence.OutcomeTask, Task: known}, nil
	case c.op == evidence.OpCancelTask && err.status == http.StatusNotFound && c.has("missing-task-is-cancelled"):
		return evidence.Outcome{Kind: evidence.OutcomeTask, Task: c.cancelled()}, nil
	case c.op == evidence.OpCancelTask && err.status == http.StatusConflict && c.has("task-that-is-over-is-cancelled"):
		return evidence.Outcome{Kind: evidence.OutcomeTask, Task: c.cancelled()}, nil
	case c.op == evidence.OpCancelTask && err.category == evidence.TimedOut && c.has("cancel-again-after-the-timeout"):
		c.extend(time.Since(c.budget.began))
		_, _ = c.post(held, nil, true)
	case c.op == evidence.OpGetTask && err.status == http.StatusNotFound && c.has("missing-task-is-sent-for"):
		_, _ = c.exchange(c.prod(held))
	}
	return evidence.Outcome{}, err
}

// cancelled is a Task that no runtime told of.
func (c *call) cancelled() json.RawMessage {
	return encoded(map[string]any{
		"id": c.asked.Input.TaskID.Or(""), "contextId": c.asked.Session, "status": map[string]any{"state": "TASK_STATE_CANCELED"},
	})
}

// hedged sends a second time when the first answer is slow.
func (c *call) hedged(r request) (reply, *failure) {
	type end struct {
		r   reply
		err *failure
	}
	ends := make(chan end, 2)
	start := func() { r, err := c.exchange(r); ends <- end{r, err} } // ends with its exchange, as the budget does
	go start()
	timer := time.NewTimer(400 * time.Millisecond)
	defer timer.Stop()
	select {
	case e := <-ends:
		return e.r, e.err
	case <-timer.C:
		go start()
	}
	first := <-ends
	c.cancel()
	<-ends
	return first.r, first.err
}

// detached lets the work go on behind a caller who was told that it is over.
func (c *call) detached(body []byte) (evidence.Outcome, *failure) {
	type end struct {
		result evidence.Outcome
		err    *failure
	}
	told := c.ctx
	working := *c
	working.caller = context.WithoutCancel(c.caller)
	working.budget.ends = c.budget.ends.Add(30 * time.Second)
	working.ctx, working.cancel = context.WithDeadline(working.caller, working.budget.ends)
	ended := make(chan end, 1)
	go func() { // ends with the prolonged budget
		defer working.cancel()
		result, err := working.deliver(body)
		ended <- end{result, err}
	}()
	select {
	case e := <-ended:
		return e.result, e.err
	case <-told.Done():
		return evidence.Outcome{}, c.broken(told, told.Err())
	}
}

// isJSON tells whether an answer says of itself that it is JSON.
func isJSON(r reply) bool { return strings.Contains(r.header.Get("Content-Type"), "json") }
