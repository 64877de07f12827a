package wire

import (
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// sending is an answer under way, and its record.
type sending struct {
	x    *Exchange
	out  *outgoing
	sent int
	// headFrom is the time before the first byte of the head, seen how much of the body has been recorded.
	headFrom evidence.Offset
	seen     int
}

// wrote records that the next n bytes of the answer went out, beginning at from.
func (s *sending) wrote(from evidence.Offset, n int) {
	by := s.x.opt.Recorder.Now()
	if s.sent == 0 {
		s.headFrom = from
	}
	before := s.sent
	s.sent += n
	if before < s.out.head && s.sent >= s.out.head {
		s.x.open.Head(s.out.status, s.out.header, s.headFrom, by)
	}
	body := s.out.body(s.sent)
	s.x.open.Wrote(body[s.seen:], int64(n), from, by)
	s.seen = len(body)
	if s.out.complete(s.sent) {
		s.x.open.Complete()
	}
}

// informed records a 1xx answer of n bytes, which is no part of the answer itself.
func (s *sending) informed(from evidence.Offset, n int) {
	s.x.open.Wrote(nil, int64(n), from, s.x.opt.Recorder.Now())
}

// faults names what happens to an answer on the wire, in a fixed order. A late head is no fault: its times show it.
func faults(f *scenarios.Wire) string {
	var names []string
	for _, fault := range []struct {
		name string
		set  bool
	}{
		{"upload", f.Upload != nil}, {"early", f.Early}, {"informational", f.Informational != nil},
		{"pace", f.Pace != nil}, {"cut", f.Cut != nil}, {"finish", f.Finish != ""}, {"gzip", f.Gzip},
		{"content_type", !f.ContentType.IsZero()}, {"content_length", !f.ContentLength.IsZero()},
	} {
		if fault.set {
			names = append(names, fault.name)
		}
	}
	return strings.Join(names, ",")
}
