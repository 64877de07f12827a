package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/adr"
	"github.com/a2a-conform/a2a-conform/internal/catalogue"
	"github.com/a2a-conform/a2a-conform/internal/report"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

func (p *program) explainCommand() *cobra.Command {
	return p.command(&cobra.Command{
		Use:   "explain RULE|CHAPTER",
		Short: "Say what a rule asks, what right and wrong look like, and what exercises it",
		Long: "Say what a rule asks and where the contract asks it, what an exchange that keeps it and one that breaks it\n" +
			"look like, what usually lies behind a failure, and which scenarios exercise it: those that cover it, then\n" +
			"each variant that its text names with the runs that put it to the test. Of a chapter, list the rules." + listCodes,
		Example: "  a2a-conform explain FLOW-06\n  a2a-conform explain FLOW",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		problems := given.problems
		written, problem := one("explain", "the id of a rule", given)
		id := strings.ToUpper(written) // the catalogue writes its ids so
		rule, known := suites.Find(id)
		chapter := chapterRules(id)
		switch {
		case problem != "" || known || len(chapter) > 0:
		case notJudgedYet(id):
			problem = id + " " + notJudged
		default:
			problem = fmt.Sprintf("there is no rule %q%s", written, scenarios.DidYouMean(id, suites.RuleIDs()))
		}
		if problem != "" {
			problems = append(problems, problem)
		}
		if err := usage(cmd, problems); err != nil {
			return err
		}
		if len(chapter) > 0 {
			return p.showRules(chapter, false)
		}
		return p.explain(rule)
	})
}

// chapterRules returns the rules of a chapter; none where there is no such chapter.
func chapterRules(chapter string) []suites.Rule {
	return slices.DeleteFunc(suites.Rules(), func(r suites.Rule) bool { return r.Chapter() != chapter })
}

// explain writes all that is known of a rule.
func (p *program) explain(r suites.Rule) error {
	exercised, err := p.exercisedBy(r.ID)
	if err != nil {
		return err
	}
	variants, err := variantsOf(r.ID)
	if err != nil {
		return err
	}
	trace, err := adr.Judged()
	if err != nil {
		return err
	}
	source := contract().ID + ", " + r.Section
	if r.Chapter() == "SUBJ" {
		source = "a rule of the harness itself"
	}
	needs := "nothing beyond what every client must do"
	if len(r.Needs) > 0 {
		needs = strings.Join(r.Needs, ", ")
	}
	fmt.Fprintf(p.stdout, "%s  %s, binds %s\n\n", r.ID, r.Level, sidesText(r.Sides))
	fields := []report.Field{
		{Label: "the subject", Text: verb(r.Level) + " " + r.Obligation}, {Label: "source", Text: source}, {Label: "rests on", Text: restsOn(trace, r.ID)}, {Label: "needs", Text: needs},
		{Label: "right", Text: r.Right}, {Label: "wrong", Text: r.Wrong}, {Label: "usual cause", Text: r.Cause},
	}
	if len(exercised) == 0 {
		fields = append(fields, report.Field{Label: "exercised by", Text: "no scenario"})
	}
	fields = append(fields, below("exercised by", exercised)...)
	fields = append(fields, below("variants", variants)...)
	if len(exercised) > 0 && r.On([]suites.Side{suites.Client}) {
		fields = append(fields, report.Field{Label: "try it", Text: name + " run " + r.ID})
	}
	return report.WriteFields(p.stdout, fields, p.console())
}

// below makes a field of each text, the label before the first.
func below(label string, texts []string) []report.Field {
	var fields []report.Field
	for _, text := range texts {
		fields = append(fields, report.Field{Label: label, Text: text})
		label = ""
	}
	return fields
}

// variantsOf says of each variant that the text of a rule names which runs put it to the test, or why none does.
func variantsOf(rule string) ([]string, error) {
	variants, err := catalogue.Variants(rule)
	if err != nil {
		return nil, fmt.Errorf("read the variants of %s: %w", rule, err)
	}
	var texts []string
	for _, v := range variants {
		text := v.What
		if v.Left {
			text += " (left to the client, and noted)"
		}
		if v.Reason != "" {
			texts = append(texts, text+": "+v.Reason)
			continue
		}
		texts = append(texts, text+": "+strings.Join(v.Runs, ", "))
	}
	return texts, nil
}

// verb says how binding a rule is.
func verb(l suites.Level) string {
	switch l {
	case suites.Must:
		return "must"
	case suites.Should:
		return "should"
	default:
		return "is free here, and what it does is noted:"
	}
}

// exercisedBy names the scenarios that cover a rule, with their cases: the first dozen, and how many more.
func (p *program) exercisedBy(rule string) ([]string, error) {
	files, err := p.shipped()
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f *scenarios.File) bool { return !slices.Contains(f.Covers, rule) })
	const few = 12
	var texts []string
	for _, f := range files[:min(few, len(files))] {
		text := f.Name
		if cases := f.Cases(evidence.ClockVirtual); len(cases) > 1 {
			text += fmt.Sprintf(", %d runs: %s", len(cases), caseNames(cases))
		}
		texts = append(texts, text)
	}
	if more := len(files) - few; more > 0 {
		texts = append(texts, fmt.Sprintf("and %s: %s run %s --dry-run", counted(more, "more scenario"), name, rule))
	}
	return texts, nil
}

// caseNames names a few cases by what tells them apart.
func caseNames(cases []scenarios.Case) string {
	const few = 6
	var names []string
	for _, c := range cases[:min(few, len(cases))] {
		_, name, _ := strings.Cut(c.ID, "/")
		names = append(names, name)
	}
	text := strings.Join(names, "; ")
	if more := len(cases) - few; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
