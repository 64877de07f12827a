package suites

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Level is how binding an obligation is.
type Level string

// Must makes a subject non-conformant when it is broken; Should warns; Observe only reports.
const (
	Must    Level = "MUST"
	Should  Level = "SHOULD"
	Observe Level = "OBSERVE"
)

// Side is whose obligation a rule is.
type Side string

// The sides: a client in any language, the command line of a client, the platform, the runtime.
const (
	Client   Side = "C"
	Command  Side = "K"
	Platform Side = "P"
	Runtime  Side = "R"
)

// Rule is one obligation of the contract.
type Rule struct {
	// ID is stable for ever ("FLOW-06").
	ID    string
	Level Level
	Sides []Side
	// Section is the heading of ADR 0029 that the rule rests on ("Decision 3").
	Section string
	// Obligation completes the sentence "the subject must …".
	Obligation string
	// Cause is what usually lies behind a failure.
	Cause string
	// Right and Wrong say what an exchange that holds the rule, and one that breaks it, look like.
	Right, Wrong string
	// Needs lists the capabilities without which the rule is reported unsupported.
	Needs []string
	// Forbids marks a rule that only forbids requests: it is judged also after a request that no script foresaw.
	// Every other rule sees such a call only up to that request.
	Forbids bool
	// Judge looks at one call and writes what it finds into j. It is called for every call of a run, and finds
	// nothing where the rule does not apply.
	Judge func(c *Call, j *Judgement)
}

// Chapter is the part of the id before the dash ("FLOW").
func (r Rule) Chapter() string {
	for i := range r.ID {
		if r.ID[i] == '-' {
			return r.ID[:i]
		}
	}
	return r.ID
}

// On tells whether the rule binds one of the sides.
func (r Rule) On(sides []Side) bool {
	return slices.ContainsFunc(r.Sides, func(s Side) bool { return slices.Contains(sides, s) })
}

// Rules returns the whole catalogue, sorted by chapter in the order of the contract and by number.
func Rules() []Rule {
	return slices.Concat(
		requestRules(), flowRules(), authRules(), budgetRules(), limitRules(), answerRules(),
		taskRules(), commandRules(), cacheRules(), subjectRules(),
	)
}

// RuleIDs returns the ids of the catalogue, in its order.
func RuleIDs() []string {
	rules := Rules()
	ids := make([]string, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	return ids
}

// Find returns the rule of that id.
func Find(id string) (Rule, bool) {
	rules := Rules()
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i], true
}

// SidesOf returns the sides whose rules bind a subject.
func SidesOf(s evidence.Subject) []Side {
	if s.Command || s.Kind == evidence.KindCommand {
		return []Side{Client, Command}
	}
	return []Side{Client}
}
