package runner

import (
	"slices"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// delays tell of calls by how much more than a quick probe shows they may have been late: a program has much to do, for
// which a busy machine lets it wait.
type delays struct {
	mu sync.Mutex
	of map[int]func(since time.Time) time.Duration
}

// note keeps what is known of a call, by its number; nil is nothing.
func (d *delays) note(number int, since func(time.Time) time.Duration) {
	if since == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[int]func(time.Time) time.Duration{}
	}
	d.of[number] = since
}

// longest is the longest delay of the calls of a run that began at a moment. It counts from the first request that the
// budget of a call covers: to load modules, and to ask who is signed in, comes before.
func (d *delays) longest(made evidence.Run, began time.Time) evidence.Offset {
	d.mu.Lock()
	defer d.mu.Unlock()
	var most evidence.Offset
	for number, since := range d.of {
		for _, x := range made.Exchanges {
			if x.Op != evidence.OpWhoAmI && slices.Contains(x.Calls, number) {
				most = max(most, evidence.Offset(since(began.Add(x.Arrived.Duration()))))
				break
			}
		}
	}
	return most
}
