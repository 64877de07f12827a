package defects

import (
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
	return scope{backend: c.platform.URL, user: c.platform.Token, session: c.asked.Session}
}

// cached returns remembered access that is still good.
func (c *call) cached() (access, bool) {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	a, ok := c.cache.held[c.scope()]
	if !ok {
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
	defer c.cache.mu.Unlock()
	if a.keep {
		c.cache.held[c.scope()] = a
	} else {
		delete(c.cache.held, c.scope())
	}
}

// forget removes rejected access, and not what came after it.
func (c *call) forget(rejected access) {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	if c.cache.held[c.scope()].received.Equal(rejected.received) {
		delete(c.cache.held, c.scope())
	}
}
