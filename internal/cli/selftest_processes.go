package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/selftest"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// processesLast is how long the part of a self-test may take that starts processes.
const processesLast = time.Minute

// startCommands runs the defective command lines among the defects as processes: this program itself, started as one of
// them. It is nil where there are none.
func (p *program) startCommands(ctx context.Context, c selftest.Config) (*selftest.Started, error) {
	if !slices.ContainsFunc(c.Defects, func(d defects.Defect) bool { return d.Subject.About().Command }) {
		return nil, nil //nolint:nilnil // there is nothing to start, and nothing wrong with that
	}
	files, err := p.shipped()
	if err != nil {
		return nil, fmt.Errorf("load the scenarios: %w", err)
	}
	self := p.self
	if len(self) == 0 {
		path, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find this program to start it as a command: %w", err)
		}
		self = []string{path}
	}
	started, err := selftest.Processes{
		Start: func(defect string) (subject.Subject, error) {
			if defect == "" {
				defect = rightCommand
			}
			return subject.Command(slices.Concat(self, []string{defectiveWord, defect}), subject.CommandOptions{Surroundings: p.env})
		},
		Virtual: c.Cases, Real: scenarios.Expand(files, evidence.ClockReal), Within: processesLast, Record: p.record,
	}.Run(ctx, c.Defects)
	return &started, err
}
