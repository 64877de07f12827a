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
			"files", "typed_errors", "cancel", "per_call_platform",
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
	if call.Op != evidence.CallSend {
		return evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: fmt.Sprintf("operation %q is not known", call.Op)}
	}
	c, err := r.client(call)
	if err != nil {
		return failure(err)
	}
	request, err := requestOf(call)
	if err != nil {
		return evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: err.Error()}
	}
	result, err := c.Send(ctx, request)
	if err != nil {
		return failure(err)
	}
	return success(result)
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
		PlatformURL: platform.URL, PlatformToken: platform.Token, User: call.User,
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
			return request, fmt.Errorf("json_repair_attempts %s is no whole number, which this client cannot express", n)
		}
		whole := int(attempts)
		request.JSONRepairAttempts = &whole
	}
	if t, ok := in.Timeout.Get(); ok {
		request.Timeout = client.Total(t.Total)
		if t.Pair {
			request.Timeout = client.Phases(t.Connect, t.Read)
		}
	}
	for _, f := range call.Files {
		request.Files = append(request.Files, client.File{Path: f.Path, MediaType: f.MediaType})
	}
	return request, nil
}

func success(result client.Result) evidence.Outcome {
	switch r := result.(type) {
	case *client.Message:
		return evidence.Outcome{Kind: evidence.OutcomeMessage, Message: r.Raw}
	default:
		return evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: fmt.Sprintf("the client returned a %T", result)}
	}
}
