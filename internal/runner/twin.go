package runner

import (
	"context"
	"reflect"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// One platform address serves a session, so cases whose requests to it name nobody have to be run one after the other. A
// second session, with a process and a platform of its own, runs them while the first is at work on all others.

// fewestAside is how many such cases make a second process worth its start.
const fewestAside = 5

// twin implements ground. Where the platform's address is fixed there is only one, and who asks for one run at a time
// gets it. The noise is the machine's, and measured once.
func (l *live) twin() ground {
	if l.listenAt != "" || l.jobs == 1 {
		return nil
	}
	return &live{jobs: l.jobs, slow: l.slow, noise: l.noise, lent: true, advertised: l.advertised}
}

// another is a second session with a subject of the same kind, not yet begun; nil where there cannot be one.
func (s *session) another() *session {
	twinned, ok := s.subject.(subject.Twinned)
	if !ok {
		return nil
	}
	g := s.ground.twin()
	if g == nil {
		return nil
	}
	twin := twinned.Twin()
	if twin == nil {
		return nil
	}
	return &session{Shared: s.Shared, ground: g, subject: twin, bodies: s.bodies, most: s.most}
}

// beside begins to run in a second session what of the batches can be run there, which takes one of the jobs from the
// others; 0 are any number. rest returns once that is over, with the cases that are left to the first.
func (m *making) beside(ctx context.Context, batches []batch, jobs int) (rest func() []int) {
	at := slices.IndexFunc(batches, func(b batch) bool { return b.aside })
	if at < 0 {
		return func() []int { return nil }
	}
	b := batches[at]
	busy := slices.ContainsFunc(batches[:at], func(b batch) bool { return len(b.cases) > 0 })
	if !busy || len(b.cases) < fewestAside {
		return func() []int { return b.cases }
	}
	twin := m.another()
	if twin == nil {
		return func() []int { return b.cases }
	}
	for i := range batches[:at] {
		if jobs > 0 {
			batches[i].jobs = min(batches[i].jobs, jobs-1)
		}
	}
	left := make(chan []int, 1)
	go func() { left <- m.second(ctx, twin, b) }() // ends with the batch; rest waits for it
	return func() []int { return <-left }
}

// second runs a batch in a session of its own and returns what is left of it: all, where that session is not ready or
// its subject says something else of itself than that of the first.
func (m *making) second(ctx context.Context, twin *session, b batch) (left []int) {
	defer func() { _ = twin.close() }() // it owns nothing that could be left
	stop, unready, err := twin.begin(ctx)
	if err != nil {
		return b.cases
	}
	defer stop()
	if unready != nil || !reflect.DeepEqual(twin.subject.About(), m.subject.About()) {
		return b.cases
	}
	m.twin.Store(twin)
	m.run(ctx, twin, b)
	return nil
}

// strays are the requests that belonged to no run, of both sessions.
func (s *session) strays() []evidence.Exchange {
	all := s.ground.strays()
	if twin := s.twin.Load(); twin != nil {
		all = append(all, twin.ground.strays()...)
	}
	for i := range all {
		all[i].Seq = i + 1
	}
	return all
}
