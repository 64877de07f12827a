package subject

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func opened(t *testing.T, s Subject, env Env) Instance {
	t.Helper()
	instance, err := s.Open(env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := instance.Close(); err != nil {
			t.Error(err)
		}
	})
	return instance
}

func platform() Platform {
	return Platform{URL: "http://127.0.0.1:1", Token: "tok", RefreshToken: "ref"}
}

func sending(text string) Call {
	return Call{Client: "a", Session: "s-1", Op: evidence.CallSend, Input: evidence.Input{Message: evidence.Some(text)}}
}

// inBubble runs one call of a program on virtual time.
func inBubble(t *testing.T, program Program, env Env, call func(ctx context.Context, instance Instance)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		instance, err := InProcess("tool", program).Open(env)
		if err != nil {
			t.Fatal(err)
		}
		call(t.Context(), instance)
		<-time.After(time.Hour) // what the program left behind comes to its end
		if err := instance.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestProgramGetsWhatAProcessGets(t *testing.T) {
	t.Parallel()
	program := func(_ context.Context, p Process) int {
		rest, _ := io.ReadAll(p.Stdin)
		_ = os.WriteFile(filepath.Join(p.Env("HOME"), "left"), []byte("x"), 0o600)
		fmt.Fprintln(p.Stdout, p.Args, p.Env("MAINSEQUENCE_ACCESS_TOKEN"), p.Env("DEBUG"), p.Env("GONE"), p.Dir, len(rest), p.NewMessageID())
		fmt.Fprintln(p.Stderr, "no")
		return 4
	}
	env := Env{Platform: platform(), NewMessageID: func() string { return "m-1" }}
	inBubble(t, program, env, func(ctx context.Context, instance Instance) {
		call := sending("hello")
		call.Env = []string{"DEBUG=1"}
		other := Platform{URL: "u", Token: "other", RefreshToken: "r"}
		call.Platform = &other
		answer := instance.Do(ctx, call)
		want := evidence.Command{
			Exit: 4, Stderr: evidence.Text("no\n"), Files: []evidence.LeftFile{{Path: "left", Mode: "0600", Size: 1, Content: evidence.Text("x")}},
			Stdout: evidence.Text("[agent session a2a send s-1 --message hello] other 1  ‹work› 0 m-1\n"),
		}
		got := *answer.Command
		got.Args, got.Env = nil, nil
		if diff := cmp.Diff(want, got); diff != "" || answer.Kind != evidence.OutcomePrinted {
			t.Error(answer.Outcome, diff)
		}
	})
}

// heedful waits for a signal as a well-behaved program does.
func heedful(ctx context.Context, p Process) int {
	signals := p.Notify()
	select {
	case s := <-signals:
		fmt.Fprintln(p.Stderr, "message id: m-1,", s)
		if s == syscall.SIGTERM {
			return 143
		}
		return 130
	case <-ctx.Done():
		return 1
	}
}

// heedless never asks for signals; what it says when its context ends comes after its death.
func heedless(ctx context.Context, p Process) int {
	fmt.Fprint(p.Stdout, "alive")
	<-ctx.Done()
	fmt.Fprint(p.Stdout, "dead")
	return 0
}

// deaf does not even heed its context in time.
func deaf(context.Context, Process) int {
	<-time.After(time.Minute)
	return 0
}

func TestSignalsInProcess(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, signal string
		program      Program
		want         evidence.Command
		took         time.Duration
	}{
		{"heedful", "INT", heedful, evidence.Command{Exit: 130, Stderr: evidence.Text("message id: m-1, interrupt\n")}, time.Second},
		{"heedful", "TERM", heedful, evidence.Command{Exit: 143, Stderr: evidence.Text("message id: m-1, terminated\n")}, time.Second},
		{"heedless", "INT", heedless, evidence.Command{Exit: 130, Signal: "INT", Stdout: evidence.Text("alive")}, time.Second},
		{"heedless", "TERM", heedless, evidence.Command{Exit: 143, Signal: "TERM", Stdout: evidence.Text("alive")}, time.Second},
		{"deaf", "INT", deaf, evidence.Command{Exit: 130, Signal: "INT"}, time.Second + lastWords},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.signal, func(t *testing.T) {
			t.Parallel()
			inBubble(t, tt.program, Env{}, func(ctx context.Context, instance Instance) {
				began := time.Now()
				due := make(chan struct{})
				time.AfterFunc(time.Second, func() { close(due) })
				call := sending("x")
				call.Signal = &Signal{Name: tt.signal, Due: due}
				answer := instance.Do(ctx, call)
				got := evidence.Command{Exit: answer.Command.Exit, Signal: answer.Command.Signal, Stdout: nonEmpty(answer.Command.Stdout), Stderr: nonEmpty(answer.Command.Stderr)}
				if diff := cmp.Diff(tt.want, got); diff != "" || answer.Kind != evidence.OutcomePrinted {
					t.Error(answer.Outcome, diff)
				}
				if answer.Signalled == nil || answer.Signalled.Sub(began) != time.Second || time.Since(began) != tt.took {
					t.Errorf("signalled at %v, ended after %s", answer.Signalled, time.Since(began))
				}
			})
		})
	}
}

