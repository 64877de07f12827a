// Package cli is the command line of a2a-conform: one file per command, and what commands share in reading their
// arguments and writing their reports.
//
// A command checks everything it was given before it starts anything, and reports all mistakes at once. The room
// decides nothing about subjects: that is the work of runner, suites and verdict.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// name is the program's.
const name = "a2a-conform"

// Main runs the command line and returns the exit code. env holds the environment as NAME=value. A context that ends
// is an interruption: what was judged so far is no verdict, and the code is 130.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env []string) int {
	p := &program{
		stdin: stdin, stdout: stdout, stderr: stderr, env: env, version: version(),
		shipped: scenarios.Builtin, record: runner.RunAll, tree: suites.Show, now: time.Now,
	}
	return p.main(ctx, args)
}

// program is what the commands share. Its functions are the seams for tests.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            []string
	version        string
	// shipped loads scenarios of the program.
	shipped func(names ...string) ([]*scenarios.File, error)
	// record makes the runs of a session.
	record func(context.Context, subject.Subject, []scenarios.Case, runner.Options) (runner.Recording, error)
	// self are the words that start this program once more; none for its own path.
	self []string
	// tree shows the checks as a Ginkgo tree, and says where the two disagree.
	tree func([]suites.Rule, []suites.Check, io.Writer) error
	now  func() time.Time
}

// main runs the command line. Nothing that goes wrong shows its user a stack.
func (p *program) main(ctx context.Context, args []string) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(p.stderr, "%s: a fault of the program itself: %v; please report it with your command line\n", name, fault)
			code = verdict.ExitFault
		}
	}()
	root := p.root()                          //nolint:contextcheck // cobra hands the context of ExecuteContext to the command that is run
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for the arguments of the process
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	return p.exit(root.ExecuteContext(ctx))
}

func (p *program) root() *cobra.Command {
	var version bool
	root := p.command(&cobra.Command{
		Use:   name + " COMMAND",
		Short: "Judge clients of ADR 0029 (A2A Message Send Only)",
		Long: "Judge clients of ADR 0029 (A2A Message Send Only): run a client against scripted servers, record what it\n" +
			"does, and say rule by rule what it kept and what it broke.",
		Example: "  a2a-conform demo\n  a2a-conform demo --fail\n  a2a-conform run",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		if version && len(given.words)+len(given.problems) == 0 {
			return p.showVersion()
		}
		return p.unknownCommand(cmd, given)
	})
	root.Flags().BoolVar(&version, "version", false, "say which version this is, as the command version does")
	// The words COMMAND and [command] mean the same; one line is enough.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .HasAvailableSubCommands}}\n  {{.CommandPath}} [command]{{end}}", "", 1))
	root.Args = cobra.ArbitraryArgs // a word that is no command is answered as any other mistake
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(p.runCommand(), p.demoCommand(), p.judgeCommand(), p.listCommand(), p.explainCommand(),
		p.validateCommand(), p.schemaCommand(), p.versionCommand(), p.agentCommand(), p.baselineCommand(), p.driverCommand())
	root.AddCommand(p.selftestCommand(), p.serveCommand(), p.defectiveCommand())
	return root
}

// unknownCommand answers a command line without a command that there is. It is never a success: an empty variable in
// a script would be green.
func (p *program) unknownCommand(cmd *cobra.Command, given arguments) error {
	problems := given.problems
	if len(given.words) > 0 {
		var known []string
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				known = append(known, sub.Name())
			}
		}
		problems = append(problems, fmt.Sprintf("there is no command %q%s", given.words[0], guessOr(given.words[0], known)))
	}
	if len(problems) == 0 {
		problems = append(problems, "no command was given: "+name+" demo shows what it does")
	}
	return usage(cmd, problems)
}

// command makes a command whose arguments are all read, whatever is wrong with some of them, before run sees them.
func (p *program) command(cmd *cobra.Command, run func(context.Context, *cobra.Command, arguments) error) *cobra.Command {
	cmd.DisableFlagParsing = true // cobra stops at the first flag that it does not know
	cmd.DisableFlagsInUseLine = true
	cmd.SilenceErrors = true
	cmd.SilenceUsage = true
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		given := parse(cmd.Flags(), args)
		if given.help {
			return cmd.Help()
		}
		return run(cmd.Context(), cmd, given)
	}
	return cmd
}

// usageError is everything that is wrong with a command line.
type usageError struct {
	command  string
	problems []string
}

func usage(cmd *cobra.Command, problems []string) error {
	if len(problems) == 0 {
		return nil
	}
	return &usageError{cmd.CommandPath(), problems}
}

// Error lists the problems, one a line.
func (e *usageError) Error() string { return strings.Join(e.problems, "\n") }

// codeError is an exit code whose reason has been told already.
type codeError int

// Error says the code.
func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// exit tells what is still to be told of an error and returns its code.
func (p *program) exit(err error) int {
	var wrong *usageError
	var code codeError
	switch {
	case err == nil:
		return verdict.ExitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &wrong):
		fmt.Fprintf(p.stderr, "%s: nothing was done, because of\n", wrong.command)
		for _, problem := range wrong.problems {
			fmt.Fprintf(p.stderr, "  %s\n", problem)
		}
		fmt.Fprintf(p.stderr, "%s --help says what can be given.\n", wrong.command)
		return verdict.ExitUsage
	default:
		fmt.Fprintf(p.stderr, "%s: %v\n", name, err)
		return verdict.ExitFault
	}
}

// tool names the program in recordings and results.
func (p *program) tool() evidence.Tool { return evidence.Tool{Name: name, Version: p.version} }

// contract is what is judged.
func contract() evidence.Contract { return evidence.Contract{ID: "ADR-0029", Revision: "2026-10-11"} }

// version is that of the module the program was built from; "dev" where it is not known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}
