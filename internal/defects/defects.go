// Package defects holds clients that are wrong in one way each, to show that the rules notice, and clients that are
// right in unusual ways, to show that the rules leave them alone.
//
// All are written from the contract's text and share nothing with the reference client: a defect that inherited good
// behaviour would prove less than it seems to. A defect is one switch that one place of the client reads. What the
// rules say of it belongs to package suites, and what is asked of it to the scenarios.
package defects

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// Defect is a client with one thing wrong.
type Defect struct {
	// Name is what run --defect takes; About says what is wrong, as "it …".
	Name, About string
	// Kills is the rule that must notice, over the scenarios that cover it. Also are the rules that notice too over
	// the same scenarios, because the one mistake breaks them as well; no other rule may.
	Kills string
	Also  []string
	// Shows is a scenario in which the rule notices.
	Shows   string
	Subject subject.Subject
}

// All lists the defects by chapter, each with a client that has it: those of clients in process, and then those of
// command lines.
func All() []Defect {
	all := slices.Concat(
		requestDefects(), addressDefects(), flowDefects(), stopDefects(), authDefects(), budgetDefects(), limitDefects(), answerDefects(),
		discoveryDefects(), taskSendDefects(), taskAnswerDefects(), followDefects(), followBudgetDefects(), waitDefects(), cacheDefects(),
	)
	for i := range all {
		all[i].Subject = plainClient(all[i].Name)
	}
	return append(all, Commands()...)
}

// Twin is the client of this package with no switch on: right as the contract's text has it. Each name of a defect or a
// variant whose place it comes to is told to asked, from any goroutine, more than once perhaps; nil for nobody. Where it
// never asks for a name, the client with that switch on does exactly what it does.
func Twin(asked func(name string)) subject.Subject {
	twin := plainClient("")
	twin.asked = asked
	return twin
}

// Names lists the names of the defects.
func Names() []string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	return names
}

// Find returns the defect of that name.
func Find(name string) (Defect, bool) {
	for _, d := range All() {
		if d.Name == name {
			return d, true
		}
	}
	return Defect{}, false
}
