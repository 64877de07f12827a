package selftest

import (
	"context"
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

// twinRun is what the right client did in one case. It holds next to nothing: there are thousands of them, and whatever
// they hold the collector goes through again and again.
type twinRun struct {
	asked  names
	digest digest
	broken []suites.Check
}

// breaks tells whether the twin broke a rule in a call of the run.
func (t twinRun) breaks(rule string, call int) bool {
	return slices.ContainsFunc(t.broken, func(c suites.Check) bool { return c.Rule == rule && c.Call == call })
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
		asked, note := b.noted()
		runs, err := b.record(ctx, t.make(note), b.Cases[i:i+1])
		if err != nil {
			return err
		}
		made := twinRun{asked: asked}
		for _, run := range runs { // one, or none where the client cannot do what the case needs
			if made.digest, err = digestOf(run); err != nil {
				return err
			}
		}
		for _, c := range suites.Judge(runs, t.scope) {
			if broken(c) {
				made.broken = append(made.broken, c)
			}
		}
		t.runs[i] = made
		b.behind(1)
		return nil
	})
}

// names is a set of the names of clients, by their numbers.
type names []bool

// has tells whether a client is in the set.
func (n names) has(number int) bool { return number < len(n) && n[number] }

// noted returns a set, and a function that puts the client of a name into it. The set may be read when the run has
// ended.
func (b *bench) noted() (names, func(string)) {
	var mu sync.Mutex
	set := make(names, len(b.numbers))
	return set, func(name string) {
		if number, known := b.numbers[name]; known {
			mu.Lock()
			defer mu.Unlock()
			set[number] = true
		}
	}
}

// trial is what came of a client in some cases.
type trial struct {
	// made counts the runs, differing those whose evidence is not the twin's.
	made, differing int
	// broken are the checks of the latter that are against the client.
	broken []found
}

// found is a check, the case it was made in, and whether the same check is against the twin.
type found struct {
	suites.Check

	at   int
	twin bool
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
	var other []evidence.Run
	for _, run := range runs {
		d, err := digestOf(run)
		if err != nil {
			return trial{}, err
		}
		if d != j.twin.runs[at[run.ID]].digest {
			other = append(other, run)
		}
	}
	t.differing = len(other)
	for _, c := range suites.Judge(other, j.twin.scope) {
		if broken(c) {
			i := at[c.Run]
			t.broken = append(t.broken, found{c, i, j.twin.runs[i].breaks(c.Rule, c.Call)})
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
