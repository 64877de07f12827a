package wire

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// held is a connection that was taken over from net/http for a faulty answer. It belongs to one exchange and ends
// with it.
type held struct {
	x     *Exchange
	conn  net.Conn
	buf   *bufio.Reader
	party party
	// gone, start and over: the client hung up; the request's body may be read; the exchange has ended.
	gone, start, over chan struct{}
	// uploaded is closed when as much of the request's body as is to be read has been read.
	uploaded chan struct{}
	// stopped is set before uploaded is closed, when the body was not read to its end.
	stopped bool
	// early tells that the answer does not wait for the request's body.
	early     bool
	startOnce sync.Once
	helpers   sync.WaitGroup
}

// takeOver sends an answer on the bare connection and closes it afterwards.
func (x *Exchange) takeOver(a Answer, f scenarios.Wire) {
	conn, rw, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		// Only a server that is not net/http's over HTTP/1.1 comes here: a mistake of whoever wired it.
		x.open.End(evidence.EndedByServer)
		http.Error(x.w, "this connection cannot be taken over: serve HTTP/1.1", http.StatusInternalServerError)
		return
	}
	_ = conn.SetDeadline(time.Time{}) // a connection that refuses this fails at the first write too
	h := &held{
		x: x, conn: conn, buf: rw.Reader, early: f.Early,
		gone: make(chan struct{}), start: make(chan struct{}), over: make(chan struct{}), uploaded: make(chan struct{}),
	}
	h.party = party{gone: h.gone, left: peerClosed(conn), closed: x.opt.Closed}
	h.helpers.Go(func() { h.listen(f.Upload) })
	h.helpers.Go(h.guard)
	who := evidence.EndedByRun // of a panic in here, which is the harness's own
	defer func() {
		close(h.over)
		_ = conn.Close()
		h.helpers.Wait()
		x.open.End(who) // last: what was read of the request is part of it
	}()
	who = h.serve(a, &f)
}

// guard breaks off reads and writes that are under way when the run is over. It ends with the exchange.
func (h *held) guard() {
	select {
	case <-h.x.opt.Closed:
		_ = h.conn.SetDeadline(time.Unix(1, 0))
	case <-h.over:
	}
}

// listen reads the connection, which is the only way to see a client hang up: first what is wanted of the request's
// body, then whatever comes. It ends when the connection does, or with the exchange when it is told to read no
// further.
func (h *held) listen(u *scenarios.Upload) {
	if !h.x.read {
		select {
		case <-h.start:
		case <-h.over:
			return
		}
		h.stopped = !h.upload(u)
	}
	close(h.uploaded)
	if h.stopped {
		<-h.over
		return
	}
	_, _ = io.Copy(io.Discard, h.buf)
	close(h.gone)
}

// beginUpload lets the request's body be read, if it is not being read already.
func (h *held) beginUpload() { h.startOnce.Do(func() { close(h.start) }) }

// serve plays the exchange and tells who ended it.
func (h *held) serve(a Answer, f *scenarios.Wire) evidence.EndedBy {
	if !h.early {
		h.beginUpload()
		if who := h.party.until(nil, h.uploaded); who != "" {
			return who
		}
		if h.stopped {
			return h.party.hold()
		}
	}
	o := compose(a, f, f.Cut == nil && f.Finish == "")
	return h.send(o, f)
}
