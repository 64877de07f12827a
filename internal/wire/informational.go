package wire

import (
	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// inform sends the row of 1xx answers that comes before the answer, without end where it is repeated 0 times, and
// tells who ended the exchange meanwhile.
func (h *held) inform(s *sending, row *scenarios.Informational) evidence.EndedBy {
	if row == nil || len(row.Statuses) == 0 {
		return ""
	}
	for round := 0; row.Times == 0 || round < row.Times; round++ {
		for _, status := range row.Statuses {
			if who := h.party.wait(row.Every); who != "" {
				return who
			}
			from := h.x.opt.Recorder.Now()
			n, err := h.conn.Write([]byte(statusLine(status) + "\r\n"))
			if n > 0 {
				s.informed(from, n)
			}
			if err != nil {
				return h.x.whoLeft()
			}
		}
	}
	return ""
}
