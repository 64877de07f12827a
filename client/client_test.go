package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestNewReportsEveryProblem(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config Config
		want   []string
	}{
		"nothing given":     {Config{}, []string{"PlatformURL: is missing", "PlatformToken: must be"}},
		"relative":          {Config{PlatformURL: "platform.test", PlatformToken: "t"}, []string{"PlatformURL: is not an absolute"}},
		"credentials":       {Config{PlatformURL: "http://u:secretword@h", PlatformToken: "t"}, []string{"PlatformURL: credentials"}},
		"refresh of a line": {Config{PlatformURL: "http://h", PlatformToken: "t", RefreshToken: "secretword\n"}, []string{"RefreshToken: must be"}},
		"token of a line":   {Config{PlatformURL: "http://h", PlatformToken: "secretword\r\n"}, []string{"PlatformToken: must be"}},
	} {
		c, err := New(test.config)
		var invalid *InvalidArgumentError
		if c != nil || !errors.As(err, &invalid) || len(invalid.Problems) != len(test.want) {
			t.Errorf("%s: got %v, %v", name, c, err)
			continue
		}
		for i, want := range test.want {
			if !strings.HasPrefix(invalid.Problems[i], want) {
				t.Errorf("%s: problem %q, want %q", name, invalid.Problems[i], want)
			}
		}
		if strings.Contains(err.Error(), "secretword") {
			t.Errorf("%s: the error shows a secret: %v", name, err)
		}
	}
}

// both serves platform and runtime from one real server.
func both(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if strings.HasSuffix(r.URL.Path, "/resolve-runtime-access/") {
		scheme := "http://"
		if r.TLS != nil {
			scheme = "https://"
		}
		_, _ = io.WriteString(w, admitting(runtimeToken, scheme+r.Host+"/prefix", ""))
		return
	}
	_, _ = io.WriteString(w, answering(r.Method+" "+r.RequestURI))
}

func TestSendOverTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(both))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())

	trusting, err := New(Config{PlatformURL: server.URL, PlatformToken: platformToken, TLS: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}})
	if err != nil {
		t.Fatal(err)
	}
	for _, timeout := range []Timeout{{}, Total(60)} {
		result, err := trusting.Send(t.Context(), Request{SessionUID: session, Text: "x", Timeout: timeout})
		if err != nil {
			t.Fatal(err)
		}
		if got := result.(*Message).Text(); got != "POST /prefix/api/a2a/v1/message:send" {
			t.Errorf("got %q", got)
		}
	}
}

func TestSendDoesNotTrustAnUnknownCertificate(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(both))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	defer server.Close()
	c, err := New(Config{PlatformURL: server.URL, PlatformToken: platformToken})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Send(t.Context(), Request{SessionUID: session, Text: "x"})
	if got := mustFail[*TransportError](t, err); got.Doing != "connecting" {
		t.Errorf("got %v", err)
	}
}

func TestTLSHandshakeThatHangs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t)
		f.replies["platform.test:443"] = []reply{{deaf: true, play: func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }}}
		c, err := New(Config{PlatformURL: "https://platform.test", PlatformToken: platformToken, DialContext: f.dial})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Send(t.Context(), Request{SessionUID: session, Text: "x", Timeout: Phases(2, 8)})
		if got := mustFail[*TimeoutError](t, err); got.Phase != PhaseConnect || time.Since(f.start) != 2*time.Second {
			t.Errorf("after %v: %v", time.Since(f.start), err)
		}
	})
}

func TestRefusedConnectionOnARealSocket(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	c, err := New(Config{PlatformURL: server.URL, PlatformToken: platformToken})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Send(t.Context(), Request{SessionUID: session, Text: "x"})
	mustFail[*TransportError](t, err)
}

// The net package may notice a deadline a moment before the context does.
func TestDialThatReportsItsOwnDeadline(t *testing.T) {
	for name, test := range map[string]struct {
		timeout Timeout
		check   func(*testing.T, error)
	}{
		"connect phase": {Phases(1, 1), failsAs[*TimeoutError]},
		"total":         {Total(1), failsAs[*TimeoutError]},
		"neither":       {Total(3), failsAs[*TransportError]},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			slow := func(context.Context, string, string) (net.Conn, error) {
				<-time.After(time.Second) // virtual
				return nil, errors.New("i/o timeout")
			}
			c, err := New(Config{PlatformURL: "http://platform.test", PlatformToken: platformToken, DialContext: slow})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Send(t.Context(), Request{SessionUID: session, Text: "x", Timeout: test.timeout})
			test.check(t, err)
		})
	}
}

func TestConnectionWithoutDeadlines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(silent())
		dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := f.dial(ctx, network, addr)
			return noDeadlines{conn}, err
		}
		c, err := New(Config{PlatformURL: "http://platform.test", PlatformToken: platformToken, DialContext: dial})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Send(t.Context(), Request{SessionUID: session, Text: "x", Timeout: Total(1)})
		mustFail[*TimeoutError](t, err) // a total needs no deadline on the connection
	})
}

type noDeadlines struct{ net.Conn }

func (noDeadlines) SetReadDeadline(time.Time) error { return errors.New("has no deadlines") }

func TestClientIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(both))
	defer server.Close()
	c, err := New(Config{PlatformURL: server.URL, PlatformToken: platformToken})
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			for range 3 {
				if _, err := c.Send(t.Context(), Request{SessionUID: session, Text: "x"}); err != nil {
					t.Error(err)
				}
			}
			_ = c.Close()
		})
	}
	calls.Wait()
}
