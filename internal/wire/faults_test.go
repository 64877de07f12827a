package wire

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// fault is one fault of the wire, and the kind of end that it alone gives a client.
type fault struct {
	name string
	wire scenarios.Wire
	kind string
}

func cut(after string, n int64, how string) scenarios.Wire {
	return scenarios.Wire{Cut: &scenarios.Cut{After: after, Bytes: n, How: how}}
}

func faultsOfTheWire() []fault {
	const ms = time.Millisecond
	return []fault{
		{"plain", scenarios.Wire{}, wentWell},
		{"late head", scenarios.Wire{HeadAfter: 3 * ms}, wentWell},
		{"paced body", scenarios.Wire{Pace: &scenarios.Pace{Bytes: 10, Every: ms}}, wentWell},
		{"paced head", scenarios.Wire{Pace: &scenarios.Pace{Bytes: 60, Every: ms, Head: true}}, wentWell},
		{"cut before the answer", cut("request", 0, "close"), broken},
		{"reset before the answer", cut("request", 0, "reset"), wasReset},
		{"silent", cut("request", 0, "hang"), tookLong},
		{"cut in the head", cut("status-line", 0, "close"), broken},
		{"reset in the head", cut("status-line", 0, "reset"), broken},
		{"stalled in the head", cut("status-line", 0, "hang"), tookLong},
		{"cut after the head", cut("headers", 0, "close"), broken},
		{"cut in the body", cut("", 12, "close"), broken},
		{"reset in the body", cut("", 12, "reset"), wasReset},
		{"stalled in the body", cut("", 12, "hang"), tookLong},
		{"slow upload", scenarios.Wire{Upload: &scenarios.Upload{StopAfter: -1, Bytes: 50, Every: ms}}, wentWell},
		{"stopped upload", scenarios.Wire{Upload: &scenarios.Upload{StopAfter: 20}}, tookLong},
		{"early", scenarios.Wire{Early: true}, wentWell},
		{"closed after", scenarios.Wire{Finish: "close"}, wentWell},
		{"reset after", scenarios.Wire{Finish: "reset"}, wentWell},
		{"informed", scenarios.Wire{Informational: &scenarios.Informational{Statuses: []int{100, 103}, Times: 2, Every: ms}}, wentWell},
		{"zipped", scenarios.Wire{Gzip: true}, wentWell},
		{"another type", scenarios.Wire{ContentType: evidence.Some("text/plain")}, wentWell},
		{"no type", scenarios.Wire{ContentType: evidence.Null[string]()}, wentWell},
		{"length too long", scenarios.Wire{ContentLength: evidence.Some[int64](500)}, broken},
		{"length too short", scenarios.Wire{ContentLength: evidence.Some[int64](5)}, wentWell},
		{"no length", scenarios.Wire{ContentLength: evidence.Null[int64]()}, wentWell},
	}
}

// together is both faults at once; false where both set the same member.
func together(a, b scenarios.Wire) (scenarios.Wire, bool) {
	clash := a.Pace != nil && b.Pace != nil || a.Cut != nil && b.Cut != nil || a.Upload != nil && b.Upload != nil ||
		a.Finish != "" && b.Finish != "" || !a.ContentType.IsZero() && !b.ContentType.IsZero() ||
		!a.ContentLength.IsZero() && !b.ContentLength.IsZero()
	w := a
	w.HeadAfter = max(a.HeadAfter, b.HeadAfter)
	w.Early = a.Early || b.Early
	w.Gzip = a.Gzip || b.Gzip
	if b.Pace != nil {
		w.Pace = b.Pace
	}
	if b.Cut != nil {
		w.Cut = b.Cut
	}
	if b.Upload != nil {
		w.Upload = b.Upload
	}
	if b.Finish != "" {
		w.Finish = b.Finish
	}
	if b.Informational != nil {
		w.Informational = b.Informational
	}
	if !b.ContentType.IsZero() {
		w.ContentType = b.ContentType
	}
	if !b.ContentLength.IsZero() {
		w.ContentLength = b.ContentLength
	}
	return w, !clash
}

