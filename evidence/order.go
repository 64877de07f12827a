package evidence

import (
	"bytes"
	"cmp"
	"slices"
)

// putInOrder sorts what happened at one instant by what it was and numbers it anew. On virtual time requests of two
// calls often arrive at the very same nanosecond, in an order that the scheduler chose; without this two recordings
// of one scenario would differ.
func putInOrder(run *Run) {
	slices.SortStableFunc(run.Connections, func(a, b Connection) int {
		return cmp.Or(cmp.Compare(a.began(), b.began()), cmp.Compare(a.Endpoint, b.Endpoint),
			compareTimes(a.Closed, b.Closed), cmp.Compare(a.BytesIn, b.BytesIn), cmp.Compare(a.BytesOut, b.BytesOut))
	})
	renumbered := map[int]int{}
	for i := range run.Connections {
		renumbered[run.Connections[i].Number] = i + 1
		run.Connections[i].Number = i + 1
	}
	slices.SortStableFunc(run.Exchanges, func(a, b Exchange) int {
		return cmp.Or(cmp.Compare(a.Arrived, b.Arrived), slices.Compare(a.Calls, b.Calls), cmp.Compare(a.Op, b.Op),
			cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Request.Target, b.Request.Target),
			bytes.Compare(a.Request.Body.Bytes, b.Request.Body.Bytes), compareTimes(a.Ended, b.Ended))
	})
	for i := range run.Exchanges {
		x := &run.Exchanges[i]
		x.Seq = i + 1
		if number, ok := renumbered[x.Connection]; ok {
			x.Connection = number
		}
	}
}

// settleClosers says who closed a connection where both sides did so at the instant at which its last exchange ended:
// whoever ended that exchange. Which of the two came first was the scheduler's choice.
func settleClosers(run *Run) {
	last := map[int]*Exchange{}
	for i := range run.Exchanges {
		last[run.Exchanges[i].Connection] = &run.Exchanges[i]
	}
	for i := range run.Connections {
		c := &run.Connections[i]
		x := last[c.Number]
		if x == nil || c.Closed == nil || x.Ended == nil || *c.Closed != *x.Ended {
			continue
		}
		switch x.EndedBy {
		case EndedByClient:
			c.ClosedBy = "client"
		case EndedByServer, EndedByCut:
			c.ClosedBy = "server"
		default:
		}
	}
}

// began is the first moment that is known of a connection.
func (c *Connection) began() Offset {
	switch {
	case c.Attempted != nil:
		return *c.Attempted
	case c.Opened != nil:
		return *c.Opened
	default:
		return 0
	}
}

// compareTimes puts what never happened last.
func compareTimes(a, b *Offset) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	default:
		return cmp.Compare(*a, *b)
	}
}
