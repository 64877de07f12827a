package defects

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// patience is how long the words of a rejection are waited for: its status has said what counts.
const patience = time.Second

// request is what is sent to either server, with POST where it names no method.
type request struct {
	method, target string
	header         http.Header
	body           []byte
	// op is what it asks for, empty for what no contract knows; again tells that it goes out for the second time.
	op    evidence.Op
	again bool
}

// reply is what came back: the head, and of the body what arrived.
type reply struct {
	status int
	header http.Header
	body   []byte
	cut    *failure
}

// send tells whether it is the message.
func (r request) send() bool { return r.op == evidence.OpSendMessage }

// task tells whether it is for a Task that there is.
func (r request) task() bool { return r.op == evidence.OpGetTask || r.op == evidence.OpCancelTask }

func rejected(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// purpose is the key under which a request's context tells what it asks for.
type purpose struct{}

// newHTTP makes a client that follows no redirect, repeats nothing and asks no proxy.
func (i *instance) newHTTP() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext: i.dial, DisableKeepAlives: !i.has("keeps-connections"), DisableCompression: !i.has("takes-gzip"),
		},
		CheckRedirect: i.redirected,
	}
}

// redirected keeps the library from following a redirect.
func (i *instance) redirected(next *http.Request, via []*http.Request) error {
	first := via[0]
	op, _ := first.Context().Value(purpose{}).(evidence.Op)
	send, resolve := op == evidence.OpSendMessage, op == evidence.OpResolveAccess
	switch {
	case len(via) > 3:
	case resolve && i.has("redirected-resolve-followed"):
		return nil
	case (op == evidence.OpGetSession || op == evidence.OpGetAgent) && i.has("redirected-discovery-takes-the-token"),
		op == evidence.OpGetTask && i.has("redirected-get-takes-the-token"),
		op == evidence.OpCancelTask && i.has("redirected-cancel-takes-the-token"),
		resolve && i.has("redirected-resolve-takes-the-token"),
		send && i.has("redirected-send-takes-the-token"):
		next.Header["Authorization"] = first.Header["Authorization"]
		return nil
	case send && next.Method == http.MethodPost && i.has("redirected-send-followed"),
		send && next.Method == http.MethodGet && i.has("redirected-send-turned-into-get"):
		return nil
	}
	return http.ErrUseLastResponse
}

// exchange sends a request and reads the answer. The failure is of an exchange that brought no status.
func (c *call) exchange(r request) (reply, *failure) {
	switch {
	case c.acts("connection-left-open"): // clock asks for it: before the budget ends an exchange it changes nothing
		return c.leave(r)
	case time.Since(c.budget.began) > 0 && c.has("budget-for-each-request"):
		c.extend(time.Since(c.budget.began))
		c.budget.began = time.Now()
	}
	return c.through(r)
}

func (c *call) through(r request) (reply, *failure) {
	ctx, end := context.WithCancelCause(c.caller)
	defer end(nil)
	clock := &clock{call: c, request: r, end: end}
	defer clock.stop()
	clock.at(begun, 0)
	quiet := &silence{plain: c.plain, limit: c.budget.read, end: end}
	defer quiet.stop()
	ctx = context.WithValue(context.WithValue(ctx, phase{}, c.budget.connect), purpose{}, r.op)
	ctx = httptrace.WithClientTrace(ctx, trace(quiet, clock))
	asked, err := http.NewRequestWithContext(ctx, cmp.Or(r.method, http.MethodPost), r.target, c.reader(r.body))
	if err != nil {
		return reply{}, fail(evidence.InvalidResponse, "the address cannot be used: %v", err)
	}
	asked.Header = r.header
	answer, err := c.http.Do(asked)
	if err != nil {
		return reply{}, c.broken(ctx, err)
	}
	defer answer.Body.Close()
	clock.at(headed, answer.StatusCode)
	quiet.headed()
	got := reply{status: answer.StatusCode, header: answer.Header}
	if rejected(got.status) && !c.has("rejection-read-to-its-end") {
		wait := patience
		if (r.send() || r.task()) && !r.again {
			if !c.has("rejection-read-if-it-is-quick") {
				return got, nil
			}
			wait = 50 * time.Millisecond
		}
		defer time.AfterFunc(wait, func() { end(nil) }).Stop()
	}
	got.body, err = io.ReadAll(answer.Body)
	if err != nil {
		got.cut = c.broken(ctx, err)
	}
	return got, nil
}

// reader gives the body to the library.
func (c *call) reader(body []byte) io.Reader {
	if len(body) > 0 && c.has("sends-in-chunks") {
		return io.MultiReader(bytes.NewReader(body)) // of a length that the library does not know
	}
	return bytes.NewReader(body)
}

// leave makes an exchange that goes on behind the back of a call that has ended.
func (c *call) leave(r request) (reply, *failure) {
	type end struct {
		r   reply
		err *failure
	}
	staying := *c
	staying.caller = context.WithoutCancel(c.caller)
	staying.ctx = staying.caller
	ended := make(chan end, 1)
	go func() { // ends when the server ends the connection
		r, err := staying.through(r)
		ended <- end{r, err}
	}()
	select {
	case e := <-ended:
		return e.r, e.err
	case <-c.ctx.Done():
		return reply{}, c.broken(c.ctx, c.ctx.Err())
	}
}

