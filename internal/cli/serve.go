package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// servedAt is where the platform of a served scenario listens unless its user says otherwise, servedEverywhere where it
// is told under another name.
const (
	servedAt         = "127.0.0.1:8123"
	servedEverywhere = ":8123"
)

// serveOptions is the command line of serve as it was written.
type serveOptions struct {
	scenario, listen, advertise, format, record string
	env                                         []string
	ownTimes                                    bool
}

// The formats of serve.
const (
	formatConsole = "console"
	formatJSON    = "json"
)

func (p *program) serveCommand() *cobra.Command {
	var o serveOptions
	cmd := p.command(&cobra.Command{
		Use:   "serve",
		Short: "Serve one scenario on fixed ports, and show what arrives",
		Long: "Serve one scenario on fixed ports: its platform, its runtime and whatever other servers it has, as run has them.\n" +
			"It prints the environment to paste, the calls that the scenario asks for, and each request as it arrives and as\n" +
			"it ends, so that a finding can be confirmed by hand. Nothing is judged. Ctrl-C ends it with what is left over of\n" +
			"the scenario; started again, it answers from the beginning. docs/serve.md shows it." + serveCodes,
		Example: "  a2a-conform serve --scenario waking-then-ready\n  a2a-conform serve --scenario stops-at-terminal/state=unavailable\n" +
			"  a2a-conform serve --scenario my-scenario.yaml --listen 127.0.0.1:9000",
	}, func(ctx context.Context, cmd *cobra.Command, given arguments) error {
		made, variables, problems := o.plan(p, given)
		if err := usage(cmd, problems); err != nil {
			return err
		}
		return p.serving(ctx, cmd, made, variables, o)
	})
	flags := cmd.Flags()
	flags.StringVar(&o.scenario, "scenario", "", "serve the scenario `NAME` of the program, or that of a FILE; of several cases name one, as NAME/CASE or FILE/CASE (plain-send)")
	flags.StringVar(&o.listen, "listen", "", "let the platform listen at `HOST:PORT`; the other servers take the ports that follow; port 0 takes any that are free ("+servedAt+")")
	flags.StringVar(&o.advertise, "advertise", "", "name the servers as `HOST`, and listen on all addresses: for a client in a container or on another machine")
	flags.StringArrayVar(&o.env, "env", nil, "print the variable `NAME=VALUE` too; VALUE may hold {platform.url}, {platform.token} and {platform.refresh_token}; repeatable")
	flags.StringVar(&o.format, "format", formatConsole, "write what happens as `FORMAT`: console, or json for a script, one object a line")
	flags.StringVar(&o.record, "record", "", "keep what was exchanged in `DIR`, or in a file that ends in .zip, when it ends")
	flags.BoolVar(&o.ownTimes, "own-times", false, "keep the times that the scenario has on virtual time, in place of the shorter ones for real time")
	return cmd
}

// serveCodes is the part of the help that lists exit codes.
const serveCodes = `

Exit codes:
  0  ended by Ctrl-C or SIGTERM, after the summary
  2  the command line or a file is wrong, or a port is taken; nothing was served
  5  the program itself is at fault`

// plan is the case to serve and the variables to print beside those of the contract, and all that is wrong.
func (o *serveOptions) plan(p *program, given arguments) (scenarios.Case, []string, []string) {
	problems := slices.Clone(given.problems)
	for _, word := range given.all() {
		problems = append(problems, "serve takes no argument, got "+word+": --scenario names what is served")
	}
	reach := driverOptions{listen: o.listen, advertise: o.advertise}
	problems = append(problems, reach.unreachable(true)...)
	variables, wrong := subject.Variables(o.env, p.env)
	for i := range o.env {
		if problem, ok := wrong[i]; ok {
			problems = append(problems, "--env: "+problem)
		}
	}
	if problem := recordProblem(o.record); problem != "" {
		problems = append(problems, problem)
	}
	if o.format != formatConsole && o.format != formatJSON {
		problems = append(problems, fmt.Sprintf("--format: want console or json, got %q", o.format))
	}
	made, found := o.chosen(p)
	return made, variables, append(problems, found...)
}

// chosen is the case that --scenario names, and what is wrong with the name.
func (o *serveOptions) chosen(p *program) (scenarios.Case, []string) {
	written := o.scenario
	if written == "" {
		written = scenarios.Control
	}
	var files []*scenarios.File
	var err error
	name := written
	if file, label, ok := filed(written); ok {
		files, err = scenarios.Load([]string{file}, scenarios.Options{KnownRules: suites.RuleIDs()})
		if err == nil {
			name = strings.TrimSuffix(files[0].Name+"/"+label, "/")
		}
	} else {
		files, err = p.shipped()
	}
	if err != nil {
		return scenarios.Case{}, lines("--scenario: ", err)
	}
	made, problem := caseNamed(name, files, o.clock())
	if problem != "" {
		return made, []string{"--scenario: " + problem}
	}
	return made, nil
}

// clock is whose times are taken: the scenario's own are those of virtual time.
func (o *serveOptions) clock() evidence.Clock {
	if o.ownTimes {
		return evidence.ClockVirtual
	}
	return evidence.ClockReal
}

