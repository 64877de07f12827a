package selftest

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// twin is a right client and what it did in each case.
type twin struct {
	make  func(asked func(name string)) subject.Subject
	scope suites.Scope
	runs  []twinRun
}

// twinRun is what the right client did in one case.
type twinRun struct {
	asked  map[string]bool
	run    evidence.Run
	broken []suites.Check
	status map[check]suites.Status
}

// check names a check within a run.
type check struct {
	rule string
	call int
}

// runTwin runs a right client in every case that some job is about.
func (b *bench) runTwin(ctx context.Context, t *twin, jobs []job) error {
	t.scope = suites.ScopeOf(evidence.Session{Subject: t.make(nil).About()})
	t.runs = make([]twinRun, len(b.Cases))
	var where []int
	for i, c := range b.Cases {
		if slices.ContainsFunc(jobs, func(j job) bool { return j.fits(c) }) {
			where = append(where, i)
		}
	}
	b.total += len(where)
	return each(ctx, b.Jobs, len(where), func(n int) error {
		i := where[n]
		asked, note := noted()
		runs, err := b.record(ctx, t.make(note), b.Cases[i:i+1])
		if err != nil {
			return err
		}
		made := twinRun{asked: asked, status: map[check]suites.Status{}}
		if len(runs) == 1 { // none where the client cannot do what the case needs
			made.run = runs[0]
		}
		for _, c := range suites.Judge(runs, t.scope) {
			made.status[check{c.Rule, c.Call}] = c.Status
			if broken(c) {
				made.broken = append(made.broken, c)
			}
		}
		t.runs[i] = made
		b.behind(1)
		return nil
	})
}

// noted returns a set of names, and a function that puts one into it. The set may be read when the run has ended.
func noted() (map[string]bool, func(string)) {
	var mu sync.Mutex
	names := map[string]bool{}
	return names, func(name string) {
		mu.Lock()
		defer mu.Unlock()
		names[name] = true
	}
}

// trial is what came of a client in some cases.
type trial struct {
	// made counts the runs, differing those whose evidence is not the twin's.
	made, differing int
	// broken are the checks of the latter that are against the client.
	broken []found
}

// found is a check, the case it was made in, and what it says of the twin; empty where it does not apply to that.
type found struct {
	suites.Check

	at   int
	twin suites.Status
}

func (t *trial) add(more trial) {
	t.made += more.made
	t.differing += more.differing
	t.broken = append(t.broken, more.broken...)
}

// try runs a client and judges the runs that differ from the twin's.
func (b *bench) try(ctx context.Context, j job, where []int) (trial, error) {
	cases, at := make([]scenarios.Case, len(where)), make(map[string]int, len(where))
	for k, i := range where {
		cases[k], at[b.Cases[i].ID] = b.Cases[i], i
	}
	runs, err := b.record(ctx, j.client, cases)
	if err != nil {
		return trial{}, err
	}
	t := trial{made: len(runs)}
	other := slices.DeleteFunc(runs, func(run evidence.Run) bool { return reflect.DeepEqual(run, j.twin.runs[at[run.ID]].run) })
	t.differing = len(other)
	for _, c := range suites.Judge(other, j.twin.scope) {
		if broken(c) {
			i := at[c.Run]
			t.broken = append(t.broken, found{c, i, j.twin.runs[i].status[check{c.Rule, c.Call}]})
		}
	}
	return t, nil
}

// record makes the runs of a client, and keeps what they show to be wrong with the harness.
func (b *bench) record(ctx context.Context, client subject.Subject, cases []scenarios.Case) ([]evidence.Run, error) {
	rec, err := b.Record(ctx, client, cases, runner.Options{Jobs: 1, Shared: b.Shared})
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, rec.Session.Faults...)
	return rec.Runs, ctx.Err()
}
