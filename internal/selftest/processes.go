package selftest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Processes runs defective command lines once more, each as a process of its own on the machine's clock.
type Processes struct {
	// Start makes the subject that starts the command line with that defect; an empty name is the right one.
	Start func(defect string) (subject.Subject, error)
	// Virtual and Real are the cases of the two clocks.
	Virtual, Real []scenarios.Case
	// Within is how long all of it may take.
	Within time.Duration
	// Record makes the runs of a command (runner.RunAll).
	Record func(context.Context, subject.Subject, []scenarios.Case, runner.Options) (runner.Recording, error)
}

// Started is what came of the command lines that were started as processes.
type Started struct {
	Commands int `json:"commands"`
	Killed   int `json:"killed"`
	// Silent names the defects whose rule did not notice, or did with the right command line too.
	Silent []string `json:"silent"`
	// LeftOut names those that were not started: their case takes virtual time, or time was up.
	LeftOut []string `json:"left_out"`
}

// shown is a defect and cases in which it shows.
type shown struct {
	defect defects.Defect
	in     []scenarios.Case
}

// Run starts each of the defects that is one of a command line. The error is that of the context, or about the harness
// or the machine.
func (p Processes) Run(ctx context.Context, list []defects.Defect) (Started, error) {
	made := Started{Silent: []string{}, LeftOut: []string{}}
	var todo []shown
	for _, d := range list {
		if !d.Subject.About().Command {
			continue
		}
		made.Commands++
		in, err := p.places(ctx, d)
		switch {
		case err != nil:
			return made, err
		case len(in) == 0:
			made.LeftOut = append(made.LeftOut, d.Name)
		default:
			todo = append(todo, shown{d, in})
		}
	}
	timed, cancel := context.WithTimeout(ctx, p.Within)
	defer cancel()
	if err := p.start(timed, todo, &made); err != nil && timed.Err() == nil {
		return made, err
	}
	slices.Sort(made.Silent)
	slices.Sort(made.LeftOut)
	return made, ctx.Err()
}

// fewPlaces is how many cases a defect is run in: what shows on virtual time by a hair may not show in one of them.
const fewPlaces = 3

// places finds cases of real time in which a defect shows, where runs cost nothing; none where virtual time alone has
// such cases, or they take long.
func (p Processes) places(ctx context.Context, d defects.Defect) ([]scenarios.Case, error) {
	var cases []scenarios.Case
	for _, c := range p.Virtual {
		if c.Scenario == d.Shows {
			cases = append(cases, c)
		}
	}
	rec, err := p.Record(ctx, d.Subject, cases, runner.Options{})
	if err != nil {
		return nil, err
	}
	var in []scenarios.Case
	for _, run := range rec.Runs {
		fits := func(c scenarios.Case) bool { return c.ID == run.ID && !c.Slow && c.Clock != evidence.ClockVirtual }
		if at := slices.IndexFunc(p.Real, fits); at >= 0 && len(in) < fewPlaces && p.breaks(rec, run, d.Kills) {
			in = append(in, p.Real[at])
		}
	}
	return in, ctx.Err()
}

// breaks tells whether a run breaks a rule.
func (p Processes) breaks(rec runner.Recording, run evidence.Run, rule string) bool {
	return slices.ContainsFunc(suites.Judge([]evidence.Run{run}, suites.ScopeOf(rec.Session)), func(c suites.Check) bool {
		return c.Rule == rule && broken(c)
	})
}

// startedAtOnce is how many commands run at once: most of the time they wait for a server.
const startedAtOnce = 12

// start starts the right command line in every case, and then each of the defects.
func (p Processes) start(ctx context.Context, todo []shown, made *Started) error {
	var cases []scenarios.Case
	for _, s := range todo {
		for _, c := range s.in {
			if !slices.ContainsFunc(cases, func(known scenarios.Case) bool { return known.ID == c.ID }) {
				cases = append(cases, c)
			}
		}
	}
	right, err := p.record(ctx, "", cases)
	if err != nil {
		return err
	}
	done, noticed := make([]bool, len(todo)), make([]bool, len(todo))
	err = each(ctx, startedAtOnce, len(todo), func(i int) error {
		rec, err := p.record(ctx, todo[i].defect.Name, todo[i].in)
		if err != nil || ctx.Err() != nil {
			return err
		}
		done[i], noticed[i] = true, p.notices(rec, right, todo[i].defect.Kills)
		return nil
	})
	for i, s := range todo {
		switch {
		case !done[i]:
			made.LeftOut = append(made.LeftOut, s.defect.Name)
		case noticed[i]:
			made.Killed++
		default:
			made.Silent = append(made.Silent, s.defect.Name)
		}
	}
	return err
}

// notices tells whether a rule is broken in a run in which the right command line does not break it.
func (p Processes) notices(rec, right runner.Recording, rule string) bool {
	return slices.ContainsFunc(rec.Runs, func(run evidence.Run) bool {
		same := slices.IndexFunc(right.Runs, func(r evidence.Run) bool { return r.ID == run.ID })
		return same >= 0 && p.breaks(rec, run, rule) && !p.breaks(right, right.Runs[same], rule)
	})
}

func (p Processes) record(ctx context.Context, name string, cases []scenarios.Case) (runner.Recording, error) {
	s, err := p.Start(name)
	if err != nil {
		return runner.Recording{}, err
	}
	return p.Record(ctx, s, cases, runner.Options{Clock: evidence.ClockReal})
}

// words say what came of it.
func (s Started) words() string {
	said := fmt.Sprintf("%d of %s killed as processes of their own", s.Killed, plural(s.Commands, "command line"))
	if len(s.Silent) > 0 {
		said += "; not noticed: " + strings.Join(s.Silent, ", ")
	}
	if len(s.LeftOut) > 0 {
		said += "; left out: " + strings.Join(s.LeftOut, ", ")
	}
	return said
}