// trace ties an exchange to the connection that it uses.
func trace(quiet *silence, clock *clock) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			if conn, ok := info.Conn.(*hearingConn); ok {
				conn.exchange.Store(quiet)
			}
		},
		WroteRequest: func(httptrace.WroteRequestInfo) {
			clock.at(written, 0)
			quiet.heard()
		},
		// With it set the library bears any number of informational answers.
		Got1xxResponse: func(int, textproto.MIMEHeader) error {
			clock.at(informed, 0)
			return nil
		},
	}
}

// stage is how far an exchange has come.
type stage int

const (
	begun stage = iota
	written
	informed
	headed
)

// clock ends an exchange when the budget of its call is spent.
type clock struct {
	call    *call
	request request
	end     context.CancelCauseFunc

	mu      sync.Mutex
	disarm  func() bool
	stage   stage
	status  int
	spent   error // why the budget ended; nil while it lasts
	stopped bool
}

// at is told how far the exchange has come.
func (k *clock) at(s stage, status int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stage, k.status = s, status
	if k.disarm == nil {
		ctx := k.call.ctx
		k.disarm = context.AfterFunc(ctx, func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.spent = ctx.Err()
			k.call.has("connection-left-open")
			k.check()
		})
	}
	k.check()
}

// check ends the exchange if the budget is spent. It counts at every stage (ADR, Timeouts).
func (k *clock) check() {
	if k.spent != nil && !k.stopped && k.call.counts(k.request, k.stage, k.status) {
		k.end(k.spent)
	}
}

func (k *clock) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stopped = true
	if k.disarm != nil {
		k.disarm()
	}
}

// counts tells whether the budget counts at a stage: it always does.
func (c *call) counts(r request, s stage, status int) bool {
	refusal := status >= http.StatusBadRequest && !rejected(status)
	lookup := r.op == evidence.OpGetSession || r.op == evidence.OpGetAgent
	switch {
	case lookup && c.has("discovery-not-counted"),
		r.op == evidence.OpGetAgent && c.has("agent-not-counted"),
		lookup && s == headed && c.has("body-of-discovery-not-counted"),
		r.op == evidence.OpRenewToken && c.has("renewal-not-counted"),
		r.op == evidence.OpGetTask && c.has("get-not-counted"),
		r.op == evidence.OpCancelTask && c.has("cancel-not-counted"),
		r.op == evidence.OpGetTask && s == headed && c.has("body-of-a-get-not-counted"),
		r.op == evidence.OpCancelTask && s == headed && c.has("body-of-a-cancel-not-counted"),
		r.op == evidence.OpResolveAccess && c.op == evidence.OpGetTask && c.has("resolve-of-a-get-not-counted"),
		r.op == evidence.OpResolveAccess && c.op == evidence.OpCancelTask && c.has("resolve-of-a-cancel-not-counted"):
		return false
	}
	switch {
	case r.op == evidence.OpResolveAccess && c.has("resolve-not-counted"),
		s == begun && r.send() && c.has("upload-not-counted"),
		(s == begun || s == written || s == informed) && r.send() && c.has("head-not-counted"),
		s == informed && c.has("informational-answers-not-counted"),
		s == headed && r.send() && status == http.StatusOK && c.has("body-not-counted"),
		s == headed && refusal && c.has("body-of-a-refusal-not-counted"),
		s == headed && status/100 == 3 && c.has("body-of-a-redirect-not-counted"):
		return false
	}
	return true
}

// broken is the failure of an exchange that did not come to its end.
func (c *call) broken(ctx context.Context, err error) *failure {
	var slow net.Error
	switch {
	case c.caller.Err() != nil:
		return fail(evidence.Other, "the caller gave up")
	case c.ctx.Err() != nil:
		return c.timedOut("the timeout is over; the message may have reached the runtime")
	case errors.Is(context.Cause(ctx), errSilent):
		if c.has("silence-as-a-broken-exchange") {
			return fail(evidence.Transport, "%v", errSilent)
		}
		return c.timedOut(errSilent.Error() + "; the message may have reached the runtime")
	case errors.As(err, &slow) && slow.Timeout():
		if c.has("no-connection-as-a-broken-exchange") {
			return fail(evidence.Transport, "no connection: %v", err)
		}
		return c.timedOut("no connection within the connect timeout: " + err.Error())
	case c.has("reset-as-the-limit"):
		return c.limitReached(nil)
	case c.has("crashes-when-an-exchange-breaks"):
		panic("runtime error: invalid memory address or nil pointer dereference")
	default:
		return fail(evidence.Transport, "the exchange broke off: %v", err)
	}
}

// timedOut is the error of a timeout.
func (c *call) timedOut(text string) *failure {
	switch {
	case c.op == evidence.OpGetTask && c.has("timeout-of-a-get-as-a-broken-exchange"),
		c.op == evidence.OpCancelTask && c.has("timeout-of-a-cancel-as-a-broken-exchange"):
		return fail(evidence.Transport, "%s", text)
	case c.has("timeout-as-a-broken-exchange"):
		return fail(evidence.Transport, "%s", text)
	case time.Since(c.budget.began) >= 90*time.Second && c.has("own-clock-as-the-limit"):
		return c.limitReached(nil)
	case c.has("timeout-as-not-ready"):
		return fail(evidence.NotReady, "%s", text)
	}
	return fail(evidence.TimedOut, "%s", text)
}
