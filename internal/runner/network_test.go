package runner_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
)

// journal is an observer that writes down what it is told, with the time.
type journal struct {
	mu    sync.Mutex
	start time.Time
	last  int
	told  []string
}

// begin sets the epoch; it belongs inside the bubble.
func (j *journal) begin() { j.start = time.Now() }

func (j *journal) notef(format string, args ...any) {
	j.told = append(j.told, time.Since(j.start).String()+" "+fmt.Sprintf(format, args...))
}

func (j *journal) Attempted(addr string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	j.notef("attempted %d %s", j.last, addr)
	return j.last
}

func (j *journal) Opened(number int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notef("opened %d", number)
}

func (j *journal) Closed(number int, by string, in, out int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notef("closed %d by %s, %d in, %d out", number, by, in, out)
}

func (j *journal) lines() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.told
}

// pair is a connection of which a test holds both sides.
func pair(t *testing.T, n *runner.Network) (client, server net.Conn) {
	t.Helper()
	l := n.Listen("platform.test:80", evidence.AcceptsYes)
	accepted := make(chan net.Conn, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	client, err := n.Dial(context.Background(), "tcp", "Platform.test:80")
	if err != nil {
		t.Error(err)
	}
	return client, <-accepted
}

// reset ends a connection as a wire fault does.
func reset(t *testing.T, c net.Conn) {
	t.Helper()
	r, ok := c.(interface{ Reset() error })
	if !ok {
		t.Errorf("%T cannot reset", c)
		return
	}
	if err := r.Reset(); err != nil {
		t.Error(err)
	}
}

// want checks an error of a connection: its operation and what it wraps. An
// io.EOF stands bare, as net/http expects it.
func want(t *testing.T, err error, op string, cause error) {
	t.Helper()
	var opError *net.OpError
	if errors.Is(cause, io.EOF) {
		if err != io.EOF { //nolint:errorlint // bare is the point
			t.Errorf("the error is %v, want a bare EOF", err)
		}
		return
	}
	if !errors.Is(err, cause) || !errors.As(err, &opError) || opError.Op != op {
		t.Errorf("the error is %#v (%v), want a *net.OpError of %s around %v", err, err, op, cause)
	}
}

// closing is a way in which a connection ends, a second after it was opened.
type closing struct {
	name   string
	act    func(c connection)
	closed string // what the observer is told
}

// connection is what a closing acts on.
type connection struct {
	t              *testing.T
	network        *runner.Network
	client, server net.Conn
}

func TestClose(t *testing.T) {
	t.Parallel()
	byte1 := make([]byte, 1)
	observeClosings(t, []closing{
		{"client closes", func(c connection) {
			_ = c.client.Close()
			_, err := c.server.Read(byte1)
			want(c.t, err, "read", io.EOF)
			_, err = c.server.Write(byte1)
			want(c.t, err, "write", syscall.EPIPE)
			_, err = c.client.Read(byte1)
			want(c.t, err, "read", net.ErrClosed)
			_ = c.server.Close()
		}, "client, 0 in, 0 out"},
		{"server closes after it wrote", func(c connection) {
			go func() {
				_, err := c.server.Write([]byte("four"))
				if err != nil {
					c.t.Error(err)
				}
				_ = c.server.Close()
			}()
			got, err := io.ReadAll(c.client)
			if string(got) != "four" || err != nil {
				c.t.Errorf("read %q, %v", got, err)
			}
			_, err = c.client.Write(byte1)
			want(c.t, err, "write", syscall.EPIPE)
			_ = c.client.Close()
		}, "server, 0 in, 4 out"},
		{"server closes with unread data", func(c connection) {
			go func() {
				_, _ = io.ReadFull(c.server, make([]byte, 3))
				_ = c.server.Close()
			}()
			n, err := c.client.Write([]byte("seven.."))
			want(c.t, err, "write", syscall.EPIPE)
			if n != 3 {
				c.t.Errorf("wrote %d bytes, want the 3 that were read", n)
			}
		}, "server, 3 in, 0 out"},
		{"the client closes while the server writes", func(c connection) {
			failed := make(chan error)
			go func() {
				_, err := c.server.Write(make([]byte, 100))
				failed <- err
			}()
			_, _ = io.ReadFull(c.client, make([]byte, 40))
			_ = c.client.Close()
			want(c.t, <-failed, "write", syscall.EPIPE)
		}, "client, 0 in, 40 out"},
		{"the run ends", func(c connection) {
			failed := make(chan error)
			go func() {
				_, err := c.server.Read(byte1)
				failed <- err
			}()
			runner.Wait()
			_ = c.network.Close()
			want(c.t, <-failed, "read", net.ErrClosed)
			_, err := c.client.Read(byte1)
			want(c.t, err, "read", io.EOF)
			_, err = c.network.Dial(context.Background(), "tcp", "platform.test:80")
			want(c.t, err, "dial", syscall.ECONNREFUSED)
		}, "run, 0 in, 0 out"},
	})
}

func TestReset(t *testing.T) {
	t.Parallel()
	byte1 := make([]byte, 1)
	observeClosings(t, []closing{
		{"server resets", func(c connection) {
			go func() {
				_, _ = c.server.Write([]byte("ab"))
				reset(c.t, c.server)
			}()
			got, err := io.ReadAll(c.client)
			if string(got) != "ab" {
				c.t.Errorf("read %q", got)
			}
			want(c.t, err, "read", syscall.ECONNRESET)
			_, err = c.client.Write(byte1)
			want(c.t, err, "write", syscall.ECONNRESET)
			_, err = c.server.Read(byte1)
			want(c.t, err, "read", net.ErrClosed)
		}, "server, 0 in, 2 out"},
		{"reset after the client is gone", func(c connection) {
			_ = c.client.Close()
			reset(c.t, c.server)
			_, err := c.client.Read(byte1)
			want(c.t, err, "read", net.ErrClosed)
		}, "client, 0 in, 0 out"},
	})
}

// observeClosings checks what the sides of a connection and its observer see.
func observeClosings(t *testing.T, tests []closing) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			log := &journal{}
			settle(t, func() {
				log.begin()
				n := runner.NewNetwork(log)
				client, server := pair(t, n)
				pass(time.Second)
				test.act(connection{t, n, client, server})
			})
			lines := log.lines()
			if len(lines) < 3 || lines[2] != "1s closed 1 by "+test.closed {
				t.Errorf("observed %q", lines)
			}
		})
	}
}

