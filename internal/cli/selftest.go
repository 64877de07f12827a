package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/report"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/selftest"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// selftestCodes is the part of the help text of selftest that lists its codes.
const selftestCodes = `

Exit codes:
  0    every defect is killed, every rule has one, and no rule fails for a client that is right
  1    some defect is not killed, some rule has none, or a client that is right is found to be wrong
  2    the command line is wrong; nothing was started
  5    the harness itself is at fault
  130  interrupted; nothing was compared`

// selftestOptions is the command line of selftest as it was written.
type selftestOptions struct {
	full, noCommands     bool
	format, output, jobs string
	drawn                generateOptions
}

func (p *program) selftestCommand() *cobra.Command {
	var o selftestOptions
	cmd := p.command(&cobra.Command{
		Use:   "selftest [FILTER…]",
		Short: "Show that the rules catch what is wrong, and leave alone what is right",
		Long: "Judge the judges: run each shipped client that has one thing wrong (list defects) on the scenarios that\n" +
			"cover the rule which must notice, and compare it with the same client without the defect. Let each client\n" +
			"that is right in an unusual way come before every rule. Last, start each defective command line as a process of its\n" +
			"own. docs/selftest.md says how to read what comes of it.\n\n" +
			"A FILTER is a defect, a rule or a chapter, and leaves the defects of that name or rule." + selftestCodes,
		Example: "  a2a-conform selftest\n  a2a-conform selftest FLOW-06 hedges\n  a2a-conform selftest --full --format json --output selftest.json",
	}, func(ctx context.Context, cmd *cobra.Command, given arguments) error {
		config, problems := o.config(p, given)
		var drawn drawing
		if o.drawn.wanted() {
			var more []string
			drawn, _, more = o.drawn.drawing(nil)
			problems = append(problems, more...)
			if o.full || o.output != "" {
				problems = append(problems, "--generate: what drawn scenarios find is written to standard output, with neither --full nor --output")
			}
		}
		if err := usage(cmd, problems); err != nil {
			return err
		}
		if o.drawn.wanted() {
			return p.selftestDrawn(ctx, config, drawn, o)
		}
		return p.selftest(ctx, config, o)
	})
	flags := cmd.Flags()
	flags.StringVar(&o.drawn.generate, "generate", "", "say in place of that which defects of clients are found by `N` drawn scenarios alone")
	flags.StringVar(&o.drawn.seed, "seed", "1", "draw them from this `SEED`")
	flags.BoolVar(&o.full, "full", false, "run every client in every case of all scenarios, which takes minutes")
	flags.BoolVar(&o.noCommands, "no-commands", false, "start no defective command line as a process of its own, which takes real time, a minute at most")
	flags.StringVar(&o.format, "format", "console", "write the matrix as `FORMAT`: console, json")
	flags.StringVar(&o.output, "output", "", "write it to `FILE`; the console report still appears")
	flags.StringVar(&o.jobs, "jobs", "", "make `N` runs at once (as many as there are processors)")
	return cmd
}

// config checks the whole command line and returns everything that is wrong with it.
func (o *selftestOptions) config(p *program, given arguments) (selftest.Config, []string) {
	problems := given.problems
	if o.format != "console" && o.format != "json" {
		problems = append(problems, fmt.Sprintf("--format: want console or json, got %q", o.format))
	}
	if o.output != "" {
		if err := writable(o.output); err != nil {
			problems = append(problems, "--output: "+err.Error())
		}
	}
	jobs, problem := jobsOf(o.jobs)
	if problem != "" {
		problems = append(problems, problem)
	}
	made, unknown := selftestChoice(given.all())
	problems = append(problems, unknown...)
	files, err := p.shipped()
	problems = append(problems, lines("", err)...)
	if len(problems) > 0 {
		return selftest.Config{}, problems
	}
	made.Cases = scenarios.Expand(files, evidence.ClockVirtual)
	made.Twins, made.Record, made.Full = twins(), p.record, o.full
	if made.Jobs = jobs; jobs == 0 {
		made.Jobs = runtime.GOMAXPROCS(0)
	}
	return made, nil
}

