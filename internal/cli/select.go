package cli

import (
	"fmt"
	"regexp"
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

// choose applies filters: a chapter or a rule selects the scenarios that cover it, a glob on names and run ids selects
// those. Where both are given the globs choose what is run and the rules what is judged.
func choose(filters []string, files []*scenarios.File, sides []suites.Side) (choice, []string) {
	c := chooser{rules: suites.Rules(), files: files, sides: sides}
	for _, f := range files {
		c.cases = append(c.cases, f.Cases(evidence.ClockVirtual)...)
	}
	for _, filter := range filters {
		c.take(filter)
	}
	c.chosen.cases = slices.DeleteFunc(slices.Clone(c.cases), func(made scenarios.Case) bool { return !c.wants(made) })
	return c.chosen, c.problems
}

// chooser applies filters one by one.
type chooser struct {
	rules    []suites.Rule
	files    []*scenarios.File
	cases    []scenarios.Case
	sides    []suites.Side
	chosen   choice
	problems []string
}

// take notes what a filter means, or that it means nothing.
func (c *chooser) take(filter string) {
	var meant []suites.Rule
	for _, r := range c.rules {
		if r.ID == filter || r.Chapter() == filter {
			meant = append(meant, r)
		}
	}
	switch {
	case len(meant) > 0 && !slices.ContainsFunc(meant, func(r suites.Rule) bool { return r.On(c.sides) }):
		c.problemf(filter, "binds %s, and none of these is judged here", sidesText(meant[0].Sides))
	case len(meant) > 0:
		c.chosen.rules = append(c.chosen.rules, filter)
	case slices.ContainsFunc(c.cases, func(made scenarios.Case) bool { return matches(filter, made) }):
		c.chosen.patterns = append(c.chosen.patterns, filter)
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
		for _, made := range c.cases {
			words = append(words, made.ID)
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

// wants tells whether a case is chosen.
func (c *chooser) wants(made scenarios.Case) bool {
	switch {
	case len(c.chosen.patterns) > 0:
		return slices.ContainsFunc(c.chosen.patterns, func(pattern string) bool { return matches(pattern, made) })
	case len(c.chosen.rules) > 0:
		return slices.ContainsFunc(made.Covers, func(id string) bool {
			chapter, _, _ := strings.Cut(id, "-")
			return slices.Contains(c.chosen.rules, id) || slices.Contains(c.chosen.rules, chapter)
		})
	default:
		return true
	}
}

// matches tells whether a pattern is, or matches, the name of a scenario or the id of one of its runs. A star stands
// for any number of characters, the slash among them; all else but the question mark stands for itself, so that an id
// always matches itself.
func matches(pattern string, made scenarios.Case) bool {
	if pattern == made.ID || pattern == made.Scenario {
		return true
	}
	if !strings.ContainsAny(pattern, "*?") {
		return false
	}
	text := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	glob, err := regexp.Compile("^(?:" + text + ")$")
	return err == nil && (glob.MatchString(made.ID) || glob.MatchString(made.Scenario))
}

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
