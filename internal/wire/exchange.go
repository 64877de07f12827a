package wire

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Latency is how long every answer of a mock takes at least. Computing takes no virtual time, so without it a client
// that retries at once would never reach its budget; being odd, it keeps answers off round numbers.
const Latency = 1009 * time.Microsecond

// maxBody is how many bytes of a request's body are read: what is longer is no message but a runaway.
const maxBody = 256 << 20

// Options are what all exchanges of a run have in common.
type Options struct {
	// Recorder is where everything is recorded.
	Recorder *evidence.Recorder
	// Latency is how long every answer takes at least, counted from the last byte of the request.
	Latency time.Duration
	// Closed is closed when the run is over; see the package comment.
	Closed <-chan struct{}
}

// Exchange is one request that is being answered. It belongs to the goroutine of its handler.
type Exchange struct {
	w       http.ResponseWriter
	r       *http.Request
	open    *evidence.Open
	opt     Options
	body    []byte
	bodyErr error
	read    bool
	// OnAnswered, where it is set, is called just before the last byte of a whole answer goes out: what it does has
	// happened when the client knows the answer.
	OnAnswered func()
}

// Begin records the arrival of a request and starts to answer it.
func Begin(w http.ResponseWriter, r *http.Request, endpoint string, op evidence.Op, opt Options) *Exchange {
	open := opt.Recorder.Arrive(evidence.Exchange{
		Endpoint: endpoint, Op: op, Connection: Connection(r.Context()),
		Request: evidence.Request{
			Method: r.Method, Target: r.RequestURI, Host: r.Host, Proto: r.Proto,
			Header: r.Header, ContentLength: r.ContentLength,
		},
	})
	return &Exchange{w: w, r: r, open: open, opt: opt}
}

// Open is the record of the exchange.
func (x *Exchange) Open() *evidence.Open { return x.open }

// Body reads the request's body whole, at the first call, and returns it. An error means that the client broke off,
// or that the body is not framed as HTTP has it; what came before it is returned too.
func (x *Exchange) Body() ([]byte, error) {
	if !x.read {
		body, err := readBody(x.r.Body, x.r.ContentLength, maxBody)
		x.received(body, err)
	}
	return x.body, x.bodyErr
}

// received keeps what was read of the body and records it.
func (x *Exchange) received(body []byte, err error) {
	x.body, x.bodyErr, x.read = body, err, true
	x.open.BodyRead(body, int64(len(body)), err)
}

// trusted is how much room a request is given for the length that it announces, before any of it came.
const trusted = 32 << 20

// readBody reads a body of at most so many bytes.
func readBody(r io.Reader, announced int64, most int) ([]byte, error) {
	var body bytes.Buffer
	if announced > 0 && announced <= int64(most) {
		body.Grow(int(min(announced, trusted)) + bytes.MinRead) // so that a large body is not copied while it grows
	}
	_, err := body.ReadFrom(io.LimitReader(r, int64(most)+1))
	if err == nil && body.Len() > most {
		return body.Bytes()[:most], fmt.Errorf("the body is longer than %d bytes and was not read on", most)
	}
	return body.Bytes(), err
}

// Answer sends an answer, lets happen to it what the scenario says, and records all of it. It returns when the
// exchange has ended, or panics with http.ErrAbortHandler when it ended without an answer, so that net/http adds none.
func (x *Exchange) Answer(a Answer, f scenarios.Wire) {
	if f.Early || f.Upload != nil {
		x.takeOver(a, f)
		return
	}
	if _, err := x.Body(); err != nil {
		x.abort(x.whoLeft())
	}
	if plain(a, &f) {
		x.answerPlain(a, f)
		return
	}
	x.takeOver(a, f)
}

// plain tells whether net/http can send the answer and keep the connection.
func plain(a Answer, f *scenarios.Wire) bool {
	faulted := f.Pace != nil || f.Cut != nil || f.Finish != "" || f.Informational != nil || !f.ContentLength.IsZero()
	framed := has(a.Header, "Content-Length") || has(a.Header, "Transfer-Encoding") || has(a.Header, "Connection")
	odd := a.Status < 200 || a.Status > 999 || bodyless(a.Status) && len(a.Body) > 0
	return a.Verbatim == nil && !faulted && !framed && !odd
}

// answerPlain sends an answer through net/http.
func (x *Exchange) answerPlain(a Answer, f scenarios.Wire) {
	if x.r.Method == http.MethodHead {
		a.Body = nil
	}
	p := party{gone: x.r.Context().Done(), closed: x.opt.Closed}
	if who := p.wait(x.opt.Latency + f.HeadAfter); who != "" {
		x.abort(who)
	}
	o := compose(a, &f, x.r.Close)
	header := x.w.Header()
	maps.Copy(header, o.header)
	if !has(o.header, "Content-Type") {
		header["Content-Type"] = nil // net/http would guess one
	}
	x.writePlain(x.sending(o, &f))
	x.open.End(evidence.EndedByServer)
}

// smallBody is how long a body may be to go out with its head in one write: net/http's buffers hold that much.
const smallBody = 1024

// writePlain writes an answer through net/http. The head of a long answer goes ahead, so that it is on record when the
// client gives up in the middle of the body; how much of a piece that failed was taken is known to net/http alone.
func (x *Exchange) writePlain(s *sending) {
	head, body := s.out.head, s.out.bytes[s.out.head:]
	from := x.opt.Recorder.Now()
	x.w.WriteHeader(s.out.status)
	if len(body) > smallBody {
		x.flush()
		s.wrote(from, head)
		head, from = 0, x.opt.Recorder.Now()
	}
	x.answered()
	if len(body) > 0 {
		if _, err := x.w.Write(body); err != nil { //nolint:gosec // what a scenario sends is meant for a client under test
			x.abort(x.whoLeft())
		}
	}
	x.flush()
	s.wrote(from, head+len(body))
}

// flush sends what net/http holds, and leaves the handler where the client does not take it.
func (x *Exchange) flush() {
	if err := http.NewResponseController(x.w).Flush(); err != nil {
		x.abort(x.whoLeft())
	}
}

// sending begins the record of an answer.
func (x *Exchange) sending(o *outgoing, f *scenarios.Wire) *sending {
	if names := faults(f); names != "" {
		x.open.Fault(names)
	}
	return &sending{x: x, out: o}
}

// answered tells whoever wants to know that the client is about to have a whole answer.
func (x *Exchange) answered() {
	if x.OnAnswered != nil {
		x.OnAnswered()
	}
}

// whoLeft tells who ended an exchange whose connection failed: the run, when it is over, or the client.
func (x *Exchange) whoLeft() evidence.EndedBy {
	select {
	case <-x.opt.Closed:
		return evidence.EndedByRun
	default:
		return evidence.EndedByClient
	}
}

// abort records the end of an exchange without a whole answer and leaves the handler.
func (x *Exchange) abort(who evidence.EndedBy) {
	x.open.End(who)
	panic(http.ErrAbortHandler)
}
