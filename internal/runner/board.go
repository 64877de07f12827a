package runner

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// board is the one platform address of a session whose subject is told it once. It hands each request to the run that it
// is of, which nothing but the request itself tells: the uid of a session or an agent in its target. What belongs to
// nobody goes to the run that is alone and, where there are several, is a stray.
type board struct {
	origin string
	keys   *script.Keys
	began  time.Time

	server  *http.Server
	serving sync.WaitGroup

	mu     sync.Mutex
	lines  []*line
	past   map[string]struct{} // the uids of runs that are over
	strays []evidence.Exchange
}

// mostStrays is how many strays are kept: more say nothing new.
const mostStrays = 100

// line is a run that the board hands requests to.
type line struct {
	name    string
	rec     *evidence.Recorder
	world   *script.World
	handler http.Handler
	guests  *crowd                 // counts its requests from the moment on at which they are its own
	conns   map[*liveConn]struct{} // those that it has seen; the lock is the board's
}

// newBoard listens where the subject will look for the platform. close ends it.
func newBoard(l *live) (*board, error) {
	door, err := new(net.ListenConfig).Listen(context.Background(), "tcp", l.platformAddress()) //nolint:forbidigo // binding a port of this machine waits for nobody
	if err != nil {
		return nil, fmt.Errorf("open the platform: %w", err)
	}
	b := &board{origin: l.origin(door.Addr()), keys: script.NewKeys(), began: time.Now(), past: map[string]struct{}{}}
	b.server = newServer(http.HandlerFunc(b.serve), func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, sharedKey{}, c)
	})
	b.serving.Go(func() {
		_ = b.server.Serve(&boardListener{Listener: door, board: b}) // ends with its listener, which is no error
	})
	return b, nil
}

type sharedKey struct{}

// boardListener lets a connection of the board be known again.
type boardListener struct {
	net.Listener

	board *board
}

// Accept implements net.Listener.
func (l *boardListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &liveConn{Conn: conn, forget: l.board.forget}, nil
}

// open lets a run have its requests; the function that is returned ends that.
func (b *board) open(added *line) (leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	added.conns = map[*liveConn]struct{}{}
	b.lines = append(b.lines, added)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.lines = slices.DeleteFunc(b.lines, func(l *line) bool { return l == added })
		for _, uid := range added.world.OwnUIDs() {
			b.past[uid] = struct{}{}
		}
		for conn := range added.conns {
			conn.leave(added.rec)
		}
	}
}

// serve hands a request to its run.
func (b *board) serve(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	of := b.find(r.RequestURI)
	if of == nil {
		b.stray(r)
		b.mu.Unlock()
		http.Error(w, "this request is of no run that is under way", http.StatusTeapot)
		return
	}
	ctx := r.Context()
	if conn, ok := ctx.Value(sharedKey{}).(*liveConn); ok {
		ctx = wire.WithConnection(ctx, conn.join(of.rec, of.name))
		of.conns[conn] = struct{}{}
	}
	of.guests.enter() // before a run can end without it
	defer of.guests.leave()
	b.mu.Unlock()
	of.handler.ServeHTTP(w, r.WithContext(ctx))
}

// find is the run that a target is of; nil for none. The lock is held.
func (b *board) find(target string) *line {
	for _, l := range b.lines {
		if l.world.Owns(target) {
			return l
		}
	}
	if len(b.lines) == 1 && !b.ofThePast(target) {
		return b.lines[0]
	}
	return nil
}

// uidForm is what a uid looks like.
var uidForm = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// ofThePast tells whether a target speaks of a run that is over: what a client does too late is no deed of the run that
// happens to be under way. The lock is held.
func (b *board) ofThePast(target string) bool {
	return slices.ContainsFunc(uidForm.FindAllString(target, -1), func(uid string) bool {
		_, known := b.past[uid]
		return known
	})
}

// tokenForm is what a credential of this program looks like.
var tokenForm = regexp.MustCompile(`[A-Za-z0-9]{40,}`)

// stray keeps what is of no run: how it was asked for, and none of what it held, for whose secrets it holds nobody knows.
// The lock is held.
func (b *board) stray(r *http.Request) {
	if len(b.strays) == mostStrays {
		return
	}
	target, _, _ := strings.Cut(r.RequestURI, "?")
	header := http.Header{}
	for name := range r.Header {
		header[name] = []string{"‹left out›"}
	}
	b.strays = append(b.strays, evidence.Exchange{
		Seq: len(b.strays) + 1, Calls: []int{}, Endpoint: scenarios.EndpointPlatform, Op: evidence.OpUnknown,
		Arrived: evidence.Offset(time.Since(b.began)),
		Request: evidence.Request{
			Method: r.Method, Target: tokenForm.ReplaceAllString(target, "‹left out›"), Host: r.Host, Proto: r.Proto, Header: header,
			ContentLength: r.ContentLength,
		},
	})
}

// forget is told that a connection was closed.
func (b *board) forget(c *liveConn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range b.lines {
		delete(l.conns, c)
	}
}

// left returns the strays so far.
func (b *board) left() []evidence.Exchange {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.strays)
}

func (b *board) close() {
	_ = b.server.Close() // there is nothing that an error could be told to
	b.serving.Wait()
}

// boardDoor stands for the board among the doors of a run. Nothing comes in by it: the board accepts.
type boardDoor struct {
	net.Listener

	board *board
}
