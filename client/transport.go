package client

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
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

// exchange is one POST to be made.
type exchange struct {
	server string // "platform" or "runtime", for errors
	to     endpoint
	path   string // joined to the endpoint's prefix
	token  string
	fields []string // further header lines, without their ends
	body   []byte
}

// head is the request up to its body. There is no Accept-Encoding: an answer in
// a content coding was not asked for.
func (x exchange) head() []byte {
	lines := append([]string{
		"POST " + x.to.prefix + x.path + " HTTP/1.1",
		"Host: " + x.to.header,
		"User-Agent: a2a-reference-client",
		"Authorization: Bearer " + x.token,
		fmt.Sprintf("Content-Length: %d", len(x.body)),
		"Connection: close",
	}, x.fields...)
	return []byte(strings.Join(lines, "\r\n") + "\r\n\r\n")
}

// post sends the exchange and returns its answer as soon as the head is there.
// The caller closes the answer. Errors are *TimeoutError, *TransportError, or
// the caller's own end.
func (w wire) post(b *budget, x exchange) (*answer, error) {
	if err := b.over(); err != nil {
		return nil, err
	}
	line, err := w.connect(b, x)
	if err != nil {
		return nil, err
	}
	line.send(x)
	head, err := line.readHead()
	if err != nil {
		err = b.readFault(x.server, "waiting for its answer", err)
		line.close()
		return nil, err
	}
	return &answer{server: x.server, status: head.StatusCode, header: head.Header, body: head.Body, budget: b, line: line}, nil
}

// connect establishes a connection, TLS included, within the connect phase.
func (w wire) connect(b *budget, x exchange) (*line, error) {
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

// line is a connection for one exchange. It owns two goroutines, the writer and
// the one that closes the connection when the budget ends; close ends both and
// waits for them.
type line struct {
	quiet   *patientConn
	stream  net.Conn
	meter   *meter
	reader  *bufio.Reader
	written chan struct{} // closed when the writer has ended; nil before send
	unwatch func()
}

func newLine(ctx context.Context, quiet *patientConn, stream net.Conn) *line {
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		_ = quiet.Conn.Close() // wakes whoever reads or writes; they report why
	})
	meter := &meter{from: stream}
	return &line{
		quiet:  quiet,
		stream: stream,
		meter:  meter,
		reader: bufio.NewReader(meter),
		unwatch: func() {
			if !stop() {
				<-ended
			}
		},
	}
}

// send writes the request in a goroutine of its own, because a server may answer
// before it has read everything, or read nothing and never answer. A failed
// write is not reported: what the server said, or its silence, tells more.
func (l *line) send(x exchange) {
	l.written = make(chan struct{})
	go func() {
		defer close(l.written)
		defer l.quiet.listen()
		if _, err := l.stream.Write(x.head()); err != nil {
			return
		}
		_, _ = l.stream.Write(x.body)
	}()
}

// close ends the connection. It goes below TLS, whose own Close may wait for a
// peer that has stopped reading.
func (l *line) close() {
	l.unwatch()
	_ = l.quiet.Conn.Close() // nothing more is wanted from it
	if l.written != nil {
		<-l.written
	}
}

// readHead reads heads until a final one, so any number of 1xx passes by, for as
// long as the budget lasts. 101 is final: no other protocol was offered.
func (l *line) readHead() (*http.Response, error) {
	for {
		l.meter.left = maxHeadBytes
		head, err := http.ReadResponse(l.reader, nil)
		if err != nil {
			return nil, l.headFault(err)
		}
		if head.StatusCode == http.StatusSwitchingProtocols || head.StatusCode/100 != 1 {
			l.meter.left = -1
			return head, nil
		}
	}
}

// headFault keeps the server's bytes out of the error: net/http quotes what it
// could not read, which may repeat a token.
func (l *line) headFault(err error) error {
	switch {
	case l.meter.err == nil:
		return errors.New("the head of the answer is not HTTP/1.1")
	case errors.Is(l.meter.err, io.EOF):
		return errors.New("the connection was closed before the head of an answer was complete")
	case errors.Is(err, l.meter.err):
		return err
	default:
		return l.meter.err
	}
}

// errHeadTooLong is reported by a meter.
var errHeadTooLong = fmt.Errorf("the head of the answer exceeds %d bytes", maxHeadBytes)

// meter bounds what is read for one head, and remembers how reading ended.
type meter struct {
	from io.Reader
	left int // bytes; negative: no bound
	err  error
}

func (m *meter) Read(p []byte) (int, error) {
	if m.left == 0 {
		m.err = errHeadTooLong
		return 0, m.err
	}
	if m.left > 0 && len(p) > m.left {
		p = p[:m.left]
	}
	n, err := m.from.Read(p)
	if m.left > 0 {
		m.left -= n
	}
	m.err = err
	return n, err
}

// patientConn bounds the longest silence while an answer is awaited or read. It
// sits below TLS, so that it sees bytes and not records. While the request is
// still on its way out nobody is silent, and only the total counts.
type patientConn struct {
	net.Conn
	silence   time.Duration // zero: no bound
	listening atomic.Bool
}

// listen starts the bound, also for a Read that is already waiting.
func (c *patientConn) listen() {
	c.listening.Store(true)
	_ = c.bound() // a connection without deadlines fails in Read
}

func (c *patientConn) bound() error {
	if c.silence == 0 || !c.listening.Load() {
		return nil
	}
	return c.SetReadDeadline(time.Now().Add(c.silence))
}

// Read reads within the bound.
func (c *patientConn) Read(p []byte) (int, error) {
	if err := c.bound(); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// answer is what a server said, its body not yet read.
type answer struct {
	server string
	status int
	header http.Header
	body   io.ReadCloser
	budget *budget
	line   *line
}

// close ends the exchange, whether or not the body was read.
func (a *answer) close() { a.line.close() }

// read returns the whole body, or why it is not whole.
func (a *answer) read() ([]byte, error) {
	var body bytes.Buffer
	n, err := body.ReadFrom(io.LimitReader(a.body, MaxAnswerBytes+1))
	if err != nil {
		return nil, a.budget.readFault(a.server, "reading its answer", err)
	}
	if n > MaxAnswerBytes {
		return nil, &InvalidResponseError{Server: a.server, Status: a.status, Problems: []string{
			fmt.Sprintf("its body exceeds %d bytes", MaxAnswerBytes),
		}}
	}
	return body.Bytes(), nil
}
