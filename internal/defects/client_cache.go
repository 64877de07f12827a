package defects

import (
	"encoding/json"
	"sync"
	"time"
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

func (c *call) scope() scope {
	return scope{backend: c.platform.URL, user: c.user, session: c.asked.Session}
}

// cached returns remembered access that is still good.
func (c *call) cached() (access, bool) {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	a, ok := c.cache.held[c.scope()]
	if !ok || c.has("no-cache") {
		return access{}, false
	}
	until := a.received.Add(fallback)
	if !a.expires.IsZero() {
		until = a.expires.Add(-skew)
	}
	return a, time.Now().Before(until)
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
	if c.cache.held[c.scope()].received.Equal(rejected.received) && !c.has("rejected-access-kept") {
		delete(c.cache.held, c.scope())
	}
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
