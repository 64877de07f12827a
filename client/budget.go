package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// budget is the one clock of a call. Everything that can wait waits on ctx, so
// that no step needs a limit of its own and none starts the time again.
type budget struct {
	limits
	caller   context.Context //nolint:containedctx // a budget is what bounds a call; this tells the caller's own end from it
	ctx      context.Context //nolint:containedctx // as caller
	deadline time.Time
	phase    Phase // of the error when the deadline has passed
}

// startBudget counts from now. The caller ends it with the returned function,
// which releases the timer.
func startBudget(caller context.Context, l limits) (*budget, context.CancelFunc) {
	deadline := time.Now().Add(l.total)
	ctx, cancel := context.WithDeadline(caller, deadline)
	return &budget{limits: l, caller: caller, ctx: ctx, deadline: deadline, phase: PhaseTotal}, cancel
}

// over is nil while the call may go on; otherwise it says what ended it.
func (b *budget) over() error {
	// The clock is asked too: a deadline on a connection can fire a moment
	// before the context's own timer does.
	now := time.Now()
	err := b.caller.Err()
	if end, limited := b.caller.Deadline(); err == nil && limited && !now.Before(end) {
		err = context.DeadlineExceeded
	}
	if err != nil {
		return fmt.Errorf("the caller ended the call: %w", err)
	}
	if b.ctx.Err() != nil || !now.Before(b.deadline) {
		return &TimeoutError{Phase: b.phase, Limit: b.total}
	}
	return nil
}

// fits reports whether something due at that time comes before the deadline.
// Exactly at the deadline is too late.
func (b *budget) fits(due time.Time) bool { return due.Before(b.deadline) }

// pause waits until due and returns nil, or what ended the call meanwhile.
func (b *budget) pause(due time.Time) error {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-b.ctx.Done():
	}
	return b.over()
}

// connecting is the context for establishing one connection.
func (b *budget) connecting() (context.Context, context.CancelFunc) {
	if b.connect == 0 {
		return context.WithCancel(b.ctx)
	}
	return context.WithTimeout(b.ctx, b.connect)
}

// connectFault says why a connection was not established under ctx, which is
// one of connecting's.
func (b *budget) connectFault(ctx context.Context, server string, err error) error {
	if over := b.over(); over != nil {
		return over
	}
	if end, limited := ctx.Deadline(); limited && !time.Now().Before(end) {
		return &TimeoutError{Phase: PhaseConnect, Limit: b.connect}
	}
	return &TransportError{Server: server, Doing: "connecting", Err: err}
}

// readFault says why an answer could not be read.
func (b *budget) readFault(server, doing string, err error) error {
	if over := b.over(); over != nil {
		return over
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &TimeoutError{Phase: PhaseRead, Limit: b.read}
	}
	return &TransportError{Server: server, Doing: doing, Err: err}
}
