package wire

import (
	"errors"
	"fmt"
	"io"
	"net/http/httputil"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/scenarios"
)

var errNotReadOn = errors.New("the exchange ended before the body was read to its end")

// upload reads the request's body from the bare connection as the scenario says, all of it at once where it says
// nothing, and tells whether the connection may be read on: a body that is to be read no further may not.
func (h *held) upload(u *scenarios.Upload) bool {
	if u == nil {
		u = &scenarios.Upload{StopAfter: -1}
	}
	h.goAhead()
	left := int64(maxBody)
	if u.StopAfter >= 0 {
		left = u.StopAfter
	}
	announced := h.x.r.ContentLength
	if announced >= 0 {
		left = min(left, announced)
	}
	body, err := h.readSlowly(h.requestBody(), left, u)
	switch {
	case errors.Is(err, io.EOF) && int64(len(body)) < announced:
		err = io.ErrUnexpectedEOF
	case errors.Is(err, io.EOF):
		err = nil
	case err == nil && int64(len(body)) != announced:
		h.x.received(body, fmt.Errorf("the body was not read further than %d bytes", len(body)))
		return false
	}
	h.x.received(body, err)
	return true
}

// goAhead asks for the body that a client holds back, unless it gets its answer first.
func (h *held) goAhead() {
	if strings.EqualFold(h.x.r.Header.Get("Expect"), "100-continue") && !h.early && h.x.r.ContentLength != 0 {
		_, _ = io.WriteString(h.conn, "HTTP/1.1 100 Continue\r\n\r\n") // where it fails, so does the reading
	}
}

// requestBody is the request's body on the bare connection: net/http's own reader of it ended with the takeover.
func (h *held) requestBody() io.Reader {
	if h.x.r.ContentLength < 0 {
		return httputil.NewChunkedReader(h.buf)
	}
	return io.LimitReader(h.buf, h.x.r.ContentLength)
}

// readSlowly reads up to limit bytes, u.Bytes at a time with u.Every between two reads. It returns io.EOF at the end
// of the body, and no error at the limit.
func (h *held) readSlowly(r io.Reader, limit int64, u *scenarios.Upload) ([]byte, error) {
	size := u.Bytes
	if size <= 0 {
		size = 32 << 10
	}
	var body []byte
	piece := make([]byte, size)
	for {
		n, err := r.Read(piece[:min(int64(size), limit-int64(len(body)))])
		body = append(body, piece[:n]...)
		if err != nil {
			return body, err
		}
		if int64(len(body)) >= limit {
			return body, nil
		}
		if !h.pause(u.Every) {
			return body, errNotReadOn
		}
	}
}

// pause waits before more of an upload is read, and tells whether the exchange still goes on.
func (h *held) pause(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-h.over:
	case <-h.x.opt.Closed:
	}
	return false
}
