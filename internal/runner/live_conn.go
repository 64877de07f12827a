package runner

import (
	"errors"
	"net"
	"os"
	"sync/atomic"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// narrowBuffer is how much the system takes in for a server that stops reading, in bytes, about.
const narrowBuffer = 32 << 10

// liveConn is the server's end of a connection over loopback that records what becomes of it.
type liveConn struct {
	net.Conn

	network *liveNetwork
	seen    *evidence.Conn
	in, out atomic.Int64
	ended   atomic.Bool // it is on record who ended it
}

// take records a connection.
func (n *liveNetwork) take(conn net.Conn, name string) net.Conn {
	if tcp, ok := conn.(*net.TCPConn); ok && n.narrow {
		_ = tcp.SetReadBuffer(narrowBuffer) // where it cannot be had, more is taken in than was wanted
	}
	c := &liveConn{Conn: conn, network: n, seen: n.rec.Accept(name)}
	n.mu.Lock()
	n.open[c] = struct{}{}
	late := n.closed
	n.mu.Unlock()
	if late {
		c.end(ClosedByRun)
		_ = conn.Close()
	}
	return c
}

// Number is the connection's number in the evidence.
func (c *liveConn) Number() int { return c.seen.Number() }

// Read implements net.Conn. Whatever ends it but this side or a deadline is the client's doing.
func (c *liveConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.in.Add(int64(n))
	c.failed(err)
	return n, err
}

// Write implements net.Conn.
func (c *liveConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.out.Add(int64(n))
	c.failed(err)
	return n, err
}

func (c *liveConn) failed(err error) {
	if err != nil && !errors.Is(err, net.ErrClosed) && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.end(ClosedByClient)
	}
}

// CloseWrite says that nothing more is sent, which net/http does before it closes.
func (c *liveConn) CloseWrite() error {
	c.end(ClosedByServer)
	if tcp, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// Close implements net.Conn.
func (c *liveConn) Close() error {
	c.end(ClosedByServer)
	c.network.forget(c)
	return c.Conn.Close()
}

// Reset closes the connection so that the client meets ECONNRESET.
func (c *liveConn) Reset() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // fails for a connection that is gone already
	}
	return c.Close()
}

// end records who ended the connection; only the first counts.
func (c *liveConn) end(by string) {
	if c.ended.CompareAndSwap(false, true) {
		c.seen.Closed(by)
	}
}

// forget takes a connection that has been closed off the list, and records what went over it.
func (n *liveNetwork) forget(c *liveConn) {
	n.mu.Lock()
	_, there := n.open[c]
	delete(n.open, c)
	n.mu.Unlock()
	if there {
		c.seen.Transferred(c.in.Load(), c.out.Load())
	}
}
