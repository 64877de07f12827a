package subject

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/a2a-conform/a2a-conform/client"
	"github.com/a2a-conform/a2a-conform/evidence"
)

// reference is the reference client, in process.
type reference struct{ version string }

// Reference returns the reference client as a subject.
func Reference(version string) Subject { return reference{version: version} }

// About implements Subject.
func (r reference) About() evidence.Subject {
	return evidence.Subject{
		Kind: evidence.KindReference, Name: "reference", Version: r.version, Parallel: 0,
		Capabilities: []string{
			"send", "message_id", "strict_dictionary", "timeout_number", "timeout_pair", "timeout_default",
			"files", "typed_errors", "cancel", "per_call_platform", "task_mode", "get_task", "cancel_task", "wait_task",
		},
	}
}

// Open implements Subject.
func (r reference) Open(env Env) (Instance, error) {
	return &referenceInstance{env: env, clients: map[string]*client.Client{}}, nil
}

// referenceInstance keeps one client for each name, user and backend.
type referenceInstance struct {
	env     Env
	mu      sync.Mutex
	clients map[string]*client.Client
}

// Do implements Instance.
func (r *referenceInstance) Do(ctx context.Context, call Call) Answer {
	return Answer{Outcome: r.do(ctx, call)}
}

func (r *referenceInstance) do(ctx context.Context, call Call) evidence.Outcome {
	operation, known := operations()[call.Op]
	if !known {
		return evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: fmt.Sprintf("operation %q is not known", call.Op)}
	}
	c, err := r.client(call)
	if err != nil {
		return failure(err)
	}
	result, err := operation(ctx, c, call)
	var cannot inexpressible
	switch {
	case errors.As(err, &cannot):
		return evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: cannot.Error()}
	case err != nil:
		return failure(err)
	default:
		return success(result)
	}
}

// inexpressible says which input the reference client has no words for.
type inexpressible string

// Error implements error.
func (i inexpressible) Error() string { return string(i) + ", which this client cannot express" }

// operation makes one call of the client.
type operation func(context.Context, *client.Client, Call) (client.Result, error)

func operations() map[evidence.CallOp]operation {
	return map[evidence.CallOp]operation{
		evidence.CallSend: func(ctx context.Context, c *client.Client, call Call) (client.Result, error) {
			request, err := requestOf(call)
			if err != nil {
				return nil, err
			}
			return c.Send(ctx, request)
		},
		evidence.CallGetTask: func(ctx context.Context, c *client.Client, call Call) (client.Result, error) {
			return c.GetTask(ctx, taskOf(call))
		},
		evidence.CallCancelTask: func(ctx context.Context, c *client.Client, call Call) (client.Result, error) {
			return c.CancelTask(ctx, taskOf(call))
		},
		evidence.CallWaitTask: func(ctx context.Context, c *client.Client, call Call) (client.Result, error) {
			request, err := waitOf(call)
			if err != nil {
				return nil, err
			}
			return c.WaitTask(ctx, request)
		},
	}
}

// Close implements Instance.
func (r *referenceInstance) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, c := range r.clients {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

func (r *referenceInstance) client(call Call) (*client.Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := call.Client + "\x00" + call.User + "\x00" + call.Backend
	if c, ok := r.clients[key]; ok {
		return c, nil
	}
	platform := r.env.Platform
	if call.Platform != nil {
		platform = *call.Platform
	}
	c, err := client.New(client.Config{
		PlatformURL: platform.URL, PlatformToken: platform.Token, RefreshToken: platform.RefreshToken, User: call.User,
		DialContext: r.env.Dial, NewMessageID: r.env.NewMessageID,
	})
	if err != nil {
		return nil, err
	}
	r.clients[key] = c
	return c, nil
}

func requestOf(call Call) (client.Request, error) {
	in := call.Input
	request := client.Request{
		SessionUID: call.Session, Text: in.Message.Or(""), MessageID: in.MessageID.Or(""),
		StrictDictionary: in.StrictDictionary.Or(false), ResponseKind: in.ResponseKind.Or(""),
	}
	if n, ok := in.JSONRepairAttempts.Get(); ok {
		attempts, err := n.Int64()
		if err != nil {
			return request, inexpressible(fmt.Sprintf("json_repair_attempts %s is no whole number", n))
		}
		whole := int(attempts)
		request.JSONRepairAttempts = &whole
	}
	request.Timeout = timeoutOf(in)
	for _, f := range call.Files {
		request.Files = append(request.Files, client.File{Path: f.Path, MediaType: f.MediaType})
	}
	return request, nil
}

func timeoutOf(in evidence.Input) client.Timeout {
	t, given := in.Timeout.Get()
	switch {
	case !given:
		return client.Timeout{}
	case t.Pair:
		return client.Phases(t.Connect, t.Read)
	default:
		return client.Total(t.Total)
	}
}

func taskOf(call Call) client.TaskRequest {
	return client.TaskRequest{SessionUID: call.Session, TaskID: call.Input.TaskID.Or(""), Timeout: timeoutOf(call.Input)}
}

func waitOf(call Call) (client.WaitRequest, error) {
	task := taskOf(call)
	request := client.WaitRequest{SessionUID: task.SessionUID, TaskID: task.TaskID, Timeout: task.Timeout}
	for name, member := range map[string]struct {
		from evidence.Opt[evidence.Timeout]
		to   **float64
	}{
		"poll_interval": {call.Input.PollInterval, &request.PollInterval},
		"wait_timeout":  {call.Input.WaitTimeout, &request.Limit},
	} {
		seconds, given := member.from.Get()
		if seconds.Pair {
			return request, inexpressible(name + " is a pair")
		}
		if given {
			*member.to = &seconds.Total
		}
	}
	return request, nil
}

func success(result client.Result) evidence.Outcome {
	switch r := result.(type) {
	case *client.Message:
		return evidence.Outcome{Kind: evidence.OutcomeMessage, Message: r.Raw}
	case *client.Task:
		return evidence.Outcome{Kind: evidence.OutcomeTask, Task: r.Raw}
	default:
		return evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: fmt.Sprintf("the client returned a %T", result)}
	}
}
