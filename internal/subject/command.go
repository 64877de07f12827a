package subject

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// CommandOptions say what a command finds around it.
type CommandOptions struct {
	// Dir is the user's directory, which a relative program is looked up from.
	Dir string
	// Surroundings is the user's environment as NAME=VALUE. Little of it is handed on.
	Surroundings []string
	// Env is what the user adds to it, as Variables returns it.
	Env []string
}

// CommandLine is a program that keeps the contract's command line (ADR, CLI Contract), as a subject. Each call starts it
// anew; calls of one client name share a home.
type CommandLine struct {
	program string
	prefix  []string
	options CommandOptions
	version string
	cost    atomic.Int64 // nanoseconds
}

// Command returns the subject for a command line that the contract's words are appended to. The error says that its
// program cannot be found.
func Command(prefix []string, o CommandOptions) (*CommandLine, error) {
	if len(prefix) == 0 || prefix[0] == "" {
		return nil, errors.New("there is no command: name the program that agent session a2a send … is appended to")
	}
	program, err := find(prefix[0], o)
	if err != nil {
		return nil, err
	}
	heedInterrupts()
	return &CommandLine{program: program, prefix: prefix[1:], options: o}, nil
}

// find looks a program up as a shell in the user's directory would and returns its absolute path.
func find(name string, o CommandOptions) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		path, err := exec.LookPath(absolute(name, o.Dir))
		if err != nil {
			return "", fmt.Errorf("%s cannot be started: %w", name, errors.Unwrap(err))
		}
		return path, nil
	}
	path, _ := lookUp(o.Surroundings, "PATH")
	for _, dir := range filepath.SplitList(path) {
		if found, err := exec.LookPath(filepath.Join(absolute(dir, o.Dir), name)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("%s cannot be started: there is no such program on the PATH; a path with a slash names one beside it", name)
}

func absolute(path, dir string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// About implements Subject.
func (c *CommandLine) About() evidence.Subject {
	return aboutCommand(strings.Join(append([]string{filepath.Base(c.program)}, c.prefix...), " "), c.version)
}

func aboutCommand(name, version string) evidence.Subject {
	return evidence.Subject{
		Kind: evidence.KindCommand, Name: name, Version: version, Command: true, Capabilities: commandCapabilities(),
	}
}

// Open implements Subject.
func (c *CommandLine) Open(env Env) (Instance, error) {
	hs, err := newHomes("", env.Holds)
	if err != nil {
		return nil, err
	}
	return &commandInstance{homes: hs, env: env, options: c.options, play: c.start}, nil
}

// patience is how long a command may take to say its version.
const patience = 10 * time.Second

// Identify asks the command for its version, which About names from then on: with --version and, where that fails, with
// the word version. A command that does not say it has none. The error says that it cannot be started.
func (c *CommandLine) Identify(ctx context.Context) error {
	hs, err := newHomes("", nil)
	if err != nil {
		return err
	}
	defer func() { _ = hs.remove() }()
	h, err := hs.of("version")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, word := range []string{"--version", "version"} {
		e := c.start(ctx, start{words: []string{word}, env: environment(c.options.Surroundings, c.options.Env, h, Platform{}, Call{}), home: h})
		switch {
		case e.crash != "" && ctx.Err() == nil:
			return fmt.Errorf("%s: %s", filepath.Base(c.program), e.crash)
		case e.exit == notFound || e.exit == notExecutable:
			return fmt.Errorf("%s cannot be started: %s", filepath.Base(c.program), strings.TrimSpace(e.stderr))
		case e.exit == 0:
			c.version = versionIn(e.stdout)
			return nil
		}
	}
	return nil
}

// What a shell says of a program that is not there, or is none.
const (
	notExecutable = 126
	notFound      = 127
)

// versionIn finds the version in what a command says of it; empty where there is none.
func versionIn(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	form := regexp.MustCompile(`\bv?\d+(\.\d+)+[-+.0-9A-Za-z]*|\bdev\b`)
	const longest = 60
	found := form.FindString(line)
	return found[:min(longest, len(found))]
}

// start is one start of a command.
type start struct {
	words  []string
	env    []string
	home   home
	signal *Signal
}

// ending is what came of a start.
type ending struct {
	exit           int
	signal         string // the one that ended it
	stdout, stderr string
	signalled      *time.Time
	// delays are how long the machine kept it waiting.
	delays delays
	// crash says what went wrong, where the command did not end by itself or could not be started.
	crash string
}

// commandInstance is a command in one run.
type commandInstance struct {
	*homes

	env     Env
	options CommandOptions
	// play starts the command and returns when it has ended.
	play func(ctx context.Context, s start) ending
}

// Do implements Instance.
func (c *commandInstance) Do(ctx context.Context, call Call) Answer {
	if reason := CommandCannot(call); reason != "" {
		return Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: reason}}
	}
	h, s, err := c.ready(call)
	if err != nil {
		return Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: err.Error()}}
	}
	e := c.play(ctx, s)
	answer := Answer{
		Outcome:   evidence.Outcome{Kind: evidence.OutcomePrinted},
		Signalled: e.signalled, Delay: e.delays.since,
		Command: &evidence.Command{
			Args: shown(s.words), Env: namesOf(s.env), Exit: e.exit, Signal: e.signal,
			Stdout: evidence.Text(h.placeless(e.stdout)), Stderr: evidence.Text(h.placeless(e.stderr)), Files: h.left(),
		},
	}
	for i, word := range answer.Command.Args {
		answer.Command.Args[i] = h.placeless(word)
	}
	if e.crash != "" {
		answer.Outcome = evidence.Outcome{Kind: evidence.OutcomeCrash, Reason: e.crash}
	}
	return answer
}

// ready makes the home of a call and the words of its start.
func (c *commandInstance) ready(call Call) (home, start, error) {
	h, err := c.of(call.Client)
	if err != nil {
		return h, start{}, err
	}
	platform := c.env.Platform
	if call.Platform != nil {
		platform = *call.Platform
	}
	var file string
	if text := call.Input.Message.Or(""); byFile(text) {
		if file, err = c.input(h, text); err != nil {
			return h, start{}, err
		}
	}
	return h, start{
		words: words(call, file), home: h, signal: call.Signal,
		env: environment(c.options.Surroundings, c.options.Env, h, platform, call),
	}, nil
}

// Close implements Instance.
func (c *commandInstance) Close() error { return c.remove() }
