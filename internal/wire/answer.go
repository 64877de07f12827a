package wire

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Answer is what a server says, before anything happens to it on the wire.
type Answer struct {
	Status int
	// Header goes out as it is spelled here. Date is added where it is absent, and Content-Length where the header
	// does not say how the body is framed.
	Header http.Header
	Body   []byte
	// Verbatim is everything that goes out, head included; the other members are then not used.
	Verbatim []byte
}

// prepared returns the header and the body that go out for the answer.
func (a Answer) prepared(f *scenarios.Wire) (http.Header, []byte) {
	header, body := a.Header.Clone(), a.Body
	if header == nil {
		header = http.Header{}
	}
	if kind, ok := f.ContentType.Get(); ok {
		drop(header, "Content-Type")
		header.Set("Content-Type", kind)
	} else if f.ContentType.IsNull() {
		drop(header, "Content-Type")
	}
	if f.Gzip {
		body = zipped(body)
		drop(header, "Content-Length")
		header.Set("Content-Encoding", "gzip")
	}
	announce(header, f, len(body), bodyless(a.Status))
	if !has(header, "Date") {
		header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
	return header, body
}

// announce writes how long the body is said to be. A status that has no body gets no length, unless the scenario
// insists.
func announce(header http.Header, f *scenarios.Wire, size int, bodyless bool) {
	if length, ok := f.ContentLength.Get(); ok {
		drop(header, "Content-Length")
		header.Set("Content-Length", strconv.FormatInt(length, 10))
		return
	}
	framed := has(header, "Content-Length") || has(header, "Transfer-Encoding")
	if f.ContentLength.IsZero() && !framed && (!bodyless || size > 0) {
		header.Set("Content-Length", strconv.Itoa(size))
	}
}

// bodyless tells whether HTTP gives answers of this status no body.
func bodyless(status int) bool {
	return status < 200 || status == http.StatusNoContent || status == http.StatusNotModified
}

// outgoing is an answer as it stands on the wire, and where in its bytes the status line and the head end.
type outgoing struct {
	status int
	header http.Header
	bytes  []byte
	line   int
	head   int
}

// compose renders an answer. One that ends its connection says so in its head when announced is set.
func compose(a Answer, f *scenarios.Wire, announced bool) *outgoing {
	if a.Verbatim != nil {
		return dissect(a.Verbatim)
	}
	header, body := a.prepared(f)
	if announced && !has(header, "Connection") {
		header.Set("Connection", "close")
	}
	var out bytes.Buffer
	out.WriteString(statusLine(a.Status))
	o := &outgoing{status: a.Status, header: header, line: out.Len()}
	_ = header.Write(&out) // a buffer takes everything
	out.WriteString("\r\n")
	o.head = out.Len()
	out.Write(body)
	o.bytes = out.Bytes()
	return o
}

func statusLine(status int) string {
	text := http.StatusText(status)
	if text == "" {
		text = "Status"
	}
	return fmt.Sprintf("HTTP/1.1 %03d %s\r\n", status, text)
}

// dissect finds the head in bytes that a scenario gives whole. What has no head is all body.
func dissect(raw []byte) *outgoing {
	o := &outgoing{bytes: raw, header: http.Header{}}
	line := bytes.Index(raw, []byte("\r\n"))
	head := bytes.Index(raw, []byte("\r\n\r\n"))
	if line < 0 || head < 0 || !bytes.HasPrefix(raw, []byte("HTTP/")) {
		return o
	}
	o.line, o.head = line+len("\r\n"), head+len("\r\n\r\n")
	if words := strings.Fields(string(raw[:line])); len(words) > 1 {
		o.status, _ = strconv.Atoi(words[1]) // what is no number stays 0: an answer without a readable status
	}
	if o.line < head { // else there are no header lines
		for entry := range strings.SplitSeq(string(raw[o.line:head]), "\r\n") {
			name, value, _ := strings.Cut(entry, ":")
			o.header[name] = append(o.header[name], strings.TrimSpace(value))
		}
	}
	return o
}

// body is the part of the body that lies in the first n bytes, without its content coding.
func (o *outgoing) body(n int) []byte {
	if n <= o.head {
		return nil
	}
	if strings.EqualFold(first(o.header, "Content-Encoding"), "gzip") {
		return unzipped(o.bytes[o.head:n])
	}
	return o.bytes[o.head:n]
}

// complete tells whether the first n bytes are the whole answer, as its head announces it.
func (o *outgoing) complete(n int) bool {
	if n < o.head || o.head == 0 {
		return false
	}
	announced, err := strconv.ParseInt(first(o.header, "Content-Length"), 10, 64)
	if err != nil {
		return n == len(o.bytes)
	}
	return int64(n-o.head) >= announced
}

// first returns the first value of a header line in whatever case it is spelled.
func first(header http.Header, name string) string {
	for key, values := range header {
		if strings.EqualFold(key, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

func has(header http.Header, name string) bool {
	for key := range header {
		if strings.EqualFold(key, name) {
			return true
		}
	}
	return false
}

func drop(header http.Header, name string) {
	for key := range header {
		if strings.EqualFold(key, name) {
			delete(header, key)
		}
	}
}
