package runner

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// loopback is where all servers of a run on real time listen, on a port that the system chooses, and everywhere where
// they listen for a subject that is not on this machine.
const (
	loopback   = "127.0.0.1:0"
	everywhere = ":0"
)

// liveNetwork is the loopback network of one run: a port for each of its servers.
type liveNetwork struct {
	ground *live
	rec    *evidence.Recorder
	// narrow keeps the buffers of the servers small: some of them stop reading.
	narrow bool
	// at is the address of the server that is opened next; empty for a port that the system chooses.
	at string

	mu     sync.Mutex
	closed bool
	held   []io.Closer            // what keeps ports
	open   map[*liveConn]struct{} // what was accepted and has not been closed
}

func (l *live) network(c scenarios.Case, rec *evidence.Recorder) network {
	return &liveNetwork{ground: l, rec: rec, narrow: uploads(c), open: map[*liveConn]struct{}{}}
}

// uploads tells whether a server of a case reads requests slowly, or not to their end.
func uploads(c scenarios.Case) bool {
	for _, steps := range c.When {
		for _, step := range steps {
			if step.Wire.Upload != nil {
				return true
			}
		}
	}
	return false
}

// listen implements network. Servers of the runtime's side and elsewhere get a path of their own where the scenario
// gives them none: an rpc_url is opaque, and a client that puts one together by itself is then found out.
func (n *liveNetwork) listen(e scenarios.Endpoint) (script.Place, net.Listener, error) {
	if b := n.ground.board; b != nil && e.Name == scenarios.EndpointPlatform {
		return script.Place{Endpoint: e, Origin: b.origin}, boardDoor{board: b}, nil
	}
	if e.Prefix == "" && e.Side != evidence.SidePlatform {
		e.Prefix = "/" + strings.ToLower(rand.Text()[:8])
	}
	var addr net.Addr
	var door net.Listener
	var err error
	switch e.Accepts {
	case evidence.AcceptsRefuse:
		addr, err = n.refuse()
	case evidence.AcceptsHang:
		addr, err = n.hang()
	default:
		door, err = n.accept(e.Name)
		if err == nil {
			addr = door.Addr()
		}
	}
	if err != nil {
		return script.Place{}, nil, fmt.Errorf("open the server %s on the loopback network: %w", e.Name, err)
	}
	return script.Place{Endpoint: e, Origin: n.ground.origin(addr)}, door, nil
}

func (n *liveNetwork) accept(name string) (net.Listener, error) {
	l, err := n.bind()
	if err != nil {
		return nil, err
	}
	return &liveListener{Listener: l, network: n, name: name}, nil
}

// bind takes a port.
func (n *liveNetwork) bind() (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", cmp.Or(n.at, n.ground.bindAddress())) //nolint:forbidigo // binding a port of this machine waits for nobody
	if err == nil {
		n.hold(l)
	}
	return l, err
}

// refuse finds a port where nobody listens, and keeps it so: it is taken by the client's end of a connection. A port
// that was merely given back could become another server's while the run goes on.
func (n *liveNetwork) refuse() (net.Addr, error) {
	l, err := n.bind()
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Close() }()
	client, err := n.connect(l)
	if err != nil {
		return nil, err
	}
	server, err := l.Accept()
	if err != nil {
		return nil, err
	}
	n.hold(server)
	return client.LocalAddr(), nil
}

// hang finds a port where connecting never comes to an end.
func (n *liveNetwork) hang() (net.Addr, error) {
	l, err := n.bind()
	if err != nil {
		return nil, err
	}
	if err := acceptNone(l); err != nil {
		return nil, err
	}
	if _, err := n.connect(l); err != nil { // takes the one place of the queue
		return nil, err
	}
	return l.Addr(), nil
}

func (n *liveNetwork) connect(l net.Listener) (net.Conn, error) {
	c, err := new(net.Dialer).Dial("tcp", l.Addr().String())
	if err == nil {
		n.hold(c)
	}
	return c, err
}

// hold keeps something until the network is closed.
func (n *liveNetwork) hold(c io.Closer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.held = append(n.held, c)
}

// dial implements network: a client finds its way by itself.
func (*liveNetwork) dial() func(context.Context, string, string) (net.Conn, error) { return nil }

// close implements network.
func (n *liveNetwork) close() {
	n.mu.Lock()
	n.closed = true
	held := n.held
	open := make([]*liveConn, 0, len(n.open))
	for c := range n.open {
		open = append(open, c)
	}
	n.held = nil
	n.mu.Unlock()
	for _, c := range held {
		_ = c.Close() // there is nothing that an error could be told to
	}
	for _, c := range open {
		c.end(ClosedByRun)
		_ = c.Conn.Close()
	}
}

// liveListener records the connections that it accepts.
type liveListener struct {
	net.Listener

	network *liveNetwork
	name    string
}

// Accept implements net.Listener.
func (l *liveListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.network.take(conn, l.name), nil
}
