package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/generate"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// generateOptions ask for drawn scenarios in place of those of files.
type generateOptions struct{ generate, seed string }

func (o *generateOptions) define(flags *pflag.FlagSet) {
	flags.StringVar(&o.generate, "generate", "", "run `N` scenarios that are drawn, in place of those of the program; one that breaks a rule is made small and kept as a file")
	flags.StringVar(&o.seed, "seed", "1", "draw them from this `SEED`: the same one draws the same")
}

// wanted tells whether drawn scenarios are asked for.
func (o *generateOptions) wanted() bool { return o.generate != "" }

// generatedPrefix is how the names of all drawn scenarios begin.
const generatedPrefix = "generated-"

// drawing is which scenarios are to be drawn.
type drawing struct {
	seed uint64
	n    int
	// patterns are names, with * and ?, of those that are wanted; all where there is none.
	patterns []string
}

// drawing reads the options, and takes the names of drawn scenarios out of the filters.
func (o *generateOptions) drawing(filters []string) (d drawing, rest, problems []string) {
	var err error
	const most = 10_000_000
	if d.n, err = strconv.Atoi(o.generate); err != nil || d.n < 1 || d.n > most {
		problems = append(problems, fmt.Sprintf("--generate: want a whole number from 1 to %d, got %q", most, o.generate))
	}
	if d.seed, err = strconv.ParseUint(o.seed, 10, 64); err != nil {
		problems = append(problems, fmt.Sprintf("--seed: want a whole number from 0 to %d, got %q", uint64(1<<64-1), o.seed))
	}
	for _, f := range filters {
		if strings.HasPrefix(f, generatedPrefix) {
			d.patterns = append(d.patterns, f)
			continue
		}
		rest = append(rest, f)
	}
	return d, rest, problems
}

// planDrawn makes a plan of drawn scenarios and returns what is wrong with it.
func (o *runOptions) planDrawn(p *program, made *plan, filters []string) []string {
	drawing, words, problems := o.drawn.drawing(filters)
	for flag, given := range map[string]bool{
		"--scenarios": len(o.scenarios) > 0, "--record": o.record != "", "--dry-run": o.dryRun,
		"--clock real": o.clock != string(evidence.ClockVirtual), "--slow": o.slow, "--baseline": o.baseline != "",
	} {
		if given {
			problems = append(problems, flag+": scenarios that are drawn do without it; what breaks a rule is kept as a file, with which it can be used")
		}
	}
	slices.Sort(problems)
	chosen := newChooser(words, nil, suites.SidesOf(made.subject.About()), made.clock)
	if len(words) > 0 {
		problems = append(problems, chosen.problems...)
	}
	made.drawing, made.choice = drawing, chosen.choice()
	if o.defect != "" {
		made.besideFiles = " --defect " + o.defect
	}
	made.choice.patterns = drawing.patterns
	if len(drawing.patterns) == 0 {
		made.choice.patterns = []string{strings.TrimSuffix(generate.Name(drawing.seed, 0), "0") + "*"}
	}
	if len(problems) > 0 {
		return problems
	}
	if len(drawing.numbers()) == 0 {
		return []string{fmt.Sprintf("filter %q: none of the %d scenarios of seed %d is called so", drawing.patterns, drawing.n, drawing.seed)}
	}
	made.control, problems = p.controlOf(made.clock)
	return problems
}

// numbers are those of the scenarios that are wanted.
func (d drawing) numbers() []int {
	var all []int
	for n := range d.n {
		drawn := scenarios.Case{ID: generate.Name(d.seed, n), Scenario: generate.Name(d.seed, n)}
		if len(d.patterns) == 0 || slices.ContainsFunc(d.patterns, func(pattern string) bool { return matches(pattern, drawn) }) {
			all = append(all, n)
		}
	}
	return all
}

