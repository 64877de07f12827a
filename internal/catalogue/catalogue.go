// Package catalogue says, rule by rule, which variants the text of a rule names and which runs of the built-in
// scenarios put each of them to the test: every status, every bad value, both sides of a border, the client that does
// too much and the one that does too little. Its own test runs the scenarios and holds it to that. What a rule asks and
// how it judges belongs to package suites; what happens in a run, to the scenarios.
//
// A chapter is a file of lines:
//
//	FLOW-18 MUST C
//	- null: direction-unusable/retry=null
//	- missing: direction-missing/state={checking,waking}
//	- in Task mode: (why no run of this program can show it)
//	~ as text: direction-odd/retry=1500
//
// Behind a variant stand patterns of run ids. In a pattern * is any text, and {a,b} stands for two patterns. A variant
// is exercised when each of its patterns has a run in which the rule passed; after ~ stands what the text leaves to the
// client, where an observation is wanted instead.
package catalogue

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.txt
var chapters embed.FS

// Rule is one rule and what its text names.
type Rule struct {
	ID    string
	Level string
	// Sides are the letters of those whom it binds.
	Sides    []string
	Variants []Variant
}

// Variant is one thing that the text of a rule names.
type Variant struct {
	// What the text names, in a few words.
	What string
	// Runs are the patterns of the runs that exercise it (see Match).
	Runs []string
	// Left tells that the text leaves it to the client, so that the rule only observes.
	Left bool
	// Reason says why no run exercises it; empty where runs do.
	Reason string
}

// Rules reads the whole catalogue, in the order of its files. Nothing is read before it is asked for. An error is a
// mistake in the files of the program itself.
func Rules() ([]Rule, error) {
	names, err := fs.Glob(chapters, "*.txt")
	if err != nil {
		return nil, fmt.Errorf("list the chapters of the catalogue: %w", err)
	}
	var (
		rules    []Rule
		problems []error
	)
	for _, name := range names {
		content, err := chapters.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read a chapter of the catalogue: %w", err)
		}
		chapter, err := parse(name, string(content))
		rules, problems = append(rules, chapter...), append(problems, err)
	}
	return rules, errors.Join(problems...)
}

// Variants returns what the text of a rule names; nothing for a rule that the catalogue does not have.
func Variants(rule string) ([]Variant, error) {
	rules, err := Rules()
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == rule }); i >= 0 {
		return rules[i].Variants, nil
	}
	return nil, nil
}

// Match tells whether a run is one that a pattern means. Unlike in path.Match, * passes over slashes, since the values
// in a run's id may hold some.
func Match(pattern, run string) bool {
	parts := strings.Split(pattern, "*")
	rest, begins := strings.CutPrefix(run, parts[0])
	if len(parts) == 1 {
		return begins && rest == ""
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return begins && strings.HasSuffix(rest, parts[last])
}
