package wire

import (
	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// The ways in which an answer or a connection is ended.
const (
	endClose = "close"
	endReset = "reset"
	endHang  = "hang"
)

// finish ends the connection after all that was to be sent has been sent, and tells who ended the exchange.
func (h *held) finish(s *sending, f *scenarios.Wire) evidence.EndedBy {
	how, who := f.Finish, evidence.EndedByServer
	if f.Cut != nil {
		how = f.Cut.How
	}
	if f.Cut != nil || !s.out.complete(s.sent) {
		who = evidence.EndedByCut
	}
	switch how {
	case endHang:
		h.beginUpload()
		return h.party.hold()
	case endReset:
		_ = reset(h.conn) // a connection that is gone already cannot be reset
	default:
		h.drain()
	}
	return who
}
