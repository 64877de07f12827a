package report

import (
	"io"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

// mostAnnotations is how many GitHub shows of each level for a step; what is beyond is in the summary.
const mostAnnotations = 10

// writeGitHub writes annotations of GitHub Actions: an error for each rule that is broken or left open and for each stale
// entry of the baseline, a warning for each rule that warned, and last the verdict.
func writeGitHub(w io.Writer, r verdict.Result, _ Options) error {
	var errs, warnings []annotation
	for _, rr := range r.Rules {
		status := breaks(r, rr)
		if rr.Counts.Of(status) > 0 {
			errs = append(errs, annotationOf("error", rr, status, checksOf(r, rr.Rule, status)))
		} else if rr.Counts.Warned > 0 {
			warnings = append(warnings, annotationOf("warning", rr, suites.Warned, checksOf(r, rr.Rule, suites.Warned)))
		}
	}
	if r.Baseline != nil {
		for _, e := range r.Baseline.Entries {
			if e.State == verdict.EntryStale {
				errs = append(errs, annotation{"error", "baseline " + e.Name(), staleText(e) + "; take it out of " + r.Baseline.File})
			}
		}
	}
	last := annotation{"notice", "a2a-conform: " + verdictWords(r.Verdict), r.ExitReason}
	if r.Exit != verdict.ExitOK {
		last.level = "error"
	}
	var b strings.Builder
	b.WriteString(last.text()) // first: GitHub shows no more than ten
	for _, list := range [][]annotation{errs[:min(len(errs), mostAnnotations-1)], warnings[:min(len(warnings), mostAnnotations)]} {
		for _, a := range list {
			b.WriteString(a.text())
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotation is a remark that GitHub shows beside a run.
type annotation struct{ level, title, message string }

func annotationOf(level string, rr verdict.RuleResult, status suites.Status, found []verdict.CheckResult) annotation {
	c := found[verdict.Example(found)]
	title := rr.Rule + " " + words(string(status)) + " in " + plural(len(found), "check")
	message := c.Reason + " (" + c.Scenario + ")\nThe subject " + verb(rr.Level) + " " + rr.Obligation
	if c.Repeat != "" {
		message += "\nRepeat: " + c.Repeat
	}
	return annotation{level, title, message}
}

// text writes the command, with what would end or divide it escaped.
func (a annotation) text() string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return "::" + a.level + " title=" + property.Replace(clean(a.title)) + "::" + data.Replace(clean(a.message)) + "\n"
}
