// Package subject reaches the client under test: the reference client in process, and other Go clients in the same
// way. A subject makes the calls that it is asked for and reports exactly what the client gave its caller.
//
// The room holds the interface and its implementations. A subject judges nothing, records nothing and knows no
// scenario.
package subject

import (
	"context"
	"net"

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
}

// Platform is where the platform is and the credentials for it.
type Platform struct {
	URL          string
	Token        string
	RefreshToken string
}

// Instance is a subject in one run. Do may be called from several goroutines at once.
type Instance interface {
	// Do makes one call and waits until it ends. The context is cancelled when the caller gives up.
	Do(ctx context.Context, call Call) evidence.Outcome
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
}

// File is a file that goes with a call.
type File struct {
	Path      string
	MediaType string
}
