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

// shown is a defect and the case in which it shows.
type shown struct {
	defect defects.Defect
	at     string
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
		at, err := p.place(ctx, d)
		switch {
		case err != nil:
			return made, err
		case p.real(at) == nil:
			made.LeftOut = append(made.LeftOut, d.Name)
		default:
			todo = append(todo, shown{d, at})
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

// place finds a case in which a defect shows, where runs cost nothing; empty where there is none on virtual time either.
func (p Processes) place(ctx context.Context, d defects.Defect) (string, error) {
	var cases []scenarios.Case
	for _, c := range p.Virtual {
		if c.Scenario == d.Shows {
			cases = append(cases, c)
		}
	}
	rec, err := p.Record(ctx, d.Subject, cases, runner.Options{})
	if err != nil {
		return "", err
	}
	for _, run := range rec.Runs {
		if p.breaks(rec, run, d.Kills) {
			return run.ID, nil
		}
	}
	return "", ctx.Err()
}

// real is the case of that name on real time, as a list of one; nil where real time has none, or only at length.
func (p Processes) real(id string) []scenarios.Case {
	at := slices.IndexFunc(p.Real, func(c scenarios.Case) bool { return c.ID == id && !c.Slow && c.Clock != evidence.ClockVirtual })
	if at < 0 {
		return nil
	}
	return p.Real[at : at+1]
}

// breaks tells whether a run breaks a rule.
func (p Processes) breaks(rec runner.Recording, run evidence.Run, rule string) bool {
	return slices.ContainsFunc(suites.Judge([]evidence.Run{run}, suites.ScopeOf(rec.Session)), func(c suites.Check) bool {
		return c.Rule == rule && broken(c)
	})
}

// startedAtOnce is how many commands run at once: more would only make them wait for each other.
const startedAtOnce = 4

// start starts the right command line in every case, and then each of the defects.
func (p Processes) start(ctx context.Context, todo []shown, made *Started) error {
	var cases []scenarios.Case
	for _, s := range todo {
		if !slices.ContainsFunc(cases, func(c scenarios.Case) bool { return c.ID == s.at }) {
			cases = append(cases, p.real(s.at)...)
		}
	}
	right, err := p.record(ctx, "", cases)
	if err != nil {
		return err
	}
	done := make([]bool, len(todo))
	noticed := make([]bool, len(todo))
	err = each(ctx, startedAtOnce, len(todo), func(i int) error {
		s := todo[i]
		rec, err := p.record(ctx, s.defect.Name, p.real(s.at))
		if err != nil || ctx.Err() != nil {
			return err
		}
		fair := slices.ContainsFunc(right.Runs, func(run evidence.Run) bool {
			return run.ID == s.at && !p.breaks(right, run, s.defect.Kills)
		})
		done[i] = true
		noticed[i] = fair && len(rec.Runs) == 1 && p.breaks(rec, rec.Runs[0], s.defect.Kills)
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
