package selftest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// twinRun is what the right client did in one case.
type twinRun struct {
	asked  map[string]bool
	digest digest
	checks []suites.Check
	status map[check]suites.Status
}

// check names a check within a run.
type check struct {
	rule string
	call int
}

// digest stands for all that was recorded of a run.
type digest [sha256.Size]byte

func digestOf(run evidence.Run) (digest, error) {
	whole, err := json.Marshal(run)
	if err != nil {
		return digest{}, fmt.Errorf("digest the run %s: %w", run.ID, err)
	}
	return sha256.Sum256(whole), nil
}

// runTwin runs the right client in every case.
func (b *bench) runTwin(ctx context.Context) error {
	b.twin = make([]twinRun, len(b.Cases))
	return each(ctx, b.Jobs, len(b.Cases), func(i int) error {
		asked, note := noted()
		runs, err := b.record(ctx, b.Twin(note), b.Cases[i:i+1])
		if err != nil {
			return err
		}
		made := twinRun{asked: asked, status: map[check]suites.Status{}}
		for _, run := range runs { // none where the client cannot do what the case needs
			if made.digest, err = digestOf(run); err != nil {
				return err
			}
			made.checks = suites.Judge(runs, b.scope)
		}
		for _, c := range made.checks {
			made.status[check{c.Rule, c.Call}] = c.Status
		}
		b.twin[i] = made
		b.behind(1)
		return nil
	})
}

// noted returns a set of names, and a function that puts one into it. The set may be read when the run has ended.
func noted() (map[string]bool, func(string)) {
	var mu sync.Mutex
	names := map[string]bool{}
	return names, func(name string) {
		mu.Lock()
		defer mu.Unlock()
		names[name] = true
	}
}

// trial is what came of a client where its evidence differs from the twin's.
type trial struct {
	// made counts the runs, differing those with other evidence. checks are of the latter.
	made, differing int
	checks          []found
}

// found is a check, the case it was made in, and what it says of the twin; empty where it does not apply to that.
type found struct {
	suites.Check

	at   int
	twin suites.Status
}

// try runs a client and judges the runs that differ from the twin's.
func (b *bench) try(ctx context.Context, j job) (trial, error) {
	if len(j.where) == 0 {
		return trial{}, nil
	}
	cases, at := make([]scenarios.Case, len(j.where)), map[string]int{}
	for k, i := range j.where {
		cases[k], at[b.Cases[i].ID] = b.Cases[i], i
	}
	runs, err := b.record(ctx, j.client, cases)
	if err != nil {
		return trial{}, err
	}
	made := trial{made: len(runs)}
	var other []evidence.Run
	for _, run := range runs {
		d, err := digestOf(run)
		if err != nil {
			return trial{}, err
		}
		if d != b.twin[at[run.ID]].digest {
			other = append(other, run)
		}
	}
	made.differing = len(other)
	for _, c := range suites.Judge(other, b.scope) {
		i := at[c.Run]
		made.checks = append(made.checks, found{c, i, b.twin[i].status[check{c.Rule, c.Call}]})
	}
	return made, nil
}

// record makes the runs of a client, and keeps what they show to be wrong with the harness.
func (b *bench) record(ctx context.Context, client subject.Subject, cases []scenarios.Case) ([]evidence.Run, error) {
	rec, err := b.Record(ctx, client, cases, runner.Options{Jobs: 1})
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, rec.Session.Faults...)
	return rec.Runs, ctx.Err()
}
