package wire

import (
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// party is who may end an exchange while a server waits.
type party struct {
	// gone is closed when the client has hung up; left too, where the connection can tell in another way.
	gone, left <-chan struct{}
	closed     <-chan struct{}
}

// wait returns after d with nobody's name, or earlier with the name of who ended the exchange.
func (p *party) wait(d time.Duration) evidence.EndedBy {
	if d <= 0 {
		return p.ended()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	return p.until(timer.C, nil)
}

// hold returns when somebody has ended the exchange.
func (p *party) hold() evidence.EndedBy { return p.until(nil, nil) }

// until returns with nobody's name when one of two events comes first.
func (p *party) until(timer <-chan time.Time, event <-chan struct{}) evidence.EndedBy {
	select {
	case <-timer:
		return ""
	case <-event:
		return ""
	case <-p.gone:
	case <-p.left:
	case <-p.closed:
	}
	return p.ended()
}

// ended tells who has ended the exchange by now, nobody for an exchange that goes on. The closing of a run breaks
// connections too, so the run is asked first.
func (p *party) ended() evidence.EndedBy {
	select {
	case <-p.closed:
		return evidence.EndedByRun
	default:
	}
	select {
	case <-p.gone:
		return evidence.EndedByClient
	case <-p.left:
		return evidence.EndedByClient
	default:
		return ""
	}
}
