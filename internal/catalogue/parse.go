package catalogue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxPatterns bounds what the braces of one variant may stand for.
const maxPatterns = 64

// parse reads a chapter. Its error names every mistake and its place.
func parse(name, content string) ([]Rule, error) {
	var (
		rules    []Rule
		problems []error
	)
	for number, line := range strings.Split(content, "\n") {
		line = strings.TrimSpace(line)
		problem := ""
		if variant, ok := strings.CutPrefix(line, "- "); ok {
			problem = addVariant(rules, variant, false)
		} else if variant, ok := strings.CutPrefix(line, "~ "); ok {
			problem = addVariant(rules, variant, true)
		} else if line != "" && !strings.HasPrefix(line, "#") {
			rules, problem = addRule(rules, line)
		}
		if problem != "" {
			problems = append(problems, fmt.Errorf("%s:%d: %s", name, number+1, problem))
		}
	}
	for _, rule := range rules {
		if len(rule.Variants) == 0 {
			problems = append(problems, fmt.Errorf("%s: %s has no variant", name, rule.ID))
		}
	}
	return rules, errors.Join(problems...)
}

func addRule(rules []Rule, line string) (all []Rule, problem string) {
	words := strings.Fields(line)
	if len(words) < 3 {
		return rules, "want the id of a rule, its level and its sides"
	}
	if slices.ContainsFunc(rules, func(r Rule) bool { return r.ID == words[0] }) {
		problem = words[0] + " is there already"
	}
	return append(rules, Rule{ID: words[0], Level: words[1], Sides: words[2:]}), problem
}

// addVariant adds to the last rule.
func addVariant(rules []Rule, line string, left bool) (problem string) {
	if len(rules) == 0 {
		return "a variant stands before the first rule"
	}
	what, runs, found := strings.Cut(line, ": ")
	if !found || what == "" || strings.TrimSpace(runs) == "" {
		return "want what is varied, a colon, and the runs that show it, or in brackets why none does"
	}
	rule := &rules[len(rules)-1]
	if slices.ContainsFunc(rule.Variants, func(v Variant) bool { return v.What == what }) {
		return "this variant is there already"
	}
	variant := Variant{What: what, Left: left}
	if reason, ok := strings.CutPrefix(runs, "("); ok {
		variant.Reason = strings.TrimSuffix(reason, ")")
		if strings.TrimSpace(variant.Reason) == "" || variant.Reason == reason {
			return "want a reason between the brackets"
		}
	} else if variant.Runs = expand(strings.Fields(runs)); len(variant.Runs) > maxPatterns {
		return fmt.Sprintf("the braces stand for more than %d patterns", maxPatterns)
	}
	rule.Variants = append(rule.Variants, variant)
	return ""
}

// expand writes out the braces, the first ones first, and stops when there are too many patterns.
func expand(patterns []string) []string {
	var all []string
	for _, pattern := range patterns {
		before, rest, open := strings.Cut(pattern, "{")
		inside, after, closed := strings.Cut(rest, "}")
		if !open || !closed {
			all = append(all, pattern)
			continue
		}
		for choice := range strings.SplitSeq(inside, ",") {
			if all = append(all, expand([]string{before + choice + after})...); len(all) > maxPatterns {
				return all
			}
		}
	}
	return all
}
