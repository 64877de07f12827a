package runner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// places are the calls that a subject takes at once. A run takes all that it may need before it begins, so that no call
// waits for a place while its time runs, and gives them back with the end of its last call. Whoever asks first is
// served first: a run of many calls would else wait for as long as others want few.
type places struct {
	all int // 0 for any number

	mu    sync.Mutex
	taken int
	stuck int // those of them that are taken for good, by calls that never ended
	queue []*ticket
}

// ticket is a run that waits for places.
type ticket struct {
	n     int
	ready chan error // takes one
}

// errNoPlaces says that so many calls hang that a run can never have its places.
var errNoPlaces = errors.New("too many calls of the subject hang")

// take waits for n places. give returns them, at its first call, but for those of calls that hang.
func (p *places) take(ctx context.Context, n int) (give func(stuck int), err error) {
	if p.all == 0 {
		return func(int) {}, nil
	}
	var once sync.Once
	give = func(stuck int) { once.Do(func() { p.give(n, stuck) }) }
	mine := &ticket{n: n, ready: make(chan error, 1)}
	p.mu.Lock()
	p.queue = append(p.queue, mine)
	p.serve()
	p.mu.Unlock()
	select {
	case err := <-mine.ready:
		return give, err
	case <-ctx.Done():
		if !p.withdraw(mine) && <-mine.ready == nil {
			give(0)
		}
		return nil, ctx.Err()
	}
}

// serve lets those begin who wait and can, in their order. The lock is held.
func (p *places) serve() {
	for len(p.queue) > 0 {
		first := p.queue[0]
		switch {
		case p.stuck+first.n > p.all:
			first.ready <- fmt.Errorf("%w: %d of the %d that it takes at once", errNoPlaces, p.stuck, p.all)
		case p.taken+first.n <= p.all:
			p.taken += first.n
			first.ready <- nil
		default:
			return
		}
		p.queue = p.queue[1:]
	}
}

// withdraw takes a ticket back; false where it was served.
func (p *places) withdraw(t *ticket) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.Index(p.queue, t)
	if at < 0 {
		return false
	}
	p.queue = slices.Delete(p.queue, at, at+1)
	p.serve()
	return true
}

func (p *places) give(n, stuck int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken -= n - stuck
	p.stuck += stuck
	p.serve()
}

// together is the greatest number of calls of a case that are open at once.
func together(c scenarios.Case) int {
	most := 1
	for _, step := range c.Calls {
		most = max(most, len(callsOf(step)))
	}
	return most
}

// hanging counts the calls of a run that never ended.
func hanging(run evidence.Run) int {
	n := 0
	for _, c := range run.Calls {
		if c.Outcome == nil {
			n++
		}
	}
	return n
}

// anonymous tells whether requests of a case may come to the platform that name neither its session nor its agent: those
// that renew a credential or ask whose it is. Whose they are is known only while no other run is under way.
func anonymous(c scenarios.Case) bool {
	for _, op := range []evidence.Op{evidence.OpRenewToken, evidence.OpWhoAmI} {
		if _, scripted := c.When[op]; scripted {
			return true
		}
	}
	for op, steps := range c.When {
		if op != evidence.OpResolveAccess && op != evidence.OpGetSession && op != evidence.OpGetAgent {
			continue
		}
		if slices.ContainsFunc(steps, func(s scenarios.Step) bool { return unauthorised(s.Reply) }) {
			return true
		}
	}
	return false
}

// unauthorised tells whether a reply rejects the platform token.
func unauthorised(r scenarios.Reply) bool {
	rejects := func(status int) bool { return status == http.StatusUnauthorized || status == http.StatusForbidden }
	switch {
	case r.Detail != nil:
		return rejects(r.Detail.HTTP)
	case r.RPCError != nil:
		return rejects(r.RPCError.HTTP)
	case r.Raw != nil:
		return rejects(r.Raw.Status)
	default:
		return r.Bytes != nil
	}
}
