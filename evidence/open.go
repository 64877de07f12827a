package evidence

import (
	"net/http"
	"slices"
)

// Open is an exchange that is being recorded. Its methods may be called from any goroutine; after its end, and after
// the end of the run, they change nothing.
type Open struct {
	r     *Recorder
	x     Exchange
	facts facts
	// answer is what was sent of the body so far, secrets included; it is gone once the exchange has ended.
	answer []byte
}

// Arrive records a request whose head has been read. Seq is assigned; Arrived is now where it is zero. Calls and
// Response of e are not used. What is known of the body follows by BodyRead.
func (r *Recorder) Arrive(e Exchange) *Open {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Arrived == 0 {
		e.Arrived = r.Now()
	}
	e.Seq = len(r.exchanges) + 1
	e.Calls, e.Response = nil, nil
	e.Request.Target = r.redactor.text(e.Request.Target)
	e.Request.Host = r.redactor.text(e.Request.Host)
	e.Request.Header = r.redactHeader(e.Request.Header)
	o := &Open{r: r, x: e}
	o.facts = headFacts(&o.x)
	if !r.closed {
		r.exchanges = append(r.exchanges, o)
	}
	return o
}

func (o *Open) edit(edit func(x *Exchange)) {
	o.r.mu.Lock()
	defer o.r.mu.Unlock()
	if !o.r.closed && o.x.EndedBy == "" {
		edit(&o.x)
	}
}

// SetOp records what the request asks for, where that was not known when it arrived.
func (o *Open) SetOp(op Op) {
	o.edit(func(x *Exchange) { x.Op = op })
}

// SetScripted records whether the script foresaw the request.
func (o *Open) SetScripted(scripted bool) {
	o.edit(func(x *Exchange) { x.Scripted = scripted })
}

// BodyRead records the body of the request, at its end now or, with an error, as far as it came. size is what was
// read from the wire. The recorder keeps body: it must not be changed afterwards.
func (o *Open) BodyRead(body []byte, size int64, err error) {
	now := o.r.Now()
	o.edit(func(x *Exchange) {
		if err != nil {
			x.Request.BodyError = o.r.redactor.text(err.Error())
		} else {
			x.BodyRead = &now
		}
		x.Request.Body = o.r.bodies.Keep(o.r.redactor.bytes(body), size)
		if x.Op == OpSendMessage {
			o.facts.readBody(x.Request.Body.Bytes)
		}
		o.r.attribution.learn(o.facts, o.candidates())
	})
}

// Head records that the status line and the head of the answer were written between from and by. Its bytes are
// counted by Wrote.
func (o *Open) Head(status int, header http.Header, from, by Offset) {
	o.edit(func(x *Exchange) {
		response := o.response()
		response.Status, response.Header = status, o.r.redactHeader(header)
		x.HeadFrom, x.HeadBy = &from, &by
	})
}

// Wrote records a piece of the answer that was written between from and by: n bytes on the wire, and the part of the
// body in them, free of any coding (nil for a piece of the head). The piece is copied.
func (o *Open) Wrote(body []byte, n int64, from, by Offset) {
	o.edit(func(x *Exchange) {
		response := o.response()
		response.Sent += n
		response.Writes = append(response.Writes, Write{At: by, Bytes: n})
		x.LastFrom, x.LastBy = &from, &by
		seen := len(o.answer)
		o.answer = append(o.answer, body...)
		o.handOut(seen)
	})
}

// handOut notes the tokens that an answer of the platform has handed out, so that a request with such a token can be
// told apart even before the answer's exchange has ended.
func (o *Open) handOut(seen int) {
	const longestToken = 8 << 10
	if o.x.Op != OpResolveAccess || seen == len(o.answer) {
		return
	}
	for _, name := range o.r.redactor.names(o.answer[max(seen-longestToken, 0):]) {
		if !slices.Contains(o.facts.handedOut, name) {
			o.facts.handedOut = append(o.facts.handedOut, name)
		}
	}
	if len(o.facts.handedOut) > 0 {
		o.r.attribution.learn(o.facts, o.candidates())
	}
}

func (o *Open) response() *Response {
	if o.x.Response == nil {
		o.x.Response = &Response{Header: http.Header{}, Writes: []Write{}}
	}
	return o.x.Response
}

// Fault records what the script did to the answer on the wire.
func (o *Open) Fault(name string) {
	o.edit(func(*Exchange) { o.response().Fault = name })
}

// Complete records that the whole answer went out, as its head announced it.
func (o *Open) Complete() {
	o.edit(func(*Exchange) { o.response().Complete = true })
}

// End records that the exchange is over now, and who ended it. The first end counts.
func (o *Open) End(by EndedBy) {
	now := o.r.Now()
	o.edit(func(*Exchange) { o.end(by, now) })
}

func (o *Open) end(by EndedBy, at Offset) {
	o.x.EndedBy, o.x.Ended = by, &at
	if o.x.Response != nil {
		o.x.Response.Body = o.r.bodies.Keep(o.r.redactor.bytes(o.answer), int64(len(o.answer)))
	}
	o.answer = nil
}

// Candidates are the numbers of the calls that the exchange may belong to, as far as it can be known now.
func (o *Open) Candidates() []int {
	o.r.mu.Lock()
	defer o.r.mu.Unlock()
	return o.candidates()
}

func (o *Open) candidates() []int {
	return o.r.attribution.candidates(o.r.run.Calls, &o.x, o.facts)
}

// Snapshot returns what is recorded so far. The body of an answer is in it once the exchange has ended.
func (o *Open) Snapshot() Exchange {
	o.r.mu.Lock()
	defer o.r.mu.Unlock()
	x := o.x
	if !o.r.closed {
		x.Calls = o.candidates()
	}
	if x.Response != nil {
		response := *x.Response
		response.Writes = slices.Clone(response.Writes)
		x.Response = &response
	}
	return x
}

func (r *Recorder) redactHeader(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, lines := range h {
		name = r.redactor.text(name)
		out[name] = append(out[name], r.redactTexts(lines)...)
	}
	return out
}
