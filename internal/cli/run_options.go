package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// runOptions is the command line of run as it was written: texts are read by plan, which sees all of them.
type runOptions struct {
	reporting
	record, level, jobs, timeout, defect, clock string
	scenarios                                   []string
	dryRun, slow                                bool
	drawn                                       generateOptions
	commandOptions
}

func (o *runOptions) define(flags *pflag.FlagSet) {
	o.reporting.define(flags)
	o.drawn.define(flags)
	o.commandOptions.define(flags)
	flags.StringVar(&o.record, "record", "", "keep the recording in `DIR`, or in a file that ends in .zip; judge reads it again")
	flags.StringVar(&o.level, "level", string(suites.Observe), "judge rules of this `LEVEL` and above: MUST, SHOULD, OBSERVE")
	flags.StringVar(&o.jobs, "jobs", "", "make `N` runs at once (as many as there are processors)")
	flags.StringVar(&o.timeout, "timeout", "", "end the whole judging after `DURATION` (such as 30s), as not judged")
	flags.StringVar(&o.clock, "clock", "", "let the runs take place on `CLOCK`: virtual, or real for the machine's own time and sockets (virtual; real for a program of yours)")
	flags.BoolVar(&o.slow, "slow", false, "on real time, make the runs too that take more than half a minute of it")
	flags.BoolVar(&o.dryRun, "dry-run", false, "list the runs that would be made and the rules they cover, and make none")
	flags.StringArrayVar(&o.scenarios, "scenarios", nil, "run the scenarios of `PATH`, a file or a directory, in place of those of the program; repeatable")
	flags.StringVar(&o.defect, "defect", "", "judge a shipped client with the defect `NAME` in place of the reference; list defects names them")
}

// plan is what a judging is to do, all of it checked.
type plan struct {
	subject subject.Subject
	choice  choice
	control scenarios.Case
	level   string
	clock   evidence.Clock
	slow    bool
	sample  bool
	jobs    int
	timeout time.Duration
	record  string
	repeat  []string
	drawing drawing
	// listen and advertise are where servers are reached on real time (runner.Options).
	listen, advertise string
	// besideFiles are the words with which a drawn scenario that was kept is run, beside its file.
	besideFiles string
}

// plan checks the whole command line and returns everything that is wrong with it.
func (o *runOptions) plan(p *program, given arguments) (plan, []string) {
	o.prefix = given.behind
	misplaced := o.misplaced(o.clock, o.defect)
	o.clock = o.clockOf(o.clock)
	made := plan{record: o.record, level: strings.ToUpper(o.level), repeat: o.repeat(), clock: evidence.Clock(o.clock), slow: o.slow, listen: o.listen, advertise: o.advertise}
	problems := slices.Concat(given.problems, misplaced)
	add := func(found ...string) {
		for _, problem := range found {
			if problem != "" {
				problems = append(problems, problem)
			}
		}
	}
	var problem string
	var found []string
	made.subject, found = o.chosenSubject(p)
	add(found...)
	made.jobs, problem = jobsOf(o.jobs)
	add(problem)
	made.timeout, problem = timeoutOf(o.timeout)
	add(problem, levelProblem(made.level), recordProblem(o.record), clockProblem(o.clock))
	add(o.problems()...)
	add(o.readBaseline(p)...)
	if o.drawn.wanted() {
		add(o.planDrawn(p, &made, given.words)...)
		return made, problems
	}
	files, unread := o.load(p)
	add(unread...)
	chosen := newChooser(o.filters(given.words, files), files, suites.SidesOf(made.subject.About()), made.clock)
	add(o.unmatchedBy(p, files)...)
	if len(files) > 0 { // otherwise there is nothing that a filter could match
		add(chosen.problems...)
	}
	if len(problems) > 0 {
		return plan{}, problems
	}
	made.choice = chosen.choice()
	made.sample = o.sampled(len(made.choice.patterns) + len(o.scenarios))
	if len(o.scenarios) > 0 && len(made.choice.patterns) == 0 {
		for _, f := range files {
			made.choice.patterns = append(made.choice.patterns, f.Name)
		}
	}
	control, unread := p.controlOf(made.clock)
	if len(unread) > 0 {
		return plan{}, unread
	}
	made.control = control
	return made, nil
}