// filed takes the path of a file, and what names a case of it, out of what was written; false for a name.
func filed(written string) (file, label string, ok bool) {
	for _, ending := range []string{".yaml", ".yml"} {
		if before, after, found := strings.Cut(written, ending+"/"); found {
			return before + ending, after, true
		}
		if strings.HasSuffix(written, ending) {
			return written, "", true
		}
	}
	info, err := os.Stat(filepath.Clean(written))
	return written, "", err == nil && info.Mode().IsRegular()
}

// caseNamed finds a case by its id, or by the name of a scenario that has just one.
func caseNamed(id string, files []*scenarios.File, clock evidence.Clock) (scenarios.Case, string) {
	name, label, _ := strings.Cut(id, "/")
	at := slices.IndexFunc(files, func(f *scenarios.File) bool { return f.Name == name })
	if at < 0 {
		names := make([]string, len(files))
		for i, f := range files {
			names[i] = f.Name
		}
		guess := scenarios.DidYouMean(name, names)
		if guess == "" {
			guess = "; a2a-conform list scenarios names all, and a file ends in .yaml"
		}
		return scenarios.Case{}, fmt.Sprintf("there is no scenario %q%s", name, guess)
	}
	cases := files[at].Cases(clock)
	ids := make([]string, len(cases))
	for i, c := range cases {
		if ids[i] = c.ID; c.ID == id {
			return c, ""
		}
	}
	switch {
	case label != "" && len(cases) == 1:
		return scenarios.Case{}, fmt.Sprintf("%s has one case only: leave out %q", name, "/"+label)
	case label != "":
		return scenarios.Case{}, fmt.Sprintf("%s has no case %q%s; there are %s", name, label, scenarios.DidYouMean(id, ids), some(ids))
	case len(cases) == 1:
		return cases[0], ""
	default:
		return scenarios.Case{}, fmt.Sprintf("%s has %d cases, and one is served: name it, of %s", name, len(cases), some(ids))
	}
}

// some lists a few words, and says how many more there are.
func some(words []string) string {
	const most = 4
	if len(words) <= most {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
}

// serving serves a case until the context ends.
func (p *program) serving(ctx context.Context, cmd *cobra.Command, c scenarios.Case, variables []string, o serveOptions) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := o.view(p, cancel)
	served, err := runner.Serve(c, runner.ServeOptions{Listen: o.place(), Advertise: o.advertise, Onlooker: s})
	if taken, ok := errors.AsType[*runner.ListenError](err); ok {
		return usage(cmd, []string{cannotListen(taken)})
	}
	if err != nil {
		return fmt.Errorf("serve %s: %w", c.ID, err)
	}
	s.open(c, served, variables, o)
	<-ctx.Done()
	run, leftover, malformed := served.Close()
	s.close(run, leftover, malformed)
	return errors.Join(s.failure(), o.keep(p, c, run))
}

// place is where the platform is to listen.
func (o *serveOptions) place() string {
	switch {
	case o.listen != "":
		return o.listen
	case o.advertise != "":
		return servedEverywhere
	default:
		return servedAt
	}
}

// serveView shows what is served and what arrives.
type serveView interface {
	runner.Onlooker
	open(c scenarios.Case, served *runner.Served, variables []string, o serveOptions)
	close(run evidence.Run, leftover, malformed []string)
	// failure is why it could not be shown, nil where it could.
	failure() error
}

// view is what --format asks for. broken is called when nobody reads it any more.
func (o *serveOptions) view(p *program, broken func()) serveView {
	if o.format == formatJSON {
		return &serveLines{out: p.stdout, broken: broken}
	}
	return &serveScreen{out: p.stdout, broken: broken}
}

// keep writes the recording, without calls: which of them somebody made, and what came of them, nobody here knows.
func (o *serveOptions) keep(p *program, c scenarios.Case, run evidence.Run) error {
	if o.record == "" {
		return nil
	}
	run.Calls, run.Exchanges = []evidence.Call{}, slices.Clone(run.Exchanges)
	for i := range run.Exchanges {
		run.Exchanges[i].Calls = []int{}
	}
	session := evidence.Session{
		Tool: p.tool(), Contract: contract(), Subject: evidence.Subject{Kind: evidence.KindRecording, Name: "whoever came", Capabilities: []string{}},
		Selection: evidence.Selection{Rules: []string{}, Scenarios: []string{c.ID}, Level: string(suites.Observe)}, Clock: evidence.ClockReal,
		Control: evidence.Control{Held: true}, Skipped: []evidence.Skipped{}, Strays: []evidence.Exchange{}, Faults: []evidence.Fault{},
		Repeat: []string{name, "serve", "--scenario", c.ID},
	}
	return evidence.Save(o.record, session, []evidence.Run{run})
}

// cannotListen says what to do about a server that cannot be opened.
func cannotListen(e *runner.ListenError) string {
	switch {
	case errors.Is(e.Err, syscall.EADDRINUSE):
		return fmt.Sprintf("--listen: %s, where the server %s is to listen, is taken by another program: end that one, or name another place such as --listen 127.0.0.1:9000 (each server takes the next port; port 0 takes any)", e.Address, e.Server)
	case errors.Is(e.Err, syscall.EADDRNOTAVAIL) || errors.Is(e.Err, syscall.EACCES):
		return fmt.Sprintf("--listen: %v: name an address of this machine and a port that you may use, such as --listen %s", e, servedAt)
	default:
		return fmt.Sprintf("--listen: %v", e)
	}
}
