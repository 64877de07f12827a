package wire

import "time"

const (
	// patience is how long an early answer is written before the request is read all the same: a client that reads
	// nothing until it has written all would never take the answer, where a connection has no buffers.
	patience = 50 * time.Millisecond
	// drainFor bounds the reading of a request that was answered early. Closing a TCP connection with unread bytes
	// resets it, which can take the answer from the client.
	drainFor = 2 * time.Second
)

// impatient lets the request be read when the writing of an early answer takes long. The result ends that.
func (h *held) impatient() (stop func() bool) {
	return time.AfterFunc(patience, h.beginUpload).Stop
}

// drain reads a request that was answered early to its end, for a bounded time. A client that has gone does not stop
// it: what it sent before may still be on its way.
func (h *held) drain() {
	h.beginUpload()
	timer := time.NewTimer(drainFor)
	defer timer.Stop()
	rest := party{closed: h.x.opt.Closed}
	rest.until(timer.C, h.uploaded)
}
