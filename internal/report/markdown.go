package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

const (
	// mostTold is how many broken rules are told in full, mostListed how many entries and remarks are named.
	mostTold, mostListed = 20, 50
	// longest bounds a text that comes out of a recording, in characters. All limits together keep a page below half of
	// the MiB that GitHub takes.
	longest = 10_000
)

// writeMarkdown writes a page with the verdict, a line for each chapter, and each broken rule to be unfolded.
func writeMarkdown(w io.Writer, r verdict.Result, _ Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s: %s\n\n", mark(strings.TrimSpace(r.Subject.Name+" "+r.Subject.Version)), verdictWords(r.Verdict))
	fmt.Fprintf(&b, "Exit %d: %s\n\n", r.Exit, mark(r.ExitReason))
	fmt.Fprintf(&b, "%s, revision %s; %s, %s, %s\n\n", mark(r.Contract.ID), mark(r.Contract.Revision),
		plural(r.Summary.Scenarios.Run, "run"), plural(r.Summary.Exchanges, "exchange"), plural(r.Summary.Checks.Total(), "check"))
	if r.Summary.Checks.Total() > 0 {
		markChapters(&b, r)
	}
	markFailures(&b, r)
	markKnown(&b, r)
	for i, f := range r.Faults {
		if i == 0 {
			b.WriteString("### Faults of the harness or a scenario, not of the subject\n\n")
		}
		if i < mostListed {
			fmt.Fprintf(&b, "- %s (%s): %s\n", mark(f.Scenario), mark(f.Kind), mark(f.Text))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markChapters(b *strings.Builder, r verdict.Result) {
	b.WriteString("| Chapter | Rules | Checks | Result |\n|---|---:|---:|---|\n")
	for _, ch := range chaptersOf(r.Rules) {
		checks, statuses := chapterCounts(ch)
		var parts []string
		for _, status := range statusOrder() {
			if n := statuses[status]; n > 0 {
				parts = append(parts, strconv.Itoa(n)+" "+words(string(status)))
			}
		}
		fmt.Fprintf(b, "| %s %s | %d | %d | %s |\n", ch.id, ch.title, len(ch.rules), checks, strings.Join(parts, ", "))
	}
	b.WriteString("\n")
}

func markFailures(b *strings.Builder, r verdict.Result) {
	told := 0
	var others []string
	for _, rr := range r.Rules {
		status := breaks(r, rr)
		switch n := rr.Counts.Of(status); {
		case n == 0:
		case told == mostTold:
			others = append(others, rr.Rule)
		default:
			told++
			markFailure(b, r.Contract.ID, rr, checksOf(r, rr.Rule, status))
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(b, "And %s broken: %s\n\n", plural(len(others), "more rule"), strings.Join(others, ", "))
	}
}

func markFailure(b *strings.Builder, contract string, rr verdict.RuleResult, found []verdict.CheckResult) {
	c := found[verdict.Example(found)]
	fmt.Fprintf(b, "<details><summary><b>%s</b> %s in %d of %s: %s</summary>\n\n", rr.Rule, words(string(c.Status)), len(found), plural(rr.Checks, "check"), mark(c.Reason))
	fmt.Fprintf(b, "- obligation: the subject %s %s (%s)\n", verb(rr.Level), mark(rr.Obligation), mark(source(contract, rr.Section)))
	fmt.Fprintf(b, "- expected: %s\n- usual cause: %s\n- in: %s\n\n", mark(c.Expected), mark(c.Cause), mark(others(found)))
	if c.Seen != "" {
		b.WriteString(fenced(c.Seen))
	}
	if c.Repeat != "" {
		b.WriteString(fenced(c.Repeat))
	}
	b.WriteString("</details>\n\n")
}

// markKnown lists what the baseline excused and what of it is stale, and the rules that warned.
func markKnown(b *strings.Builder, r verdict.Result) {
	var list []string
	if r.Baseline != nil {
		for _, e := range r.Baseline.Entries {
			if e.State == verdict.EntryUsed {
				list = append(list, "- known: "+mark(knownText(e)))
			}
			if e.State == verdict.EntryStale {
				list = append(list, "- **stale**: "+mark(e.Name()+": "+staleText(e)+"; take it out of "+r.Baseline.File+", line "+strconv.Itoa(e.Line)))
			}
		}
	}
	for _, rr := range r.Rules {
		if rr.Counts.Warned > 0 && !r.Strict {
			list = append(list, "- warned: "+rr.Rule+": "+mark(checksOf(r, rr.Rule, suites.Warned)[0].Reason))
		}
	}
	if len(list) > mostListed {
		list = append(list[:mostListed], fmt.Sprintf("- and %d more", len(list)-mostListed))
	}
	if len(list) > 0 {
		b.WriteString(strings.Join(list, "\n") + "\n\n")
	}
}

// mark writes a text so that Markdown shows it as it is, on one line.
func mark(text string) string {
	text = strings.Join(strings.Fields(fit(clean(text), longest)), " ")
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`,
		"[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "#", `\#`, "@", "&#64;").Replace(text)
}

// fenced writes lines as they are, within a fence that is longer than any in them.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + fit(clean(text), longest) + "\n" + fence + "\n\n"
}
