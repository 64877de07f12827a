package runner

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// sockets is a loopback network and the recorder that it tells.
func sockets(t *testing.T) (network, *evidence.Recorder) {
	t.Helper()
	rec := evidence.NewRecorder("test", evidence.ClockReal, time.Now(), evidence.Tolerance{}, nil)
	n := (&live{}).network(scenarios.Case{}, rec)
	t.Cleanup(n.close)
	return n, rec
}

func TestLoopbackRefusesAndHangs(t *testing.T) {
	t.Parallel()
	n, _ := sockets(t)
	for _, test := range []struct {
		accepts evidence.Accepts
		timeout bool
	}{
		{evidence.AcceptsRefuse, false},
		{evidence.AcceptsHang, true},
	} {
		if test.accepts == evidence.AcceptsHang && !canHang {
			continue // this system cannot be made to do it, and says so when a scenario asks
		}
		place, door, err := n.listen(scenarios.Endpoint{Name: "dead", Side: evidence.SideRuntime, Accepts: test.accepts})
		if err != nil || door != nil {
			t.Fatalf("%s: listener %v, error %v; want neither", test.accepts, door, err)
		}
		dialer := net.Dialer{Timeout: 300 * time.Millisecond}
		for range 2 {
			conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(place.Origin, "http://"))
			if err == nil {
				_ = conn.Close()
			}
			failed, ok := errors.AsType[net.Error](err)
			if !ok || failed.Timeout() != test.timeout || errors.Is(err, syscall.ECONNREFUSED) == test.timeout {
				t.Errorf("%s: %v, want a timeout: %t", test.accepts, err, test.timeout)
			}
		}
	}
}

func TestAnOpaquePathStandsBehindRuntimesOnly(t *testing.T) {
	t.Parallel()
	n, _ := sockets(t)
	prefix := func(e scenarios.Endpoint) string {
		e.Name, e.Accepts = "any", evidence.AcceptsYes
		place, _, err := n.listen(e)
		if err != nil {
			t.Fatal(err)
		}
		return place.Prefix
	}
	if got := prefix(scenarios.Endpoint{Side: evidence.SidePlatform}); got != "" {
		t.Errorf("the platform has the path %q, want none", got)
	}
	if got := prefix(scenarios.Endpoint{Side: evidence.SideRuntime, Prefix: "/p"}); got != "/p" {
		t.Errorf("the path %q took the place of the scenario's /p", got)
	}
	if one, two := prefix(scenarios.Endpoint{Side: evidence.SideRuntime}), prefix(scenarios.Endpoint{Side: evidence.SideElsewhere}); one == two || len(one) < 2 {
		t.Errorf("the paths are %q and %q, want two that nobody can guess", one, two)
	}
}

func TestWhatBecomesOfAConnectionIsRecorded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		client   func(net.Conn)
		server   func(net.Conn)
		closedBy string
		in, out  int64
	}{
		{"the client closes", func(c net.Conn) {
			_, _ = io.WriteString(c, "hello")
			_ = c.Close()
		}, func(s net.Conn) {
			_, _ = io.Copy(io.Discard, s)
			_ = s.Close()
		}, ClosedByClient, 5, 0},
		{"the server closes", func(c net.Conn) {
			_, _ = io.Copy(io.Discard, c)
		}, func(s net.Conn) {
			_, _ = io.WriteString(s, "good day")
			_ = s.Close()
		}, ClosedByServer, 0, 8},
		{"the server resets", func(c net.Conn) {
			if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
				panic(err)
			}
		}, func(s net.Conn) {
			_ = s.(interface{ Reset() error }).Reset()
		}, ClosedByServer, 0, 0},
		{"nobody closes", func(net.Conn) {}, func(net.Conn) {}, ClosedByRun, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n, rec := sockets(t)
			_, door, err := n.listen(scenarios.Endpoint{Name: "runtime", Side: evidence.SideRuntime, Accepts: evidence.AcceptsYes})
			if err != nil {
				t.Fatal(err)
			}
			client, err := new(net.Dialer).DialContext(context.Background(), "tcp", door.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = client.Close() }()
			server, err := door.Accept()
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() { // ends with what the server does
				defer close(done)
				test.server(server)
			}()
			test.client(client)
			<-done
			n.close()
			run := rec.Close(evidence.End{How: evidence.EndSettled}, rec.Now())
			c := run.Connections[0]
			got := []any{c.Endpoint, c.ClosedBy, c.BytesIn, c.BytesOut, c.Opened != nil, c.Closed != nil}
			if diff := cmp.Diff([]any{"runtime", test.closedBy, test.in, test.out, true, true}, got); diff != "" {
				t.Errorf("the connection differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoiseIsTheWorstSinceAMoment(t *testing.T) {
	t.Parallel()
	began := time.Now().Add(-time.Minute)
	n := &noise{began: time.Now()}
	for i, late := range []int{900, 2, 70, 30} {
		n.probes = append(n.probes, probe{began.Add(time.Duration(i) * time.Second), time.Duration(late) * time.Millisecond})
	}
	for after, want := range map[time.Duration]time.Duration{
		0: 1800 * time.Millisecond, time.Second: 140 * time.Millisecond, 3 * time.Second: 60 * time.Millisecond, time.Hour: 2 * leastNoise,
	} {
		if got := n.since(began.Add(after)); got < want || after == 0 && got > want {
			t.Errorf("since %s: %s, want %s", after, got, want)
		}
	}
}

func TestNoiseIsMeasured(t *testing.T) {
	t.Parallel()
	began := time.Now()
	n, err := listenForNoise()
	if err != nil {
		t.Fatal(err)
	}
	n.mu.Lock()
	made := len(n.probes)
	n.mu.Unlock()
	n.close()
	if made < firstProbes || n.since(began) < leastNoise {
		t.Errorf("%d probes and %s of noise, want at least %d and %s", made, n.since(began), firstProbes, leastNoise)
	}
}
