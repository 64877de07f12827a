package defects

import (
	"context"
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

// goesOn tells whether a third send follows the second.
func (c *call) goesOn(r reply) bool {
	switch r.status {
	case http.StatusUnauthorized:
		return c.has("third-send-after-401")
	case http.StatusForbidden:
		return c.has("third-send-after-403")
	case http.StatusServiceUnavailable:
		return c.has("resend-on-503-after-a-refresh")
	}
	return false
}

// afterFailure is what follows when a send has failed: nothing.
func (c *call) afterFailure(err *failure, held access, body []byte) (evidence.Outcome, *failure) {
	if c.op != evidence.OpSendMessage {
		return evidence.Outcome{}, err
	}
	api := join(held.rpcURL, "/api/a2a/v1")
	authorised := http.Header{"Authorization": {"Bearer " + held.token}, "Accept": {mediaType}}
	switch {
	case err.category == evidence.InvalidResponse && err.status == 0 && c.has("invalid-answer-asked-again"):
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
