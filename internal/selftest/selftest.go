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
	// Twins make the right clients that all others are compared with: one for the clients, one for the command lines.
	// A twin tells each name that it asks for.
	Twins    []func(asked func(name string)) subject.Subject
	Defects  []defects.Defect
	Variants []defects.Variant
	Cases    []scenarios.Case
	// Rules are those that must have a defect.
	Rules []suites.Rule
	// Full runs each client in all cases: a defect not only in those that cover its rule, and neither only in its share.
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

	numbers map[string]int // of the defects and the variants, by name

	mu          sync.Mutex
	done, total int
	faults      []evidence.Fault
}

func newBench(c Config) *bench {
	b := &bench{Config: c, numbers: map[string]int{}}
	for _, d := range c.Defects {
		b.numbers[d.Name] = len(b.numbers)
	}
	for _, v := range c.Variants {
		b.numbers[v.Name] = len(b.numbers)
	}
	return b
}

// Run makes the runs that are needed and says what came of each client. The error is that of the context, or about the
// harness or the machine; what a client does is never one.
func Run(ctx context.Context, c Config) (Result, error) {
	b := newBench(c)
	rows, of := make([]Row, len(c.Defects)), make([]account, len(c.Variants))
	var (
		todo    []job
		ofTwins []Alarm
	)
	for _, right := range c.Twins {
		t := &twin{make: right}
		jobs := b.against(t, rows, of)
		if len(jobs) == 0 {
			continue
		}
		if err := b.runTwin(ctx, t, jobs); err != nil {
			return Result{}, err
		}
		ofTwins = append(ofTwins, t.alarms()...)
		todo = append(todo, jobs...)
	}
	if err := b.work(ctx, todo); err != nil {
		return Result{}, err
	}
	return b.result(rows, of, ofTwins), nil
}

// against lists what is to be done with the clients that a twin is the twin of.
func (b *bench) against(t *twin, rows []Row, of []account) []job {
	command := t.make(nil).About().Command
	var todo []job
	for i, d := range b.Defects {
		if d.Subject.About().Command == command {
			todo = append(todo, job{
				twin: t, name: d.Name, client: d.Subject,
				fits:   func(c scenarios.Case) bool { return b.Full || covers(c, d.Kills) },
				share:  func(where []int) []int { return b.someOfEach(where, i) },
				enough: func(found trial) bool { return b.row(d, found).Status == Killed },
				then:   func(found trial) { rows[i] = b.row(d, found) },
			})
		}
	}
	for i, v := range b.Variants {
		if v.Subject.About().Command == command {
			todo = append(todo, job{
				twin: t, name: v.Name, client: v.Subject,
				fits:   func(scenarios.Case) bool { return true },
				share:  func(where []int) []int { return b.beforeEachRule(where, i) },
				enough: func(found trial) bool { return found.differing > 0 },
				then:   func(found trial) { of[i] = account{alarmsOf(v.Name, found.broken), found.differing == 0} },
			})
		}
	}
	return todo
}

func covers(c scenarios.Case, rule string) bool { return slices.Contains(c.Covers, rule) }

// job is a client, the cases it is to be run in, and what becomes of what is found.
type job struct {
	twin   *twin
	name   string
	client subject.Subject
	fits   func(scenarios.Case) bool
	// share leaves some of the cases, which are run first, and enough tells whether what was found in them will do.
	share  func(where []int) []int
	enough func(trial) bool
	then   func(trial)
}

// where lists the cases that fit and in which the twin asks for the client's switch: elsewhere the client does what the
// twin does.
func (b *bench) where(j job) []int {
	var where []int
	for i, c := range b.Cases {
		if j.twin.runs[i].asked.has(b.numbers[j.name]) && j.fits(c) {
			where = append(where, i)
		}
	}
	return where
}

// sharing is of how many cases of a scenario one is taken.
const sharing = 4

// someOfEach leaves one in four cases of each scenario, and one at least; clients that are numbered one after the other
// have others.
func (b *bench) someOfEach(where []int, client int) []int {
	var own []int
	for len(where) > 0 {
		n := 1
		for n < len(where) && b.Cases[where[n]].Scenario == b.Cases[where[0]].Scenario {
			n++
		}
		for k := client % min(n, sharing); k < n; k += sharing {
			own = append(own, where[k])
		}
		where = where[n:]
	}
	return own
}

// judgings is in how many cases that are about a rule a variant comes before it, and spread how far apart the cases are
// that are tried one after the other: those of one scenario are much alike.
const (
	judgings = 1
	spread   = 8
)

// beforeEachRule leaves so many cases that each rule has some that are about it; clients that are numbered one after the
// other have others.
func (b *bench) beforeEachRule(where []int, client int) []int {
	var own []int
	seen := map[string]int{}
	for first := range spread {
		for k := (first + client) % spread; k < len(where); k += spread {
			rules := b.Cases[where[k]].Covers
			if !slices.ContainsFunc(rules, func(rule string) bool { return seen[rule] < judgings }) {
				continue
			}
			own = append(own, where[k])
			for _, rule := range rules {
				seen[rule]++
			}
		}
	}
	slices.Sort(own)
	return own
}

// portion is how many runs of a client are made and held in memory at a time.
const portion = 32

// work does the jobs: each in its share of the cases first, and in the others where that is not enough.
func (b *bench) work(ctx context.Context, todo []job) error {
	found, first, rest := make([]trial, len(todo)), make([][]int, len(todo)), make([][]int, len(todo))
	for i, j := range todo {
		first[i] = b.where(j)
		if !b.Full {
			all := first[i]
			first[i] = j.share(all)
			rest[i] = slices.DeleteFunc(all, func(at int) bool { return slices.Contains(first[i], at) })
		}
	}
	if err := b.portions(ctx, todo, first, found); err != nil {
		return err
	}
	for i, j := range todo {
		if j.enough(found[i]) {
			rest[i] = nil
		}
	}
	if err := b.portions(ctx, todo, rest, found); err != nil {
		return err
	}
	for i, j := range todo {
		j.then(found[i])
	}
	return nil
}

// portions runs each job in some cases, in portions, so that no worker is left with a long one at the end. It adds what
// is found.
func (b *bench) portions(ctx context.Context, todo []job, where [][]int, found []trial) error {
	type part struct {
		job   int
		where []int
	}
	var parts []part
	for i := range todo {
		for some := range slices.Chunk(where[i], portion) {
			parts = append(parts, part{i, some})
			b.total += len(some)
		}
	}
	made := make([]trial, len(parts))
	err := each(ctx, b.Jobs, len(parts), func(i int) (err error) {
		made[i], err = b.try(ctx, todo[parts[i].job], parts[i].where)
		b.behind(len(parts[i].where))
		return err
	})
	for i, part := range parts {
		found[part.job].add(made[i])
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
