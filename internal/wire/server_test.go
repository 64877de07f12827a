package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// bed is a server under test, and what a client reaches it by.
type bed struct {
	rec    *evidence.Recorder
	dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	url    string
	closed chan struct{}
	server *http.Server
	mu     sync.Mutex
	idle   *sync.Cond
	busy   int
	// answered counts the calls of OnAnswered.
	answered int
}

// newBed serves every request with one answer over a listener. The test has to close it.
func newBed(l net.Listener, dial func(context.Context, string, string) (net.Conn, error), a Answer, f scenarios.Wire) *bed {
	b := &bed{
		rec:  evidence.NewRecorder("test", evidence.ClockVirtual, time.Now(), evidence.Tolerance{}, nil),
		dial: dial, url: "http://" + l.Addr().String() + "/answer", closed: make(chan struct{}),
	}
	b.idle = sync.NewCond(&b.mu)
	b.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b.count(1)
			defer b.count(-1)
			x := Begin(w, r, "server", evidence.OpUnknown, Options{Recorder: b.rec, Latency: Latency, Closed: b.closed})
			x.OnAnswered = func() {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.answered++
			}
			x.Answer(a, f)
		}),
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context { return WithConnection(ctx, 7) },
	}
	go func() { _ = b.server.Serve(l) }()
	return b
}

func (b *bed) count(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy += n
	b.idle.Broadcast()
}

// wait returns when no handler is at work.
func (b *bed) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.busy > 0 {
		b.idle.Wait()
	}
}

// stop closes everything in the order that the package comment asks for, and returns the recording.
func (b *bed) stop() evidence.Run {
	close(b.closed)
	_ = b.server.Close()
	b.wait()
	return b.rec.Close(evidence.End{How: evidence.EndSettled}, b.rec.Now())
}

func (b *bed) client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: b.dial, DisableCompression: true}}
}

// listenTCP is a listener on a loopback port.
func listenTCP(t *testing.T) (net.Listener, func(context.Context, string, string) (net.Conn, error)) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l, new(net.Dialer).DialContext
}

// memory is a listener whose connections are net.Pipe, with what the package asks of a connection in memory.
type memory struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func listenMemory() *memory {
	return &memory{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (m *memory) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (m *memory) Close() error {
	m.once.Do(func() { close(m.done) })
	return nil
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

func (m *memory) dial(context.Context, string, string) (net.Conn, error) {
	c, s := net.Pipe()
	shared := &link{gone: make(chan struct{})}
	select {
	case m.conns <- &serverEnd{Conn: s, link: shared}:
		return &clientEnd{Conn: c, link: shared}, nil
	case <-m.done:
		return nil, syscall.ECONNREFUSED
	}
}

// link is what both ends of a connection know.
type link struct {
	mu    sync.Mutex
	reset bool
	gone  chan struct{}
	once  sync.Once
}

type serverEnd struct {
	net.Conn
	link *link
}

func (s *serverEnd) PeerClosed() <-chan struct{} { return s.link.gone }

func (s *serverEnd) Reset() error {
	s.link.mu.Lock()
	s.link.reset = true
	s.link.mu.Unlock()
	return s.Close()
}

type clientEnd struct {
	net.Conn
	link *link
}

func (c *clientEnd) Close() error {
	c.link.once.Do(func() { close(c.link.gone) })
	return c.Conn.Close()
}

func (c *clientEnd) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	return n, c.told(err)
}

func (c *clientEnd) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	return n, c.told(err)
}

// told turns the end of a pipe into what TCP says. As there, a reset is told once.
func (c *clientEnd) told(err error) error {
	c.link.mu.Lock()
	defer c.link.mu.Unlock()
	if c.link.reset && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe)) {
		c.link.reset = false
		return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	}
	return err
}

// inMemory runs a test of one server in a bubble.
func inMemory(t *testing.T, a Answer, f scenarios.Wire, play func(t *testing.T, b *bed)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := listenMemory()
		play(t, newBed(l, l.dial, a, f))
	})
}

// The kinds of end that a client sees.
const (
	wentWell = "ok"
	broken   = "broken off"
	wasReset = "reset"
	tookLong = "deadline"
)

// kindOf sorts what a client saw.
func kindOf(err error) string {
	switch {
	case err == nil:
		return wentWell
	case errors.Is(err, context.DeadlineExceeded), os.IsTimeout(err):
		return tookLong
	case errors.Is(err, syscall.ECONNRESET):
		return wasReset
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return broken
	default:
		return err.Error()
	}
}

// seen is what a client got.
type seen struct {
	kind   string
	status int
	header http.Header
	body   string
}

// fetch posts a body and reads the whole answer within a deadline.
func fetch(b *bed, client *http.Client, body io.Reader, within time.Duration) seen {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	request, _ := http.NewRequestWithContext(ctx, http.MethodPost, b.url, body)
	response, err := client.Do(request)
	if err != nil {
		return seen{kind: kindOf(err)}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return seen{kindOf(err), response.StatusCode, response.Header, string(text)}
}

// one returns the only exchange of a recording.
func one(t *testing.T, run evidence.Run) evidence.Exchange {
	t.Helper()
	if len(run.Exchanges) != 1 {
		t.Fatalf("recorded %d exchanges, want 1", len(run.Exchanges))
	}
	return run.Exchanges[0]
}

func sampleAnswer() Answer {
	return Answer{
		Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: []byte(`{"message": "tawny pipit over the heath, again and again"}`),
	}
}

// TestNoTakeover: a server whose connections cannot be taken over says so.
func TestNoTakeover(t *testing.T) {
	t.Parallel()
	rec := evidence.NewRecorder("test", evidence.ClockVirtual, time.Now(), evidence.Tolerance{}, nil)
	w := httptest.NewRecorder()
	x := Begin(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody), "server", evidence.OpUnknown, Options{Recorder: rec})
	x.Answer(sampleAnswer(), scenarios.Wire{Finish: "close"})
	if w.Code != http.StatusInternalServerError || x.Open().Snapshot().EndedBy != evidence.EndedByServer {
		t.Errorf("got %d, ended by %q", w.Code, x.Open().Snapshot().EndedBy)
	}
}
