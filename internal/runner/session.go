package runner

import (
	"context"
	"crypto/rand"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/mockplatform"
	"github.com/a2a-conform/a2a-conform/mockruntime"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// session holds what all runs of one judging share.
type session struct {
	ground   ground
	subject  subject.Subject
	files    *files
	bodies   *evidence.Bodies
	nonce    string
	most     int // how many exchanges a run may have
	platform *script.Routes
	runtime  *script.Routes
}

// outcome is what came of one run: its recording, and the defects of the harness or of the scenario that it showed.
type outcome struct {
	run    evidence.Run
	faults []evidence.Fault
}

func newSession(s subject.Subject, g ground) (*session, error) {
	made, err := newFiles()
	if err != nil {
		return nil, err
	}
	return &session{
		ground: g, subject: s, files: made, bodies: &evidence.Bodies{}, nonce: rand.Text(), most: MaxExchanges,
		platform: mockplatform.NewRoutes(), runtime: mockruntime.NewRoutes(),
	}, nil
}

func (s *session) close() error {
	s.ground.close()
	return s.files.remove()
}

// run makes one run. Whatever the subject does, the run ends, and other runs are not touched.
func (s *session) run(ctx context.Context, c scenarios.Case) outcome {
	if err := s.files.prepare(c); err != nil {
		return faulty(evidence.Run{ID: c.ID}, "files", err.Error())
	}
	r := &run{session: s, scenario: c}
	end, err := s.ground.contain(ctx, r)
	if err != nil {
		return faulty(evidence.Run{ID: c.ID}, "start", err.Error())
	}
	return r.close(end)
}

// faulty is a run that the harness did not manage.
func faulty(run evidence.Run, kind, text string) outcome {
	return outcome{run: run, faults: []evidence.Fault{{Scenario: run.ID, Kind: kind, Text: text}}}
}
