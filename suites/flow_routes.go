package suites

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func flow01() Rule {
	return Rule{
		ID: "FLOW-01", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "call the platform for runtime access only when it sends a direct Message",
		Cause: "The client looks up the session, the agent or the user before each send, or prepares the runtime by another route. " +
			"Look for requests to the platform that are made for every response kind: discovery belongs to Task mode.",
		Right:   "POST …/resolve-runtime-access/ is the only request that the platform sees; a renewal of the platform token may come before it.",
		Wrong:   "The platform sees GET /api/v1/agent-sessions/{uid}/ before or after resolve-runtime-access.",
		Forbids: true,
		Judge: direct(func(c *Call, j *Judgement) {
			c.forbid(j, func(x *Exchange) string {
				switch {
				case x.Side() != evidence.SidePlatform, x.Op == evidence.OpResolveAccess, x.Op == evidence.OpRenewToken,
					x.Op == evidence.OpWhoAmI && c.byCommand(), x.Op == evidence.OpUnknown && c.followsRedirect(x),
					x.Op == evidence.OpUnknown && awkward(c.Session): // an id that breaks out of its path segment is REQ-23's
					return ""
				default:
					return "asked the platform for more than runtime access: " + x.Request.Method + " " + clip(x.Request.Target, 90)
				}
			}, "the platform sees resolve-runtime-access and nothing else")
		}),
	}
}

func flow15() Rule {
	return Rule{
		ID: "FLOW-15", Level: Must, Sides: []Side{Client}, Section: "Decision, Consequences",
		Obligation: "never call the retired attach and status endpoints",
		Cause: "Code from before ADR 0029 is still on the path: an attach before the first send, a status request while the runtime wakes, " +
			"or the resolve route under its old address.",
		Right:   "Access comes from POST /api/v1/agent-sessions/{uid}/resolve-runtime-access/, whatever state the runtime is in.",
		Wrong:   "GET /api/a2a/sessions/{uid}/runtime is asked until it says that the runtime is up.",
		Forbids: true,
		Judge: func(c *Call, j *Judgement) {
			c.forbid(j, func(x *Exchange) string {
				if x.Op != evidence.OpLegacy {
					return ""
				}
				return "called a retired route: " + x.Request.Method + " " + clip(x.Request.Target, 90)
			}, "no request to a retired route, in any state of the runtime")
		},
	}
}

func flow16() Rule {
	return Rule{
		ID: "FLOW-16", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "make no request to the runtime but the send (get, cancel and wait: the route of their Task): none for readiness, none to keep it awake, none for a status",
		Cause: "The client asks the runtime whether it is up (a health route, an agent card, an OPTIONS request) before it sends, or follows the " +
			"send with a request of its own. The platform's admission is the only readiness there is.",
		Right:   "The runtime sees POST …/message:send and nothing else.",
		Wrong:   "The runtime sees GET /health, then POST …/message:send.",
		Forbids: true,
		Judge: func(c *Call, j *Judgement) {
			what, expected := "the send", "the runtime sees POST …/message:send and nothing else"
			if c.Follows() {
				what, expected = "its Task", "the runtime sees the route of the Task and nothing else"
			}
			c.forbid(j, func(x *Exchange) string {
				if x.Side() != evidence.SideRuntime || c.ownRoute(x) || c.followsRedirect(x) {
					return ""
				}
				return "asked the runtime for something else than " + what + ": " + x.Request.Method + " " + clip(x.Request.Target, 90)
			}, expected)
		},
	}
}

// ownRoute tells whether a request was meant for what the call is about, wherever it went: the send, or its Task.
func (c *Call) ownRoute(x *Exchange) bool {
	if !c.Follows() {
		return x.sendLike()
	}
	meant := x.Op == evidence.OpUnknown && x.Request.Method == taskMethod(c.Op) && strings.Contains(x.path(), "tasks/")
	return x.Op == c.resultOp() || meant
}

// taskMethod is the method with which a call asks for its Task (contract, section 3).
func taskMethod(op evidence.CallOp) string {
	if op == evidence.CallCancelTask {
		return http.MethodPost
	}
	return http.MethodGet
}

// forbid fails for each request of the call in which pick finds something wrong. It passes where the call made
// requests and ended: a failure outweighs that.
func (c *Call) forbid(j *Judgement, pick func(x *Exchange) string, expected string) {
	for _, x := range c.answersFor() {
		if wrong := pick(x); wrong != "" {
			j.Fail(wrong, expected, x)
		}
	}
	if c.Done() && len(c.Exchanges) > 0 {
		j.Pass()
	}
}

func flow19() Rule {
	return Rule{
		ID: "FLOW-19", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "open no connection to the runtime while can_submit is false",
		Cause: "A connection to the runtime is opened beforehand, to have it warm when the admission comes, or to see whether something listens. " +
			"Look for connection pools that are filled when the client is made or an earlier address is remembered.",
		Right:   "The first connection to the runtime is opened after the answer that says can_submit true.",
		Wrong:   "A connection to the runtime is opened while the newest answer says waking and can_submit false.",
		Forbids: true,
		Judge:   sending(judgeConnections),
	}
}

func judgeConnections(c *Call, j *Judgement) {
	if len(c.Run.Connections) == 0 {
		return
	}
	for _, r := range c.Resolves {
		if !r.refuses() {
			continue
		}
		until := c.refusedUntil(r)
		switch opened := c.connectionAfter(r, until); {
		case opened != nil:
			j.Fail(fmt.Sprintf("opened a connection to the runtime %s after an answer with can_submit false", inWords(max(0, moment(*opened).Sub(*r.LastBy)))),
				"no connection to the runtime before an answer with can_submit true", r)
		case c.Done() && c.alone(*r.LastBy, until-1):
			j.Pass()
		}
	}
}

