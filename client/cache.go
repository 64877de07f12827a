package client

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"
)

// How long cached access is good for (ADR 0029, Caching).
const (
	// expirySkew is kept between the last use of access and its expiry, so that
	// a token does not die on its way.
	expirySkew = 30 * time.Second
	// fallbackTTL applies, from its receipt, to access without an expiry.
	fallbackTTL = 60 * time.Second
)

// AccessKey says whose access it is. All three must match: access of another
// backend, user or session is never used.
type AccessKey struct {
	Backend, User, SessionUID string
}

// AccessCache keeps runtime access between calls. It is an optimisation, so it
// has no way to make a call fail: an implementation that cannot read answers
// false, one that cannot write forgets. It must be safe for concurrent use and
// must never print a token. It need not watch expiry or admission: the Client
// judges what it gets.
type AccessCache interface {
	Get(AccessKey) (Access, bool)
	Put(AccessKey, Access)
	Clear(AccessKey)
}

// memoryCache is the form that lives and dies with its Client.
type memoryCache struct {
	mu      sync.Mutex
	entries map[AccessKey]Access
}

func newMemoryCache() *memoryCache {
	return &memoryCache{entries: map[AccessKey]Access{}}
}

// Get gives what was put in, reusable or not.
func (m *memoryCache) Get(key AccessKey) (Access, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	access, ok := m.entries[key]
	return access, ok
}

// Put also drops what can no longer be used, so that a Client that talks to many
// sessions does not hold on to dead tokens.
func (m *memoryCache) Put(key AccessKey, access Access) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	for other, old := range m.entries {
		if !old.reusable(now) {
			delete(m.entries, other)
		}
	}
	m.entries[key] = access
}

// Clear drops the access of one session.
func (m *memoryCache) Clear(key AccessKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, key)
}

func (m *memoryCache) empty() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.entries)
}

// fingerprint stands for a token's owner without giving the token away.
func fingerprint(token string) string {
	sum := sha256.Sum256([]byte(token))
	return "token-" + hex.EncodeToString(sum[:8])
}
