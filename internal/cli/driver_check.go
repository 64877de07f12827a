package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

const (
	// helloTime is how long a driver may take to say hello (docs/drivers.md).
	helloTime = 60 * time.Second
	// answerTime is how long a driver may take for an answer beyond what its client may.
	answerTime = 10 * time.Second
)

// checkOptions is the command line of driver check.
type checkOptions struct {
	commandOptions

	patience string
}

// driverCheck is a check that is to be made, all of it known to be right.
type driverCheck struct {
	driver            subject.Watched
	hello, answer     time.Duration
	listen, advertise string
}

func (p *program) driverCheckCommand() *cobra.Command {
	var o checkOptions
	cmd := p.command(&cobra.Command{
		Use:   "check [--attach URL] [-- DRIVER…]",
		Short: "Start a driver, try everything it claims, and say what is missing and what to do",
		Long: "Start DRIVER as run does, on a small platform of its own, try each capability that it claims with a call, and say\n" +
			"in one line each what it keeps of the driver protocol, what it breaks, and what to do. The client is not judged:\n" +
			"that is the work of run. --attach checks a driver that is running already. docs/drivers.md is the protocol.\n\n" +
			"Exit codes:\n" +
			"  0    nothing is broken\n" +
			"  1    something is broken\n" +
			"  2    the command line is wrong; nothing was started\n" +
			"  5    the harness itself is at fault\n" +
			"  130  interrupted",
		Example: "  a2a-conform driver check -- python3 mydriver.py\n  a2a-conform driver check --attach http://127.0.0.1:9000",
	}, func(ctx context.Context, cmd *cobra.Command, given arguments) error {
		check, problems := o.plan(p, given)
		if err := usage(cmd, problems); err != nil {
			return err
		}
		return p.checkDriver(ctx, check)
	})
	flags := cmd.Flags()
	o.driverOptions.define(flags)
	flags.StringArrayVar(&o.env, "env", nil, "give the driver the variable `NAME=VALUE`; VALUE may hold {platform.url}, {platform.token} and {platform.refresh_token}; NAME alone takes it from your environment; repeatable")
	flags.StringVar(&o.patience, "patience", "", "wait `DURATION` for hello, and for an answer beyond what its call may take (60s, and 10s)")
	return cmd
}

// plan checks the whole command line and returns everything that is wrong with it.
func (o *checkOptions) plan(p *program, given arguments) (driverCheck, []string) {
	o.prefix = given.behind
	problems := given.problems
	for _, word := range given.words {
		problems = append(problems, "driver check takes no argument before --, got "+word)
	}
	if !o.foreign() {
		problems = append(problems, "there is no driver: name its command line behind --, or its address with --attach")
	}
	problems = append(problems, o.misplaced("", "")...)
	check := driverCheck{hello: helloTime, answer: answerTime, listen: o.listen, advertise: o.advertise}
	if o.patience != "" {
		d, err := time.ParseDuration(o.patience)
		if err != nil || d <= 0 {
			problems = append(problems, fmt.Sprintf("--patience: want a time above zero with its unit, such as 30s, got %q", o.patience))
		}
		check.hello, check.answer = d, d
	}
	if !o.foreign() {
		return check, problems
	}
	made, found := o.driver(p)
	check.driver, _ = made.(subject.Watched) // else there is a problem, and nothing is done
	return check, append(problems, found...)
}

// checkDriver makes the calls of all probes and says what came of them.
func (p *program) checkDriver(ctx context.Context, check driverCheck) error {
	tried, err := probes()
	if err != nil {
		return err
	}
	e := newExamined(check)
	rec, err := p.record(ctx, e, casesOf(tried), runner.Options{
		Clock: evidence.ClockReal, Tool: p.tool(), Contract: contract(), Listen: check.listen, Advertise: check.advertise,
	})
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(p.stderr, "%s: interrupted; nothing was checked\n", name)
		return codeError(verdict.ExitInterrupted)
	case err != nil:
		return fmt.Errorf("try the driver: %w", err)
	}
	findings := e.atFirst()
	if e.unready == nil {
		findings = slices.Concat(findings, found(tried, rec), e.atLast())
	}
	return p.showCheck(rec.Session.Subject, findings)
}

// showCheck writes the findings, and tells by the error whether something is broken.
func (p *program) showCheck(s evidence.Subject, findings []finding) error {
	about := s.Name
	if s.Version != "" {
		about += " " + s.Version
	}
	fmt.Fprintf(p.stdout, "driver of %s, protocol %d, calls at once: %d\n\n", about, subject.ProtocolVersion, s.Parallel)
	broken := 0
	for _, f := range findings {
		if f.mark == broke || f.mark == refused {
			broken++
		}
		fmt.Fprintln(p.stdout, f)
	}
	if broken == 0 {
		fmt.Fprintf(p.stdout, "\nNothing is broken. %s run judges the client through it.\n", name)
		return nil
	}
	fmt.Fprintf(p.stdout, "\n%s to be put right. docs/drivers.md says how it is meant to be.\n", countedAre(broken, "thing"))
	return codeError(verdict.ExitNonConformant)
}

// countedAre writes a number of things with its verb.
func countedAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return counted(n, noun) + " are"
}

// inSeconds writes a time as a number of seconds, with what of it is worth telling.
func inSeconds(d time.Duration) string {
	return strconv.FormatFloat(math.Round(d.Seconds()*1000)/1000, 'f', -1, 64)
}
