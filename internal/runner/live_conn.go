package runner

import (
	"errors"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// narrowBuffer is how much the system takes in for a server that stops reading, in bytes, about.
const narrowBuffer = 32 << 10

// liveConn is the server's end of a connection over loopback that records what becomes of it, in each run that it
// serves.
type liveConn struct {
	net.Conn

	// forget is called once that the connection is closed by this side.
	forget  func(*liveConn)
	in, out atomic.Int64

	mu    sync.Mutex
	seen  []*sight
	ended string // who ended it, empty while nobody has
}

// sight is a connection as one run sees it.
type sight struct {
	rec     *evidence.Recorder
	conn    *evidence.Conn
	in, out int64 // what had gone over the connection before
}

// join makes the connection known to a run, at the first time, and returns its number there.
func (c *liveConn) join(rec *evidence.Recorder, endpoint string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.seen {
		if s.rec == rec {
			return s.conn.Number()
		}
	}
	s := &sight{rec: rec, conn: rec.Accept(endpoint), in: c.in.Load(), out: c.out.Load()}
	c.seen = append(c.seen, s)
	return s.conn.Number()
}

// leave ends what a run sees of the connection, which may go on without it.
func (c *liveConn) leave(rec *evidence.Recorder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = slices.DeleteFunc(c.seen, func(s *sight) bool {
		if s.rec != rec {
			return false
		}
		c.tell(s, ClosedByRun)
		return true
	})
}

// tell records the end of the connection in a run. The lock is held.
func (c *liveConn) tell(s *sight, by string) {
	s.conn.Transferred(c.in.Load()-s.in, c.out.Load()-s.out)
	s.in, s.out = c.in.Load(), c.out.Load()
	s.conn.Closed(by) // only the first end counts
}

// Number is the connection's number in the evidence of the run that has it for itself.
func (c *liveConn) Number() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seen) == 0 {
		return 0
	}
	return c.seen[0].conn.Number()
}

// take records a connection of one run.
func (n *liveNetwork) take(conn net.Conn, name string) net.Conn {
	if tcp, ok := conn.(*net.TCPConn); ok && n.narrow {
		_ = tcp.SetReadBuffer(narrowBuffer) // where it cannot be had, more is taken in than was wanted
	}
	c := &liveConn{Conn: conn, forget: n.forget}
	c.join(n.rec, name)
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
	c.mu.Lock()
	for _, s := range c.seen {
		c.tell(s, c.ended)
	}
	c.mu.Unlock()
	c.forget(c)
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
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != "" {
		return
	}
	c.ended = by
	for _, s := range c.seen {
		s.conn.Closed(by)
	}
}

// forget takes a connection that has been closed off the list.
func (n *liveNetwork) forget(c *liveConn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.open, c)
}
