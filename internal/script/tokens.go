package script

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// tokenLength is the length of every token. It never varies, so that sizes on the wire tell nothing apart.
const tokenLength = 40

// tokenLetters are letters and digits only: a token is never changed by an escaping, so that a leak is found.
const tokenLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// TokenPlatform is the name that conditions use for the platform token of any user.
const TokenPlatform = "platform"

// owner is on whose behalf a platform token is, and against which platform.
type owner struct{ user, backend string }

// token is what is known of a value that was handed out.
type token struct {
	kind evidence.SecretKind
	name string
	owner
	sessions []string
}

// fresh makes a token that nobody knows yet, and tells the recorder of it. The lock is held.
func (w *World) fresh(t *token, s evidence.Secret) string {
	w.made++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", w.cfg.Nonce, w.cfg.Names, w.made))
	more := sha256.Sum256(sum[:])
	value := make([]byte, tokenLength)
	for i, b := range append(sum[:], more[:]...)[:tokenLength] {
		value[i] = tokenLetters[int(b)%len(tokenLetters)]
	}
	w.tokens[string(value)] = t
	s.Kind, s.User, s.Backend = t.kind, t.user, t.backend
	w.cfg.Recorder.AddSecret(s, string(value))
	return string(value)
}

// PlatformToken is the platform token of a user of a backend: the same at each call, until it is renewed.
func (w *World) PlatformToken(user, backend string) string {
	return w.ofOwner(w.platform, evidence.SecretPlatform, owner{user, backend})
}

// RefreshToken is what a user renews the platform token with.
func (w *World) RefreshToken(user, backend string) string {
	return w.ofOwner(w.refresh, evidence.SecretRefresh, owner{user, backend})
}

func (w *World) ofOwner(held map[owner]string, kind evidence.SecretKind, o owner) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if held[o] == "" {
		held[o] = w.fresh(&token{kind: kind, name: TokenPlatform, owner: o}, evidence.Secret{})
	}
	return held[o]
}

// RenewPlatformToken hands out a new platform token to whoever has a refresh token; for one that the run does not
// know, to the main user. Earlier tokens stay known.
func (w *World) RenewPlatformToken(refresh, backend string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	o := owner{"main", backend}
	if t := w.tokens[refresh]; t != nil && t.kind == evidence.SecretRefresh {
		o = t.owner
	}
	w.platform[o] = w.fresh(&token{kind: evidence.SecretPlatform, name: TokenPlatform, owner: o}, evidence.Secret{})
	if w.cfg.Keys != nil && o == mainOwner() {
		w.cfg.Keys.renewed(w.platform[o])
	}
	return w.platform[o]
}

// mainOwner is whom a subject is told first.
func mainOwner() owner { return owner{user: "main", backend: scenarios.EndpointPlatform} }

// takeKeys makes the session's own credentials those of the run's main user.
func (w *World) takeKeys() {
	if w.cfg.Keys == nil {
		return
	}
	o := mainOwner()
	known := func(kind evidence.SecretKind, value string) {
		w.tokens[value] = &token{kind: kind, name: TokenPlatform, owner: o}
		w.cfg.Recorder.AddSecret(evidence.Secret{Kind: kind, User: o.user, Backend: o.backend}, value)
	}
	w.cfg.Keys.mu.Lock()
	defer w.cfg.Keys.mu.Unlock()
	for _, value := range w.cfg.Keys.platform {
		known(evidence.SecretPlatform, value)
		w.platform[o] = value
	}
	known(evidence.SecretRefresh, w.cfg.Keys.refresh)
	w.refresh[o] = w.cfg.Keys.refresh
}

// RuntimeToken hands out a runtime token for a session, to the user whose platform token the request bears. A name
// gives the same token again; without one it is always fresh.
func (w *World) RuntimeToken(name, session, backend string, asking http.Header) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if value, known := w.named[name]; known && name != "" {
		t := w.tokens[value]
		if !slices.Contains(t.sessions, session) {
			t.sessions = append(t.sessions, session)
		}
		return value
	}
	o := owner{backend: backend}
	if t := w.tokens[bearer(asking)]; t != nil && t.kind == evidence.SecretPlatform {
		o = t.owner
	}
	t := &token{kind: evidence.SecretRuntime, name: name, owner: o, sessions: []string{session}}
	value := w.fresh(t, evidence.Secret{Session: session})
	if name != "" {
		w.named[name] = value
	}
	return value
}

// User is the name of the user whose platform token a request bears: the main user for a token that the run does not know.
func (w *World) User(asking http.Header) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.tokens[bearer(asking)]; t != nil && t.kind == evidence.SecretPlatform {
		return t.user
	}
	return mainOwner().user
}

// isToken tells whether a value is the token of that name.
func (w *World) isToken(value, name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.tokens[value]
	return t != nil && t.name == name && t.kind != evidence.SecretRefresh
}

// tokenNamed is a runtime token that has been handed out under a name.
func (w *World) tokenNamed(name string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	value, ok := w.named[name]
	return value, ok
}

// Tokens lists every token that was handed out, in no order: for tests that look for them where they must not be.
func (w *World) Tokens() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.tokens))
}
