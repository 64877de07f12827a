// Package mockplatform plays the platform of the contract: its routes, and how its answers are written. What is
// answered is scripted; requests are recorded and never judged, not even their credentials.
//
// The room holds the platform's routes and bodies (ADR 0029, Decision; contract, sections 1 and 2). Queues, names and
// tokens are in internal/script, which also says how a run is wired; faults of the wire are in internal/wire.
//
// Without a script, every operation but resolve_access has a well-behaved answer. resolve_access has to be scripted:
// what it says is what every scenario is about.
package mockplatform

import (
	"net/http"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Config is what a mock platform is made from.
type Config struct {
	script.Run
	// Endpoint is its name in the run; "platform" where it is empty.
	Endpoint string
	// Routes may be shared by any number of mocks; nil for routes of its own.
	Routes *script.Routes
}

// New makes the platform of a run. It holds nothing of its own and needs no closing; see internal/wire for how hung
// exchanges are ended.
func New(cfg Config) http.Handler {
	if cfg.Endpoint == "" {
		cfg.Endpoint = scenarios.EndpointPlatform
	}
	if cfg.Routes == nil {
		cfg.Routes = NewRoutes()
	}
	return &script.Server{Run: cfg.Run, Endpoint: cfg.Endpoint, Routes: cfg.Routes, Writer: writer{}}
}

// NewRoutes compiles the platform's routes, for all mocks that share them.
func NewRoutes() *script.Routes {
	return script.NewRoutes([]script.Route{
		{Op: evidence.OpResolveAccess, Methods: []string{http.MethodPost}, Path: "api/v1/agent-sessions/{uid:.+}/resolve-runtime-access/"},
		{Op: evidence.OpGetSession, Methods: []string{http.MethodGet}, Path: "api/v1/agent-sessions/{uid:[^/]+}/"},
		{Op: evidence.OpGetAgent, Methods: []string{http.MethodGet}, Path: "api/v1/agents/{agent:[^/]+}/"},
		{Op: evidence.OpRenewToken, Methods: []string{http.MethodPost}, Path: "auth/jwt-token/token/refresh/"},
		{Op: evidence.OpWhoAmI, Methods: []string{http.MethodGet}, Path: "api/v1/users/me/"},
	})
}

// writer writes the answers that only a platform has.
type writer struct{}

// Write makes an answer of resolve_access.
func (writer) Write(v *script.Serving, reply scenarios.Reply) (wire.Answer, bool) {
	switch {
	case v.Op != evidence.OpResolveAccess:
		return wire.Answer{}, false
	case reply.Ready != nil:
		return ready(v, *reply.Ready), true
	case reply.Wait != nil:
		return wait(v, *reply.Wait), true
	case reply.Stop != nil:
		return stop(v, *reply.Stop), true
	default:
		return wire.Answer{}, false
	}
}

// Default makes the well-behaved answer of an operation.
func (writer) Default(v *script.Serving) (wire.Answer, bool) {
	switch v.Op {
	case evidence.OpWhoAmI:
		return whoAmI(v), true
	case evidence.OpRenewToken:
		return renewal(v), true
	case evidence.OpGetSession:
		return session(v), true
	case evidence.OpGetAgent:
		return agent(v), true
	default:
		return wire.Answer{}, false
	}
}
