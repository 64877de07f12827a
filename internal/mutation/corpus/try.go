package corpus

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Switches bring the mutants of an instrumented package suites to life.
type Switches struct {
	Judge func(*evidence.Run, suites.Scope) []suites.Check
	// Set brings a mutant to life, 0 for none, and panics after so many steps.
	Set func(mutant int32, limit int64)
	// Watch begins to note which mutants are reached, Seen ends it.
	Watch func()
	Seen  func() (reached []int32, steps int64)
}

// sound is what is known of a run without a mutant.
type sound struct {
	Recorded

	reached map[int32]bool
	steps   int64
	checks  map[check]suites.Status
}

type check struct {
	rule string
	call int
}

// bench is the corpus and who reaches what in it.
type bench struct {
	switches Switches
	runs     []sound
	rules    map[int32]map[string]bool // of each mutant, the rules that reach it
}

// Try records the corpus and tries the mutants whose numbers the file named work lists, a line each. It writes lines
// for package mutation: when one begins, and whether it was killed, lives or was reached by no run.
func Try(ctx context.Context, s Switches, work string, w io.Writer) error {
	file, err := os.Open(work)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // nothing was written to it
	recorded, err := Record(ctx)
	if err != nil {
		return err
	}
	b := newBench(s, recorded)
	lines := bufio.NewScanner(file)
	for lines.Scan() && ctx.Err() == nil {
		n, err := strconv.ParseInt(lines.Text(), 10, 32)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n#mutant begin %d\n", n)
		fmt.Fprintf(w, "\n#mutant %s\n", b.try(int32(n)))
	}
	return lines.Err()
}

// newBench judges all runs without a mutant: each by all rules, to see what it reaches, and all by each rule.
func newBench(s Switches, recorded []Recorded) *bench {
	b := &bench{switches: s, rules: map[int32]map[string]bool{}}
	var rules []suites.Rule
	for _, r := range recorded {
		clean := sound{Recorded: r, reached: map[int32]bool{}, checks: map[check]suites.Status{}}
		s.Watch()
		checks := s.Judge(r.Run, r.Scope)
		reached, steps := s.Seen()
		clean.steps = steps
		for _, n := range reached {
			clean.reached[n] = true
		}
		for _, c := range checks {
			clean.checks[check{c.Rule, c.Call}] = c.Status
		}
		b.runs = append(b.runs, clean)
		if len(r.Scope.Rules) > len(rules) {
			rules = r.Scope.Rules
		}
	}
	for i := range rules {
		s.Watch()
		for _, run := range b.runs {
			s.Judge(run.Run, suites.Scope{Rules: rules[i : i+1], Subject: run.Scope.Subject})
		}
		reached, _ := s.Seen()
		for _, n := range reached {
			if b.rules[n] == nil {
				b.rules[n] = map[string]bool{}
			}
			b.rules[n][rules[i].ID] = true
		}
	}
	return b
}

// try says what becomes of a mutant.
func (b *bench) try(n int32) string {
	reached := false
	for i := range b.runs {
		run := &b.runs[i]
		if !run.reached[n] {
			continue
		}
		reached = true
		if how := b.differs(n, run); how != "" {
			return fmt.Sprintf("%s %d %s in %s", how, n, run.Client, run.Run.ID)
		}
	}
	if reached {
		return fmt.Sprintf("lives %d", n)
	}
	return fmt.Sprintf("unreached %d", n)
}

// patience is how many times the steps that a run takes without a mutant it may take with one.
const patience = 20

// differs tells how what the rules say of a run with a mutant differs from what they say without; empty where it does
// not. The rules that do not come to the mutant cannot differ.
func (b *bench) differs(n int32, run *sound) (how string) {
	scope := suites.Scope{Subject: run.Scope.Subject}
	for _, rule := range run.Scope.Rules {
		if b.rules[n][rule.ID] {
			scope.Rules = append(scope.Rules, rule)
		}
	}
	defer func() {
		b.switches.Set(0, 0)
		if said := recover(); said != nil {
			how = "panicked"
			if text, ok := said.(string); ok && text == "mutant without end" {
				how = "endless"
			}
		}
	}()
	b.switches.Set(n, patience*run.steps+100_000)
	got := map[check]suites.Status{}
	for _, c := range b.switches.Judge(run.Run, scope) {
		got[check{c.Rule, c.Call}] = c.Status
	}
	b.switches.Set(0, 0)
	for _, rule := range scope.Rules {
		for i := range run.Run.Calls {
			at := check{rule.ID, run.Run.Calls[i].Number}
			if got[at] != run.checks[at] {
				return "killed"
			}
		}
	}
	return ""
}
