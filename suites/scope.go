package suites

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// ScopeOf returns the rules that a session's subject and selection put in scope.
func ScopeOf(s evidence.Session) Scope {
	sides := SidesOf(s.Subject)
	scope := Scope{Subject: s.Subject}
	for _, r := range Rules() {
		if r.ID == "SUBJ-02" && !inProcess(s.Subject) {
			continue // what another process leaves behind nobody sees
		}
		if r.On(sides) && selectsRule(s.Selection, r) && selectsLevel(s.Selection.Level, r.Level) {
			scope.Rules = append(scope.Rules, r)
		}
	}
	return scope
}

func selectsRule(sel evidence.Selection, r Rule) bool {
	return len(sel.Rules) == 0 || slices.Contains(sel.Rules, r.ID) || slices.Contains(sel.Rules, r.Chapter())
}

// selectsLevel tells whether a rule is at least as binding as the level asked for; an empty one asks for all.
func selectsLevel(asked string, l Level) bool {
	order := []Level{Must, Should, Observe}
	i := slices.Index(order, Level(asked))
	return i < 0 || slices.Index(order, l) <= i
}
