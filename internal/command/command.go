// Package command is the reference command: the command line of the contract (ADR 0029, CLI Contract) before the
// reference client.
//
// The room turns words, variables and files into one call of package client, and its outcome into output and an exit
// status. How a message is sent is the client's business. What belongs to the process, its arguments and standard
// streams, its environment and its signals, comes in as a subject.Process and is touched in no other way: so the command
// also runs inside another program, many times over and on virtual time.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/google/uuid"

	"github.com/a2a-conform/a2a-conform/client"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// The exit statuses.
const (
	exitOK         = 0
	exitFailed     = 1
	exitUsage      = 2
	exitInterrupt  = 130 // 128 and the number of INT, as a shell has it
	exitTerminated = 143 // the same of TERM
)

// name is what the command is called by.
const name = "a2a-conform agent session a2a send"

// Main runs the command line of p, which begins with "agent session a2a send", and returns the exit status: 0 with the
// answer on standard output; 1 when the send failed, 2 when nothing was sent because of the command line, the
// environment or a file, 130 and 143 after INT and TERM, all with the reason on standard error. A context that ends is an
// interruption too. The message goes out at most once, the one resend after rejected credentials aside.
func Main(ctx context.Context, p subject.Process) int {
	given := parse(p.Args)
	if given.help {
		_, _ = io.WriteString(p.Stdout, Help)
		return exitOK
	}
	ctx, release := heed(ctx, p.Notify)
	defer release()

	job, problems := prepare(ctx, p, given)
	if ctx.Err() != nil {
		fmt.Fprintf(p.Stderr, "%s: %v; nothing was sent\n", name, interruption(ctx))
		return interruption(ctx).exit()
	}
	if len(problems) > 0 {
		return misused(p.Stderr, problems)
	}
	return job.do(ctx, p)
}

// job is one send, ready to be made.
type job struct {
	client  *client.Client
	request client.Request
	words   func(problems []string) []string // the client's problems in the words of the command
}

// do makes the send and shows what came of it.
func (j job) do(ctx context.Context, p subject.Process) int {
	// The id is made here, so that it can be told whatever becomes of the send.
	if j.request.MessageID == "" {
		j.request.MessageID = newMessageID(p)
	}
	result, err := j.client.Send(ctx, j.request)
	problems := problemsOf(err)
	switch {
	case len(problems) > 0:
		return misused(p.Stderr, j.words(problems))
	case ctx.Err() != nil && err != nil:
		failed(p.Stderr, j.request.MessageID, interruption(ctx), mayHaveRun(err))
		return interruption(ctx).exit()
	case err != nil:
		failed(p.Stderr, j.request.MessageID, cause(err), mayHaveRun(err))
		return exitFailed
	}
	if err := show(p.Stdout, result); err != nil {
		failed(p.Stderr, j.request.MessageID, err, false)
		return exitFailed
	}
	return exitOK
}

func newMessageID(p subject.Process) string {
	if p.NewMessageID != nil {
		return p.NewMessageID()
	}
	return "msg-" + uuid.NewString()
}

// interrupted is the end of a context: by a signal, or by whoever made it, which has no signal.
type interrupted struct{ signal os.Signal }

// Error says which.
func (i *interrupted) Error() string {
	if i.signal == syscall.SIGTERM {
		return "terminated"
	}
	return "interrupted"
}

func (i *interrupted) exit() int {
	if i.signal == syscall.SIGTERM {
		return exitTerminated
	}
	return exitInterrupt
}

// interruption is what ended a context that has ended.
func interruption(ctx context.Context) *interrupted {
	if by, ok := errors.AsType[*interrupted](context.Cause(ctx)); ok {
		return by
	}
	return &interrupted{}
}

// heed ends the context when the process is asked to end. The goroutine that waits for it ends with release.
func heed(ctx context.Context, notify func() <-chan os.Signal) (heeding context.Context, release func()) {
	heeding, end := context.WithCancelCause(ctx)
	if notify != nil {
		signals := notify()
		go func() {
			select {
			case received := <-signals:
				end(&interrupted{received})
			case <-heeding.Done():
			}
		}()
	}
	return heeding, func() { end(nil) }
}
