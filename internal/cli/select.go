package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// choice is what the filters of a command line leave.
type choice struct {
	// rules are chapters and ids, patterns are globs; both as they were written.
	rules, patterns []string
	cases           []scenarios.Case
}

// chooser applies filters: a chapter or a rule selects the scenarios that cover it, a glob on names and run ids selects
// those. Where both are given the globs choose what is run and the rules what is judged.
type chooser struct {
	rules []suites.Rule
	files []*scenarios.File
	sides []suites.Side
	clock evidence.Clock
	cases map[*scenarios.File][]scenarios.Case // of the files that were asked for theirs
	// chosen is what the filters say, problems are those that say nothing.
	chosen   choice
	problems []string
}

func newChooser(filters []string, files []*scenarios.File, sides []suites.Side, clock evidence.Clock) *chooser {
	c := &chooser{rules: suites.Rules(), files: files, sides: sides, clock: clock, cases: map[*scenarios.File][]scenarios.Case{}}
	if len(filters) == 0 { // then all of them are wanted, which is quicker at once
		for i, cases := range scenarios.ExpandEach(files, clock) {
			c.cases[files[i]] = cases
		}
	}
	for _, filter := range filters {
		c.take(filter)
	}
	return c
}

// choice returns what was chosen, its cases among it.
func (c *chooser) choice() choice {
	for _, f := range c.files {
		c.chosen.cases = append(c.chosen.cases, c.wanted(f)...)
	}
	return c.chosen
}

// casesOf expands a file, once: there are thousands of cases, and most command lines want few of them.
func (c *chooser) casesOf(f *scenarios.File) []scenarios.Case {
	if _, known := c.cases[f]; !known {
		c.cases[f] = f.Cases(c.clock)
	}
	return c.cases[f]
}

// take notes what a filter means, or that it means nothing.
func (c *chooser) take(filter string) {
	var meant []suites.Rule
	id := strings.ToUpper(filter) // the catalogue writes its ids so
	for _, r := range c.rules {
		if r.ID == id || r.Chapter() == id {
			meant = append(meant, r)
		}
	}
	switch {
	case len(meant) > 0 && !slices.ContainsFunc(meant, func(r suites.Rule) bool { return r.On(c.sides) }):
		c.problemf(filter, "binds %s, and none of these is judged here", sidesText(meant[0].Sides))
	case len(meant) > 0:
		c.chosen.rules = append(c.chosen.rules, id)
	case slices.ContainsFunc(c.files, func(f *scenarios.File) bool { return len(c.matching([]string{filter}, f)) > 0 }):
		c.chosen.patterns = append(c.chosen.patterns, filter)
	case notJudgedYet(id):
		c.problemf(filter, "%s", notJudged)
	default:
		c.problemf(filter, "no chapter, rule, scenario or run is called so%s", scenarios.DidYouMean(filter, c.known(filter)))
	}
}

func (c *chooser) problemf(filter, format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf("filter %q: %s", filter, fmt.Sprintf(format, args...)))
}

// known lists the words that a filter may have been meant to be: runs only where it names one.
func (c *chooser) known(filter string) []string {
	var words []string
	if strings.Contains(filter, "/") {
		for _, f := range c.files {
			for _, made := range c.casesOf(f) {
				words = append(words, made.ID)
			}
		}
		return words
	}
	for _, r := range c.rules {
		if r.On(c.sides) {
			words = append(words, r.ID, r.Chapter())
		}
	}
	for _, f := range c.files {
		words = append(words, f.Name)
	}
	return words
}

// wanted returns the cases of a file that are chosen.
func (c *chooser) wanted(f *scenarios.File) []scenarios.Case {
	covers := func(id string) bool {
		chapter, _, _ := strings.Cut(id, "-")
		return slices.Contains(c.chosen.rules, id) || slices.Contains(c.chosen.rules, chapter)
	}
	switch {
	case len(c.chosen.patterns) > 0:
		return c.matching(c.chosen.patterns, f)
	case len(c.chosen.rules) > 0 && !slices.ContainsFunc(f.Covers, covers):
		return nil
	default:
		return c.casesOf(f)
	}
}

// matching returns the cases of a file that some pattern chooses.
func (c *chooser) matching(patterns []string, f *scenarios.File) []scenarios.Case {
	if !slices.ContainsFunc(patterns, func(pattern string) bool { return mayMatch(pattern, f.Name) }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.casesOf(f)), func(made scenarios.Case) bool {
		return !slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, made) })
	})
}

// mayMatch tells whether a pattern may choose cases of a scenario, which only its beginning up to a star tells.
func mayMatch(pattern, scenario string) bool {
	fixed := pattern
	if i := strings.IndexAny(pattern, "*?"); i >= 0 {
		fixed = pattern[:i]
	}
	return strings.HasPrefix(scenario, fixed) || strings.HasPrefix(fixed, scenario+"/")
}

// matches tells whether a pattern is, or matches, the name of a scenario or the id of one of its runs.
func matches(pattern string, made scenarios.Case) bool { return scenarios.Matches(pattern, made.ID) }

// sidesText says in words whom a rule binds.
func sidesText(sides []suites.Side) string {
	names := map[suites.Side]string{
		suites.Client: "a client (C)", suites.Command: "a command (K)", suites.Platform: "the platform (P)", suites.Runtime: "the runtime (R)",
	}
	words := make([]string, len(sides))
	for i, side := range sides {
		words[i] = names[side]
	}
	return strings.Join(words, " and ")
}
