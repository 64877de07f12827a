package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Options say how runs are made.
type Options struct {
	// Clock is what time the runs are made on: virtual where it is empty. The cases have to be those of this clock.
	Clock evidence.Clock
	// Slow lets scenarios run on real time that take more than half a minute of it.
	Slow bool
	// Sample takes of the cases only those that show the most of a program that is started anew for each call.
	Sample bool
	// Jobs is how many runs are made at once; 0 for as many as there are processors, on real time for many times that.
	Jobs int
	// Unclear names those of the runs made so far that the clock left open. On real time each of them is made once
	// more, alone on the machine, and the second recording takes the place of the first. Nil for none.
	Unclear func(runs []evidence.Run) (ids []string)
	// Progress is told, from one goroutine at a time, how many runs have been made.
	Progress func(done, total int)
	// Tool names the program that records.
	Tool evidence.Tool
	// Contract is what is judged.
	Contract evidence.Contract
	// Selection is what part of the catalogue was asked for.
	Selection evidence.Selection
	// Repeat is the command line that repeats a part of the session (see evidence.Session).
	Repeat []string
	// Control is the plain success case that comes before all others; a case of no name leaves it out.
	Control scenarios.Case
	// Shared is what the session has in common with others; nil for none of it.
	Shared *Shared
	// Listen is where the platform listens on real time for a subject that is told it once ("127.0.0.1:8080"); empty
	// for a port that the system chooses.
	Listen string
	// Advertise is the name by which the subject reaches all servers on real time; empty for the loopback address.
	Advertise string
}

// Recording is what came of a session: all runs in the order of their cases.
type Recording struct {
	Session evidence.Session
	Runs    []evidence.Run
	// Incomplete says why not every case ran; empty where all did.
	Incomplete string
}

// RunAll makes a run of every case. First comes the control: where the subject does not manage the plain success case,
// nothing else is run. A case that needs what the subject or the clock cannot do is skipped. When the context ends, or
// the subject makes no more calls, the runs made so far are returned and Incomplete says why. The error is about the
// harness or the machine; a subject that could not be started is a control that did not hold.
func RunAll(ctx context.Context, s subject.Subject, cases []scenarios.Case, o Options) (Recording, error) {
	g, err := groundOf(o)
	if err != nil {
		return Recording{}, err
	}
	weigh(g, s)
	made, err := newSession(s, g, o.Shared)
	if err != nil {
		return Recording{}, err
	}
	defer func() { _ = made.close() }() // a file left in the temporary directory spoils no recording
	stop, unready, err := made.begin(ctx)
	if err != nil {
		return Recording{}, err
	}
	defer stop()
	rec := Recording{Session: evidence.Session{
		Schema: evidence.SchemaVersion, Tool: o.Tool, Contract: o.Contract, Subject: s.About(), Selection: o.Selection,
		Clock: g.clock(), Control: evidence.Control{Held: true}, Repeat: o.Repeat,
		Skipped: []evidence.Skipped{}, Strays: []evidence.Exchange{}, Faults: []evidence.Fault{},
	}}
	if unready != nil {
		rec.Session.Control = evidence.Control{Text: unready.Error()}
		return rec, nil
	}
	if o.Control.ID != "" && !rec.control(ctx, made, o.Control) {
		return rec, nil
	}
	rec.keep(made.runEach(ctx, rec.wanted(cases, g, o), o))
	rec.Session.Strays = made.strays()
	return rec, nil
}

// control makes the run of the plain success case and tells whether it held.
func (r *Recording) control(ctx context.Context, s *session, c scenarios.Case) bool {
	outcome := s.run(ctx, c)
	if ctx.Err() == nil { // else it was broken off, and says nothing
		r.Session.Control = controlOf(outcome)
		if kept, ok := s.subject.(subject.Session); ok && !r.Session.Control.Held {
			if said := kept.Said(); said != "" {
				r.Session.Control.Text += "; the end of what the driver wrote to its standard error: " + said
			}
		}
		r.Session.Faults = append(r.Session.Faults, outcome.faults...)
	}
	if r.Session.Control.Held {
		return true
	}
	r.Runs = []evidence.Run{outcome.run}
	return false
}

// groundOf makes what the runs stand on.
func groundOf(o Options) (ground, error) {
	switch o.Clock {
	case evidence.ClockVirtual, "":
		return newVirtual(o.Jobs)
	case evidence.ClockReal:
		return newLive(o)
	default:
		return nil, fmt.Errorf("there is no clock %q: want %s or %s", o.Clock, evidence.ClockVirtual, evidence.ClockReal)
	}
}

// Planned tells which of the cases RunAll would run with a subject, and of the others why not. What a driver can do is
// known when it has said hello: before, it counts as one that can do everything.
func Planned(s subject.Subject, cases []scenarios.Case, o Options) ([]scenarios.Case, []evidence.Skipped) {
	rec := Recording{Session: evidence.Session{Subject: s.About(), Selection: o.Selection}}
	if _, later := s.(subject.Session); later {
		for _, c := range cases {
			rec.Session.Subject.Capabilities = append(rec.Session.Subject.Capabilities, c.Needs...)
		}
	}
	var g ground = &virtual{}
	if o.Clock == evidence.ClockReal {
		g = &live{slow: o.Slow}
	}
	return rec.wanted(cases, g, o), rec.Session.Skipped
}

