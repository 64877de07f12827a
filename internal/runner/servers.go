package runner

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/mockplatform"
	"github.com/a2a-conform/a2a-conform/mockruntime"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// MaxExchanges is how many requests a run may make. A subject that makes more runs away: no obligation of the contract
// takes as many.
const MaxExchanges = 2000

// servers are the servers of one run and the network that leads to them.
type servers struct {
	run      *run
	network  network
	closed   chan struct{} // ends what hangs
	ending   sync.Once
	handlers crowd
	serving  sync.WaitGroup
	all      []*http.Server
	leave    func() // takes the run off the platform that all runs share; nil where it has its own
}

// endpoints are the servers of a case: the two that every scenario has, in the form that it gives them, and its own.
func endpoints(c scenarios.Case) []scenarios.Endpoint {
	list := []scenarios.Endpoint{
		{Name: scenarios.EndpointPlatform, Side: evidence.SidePlatform, Accepts: evidence.AcceptsYes},
		{Name: scenarios.EndpointRuntime, Side: evidence.SideRuntime, Slash: true, Accepts: evidence.AcceptsYes},
	}
	for _, e := range c.Endpoints {
		at := slices.IndexFunc(list, func(known scenarios.Endpoint) bool { return known.Name == e.Name })
		if at < 0 {
			list = append(list, e)
			continue
		}
		list[at] = e
	}
	return list
}

// serve starts the servers of a run.
func (r *run) serve() error {
	s := &servers{run: r, network: r.ground.network(r.scenario, r.rec), closed: make(chan struct{})}
	var where []script.Place
	var doors []net.Listener
	for _, e := range endpoints(r.scenario) {
		place, door, err := s.network.listen(e)
		if err != nil {
			s.network.close()
			return err
		}
		where, doors = append(where, place), append(doors, door)
		r.rec.AddEndpoint(evidence.Endpoint{Name: place.Name, Side: place.Side, Origin: place.Origin, Accepts: place.Accepts})
	}
	r.servers = s
	r.world = script.NewWorld(script.WorldConfig{Names: r.ground.names(r.scenario), Nonce: r.nonce, Recorder: r.rec, Places: where, Keys: r.ground.keys()})
	r.script = script.New(r.scenario.When, r.world, r.rec)
	shared := script.Run{Script: r.script, World: r.world, Wire: wire.Options{Recorder: r.rec, Latency: wire.Latency, Closed: s.closed}, Watcher: r.watcher}
	for i, place := range where {
		handler := s.handler(place, shared)
		switch door := doors[i].(type) {
		case nil:
		case boardDoor:
			s.leave = door.board.open(&line{name: place.Name, rec: r.rec, world: r.world, handler: s.guarded(handler), guests: &s.handlers})
		default:
			s.start(door, handler)
		}
	}
	return nil
}

func (s *servers) handler(place script.Place, run script.Run) http.Handler {
	switch place.Side {
	case evidence.SidePlatform:
		return mockplatform.New(mockplatform.Config{Run: run, Endpoint: place.Name, Routes: s.run.platform})
	case evidence.SideRuntime:
		return mockruntime.New(mockruntime.Config{Run: run, Endpoint: place.Name, Routes: s.run.runtime})
	default:
		return mockruntime.Elsewhere(run, place.Name)
	}
}

// start lets a server take the connections of a listener.
func (s *servers) start(door net.Listener, handler http.Handler) {
	server := newServer(s.guarded(handler), numbered)
	s.all = append(s.all, server)
	s.serving.Go(func() {
		_ = server.Serve(door) // ends with its listener, which is no error
	})
}

// newServer makes a server that says nothing and waits as long as its subject does.
func newServer(handler http.Handler, conns func(context.Context, net.Conn) context.Context) *http.Server {
	return &http.Server{ //nolint:gosec // G112: how slow a subject may be is for its run to say, whose end closes the server
		Handler:     handler,
		ErrorLog:    slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
		ConnContext: conns,
		// Not nil, or each server would be made ready for HTTP/2, which no run speaks.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
}

// numbered puts the number of a connection into the contexts of its requests.
func numbered(ctx context.Context, c net.Conn) context.Context {
	if conn, ok := c.(interface{ Number() int }); ok {
		return wire.WithConnection(ctx, conn.Number())
	}
	return ctx
}

// guarded counts handlers, so that they can be waited for, and stops a subject that runs away.
func (s *servers) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		makeRoom()
		s.handlers.enter()
		defer s.handlers.leave()
		if s.run.rec.Exchanges() >= s.run.most {
			s.run.worse.CompareAndSwap(nil, &evidence.End{
				How: evidence.EndRunaway, Text: fmt.Sprintf("the subject made more than %d requests in one run", s.run.most),
			})
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(w, r)
	})
}

// end ends what still hangs, as ended by the run. A second call does nothing.
func (s *servers) end() {
	s.ending.Do(func() { close(s.closed) })
}

// close ends the servers and waits until no handler is at work and nothing is accepted any more.
func (s *servers) close() {
	s.end()
	for _, server := range s.all {
		_ = server.Close() // there is nothing that an error could be told to
	}
	if s.leave != nil {
		s.leave()
	}
	s.network.close()
	<-s.handlers.idle()
	s.serving.Wait()
}

// connections tells the recorder what becomes of each connection.
type connections struct {
	rec   *evidence.Recorder
	names map[string]string

	mu   sync.Mutex
	open map[int]*evidence.Conn
}

// Attempted implements Observer.
func (c *connections) Attempted(addr string) int {
	name, known := c.names[addr]
	if !known {
		name = addr
	}
	conn := c.rec.Attempt(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[conn.Number()] = conn
	return conn.Number()
}

// Opened implements Observer.
func (c *connections) Opened(number int) {
	if conn := c.get(number); conn != nil {
		conn.Opened()
	}
}

// Closed implements Observer.
func (c *connections) Closed(number int, by string, in, out int64) {
	if conn := c.get(number); conn != nil {
		conn.Transferred(in, out)
		conn.Closed(by)
	}
}

func (c *connections) get(number int) *evidence.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[number]
}