// controlOf is the plain success case for a clock.
func (p *program) controlOf(clock evidence.Clock) (scenarios.Case, []string) {
	control, err := p.shipped(scenarios.Control)
	if err != nil {
		return scenarios.Case{}, lines("", err)
	}
	return control[0].Cases(clock)[0], nil
}

// repeat is the command line that runs a part again.
func (o *runOptions) repeat() []string {
	words := []string{name, "run"}
	for _, path := range o.scenarios {
		words = append(words, "--scenarios", path)
	}
	if o.defect != "" {
		words = append(words, "--defect", o.defect)
	}
	if o.drawn.wanted() {
		words = append(words, "--generate", o.drawn.generate, "--seed", o.drawn.seed)
	}
	if o.clock != o.clockOf("") {
		words = append(words, "--clock", o.clock)
	}
	if o.slow {
		words = append(words, "--slow")
	}
	return o.commandOptions.repeat(append(words, evidence.RepeatFilter))
}

func (o *runOptions) chosenSubject(p *program) (subject.Subject, []string) {
	if o.driven() {
		return o.driver(p)
	}
	if o.command {
		return o.subject(p)
	}
	if o.defect == "" {
		return subject.Reference(p.version), nil
	}
	d, ok := defects.Find(o.defect)
	if !ok {
		return subject.Reference(p.version), []string{fmt.Sprintf("--defect: there is no defect %q%s", o.defect, scenarios.DidYouMean(o.defect, defects.Names()))}
	}
	return d.Subject, nil
}

// load returns the scenarios that are there to choose from.
func (o *runOptions) load(p *program) ([]*scenarios.File, []string) {
	if len(o.scenarios) == 0 {
		files, err := p.shipped()
		return files, lines("", err)
	}
	files, err := scenarios.Load(o.scenarios, scenarios.Options{KnownRules: suites.RuleIDs()})
	return files, lines("--scenarios: ", err)
}

// lines splits an error that says several things, a prefix before each.
func lines(prefix string, err error) []string {
	if err == nil {
		return nil
	}
	var found []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		found = append(found, prefix+line)
	}
	return found
}

func jobsOf(text string) (int, string) {
	if text == "" {
		return 0, ""
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Sprintf("--jobs: want a whole number from 1, got %q", text)
	}
	return n, ""
}

func timeoutOf(text string) (time.Duration, string) {
	if text == "" {
		return 0, ""
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Sprintf("--timeout: want a time above zero with its unit, such as 30s or 5m, got %q", text)
	}
	return d, ""
}

// clockProblem says what is wrong with the name of a clock.
func clockProblem(text string) string {
	known := []string{string(evidence.ClockVirtual), string(evidence.ClockReal)}
	if slices.Contains(known, text) {
		return ""
	}
	return fmt.Sprintf("--clock: want %s, got %q%s", strings.Join(known, " or "), text, scenarios.DidYouMean(text, known))
}

// levelProblem says what is wrong with a level, which is given in capitals.
func levelProblem(level string) string {
	known := []string{string(suites.Must), string(suites.Should), string(suites.Observe)}
	if slices.Contains(known, level) {
		return ""
	}
	return fmt.Sprintf("--level: want %s, got %q%s", strings.Join(known, ", "), level, scenarios.DidYouMean(level, known))
}

// recordProblem says why a recording could not be kept at path.
func recordProblem(path string) string {
	if path == "" {
		return ""
	}
	if err := evidence.CanSave(path); err != nil {
		return "--record: " + err.Error()
	}
	if err := tryDir(filepath.Dir(filepath.Clean(path))); err != nil {
		return "--record: " + path + " cannot be written: " + err.Error()
	}
	return ""
}
