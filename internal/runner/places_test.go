package runner

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

func TestNeverMorePlacesThanThereAre(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &places{all: 5}
		var taken, most atomic.Int64
		var work sync.WaitGroup
		for i := range 60 {
			work.Go(func() { // ends once it had its places
				n := i%4 + 1
				give, err := p.take(t.Context(), n)
				if err != nil {
					t.Error(err)
					return
				}
				if now := taken.Add(int64(n)); now > most.Load() {
					most.Store(now)
				}
				<-time.After(time.Duration(i%7+1) * time.Millisecond)
				taken.Add(-int64(n))
				give(0)
				give(0) // only the first counts
			})
		}
		work.Wait()
		if most.Load() != 5 || p.taken != 0 {
			t.Errorf("%d places were taken at once of 5, and %d are taken still", most.Load(), p.taken)
		}
	})
}

func TestWhoAsksFirstIsServedFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &places{all: 3}
		hold, err := p.take(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var order []int
		for i, n := range []int{3, 1, 3} { // one place is free, but not for the first
			go func() { // ends once it had its places
				give, err := p.take(t.Context(), n)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				<-time.After(time.Second)
				give(0)
			}()
			synctest.Wait()
		}
		mu.Lock()
		if order != nil {
			t.Errorf("%v were served out of their turn", order)
		}
		mu.Unlock()
		hold(0)
		<-time.After(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if diff := cmp.Diff([]int{0, 1, 2}, order); diff != "" {
			t.Errorf("the order differs (-want +got):\n%s", diff)
		}
	})
}

func TestWhoGivesUpLetsTheNextBegin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &places{all: 2}
		hold, err := p.take(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		given, served := make(chan error, 1), make(chan error, 1)
		go func() { // ends with its context
			_, err := p.take(ctx, 2)
			given <- err
		}()
		synctest.Wait()
		go func() { // ends once the other has given up
			give, err := p.take(t.Context(), 1)
			give(0)
			served <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-given; !errors.Is(err, context.Canceled) {
			t.Errorf("who gave up got %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("the next got %v", err)
		}
		hold(0)
		if p.taken != 0 || len(p.queue) != 0 {
			t.Errorf("%d places are taken still, %d wait", p.taken, len(p.queue))
		}
	})
}

func TestAHungCallKeepsItsPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &places{all: 2}
		give, err := p.take(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		waiting := make(chan error, 1)
		go func() { // ends when it is known that it can never have its places
			_, err := p.take(t.Context(), 2)
			waiting <- err
		}()
		synctest.Wait()
		give(1)
		if err := <-waiting; !errors.Is(err, errNoPlaces) || !strings.Contains(err.Error(), "1 of the 2") {
			t.Errorf("who needs more places than are left got %v", err)
		}
		more, err := p.take(t.Context(), 1)
		if err != nil {
			t.Fatalf("the place that is left cannot be had: %v", err)
		}
		more(1)
		if _, err := p.take(t.Context(), 1); !errors.Is(err, errNoPlaces) {
			t.Errorf("with all places lost: %v", err)
		}
	})
}

// counted is virtual time for a subject that takes so many calls at once.
type counted struct {
	*virtual

	places *places
}

func (c counted) admit(ctx context.Context, s scenarios.Case) (func(int), error) {
	return c.places.take(ctx, together(s))
}

func TestRunsHoldPlacesForTheirCallsAlone(t *testing.T) {
	t.Parallel()
	calls := []scenarios.CallStep{{Call: &scenarios.Call{
		ID: "c", Client: "main", User: "main", Backend: scenarios.EndpointPlatform, Session: "main", Op: evidence.CallSend,
		Input: scenarios.Input{Timeout: evidence.Some(evidence.Timeout{Total: 2})},
	}}}
	free := func(p *places) (free, stuck int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.all - p.taken, p.stuck
	}
	for _, test := range []struct {
		name        string
		hangs       bool
		stuck, free int
	}{{"a call that ends", false, 0, 4}, {"a call that hangs", true, 1, 3}} {
		v, err := newVirtual(1)
		if err != nil {
			t.Fatal(err)
		}
		g := counted{v, &places{all: 4}}
		var during atomic.Int64
		s, err := newSession(doing{subject.Reference("test"), func(context.Context, subject.Env, subject.Call) evidence.Outcome {
			free, _ := free(g.places)
			during.Store(int64(free))
			if test.hangs {
				<-time.After(4 * time.Hour) // beyond its budget and all that is added to it
			}
			return evidence.Outcome{Kind: evidence.OutcomeError, Error: &evidence.Error{Category: evidence.Other}}
		}}, g, nil)
		if err != nil {
			t.Fatal(err)
		}
		o := s.run(t.Context(), scenarios.Case{ID: "case", Calls: calls, Settle: time.Second})
		if free, stuck := free(g.places); during.Load() != 3 || free != test.free || stuck != test.stuck {
			t.Errorf("%s: %d places were free during the call and %d after it, %d are stuck (%s)", test.name, during.Load(), free, stuck, o.run.End.How)
		}
		_ = s.close() // a file left in the temporary directory spoils no test
	}
}

func TestAnonymousCases(t *testing.T) {
	t.Parallel()
	reply := func(r scenarios.Reply) []scenarios.Step { return []scenarios.Step{{}, {Reply: r}} }
	for _, test := range []struct {
		name string
		when map[evidence.Op][]scenarios.Step
		want bool
	}{
		{"nothing scripted", nil, false},
		{"a renewal", map[evidence.Op][]scenarios.Step{evidence.OpRenewToken: {{}}}, true},
		{"who am I", map[evidence.Op][]scenarios.Step{evidence.OpWhoAmI: {{}}}, true},
		{"a resolve that is unauthorised", map[evidence.Op][]scenarios.Step{evidence.OpResolveAccess: reply(scenarios.Reply{Raw: &scenarios.Raw{Status: 401}})}, true},
		{"a lookup that is forbidden", map[evidence.Op][]scenarios.Step{evidence.OpGetAgent: reply(scenarios.Reply{Raw: &scenarios.Raw{Status: 403}})}, true},
		{"a resolve that fails", map[evidence.Op][]scenarios.Step{evidence.OpResolveAccess: reply(scenarios.Reply{Raw: &scenarios.Raw{Status: 503}})}, false},
		{"a runtime that rejects", map[evidence.Op][]scenarios.Step{evidence.OpSendMessage: reply(scenarios.Reply{Raw: &scenarios.Raw{Status: 401}})}, false},
	} {
		if got := anonymous(scenarios.Case{When: test.when}); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}