// refusedUntil is how long the refusal of r is known to have held: to the next answer of the platform, to a send that
// nothing admitted (its connection is no worse than itself: FLOW-04), or to the start of a later call.
func (c *Call) refusedUntil(r *Exchange) evidence.Offset {
	for _, x := range c.Exchanges {
		switch {
		case x.Seq <= r.Seq:
		case x.Op == evidence.OpResolveAccess && x.Whole():
			return *x.LastFrom
		case c.ownRoute(x):
			return x.Arrived
		}
	}
	until := c.Until
	for _, o := range c.Run.Calls {
		if o.Started > c.lasted() {
			until = min(until, o.Started)
		}
	}
	return until
}

// firstAfter returns the first of the exchanges that arrived after the whole of r's answer had left.
func (c *Call) firstAfter(r *Exchange, of []*Exchange) *Exchange {
	i := slices.IndexFunc(of, func(x *Exchange) bool { return x.Seq > r.Seq && r.Before(x) })
	if i < 0 {
		return nil
	}
	return of[i]
}

// connectionAfter returns a connection to a runtime that was asked for after the refusal r and before another moment,
// while no other call could have done so. Where r was the first to name an address, whatever connects once it began to
// go out comes from it, however near the two are.
func (c *Call) connectionAfter(r *Exchange, to evidence.Offset) *evidence.Connection {
	if c.toldBefore(r) {
		return c.connectionBetween(*r.LastBy, to)
	}
	return c.connectionAt(func(at evidence.Offset) bool { return at >= *r.LastFrom && at < to })
}

// connectionBetween returns a connection to a runtime that was asked for from one moment to before another while no other
// call could have done so.
func (c *Call) connectionBetween(from, to evidence.Offset) *evidence.Connection {
	return c.connectionAt(func(at evidence.Offset) bool {
		// At the very instant of the answer too: on virtual time a client that reacts at once takes no time.
		return (at == from || c.Run.NotAfter(at, from) == evidence.No) && at < to
	})
}

// connectionAt returns a connection to a runtime at a moment that fits, while no other call could have asked for it.
func (c *Call) connectionAt(fits func(evidence.Offset) bool) *evidence.Connection {
	for i := range c.Run.Connections {
		conn := &c.Run.Connections[i]
		e, _ := c.Run.Endpoint(conn.Endpoint)
		if e.Side != evidence.SideRuntime || conn.Attempted == nil && conn.Opened == nil {
			continue
		}
		if at := moment(*conn); fits(at) && c.aloneAt(at) {
			return conn
		}
	}
	return nil
}

// toldBefore tells whether an answer before r named an address of a runtime.
func (c *Call) toldBefore(r *Exchange) bool {
	return slices.ContainsFunc(c.Run.All, func(x *Exchange) bool {
		return x.Seq < r.Seq && x.Op == evidence.OpResolveAccess && x.Access().RPCURL.Text != ""
	})
}

func moment(c evidence.Connection) evidence.Offset {
	if c.Attempted != nil {
		return *c.Attempted
	}
	return *c.Opened
}

func flow14() Rule {
	return Rule{
		ID: "FLOW-14", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "treat rpc_url as opaque: send to its scheme, host, port and path prefix exactly as they were given",
		Cause: "The address is taken apart and put together again: a prefix is dropped by joining with an absolute path, escapes are decoded, " +
			"letter case is changed, a host is built from a name that is remembered, or an address of an earlier answer is used.",
		Right: `With rpc_url "http://10.0.0.7:8080/p%2Fq/" the send goes to /p%2Fq/api/a2a/v1/message:send on that host and port.`,
		Wrong: "The send goes to /api/a2a/v1/message:send, or to the host of an earlier answer.",
		Judge: sending(judgeAddress),
	}
}

func judgeAddress(c *Call, j *Judgement) {
	for _, x := range c.Exchanges {
		if !x.sendLike() || c.followsRedirect(x) {
			continue
		}
		grounds := slices.DeleteFunc(c.grounds(x), func(r *Exchange) bool {
			return addressOf(r.Access().RPCURL.Text).odd != ""
		})
		if len(grounds) == 0 {
			continue
		}
		wrong := ""
		for _, r := range grounds {
			if wrong = x.misses(addressOf(r.Access().RPCURL.Text)); wrong == "" {
				break
			}
		}
		j.Hold(wrong == "", wrong, "the send goes to the address of the newest answer, as it stands there", append(grounds[len(grounds)-1:], x)...)
	}
}

// misses says where a send went past the address that it was given; empty where it hit.
func (x *Exchange) misses(a address) string {
	path := x.path()
	scheme, _, _ := strings.Cut(a.origin, "://")
	switch named := originOf(scheme + "://" + x.Request.Host); {
	case a.origin != x.Origin():
		return "sent to " + x.Origin() + " where rpc_url names " + a.origin
	case x.Request.Host != "" && named != a.origin:
		return "named the host " + quote(x.Request.Host) + " where rpc_url has " + a.origin
	case !strings.HasPrefix(path, a.path+"/"):
		return "sent to " + clip(path, 90) + " where rpc_url has the path " + quote(a.path+"/")
	case strings.TrimLeft(strings.TrimPrefix(path, a.path), "/") != strings.TrimPrefix(sendPath, "/"):
		return "sent to " + clip(path, 90) + " where rpc_url has the path " + quote(a.path+"/") + " and nothing behind it"
	default:
		return ""
	}
}
