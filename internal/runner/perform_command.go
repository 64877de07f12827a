package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// changeHome does something to a client's home, and notes it for the next call of that client.
func (r *run) changeHome(step scenarios.HomeStep) {
	homes, ok := r.instance.(subject.Homes)
	if !ok {
		r.fail(fmt.Errorf("change the home of the client %s: only commands have homes; let the scenario need command", step.Client))
		return
	}
	change := evidence.HomeChange{Spoiled: step.Spoil}
	var err error
	if step.Put != nil {
		change = evidence.HomeChange{Put: step.Put.Path, Mode: fmt.Sprintf("%04o", step.Put.Mode.Perm())}
		err = homes.Put(step.Client, subject.HomeFile{Path: step.Put.Path, Text: step.Put.Text, Mode: step.Put.Mode})
	} else {
		err = homes.Spoil(step.Client, step.Spoil)
	}
	if err != nil {
		r.fail(fmt.Errorf("change the home of the client %s: %w", step.Client, err))
		return
	}
	r.homes[step.Client] = append(r.homes[step.Client], change)
}

// changes hands over what was done to a client's home since its last call.
func (r *run) changes(client string) []evidence.HomeChange {
	done := r.homes[client]
	delete(r.homes, client)
	return done
}

// signal says when a command is to be sent its signal: some time after the call begins or, where it waits for an
// exchange, after that has arrived. When the call has ended first, it is not due any more.
func (r *run) signal(ctx context.Context, s *scenarios.Signal) *subject.Signal {
	if s == nil {
		return nil
	}
	var arrived <-chan struct{}
	if s.After != nil {
		arrived = r.script.Await(s.After.Op, s.After.N)
	}
	due := make(chan struct{})
	go func() { // ends when the signal is due, or with the call
		if arrived != nil {
			select {
			case <-arrived:
			case <-ctx.Done():
				return
			}
		}
		timer := time.NewTimer(s.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
			close(due)
		case <-ctx.Done():
		}
	}()
	return &subject.Signal{Name: s.Name, Due: due}
}
