// Package runner brings one scenario and one subject together and hands back
// the evidence. It owns what a run stands on: the clock, the network, and how a
// run comes to rest. What servers answer belongs to the mocks, what a subject is
// to package subject, and whether it did right to the rules.
package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Patience is how long, in real time, a run on virtual time may take before it counts as hung. A run computes for
// milliseconds, and for seconds only where the machine is starved; time that stands still (a busy loop, a mutex nobody
// releases) never ends by itself.
const Patience = 30 * time.Second

// Bubble runs f on virtual time and tells how it ended: settled, panic (of f's
// own goroutine, which includes ending it with runtime.Goexit), deadlock, leak
// (f returned, others stay blocked) or hang (nothing ended within patience, in
// real time). After a deadlock, leak or hang the goroutines of the bubble are
// abandoned; other bubbles go on. A panic in a goroutine that f started ends the
// process, as anywhere in Go; name labels the goroutines for that case.
//
// It works in a shipped binary as under go test, from any number of goroutines
// at once, but not inside another bubble. Nothing made outside a bubble (channel,
// context, timer) may be waited on inside. The error says that virtual time
// itself is not to be had here; then f did not run.
func Bubble(name string, patience time.Duration, f func()) (evidence.End, error) {
	type result struct {
		end evidence.End
		err error
	}
	b := &bubble{name: name, f: f}
	ended := make(chan result, 1) // room for one, so that a bubble given up can still end
	go func() {
		// A goroutine of its own, because a failed T ends its caller. It ends
		// with the bubble, or never when the bubble hangs.
		defer func() {
			end, err := b.end(recover())
			ended <- result{end, err}
		}()
		// The zero T serves as parent: synctest reads only its name and state, and
		// nobody is given the inner T to fail it. A real T would have to come from
		// testing.Main, which a test binary runs already and which cannot run twice.
		synctest.Test(new(testing.T), b.main)
	}()
	watchdog := time.NewTimer(patience)
	defer watchdog.Stop()
	select {
	case r := <-ended:
		return r.end, r.err
	case <-watchdog.C:
	}
	text := b.culprits(patience)
	select {
	case r := <-ended: // just in time: what the dump shows is not what held it up
		return r.end, r.err
	default:
		return evidence.End{How: evidence.EndHang, Text: text}, nil
	}
}

// CheckVirtualTime says what keeps virtual time from working in this process, so
// that a user learns it before the first run.
func CheckVirtualTime() error {
	_, err := Bubble("check of virtual time", Patience, func() {})
	return err
}

// Wait blocks until all other goroutines of the caller's bubble wait for time or
// for each other. Only one goroutine of a bubble may wait at a time.
func Wait() { synctest.Wait() }

// bubble is one call of Bubble.
type bubble struct {
	name     string
	f        func()
	id       atomic.Int64 // the runtime's number, by which stacks name the bubble
	panicked string       // what f panicked with, and where; written before f's goroutine ends
}

// main is the first function inside the bubble.
func (b *bubble) main(*testing.T) {
	b.id.Store(currentBubble())
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("run", b.name)))
	done := make(chan struct{})
	go func() { // contains a Goexit of the subject; ends with f
		defer close(done)
		makeRoom()
		b.guard()
	}()
	<-done
}

// guard calls f and keeps what it panicked with.
func (b *bubble) guard() {
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil {
			b.panicked = strings.TrimRight(fmt.Sprintf("%v\n%s", value, panicFrames()), "\n")
			return
		}
		b.panicked = "the goroutine of the call was ended (runtime.Goexit, as t.FailNow does) instead of returning"
	}()
	b.f()
	returned = true
}

// end tells how the bubble ended, from what synctest panicked with, if anything.
func (b *bubble) end(problem any) (evidence.End, error) {
	text := fmt.Sprint(problem)
	switch {
	case b.panicked != "":
		return evidence.End{How: evidence.EndPanic, Text: b.panicked}, nil
	case problem == nil:
		return evidence.End{How: evidence.EndSettled}, nil
	case strings.Contains(text, "main bubble goroutine has exited"):
		return evidence.End{How: evidence.EndLeak, Text: "goroutines are left that nothing will wake:\n" + list(bubbled(b.id.Load()))}, nil
	case strings.HasPrefix(text, "deadlock"):
		return evidence.End{How: evidence.EndDeadlock, Text: "all goroutines wait for each other:\n" + list(bubbled(b.id.Load()))}, nil
	case strings.Contains(text, "asynctimerchan"):
		return evidence.End{}, fmt.Errorf("virtual time does not work with asynctimerchan=1: remove it from GODEBUG (now %q) and start again", os.Getenv("GODEBUG"))
	case strings.Contains(text, "within a synctest bubble"):
		return evidence.End{}, errors.New("start virtual time: already inside a bubble; call from outside of synctest.Test")
	default:
		return evidence.End{}, fmt.Errorf("start virtual time: %s", text)
	}
}

// culprits describes the goroutines that keep virtual time from moving on.
func (b *bubble) culprits(patience time.Duration) string {
	all := bubbled(b.id.Load())
	stuck := slices.DeleteFunc(slices.Clone(all), func(g goroutine) bool { return g.durable })
	if len(stuck) == 0 {
		return fmt.Sprintf("no end after %s of real time, though virtual time moves on:\n%s", patience, list(all))
	}
	return fmt.Sprintf("virtual time stood still for %s of real time because of:\n%s", patience, list(stuck))
}
