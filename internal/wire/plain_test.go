package wire

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// TestPlainKeepsTheConnection: plain answers, late or zipped ones too, leave the connection to the next request.
func TestPlainKeepsTheConnection(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]scenarios.Wire{
		"plain": {}, "late": {HeadAfter: time.Second}, "zipped": {Gzip: true}, "other type": {ContentType: evidence.Some("text/html")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inMemory(t, sampleAnswer(), f, func(t *testing.T, b *bed) {
				t.Helper()
				dials := 0
				client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
					dials++
					return b.dial(ctx, network, addr)
				}}}
				for range 3 {
					if got := fetch(b, client, http.NoBody, time.Minute); got.kind != wentWell || got.body != string(sampleAnswer().Body) {
						t.Errorf("the client saw %+v", got)
					}
				}
				client.CloseIdleConnections()
				synctest.Wait()
				run := b.stop()
				if dials != 1 || len(run.Exchanges) != 3 || b.answered != 3 {
					t.Errorf("%d connections, %d exchanges, told of %d answers", dials, len(run.Exchanges), b.answered)
				}
			})
		})
	}
}

// TestTimes: the latency comes after the request's last byte, then the time that the head is held back; the 1xx row
// fits into it; each piece has its pause before it.
func TestTimes(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	tests := []struct {
		name       string
		wire       scenarios.Wire
		head, last time.Duration
		writes     []time.Duration
	}{
		{"plain", scenarios.Wire{}, Latency, Latency, []time.Duration{Latency}},
		{"late", scenarios.Wire{HeadAfter: 5 * ms}, Latency + 5*ms, Latency + 5*ms, []time.Duration{Latency + 5*ms}},
		{
			"late and cut", scenarios.Wire{HeadAfter: 5 * ms, Cut: &scenarios.Cut{After: "headers", How: "close"}},
			Latency + 5*ms, Latency + 5*ms, []time.Duration{Latency + 5*ms},
		},
		{
			"paced", scenarios.Wire{Pace: &scenarios.Pace{Bytes: 40, Every: 2 * ms}},
			Latency, Latency + 4*ms, []time.Duration{Latency, Latency + 2*ms, Latency + 4*ms},
		},
		{
			"informed in the meantime",
			scenarios.Wire{HeadAfter: 5 * ms, Informational: &scenarios.Informational{Statuses: []int{102, 103}, Times: 1, Every: 2 * ms}},
			Latency + 5*ms, Latency + 5*ms, []time.Duration{Latency + 2*ms, Latency + 4*ms, Latency + 5*ms},
		},
		{
			"informed for longer",
			scenarios.Wire{HeadAfter: 5 * ms, Informational: &scenarios.Informational{Statuses: []int{102}, Times: 2, Every: 3 * ms}},
			Latency + 6*ms, Latency + 6*ms, []time.Duration{Latency + 3*ms, Latency + 6*ms, Latency + 6*ms},
		},
		{"slow upload", scenarios.Wire{Upload: &scenarios.Upload{StopAfter: -1, Bytes: 70, Every: 7 * ms}}, 7*ms + Latency, 7*ms + Latency, []time.Duration{7*ms + Latency}},
		{"early", scenarios.Wire{Early: true, HeadAfter: 5 * ms}, Latency + 5*ms, Latency + 5*ms, []time.Duration{Latency + 5*ms}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inMemory(t, sampleAnswer(), tt.wire, func(t *testing.T, b *bed) {
				t.Helper()
				client := b.client()
				fetch(b, client, strings.NewReader(uploaded), time.Minute)
				client.CloseIdleConnections()
				synctest.Wait()
				x := one(t, b.stop())
				if *x.HeadFrom != *x.HeadBy || x.HeadBy.Duration() != tt.head || *x.LastFrom != *x.LastBy || x.LastBy.Duration() != tt.last {
					t.Errorf("head %v to %v, last %v to %v", x.HeadFrom, x.HeadBy, x.LastFrom, x.LastBy)
				}
				var at []time.Duration
				for _, w := range x.Response.Writes {
					at = append(at, w.At.Duration())
				}
				if diff := cmp.Diff(tt.writes, at); diff != "" {
					t.Errorf("the pieces went out at other times (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestWhoEnds: a client that goes while the server waits is told from the run that ends.
func TestWhoEnds(t *testing.T) {
	t.Parallel()
	late := scenarios.Wire{HeadAfter: time.Hour}
	taken := scenarios.Wire{HeadAfter: time.Hour, Finish: "close"}
	endless := scenarios.Wire{Informational: &scenarios.Informational{Statuses: []int{100}, Every: time.Second}}
	row := scenarios.Wire{Informational: &scenarios.Informational{Statuses: []int{100}, Every: time.Hour, Times: 1}}
	paced := scenarios.Wire{Pace: &scenarios.Pace{Bytes: 1, Every: time.Minute, Head: true}}
	stopped := scenarios.Wire{Upload: &scenarios.Upload{StopAfter: 3}}
	slow := scenarios.Wire{Upload: &scenarios.Upload{StopAfter: -1, Bytes: 1, Every: time.Minute}}
	silent := scenarios.Wire{Cut: &scenarios.Cut{After: "request", How: "hang"}}
	for name, f := range map[string]scenarios.Wire{
		"late": late, "taken over": taken, "endless 1xx": endless, "a row of 1xx": row, "paced": paced, "stopped upload": stopped, "slow upload": slow, "silent": silent,
	} {
		for _, who := range []evidence.EndedBy{evidence.EndedByClient, evidence.EndedByRun} {
			t.Run(name+" ended by the "+string(who), func(t *testing.T) {
				t.Parallel()
				inMemory(t, sampleAnswer(), f, func(t *testing.T, b *bed) {
					t.Helper()
					checkWhoEnds(t, b, who)
				})
			})
		}
	}
}

func checkWhoEnds(t *testing.T, b *bed, who evidence.EndedBy) {
	t.Helper()
	client := b.client()
	within := time.Hour / 2
	if who == evidence.EndedByClient {
		within = 2 * time.Second
	}
	done := make(chan seen, 1)
	go func() { done <- fetch(b, client, strings.NewReader(uploaded), within) }()
	<-time.After(3 * time.Second)
	synctest.Wait()
	x := one(t, b.stop())
	<-done
	client.CloseIdleConnections()
	if x.EndedBy != who {
		t.Errorf("ended by %q", x.EndedBy)
	}
	if at := x.Ended.Duration(); who == evidence.EndedByClient && at != 2*time.Second {
		t.Errorf("ended at %v", at)
	}
}

// dialled is a connection on which nothing was said yet.
func dialled(t *testing.T, b *bed) net.Conn {
	t.Helper()
	conn, err := b.dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// raw sends bytes and returns everything that comes back until the server ends the connection or the client has
// waited for a minute.
func raw(t *testing.T, b *bed, request string) string {
	t.Helper()
	conn := dialled(t, b)
	go func() { _, _ = io.WriteString(conn, request) }()
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	text, _ := io.ReadAll(conn)
	_ = conn.Close()
	synctest.Wait()
	return string(text)
}

// TestRequests: odd requests, and what is recorded of them.
func TestRequests(t *testing.T) {
	t.Parallel()
	const chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nteal\r\n0\r\n\r\n"
	const expecting = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\nConnection: close\r\n\r\nteal"
	const short = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nteal"
	slow := scenarios.Wire{Upload: &scenarios.Upload{StopAfter: -1}}
	tests := []struct {
		name, request string
		wire          scenarios.Wire
		body          string
		read          bool
		begins, ends  string
	}{
		{"chunked", chunked, scenarios.Wire{}, "teal", true, "HTTP/1.1 200 OK\r\n", "again\"}"},
		{"chunked, taken over", chunked, slow, "teal", true, "HTTP/1.1 200 OK\r\n", "again\"}"},
		{"chunked, early", chunked, scenarios.Wire{Early: true}, "teal", true, "HTTP/1.1 200 OK\r\n", "again\"}"},
		{"expecting", expecting, scenarios.Wire{}, "teal", true, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n", "again\"}"},
		{"expecting, taken over", expecting, slow, "teal", true, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n", "again\"}"},
		{"expecting, early", expecting, scenarios.Wire{Early: true}, "teal", true, "HTTP/1.1 200 OK\r\n", "again\"}"},
		{"stalled upload", short, scenarios.Wire{}, "teal", false, "", ""},
		{"stalled upload, taken over", short, slow, "teal", false, "", ""},
		{"not chunked as it says", strings.Replace(chunked, "4\r\n", "zz\r\n", 1), scenarios.Wire{}, "", false, "", ""},
		{"head only", "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", scenarios.Wire{}, "", true, "HTTP/1.1 200 OK\r\n", "\r\n\r\n"},
		{"stop at the end", expecting, scenarios.Wire{Upload: &scenarios.Upload{StopAfter: 4}}, "teal", true, "HTTP/1.1 100", "again\"}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inMemory(t, sampleAnswer(), tt.wire, func(t *testing.T, b *bed) {
				t.Helper()
				got := raw(t, b, tt.request)
				x := one(t, b.stop())
				if !strings.HasPrefix(got, tt.begins) || !strings.HasSuffix(got, tt.ends) || tt.ends == "" && got != "" {
					t.Errorf("the client read %q", got)
				}
				if string(x.Request.Body.Bytes) != tt.body || (x.BodyRead != nil) != tt.read || (x.Request.BodyError == "") != tt.read {
					t.Errorf("recorded the body %q, read %v, %q", x.Request.Body.Bytes, x.BodyRead, x.Request.BodyError)
				}
			})
		})
	}
}

// TestAnswers: answers that net/http would not send, or not so.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const get = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	long := strings.Repeat("dunlin ", 1000)
	tests := []struct {
		name   string
		answer Answer
		wire   scenarios.Wire
		want   string // with the date left out
		status int
		body   string
	}{
		{
			"as spelled", Answer{Status: 200, Header: http.Header{"x-small": {"a", "b"}, "Date": {"never"}}, Body: []byte("ab")}, scenarios.Wire{},
			"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\nDate: never\r\nx-small: a\r\nx-small: b\r\n\r\nab", 200, "ab",
		},
		{
			"an unknown status", Answer{Status: 799}, scenarios.Wire{Finish: "close"},
			"HTTP/1.1 799 Status\r\nContent-Length: 0\r\n\r\n", 799, "",
		},
		{
			"no content", Answer{Status: 204}, scenarios.Wire{},
			"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", 204, "",
		},
		{
			"no content with a body", Answer{Status: 204, Body: []byte("ab")}, scenarios.Wire{},
			"HTTP/1.1 204 No Content\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab", 204, "ab",
		},
		{
			"its own length", Answer{Status: 200, Header: http.Header{"content-length": {"1"}}, Body: []byte("ab")}, scenarios.Wire{},
			"HTTP/1.1 200 OK\r\nConnection: close\r\ncontent-length: 1\r\n\r\nab", 200, "ab",
		},
		{
			"its own connection", Answer{Status: 200, Header: http.Header{"Connection": {"keep-alive"}}}, scenarios.Wire{},
			"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", 200, "",
		},
		{
			"verbatim", Answer{Verbatim: []byte("HTTP/1.1 418 Tea\r\nA: b\r\na:c\r\n\r\nxyz")}, scenarios.Wire{},
			"HTTP/1.1 418 Tea\r\nA: b\r\na:c\r\n\r\nxyz", 418, "xyz",
		},
		{
			"verbatim without a head", Answer{Verbatim: []byte("linnet")}, scenarios.Wire{}, "linnet", 0, "linnet",
		},
		{
			"verbatim with a strange status", Answer{Verbatim: []byte("HTTP/1.1 tea\r\n\r\n")}, scenarios.Wire{}, "HTTP/1.1 tea\r\n\r\n", 0, "",
		},
		{
			"long", Answer{Status: 200, Body: []byte(long)}, scenarios.Wire{},
			"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 7000\r\n\r\n" + long, 200, long,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inMemory(t, tt.answer, tt.wire, func(t *testing.T, b *bed) {
				t.Helper()
				got := raw(t, b, get)
				x := one(t, b.stop())
				if undated := withoutDate(got); undated != tt.want {
					t.Errorf("the client read\n%q, want\n%q", undated, tt.want)
				}
				if x.Response.Status != tt.status || string(x.Response.Body.Bytes) != tt.body || x.Response.Sent != int64(len(got)) {
					t.Errorf("recorded %d, %q, %d bytes of %d", x.Response.Status, x.Response.Body.Bytes, x.Response.Sent, len(got))
				}
			})
		})
	}
}

func withoutDate(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "Date: ") || strings.HasSuffix(line, "never\r\n") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// TestGoneInTheMiddle: a client that takes only the beginning of an answer is on record with what it took.
func TestGoneInTheMiddle(t *testing.T) {
	t.Parallel()
	big := Answer{Status: 200, Body: []byte(strings.Repeat("x", 1<<20))}
	for name, f := range map[string]scenarios.Wire{
		"plain": {}, "taken over": {Finish: "close"},
		"paced": {Pace: &scenarios.Pace{Bytes: 1 << 19, Every: time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inMemory(t, big, f, func(t *testing.T, b *bed) {
				t.Helper()
				conn := dialled(t, b)
				_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
				response, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil || response.StatusCode != 200 {
					t.Fatalf("read %v, %v", response, err)
				}
				_ = conn.Close()
				synctest.Wait()
				x := one(t, b.stop())
				if x.EndedBy != evidence.EndedByClient || x.Response == nil || x.Response.Status != 200 || x.Response.Complete {
					t.Errorf("ended by %q, %+v", x.EndedBy, x.Response)
				}
			})
		})
	}
}

// TestRunEndsWhileWriting: a client that takes no byte does not hold up the end of the run.
func TestRunEndsWhileWriting(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]scenarios.Wire{
		"plain": {}, "taken over": {Finish: "close"}, "informed": {Informational: &scenarios.Informational{Statuses: []int{100}, Times: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inMemory(t, sampleAnswer(), f, func(t *testing.T, b *bed) {
				t.Helper()
				conn := dialled(t, b)
				_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
				<-time.After(time.Second)
				synctest.Wait()
				x := one(t, b.stop())
				_ = conn.Close()
				if x.EndedBy != evidence.EndedByRun {
					t.Errorf("ended by %q", x.EndedBy)
				}
			})
		})
	}
}
