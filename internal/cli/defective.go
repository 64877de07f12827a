package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// defectiveWord is the command that makes the program a defective command line. Help does not list it: it is for the
// self-test, which starts it as a process of its own.
const defectiveWord = "defective"

// rightCommand is the name of the command line that has no defect.
const rightCommand = "none"

func (p *program) defectiveCommand() *cobra.Command {
	return &cobra.Command{
		Use:                defectiveWord + " NAME WORD…",
		Short:              "Be the small command line with the defect or the variant NAME",
		Hidden:             true,
		DisableFlagParsing: true,
		SilenceErrors:      true,
		SilenceUsage:       true,
		RunE: func(cmd *cobra.Command, args []string) error {
			run, problem := defective(args)
			if problem != "" {
				return usage(cmd, []string{problem})
			}
			// Some of the defects are about signals: what the program does about them by itself must not hide that.
			signal.Reset(os.Interrupt, syscall.SIGTERM)
			process := p.process(cmd.Context(), nil)
			process.Args = args[1:]
			defer crash()
			if code := run(context.WithoutCancel(cmd.Context()), process); code != 0 {
				return codeError(code)
			}
			return nil
		},
	}
}

// crash ends the process by a signal where the command line panics, which is what a crash looks like from outside. To
// recover, as the rest of the program does, would make it a failure like any other.
func crash() {
	if value := recover(); value != nil {
		debug.SetTraceback("crash")
		go panic(value) // where nothing recovers it
		select {}
	}
}

// defective finds the command line of that name.
func defective(args []string) (run subject.Program, problem string) {
	if len(args) == 0 {
		return nil, "give the name of a defect or a variant of command lines, or " + rightCommand
	}
	run, ok := defects.CommandProgram(strings.TrimPrefix(args[0], rightCommand))
	if ok {
		return run, ""
	}
	var names []string
	for _, d := range defects.Commands() {
		names = append(names, d.Name)
	}
	return nil, fmt.Sprintf("no command line has the defect or is the variant %q%s", args[0], scenarios.DidYouMean(args[0], names))
}
