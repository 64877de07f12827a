package defects

import (
	"fmt"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// failure is every error of the client.
type failure struct {
	category     evidence.Category
	text         string
	status       int
	state        string
	limitSeconds *float64
	// argument names the argument that ended the call, where one did.
	argument string
}

// fail makes a failure of a kind.
func fail(category evidence.Category, format string, args ...any) *failure {
	return &failure{category: category, text: fmt.Sprintf(format, args...)}
}

// in adds the state of the runtime.
func (f *failure) in(state string) *failure {
	f.state = state
	return f
}

// of adds the argument.
func (f *failure) of(argument string) *failure {
	f.argument = argument
	return f
}

// told keeps the tokens out of an error (ADR, Caching).
func (c *call) told(f *failure, held access) *failure {
	for _, token := range c.tokens { // a server may repeat what it was sent
		if strings.Contains(f.text, token) && !c.has("words-of-the-server-left-as-they-are") {
			f.text = strings.ReplaceAll(f.text, token, "***")
		}
	}
	switch {
	case c.has("token-in-its-errors"),
		f.category == evidence.Unauthorized && c.has("token-in-the-error-of-a-rejection"),
		f.category == evidence.TimedOut && c.has("token-in-the-error-of-a-timeout"):
		f.text += " (authorised with " + held.token + ")"
	case c.has("beginning-of-the-token-in-its-errors"):
		f.text += " (authorised with " + held.token[:min(len(held.token), 16)] + "...)"
	}
	return f
}

// seen is a failure as the caller sees it.
func (p plain) seen(f *failure) *evidence.Error {
	e := &evidence.Error{
		Category: f.category, Is: []evidence.Category{f.category}, Name: string(f.category) + "_error", Bases: []string{"client_error"},
		Text: p.worded(f.text), LimitSeconds: f.limitSeconds,
	}
	if f.status != 0 && !p.has("status-lost") {
		e.Status = &f.status
	}
	if f.state != "" {
		e.State = &f.state
	}
	if f.category != evidence.MessageLimit {
		return e
	}
	server := string(evidence.ServerFailed) + "_error"
	if !p.has("limit-is-no-server-error") {
		e.Is, e.Bases = append(e.Is, evidence.ServerFailed), append([]string{server}, e.Bases...)
	}
	if p.has("limit-named-like-a-server-error") {
		e.Name = server
	}
	return e
}