// expected is the kind of end that any combination gives, by what each member promises.
func expected(f scenarios.Wire, body int) string {
	length, announced := f.ContentLength.Get()
	short := announced && length < int64(body)
	switch {
	case f.Upload != nil && f.Upload.StopAfter >= 0 && !f.Early:
		return tookLong
	case f.Cut != nil && short && f.Cut.After == "" && f.Cut.Bytes >= length:
		return wentWell // the client has all that it was promised
	case f.Cut != nil && f.Cut.How == "hang":
		return tookLong
	case f.Cut != nil && f.Cut.How == "reset" && f.Cut.After == "status-line":
		return broken // a socket tells of its reset once, and net/http drops that while it looks for a header
	case f.Cut != nil && f.Cut.How == "reset":
		return wasReset
	case f.Cut != nil && f.Cut.After != "request" && f.Cut.After != "status-line" && f.ContentLength.IsNull():
		return wentWell // the end of the connection is the end of the body
	case f.Cut != nil:
		return broken
	case announced && !short && f.Finish == "reset":
		return wasReset
	case announced && !short:
		return broken
	case f.ContentLength.IsNull() && f.Finish == "reset":
		return wasReset
	default:
		return wentWell
	}
}

// combinations are all faults alone and in pairs.
func combinations() []fault {
	singles := faultsOfTheWire()
	found := singles
	for i, a := range singles {
		for _, b := range singles[i+1:] {
			if w, ok := together(a.wire, b.wire); ok {
				found = append(found, fault{a.name + " and " + b.name, w, ""})
			}
		}
	}
	return found
}

// upload is a request body that goes out in one piece with its head.
var uploaded = strings.Repeat("linnet ", 20)

func TestFaultsInMemory(t *testing.T) {
	t.Parallel()
	for _, f := range combinations() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			inMemory(t, sampleAnswer(), f.wire, func(t *testing.T, b *bed) {
				t.Helper()
				client := b.client()
				got := fetch(b, client, strings.NewReader(uploaded), 2*time.Second)
				client.CloseIdleConnections()
				waitFor(t, b)
				checkFault(t, f, got, b.stop())
			})
		})
	}
}

func TestFaultsOnSockets(t *testing.T) {
	t.Parallel()
	for _, f := range combinations() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			l, dial := listenTCP(t)
			b := newBed(l, dial, sampleAnswer(), f.wire)
			client := b.client()
			within := 10 * time.Second
			if expected(f.wire, len(sampleAnswer().Body)) == tookLong {
				within = 150 * time.Millisecond
			}
			got := fetch(b, client, strings.NewReader(uploaded), within)
			client.CloseIdleConnections()
			waitFor(t, b)
			checkFault(t, f, got, b.stop())
		})
	}
}

// waitFor lets the server see on its own that the client has gone, where it can.
func waitFor(t *testing.T, b *bed) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		b.wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(200 * time.Millisecond): // an upload that is not read hides a client's end on TCP
	}
}

// checkFault holds what the client saw, and what was recorded, against what the fault promises.
func checkFault(t *testing.T, f fault, got seen, run evidence.Run) {
	t.Helper()
	size := len(sampleAnswer().Body)
	want := expected(f.wire, size)
	if f.kind != "" && want != f.kind {
		t.Fatalf("the expectation %q is not that of the table, %q", want, f.kind)
	}
	if got.kind != want {
		t.Errorf("the client saw %q, want %q", got.kind, want)
	}
	x := one(t, run)
	if x.Connection != 7 || x.Ended == nil {
		t.Errorf("connection %d, ended %v", x.Connection, x.Ended)
	}
	checkEnd(t, f.wire, want, &x)
	if x.Response != nil {
		checkResponse(t, f.wire, got, x.Response)
	}
	if want == wentWell && f.wire.ContentLength.IsZero() && got.status != http.StatusOK {
		t.Errorf("status %d", got.status)
	}
	if (x.HeadFrom == nil) != (x.HeadBy == nil) || x.HeadFrom != nil && *x.HeadFrom > *x.HeadBy {
		t.Errorf("the head went out from %v by %v", x.HeadFrom, x.HeadBy)
	}
}

