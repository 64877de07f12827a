package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"time"
)

// answer is what a server said, its body not yet read.
type answer struct {
	server string
	status int
	header http.Header
	body   io.ReadCloser
	budget *budget
	line   *line
}

// How much of an answer is looked at, and for how long, when its status has decided already.
const (
	glanceTime  = 250 * time.Millisecond
	glanceBytes = 4096
)

// glance returns the body if it is short and already on its way. It is for words that the caller likes to see and the
// call does not need: a body that stalls is not waited for.
func (a *answer) glance() []byte {
	stop := time.AfterFunc(glanceTime, func() { _ = a.line.quiet.Close() }) // wakes the reader
	defer stop.Stop()
	body, err := io.ReadAll(io.LimitReader(a.body, glanceBytes))
	if err != nil {
		return nil
	}
	return body
}

// close ends the exchange, whether or not the body was read.
func (a *answer) close() { a.line.close() }

// read returns the whole body, or why it is not whole.
func (a *answer) read() ([]byte, error) {
	var body bytes.Buffer
	n, err := body.ReadFrom(io.LimitReader(a.body, MaxAnswerBytes+1))
	if err != nil {
		return nil, a.budget.readFault(a.server, "reading its answer", err)
	}
	if n > MaxAnswerBytes {
		return nil, &InvalidResponseError{Server: a.server, Status: a.status, Problems: []string{
			fmt.Sprintf("its body exceeds %d bytes", MaxAnswerBytes),
		}}
	}
	return body.Bytes(), nil
}