// wanted leaves the cases that are to be run, and says of the others why they are not.
func (r *Recording) wanted(cases []scenarios.Case, g ground, o Options) []scenarios.Case {
	fit := r.fitting(cases, g)
	if o.Sample {
		return r.sampled(fit)
	}
	return fit
}

// fitting leaves out what the subject or the clock cannot do, and says so.
func (r *Recording) fitting(cases []scenarios.Case, g ground) []scenarios.Case {
	var wanted []scenarios.Case
	for _, c := range cases {
		if slices.Contains(c.Needs, "command") && !r.Session.Subject.Command {
			continue // it is about another kind of subject: nothing of this one is left out
		}
		reason := unfit(c, r.Session.Subject)
		if reason == "" {
			reason = g.unfit(c)
		}
		if reason != "" {
			r.Session.Skipped = append(r.Session.Skipped, evidence.Skipped{Scenario: c.ID, Reason: reason})
			continue
		}
		wanted = append(wanted, c)
	}
	return wanted
}

// keep takes in what was made, nil where a run was not, and why that is so where it is not the time.
func (r *Recording) keep(outcomes []*outcome, why error) {
	for _, o := range outcomes {
		if o == nil {
			continue
		}
		r.Runs = append(r.Runs, o.run)
		r.Session.Faults = append(r.Session.Faults, o.faults...)
	}
	switch {
	case len(r.Runs) == len(outcomes):
	case why != nil:
		r.Incomplete = fmt.Sprintf("%d of %d runs were made: %v", len(r.Runs), len(outcomes), why)
	default:
		r.Incomplete = fmt.Sprintf("%d of %d runs were made when the time for the whole judging was over", len(r.Runs), len(outcomes))
	}
}

// runEach runs the cases, batch after batch, and returns once all of them have ended, with what kept some from being made.
func (s *session) runEach(ctx context.Context, cases []scenarios.Case, o Options) ([]*outcome, error) {
	all := &making{session: s, cases: cases, outcomes: make([]*outcome, len(cases)), progress: o.Progress}
	batches := s.ground.batches(cases)
	rest := all.beside(ctx, batches, o.Jobs)
	for _, b := range batches {
		if b.aside {
			b.cases = rest()
		}
		all.run(ctx, s, b)
	}
	for _, i := range all.again(o) {
		all.run(ctx, s, batch{cases: []int{i}, jobs: 1})
	}
	if lost := s.lost(); lost != nil {
		return all.outcomes, lost
	}
	return all.outcomes, all.unmade
}

// making is the work on all cases of a session.
type making struct {
	*session

	cases    []scenarios.Case
	progress func(done, total int)

	mu       sync.Mutex
	outcomes []*outcome // of the cases; nil where there is none yet
	made     int
	unmade   error // why a run was not begun, where the judging went on
}

// run makes the runs of a batch in a session, on several workers, and returns once all of them have ended.
func (m *making) run(ctx context.Context, s *session, b batch) {
	var workers sync.WaitGroup
	next := make(chan int, len(b.cases))
	for _, i := range b.cases {
		next <- i
	}
	close(next)
	for range min(b.jobs, len(b.cases)) {
		workers.Go(func() { // ends with the batch, or after the run that it is at when the judging is broken off
			for i := range next {
				if ctx.Err() != nil || m.lost() != nil {
					return
				}
				made := s.run(ctx, m.cases[i])
				if m.lost() != nil {
					return // what it came to is not the run's doing
				}
				if made.unmade != nil {
					m.leave(made.unmade)
					continue // one that needs fewer places may still have them
				}
				if m.ground.clock() == evidence.ClockVirtual || ctx.Err() == nil { // else it was broken off
					m.keep(i, made)
				}
			}
		})
	}
	workers.Wait()
}

// leave notes why a run was not begun.
func (m *making) leave(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.unmade == nil && errors.Is(err, errNoPlaces) { // else the time was over
		m.unmade = err
	}
}

func (m *making) keep(i int, made outcome) {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := m.outcomes[i] == nil
	m.outcomes[i] = &made
	if !first {
		return
	}
	m.made++
	if m.progress != nil {
		m.progress(m.made, len(m.cases))
	}
}

// again lists the cases to run once more, alone: what the machine's own clock left open, and what came out in another
// way than its file expects, as a busy machine brings about. On virtual time nothing is left open.
func (m *making) again(o Options) []int {
	if m.ground.clock() == evidence.ClockVirtual {
		return nil
	}
	var runs []evidence.Run
	for _, made := range m.outcomes {
		if made != nil {
			runs = append(runs, made.run)
		}
	}
	var unclear []string
	if o.Unclear != nil {
		unclear = o.Unclear(runs)
	}
	var list []int
	for i, made := range m.outcomes {
		if made != nil && (made.disturbed || len(made.faults) > 0 || slices.Contains(unclear, made.run.ID)) {
			list = append(list, i)
		}
	}
	return list
}

// fileBytes is the size of all files that the calls of a case are given.
func fileBytes(c scenarios.Case) int64 {
	var n int64
	for _, step := range c.Calls {
		for _, call := range callsOf(step) {
			for _, file := range call.Input.Files {
				n += file.Size
			}
		}
	}
	return n
}
