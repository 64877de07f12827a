package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func (p *program) driverCommand() *cobra.Command {
	group := p.command(&cobra.Command{
		Use:     "driver check",
		Short:   "Tell the author of a driver what it lacks",
		Long:    "Work on a driver, the small program through which a client in another language is judged: docs/drivers.md.",
		Example: "  a2a-conform driver check -- python3 mydriver.py",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		return p.unknownCommand(cmd, given)
	})
	group.Args = cobra.ArbitraryArgs
	group.AddCommand(p.driverCheckCommand())
	return group
}
