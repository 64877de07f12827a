package defects

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// budget is how long a call may take (ADR, Timeouts). The phases are zero where the caller gave a plain number.
type budget struct {
	ends          time.Time
	connect, read time.Duration
}

func (c *call) budgetOf(given evidence.Opt[evidence.Timeout]) (budget, *failure) {
	t := given.Or(evidence.Timeout{Pair: true, Connect: 5, Read: 900})
	if !t.Usable() {
		return budget{}, fail(evidence.InvalidArgument, "the timeout must be a number of seconds above zero, or two of them")
	}
	b := budget{ends: time.Now().Add(duration(t.Sum()))}
	if t.Pair {
		b.connect, b.read = duration(t.Connect), duration(t.Read)
	}
	return b, nil
}

// errSilent is why an exchange ended in which the server said nothing for too long.
var errSilent = errors.New("the server was silent for longer than the read timeout")

// silence ends an exchange in which nothing is heard for a while.
type silence struct {
	limit time.Duration
	end   context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer
	over  bool
}

// heard starts the time anew. It is called when the request is out, and for all that comes back.
func (s *silence) heard() {
	if s == nil || s.limit == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.over:
	case s.timer == nil:
		s.timer = time.AfterFunc(s.limit, func() { s.end(errSilent) })
	default:
		s.timer.Reset(s.limit)
	}
}

func (s *silence) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if s.timer != nil {
		s.timer.Stop()
	}
}

// hearingConn tells the exchange that uses it of each byte that arrives.
type hearingConn struct {
	net.Conn
	exchange atomic.Pointer[silence]
}

// Read implements net.Conn.
func (h *hearingConn) Read(p []byte) (int, error) {
	n, err := h.Conn.Read(p)
	if n > 0 {
		h.exchange.Load().heard()
	}
	return n, err
}

// phase is the key under which a request's context tells how long connecting may take.
type phase struct{}

// dial opens a connection within the connect part of a pair.
func (i *instance) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if limit, _ := ctx.Value(phase{}).(time.Duration); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	conn, err := i.env.Dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &hearingConn{Conn: conn}, nil
}
