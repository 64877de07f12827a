package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// judging carries a plan out: it records, judges, keeps the recording where that was asked for, and shows the result.
func (p *program) judging(ctx context.Context, todo plan, o reporting) error {
	began := p.now()
	defer boundMemory(len(todo.choice.cases))()
	rec, err := p.recording(ctx, todo)
	if err != nil {
		return err
	}
	r, err := p.judged(&rec, todo.choice.cases, o)
	if err != nil {
		return err
	}
	r.DurationMS = p.now().Sub(began).Milliseconds()
	if todo.record != "" {
		if err := evidence.Save(todo.record, rec.Session, rec.Runs); err != nil {
			return err
		}
		defer fmt.Fprintf(p.stderr, "%s: the recording is in %s; %s judge judges it again\n", name, todo.record, name)
	}
	return o.show(p, r)
}

// recording makes the runs. Only an interruption ends it without one; when the time is over, what was recorded so far
// says that it is not all.
func (p *program) recording(ctx context.Context, todo plan) (runner.Recording, error) {
	timed, cancel := todo.limited(ctx)
	defer cancel()
	progress, wipe := p.progress()
	defer wipe()
	return p.recordingWithin(ctx, timed, todo, progress)
}

// limited is a context that ends when the time for the whole judging is over.
func (todo plan) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if todo.timeout > 0 {
		return context.WithTimeout(ctx, todo.timeout)
	}
	return context.WithCancel(ctx)
}

// recordingWithin makes the runs within the time of a context, in which they are timed, of that of the whole program.
func (p *program) recordingWithin(ctx, timed context.Context, todo plan, progress func(done, total int)) (runner.Recording, error) {
	o := todo.options()
	o.Progress, o.Tool = progress, p.tool()
	rec, err := p.record(timed, todo.subject, todo.choice.cases, o)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(p.stderr, "%s: interrupted after %d of %d runs; nothing was judged\n", name, len(rec.Runs), len(todo.choice.cases))
		return rec, codeError(verdict.ExitInterrupted)
	case err != nil:
		return rec, fmt.Errorf("make the runs: %w", err)
	}
	rec.Session.Incomplete = rec.Incomplete
	if rec.Incomplete != "" && timed.Err() != nil {
		rec.Session.Incomplete += fmt.Sprintf(" (--timeout %s)", todo.timeout)
	}
	return rec, nil
}

// options are how the runs of a plan are made.
func (todo plan) options() runner.Options {
	return runner.Options{
		Clock: todo.clock, Slow: todo.slow, Sample: todo.sample, Unclear: todo.unclear, Jobs: todo.jobs, Contract: contract(),
		Repeat: todo.repeat, Control: todo.control, Selection: todo.selection(), Listen: todo.listen, Advertise: todo.advertise,
	}
}

// selection is what part of the catalogue a plan asks for.
func (todo plan) selection() evidence.Selection {
	return evidence.Selection{Rules: todo.choice.rules, Scenarios: todo.choice.patterns, Level: todo.level, Slow: todo.slow}
}

// unclear names the runs in which the clock left a MUST rule open.
func (todo plan) unclear(runs []evidence.Run) []string {
	var ids []string
	scope := suites.ScopeOf(evidence.Session{Subject: todo.subject.About(), Selection: todo.selection()})
	for _, c := range suites.Judge(runs, scope) {
		if c.Level == suites.Must && c.Status == suites.Inconclusive {
			ids = append(ids, c.Run)
		}
	}
	return ids
}

// judged judges a recording. What the judging shows of the harness's own defects is added to the session's, so that a
// recording that is read again says the same.
func (p *program) judged(rec *runner.Recording, cases []scenarios.Case, o reporting) (verdict.Result, error) {
	s := &rec.Session
	scope := suites.ScopeOf(*s)
	checks := suites.Judge(rec.Runs, scope)
	// On real time much of what a file covers cannot be told: what virtual time shows of it is enough.
	if s.Subject.Kind == evidence.KindReference && s.Control.Held && s.Clock != evidence.ClockReal {
		s.Faults = append(s.Faults, verdict.Uncovered(wholly(cases, rec.Runs), scope.Rules, checks)...)
	}
	built := make(chan verdict.Result, 1)
	go func() { // beside the tree, which uses one processor only; ends when the result is made
		built <- verdict.Build(*s, rec.Runs, scope, checks, verdict.Options{Strict: o.strict, Baseline: o.known})
	}()
	if p.tree != nil {
		if err := p.tree(scope.Rules, checks, io.Discard); err != nil {
			return verdict.Result{}, fmt.Errorf("show the checks: %w", err)
		}
	}
	return <-built, nil
}

// wholly keeps the cases of scenarios of which every case ran: of the others nobody can say what they cover.
func wholly(cases []scenarios.Case, runs []evidence.Run) []scenarios.Case {
	ran, partly := map[string]bool{}, map[string]bool{}
	for i := range runs {
		ran[runs[i].ID] = true
	}
	for _, c := range cases {
		partly[c.Scenario] = partly[c.Scenario] || !ran[c.ID]
	}
	return slices.DeleteFunc(slices.Clone(cases), func(c scenarios.Case) bool { return partly[c.Scenario] })
}