// drawEach draws scenarios on all processors.
func drawEach(seed uint64, numbers []int) ([]generate.Scenario, error) {
	drawn, problems := make([]generate.Scenario, len(numbers)), make([]error, len(numbers))
	var workers sync.WaitGroup
	share := (len(numbers) + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	for from := 0; from < len(numbers); from += share {
		workers.Go(func() {
			for i := from; i < min(from+share, len(numbers)); i++ {
				drawn[i], problems[i] = generate.Draw(seed, numbers[i])
			}
		})
	}
	workers.Wait()
	for _, err := range problems {
		if err != nil {
			return nil, err
		}
	}
	return drawn, nil
}

// atATime is how many drawn scenarios are held in memory with their runs.
const atATime = 1000

// generating judges drawn scenarios, a thousand at a time, and keeps of each no more than what its checks say. What
// breaks a rule is made as small as it can be and kept as a scenario file.
func (p *program) generating(ctx context.Context, todo plan, o reporting) error {
	began := p.now()
	numbers := todo.drawing.numbers()
	defer boundMemory(min(atATime, len(numbers)))()
	g := generation{program: p, todo: todo, scope: suites.ScopeOf(evidence.Session{Subject: todo.subject.About(), Selection: todo.selection()})}
	if err := g.judgeAll(ctx, numbers); err != nil {
		return err
	}
	kept, err := g.keep(ctx)
	if err != nil {
		return err
	}
	r := verdict.Build(g.session, nil, g.scope, g.checks, verdict.Options{Strict: o.strict, Beside: g.amount, Brief: true})
	r.DurationMS = p.now().Sub(began).Milliseconds()
	defer kept.tell(p.stderr)
	return o.show(p, r)
}

// generation is a judging of drawn scenarios while it is made.
type generation struct {
	*program
	todo    plan
	scope   suites.Scope
	session evidence.Session
	checks  []suites.Check
	amount  verdict.Amount
	// broken are the first scenarios, by the rule that each broke, in the order in which they were drawn.
	broken []shown
}

// shown is a scenario that breaks a rule.
type shown struct {
	rule     string
	scenario generate.Scenario
}

// judgeAll judges piece by piece, until the time is over.
func (g *generation) judgeAll(ctx context.Context, numbers []int) error {
	timed, cancel := g.todo.limited(ctx)
	defer cancel()
	progress, wipe := g.progress()
	defer wipe()
	for piece := range slices.Chunk(numbers, atATime) {
		before := g.amount.Runs
		shown := progress
		if progress != nil {
			shown = func(done, _ int) { progress(before+done, len(numbers)) }
		}
		if err := g.judge(ctx, timed, piece, shown); err != nil {
			return err
		}
		if g.session.Incomplete != "" || !g.session.Control.Held {
			break
		}
	}
	return nil
}

// judge draws, runs and judges a piece of all.
func (g *generation) judge(ctx, timed context.Context, piece []int, progress func(done, total int)) error {
	drawn, err := drawEach(g.todo.drawing.seed, piece)
	if err != nil {
		return err
	}
	todo := g.todo
	todo.choice.cases = make([]scenarios.Case, len(drawn))
	for i := range drawn {
		todo.choice.cases[i] = drawn[i].Case
	}
	if g.amount.Runs > 0 {
		todo.control = scenarios.Case{} // it has held
	}
	rec, err := g.recordingWithin(ctx, timed, todo, progress)
	if err != nil {
		return err
	}
	g.add(rec, drawn)
	return nil
}

// add takes what a recording says. What a scenario file would be held to, such as a step that was left over, says
// nothing of one that was drawn.
func (g *generation) add(rec runner.Recording, drawn []generate.Scenario) {
	faults := slices.DeleteFunc(rec.Session.Faults, evidence.Fault.OfFile)
	if g.amount.Runs == 0 {
		g.session = rec.Session
		g.session.Faults = nil
	}
	g.session.Faults = append(g.session.Faults, faults...)
	g.session.Incomplete = rec.Session.Incomplete
	if !rec.Session.Control.Held {
		g.session.Control = rec.Session.Control
		return
	}
	more := verdict.AmountOf(rec.Runs)
	g.amount.Runs, g.amount.Exchanges = g.amount.Runs+more.Runs, g.amount.Exchanges+more.Exchanges
	checks := suites.Judge(rec.Runs, g.scope)
	g.checks = append(g.checks, checks...)
	for _, c := range checks {
		if c.Status != suites.Failed || slices.ContainsFunc(g.broken, func(s shown) bool { return s.rule == c.Rule }) {
			continue
		}
		i := slices.IndexFunc(drawn, func(s generate.Scenario) bool { return s.Case.ID == c.Run })
		if i >= 0 {
			g.broken = append(g.broken, shown{c.Rule, drawn[i]})
		}
	}
}

// mostKept bounds how many scenarios are made small: one defect often breaks several rules.
const mostKept = 3

// keep makes the first scenarios that broke a rule small, and writes each to a file of its name.
func (g *generation) keep(ctx context.Context) (keptFiles, error) {
	var kept keptFiles
	for _, s := range g.broken[:min(len(g.broken), mostKept)] {
		small := generate.Shrink(s.scenario, func(c scenarios.Case) bool { return ctx.Err() == nil && g.breaks(ctx, c, s.rule) })
		called := small.Case.ID + "-" + strings.ToLower(s.rule)
		err := replace(called+".yaml", func(w io.Writer) error {
			_, err := w.Write(small.Named(called))
			return err
		})
		if err != nil {
			return kept, fmt.Errorf("keep the scenario %s.yaml: %w", called, cause(err))
		}
		kept = append(kept, keptFile{s.rule, small.Case.ID, called + ".yaml", g.todo.besideFiles})
	}
	return kept, nil
}

// breaks tells whether a rule is broken in a scenario.
func (g *generation) breaks(ctx context.Context, c scenarios.Case, rule string) bool {
	rec, err := g.record(ctx, g.todo.subject, []scenarios.Case{c}, runner.Options{Jobs: 1, Clock: evidence.ClockVirtual})
	if err != nil {
		return false
	}
	return slices.ContainsFunc(suites.Judge(rec.Runs, g.scope), func(c suites.Check) bool {
		return c.Rule == rule && c.Status == suites.Failed
	})
}

// keptFiles are the scenarios that were kept.
type keptFiles []keptFile

// keptFile is a scenario that was kept; beside are the further words of the command line that runs it.
type keptFile struct{ rule, scenario, file, beside string }

// tell names the files and how each is run.
func (k keptFiles) tell(w io.Writer) {
	for _, f := range k {
		fmt.Fprintf(w, "%s: %s as far as it breaks %s is in %s: %s run --scenarios %s%s\n", name, f.scenario, f.rule, f.file, name, f.file, f.beside)
	}
}