func checkEnd(t *testing.T, f scenarios.Wire, kind string, x *evidence.Exchange) {
	t.Helper()
	stopped := f.Upload != nil && f.Upload.StopAfter >= 0
	switch {
	case stopped && !f.Early:
		// On TCP nothing tells of the client's end while its upload is not read.
		if x.EndedBy != evidence.EndedByClient && x.EndedBy != evidence.EndedByRun {
			t.Errorf("ended by %q", x.EndedBy)
		}
	case stopped && kind == tookLong: // as before
	case f.Cut != nil && f.Cut.How != "hang" || kind == broken:
		if x.EndedBy != evidence.EndedByCut {
			t.Errorf("ended by %q, want cut", x.EndedBy)
		}
	case kind == tookLong:
		if x.EndedBy != evidence.EndedByClient {
			t.Errorf("ended by %q, want client", x.EndedBy)
		}
	case kind == wentWell && f.Cut == nil:
		if x.EndedBy != evidence.EndedByServer || !x.Response.Complete {
			t.Errorf("ended by %q, complete %t", x.EndedBy, x.Response.Complete)
		}
	}
	unread := f.Early && (f.Finish == "reset" || f.Cut != nil && f.Cut.How == "reset")
	if !stopped && !unread && string(x.Request.Body.Bytes) != uploaded {
		t.Errorf("the request's body was recorded as %q, %s", x.Request.Body.Bytes, x.Request.BodyError)
	}
}

func checkResponse(t *testing.T, f scenarios.Wire, got seen, r *evidence.Response) {
	t.Helper()
	whole := string(sampleAnswer().Body)
	if !strings.HasPrefix(whole, string(r.Body.Bytes)) {
		t.Errorf("recorded the body %q", r.Body.Bytes)
	}
	if r.Complete && string(r.Body.Bytes) != whole && f.ContentLength.IsZero() {
		t.Errorf("recorded %q as the whole body", r.Body.Bytes)
	}
	var sum int64
	for _, w := range r.Writes {
		sum += w.Bytes
	}
	if sum != r.Sent {
		t.Errorf("the pieces are %d bytes, sent %d", sum, r.Sent)
	}
	if want := faults(&f); r.Fault != want {
		t.Errorf("the fault is %q, want %q", r.Fault, want)
	}
	if got.kind == wentWell && f.Cut == nil && f.ContentLength.IsZero() {
		text := got.body
		if f.Gzip {
			text = string(unzipped([]byte(text)))
		}
		if text != whole {
			t.Errorf("the client read %q", got.body)
		}
	}
}

// TestEarlyLargeUpload: a client that is still writing eight megabytes gets its answer and is not stuck, whether or
// not its connection has buffers, and whether or not it reads before it has written all.
func TestEarlyLargeUpload(t *testing.T) {
	t.Parallel()
	big := bytes.Repeat([]byte("x"), 8<<20)
	check := func(t *testing.T, b *bed) {
		t.Helper()
		client := b.client()
		got := fetch(b, client, bytes.NewReader(big), time.Minute)
		client.CloseIdleConnections()
		run := b.stop()
		if got.kind != wentWell || got.body != string(sampleAnswer().Body) {
			t.Errorf("the client saw %q, body %q", got.kind, got.body)
		}
		if x := one(t, run); x.EndedBy != evidence.EndedByServer {
			t.Errorf("ended by %q", x.EndedBy)
		}
	}
	f := scenarios.Wire{Early: true}
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		inMemory(t, sampleAnswer(), f, func(t *testing.T, b *bed) {
			t.Helper()
			check(t, b)
		})
	})
	t.Run("sockets", func(t *testing.T) {
		t.Parallel()
		l, dial := listenTCP(t)
		b := newBed(l, dial, sampleAnswer(), f)
		check(t, b)
	})
	t.Run("writes all before it reads", func(t *testing.T) {
		t.Parallel()
		inMemory(t, sampleAnswer(), f, func(t *testing.T, b *bed) {
			t.Helper()
			conn := dialled(t, b)
			_, _ = io.WriteString(conn, "POST /answer HTTP/1.1\r\nHost: x\r\nContent-Length: 8388608\r\n\r\n")
			if _, err := conn.Write(big); err != nil {
				t.Errorf("write: %v", err)
			}
			text, err := io.ReadAll(conn)
			if err != nil || !bytes.HasSuffix(text, sampleAnswer().Body) {
				t.Errorf("read %q, %v", text, err)
			}
			_ = conn.Close()
			x := one(t, b.stop())
			if x.Request.Body.Size != 8<<20 || x.EndedBy != evidence.EndedByServer {
				t.Errorf("recorded %d bytes, ended by %q", x.Request.Body.Size, x.EndedBy)
			}
		})
	})
}
