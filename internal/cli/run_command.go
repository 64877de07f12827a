package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/command"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// commandOptions ask for a program to be judged in place of a client in process: a driver, or a command line.
type commandOptions struct {
	command bool
	all     bool
	env     []string
	driverOptions
	// prefix are the words behind "--", the driver or what the contract's words are appended to; nil where there are
	// none.
	prefix []string
}

func (o *commandOptions) define(flags *pflag.FlagSet) {
	flags.BoolVar(&o.command, "command", false, "judge a command line: the one behind --, to which agent session a2a send … is appended, or the project's own where there is none")
	flags.BoolVar(&o.all, "all", false, "of a command of yours, make all runs in place of a sample that covers each rule twice; a FILTER on names does so for what it names")
	flags.StringArrayVar(&o.env, "env", nil, "give a driver or a command the variable `NAME=VALUE`; VALUE may hold {platform.url}, {platform.token} and {platform.refresh_token}; NAME alone takes it from your environment; repeatable")
	o.driverOptions.define(flags)
}

// foreign tells whether the subject is a program of its own, which no virtual clock drives.
func (o *commandOptions) foreign() bool { return o.prefix != nil || o.attach != "" }

// driven tells whether the subject speaks the driver protocol.
func (o *commandOptions) driven() bool { return o.foreign() && !o.command }

// sampled tells whether a sample of the runs is enough: each start of a program costs, and no run was asked for by name.
func (o *commandOptions) sampled(named int) bool {
	return o.command && o.foreign() && !o.all && named == 0
}

// clockOf is the clock that runs take place on where the command line names none.
func (o *commandOptions) clockOf(named string) string {
	switch {
	case named != "":
		return named
	case o.foreign():
		return string(evidence.ClockReal)
	default:
		return string(evidence.ClockVirtual)
	}
}

// misplaced lists options that do not go together.
func (o *commandOptions) misplaced(clock, defect string) []string {
	var problems []string
	if len(o.env) > 0 && o.prefix == nil {
		problems = append(problems, "--env: only a program that is started gets variables; name one behind --")
	}
	if o.attach != "" && o.prefix != nil {
		problems = append(problems, "--attach: the driver is running already; what stands behind -- would start one: take one of the two")
	}
	if o.attach != "" && o.command {
		problems = append(problems, "--attach: a command is started for each call; take one of --attach and --command")
	}
	if o.driven() && defect != "" {
		problems = append(problems, "--defect: a defect is one of a client in process, and a driver was named; take one of the two")
	}
	problems = append(problems, o.unreachable(o.foreign() || clock == string(evidence.ClockReal))...)
	problems = append(problems, o.misplacedOfCommand(defect)...)
	if o.foreign() && clock == string(evidence.ClockVirtual) {
		problems = append(problems, "--clock: a program of its own runs on real time only")
	}
	return problems
}

// misplacedOfCommand lists options that do not go with a command, or only with one.
func (o *commandOptions) misplacedOfCommand(defect string) []string {
	var problems []string
	if o.all && (!o.command || !o.foreign()) {
		problems = append(problems, "--all: only of a command of yours a sample is taken; of what you name all runs are made")
	}
	if o.command && defect != "" {
		problems = append(problems, "--command: a defect is one of a client in process; take one of the two")
	}
	return problems
}

// subject is the command, and what is wrong with it.
func (o *commandOptions) subject(p *program) (subject.Subject, []string) {
	own := subject.InProcess(name, command.Main)
	variables, problems := o.variables(p)
	if !o.foreign() {
		return own, problems
	}
	dir, err := os.Getwd()
	if err != nil {
		return own, append(problems, "--command: your directory cannot be told: "+cause(err).Error())
	}
	made, err := subject.Command(o.prefix, subject.CommandOptions{Dir: dir, Surroundings: p.env, Env: variables})
	if err != nil {
		return own, append(problems, "--command: "+err.Error())
	}
	return made, problems
}

// variables reads --env.
func (o *commandOptions) variables(p *program) (variables, problems []string) {
	variables, wrong := subject.Variables(o.env, p.env)
	for i := range o.env {
		if problem, ok := wrong[i]; ok {
			problems = append(problems, "--env: "+problem)
		}
	}
	return variables, problems
}

// repeat puts what names the command around the words that name a part of the runs.
func (o *commandOptions) repeat(words []string) []string {
	if !o.command && !o.foreign() {
		return words
	}
	at := slices.Index(words, evidence.RepeatFilter)
	more := o.driverOptions.repeat()
	if o.command {
		more = append(more, "--command")
	}
	for _, variable := range o.env {
		more = append(more, "--env", variable)
	}
	words = slices.Insert(words, at, more...)
	if o.prefix != nil {
		words = append(append(words, "--"), o.prefix...)
	}
	return words
}

// identify asks a command of the user's for its version, so that the report can name it.
func identify(ctx context.Context, cmd *cobra.Command, s subject.Subject) error {
	asked, ok := s.(*subject.CommandLine)
	if !ok {
		return nil
	}
	if err := asked.Identify(ctx); err != nil {
		return usage(cmd, []string{fmt.Sprintf("--command: %v", err)})
	}
	return nil
}
