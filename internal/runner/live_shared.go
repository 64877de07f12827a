package runner

import (
	"context"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// What the runs of a session have in common whose subject is a program that lives as long as the session.

// platform implements ground.
func (l *live) platform() (subject.Platform, error) {
	b, err := newBoard(l)
	if err != nil {
		return subject.Platform{}, err
	}
	l.board = b
	return subject.Platform{URL: b.origin, Token: b.keys.PlatformToken(), RefreshToken: b.keys.RefreshToken()}, nil
}

// ready implements ground.
func (l *live) ready(s evidence.Subject) {
	l.parallel = s.Parallel
	l.places.all = s.Parallel
	l.grace = drivenGrace
	if ms := s.Constants.GraceMS; ms != nil {
		l.grace += time.Duration(*ms * float64(time.Millisecond))
	}
}

// admit implements ground.
func (l *live) admit(ctx context.Context, c scenarios.Case) (func(int), error) {
	return l.places.take(ctx, together(c))
}

// strays implements ground.
func (l *live) strays() []evidence.Exchange {
	if l.board == nil {
		return []evidence.Exchange{}
	}
	return l.board.left()
}

// keys implements ground.
func (l *live) keys() *script.Keys {
	if l.board == nil {
		return nil
	}
	return l.board.keys
}
