package client

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Access is what an admitting answer of the platform gave: where the runtime is,
// and the token for it. Printing one never shows the token or the URL, which may
// carry credentials.
type Access struct {
	// RPCURL is opaque: it is used as it stands, never derived or rewritten.
	RPCURL string
	// Token goes to the origin of RPCURL and to nobody else.
	Token string
	// CanSubmit is the decision that came with the token. A kept token does not
	// outweigh it.
	CanSubmit bool
	// ReceivedAt is when the answer had arrived.
	ReceivedAt time.Time
	// ExpiresAt is the backend's expiry; zero when it gave none.
	ExpiresAt time.Time
}

// String hides the token.
func (a Access) String() string { return "runtime access (token withheld)" }

// Format does the same for every verb of fmt.
func (a Access) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, a.String()) }

// reusable reports whether access of an earlier call may be used now: it admits,
// can be used, and does not end within the safety skew.
func (a Access) reusable(now time.Time) bool {
	if _, err := parseEndpoint(a.RPCURL); err != nil || !usableToken(a.Token) || !a.CanSubmit {
		return false
	}
	if !a.ExpiresAt.IsZero() {
		return now.Before(a.ExpiresAt.Add(-expirySkew))
	}
	age := now.Sub(a.ReceivedAt)
	return age >= 0 && age < fallbackTTL
}

// usableToken reports whether text can be a Bearer: visible ASCII, so that it
// can neither be empty nor end the header line.
func usableToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// readExpiry reads an ISO-8601 time; one without an offset is UTC.
func readExpiry(text string) (time.Time, bool) {
	layouts := []string{
		"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05",
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	}
	text = strings.Replace(strings.TrimSpace(text), " ", "T", 1)
	for _, layout := range layouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
