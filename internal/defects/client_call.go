package defects

import (
	"context"
	"net/http"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// call is one call while it is made.
type call struct {
	*instance
	asked subject.Call
	// op is what it asks of the runtime, refused the status with which that was first rejected.
	op       evidence.Op
	refused  int
	platform subject.Platform
	budget   budget
	// caller ends when the caller gives up, ctx then or when the budget is spent.
	caller, ctx context.Context //nolint:containedctx // a call is as long as its context
	cancel      context.CancelFunc
	// tokens are those with which it went to the runtime.
	tokens []string
	// fellBack tells that a Message is sent where a Task was asked for.
	fellBack bool
	// remembered tells that it went out with access of an earlier call.
	remembered bool
	// waits counts the directions that were followed, and directed is the first of them.
	waits    int
	directed time.Duration
	// composing tells that the body is being written, and unsent are the names that were asked for meanwhile.
	composing bool
	unsent    []string
}

// has is that of plain. What is asked for while the body is written matters when a body is needed: until then it is kept.
func (c *call) has(name string) bool {
	if c.composing && c.plain.asked != nil {
		c.unsent = append(c.unsent, name)
		return c.acts(name)
	}
	c.tell(name)
	return c.acts(name)
}

// matter tells of the names that were kept.
func (c *call) matter() {
	for _, name := range c.unsent {
		c.tell(name)
	}
	c.unsent = nil
}

// make makes the whole call.
func (i *instance) make(caller context.Context, asked subject.Call) (evidence.Outcome, *failure) {
	c := &call{instance: i, asked: asked, platform: i.env.Platform, caller: caller}
	if asked.Platform != nil {
		c.platform = *asked.Platform
	}
	switch asked.Op {
	case evidence.CallGetTask:
		c.op = evidence.OpGetTask
	case evidence.CallCancelTask:
		c.op = evidence.OpCancelTask
	case evidence.CallWaitTask:
		c.op = evidence.OpGetTask
		return c.follow()
	default:
		c.op = evidence.OpSendMessage
	}
	return c.once()
}

// once makes one request of the runtime, with all that it takes, within one budget.
func (c *call) once() (evidence.Outcome, *failure) {
	budget, err := c.budgetOf(c.asked.Input.Timeout)
	if err != nil {
		return evidence.Outcome{}, err
	}
	c.budget = budget
	c.ctx, c.cancel = context.WithDeadline(c.caller, budget.ends)
	defer func() { c.cancel() }()
	c.composing = c.op == evidence.OpSendMessage
	body, err := c.compose()
	c.composing = false
	if err != nil {
		c.matter()
		return evidence.Outcome{}, c.argued(err)
	}
	if c.has("works-on-after-the-end") {
		return c.detached(body)
	}
	return c.deliver(body)
}

// deliver makes the request of the runtime, and once more with fresh access where the access that it had was rejected
// (ADR, Decision 5).
func (c *call) deliver(body []byte) (evidence.Outcome, *failure) {
	held, err := c.ready()
	if err != nil {
		return evidence.Outcome{}, err
	}
	c.matter()
	body = c.bodyToSend(body)
	r, err := c.post(held, body, false)
	r, err = c.unasked(r, err, held, body)
	if err == nil && c.refreshes(r) {
		c.refused = r.status
		var stands bool
		if held, stands, err = c.refresh(held); err != nil {
			return evidence.Outcome{}, err
		}
		if !stands {
			r, err = c.again(held, body)
		}
	}
	var result evidence.Outcome
	if err == nil {
		result, err = c.result(r)
	}
	if err != nil {
		return c.afterFailure(c.told(err, held), held, body)
	}
	return c.afterResult(result, held)
}

// ready is what the first request goes out with, where it may: a Task has to be advertised (ADR, Decision).
func (c *call) ready() (access, *failure) {
	late := c.task() && c.has("resolves-before-it-discovers")
	if c.task() && !late {
		if err := c.discover(); err != nil {
			return access{}, err
		}
	}
	held, err := c.access()
	if err == nil && late {
		err = c.discover()
	}
	return held, err
}

// task tells whether the call sends in Task mode.
func (c *call) task() bool { return c.op == evidence.OpSendMessage && c.kind() == "task" }

// access is what the first request goes out with.
func (c *call) access() (access, *failure) {
	if held, ok := c.cached(); ok {
		return held, nil
	}
	if known := c.known(); known.rpcURL != "" && c.has("sends-before-it-asks") {
		return access{rpcURL: known.rpcURL, token: "none"}, nil
	}
	if err := c.preliminaries(); err != nil {
		return access{}, err
	}
	return c.resolve(false)
}

// refreshes tells whether an answer to the first send asks for fresh access: its status alone says so.
func (c *call) refreshes(r reply) bool {
	if c.leftRejected(r.status) {
		return false
	}
	switch {
	case r.status == http.StatusUnauthorized && c.has("401-not-refreshed"),
		r.status == http.StatusForbidden && c.has("403-not-refreshed"),
		rejected(r.status) && !isJSON(r) && c.has("rejection-must-be-json"):
		return false
	}
	return rejected(r.status)
}

// refresh asks for access afresh after a rejection. The old answer stands where nothing is to be sent again.
func (c *call) refresh(refused access) (fresh access, stands bool, err *failure) {
	if spent := time.Since(c.budget.began); spent > 0 && (c.has("refresh-restarts-the-budget") ||
		c.op != evidence.OpSendMessage && c.has("refresh-of-a-get-restarts-the-budget") ||
		c.budget.read > 0 && c.has("refresh-restarts-the-budget-of-a-pair")) {
		c.extend(spent)
	}
	if c.has("pauses-after-a-rejection") {
		_ = c.pause(1500 * time.Millisecond)
	}
	if !c.has("forgets-only-when-refreshed") && (c.refused != http.StatusForbidden || !c.has("access-kept-after-403")) {
		c.forget(refused)
	}
	fresh, err = c.resolve(true)
	switch {
	case err != nil && err.category != evidence.TimedOut && c.has("sends-again-unadmitted"):
		fresh, err = refused, nil
	case err == nil && c.has("second-send-left-out"):
		stands = true
	case err == nil && c.has("second-send-with-the-old-token"):
		fresh.token = refused.token
	case err == nil && c.has("second-send-to-the-old-address"):
		fresh.rpcURL = refused.rpcURL
	case err == nil && c.op != evidence.OpSendMessage:
		c.clings(&fresh, refused)
	}
	return fresh, stands, err
}

// again sends the message for the second time.
func (c *call) again(held access, body []byte) (reply, *failure) {
	r, err := c.post(held, c.secondBody(body), true)
	if err == nil && c.goesOn(r) {
		r, err = c.post(held, body, true)
	}
	if err == nil && rejected(r.status) && !c.has("second-rejection-not-forgotten") {
		c.forget(held)
	}
	return r, err
}

// post makes the request of the runtime.
func (c *call) post(held access, body []byte, again bool) (reply, *failure) {
	c.tokens = append(c.tokens, held.token)
	if c.op != evidence.OpSendMessage {
		return c.askTask(held, again)
	}
	if c.has("pauses-before-the-send") {
		_ = c.pause(1500 * time.Millisecond)
	}
	r := request{op: c.op, target: c.sendTarget(held), body: body, again: again, header: http.Header{
		"Authorization":  {"Bearer " + held.token},
		"Content-Type":   {mediaType},
		"Accept":         {mediaType},
		"A2A-Extensions": {responseKindURI},
	}}
	c.dress(&r, held)
	if c.has("hedges") {
		return c.hedged(r)
	}
	return c.exchange(r)
}
