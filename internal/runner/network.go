package runner

import (
	"context"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Who closed a connection.
const (
	ClosedByClient = "client"
	ClosedByServer = "server"
	ClosedByRun    = "run"
)

// Observer is told what becomes of each connection of a Network, at the moment
// at which it happens and from whatever goroutine does it.
type Observer interface {
	// Attempted is told of a dial before it is answered, also of one that will be
	// refused or left hanging, and gives the connection its number.
	Attempted(addr string) (number int)
	// Opened is told once that the server has the connection.
	Opened(number int)
	// Closed is told once of an opened connection, after its last byte: which side
	// closed first, and the bytes that the server received and sent.
	Closed(number int, by string, in, out int64)
}

// Network maps host:port names to listeners that live in memory. On virtual time
// it belongs to one bubble: made, used and closed inside of it. Its connections
// hold no bytes: what a side wrote is what the other side has read.
type Network struct {
	observe Observer

	mu        sync.Mutex
	closed    bool
	listeners map[string]*listener // by name in lower case
	open      map[*link]struct{}
}

// NewNetwork makes a network where every name refuses connections.
func NewNetwork(observe Observer) *Network {
	return &Network{observe: observe, listeners: map[string]*listener{}, open: map[*link]struct{}{}}
}

// Listen makes addr ("platform.test:80") known, in place of an earlier listener
// of that name. Where accepts is refuse or hang, no connection ever arrives.
func (n *Network) Listen(addr string, accepts evidence.Accepts) net.Listener {
	l := &listener{network: n, addr: address(addr), accepts: accepts, queue: make(chan *Conn), done: make(chan struct{})}
	name := strings.ToLower(addr)
	n.mu.Lock()
	defer n.mu.Unlock()
	if earlier := n.listeners[name]; earlier != nil {
		earlier.shut()
	}
	n.listeners[name] = l
	return l
}

// Dial connects to a name, as DialContext of an http.Transport. Errors are those
// of a net.Dialer: *net.OpError, around syscall.ECONNREFUSED where nobody listens
// and around the context's error (a timeout, if it is the deadline's) where a
// listener leaves clients hanging.
func (n *Network) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	fail := func(err error) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: network, Addr: address(addr), Err: err}
	}
	if err := ctx.Err(); err != nil {
		return fail(err)
	}
	number := n.observe.Attempted(addr)
	n.mu.Lock()
	l := n.listeners[strings.ToLower(addr)]
	n.mu.Unlock()
	if l == nil || l.accepts == evidence.AcceptsRefuse {
		return fail(os.NewSyscallError("connect", syscall.ECONNREFUSED))
	}
	k := newLink(n, number, l.addr)
	queue := l.queue
	if l.accepts == evidence.AcceptsHang {
		queue = nil
	}
	select {
	case queue <- k.server:
		<-k.opened // so that nothing of the connection is seen before its opening
		return k.client, nil
	case <-l.done:
		return fail(os.NewSyscallError("connect", syscall.ECONNREFUSED))
	case <-ctx.Done():
		return fail(ctx.Err())
	}
}

// Close ends the run's network: no name listens, and connections that are still
// open are closed from the server's side, by the run.
func (n *Network) Close() error {
	n.mu.Lock()
	n.closed = true
	listeners, open := n.listeners, slices.Collect(maps.Keys(n.open)) // a copy: each end removes itself
	n.listeners = map[string]*listener{}
	n.mu.Unlock()
	for _, l := range listeners {
		l.shut()
	}
	for _, k := range open {
		k.server.end(ClosedByRun, false)
	}
	return nil
}

// address is a host:port that was never resolved.
type address string

// Network implements net.Addr.
func (a address) Network() string { return "tcp" }

// String implements net.Addr.
func (a address) String() string { return string(a) }

// listener is one name of a network.
type listener struct {
	network *Network
	addr    address
	accepts evidence.Accepts
	queue   chan *Conn
	done    chan struct{}
	once    sync.Once
}

// Addr is the name that the listener was given.
func (l *listener) Addr() net.Addr { return l.addr }

// Accept gives the next connection, or net.ErrClosed after Close.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.queue:
		c.link.open()
		return c, nil
	case <-l.done:
		return nil, &net.OpError{Op: "accept", Net: "tcp", Addr: l.addr, Err: net.ErrClosed}
	}
}

// Close frees the name. Connections that were accepted stay, as with TCP.
func (l *listener) Close() error {
	l.network.mu.Lock()
	if name := strings.ToLower(l.addr.String()); l.network.listeners[name] == l {
		delete(l.network.listeners, name)
	}
	l.network.mu.Unlock()
	l.shut()
	return nil
}

func (l *listener) shut() { l.once.Do(func() { close(l.done) }) }
