package wire

import (
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// send writes the answer as the scenario says, after the latency, and tells who ended the exchange. The time that a
// head is held back counts from there, so that a row of 1xx answers fits into it.
func (h *held) send(o *outgoing, f *scenarios.Wire) evidence.EndedBy {
	due := time.Now().Add(h.x.opt.Latency + f.HeadAfter)
	if who := h.party.wait(h.x.opt.Latency); who != "" {
		return who
	}
	s := h.x.sending(o, f)
	if who := h.inform(s, f.Informational); who != "" {
		return who
	}
	if who := h.party.wait(time.Until(due)); who != "" {
		return who
	}
	stop := h.impatient()
	who := h.write(s, cutAt(o, f.Cut), f.Pace)
	stop()
	switch {
	case who != "" && s.out.complete(s.sent):
		return evidence.EndedByServer // the client left with all that it was promised
	case who != "":
		return who
	default:
		return h.finish(s, f)
	}
}
