package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

func (p *program) validateCommand() *cobra.Command {
	return p.command(&cobra.Command{
		Use:   "validate FILE…",
		Short: "Check scenario files",
		Long: "Check scenario files, and those with the ending .yaml in and below directories: every mistake of every file,\n" +
			"with its line and column." + listCodes,
		Example: "  a2a-conform validate my-scenario.yaml\n  a2a-conform validate scenarios/",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		problems := given.problems
		paths := given.all()
		if len(paths) == 0 {
			problems = append(problems, "validate takes the paths of scenario files, got none")
		}
		files, err := scenarios.Load(paths, scenarios.Options{KnownRules: suites.RuleIDs()})
		problems = append(problems, lines("", err)...)
		if err := usage(cmd, problems); err != nil {
			return err
		}
		runs := 0
		for _, f := range files {
			runs += len(f.Cases(evidence.ClockVirtual))
		}
		fmt.Fprintf(p.stdout, "%s, %s: nothing is wrong with them\n", counted(len(files), "scenario"), counted(runs, "run"))
		return nil
	})
}
