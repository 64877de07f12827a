package wire

import (
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// write sends the first limit bytes of the answer, in pieces where the scenario paces it, and tells who ended the
// exchange meanwhile.
func (h *held) write(s *sending, limit int, pace *scenarios.Pace) evidence.EndedBy {
	for at := 0; at < limit; {
		end, pause := nextPiece(s.out, at, limit, pace)
		if who := h.party.wait(pause); who != "" {
			return who
		}
		if end == len(s.out.bytes) {
			h.x.answered()
		}
		from := h.x.opt.Recorder.Now()
		n, err := h.conn.Write(s.out.bytes[at:end])
		if n > 0 {
			s.wrote(from, n)
		}
		if err != nil {
			return h.x.whoLeft()
		}
		at = end
	}
	return ""
}

// nextPiece tells how far the piece goes that begins at a byte of the answer, and the pause before it. A pace of the
// body alone lets the head go out in one piece.
func nextPiece(o *outgoing, at, limit int, pace *scenarios.Pace) (end int, pause time.Duration) {
	switch {
	case pace == nil:
		return limit, 0
	case at < o.head && !pace.Head:
		return min(o.head, limit), 0
	default:
		return min(at+max(pace.Bytes, 1), limit), pace.Every
	}
}