func TestDialsThatDoNotArrive(t *testing.T) {
	t.Parallel()
	log := &journal{}
	settle(t, func() {
		log.begin()
		n := runner.NewNetwork(log)
		n.Listen("dead.test:80", evidence.AcceptsRefuse)
		deaf := n.Listen("deaf.test:80", evidence.AcceptsHang)
		go func() { // served like the others, and never reached
			_, err := deaf.Accept()
			want(t, err, "accept", net.ErrClosed)
		}()
		_, err := n.Dial(context.Background(), "tcp", "nobody.test:80")
		want(t, err, "dial", syscall.ECONNREFUSED)
		_, err = n.Dial(context.Background(), "tcp", "dead.test:80")
		want(t, err, "dial", syscall.ECONNREFUSED)

		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		_, err = n.Dial(ctx, "tcp", "deaf.test:80")
		want(t, err, "dial", context.DeadlineExceeded)
		if timeout, ok := err.(net.Error); !ok || !timeout.Timeout() { //nolint:errorlint // what callers of a net.Dialer see
			t.Errorf("%v is no timeout", err)
		}
		_, err = n.Dial(ctx, "tcp", "deaf.test:80") // no attempt: the context has ended
		want(t, err, "dial", context.DeadlineExceeded)
		cancel()

		ctx, cancel = context.WithCancel(context.Background())
		time.AfterFunc(time.Second, cancel)
		_, err = n.Dial(ctx, "tcp", "deaf.test:80")
		want(t, err, "dial", context.Canceled)
		if timeout, ok := err.(net.Error); !ok || timeout.Timeout() { //nolint:errorlint // as above
			t.Errorf("%v is a timeout", err)
		}

		time.AfterFunc(time.Second, func() { _ = deaf.Close() })
		_, err = n.Dial(context.Background(), "tcp", "deaf.test:80")
		want(t, err, "dial", syscall.ECONNREFUSED)
	})
	expected := []string{
		"0s attempted 1 nobody.test:80", "0s attempted 2 dead.test:80", "0s attempted 3 deaf.test:80",
		"30s attempted 4 deaf.test:80", "31s attempted 5 deaf.test:80",
	}
	if diff := cmp.Diff(expected, log.lines()); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
}

