package subject

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// inProcess is a command that runs inside this process, so that a virtual clock can drive it.
type inProcess struct {
	name    string
	program Program
}

// InProcess returns the subject for a command that runs inside this process. It gets the words, the environment, the
// homes and the signals that a process of its own would get, and leaves the same evidence.
func InProcess(name string, program Program) Subject { return inProcess{name, program} }

// About implements Subject.
func (i inProcess) About() evidence.Subject { return aboutCommand(i.name, "") }

// Open implements Subject.
func (i inProcess) Open(env Env) (Instance, error) {
	hs, err := newHomes(inMemory, env.Holds)
	if err != nil {
		return nil, err
	}
	play := func(ctx context.Context, s start) ending { return newInside(env, s).play(ctx, i.program) }
	return &commandInstance{homes: hs, env: env, play: play}, nil
}

// inside is a command while it runs in this process.
type inside struct {
	env            Env
	start          start
	stdout, stderr output

	mu       sync.Mutex
	signals  chan os.Signal // nil until the program asks for them
	conns    map[net.Conn]bool
	finished bool
}

func newInside(env Env, s start) *inside {
	return &inside{env: env, start: s, conns: map[net.Conn]bool{}}
}

// exited is how a program came to its end.
type exited struct {
	status int
	panic  string
}

// lastWords is how long a program that was ended may take to notice it.
const lastWords = 5 * time.Second

// play runs the program to its end, or to that of the process that it believes to be.
func (in *inside) play(ctx context.Context, program Program) ending {
	life, cancel := context.WithCancel(context.WithoutCancel(ctx)) // a process that is killed does not notice it before
	defer cancel()
	done := make(chan exited, 1)
	go func() { done <- in.run(life, program) }() // ends when the program does; its context ends with this call
	var e ending
	var due <-chan struct{}
	if in.start.signal != nil {
		due = in.start.signal.Due
	}
	for running := true; running; {
		select {
		case x := <-done:
			e.exit, running = x.status, false
			if x.panic != "" {
				e.crash = x.panic
			}
		case <-due:
			due = nil
			now := time.Now()
			e.signalled = &now
			if in.deliver() {
				continue
			}
			e.exit, e.signal = 128+int(in.signal()), in.start.signal.Name
			running = false
		case <-ctx.Done():
			e.exit, e.signal = 128+int(syscall.SIGKILL), "KILL"
			e.crash = "the command had not ended when its time was over, and was killed"
			running = false
		}
	}
	in.end()
	if e.signal != "" {
		cancel()
		select {
		case <-done:
		case <-time.After(lastWords):
		}
	}
	e.stdout, e.stderr = in.stdout.text(), in.stderr.text()
	return e
}

// run is the program's main. A panic ends the program, not this process.
func (in *inside) run(ctx context.Context, program Program) (x exited) {
	defer func() {
		if value := recover(); value != nil {
			x = exited{status: 2, panic: fmt.Sprintf("panic: %v", value)}
		}
	}()
	return exited{status: program(ctx, Process{
		Args: in.start.words,
		Env: func(name string) string {
			value, _ := lookUp(in.start.env, name)
			return value
		},
		Dir: in.start.home.work(), Stdin: strings.NewReader(""), Stdout: &in.stdout, Stderr: &in.stderr,
		Dial: in.dial, NewMessageID: in.env.NewMessageID, Notify: in.notify,
	})}
}

// notify is what the program asks for signals with.
func (in *inside) notify() <-chan os.Signal {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.signals == nil {
		in.signals = make(chan os.Signal, 1)
	}
	return in.signals
}

// deliver hands the signal to a program that asked for it; false where its default action is due.
func (in *inside) deliver() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.signals == nil {
		return false
	}
	select {
	case in.signals <- in.signal():
	default: // as with processes, a signal that is waiting already is not counted twice
	}
	return true
}

func (in *inside) signal() syscall.Signal {
	if in.start.signal.Name == "TERM" {
		return syscall.SIGTERM
	}
	return syscall.SIGINT
}

// dial opens a connection that ends with the program, as those of a process do.
func (in *inside) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	open := in.env.Dial
	if open == nil {
		open = (&net.Dialer{}).DialContext
	}
	if in.over() {
		return nil, errOver
	}
	conn, err := open(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.finished {
		return nil, errors.Join(errOver, conn.Close())
	}
	in.conns[conn] = true
	return conn, nil
}

// errOver is what a program gets that goes on after its end.
var errOver = errors.New("the process has ended")

func (in *inside) over() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.finished
}

// end takes from the program what a process loses at its end: its outputs and its connections.
func (in *inside) end() {
	in.stdout.close()
	in.stderr.close()
	in.mu.Lock()
	defer in.mu.Unlock()
	in.finished = true
	for conn := range in.conns {
		_ = conn.Close()
	}
}
