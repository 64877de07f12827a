package yourclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	conform "github.com/a2a-conform/a2a-conform"
	"github.com/a2a-conform/a2a-conform/client"
	"github.com/a2a-conform/a2a-conform/evidence"
)

// This is what the owner of a Go client writes: how a call of the harness becomes a call of the client, and how what
// the client returns becomes an outcome. The client here is the reference client; yours takes its place.

func about() conform.Subject {
	return conform.Subject{
		Name: "yourclient", Version: "1.2.3",
		Capabilities: []string{
			"send", "message_id", "strict_dictionary", "timeout_number", "timeout_pair", "timeout_default", "files", "typed_errors", "cancel",
		},
	}
}

// open makes the client of one run.
func open(env conform.Env) (conform.Client, error) {
	return &adapter{env: env, clients: map[string]*client.Client{}}, nil
}

type adapter struct {
	env     conform.Env
	mu      sync.Mutex
	clients map[string]*client.Client
}

// instance returns the client of that name: calls of one name share a cache.
func (a *adapter) instance(name string) (*client.Client, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.clients[name]; c != nil {
		return c, nil
	}
	c, err := client.New(client.Config{
		PlatformURL: a.env.PlatformURL, PlatformToken: a.env.PlatformToken,
		DialContext: a.env.DialContext, NewMessageID: a.env.NewMessageID,
	})
	if err == nil {
		a.clients[name] = c
	}
	return c, err
}

// Do implements conform.Client.
func (a *adapter) Do(ctx context.Context, call conform.Call) evidence.Outcome {
	if call.Op != evidence.CallSend {
		return evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: "only send is there"}
	}
	c, err := a.instance(call.Client)
	if err != nil {
		return failed(err)
	}
	result, err := c.Send(ctx, request(call))
	if err != nil {
		return failed(err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		return failed(err)
	}
	return evidence.Outcome{Kind: evidence.OutcomeMessage, Message: text}
}

// Close implements conform.Client.
func (a *adapter) Close() error { return nil }

func request(call conform.Call) client.Request {
	in := call.Input
	r := client.Request{
		SessionUID: call.Session, Text: in.Message.Or(""), MessageID: in.MessageID.Or(""),
		StrictDictionary: in.StrictDictionary.Or(false), ResponseKind: in.ResponseKind.Or(""),
	}
	if n, ok := in.JSONRepairAttempts.Get(); ok {
		whole, _ := n.Int64()
		attempts := int(whole)
		r.JSONRepairAttempts = &attempts
	}
	if t, ok := in.Timeout.Get(); ok {
		r.Timeout = client.Total(t.Total)
		if t.Pair {
			r.Timeout = client.Phases(t.Connect, t.Read)
		}
	}
	for _, f := range call.Files {
		r.Files = append(r.Files, client.File{Path: f.Path, MediaType: f.MediaType})
	}
	return r
}

// failed reads an error by its type, most specific first, never by its text.
func failed(err error) evidence.Outcome {
	e := evidence.Error{Category: evidence.Other, Is: []evidence.Category{evidence.Other}, Name: "error", Text: err.Error()}
	is := func(category evidence.Category, name string) {
		if e.Name == "error" {
			e.Category, e.Name, e.Is = category, name, nil
		} else {
			e.Bases = append(e.Bases, name)
		}
		e.Is = append(e.Is, category)
	}
	if x := (*client.InvalidArgumentError)(nil); errors.As(err, &x) {
		is(evidence.InvalidArgument, "InvalidArgumentError")
	}
	if x := (*client.NotReadyError)(nil); errors.As(err, &x) {
		is(evidence.NotReady, "NotReadyError")
		e.State = &x.State
	}
	if x := (*client.BlockedError)(nil); errors.As(err, &x) {
		is(evidence.Blocked, "BlockedError")
		e.State = &x.State
	}
	if x := (*client.TimeoutError)(nil); errors.As(err, &x) {
		is(evidence.TimedOut, "TimeoutError")
	}
	if x := (*client.MessageLimitError)(nil); errors.As(err, &x) {
		is(evidence.MessageLimit, "MessageLimitError")
		e.LimitSeconds = x.LimitSeconds
	}
	if x := (*client.ServerError)(nil); errors.As(err, &x) {
		is(evidence.ServerFailed, "ServerError")
		e.Status = &x.Status
	}
	if x := (*client.UnauthorizedError)(nil); errors.As(err, &x) {
		is(evidence.Unauthorized, "UnauthorizedError")
		e.Status = &x.Status
	}
	if x := (*client.RejectedError)(nil); errors.As(err, &x) {
		is(evidence.Rejected, "RejectedError")
		e.Status = &x.Status
	}
	if x := (*client.InvalidResponseError)(nil); errors.As(err, &x) {
		is(evidence.InvalidResponse, "InvalidResponseError")
		e.Status = &x.Status
	}
	if x := (*client.TransportError)(nil); errors.As(err, &x) {
		is(evidence.Transport, "TransportError")
	}
	return evidence.Outcome{Kind: evidence.OutcomeError, Error: &e}
}
