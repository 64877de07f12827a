package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The addresses of the fake servers, and what most tests ask for.
const (
	platformAddr  = "platform.test:80"
	runtimeAddr   = "runtime.test:80"
	session       = "0b2701a1-e777-4cfe-8437-b94025f00069"
	platformToken = "platformTokenOfTheTests"
	runtimeToken  = "runtimeTokenOfTheTests"
)

// fakeNet is a network in memory: it records what each server was sent, and
// plays to each server's next connection the next reply of its queue.
type fakeNet struct {
	t     *testing.T
	start time.Time

	mu      sync.Mutex
	replies map[string][]reply
	seen    []seen
	opened  []net.Conn
	running sync.WaitGroup
}

// seen is one request as it arrived, whole.
type seen struct {
	addr, head, body string
	at               time.Duration // since the network was made
}

func (s seen) target() string { return strings.Fields(s.head)[1] }

// reply plays one connection. The request is read first, unless it is deaf.
type reply struct {
	deaf  bool
	dial  error // the connection is not even accepted
	hangs bool  // nor is it refused
	play  func(net.Conn)
}

func newFakeNet(t *testing.T) *fakeNet {
	t.Helper()
	f := &fakeNet{t: t, start: time.Now(), replies: map[string][]reply{}}
	t.Cleanup(f.finish)
	return f
}

// finish finds connections that a call left open, before it lets the servers
// come to their ends.
func (f *fakeNet) finish() {
	for i, conn := range f.opened {
		if err := conn.SetDeadline(time.Now()); !errors.Is(err, io.ErrClosedPipe) {
			f.t.Errorf("connection %d was left open", i)
		}
	}
	f.running.Wait()
}

func (f *fakeNet) platform(replies ...reply) *fakeNet {
	f.replies[platformAddr] = append(f.replies[platformAddr], replies...)
	return f
}

func (f *fakeNet) runtime(replies ...reply) *fakeNet {
	f.replies[runtimeAddr] = append(f.replies[runtimeAddr], replies...)
	return f
}

func (f *fakeNet) next(addr string) (reply, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	queue := f.replies[addr]
	if len(queue) == 0 {
		return reply{}, false
	}
	f.replies[addr] = queue[1:]
	return queue[0], true
}

// dial is a Config.DialContext. Server goroutines end when the client closes
// its side, or when they have played their reply.
func (f *fakeNet) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	next, ok := f.next(addr)
	switch {
	case !ok:
		f.t.Errorf("unexpected connection to %s", addr)
		return nil, syscall.ECONNREFUSED
	case next.hangs:
		<-ctx.Done()
		return nil, ctx.Err()
	case next.dial != nil:
		return nil, next.dial
	}
	near, far := net.Pipe()
	f.mu.Lock()
	f.opened = append(f.opened, near)
	f.mu.Unlock()
	f.running.Go(func() { f.serve(addr, next, far) })
	return near, nil
}

func (f *fakeNet) serve(addr string, next reply, conn net.Conn) {
	defer conn.Close()
	if next.deaf {
		next.play(conn)
		return
	}
	head, body, err := readRequest(conn)
	if err != nil {
		return // the client went away
	}
	f.mu.Lock()
	f.seen = append(f.seen, seen{addr: addr, head: head, body: body, at: time.Since(f.start)})
	f.mu.Unlock()
	next.play(conn)
}

func readRequest(conn net.Conn) (head, body string, err error) {
	var copied strings.Builder
	reader := bufio.NewReader(io.TeeReader(conn, &copied))
	request, err := http.ReadRequest(reader)
	if err != nil {
		return "", "", err
	}
	content, err := io.ReadAll(request.Body)
	if err == nil && int64(len(content)) != request.ContentLength {
		err = errors.New("body of another length than announced")
	}
	head, _, _ = strings.Cut(copied.String(), "\r\n\r\n")
	return head, string(content), err
}

// requests lists what one server was asked for.
func (f *fakeNet) requests(addr string) []seen {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []seen
	for _, one := range f.seen {
		if one.addr == addr {
			found = append(found, one)
		}
	}
	return found
}

