package defects

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// patience is how long the words of a rejection are waited for: its status has said what counts.
const patience = time.Second

// request is what is sent to either server.
type request struct {
	target string
	header http.Header
	body   []byte
	// words tells that the words of a rejection are wanted too.
	words bool
}

// reply is what came back: the head, and of the body what arrived.
type reply struct {
	status int
	header http.Header
	body   []byte
	cut    *failure
}

func rejected(status int) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden
}

// newHTTP makes a client that follows no redirect, repeats nothing and asks no proxy.
func (i *instance) newHTTP() *http.Client {
	return &http.Client{
		Transport: &http.Transport{DialContext: i.dial, DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

// exchange sends a request and reads the answer. The failure is of an exchange that brought no status.
func (c *call) exchange(r request) (reply, *failure) {
	ctx, end := context.WithCancelCause(c.ctx)
	defer end(nil)
	quiet := &silence{limit: c.budget.read, end: end}
	defer quiet.stop()
	ctx = httptrace.WithClientTrace(context.WithValue(ctx, phase{}, c.budget.connect), trace(quiet))
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, r.target, bytes.NewReader(r.body))
	if err != nil {
		return reply{}, fail(evidence.InvalidResponse, "the address cannot be used: %v", err)
	}
	asked.Header = r.header
	answer, err := c.http.Do(asked)
	if err != nil {
		return reply{}, c.broken(ctx, err)
	}
	defer answer.Body.Close() //nolint:errcheck // nothing more is wanted of it
	got := reply{status: answer.StatusCode, header: answer.Header}
	if rejected(got.status) {
		if !r.words {
			return got, nil
		}
		defer time.AfterFunc(patience, func() { end(nil) }).Stop()
	}
	got.body, err = io.ReadAll(answer.Body)
	if err != nil {
		got.cut = c.broken(ctx, err)
	}
	return got, nil
}

// trace ties an exchange to the connection that it uses.
func trace(quiet *silence) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			if conn, ok := info.Conn.(*hearingConn); ok {
				conn.exchange.Store(quiet)
			}
		},
		WroteRequest: func(httptrace.WroteRequestInfo) { quiet.heard() },
		// With it set the library bears any number of informational answers.
		Got1xxResponse: func(int, textproto.MIMEHeader) error { return nil },
	}
}

// broken is the failure of an exchange that did not come to its end.
func (c *call) broken(ctx context.Context, err error) *failure {
	var slow net.Error
	switch {
	case c.caller.Err() != nil:
		return fail(evidence.Other, "the caller gave up")
	case c.ctx.Err() != nil:
		return fail(evidence.TimedOut, "the timeout is over; the message may have reached the runtime")
	case context.Cause(ctx) == errSilent:
		return fail(evidence.TimedOut, "%v; the message may have reached the runtime", errSilent)
	case errors.As(err, &slow) && slow.Timeout():
		return fail(evidence.TimedOut, "no connection within the connect timeout: %v", err)
	default:
		return fail(evidence.Transport, "the exchange broke off: %v", err)
	}
}
