package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/adr"
	"github.com/a2a-conform/a2a-conform/internal/report"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// listedRule is a rule in a list.
type listedRule struct {
	Rule       string        `json:"rule"`
	Level      suites.Level  `json:"level"`
	Sides      []suites.Side `json:"sides"`
	Section    string        `json:"section"`
	Obligation string        `json:"obligation"`
	Needs      []string      `json:"needs"`
	// Rests are the SHA-256 of the normalised sentences of the contract's text that it judges.
	Rests []string `json:"rests"`
	// Cases are the ids of the runs of the scenarios that cover it.
	Cases []string `json:"cases"`
	// scenarios names them, with how many runs they have.
	scenarios []string
}

// listRules lists the rules or, where a copy of the contract's text is given, compares it with what they rest on.
func (p *program) listRules(format, text string, verbose bool) error {
	switch {
	case text != "":
		return p.compareADR(text, format, verbose)
	case format == "markdown":
		return p.markdownRules()
	case format != "json":
		return p.showRules(suites.Rules(), verbose)
	}
	list, err := p.listedRules(suites.Rules())
	if err != nil {
		return err
	}
	return writeJSON(p.stdout, list)
}

// listedRules finds the cases of rules.
func (p *program) listedRules(rules []suites.Rule) ([]listedRule, error) {
	files, err := p.shipped()
	if err != nil {
		return nil, err
	}
	trace, err := adr.Judged()
	if err != nil {
		return nil, err
	}
	cases := scenarios.ExpandEach(files, evidence.ClockVirtual)
	list := make([]listedRule, 0, len(rules))
	for _, r := range rules {
		one := listedRule{r.ID, r.Level, r.Sides, r.Section, r.Obligation, append([]string{}, r.Needs...), trace.Of(r.ID), []string{}, nil}
		for i, f := range files {
			if !slices.Contains(f.Covers, r.ID) {
				continue
			}
			for _, c := range cases[i] {
				one.Cases = append(one.Cases, c.ID)
			}
			one.scenarios = append(one.scenarios, fmt.Sprintf("%s (%s)", f.Name, counted(len(cases[i]), "run")))
		}
		list = append(list, one)
	}
	return list, nil
}

// showRules writes a line for each rule and, where all is to be shown, the scenarios that cover it below.
func (p *program) showRules(rules []suites.Rule, verbose bool) error {
	list, err := p.listedRules(rules)
	if err != nil {
		return err
	}
	width := max(60, p.width())
	for _, r := range list {
		needs := ""
		if len(r.Needs) > 0 {
			needs = " (needs " + strings.Join(r.Needs, ", ") + ")"
		}
		row := fmt.Sprintf("%-9s%-9s%-4s%9s  %-14s %s", r.Rule, r.Level, sideLetters(r.Sides), counted(len(r.Cases), "run"), r.Section, r.Obligation)
		fmt.Fprintln(p.stdout, shorten(row, width-len(needs))+needs)
		if verbose && len(r.scenarios) > 0 {
			if err := report.WriteFields(p.stdout, []report.Field{{Text: strings.Join(r.scenarios, ", ")}}, p.console()); err != nil {
				return err
			}
		}
	}
	return nil
}
