package runner

import (
	"context"
	"crypto/rand"
	"sync/atomic"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/mockplatform"
	"github.com/a2a-conform/a2a-conform/mockruntime"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// session holds what all runs of one judging share.
type session struct {
	*Shared

	ground  ground
	subject subject.Subject
	bodies  *evidence.Bodies
	most    int  // how many exchanges a run may have
	own     bool // whether what is shared ends with the session
	// twin is the second session once it makes runs; nil where there is none.
	twin atomic.Pointer[session]
}

// Shared is what short sessions that follow each other need not make anew: the files of the scenarios, the routes of the
// servers, and what tokens are made from.
type Shared struct {
	files    *files
	nonce    string
	bodies   *evidence.Bodies // those of each session are its own: this gives on what runs need for a while
	platform *script.Routes
	runtime  *script.Routes
}

// NewShared makes what sessions share. Close it when the last of them has ended.
func NewShared() (*Shared, error) {
	made, err := newFiles()
	if err != nil {
		return nil, err
	}
	return &Shared{files: made, nonce: rand.Text(), bodies: &evidence.Bodies{}, platform: mockplatform.NewRoutes(), runtime: mockruntime.NewRoutes()}, nil
}

// Close takes the files away.
func (s *Shared) Close() error { return s.files.remove() }

// outcome is what came of one run: its recording, and the defects of the harness or of the scenario that it showed.
type outcome struct {
	run    evidence.Run
	faults []evidence.Fault
	// disturbed tells that a call crashed beside those of other runs, any of which may have been the cause.
	disturbed bool
	// unmade is why the run could not be begun, where the subject takes no more calls.
	unmade error
}

// newSession readies a session, with what it shares with others or, for nil, with its own.
func newSession(s subject.Subject, g ground, shared *Shared) (*session, error) {
	made := &session{Shared: shared, ground: g, subject: s, most: MaxExchanges, own: shared == nil}
	if made.own {
		var err error
		if made.Shared, err = NewShared(); err != nil {
			return nil, err
		}
	}
	made.bodies = made.Shared.bodies.Next()
	return made, nil
}

// begin starts a subject that lives as long as the session, and returns what stops it, and why it is not ready where it
// is not. Other subjects need no start. The error is about the machine.
func (s *session) begin(ctx context.Context) (stop func(), unready, err error) {
	lasting, ok := s.subject.(subject.Session)
	if !ok {
		return func() {}, nil, nil
	}
	platform, err := s.ground.platform()
	if err != nil {
		return nil, nil, err
	}
	if err := lasting.Start(ctx, platform); err != nil {
		return lasting.Stop, err, nil
	}
	s.ground.ready(lasting.About())
	return lasting.Stop, nil, nil
}

// lost says why the subject makes no more calls, in the one or the other of its sessions; nil while it does.
func (s *session) lost() error {
	if lasting, ok := s.subject.(subject.Session); ok {
		if err := lasting.Lost(); err != nil {
			return err
		}
	}
	if twin := s.twin.Load(); twin != nil {
		return twin.lost()
	}
	return nil
}

func (s *session) close() error {
	s.ground.close()
	if !s.own {
		return nil
	}
	return s.Close()
}

// run makes one run. Whatever the subject does, the run ends, and other runs are not touched.
func (s *session) run(ctx context.Context, c scenarios.Case) outcome {
	if err := s.files.prepare(c); err != nil {
		return faulty(evidence.Run{ID: c.ID}, "files", err.Error())
	}
	give, err := s.ground.admit(ctx, c)
	if err != nil {
		return outcome{run: evidence.Run{ID: c.ID}, unmade: err}
	}
	r := &run{session: s, scenario: c, give: give}
	end, err := s.ground.contain(ctx, r)
	if err != nil {
		give(0)
		return faulty(evidence.Run{ID: c.ID}, "start", err.Error())
	}
	o := r.close(end)
	give(hanging(o.run)) // nothing is left to give unless the run was left behind
	return o
}

// faulty is a run that the harness did not manage.
func faulty(run evidence.Run, kind, text string) outcome {
	return outcome{run: run, faults: []evidence.Fault{{Scenario: run.ID, Kind: kind, Text: text}}}
}
