package runner

import (
	"testing"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// TestDelayOfTheSlowestCallCounts: from its first request on that is about its send.
func TestDelayOfTheSlowestCallCounts(t *testing.T) {
	t.Parallel()
	began := time.Now()
	at := func(second int) evidence.Offset { return evidence.Offset(time.Duration(second) * time.Second) }
	made := evidence.Run{Exchanges: []evidence.Exchange{
		{Op: evidence.OpWhoAmI, Calls: []int{1}, Arrived: at(1)},
		{Op: evidence.OpResolveAccess, Calls: []int{2}, Arrived: at(2)},
		{Op: evidence.OpResolveAccess, Calls: []int{1}, Arrived: at(3)},
		{Op: evidence.OpSendMessage, Calls: []int{1}, Arrived: at(4)},
		{Op: evidence.OpWhoAmI, Calls: []int{3}, Arrived: at(1)},
	}}
	until := func(second int) func(time.Time) time.Duration {
		return func(since time.Time) time.Duration { return began.Add(at(second).Duration()).Sub(since) }
	}
	var d delays
	if got := d.longest(made, began); got != 0 {
		t.Errorf("want no delay where nothing is known, got %s", got)
	}
	d.note(1, until(8))
	d.note(2, until(4))
	d.note(3, until(60)) // it asked who is signed in, and no more
	d.note(4, nil)
	if got := d.longest(made, began); got != at(5) {
		t.Errorf("want the 5s of the first call, got %s", got)
	}
}
