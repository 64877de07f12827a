package runner

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Options say how runs are made.
type Options struct {
	// Jobs is how many runs are made at once; 0 for as many as there are processors.
	Jobs int
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
}

// Recording is what came of a session: all runs in the order of their cases.
type Recording struct {
	Session evidence.Session
	Runs    []evidence.Run
	// Incomplete says why not every case ran; empty where all did.
	Incomplete string
}

// RunAll makes a run of every case on virtual time. First comes the control: where the subject does not manage the
// plain success case, nothing else is run. A case that needs what the subject cannot do is skipped. When the context
// ends, the runs made so far are returned and Incomplete says why. The error is about the harness or the machine.
func RunAll(ctx context.Context, s subject.Subject, cases []scenarios.Case, o Options) (Recording, error) {
	if err := CheckVirtualTime(); err != nil {
		return Recording{}, err
	}
	v, err := newVirtual(s)
	if err != nil {
		return Recording{}, err
	}
	defer func() { _ = v.close() }() // a file left in the temporary directory spoils no recording
	rec := Recording{Session: evidence.Session{
		Schema: evidence.SchemaVersion, Tool: o.Tool, Contract: o.Contract, Subject: s.About(), Selection: o.Selection,
		Clock: evidence.ClockVirtual, Control: evidence.Control{Held: true}, Repeat: o.Repeat,
		Skipped: []evidence.Skipped{}, Strays: []evidence.Exchange{}, Faults: []evidence.Fault{},
	}}
	if o.Control.ID != "" {
		outcome := v.run(o.Control)
		rec.Session.Control = controlOf(outcome)
		rec.Session.Faults = append(rec.Session.Faults, outcome.faults...)
		if !rec.Session.Control.Held {
			rec.Runs = []evidence.Run{outcome.run}
			return rec, nil
		}
	}
	wanted := rec.fitting(cases)
	done, outcomes := v.runEach(ctx, wanted, o)
	for i, outcome := range outcomes {
		if !done[i] {
			continue
		}
		rec.Runs = append(rec.Runs, outcome.run)
		rec.Session.Faults = append(rec.Session.Faults, outcome.faults...)
	}
	if len(rec.Runs) < len(wanted) {
		rec.Incomplete = fmt.Sprintf("%d of %d runs were made when the time for the whole judging was over", len(rec.Runs), len(wanted))
	}
	return rec, nil
}

// fitting leaves out what the subject cannot do, and says so.
func (r *Recording) fitting(cases []scenarios.Case) []scenarios.Case {
	var wanted []scenarios.Case
	for _, c := range cases {
		if reason := unfit(c, r.Session.Subject); reason != "" {
			r.Session.Skipped = append(r.Session.Skipped, evidence.Skipped{Scenario: c.ID, Reason: reason})
			continue
		}
		wanted = append(wanted, c)
	}
	return wanted
}

// runEach runs the cases on several workers and returns once all of them have ended.
func (v *virtual) runEach(ctx context.Context, cases []scenarios.Case, o Options) ([]bool, []outcome) {
	done, outcomes := make([]bool, len(cases)), make([]outcome, len(cases))
	jobs := o.Jobs
	if jobs < 1 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var (
		mu      sync.Mutex
		next    int
		made    int
		workers sync.WaitGroup
	)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1
	}
	order := heaviestFirst(cases)
	for range min(jobs, max(1, len(cases))) {
		workers.Go(func() {
			for n := take(); n < len(order) && ctx.Err() == nil; n = take() {
				i := order[n]
				outcomes[i] = v.run(cases[i])
				mu.Lock()
				done[i] = true
				made++
				if o.Progress != nil {
					o.Progress(made, len(cases))
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return done, outcomes
}

// heaviestFirst is the order in which cases are run: those with large files first, so that no worker is left with one at
// the end while the others have nothing to do.
func heaviestFirst(cases []scenarios.Case) []int {
	order := make([]int, len(cases))
	for i := range cases {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fileBytes(cases[b]), fileBytes(cases[a])) })
	return order
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
