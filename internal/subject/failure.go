package subject

import (
	"errors"

	"github.com/a2a-conform/a2a-conform/client"
	"github.com/a2a-conform/a2a-conform/evidence"
)

// failure reads an error of the reference client by its types, never by its text.
func failure(err error) evidence.Outcome {
	e := evidence.Error{Category: evidence.Other, Name: "error", Bases: []string{}, Text: err.Error()}
	for _, class := range classes() {
		if name, ok := class.reach(err, &e); ok {
			e.Is = append(e.Is, class.category)
			if len(e.Is) == 1 {
				e.Category, e.Name = class.category, name
				continue
			}
			e.Bases = append(e.Bases, name)
		}
	}
	if e.Is == nil {
		e.Is = []evidence.Category{evidence.Other}
	}
	return evidence.Outcome{Kind: evidence.OutcomeError, Error: &e}
}

// class is a type of error and the category that it stands for.
type class struct {
	category evidence.Category
	reach    func(err error, e *evidence.Error) (string, bool)
}

// as makes the reach of a class: the error is of type T, and note takes its attributes.
func as[T error](name string, note func(T, *evidence.Error)) func(error, *evidence.Error) (string, bool) {
	return func(err error, e *evidence.Error) (string, bool) {
		var typed T
		if !errors.As(err, &typed) {
			return "", false
		}
		note(typed, e)
		return name, true
	}
}

// classes are the types of the client's errors, most specific first.
func classes() []class {
	return []class{
		{evidence.InvalidArgument, as("InvalidArgumentError", func(*client.InvalidArgumentError, *evidence.Error) {})},
		{evidence.NotAdvertised, as("NotAdvertisedError", func(*client.NotAdvertisedError, *evidence.Error) {})},
		{evidence.NotReady, as("NotReadyError", func(n *client.NotReadyError, e *evidence.Error) { e.State = &n.State })},
		{evidence.Blocked, as("BlockedError", func(b *client.BlockedError, e *evidence.Error) { e.State = &b.State })},
		{evidence.TimedOut, as("TimeoutError", func(*client.TimeoutError, *evidence.Error) {})},
		{evidence.MessageLimit, as("MessageLimitError", func(m *client.MessageLimitError, e *evidence.Error) { e.LimitSeconds = m.LimitSeconds })},
		{evidence.ServerFailed, as("ServerError", func(s *client.ServerError, e *evidence.Error) { e.Status = &s.Status })},
		{evidence.Unauthorized, as("UnauthorizedError", func(u *client.UnauthorizedError, e *evidence.Error) { e.Status = &u.Status })},
		{evidence.Rejected, as("RejectedError", func(r *client.RejectedError, e *evidence.Error) { e.Status = &r.Status })},
		{evidence.InvalidResponse, as("InvalidResponseError", func(r *client.InvalidResponseError, e *evidence.Error) { e.Status = &r.Status })},
		{evidence.Transport, as("TransportError", func(*client.TransportError, *evidence.Error) {})},
	}
}