// client makes a Client on this network.
func (f *fakeNet) client() *Client {
	f.t.Helper()
	c, err := New(Config{PlatformURL: "http://platform.test", PlatformToken: platformToken, DialContext: f.dial})
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

// raw writes its texts one after the other.
func raw(texts ...string) reply {
	return reply{play: func(conn net.Conn) {
		for _, text := range texts {
			_, _ = io.WriteString(conn, text)
		}
	}}
}

func respond(status int, body string, fields ...string) reply {
	return raw(response(status, body, fields...))
}

func response(status int, body string, fields ...string) string {
	head := fmt.Sprintf("HTTP/1.1 %d Some Words\r\nContent-Length: %d\r\n", status, len(body))
	return head + strings.Join(append(fields, "", body), "\r\n")
}

// silent never answers; stalled stops after what it wrote.
func silent() reply { return stalled("") }

func stalled(text string) reply {
	return reply{play: func(conn net.Conn) {
		_, _ = io.WriteString(conn, text)
		_, _ = io.Copy(io.Discard, conn)
	}}
}

// late answers after a while.
func late(wait time.Duration, then reply) reply {
	return reply{play: func(conn net.Conn) {
		<-time.After(wait) // virtual: only used in bubbles
		then.play(conn)
	}}
}

// dripped writes a piece at each tick until the client is gone.
func dripped(first, piece string, tick time.Duration) reply {
	return reply{play: func(conn net.Conn) {
		_, err := io.WriteString(conn, first)
		for err == nil {
			<-time.After(tick) // virtual: only used in bubbles
			_, err = io.WriteString(conn, piece)
		}
	}}
}

// deaf reads one byte of the request and no more.
func deaf() reply {
	return reply{deaf: true, play: func(conn net.Conn) {
		buffer := make([]byte, 1)
		_, err := conn.Read(buffer)
		for err == nil {
			<-time.After(time.Hour)               // virtual: only used in bubbles
			_, err = conn.Write([]byte("HTTP/1")) // finds out that the client is gone
		}
	}}
}

// The platform's answers.

func admits() reply { return admitsWith(runtimeToken, "http://runtime.test/") }

func admitsWith(token, rpcURL string) reply {
	return respond(200, admitting(token, rpcURL, ""))
}

func admitting(token, rpcURL, more string) string {
	return fmt.Sprintf(`{"mode":"token","rpc_url":%q,"token":%q,%s"runtime_interaction":{"state":"ready","can_submit":true,"notice":null,"operation":null,"retry_after_ms":null}}`, rpcURL, token, more)
}

func waking(retryAfterMS string) reply {
	return respond(200, blocking("waking", retryAfterMS))
}

func blocking(state, retryAfterMS string) string {
	return fmt.Sprintf(`{"mode":"unavailable","rpc_url":null,"token":null,"detail":"a detail","runtime_interaction":{"state":%q,"can_submit":false,"notice":null,"operation":null,"retry_after_ms":%s}}`, state, retryAfterMS)
}

func knows(agentUID string) reply { return respond(200, `{"agent_uid":"`+agentUID+`"}`) }

func advertises(kinds string) reply {
	return respond(200, `{"a2a_profile":{"supported_response_kinds":`+kinds+`}}`)
}

// discovers is the platform's part of a send for a Task, access aside.
func discovers() []reply { return []reply{knows("agent-1"), advertises(`["message","task"]`)} }

// The runtime's answers.

func says(text string) reply { return respond(200, answering(text)) }

func answering(text string) string {
	return fmt.Sprintf(`{"message":{"messageId":"msg-agent-1","role":"ROLE_AGENT","contextId":%q,"parts":[{"text":%q}]}}`, session, text)
}

// works is a Task in some state, bare; working wraps it, as the runtime does.
func works(state TaskState) string {
	return fmt.Sprintf(`{"id":"t-1","contextId":%q,"status":{"state":%q}}`, session, state)
}

func working(state TaskState) reply { return respond(200, `{"task":`+works(state)+`}`) }
