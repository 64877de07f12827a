package runner

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// fixedGround is real time with servers at places that are known before they are opened, so that a script can name them.
type fixedGround struct {
	*live

	host   string
	port   int // of the platform, the other servers follow; 0 for ports that the system chooses
	unused func(endpoint string, bytes int64)
	made   *fixedNetwork // of the one run
}

// names implements ground: the same uids at each start.
func (*fixedGround) names(c scenarios.Case) string { return "serve\x00" + c.ID }

// network implements ground.
func (g *fixedGround) network(c scenarios.Case, rec *evidence.Recorder) network {
	loopback, _ := g.live.network(c, rec).(*liveNetwork) // that is what it makes
	g.made = &fixedNetwork{liveNetwork: loopback, ground: g, used: map[int]bool{}}
	return g.made
}

// fixedNetwork gives each server the port after that of the one before, and paths that do not change.
type fixedNetwork struct {
	*liveNetwork

	ground *fixedGround
	opened int

	mu   sync.Mutex
	used map[int]bool // connections that a request came over, by their numbers
}

// ListenError says that a server could not be opened where it was wanted.
type ListenError struct {
	// Server is the name of the server, Address where it was to listen.
	Server, Address string
	Err             error
}

// Error says where and why.
func (e *ListenError) Error() string {
	return fmt.Sprintf("the server %s cannot listen at %s: %v", e.Server, e.Address, e.Err)
}

// Unwrap is the cause.
func (e *ListenError) Unwrap() error { return e.Err }

// listen implements network.
func (n *fixedNetwork) listen(e scenarios.Endpoint) (script.Place, net.Listener, error) {
	if e.Prefix == "" && e.Side != evidence.SidePlatform {
		e.Prefix = "/opaque-" + e.Name
	}
	n.at = net.JoinHostPort(n.ground.host, "0")
	if n.ground.port > 0 {
		n.at = net.JoinHostPort(n.ground.host, strconv.Itoa(n.ground.port+n.opened))
	}
	n.opened++
	place, door, err := n.open(e)
	if err != nil {
		return place, nil, &ListenError{Server: e.Name, Address: n.at, Err: bare(err)}
	}
	if door != nil {
		door = &fixedListener{Listener: door, network: n, name: e.Name}
	}
	return place, door, nil
}

// open opens a server. One that refuses has a port of its own number and leaves it free: what a run makes sure of by
// taking a port of the system's choice is here for its user to see to.
func (n *fixedNetwork) open(e scenarios.Endpoint) (script.Place, net.Listener, error) {
	if e.Accepts != evidence.AcceptsRefuse || n.ground.port == 0 {
		return n.liveNetwork.listen(e)
	}
	l, err := n.bind()
	if err != nil {
		return script.Place{}, nil, err
	}
	return script.Place{Endpoint: e, Origin: n.ground.origin(l.Addr())}, nil, l.Close()
}

// bare is the cause of an error of the network without the address, which its reader has been told.
func bare(err error) error {
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		return failed.Err
	}
	return err
}

// carried notes that a request came over a connection.
func (n *fixedNetwork) carried(connection int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.used[connection] = true
}

// over tells of a connection that was closed and had carried no request.
func (n *fixedNetwork) over(name string, number int, bytes int64) {
	n.mu.Lock()
	used := n.used[number]
	delete(n.used, number)
	n.mu.Unlock()
	if !used && n.ground.unused != nil {
		n.ground.unused(name, bytes)
	}
}

// fixedListener learns when its connections are closed.
type fixedListener struct {
	net.Listener

	network *fixedNetwork
	name    string
}

// Accept implements net.Listener.
func (l *fixedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if c, ok := conn.(*liveConn); ok {
		forget, once := c.forget, new(sync.Once)
		c.forget = func(c *liveConn) { // nobody else has the connection yet
			forget(c)
			once.Do(func() { l.network.over(l.name, c.Number(), c.in.Load()) })
		}
	}
	return conn, nil
}
