package selftest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Config says what is compared with what.
type Config struct {
	// Twin makes the right client that all others are compared with. It tells each name that it asks for.
	Twin     func(asked func(name string)) subject.Subject
	Defects  []defects.Defect
	Variants []defects.Variant
	Cases    []scenarios.Case
	// Rules are those that must have a defect.
	Rules []suites.Rule
	// Full runs each defect in all cases, and not only in those that cover its rule.
	Full bool
	// Jobs is how many runs are made at once, 1 at least.
	Jobs int
	// Shared is what the runs of all clients have in common; nil for none of it.
	Shared *runner.Shared
	// Progress is told, from one goroutine at a time, how many of the runs that are known to be needed are behind.
	Progress func(done, total int)
	// Record makes the runs of a client (runner.RunAll).
	Record func(context.Context, subject.Subject, []scenarios.Case, runner.Options) (runner.Recording, error)
}

// bench is a self-test while it is made.
type bench struct {
	Config

	scope suites.Scope
	twin  []twinRun // one for each case

	mu          sync.Mutex
	done, total int
	faults      []evidence.Fault
}

// Run makes the runs that are needed and says what came of each client. The error is that of the context, or about the
// harness or the machine; what a client does is never one.
func Run(ctx context.Context, c Config) (Result, error) {
	b := &bench{Config: c, total: len(c.Cases)}
	b.scope = suites.ScopeOf(evidence.Session{Subject: c.Twin(nil).About()})
	if err := b.runTwin(ctx); err != nil {
		return Result{}, err
	}
	rows, alarms := make([]Row, len(c.Defects)), make([][]Alarm, len(c.Variants)+1)
	alarms[len(c.Variants)] = b.twinAlarms()
	var todo []job
	for i, d := range c.Defects {
		where := b.asking(d.Name, func(c scenarios.Case) bool { return b.Full || covers(c, d.Kills) })
		todo = append(todo, job{d.Subject, where, func(t trial) { rows[i] = b.row(d, t) }})
	}
	for i, v := range c.Variants {
		where := b.asking(v.Name, func(scenarios.Case) bool { return true })
		todo = append(todo, job{v.Subject, where, func(t trial) { alarms[i] = alarmsOf(v.Name, t.broken) }})
	}
	if err := b.work(ctx, todo); err != nil {
		return Result{}, err
	}
	return b.result(rows, slices.Concat(alarms...)), nil
}

// asking lists the cases that fit and in which the twin asks for a name: elsewhere the client with that name switched
// on does what the twin does.
func (b *bench) asking(name string, fits func(scenarios.Case) bool) []int {
	var where []int
	for i, c := range b.Cases {
		if b.twin[i].asked[name] && fits(c) {
			where = append(where, i)
		}
	}
	return where
}

func covers(c scenarios.Case, rule string) bool { return slices.Contains(c.Covers, rule) }

// job is a client, the cases it is to be run in, and what becomes of them.
type job struct {
	client subject.Subject
	where  []int
	then   func(trial)
}

// portion is how many runs of a client are made and held in memory at a time.
const portion = 32

// work does the jobs in portions, so that no worker is left with a long one at the end.
func (b *bench) work(ctx context.Context, todo []job) error {
	type part struct {
		job   int
		where []int
	}
	var parts []part
	for i, j := range todo {
		b.total += len(j.where)
		for where := range slices.Chunk(j.where, portion) {
			parts = append(parts, part{i, where})
		}
	}
	made := make([]trial, len(parts))
	err := each(ctx, b.Jobs, len(parts), func(i int) (err error) {
		made[i], err = b.try(ctx, todo[parts[i].job].client, parts[i].where)
		b.behind(len(parts[i].where))
		return err
	})
	whole := make([]trial, len(todo))
	for i, part := range parts {
		whole[part.job].add(made[i])
	}
	for i, j := range todo {
		j.then(whole[i])
	}
	return err
}

// behind notes that runs have been made.
func (b *bench) behind(runs int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += runs
	if b.Progress != nil {
		b.Progress(b.done, b.total)
	}
}

// each calls f with 0 to n-1, several at once, until all are done, one failed or the context ended. It returns when
// nothing of it is left running.
func each(ctx context.Context, jobs, n int, f func(i int) error) error {
	var (
		mu      sync.Mutex
		next    int
		failed  error
		workers sync.WaitGroup
	)
	take := func(err error) (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		failed = errors.Join(failed, err)
		next++
		return next - 1, next <= n && failed == nil && ctx.Err() == nil
	}
	for range max(1, min(jobs, n)) {
		workers.Go(func() {
			for i, ok := take(nil); ok; {
				i, ok = take(f(i))
			}
		})
	}
	workers.Wait()
	return cmp.Or(ctx.Err(), failed)
}