func nonEmpty(text evidence.Text) evidence.Text {
	if len(text) == 0 {
		return nil
	}
	return text
}

func TestProgramThatNeverEnds(t *testing.T) {
	t.Parallel()
	inBubble(t, heedless, Env{}, func(ctx context.Context, instance Instance) {
		ctx, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		answer := instance.Do(ctx, sending("x"))
		if answer.Kind != evidence.OutcomeCrash || answer.Command.Signal != "KILL" || string(answer.Command.Stdout) != "alive" {
			t.Errorf("got %+v with %+v", answer, answer.Command)
		}
	})
}

func TestProgramThatPanics(t *testing.T) {
	t.Parallel()
	inBubble(t, func(context.Context, Process) int { panic("oh") }, Env{}, func(ctx context.Context, instance Instance) {
		answer := instance.Do(ctx, sending("x"))
		if answer.Kind != evidence.OutcomeCrash || answer.Reason != "panic: oh" || answer.Command.Exit != 2 {
			t.Errorf("got %+v with %+v", answer, answer.Command)
		}
	})
}

// TestConnectionsEndWithTheProgram: a process that has ended holds none.
func TestConnectionsEndWithTheProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		late := make(chan error, 1)
		program := func(ctx context.Context, p Process) int {
			if _, err := p.Dial(ctx, "tcp", "h:1"); err != nil {
				return 1
			}
			go func() {
				<-time.After(time.Second)
				_, err := p.Dial(context.WithoutCancel(ctx), "tcp", "h:1")
				late <- err
			}()
			return 0
		}
		far := make(chan net.Conn, 2)
		env := Env{Dial: func(context.Context, string, string) (net.Conn, error) {
			near, other := net.Pipe()
			far <- other
			return near, nil
		}}
		instance, err := InProcess("tool", program).Open(env)
		if err != nil {
			t.Fatal(err)
		}
		if answer := instance.Do(t.Context(), sending("x")); answer.Command.Exit != 0 {
			t.Errorf("got %+v", answer.Command)
		}
		if _, err := (<-far).Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("want the end of the connection, got %v", err)
		}
		<-time.After(2 * time.Second)
		if err := <-late; err == nil || !strings.Contains(err.Error(), "has ended") {
			t.Errorf("want no connection after the end, got %v", err)
		}
		if err := instance.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAboutACommandInProcess(t *testing.T) {
	t.Parallel()
	about := InProcess("tool", heedful).About()
	if about.Name != "tool" || about.Kind != evidence.KindCommand || !about.Command {
		t.Errorf("got %+v", about)
	}
}
