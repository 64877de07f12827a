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

// plain is a client of the contract as its text has it, on nothing but net/http. It is right where no switch is on. A
// switch makes one thing of it different: a defect, or a choice that the contract leaves free.
type plain struct {
	on      string
	reached *atomic.Bool
	// asked is told each name that is asked for, once or more; nil where nobody wants to know.
	asked func(name string)
}

// plainClient makes a client with a switch on; an empty one leaves all as it is.
func plainClient(on string) plain { return plain{on: on, reached: &atomic.Bool{}} }

// has tells whether a switch is on, notes that the place of the one that is on was reached, and tells who wants to know
// that the name was asked for.
func (p plain) has(name string) bool {
	p.tell(name)
	return p.acts(name)
}

// tell tells that a name begins to matter.
func (p plain) tell(name string) {
	if p.asked != nil {
		p.asked(name)
	}
}

// acts is has for a switch that changes nothing that is seen before another place asks for it, or tells of it.
func (p plain) acts(name string) bool {
	if name != p.on {
		return false
	}
	p.reached.Store(true)
	return true
}

// About implements subject.Subject.
func (p plain) About() evidence.Subject {
	name := "plain"
	if p.on != "" {
		name += ", " + p.on
	}
	return evidence.Subject{
		Kind: evidence.KindInProcess, Name: name,
		Capabilities: []string{
			"send", "get_task", "cancel_task", "wait_task", "task_mode", "timeout_number", "timeout_pair", "timeout_default", "message_id",
			"strict_dictionary", "files", "typed_errors", "cancel", "per_call_platform",
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
	env    subject.Env
	http   *http.Client
	cache  *cache
	memory *memory
}

// memory is what an instance knows of its earlier calls. The contract has no use for it: only switches look at it.
type memory struct {
	mu             sync.Mutex
	session, id    string
	token, address string
	latest         access
	strict         bool
	body           []byte
	answer, task   json.RawMessage
	tasks          map[string]bool
	calls          int
}

// instance returns the client of that name.
func (r *plainRun) instance(name string) *instance {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.instances[name]; known != nil {
		return known
	}
	made := &instance{plain: r.plain, env: r.env, cache: newCache(), memory: &memory{}}
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
func (r *plainRun) Do(ctx context.Context, asked subject.Call) subject.Answer {
	return subject.Answer{Outcome: r.do(ctx, asked)}
}

func (r *plainRun) do(ctx context.Context, asked subject.Call) evidence.Outcome {
	if len(asked.Files) > 0 && r.has("files-claimed-in-vain") {
		return evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: "files cannot be sent"}
	}
	if r.has("leaves-a-goroutine") {
		go func() { <-make(chan struct{}) }()
	}
	result, err := r.instance(asked.Client).make(ctx, asked)
	if err != nil {
		return evidence.Outcome{Kind: evidence.OutcomeError, Error: r.seen(err)}
	}
	return result
}
