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

// commandOptions ask for a command line to be judged in place of a client in process.
type commandOptions struct {
	command bool
	env     []string
	// prefix are the words behind "--", which the contract's words are appended to; nil where there are none.
	prefix []string
}

func (o *commandOptions) define(flags *pflag.FlagSet) {
	flags.BoolVar(&o.command, "command", false, "judge a command line: the one behind --, to which agent session a2a send … is appended, or the project's own where there is none")
	flags.StringArrayVar(&o.env, "env", nil, "give a command the variable `NAME=VALUE`; VALUE may hold {platform.url}, {platform.token} and {platform.refresh_token}; NAME alone takes it from your environment; repeatable")
}

// foreign tells whether the subject is a program of its own, which no virtual clock drives.
func (o *commandOptions) foreign() bool { return o.command && o.prefix != nil }

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
	if o.prefix != nil && !o.command {
		problems = append(problems, "--: what stands behind it is a command line to judge, which --command asks for; other programs cannot be judged by this version, and a Go client is judged in its own tests")
	}
	if len(o.env) > 0 && !o.command {
		problems = append(problems, "--env: only commands get variables; --command judges one")
	}
	if o.command && defect != "" {
		problems = append(problems, "--command: a defect is one of a client in process; take one of the two")
	}
	if o.foreign() && clock == string(evidence.ClockVirtual) {
		problems = append(problems, "--clock: a program of its own runs on real time only")
	}
	return problems
}

// subject is the command, and what is wrong with it.
func (o *commandOptions) subject(p *program) (subject.Subject, []string) {
	own := subject.InProcess(name, command.Main)
	var problems []string
	variables, wrong := subject.Variables(o.env, p.env)
	for i := range o.env {
		if problem, ok := wrong[i]; ok {
			problems = append(problems, "--env: "+problem)
		}
	}
	if !o.foreign() {
		if len(o.env) > 0 {
			problems = append(problems, "--env: the project's own command needs no variable; name a command behind --")
		}
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

// repeat puts what names the command around the words that name a part of the runs.
func (o *commandOptions) repeat(words []string) []string {
	if !o.command {
		return words
	}
	at := slices.Index(words, evidence.RepeatFilter)
	more := []string{"--command"}
	for _, variable := range o.env {
		more = append(more, "--env", variable)
	}
	words = slices.Insert(words, at, more...)
	if o.foreign() {
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
