package script

import (
	"crypto/rand"
	"slices"
	"sync"
)

// Keys are the credentials of a subject that is told them once, for all runs of a session: in each run they are those of
// the main user against the platform. A run may renew them, and all later runs know the new ones.
type Keys struct {
	mu       sync.Mutex
	platform []string // the latest stands last
	refresh  string
}

// NewKeys makes credentials that nobody knows yet.
func NewKeys() *Keys {
	return &Keys{platform: []string{freshText()}, refresh: freshText()}
}

func freshText() string {
	value := make([]byte, 0, tokenLength)
	for len(value) < tokenLength {
		value = append(value, rand.Text()...)
	}
	return string(value[:tokenLength])
}

// PlatformToken is the latest platform token.
func (k *Keys) PlatformToken() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.platform[len(k.platform)-1]
}

// RefreshToken is what the platform token is renewed with.
func (k *Keys) RefreshToken() string { return k.refresh }

// All lists every credential that was ever handed out.
func (k *Keys) All() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append(slices.Clone(k.platform), k.refresh)
}

// renewed takes a new platform token in.
func (k *Keys) renewed(token string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.platform = append(k.platform, token)
}