func TestListeners(t *testing.T) {
	t.Parallel()
	settle(t, func() {
		log := &journal{}
		n := runner.NewNetwork(log)
		first := n.Listen("platform.test:80", evidence.AcceptsYes)
		second := n.Listen("platform.test:80", evidence.AcceptsYes)
		_, err := first.Accept()
		want(t, err, "accept", net.ErrClosed)
		_ = first.Close() // must not free the name, which is the second's by now
		go func() {
			c, err := n.Dial(context.Background(), "tcp", "platform.test:80")
			if err != nil {
				t.Error(err)
				return
			}
			_ = c.Close()
		}()
		c, err := second.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		got := []string{second.Addr().String(), c.LocalAddr().String(), c.RemoteAddr().String(), c.LocalAddr().Network()}
		if diff := cmp.Diff([]string{"platform.test:80", "platform.test:80", "client.test:1", "tcp"}, got); diff != "" {
			t.Errorf("addresses (-want +got):\n%s", diff)
		}
		_ = second.Close()
		_ = c.Close()
		_, err = n.Dial(context.Background(), "tcp", "platform.test:80")
		want(t, err, "dial", syscall.ECONNREFUSED)
	})
}

// ender ends the run at the moment at which a connection opens.
type ender struct {
	journal

	network *runner.Network
}

func (e *ender) Opened(number int) {
	e.journal.Opened(number)
	_ = e.network.Close()
}

func TestClosingTheNetworkClosesWhatIsJustOpening(t *testing.T) {
	t.Parallel()
	log := &ender{}
	settle(t, func() {
		log.begin()
		log.network = runner.NewNetwork(log)
		client, _ := pair(t, log.network)
		_, err := client.Read(make([]byte, 1))
		want(t, err, "read", io.EOF)
	})
	expected := []string{"0s attempted 1 Platform.test:80", "0s opened 1", "0s closed 1 by run, 0 in, 0 out"}
	if diff := cmp.Diff(expected, log.lines()); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	settle(t, func() {
		client, server := pair(t, runner.NewNetwork(&journal{}))
		start := time.Now()
		_ = client.SetReadDeadline(start.Add(2 * time.Second))
		_, err := client.Read(make([]byte, 1))
		want(t, err, "read", os.ErrDeadlineExceeded)
		_ = client.SetWriteDeadline(start.Add(5 * time.Second))
		_, err = client.Write([]byte("nobody reads"))
		want(t, err, "write", os.ErrDeadlineExceeded)
		if passed := time.Since(start); passed != 5*time.Second {
			t.Errorf("%s passed, want 5s", passed)
		}
		_ = client.SetDeadline(time.Time{})
		time.AfterFunc(time.Minute, func() { _ = server.Close() })
		_, err = client.Read(make([]byte, 1))
		want(t, err, "read", io.EOF)
		if err := client.SetDeadline(time.Now()); err != nil {
			t.Errorf("setting a deadline tells of the other side: %v", err)
		}
		_ = client.Close()
		want(t, client.SetDeadline(time.Now()), "set", net.ErrClosed)
	})
}

func TestNothingIsWrittenOrReadAtOnce(t *testing.T) {
	t.Parallel()
	settle(t, func() {
		client, server := pair(t, runner.NewNetwork(&journal{}))
		if n, err := client.Write(nil); n != 0 || err != nil {
			t.Errorf("writing nothing gave %d, %v", n, err)
		}
		if n, err := server.Read(nil); n != 0 || err != nil {
			t.Errorf("reading nothing gave %d, %v", n, err)
		}
	})
}

func TestAServerLearnsThatItsClientLeftWithoutReading(t *testing.T) {
	t.Parallel()
	settle(t, func() {
		n := runner.NewNetwork(&journal{})
		defer n.Close()
		client, server := pair(t, n)
		left := server.(*runner.Conn).PeerClosed()
		select {
		case <-left:
			t.Error("the client counts as gone while it is there")
		default:
		}
		_ = client.Close()
		_ = client.Close() // a second close changes nothing
		select {
		case <-left:
		default:
			t.Error("the client has closed, and the server does not learn it")
		}
		_ = server.Close()
	})
}
