package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

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
		_ = quiet.Close() // wakes whoever reads or writes; they report why
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
	_ = l.quiet.Close() // nothing more is wanted from it
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
			return nil, l.headFault()
		}
		if head.StatusCode == http.StatusSwitchingProtocols || head.StatusCode/100 != 1 {
			l.meter.left = -1
			return head, nil
		}
	}
}

// headFault keeps the server's bytes out of the error: net/http quotes what it
// could not read, which may repeat a token.
func (l *line) headFault() error {
	switch {
	case l.meter.err == nil:
		return errors.New("the head of the answer is not HTTP/1.1")
	case errors.Is(l.meter.err, io.EOF):
		return errors.New("the connection was closed before the head of an answer was complete")
	default:
		return l.meter.err
	}
}

// errHeadTooLong is reported by a meter.
var errHeadTooLong = fmt.Errorf("the head of the answer exceeds %d bytes", maxHeadBytes)

// ask sends the exchange and returns its answer as soon as the head is there.
// Errors are those of connect, and then the line is closed; otherwise the caller
// closes the answer.
func (l *line) ask(b *budget, x exchange) (*answer, error) {
	l.send(x)
	head, err := l.readHead() //nolint:bodyclose // a body ends with its line, which the caller closes
	if err != nil {
		err = b.readFault(x.server, "waiting for its answer", err)
		l.close()
		return nil, err
	}
	return &answer{server: x.server, status: head.StatusCode, header: head.Header, body: head.Body, budget: b, line: l}, nil
}

// meter bounds what is read for one head, and remembers how reading ended.
type meter struct {
	from io.Reader
	left int // bytes; negative: no bound
	err  error
}

// Read reads up to the bound. The first error is the last word: net/http asks
// again after one in the middle of a head, which would begin a silence anew.
func (m *meter) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
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
