package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// serveLines writes what happens as JSON, one object a line. The first one is written before any other.
type serveLines struct {
	out io.Writer
	// broken is called when nobody reads what is written any more.
	broken func()

	mu     sync.Mutex
	opened bool
	early  []any // what came before the first object
	failed error
}

// servedOpening is the first object: all that a script needs to make its requests.
type servedOpening struct {
	Event       string            `json:"event"`
	Scenario    string            `json:"scenario"`
	About       string            `json:"about"`
	Servers     map[string]string `json:"servers"`
	Environment map[string]string `json:"environment"`
	Calls       []servedAsking    `json:"calls"`
}

// servedAsking is a call that the scenario asks for, its environment only where it is not that of the opening.
type servedAsking struct {
	Op          evidence.CallOp   `json:"op"`
	Session     string            `json:"session"`
	Client      string            `json:"client"`
	Input       evidence.Input    `json:"input"`
	Files       []string          `json:"files,omitempty"`
	Environment map[string]string `json:"environment,omitempty"`
}

// servedEvent is what happened at a moment, in seconds since the start. Members that say nothing of an event are left
// out.
type servedEvent struct {
	Event    string  `json:"event"`
	At       float64 `json:"at"`
	Exchange int     `json:"exchange,omitempty"`
	Server   string  `json:"server,omitempty"`
	Op       string  `json:"op,omitempty"`
	Method   string  `json:"method,omitempty"`
	Target   string  `json:"target,omitempty"`
	Token    string  `json:"token,omitempty"`
	// Line is the step that answered; 0 for none.
	Line     int    `json:"line,omitempty"`
	Scripted *bool  `json:"scripted,omitempty"`
	Status   int    `json:"status,omitempty"`
	Whole    *bool  `json:"whole,omitempty"`
	EndedBy  string `json:"ended_by,omitempty"`
	Words    string `json:"words,omitempty"`
	Bytes    *int64 `json:"bytes,omitempty"`
}

// servedClosing is the last object.
type servedClosing struct {
	Event     string   `json:"event"`
	At        float64  `json:"at"`
	Exchanges int      `json:"exchanges"`
	LeftOver  []string `json:"left_over"`
	Faults    []string `json:"faults"`
}

// write writes an object. The lock is held.
func (s *serveLines) write(object any) {
	if s.failed != nil {
		return
	}
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	if s.failed = enc.Encode(object); s.failed != nil {
		s.broken()
	}
}

func (s *serveLines) event(e servedEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.opened {
		s.early = append(s.early, e)
		return
	}
	s.write(e)
}

// Arrived implements runner.Onlooker.
func (s *serveLines) Arrived(x evidence.Exchange) {
	s.event(servedEvent{
		Event: "arrived", At: x.Arrived.Sub(0).Seconds(), Exchange: x.Seq, Server: x.Endpoint, Op: string(x.Op), Method: x.Request.Method,
		Target: x.Request.Target, Token: shownToken(x),
	})
}

// Answering implements runner.Onlooker.
func (s *serveLines) Answering(x evidence.Exchange, step scenarios.Step) {
	s.event(servedEvent{Event: "answering", At: x.Arrived.Sub(0).Seconds(), Exchange: x.Seq, Line: step.Line, Words: heldBack(step)})
}

// Ended implements runner.Onlooker.
func (s *serveLines) Ended(x evidence.Exchange, step *scenarios.Step) {
	e := servedEvent{Event: "ended", At: endOf(x).Sub(0).Seconds(), Exchange: x.Seq, Scripted: &x.Scripted, EndedBy: string(x.EndedBy), Words: suites.AnswerWords(&x)}
	whole := x.Response != nil && x.Response.Complete
	e.Whole = &whole
	if x.Response != nil {
		e.Status = x.Response.Status
	}
	if step != nil {
		e.Line = step.Line
	} else if missed(x) {
		e.Words = missWords(x)
	}
	s.event(e)
}

// Unused implements runner.Onlooker.
func (s *serveLines) Unused(at evidence.Offset, server string, bytes int64) {
	s.event(servedEvent{Event: "unused_connection", At: at.Sub(0).Seconds(), Server: server, Bytes: &bytes})
}

func (s *serveLines) open(c scenarios.Case, served *runner.Served, variables []string, _ serveOptions) {
	main := served.Credentials("main", scenarios.EndpointPlatform)
	o := servedOpening{
		Event: "serving", Scenario: c.ID, About: c.About, Servers: map[string]string{}, Environment: byName(variablesFor(main, variables)),
		Calls: []servedAsking{},
	}
	for _, place := range served.Places() {
		o.Servers[place.Name] = place.URL
	}
	for _, call := range served.Calls() {
		asked := servedAsking{Op: call.Asked.Op, Session: call.Asked.Session, Client: call.Client, Input: call.Asked.Input, Files: call.Files}
		if own := served.Credentials(call.User, call.Backend); own != main {
			asked.Environment = byName(variablesFor(own, variables))
		}
		o.Calls = append(o.Calls, asked)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(o)
	s.opened = true
	for _, e := range s.early {
		s.write(e)
	}
}

// byName are variables by their names.
func byName(variables []string) map[string]string {
	named := map[string]string{}
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		named[name] = value
	}
	return named
}

func (s *serveLines) close(run evidence.Run, leftover, malformed []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(servedClosing{
		Event: "closed", At: run.ObservedUntil.Sub(0).Seconds(), Exchanges: len(run.Exchanges), LeftOver: append([]string{}, leftover...),
		Faults: append([]string{}, malformed...),
	})
}

func (s *serveLines) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return fmt.Errorf("write what arrives: %w", s.failed)
	}
	return nil
}
