package client

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
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
