package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/internal/command"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// agentCommand is the command line of the contract: agent session a2a send. Its last word is a command that reads its
// own arguments, because it also runs where there is no cobra.
func (p *program) agentCommand() *cobra.Command {
	group := func(word, short string, below *cobra.Command) *cobra.Command {
		cmd := p.command(&cobra.Command{
			Use:     word + " COMMAND",
			Short:   short,
			Long:    short + ": the command line of " + contract().ID + " before the reference client.",
			Example: "  " + name + ` agent session a2a send UID --message "What can you do?"`,
		}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
			return p.unknownCommand(cmd, given)
		})
		cmd.Args = cobra.ArbitraryArgs
		cmd.AddCommand(below)
		return cmd
	}
	send := &cobra.Command{
		Use:                "send UID",
		Short:              "Send one message to an existing agent session and write the answer",
		DisableFlagParsing: true,
		SilenceErrors:      true,
		SilenceUsage:       true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if code := command.Main(context.WithoutCancel(cmd.Context()), p.process(cmd.Context(), args)); code != 0 {
				return codeError(code)
			}
			return nil
		},
	}
	send.SetHelpFunc(func(*cobra.Command, []string) { _, _ = io.WriteString(p.stdout, command.Help) })
	return group("agent", "Talk to an agent session with the reference client",
		group("session", "Talk to an agent session", group("a2a", "Talk to an agent session by A2A", send)))
}

// process is the real process, as the reference command sees it.
func (p *program) process(ctx context.Context, args []string) subject.Process {
	return subject.Process{
		Args:   append([]string{"agent", "session", "a2a", "send"}, args...),
		Env:    p.getenv,
		Stdin:  p.stdin,
		Stdout: p.stdout,
		Stderr: p.stderr,
		Notify: func() <-chan os.Signal { return notify(ctx) },
	}
}

// signalGrace is how long a signal that has ended the context already may take to arrive here as well.
const signalGrace = 50 * time.Millisecond

// notify passes on the one signal that ends the command. The context, which the same signal ends, does not tell which it
// was, so the command is not given it; should it end otherwise, that counts as INT. A second signal has its default
// action, so that a process that does not come to its end can be ended. The goroutine ends with the first, or with the
// process.
func notify(ctx context.Context) <-chan os.Signal {
	raw, first := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(raw, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer signal.Stop(raw)
		select {
		case received := <-raw:
			first <- received
			return
		case <-ctx.Done():
		}
		select {
		case received := <-raw:
			first <- received
		case <-time.After(signalGrace):
			first <- os.Interrupt
		}
	}()
	return first
}
