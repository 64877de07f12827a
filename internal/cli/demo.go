package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// demoScenarios are a few that show what the contract is about: a plain send, a wait.
func demoScenarios() []string { return []string{"waking-then-ready", scenarios.Control} }

// demoDefect is the broken client of demo --fail.
const demoDefect = "waits-for-half-a-second"

func (p *program) demoCommand() *cobra.Command {
	var fail bool
	cmd := p.command(&cobra.Command{
		Use:   "demo",
		Short: "Show a judging: a good client, or with --fail a broken one and its diagnosis",
		Long: "Show a judging of a few scenarios, offline and in a moment: the reference client, or with --fail a client\n" +
			"that asks again every half second while its runtime wakes, whatever the platform directs." + exitCodes,
		Example: "  a2a-conform demo\n  a2a-conform demo --fail",
	}, func(ctx context.Context, cmd *cobra.Command, given arguments) error {
		problems := given.problems
		for _, word := range given.all() {
			problems = append(problems, "demo takes no argument, got "+word+": run takes filters")
		}
		if err := usage(cmd, problems); err != nil {
			return err
		}
		todo, err := p.demoPlan(fail)
		if err != nil {
			return err
		}
		return p.judging(ctx, todo, reporting{})
	})
	cmd.Flags().BoolVar(&fail, "fail", false, "judge a broken client")
	return cmd
}

func (p *program) demoPlan(fail bool) (plan, error) {
	todo := plan{
		subject: subject.Reference(p.version), level: string(suites.Observe),
		repeat: []string{name, "run", evidence.RepeatFilter}, choice: choice{patterns: demoScenarios()},
	}
	files, err := p.shipped(demoScenarios()...)
	if err != nil {
		return plan{}, err
	}
	for _, f := range files {
		made := f.Cases(evidence.ClockVirtual)
		todo.choice.cases = append(todo.choice.cases, made...)
		if f.Name == scenarios.Control {
			todo.control = made[0]
		}
	}
	if fail {
		broken, _ := defects.Find(demoDefect)
		todo.subject = broken.Subject
		todo.repeat = []string{name, "run", "--defect", demoDefect, evidence.RepeatFilter}
	}
	return todo, nil
}
