// Package subject reaches the client under test: the reference client in process, other Go clients in the same way, and
// commands, in processes of their own or inside this one. A subject makes the calls that it is asked for and reports
// exactly what the client gave its caller, or what a command printed and left behind.
//
// The room holds the interface and its implementations. A subject judges nothing, records nothing and knows no
// scenario.
package subject

import (
	"context"
	"net"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Subject is a client under test.
type Subject interface {
	// About names the subject and says what it can do.
	About() evidence.Subject
	// Open readies it for one run.
	Open(env Env) (Instance, error)
}

// Env is what a subject is told about the world of one run.
type Env struct {
	Platform Platform
	// Dial opens a connection in the run's network; nil for the machine's own.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// NewMessageID makes the message ids of a client in process, so that two runs are equal byte for byte.
	NewMessageID func() string
	// Holds tells whether a text holds a credential that the servers handed out; nil where nobody can tell.
	Holds func(text []byte) bool
}

// Platform is where the platform is and the credentials for it.
type Platform struct {
	URL          string
	Token        string
	RefreshToken string
}

// Started is a subject that is started anew for each call.
type Started interface {
	// Cost is the processor time that a start takes, as the costliest so far showed; 0 before the first.
	Cost() time.Duration
}

// Instance is a subject in one run. Do may be called from several goroutines at once.
type Instance interface {
	// Do makes one call and waits until it ends. The context is cancelled when the caller gives up.
	Do(ctx context.Context, call Call) Answer
	// Close ends what the instance still holds.
	Close() error
}

// Call is one call to make.
type Call struct {
	// Client names the client instance: calls of one name share what they cache.
	Client  string
	Session string
	Op      evidence.CallOp
	Input   evidence.Input
	Files   []File
	// Platform replaces the run's own platform or credentials; nil for no change. User and Backend name them.
	Platform      *Platform
	User, Backend string
	// Env, Args and Signal are for commands alone: variables that this start gets ("NAME=VALUE"), words that follow
	// its own, and a signal that it is sent.
	Env, Args []string
	Signal    *Signal
}

// Signal is a signal for a command: Name is "INT" or "TERM", and it is sent once Due is closed.
type Signal struct {
	Name string
	Due  <-chan struct{}
}

// Answer is what came of a call.
type Answer struct {
	evidence.Outcome
	// Elapsed is the subject's own measure of the call; nil where it gave none.
	Elapsed *time.Duration
	// Command is what a command printed and left in its home; nil for any other subject.
	Command *evidence.Command
	// Signalled is when a command was sent its signal; nil where it was not.
	Signalled *time.Time
	// Delay is how long a command was kept waiting from a moment to its end, the machine being busy with others: by so
	// much it may be late without being slow. It says 0 where that cannot be told, and is nil for any other subject.
	Delay func(since time.Time) time.Duration
	// Disturbed tells that the call crashed beside others, any of which may have been the cause: alone it would tell.
	Disturbed bool
}

// File is a file that goes with a call.
type File struct {
	Path      string
	MediaType string
}
