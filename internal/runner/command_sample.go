package runner

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

const (
	// sampledPerRule is how many cases of a sample cover each rule, where there are so many.
	sampledPerRule = 2
	// commandChapter is the folder of the scenarios that are about commands.
	commandChapter = "cli"
	// notSampled is why a case is not in the sample.
	notSampled = "not in the sample that is taken of the cases for a command; --all makes all runs"
)

// sample takes out of cases those that show the most of a program that is started anew for each call, in their order:
// the first case of each scenario about commands and then, as long as some rule is covered less than twice, the one that
// covers the most such rules for each call that it makes. Of equal ones the first case of a scenario goes before its last,
// and that before those between. The same cases give the same sample, on any machine.
//
// Where rules or chapters were chosen, only those count.
func sample(cases []scenarios.Case, chosen []string) []scenarios.Case {
	s := sampling{cases: cases, chosen: chosen, rounds: roundsOf(cases), taken: make([]bool, len(cases)), covered: map[string]int{}}
	for i, c := range cases {
		if c.Chapter == commandChapter && s.rounds[i] == 0 && slices.ContainsFunc(c.Covers, s.counts) {
			s.take(i)
		}
	}
	for i := s.best(); i >= 0; i = s.best() {
		s.take(i)
	}
	var kept []scenarios.Case
	for i, c := range cases {
		if s.taken[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

// sampling is a sample while it is taken.
type sampling struct {
	cases   []scenarios.Case
	chosen  []string // rules and chapters; none for all
	rounds  []int
	taken   []bool
	covered map[string]int
}

func (s *sampling) take(i int) {
	s.taken[i] = true
	for _, rule := range s.cases[i].Covers {
		s.covered[rule]++
	}
}

// counts tells whether a rule is one of those that were chosen, by itself or by its chapter.
func (s *sampling) counts(rule string) bool {
	chapter, _, _ := strings.Cut(rule, "-")
	return len(s.chosen) == 0 || slices.Contains(s.chosen, rule) || slices.Contains(s.chosen, chapter)
}

// best is the place of the case to take next, -1 where no case is wanted any more.
func (s *sampling) best() int {
	best, most, calls := -1, 0, 1
	for i, c := range s.cases {
		if s.taken[i] {
			continue
		}
		wanted := 0
		for _, rule := range c.Covers {
			if s.covered[rule] < sampledPerRule && s.counts(rule) {
				wanted++
			}
		}
		made := max(1, callCount(c))
		better := wanted*calls - most*made
		if better > 0 || better == 0 && best >= 0 && s.rounds[i] < s.rounds[best] {
			best, most, calls = i, wanted, made
		}
	}
	return best
}

// sampled keeps the sample of cases, and says of the others that they were left out.
func (r *Recording) sampled(cases []scenarios.Case) []scenarios.Case {
	kept := sample(cases, r.Session.Selection.Rules)
	for _, c := range cases {
		if !slices.ContainsFunc(kept, func(k scenarios.Case) bool { return k.ID == c.ID }) {
			r.Session.Skipped = append(r.Session.Skipped, evidence.Skipped{Scenario: c.ID, Reason: notSampled})
		}
	}
	return kept
}

// roundsOf says of each case when it has its turn: 0 for the first of its scenario, 1 for the last, 2 for those between.
func roundsOf(cases []scenarios.Case) []int {
	rounds := make([]int, len(cases))
	for i, c := range cases {
		switch {
		case i == 0 || cases[i-1].Scenario != c.Scenario:
			rounds[i] = 0
		case i == len(cases)-1 || cases[i+1].Scenario != c.Scenario:
			rounds[i] = 1
		default:
			rounds[i] = 2
		}
	}
	return rounds
}

// callCount is how many calls a case makes.
func callCount(c scenarios.Case) int {
	n := 0
	for _, step := range c.Calls {
		n += len(callsOf(step))
	}
	return n
}
