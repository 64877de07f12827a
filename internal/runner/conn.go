package runner

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// link is what the two sides of a connection share.
type link struct {
	network        *Network
	number         int
	client, server *Conn
	opened         chan struct{}
	left           chan struct{} // closed when the client has closed its side

	mu       sync.Mutex
	closedBy string // the side that closed first; empty while open
	reset    bool   // that side did it with a reset
	busy     int    // reads and writes of the server under way: the byte counts are final without any
	told     bool   // the observer knows the end
	in, out  int64
}

func newLink(n *Network, number int, addr address) *link {
	k := &link{network: n, number: number, opened: make(chan struct{}), left: make(chan struct{})}
	client, server := net.Pipe()
	from := address(fmt.Sprintf("client.test:%d", number))
	k.client = &Conn{link: k, pipe: client, local: from, remote: addr, side: ClosedByClient}
	k.server = &Conn{link: k, pipe: server, local: addr, remote: from, side: ClosedByServer}
	return k
}

// open tells that the server has the connection, then lets the client have it.
func (k *link) open() {
	k.network.observe.Opened(k.number)
	k.network.mu.Lock()
	k.network.open[k] = struct{}{}
	late := k.network.closed
	k.network.mu.Unlock()
	if late {
		k.server.end(ClosedByRun, false)
	}
	close(k.opened)
}

// account notes an operation of the server that begins (busy 1) or ends (-1), and
// tells the observer once the connection is closed and its counts are final.
func (k *link) account(busy int, in, out int64) {
	k.mu.Lock()
	k.busy += busy
	k.in += in
	k.out += out
	tell := k.closedBy != "" && k.busy == 0 && !k.told
	k.told = k.told || tell
	by, allIn, allOut := k.closedBy, k.in, k.out
	k.mu.Unlock()
	if !tell {
		return
	}
	k.network.mu.Lock()
	delete(k.network.open, k)
	k.network.mu.Unlock()
	k.network.observe.Closed(k.number, by, allIn, allOut)
}

// Conn is one side of a connection in memory. Its deadlines are those of net.Pipe.
type Conn struct {
	link          *link
	pipe          net.Conn
	local, remote address
	side          string
	closed        bool // by this side; under link.mu
}

// Number is the connection's number in the evidence. An http.Server learns it in
// ConnContext, which is given the server's side.
func (c *Conn) Number() int { return c.link.number }

// LocalAddr is the host:port of this side.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr is the host:port of the other side.
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// Read reads what the other side writes. After its Close the error is io.EOF,
// after its Reset a *net.OpError around syscall.ECONNRESET.
func (c *Conn) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil // a net.Pipe would wait for a byte
	}
	c.account(1, 0, 0)
	read, err := c.pipe.Read(b)
	c.account(-1, read, 0)
	return read, c.fault("read", err)
}

// Write returns once the other side has read everything, or with a *net.OpError:
// around syscall.EPIPE after its Close, syscall.ECONNRESET after its Reset.
func (c *Conn) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil // a net.Pipe would wait for a reader
	}
	c.account(1, 0, 0)
	written, err := c.pipe.Write(b)
	c.account(-1, 0, written)
	return written, c.fault("write", err)
}

// Close ends both directions, as a TCP close does with nothing left to send.
func (c *Conn) Close() error {
	c.end(c.side, false)
	return nil
}

// Reset closes the connection so that the other side meets ECONNRESET, as a TCP
// RST does.
func (c *Conn) Reset() error {
	c.end(c.side, true)
	return nil
}

// PeerClosed is closed once the client has closed its side: a server that does not read would not learn it otherwise.
func (c *Conn) PeerClosed() <-chan struct{} { return c.link.left }

// SetDeadline sets both deadlines; see net.Conn.
func (c *Conn) SetDeadline(t time.Time) error { return c.fault("set", c.pipe.SetDeadline(t)) }

// SetReadDeadline sets the deadline of reads; see net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.fault("set", c.pipe.SetReadDeadline(t)) }

// SetWriteDeadline sets the deadline of writes; see net.Conn.
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.fault("set", c.pipe.SetWriteDeadline(t)) }

// account counts for the server's side alone: the client's counts are the same,
// but may come late when one of its goroutines closes while another writes.
func (c *Conn) account(busy, in, out int) {
	if c == c.link.server {
		c.link.account(busy, int64(in), int64(out))
	}
}

// end closes this side in the name of by; only the first end of a link counts.
func (c *Conn) end(by string, reset bool) {
	k := c.link
	k.mu.Lock()
	if c == k.client && !c.closed {
		close(k.left)
	}
	c.closed = true
	if k.closedBy == "" {
		k.closedBy, k.reset = by, reset
	}
	k.mu.Unlock()
	_ = c.pipe.Close() // always nil
	k.account(0, 0, 0)
}

// fault turns an error of net.Pipe into what TCP would have given.
func (c *Conn) fault(op string, err error) error {
	if err == nil {
		return nil
	}
	c.link.mu.Lock()
	closed, reset := c.closed, c.link.reset
	c.link.mu.Unlock()
	var cause error
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		cause = os.ErrDeadlineExceeded
	case closed:
		cause = net.ErrClosed
	case op == "set":
		return nil // the other side is gone, which TCP tells only when reading or writing
	case reset:
		cause = os.NewSyscallError(op, syscall.ECONNRESET)
	case op == "read":
		return io.EOF
	default:
		cause = os.NewSyscallError(op, syscall.EPIPE)
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: cause}
}
