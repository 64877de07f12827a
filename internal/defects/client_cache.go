package defects

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// How long remembered access is used (ADR, Caching).
const (
	skew     = 30 * time.Second
	fallback = 60 * time.Second
)

// scope is whose access it is.
type scope struct{ backend, user, session string }

// cache remembers admitting answers.
type cache struct {
	mu   sync.Mutex
	held map[scope]access
}

func newCache() *cache { return &cache{held: map[scope]access{}} }

// scope is that of the call. Access that is held already may be taken for its own. The cache must be locked.
func (c *call) scope() scope {
	own := scope{backend: c.platform.URL, user: c.asked.User, session: c.asked.Session}
	for held := range c.cache.held {
		if held != own && c.taken(held, own) {
			return held
		}
	}
	return own
}

// taken tells whether access of another scope is taken for that of the call: it is not.
func (c *call) taken(held, own scope) bool {
	session, user, backend := held.session == own.session, held.user == own.user, held.backend == own.backend
	return !session && user && backend && c.has("one-access-for-all-sessions") ||
		session && !user && backend && c.has("one-access-for-all-users") ||
		session && user && !backend && c.has("one-access-for-all-backends") ||
		session && (!user || !backend) && c.has("one-access-whoever-asks-wherever")
}

// cached returns remembered access that is still good.
func (c *call) cached() (access, bool) {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	a, ok := c.cache.held[c.scope()]
	if !ok || c.has("no-cache") {
		return access{}, false
	}
	if !c.good(a) {
		return access{}, false
	}
	if a.expires.IsZero() && c.has("fallback-prolonged-by-use") {
		a.received = time.Now()
		c.cache.held[c.scope()] = a
	}
	c.remembered = true
	return a, true
}

// good tells whether remembered access is used now: up to its expiry, with some time to spare, or for a while from its
// receipt where it has none (ADR, Caching).
func (c *call) good(a access) bool {
	if a.expires.IsZero() {
		return time.Now().Before(a.received.Add(c.fallback()))
	}
	spared := a.expires.Add(-skew)
	now, good := time.Now(), time.Now().Before(spared)
	// A switch makes a difference where it is used until a time that says something else of the present.
	other := func(until time.Time) bool { return now.Before(until) != good }
	brief := a.received.Add(fallback)
	switch {
	case other(a.received.Add(1000*time.Hour)) && c.has("expiry-ignored"),
		other(a.expires.Add(5*time.Second)) && c.has("expiry-overrun-by-five-seconds"),
		other(spared.Add(2*time.Hour)) && c.has("expiry-read-in-another-zone"),
		other(a.expires) && c.has("no-skew"),
		other(a.expires.Add(-500*time.Millisecond)) && c.has("skew-of-half-a-second"),
		other(a.expires.Add(-2*time.Second)) && c.has("skew-of-two-seconds"),
		other(a.expires.Add(skew)) && c.has("skew-in-the-wrong-direction"),
		other(brief) && c.has("fallback-wins-over-the-expiry"),
		brief.After(spared) && other(brief) && c.has("later-of-expiry-and-fallback"),
		brief.Before(spared) && other(brief) && c.has("sooner-of-expiry-and-fallback"):
		return !good
	}
	return good
}

// fallback is how long access without an expiry is used.
func (c *call) fallback() time.Duration {
	switch {
	case c.has("no-expiry-is-for-ever"):
		return 10000 * time.Hour
	case c.has("fallback-of-two-hours"):
		return 2 * time.Hour
	case c.has("fallback-of-five-minutes"):
		return 5 * time.Minute
	}
	return fallback
}

func (c *call) remember(a access) {
	c.cache.mu.Lock()
	if a.keep {
		c.cache.held[c.scope()] = a
	} else {
		delete(c.cache.held, c.scope())
	}
	c.cache.mu.Unlock()
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	c.memory.latest = a
	if c.memory.token == "" {
		c.memory.token, c.memory.address = a.token, a.rpcURL
	}
}

// forget removes rejected access, and not what came after it.
func (c *call) forget(rejected access) {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	if c.cache.held[c.scope()].received.Equal(rejected.received) && !c.keeps() {
		delete(c.cache.held, c.scope())
	}
}

// keeps tells whether access stays that was rejected: it never does.
func (c *call) keeps() bool {
	switch {
	case c.op == evidence.OpGetTask && c.has("get-keeps-rejected-access"),
		c.op == evidence.OpCancelTask && c.has("cancel-keeps-rejected-access"),
		c.task() && c.has("task-send-keeps-rejected-access"):
		return true
	}
	return c.has("rejected-access-kept")
}

// known is the access that any call of the instance had last.
func (c *call) known() access {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	return c.memory.latest
}

// lastAnswer is the Message that any call of the instance was given last.
func (m *memory) lastAnswer() json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answer
}

// advertises tells whether an earlier call learned that the Agent of a session takes Tasks.
func (m *memory) advertises(session string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tasks[session]
}

func (m *memory) advertised(session string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tasks == nil {
		m.tasks = map[string]bool{}
	}
	m.tasks[session] = true
}

// lastTask is the Task that any call of the instance was given last.
func (m *memory) lastTask() json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.task
}
