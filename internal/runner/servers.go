package runner

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

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
	run      *virtualRun
	network  *Network
	closed   chan struct{} // ends what hangs
	ending   sync.Once
	handlers sync.WaitGroup
	serving  sync.WaitGroup
	all      []*http.Server
}

// places says where the servers of a case are. The platform has a host of its own; all others share one and differ in
// their ports, so that an origin is more than a host.
func places(c scenarios.Case) []script.Place {
	list := []script.Place{
		{Endpoint: scenarios.Endpoint{Name: scenarios.EndpointPlatform, Side: evidence.SidePlatform, Accepts: evidence.AcceptsYes}, Origin: "http://platform.test:8080"},
	}
	all := append([]scenarios.Endpoint{{
		Name: scenarios.EndpointRuntime, Side: evidence.SideRuntime, Slash: true, Accepts: evidence.AcceptsYes,
	}}, c.Endpoints...)
	for i, e := range all {
		if i > 0 && (e.Name == scenarios.EndpointRuntime || e.Name == scenarios.EndpointPlatform) {
			list = redefined(list, e)
			continue
		}
		list = append(list, script.Place{Endpoint: e, Origin: fmt.Sprintf("http://runtime.test:%d", 8081+i)})
	}
	return list
}

// redefined gives one of the servers that every scenario has the form that the scenario wants.
func redefined(list []script.Place, e scenarios.Endpoint) []script.Place {
	for i := range list {
		if list[i].Name == e.Name {
			list[i].Endpoint = e
		}
	}
	return list
}

// serve starts the servers of a run.
func (r *virtualRun) serve() *servers {
	s := &servers{run: r, closed: make(chan struct{})}
	where := places(r.scenario)
	r.world = script.NewWorld(script.WorldConfig{Names: r.scenario.ID, Nonce: r.nonce, Recorder: r.rec, Places: where})
	r.script = script.New(r.scenario.When, r.world, r.rec)
	s.network = NewNetwork(&connections{rec: r.rec, names: names(where), open: map[int]*evidence.Conn{}})
	shared := script.Run{Script: r.script, World: r.world, Wire: wire.Options{Recorder: r.rec, Latency: wire.Latency, Closed: s.closed}}
	for _, place := range where {
		r.rec.AddEndpoint(evidence.Endpoint{Name: place.Name, Side: place.Side, Origin: place.Origin, Accepts: place.Accepts})
		s.start(place, s.handler(place, shared))
	}
	return s
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

// start makes a server listen; its name is known before it returns.
func (s *servers) start(place script.Place, handler http.Handler) {
	listener := s.network.Listen(address(place.Origin[len("http://"):]).String(), place.Accepts)
	server := &http.Server{ //nolint:gosec // G112: how slow a subject may be is for its run to say, whose end closes the server
		Handler:     s.guarded(handler),
		ErrorLog:    slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
		ConnContext: numbered,
		// Not nil, or each server would be made ready for HTTP/2, which no run speaks.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	s.all = append(s.all, server)
	s.serving.Go(func() {
		_ = server.Serve(listener) // ends with its listener, which is no error
	})
}

// numbered puts the number of a connection into the contexts of its requests.
func numbered(ctx context.Context, c net.Conn) context.Context {
	if conn, ok := c.(*Conn); ok {
		return wire.WithConnection(ctx, conn.Number())
	}
	return ctx
}

// guarded counts handlers, so that they can be waited for, and stops a subject that runs away.
func (s *servers) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.handlers.Add(1)
		defer s.handlers.Done()
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

// lingering is how long net/http waits before it lets go of a connection that it closed itself.
const lingering = time.Second

// close ends the servers and waits until nothing of them is left.
func (s *servers) close() {
	s.end()
	for _, server := range s.all {
		_ = server.Close() // there is nothing that an error could be told to
	}
	_ = s.network.Close()
	s.handlers.Wait()
	s.serving.Wait()
	<-time.After(lingering)
}

// connections tells the recorder what becomes of each connection.
type connections struct {
	rec   *evidence.Recorder
	names map[string]string

	mu   sync.Mutex
	open map[int]*evidence.Conn
}

// names are the names of endpoints by their addresses.
func names(where []script.Place) map[string]string {
	byAddress := make(map[string]string, len(where))
	for _, p := range where {
		byAddress[p.Origin[len("http://"):]] = p.Name
	}
	return byAddress
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
