// Package mockruntime plays the runtime of the contract: its routes, and how its answers are written. What is
// answered is scripted; requests are recorded and never judged, not even their credentials.
//
// The room holds the runtime's routes and bodies (ADR 0029, Decision, Message limit, Request Shape; contract, section
// 3), and the server of nobody that redirects point to. Queues, names and tokens are in internal/script, which also
// says how a run is wired; faults of the wire are in internal/wire.
//
// Nothing is answered without a script: a request that no step takes gets a 418 that names the nearest step.
package mockruntime

import (
	"net/http"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Config is what a mock runtime is made from.
type Config struct {
	script.Run
	// Endpoint is its name in the run; "runtime" where it is empty.
	Endpoint string
	// Routes may be shared by any number of mocks; nil for routes of its own.
	Routes *script.Routes
}

// New makes a runtime of a run. It holds nothing of its own and needs no closing; see internal/wire for how hung
// exchanges are ended.
func New(cfg Config) http.Handler {
	if cfg.Endpoint == "" {
		cfg.Endpoint = scenarios.EndpointRuntime
	}
	if cfg.Routes == nil {
		cfg.Routes = NewRoutes()
	}
	return &script.Server{Run: cfg.Run, Endpoint: cfg.Endpoint, Routes: cfg.Routes, Writer: writer{}}
}

// NewRoutes compiles the runtime's routes, for all mocks that share them.
func NewRoutes() *script.Routes {
	// Some clients escape the colon of a custom method, which changes nothing in the URL's meaning.
	const colon = "{colon:(?::|%3[Aa])}"
	return script.NewRoutes([]script.Route{
		{Op: evidence.OpSendMessage, Methods: []string{http.MethodPost}, Path: "api/a2a/v1/message" + colon + "send"},
		{Op: evidence.OpCancelTask, Methods: []string{http.MethodPost}, Path: "api/a2a/v1/tasks/{id:.+}" + colon + "cancel"},
		{Op: evidence.OpGetTask, Methods: []string{http.MethodGet}, Path: "api/a2a/v1/tasks/{id:.+}"},
	})
}

// writer writes the answers that only a runtime has.
type writer struct{}

// Write makes an answer of the runtime.
func (writer) Write(v *script.Serving, reply scenarios.Reply) (wire.Answer, bool) {
	switch {
	case reply.Message != nil:
		return message(v, *reply.Message), true
	case reply.Task != nil:
		return task(v, *reply.Task), true
	case reply.MessageLimit != nil:
		return messageLimit(v, *reply.MessageLimit), true
	case reply.RPCError != nil:
		return rpcError(v, *reply.RPCError), true
	default:
		return wire.Answer{}, false
	}
}

// Default tells that a runtime has no answer that nobody scripted.
func (writer) Default(*script.Serving) (wire.Answer, bool) { return wire.Answer{}, false }

// Elsewhere makes a server that belongs to neither side: it answers every request with an empty object, so that what
// lies behind a redirect can be told from the answer that was asked for.
func Elsewhere(run script.Run, endpoint string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := wire.Begin(w, r, endpoint, evidence.OpUnknown, run.Wire)
		defer run.Follow(x.Open())()
		x.Open().SetScripted(true)
		x.Answer(script.JSON(http.StatusOK, script.MediaJSON, struct{}{}), scenarios.Wire{})
	})
}
