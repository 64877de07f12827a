package client

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// The requests are written here by hand rather than by http.Transport, because
// the contract is about what goes over the wire: one connection, one request and
// one answer, the target byte for byte as given, no redirect followed, no
// proxy, cookie or netrc consulted, and nothing ever sent again by a layer below
// that does not know what may be repeated.

const (
	// maxHeadBytes bounds one head of an answer.
	maxHeadBytes = 1 << 20
	// MaxAnswerBytes bounds the body of an answer.
	MaxAnswerBytes = 64 << 20
)

// wire makes exchanges.
type wire struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)
	tls  *tls.Config
}

// exchange is one request to be made.
type exchange struct {
	method string // GET, which goes without a body, or POST
	server string // "platform" or "runtime", for errors
	to     endpoint
	path   string   // joined to the endpoint's prefix
	token  string   // "" for a request without credentials
	fields []string // further header lines, without their ends
	body   []byte
}

// head is the request up to its body. There is no Accept-Encoding: an answer in
// a content coding was not asked for.
func (x exchange) head() []byte {
	lines := []string{
		x.method + " " + x.to.prefix + x.path + " HTTP/1.1",
		"Host: " + x.to.header,
		"User-Agent: a2a-reference-client",
	}
	if x.token != "" {
		lines = append(lines, "Authorization: Bearer "+x.token)
	}
	if x.method != http.MethodGet {
		lines = append(lines, fmt.Sprintf("Content-Length: %d", len(x.body)))
	}
	lines = append(append(lines, "Connection: close"), x.fields...)
	return []byte(strings.Join(lines, "\r\n") + "\r\n\r\n")
}

// connect establishes a connection for the exchange, TLS included, within the
// connect phase. Errors are *TimeoutError, *TransportError, or the caller's own
// end.
func (w wire) connect(b *budget, x exchange) (*line, error) {
	if err := b.over(); err != nil {
		return nil, err
	}
	ctx, cancel := b.connecting()
	defer cancel()
	raw, err := w.dial(ctx, "tcp", x.to.address)
	if err != nil {
		return nil, b.connectFault(ctx, x.server, err)
	}
	quiet := &patientConn{Conn: raw, silence: b.read}
	var stream net.Conn = quiet
	if x.to.secure {
		secured := tls.Client(quiet, w.tlsConfig(x.to.host))
		if err := secured.HandshakeContext(ctx); err != nil {
			_ = raw.Close() // it was never usable
			return nil, b.connectFault(ctx, x.server, err)
		}
		stream = secured
	}
	return newLine(b.ctx, quiet, stream), nil
}

func (w wire) tlsConfig(host string) *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if w.tls != nil {
		config = w.tls.Clone()
	}
	config.ServerName = host
	config.NextProtos = []string{"http/1.1"}
	return config
}
