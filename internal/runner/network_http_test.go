package runner_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
)

// serve runs an HTTP server until stop is called; the request's context holds the
// connection's number.
func serve(n *runner.Network, handle func(http.ResponseWriter, *http.Request)) (stop func()) {
	server := &http.Server{
		Handler: http.HandlerFunc(handle),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			numbered, _ := c.(interface{ Number() int })
			return context.WithValue(ctx, numberKey{}, numbered.Number())
		},
	}
	l := n.Listen("platform.test:80", evidence.AcceptsYes)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(l)
	}()
	return func() {
		_ = n.Close()
		_ = server.Close()
		<-ended
		// net/http waits half a second before it closes on a client that still sends.
		pass(time.Second)
	}
}

type numberKey struct{}

func TestHTTPKnowsTheConnection(t *testing.T) {
	t.Parallel()
	settle(t, func() {
		n := runner.NewNetwork(&journal{})
		stop := serve(n, func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, r.Context().Value(numberKey{})) })
		defer stop()
		for _, number := range []string{"1", "2"} {
			client := http.Client{Transport: &http.Transport{DialContext: n.Dial, DisableKeepAlives: true}}
			answer, err := client.Get("http://platform.test/")
			if err != nil {
				t.Error(err)
				return
			}
			body, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if string(body) != number {
				t.Errorf("the server saw connection %s, want %s", body, number)
			}
		}
	})
}

// An answer that comes while the client still sends its body must arrive: each
// side writes and nobody would read if either waited for the other.
func TestEarlyAnswerToALargeUpload(t *testing.T) {
	t.Parallel()
	settle(t, func() {
		n := runner.NewNetwork(&journal{})
		stop := serve(n, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			_, _ = w.Write(make([]byte, 64<<10))
		})
		defer stop()
		transport := &http.Transport{DialContext: n.Dial}
		defer transport.CloseIdleConnections()
		client := http.Client{Transport: transport, Timeout: time.Minute}
		answer, err := client.Post("http://platform.test/", "application/octet-stream", strings.NewReader(strings.Repeat("x", 4<<20)))
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusRequestEntityTooLarge || len(body) != 64<<10 || err != nil {
			t.Errorf("the answer is %d with %d bytes, %v", answer.StatusCode, len(body), err)
		}
	})
}

// A client that gives up is seen by the handler at once, not when it next writes.
func TestServerSeesThatTheClientIsGone(t *testing.T) {
	t.Parallel()
	log := &journal{}
	settle(t, func() {
		log.begin()
		n := runner.NewNetwork(log)
		var gone time.Duration
		stop := serve(n, func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			gone = time.Since(log.start)
			panic(http.ErrAbortHandler)
		})
		defer stop()
		client := http.Client{Transport: &http.Transport{DialContext: n.Dial}, Timeout: 7 * time.Second}
		if _, err := client.Get("http://platform.test/"); err == nil {
			t.Error("the request succeeded")
		}
		runner.Wait()
		if gone != 7*time.Second {
			t.Errorf("the handler saw it after %s, want 7s", gone)
		}
	})
	if lines := log.lines(); len(lines) != 3 || !strings.HasPrefix(lines[2], "7s closed 1 by client, ") || !strings.HasSuffix(lines[2], " 0 out") {
		t.Errorf("observed %q", lines)
	}
}

// BenchmarkExchange measures a request and its answer with all that a run needs
// around it: bubble, network, server, client.
func BenchmarkExchange(b *testing.B) {
	for b.Loop() {
		end, err := runner.Bubble("exchange", runner.Patience, func() {
			n := runner.NewNetwork(&journal{})
			stop := serve(n, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
			defer stop()
			transport := &http.Transport{DialContext: n.Dial}
			defer transport.CloseIdleConnections()
			answer, err := (&http.Client{Transport: transport}).Get("http://platform.test/")
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
		})
		if err != nil || end.How != evidence.EndSettled {
			b.Fatal(end, err)
		}
	}
}
