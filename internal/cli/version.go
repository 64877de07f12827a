package cli

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	return p.command(&cobra.Command{
		Use:     "version",
		Short:   "Say which version this is and which contract it judges",
		Long:    "Say which version this is and which contract it judges." + listCodes,
		Example: "  a2a-conform version",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		problems := given.problems
		for _, word := range given.all() {
			problems = append(problems, "version takes no argument, got "+word)
		}
		if err := usage(cmd, problems); err != nil {
			return err
		}
		return p.showVersion()
	})
}

func (p *program) showVersion() error {
	_, err := fmt.Fprintf(p.stdout, "%s %s\njudges %s, revision %s\n%s %s/%s\n",
		name, p.version, contract().ID, contract().Revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
