package defects

import (
	"context"
	"errors"
	"math"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// budget is how long a call may take (ADR, Timeouts). The phases are zero where the caller gave a plain number.
type budget struct {
	began, ends   time.Time
	connect, read time.Duration
}

func (c *call) budgetOf(given evidence.Opt[evidence.Timeout]) (budget, *failure) {
	t, some := given.Get()
	if !some || c.unset(t) {
		t = c.usual()
	}
	if !t.Usable() && !(math.IsInf(t.Sum(), 1) && c.has("endless-timeout-taken")) {
		return budget{}, fail(evidence.InvalidArgument, "the timeout must be a number of seconds above zero, or two of them")
	}
	b := budget{began: time.Now(), ends: time.Now().Add(c.total(t))}
	if t.Pair {
		b.connect, b.read = duration(t.Connect), duration(t.Read)
	}
	switch {
	case c.op == evidence.OpGetTask && c.has("phases-of-a-get-ignored"),
		c.op == evidence.OpCancelTask && c.has("phases-of-a-cancel-ignored"):
		b.connect, b.read = 0, 0
	case b.connect > 0 && c.has("connect-phase-ignored"):
		b.connect = 0
	case !some && c.has("default-connects-without-end"):
		b.connect = 0
	case c.has("silent-for-a-minute-at-most"):
		b.read = time.Minute
	}
	return b, nil
}

// usual is the timeout of a call that was given none.
func (c *call) usual() evidence.Timeout {
	switch {
	case c.op == evidence.OpGetTask && c.has("get-of-a-minute-by-default"),
		c.op == evidence.OpCancelTask && c.has("cancel-of-a-minute-by-default"):
		return evidence.Timeout{Pair: true, Connect: 5, Read: 60}
	case c.op == evidence.OpGetTask && c.has("get-of-an-hour-by-default"),
		c.op == evidence.OpCancelTask && c.has("cancel-of-an-hour-by-default"):
		return evidence.Timeout{Pair: true, Connect: 5, Read: 3600}
	case c.has("default-of-a-minute"):
		return evidence.Timeout{Total: 60}
	case c.has("default-of-an-hour"):
		return evidence.Timeout{Pair: true, Connect: 5, Read: 3600}
	case c.has("default-of-900-in-all"):
		return evidence.Timeout{Total: 900}
	}
	return evidence.Timeout{Pair: true, Connect: 5, Read: 900}
}

// unset tells whether a timeout that is none stands for the usual one: it does not.
func (c *call) unset(t evidence.Timeout) bool {
	return t.Sum() == 0 && c.has("zero-timeout-is-none") || t.Sum() < 0 && c.has("negative-timeout-is-none") ||
		math.IsNaN(t.Sum()) && c.has("nan-timeout-is-none")
}

// total is how long the whole call may take.
func (c *call) total(t evidence.Timeout) time.Duration {
	sum := duration(t.Sum())
	switch {
	case !t.Pair && c.op == evidence.OpGetTask && c.has("number-is-no-total-for-a-get"),
		!t.Pair && c.op == evidence.OpCancelTask && c.has("number-is-no-total-for-a-cancel"):
		return duration(math.Inf(1))
	case c.op == evidence.OpGetTask && c.has("get-ends-a-second-late"),
		c.op == evidence.OpCancelTask && c.has("cancel-ends-a-second-late"):
		return sum + time.Second
	case c.op == evidence.OpGetTask && c.has("get-ends-early"),
		c.op == evidence.OpCancelTask && c.has("cancel-ends-early"):
		return sum * 7 / 10
	case !t.Pair && c.has("number-has-no-total"):
		return duration(math.Inf(1))
	case sum > timerReach && c.has("budgets-beyond-a-timer-end-at-once"):
		return time.Millisecond
	case c.has("ends-a-second-late"):
		return sum + time.Second
	case math.Ceil(t.Sum()) != t.Sum() && c.has("timeout-in-whole-seconds"):
		return duration(math.Ceil(t.Sum()))
	case c.has("ends-early"):
		return sum * 7 / 10
	case t.Pair && c.has("pair-has-no-total"):
		return duration(math.Inf(1))
	case t.Pair && c.has("pair-ends-with-its-read-part"):
		return duration(t.Read)
	case sum < 90*time.Second && c.has("waits-for-the-limit-at-least"):
		return 90 * time.Second
	}
	return sum
}

// extend gives a call more time than it has.
func (c *call) extend(d time.Duration) {
	c.cancel()
	c.budget.ends = c.budget.ends.Add(d)
	c.ctx, c.cancel = context.WithDeadline(c.caller, c.budget.ends)
}

// errSilent is why an exchange ended in which the server said nothing for too long.
var errSilent = errors.New("the server was silent for longer than the read timeout")

// silence ends an exchange in which nothing is heard for a while.
type silence struct {
	plain

	limit time.Duration
	end   context.CancelCauseFunc

	mu    sync.Mutex
	timer *time.Timer
	over  bool
	head  bool // it has come
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
		s.timer = time.AfterFunc(s.limit, s.lasted)
	default:
		s.timer.Reset(s.limit)
	}
}

// headed is called when the head has come.
func (s *silence) headed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.head = true
}

// lasted ends the exchange, when nothing was heard for so long.
func (s *silence) lasted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.has("read-phase-ignored") || s.head && s.has("read-phase-ends-with-the-head") {
		return
	}
	s.end(errSilent)
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
