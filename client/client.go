// Package client is the reference client of the contract in ADR 0029: it sends
// one message to an existing agent session and returns the Agent's answer, or
// the Task by which longer work is followed.
//
// Read it in the order in which a call runs: Send in send.go builds the body
// (body.go), finds runtime access (call.go, access.go, resolve.go,
// admission.go), posts the message (transport.go, line.go) and reads the answer
// (answer.go, message.go, task.go, strict.go). One deadline governs all of it
// (budget.go). A Task needs discovery first (discovery.go) and is followed by
// follow.go and wait.go. What asks the platform renews its token there
// (platform.go, renewal.go). The Example tests are a tutorial.
//
// What belongs here is what a caller of the contract needs. Scripted servers,
// recordings, rules and anything else of the harness do not: this package
// imports nothing of ours, so that others can import it alone.
package client

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/google/uuid"
)

// Config says how a Client reaches the platform. Nothing is taken from the
// surroundings: no proxy variable, no netrc file, no cookie.
type Config struct {
	// PlatformURL is the platform's base URL, http or https, with or without a
	// path prefix. Required.
	PlatformURL string
	// PlatformToken is sent to the platform, and to nobody else, as a Bearer.
	// Required.
	PlatformToken string
	// RefreshToken buys a new PlatformToken when the platform answers 401, or when
	// the token is a JWT that expires within a minute; at most once in a call. It
	// is sent to the platform, and to nobody else. Empty: the token is not renewed.
	RefreshToken string
	// User names the person whom the token belongs to, as a part of the cache
	// key. Empty: a fingerprint of the token, which is right but forgets cached
	// access when the token is renewed.
	User string
	// DialContext opens connections; it must end when its context does. Nil:
	// a net.Dialer.
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)
	// TLS is the base configuration of https connections. Nil: the system's
	// certificate authorities.
	TLS *tls.Config
	// NewMessageID makes the id of a message whose caller gave none. It must
	// answer differently every time. Nil: "msg-" and a random UUID.
	NewMessageID func() string
	// Cache keeps runtime access between calls. Nil: in memory, for this Client
	// alone.
	Cache AccessCache
}

// Client sends messages and follows Tasks. It is safe for concurrent use, starts nothing in the
// background, and every call opens and closes its own connections.
type Client struct {
	platform     endpoint
	credentials  *credentials
	key          AccessKey // all but the session
	wire         wire
	newMessageID func() string
	cache        AccessCache
	own          *memoryCache // the cache that Close empties; nil when the caller brought one
}

// New makes a Client, or returns an *InvalidArgumentError with every problem of
// the configuration.
func New(config Config) (*Client, error) {
	var found problems
	platform, err := parseEndpoint(config.PlatformURL)
	if err != nil {
		found.addf("PlatformURL: %v", err)
	} else if platform.userinfo {
		found.addf("PlatformURL: credentials in it are not used; remove them and give PlatformToken")
	}
	if !usableToken(config.PlatformToken) {
		found.addf("PlatformToken: must be one or more visible ASCII characters")
	}
	if config.RefreshToken != "" && !usableToken(config.RefreshToken) {
		found.addf("RefreshToken: must be visible ASCII characters, or empty where there is none")
	}
	if len(found) > 0 {
		return nil, &InvalidArgumentError{Problems: found}
	}

	c := &Client{
		platform:     platform,
		credentials:  newCredentials(config.PlatformToken, config.RefreshToken),
		key:          AccessKey{Backend: platform.String(), User: config.User},
		wire:         wire{dial: config.DialContext, tls: config.TLS},
		newMessageID: config.NewMessageID,
		cache:        config.Cache,
	}
	if c.key.User == "" {
		c.key.User = fingerprint(config.PlatformToken)
	}
	if c.wire.dial == nil {
		c.wire.dial = new(net.Dialer).DialContext
	}
	if c.newMessageID == nil {
		c.newMessageID = func() string { return "msg-" + uuid.NewString() }
	}
	if c.cache == nil {
		c.own = newMemoryCache()
		c.cache = c.own
	}
	return c, nil
}

// Close forgets the runtime access that the Client's own cache holds; a cache
// given by the caller is left alone. There is no idle connection to close, since
// each request has its own. The error is always nil.
func (c *Client) Close() error {
	if c.own != nil {
		c.own.empty()
	}
	return nil
}
