package defects

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// plain is a client of the contract's direct Message as its text has it, on nothing but net/http. It is right where no
// switch is on. A switch makes one thing of it different: a defect, or a choice that the contract leaves free.
type plain struct {
	name   string
	on     string
	looked *atomic.Bool
}

// plainClient makes a client with a switch on; an empty one leaves all as it is.
func plainClient(on string) plain {
	name := "plain"
	if on != "" {
		name += ", " + on
	}
	return plain{name: name, on: on, looked: &atomic.Bool{}}
}

// has tells whether a switch is on, and notes that the place of the one that is on was reached.
func (p plain) has(name string) bool {
	if name != p.on {
		return false
	}
	p.looked.Store(true)
	return true
}

// About implements subject.Subject.
func (p plain) About() evidence.Subject {
	return evidence.Subject{
		Kind: evidence.KindInProcess, Name: p.name,
		Capabilities: []string{
			"send", "message_id", "strict_dictionary", "timeout_number", "timeout_pair", "timeout_default", "files", "typed_errors", "cancel",
		},
	}
}

// Open implements subject.Subject.
func (p plain) Open(env subject.Env) (subject.Instance, error) {
	if env.NewMessageID == nil {
		env.NewMessageID = func() string { return "msg-" + uuid.NewString() }
	}
	if env.Dial == nil {
		env.Dial = (&net.Dialer{}).DialContext
	}
	return &plainRun{plain: p, env: env, instances: map[string]*instance{}}, nil
}

// plainRun holds the instances of one run.
type plainRun struct {
	plain
	env subject.Env

	mu        sync.Mutex
	instances map[string]*instance
}

// instance is what calls of one client share: its connections and its cache.
type instance struct {
	plain
	env   subject.Env
	http  *http.Client
	cache *cache
}

// instance returns the client of that name.
func (r *plainRun) instance(name string) *instance {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.instances[name]; known != nil {
		return known
	}
	made := &instance{plain: r.plain, env: r.env, cache: newCache()}
	made.http = made.newHTTP()
	r.instances[name] = made
	return made
}

// Close implements subject.Instance.
func (r *plainRun) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, i := range r.instances {
		i.http.CloseIdleConnections()
	}
	return nil
}

// Do implements subject.Instance.
func (r *plainRun) Do(ctx context.Context, asked subject.Call) evidence.Outcome {
	kind := asked.Input.ResponseKind.Or("message")
	if asked.Op != evidence.CallSend || kind == "task" {
		return evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: "the client has direct Messages only"}
	}
	message, err := r.instance(asked.Client).send(ctx, asked)
	if err != nil {
		return evidence.Outcome{Kind: evidence.OutcomeError, Error: err.seen()}
	}
	return evidence.Outcome{Kind: evidence.OutcomeMessage, Message: message}
}

// call is one send while it is made.
type call struct {
	*instance
	asked    subject.Call
	platform subject.Platform
	budget   budget
	// caller ends when the caller gives up, ctx then or when the budget is spent.
	caller, ctx context.Context //nolint:containedctx // a call is as long as its context
}

// send makes the whole call, within one budget.
func (i *instance) send(caller context.Context, asked subject.Call) (json.RawMessage, *failure) {
	c := &call{instance: i, asked: asked, platform: i.env.Platform, caller: caller}
	if asked.Platform != nil {
		c.platform = *asked.Platform
	}
	budget, err := c.budgetOf(asked.Input.Timeout)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithDeadline(caller, budget.ends)
	defer cancel()
	c.budget, c.ctx = budget, ctx
	body, err := c.compose()
	if err != nil {
		return nil, err
	}
	return c.deliver(body)
}

// deliver sends a body, and once more with fresh access where the access that it had was rejected (ADR, Decision 5).
func (c *call) deliver(body []byte) (json.RawMessage, *failure) {
	held, cached := c.cached()
	if !cached {
		var err *failure
		if held, err = c.resolve(); err != nil {
			return nil, err
		}
	}
	reply, err := c.post(held, body, false)
	if err == nil && rejected(reply.status) {
		c.forget(held)
		if held, err = c.resolve(); err != nil {
			return nil, err
		}
		if reply, err = c.post(held, body, true); err == nil && rejected(reply.status) {
			c.forget(held)
		}
	}
	if err != nil {
		return nil, err
	}
	return c.result(reply)
}

// post sends the message to the runtime.
func (c *call) post(held access, body []byte, last bool) (reply, *failure) {
	return c.exchange(request{
		target: join(held.rpcURL, "/api/a2a/v1/message:send"), body: body, words: last,
		header: http.Header{
			"Authorization":  {"Bearer " + held.token},
			"Content-Type":   {mediaType},
			"Accept":         {mediaType},
			"A2A-Extensions": {responseKindURI},
		},
	})
}
