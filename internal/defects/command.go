package defects

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/google/uuid"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// The exit statuses of the command (ADR, CLI Contract); one that a signal ended has 128 and the number of the signal.
const (
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128
)

// CommandProgram is the small command with the defect or the variant of that name; an empty name is the command without
// any. ok is false where no command has it.
func CommandProgram(name string) (run subject.Program, ok bool) {
	if name == "" {
		return program(plainClient("")), true
	}
	if d, found := Find(name); found && d.Subject.About().Command {
		return program(plainClient(name)), true
	}
	for _, v := range Variants() {
		if v.Name == name && v.Subject.About().Command {
			return program(plainClient(name)), true
		}
	}
	return nil, false
}

// commandLine is the small command as a subject. It keeps hold of its switches.
type commandLine struct {
	subject.Subject

	switches plain
}

func commandWith(switches plain) commandLine {
	name := "small command"
	if switches.on != "" {
		name += ", " + switches.on
	}
	return commandLine{subject.InProcess(name, program(switches)), switches}
}

// program is the contract's command line before the client plain: right where no switch is on.
func program(switches plain) subject.Program {
	return func(ctx context.Context, process subject.Process) int {
		return (&start{plain: switches, process: process}).run(ctx)
	}
}

// start is one start of the command.
type start struct {
	plain
	process subject.Process
	// call is what it was asked for, platform where and as whom.
	call     subject.Call
	platform subject.Platform
	// owned tells that the message id was made here.
	owned bool
	// user is the name that the platform gave, where it was asked.
	user string
	// found is the cache when it began, and laid the access in it; secrets are texts that nobody is shown.
	found   stored
	laid    access
	secrets []string
	// heard is what went by below the client.
	heard *listener
}

// interruption is the signal that ended a start.
type interruption struct{ signal os.Signal }

// Error says what happened.
func (i interruption) Error() string { return fmt.Sprintf("ended by a signal (%v)", i.signal) }

// run does what the main of a program of its own would do.
func (s *start) run(ctx context.Context) int {
	switch err := s.read(s.process.Args); {
	case errors.Is(err, errHelp):
		s.write(s.process.Stdout, s.help())
		return 0
	case err != nil:
		s.write(s.process.Stderr, err.Error()+"\n")
		return exitUsage
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if s.has("command-says-its-id-beforehand") {
		s.write(s.process.Stderr, s.idLine()) // and a signal may end the process
	} else {
		s.heed(ctx, end)
	}
	if s.has("command-progress-on-standard-output") {
		s.write(s.process.Stdout, "Sending...\n")
	}
	result, err := s.send(ctx)
	if err == nil {
		return s.succeed(result)
	}
	if signalled, ok := errors.AsType[interruption](context.Cause(ctx)); ok {
		return s.fail(err, &signalled)
	}
	return s.fail(err, nil)
}

// heed ends the send at the first signal. The goroutine ends with the start.
func (s *start) heed(ctx context.Context, end context.CancelCauseFunc) {
	if s.acts("command-heeds-no-signal") { // it is asked for where a signal comes: before that it changes nothing
		return // it ends the process then
	}
	signals := s.process.Notify()
	go func() {
		select {
		case received := <-signals:
			if !s.has("command-heeds-no-signal") {
				end(interruption{received})
			}
		case <-ctx.Done():
		}
	}()
}

// send makes the call with the client of this package, on the access that lies in the cache.
func (s *start) send(ctx context.Context) (evidence.Outcome, *failure) {
	opened, err := s.Open(subject.Env{Platform: s.platform, Dial: s.process.Dial, NewMessageID: s.process.NewMessageID})
	if err != nil {
		return evidence.Outcome{}, fail(evidence.Other, "%v", err)
	}
	defer func() { _ = opened.Close() }() // it ends connections that nobody uses
	made, ok := opened.(*plainRun)
	if !ok {
		return evidence.Outcome{}, fail(evidence.Other, "the client is another than that of this package")
	}
	client := made.instance("")
	s.heard = listen(client.http)
	if failed := s.prepare(ctx, client); failed != nil {
		return evidence.Outcome{}, failed
	}
	for tries := 1; ; tries++ {
		result, failed := client.make(ctx, s.call)
		s.learn(client)
		if ctx.Err() == nil && s.tries(failed, tries) {
			continue
		}
		return result, s.keep(ctx, client, failed)
	}
}

// learn notes which tokens must not be shown.
func (s *start) learn(client *instance) {
	client.memory.mu.Lock()
	defer client.memory.mu.Unlock()
	s.secrets = append(s.secrets, client.memory.token, client.memory.latest.token)
	s.log(cmp.Or(client.memory.latest.token, s.laid.token))
}

// newID makes the message id of a caller who gave none.
func (s *start) newID() string {
	if s.process.NewMessageID != nil {
		return s.process.NewMessageID()
	}
	return "msg-" + uuid.NewString()
}

// succeed prints the answer.
func (s *start) succeed(result evidence.Outcome) int {
	s.answered(s.answer(result))
	if s.has("command-tells-its-id-always") {
		s.write(s.process.Stderr, s.idLine())
	}
	if s.has("command-ends-badly-after-an-answer") {
		return exitFailed
	}
	return 0
}

// fail prints the error and, where the command has made the message id, that (ADR, CLI Contract).
func (s *start) fail(err *failure, signalled *interruption) int {
	text := err.text
	if signalled != nil {
		text = signalled.Error()
	}
	lines := "error: " + text + "\n" + s.hint(err)
	if err.category != evidence.InvalidArgument && s.owned && s.tellsID(err, signalled) {
		lines += s.idLine()
	}
	s.failed(lines)
	if s.endsWell(err, signalled) {
		return 0
	}
	return s.status(err, signalled)
}

// status is the exit status of a failure.
func (s *start) status(err *failure, signalled *interruption) int {
	switch {
	case s.has("command-ends-with-three"):
		return 3
	case signalled != nil:
		if signalled.signal == syscall.SIGTERM {
			return exitSignal + int(syscall.SIGTERM)
		}
		return exitSignal + int(syscall.SIGINT)
	case err.category == evidence.InvalidArgument:
		return exitUsage
	}
	return exitFailed
}

// discreet takes every credential out of a text (ADR, Caching).
func (s *start) discreet(text string) string {
	for _, secret := range append(s.secrets, s.platform.Token, s.platform.RefreshToken) {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[token]")
		}
	}
	return text
}