// twins are the right clients that the others are compared with.
func twins() []func(asked func(name string)) subject.Subject {
	return []func(asked func(name string)) subject.Subject{defects.Twin, defects.CommandTwin}
}

// selftestChoice keeps what the filters name: all of it where there is none.
func selftestChoice(filters []string) (selftest.Config, []string) {
	made := selftest.Config{Defects: defects.All(), Variants: defects.Variants()}
	var sides []suites.Side
	for _, twin := range twins() {
		sides = append(sides, suites.SidesOf(twin(nil).About())...)
	}
	names, known := []string{}, []string{}
	for _, r := range suites.Rules() {
		if r.Level != suites.Observe && r.On(sides) {
			made.Rules, names = append(made.Rules, r), append(names, r.ID, r.Chapter())
		}
	}
	for _, d := range made.Defects {
		names = append(names, d.Name)
	}
	for _, v := range made.Variants {
		names = append(names, v.Name)
	}
	if len(filters) == 0 {
		return made, nil
	}
	// unnamed tells whether no filter is one of the words, and notes those that are.
	unnamed := func(words ...string) bool {
		named := slices.DeleteFunc(slices.Clone(filters), func(filter string) bool { return !slices.Contains(words, filter) })
		known = append(known, named...)
		return len(named) == 0
	}
	made.Rules = slices.DeleteFunc(made.Rules, func(r suites.Rule) bool { return unnamed(r.ID, r.Chapter()) })
	made.Defects = slices.DeleteFunc(made.Defects, func(d defects.Defect) bool {
		chapter, _, _ := strings.Cut(d.Kills, "-")
		return unnamed(d.Name, d.Kills, chapter)
	})
	made.Variants = slices.DeleteFunc(made.Variants, func(v defects.Variant) bool { return unnamed(v.Name) })
	var problems []string
	for _, filter := range filters {
		if !slices.Contains(known, filter) {
			problems = append(problems, fmt.Sprintf("filter %q: no defect, no variant and no rule that binds is called so%s",
				filter, scenarios.DidYouMean(filter, names)))
		}
	}
	return made, problems
}

// selftestHeap is how many bytes a self-test may use before the collector works hard: the twin's runs, and on each of two
// processors a run with a file of 15 MiB.
const selftestHeap = 512 << 20

// selftest makes the comparison and shows what came of it.
func (p *program) selftest(ctx context.Context, c selftest.Config, o selftestOptions) error {
	defer boundHeap(selftestHeap)()
	progress, wipe := p.progress()
	c.Progress = progress
	shared, err := runner.NewShared()
	if err != nil {
		return err
	}
	defer func() { _ = shared.Close() }() // a file left in the temporary directory spoils nothing
	c.Shared = shared
	found, err := selftest.Run(ctx, c)
	if err == nil && !o.noCommands {
		found.Processes, err = p.startCommands(ctx, c)
	}
	wipe()
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(p.stderr, "%s: interrupted; nothing was compared\n", name)
		return codeError(verdict.ExitInterrupted)
	case err != nil:
		return fmt.Errorf("make the runs: %w", err)
	}
	if err := o.show(p, found); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	switch {
	case len(found.Faults) > 0:
		return codeError(verdict.ExitFault)
	case !found.Good():
		return codeError(verdict.ExitNonConformant)
	}
	return nil
}

// show writes the matrix where it was asked for.
func (o *selftestOptions) show(p *program, r selftest.Result) error {
	write := func(w io.Writer, console report.Options) error {
		if o.format == "json" {
			return writeJSON(w, r)
		}
		return selftest.WriteConsole(w, r, console)
	}
	if o.output == "" {
		return write(p.stdout, p.console())
	}
	if err := selftest.WriteConsole(p.stdout, r, p.console()); err != nil {
		return err
	}
	return replace(o.output, func(w io.Writer) error { return write(w, report.Options{}) })
}
