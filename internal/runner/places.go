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
// waits for a place while its time runs.
type places struct {
	all int // 0 for any number

	mu     sync.Mutex
	taken  int
	stuck  int           // taken for good, by calls that never ended
	change chan struct{} // closed when places become free, or are lost
}

// errNoPlaces says that so many calls hang that a run can never have its places.
var errNoPlaces = errors.New("too many calls of the subject hang")

// take waits for n places. give returns them, but for those of calls that hang.
func (p *places) take(ctx context.Context, n int) (give func(stuck int), err error) {
	if p.all == 0 {
		return func(int) {}, nil
	}
	for {
		p.mu.Lock()
		switch {
		case p.taken+n <= p.all:
			p.taken += n
			p.mu.Unlock()
			return func(stuck int) { p.give(n, stuck) }, nil
		case p.stuck+n > p.all:
			p.mu.Unlock()
			return nil, fmt.Errorf("%w: %d of the %d that it takes at once", errNoPlaces, p.stuck, p.all)
		}
		if p.change == nil {
			p.change = make(chan struct{})
		}
		change := p.change
		p.mu.Unlock()
		select {
		case <-change:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (p *places) give(n, stuck int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken -= n - stuck
	p.stuck += stuck
	if p.change != nil {
		close(p.change)
		p.change = nil
	}
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
