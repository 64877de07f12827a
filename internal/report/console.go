package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

// writeConsole writes a result for a person: what was judged, chapter by chapter what came of it, what was left out,
// then each broken rule with all that is needed to act on it, and at last the verdict. Where all is well it fits on a
// screen.
func writeConsole(w io.Writer, r verdict.Result, o Options) error {
	p := newPage(o)
	p.headline(r)
	if r.Summary.Checks.Total() > 0 { // otherwise there is nothing to see but why
		p.linef("")
		p.summary(r)
		p.linef("")
		p.scope(r)
		p.remarks(r)
		p.known(r)
		p.failures(r)
	}
	p.faults(r)
	p.linef("")
	p.verdict(r)
	if o.Advice {
		p.wrapped("", "", "To judge your own Go client, record it in its tests with package conform: docs/go-client.md")
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

// summary writes what came of each chapter, or of each rule.
func (p *page) summary(r verdict.Result) {
	if p.verbose {
		p.rules(r)
		return
	}
	p.chapters(r)
}

func (p *page) headline(r verdict.Result) {
	clock := "on virtual time"
	if r.Clock == evidence.ClockReal {
		clock = "on real time"
	}
	subject := strings.TrimSpace(r.Subject.Name + " " + r.Subject.Version)
	p.linef("%s", p.paint(bold, fit(clean(subject+": judged by "+r.Contract.ID+", revision "+r.Contract.Revision+", "+clock), p.width)))
	if r.Contract.ID == "ADR-0029" {
		p.wrapped("", "", "The ADR calls itself superseded. It is judged because its amendments of 2026-10-11 are the rules in force: "+
			"the published client of that month keeps them.")
	}
	// One that is not judged and claims nothing has never said what it can.
	silent := r.Verdict == verdict.NotJudged && len(r.Subject.Capabilities) == 0
	if missing := r.Subject.Missing(); len(missing) > 0 && !silent {
		p.wrapped("", "", "Not claimed by this client, so left out: "+strings.Join(missing, ", ")+".")
	}
}

// scope says what was exercised and names what was not.
func (p *page) scope(r verdict.Result) {
	s := r.Summary
	p.field(0, "exercised", strings.Join([]string{
		strconv.Itoa(s.Rules.Exercised) + " of " + plural(s.Rules.InScope, "rule") + " in scope",
		plural(s.Scenarios.Run, "run"), plural(s.Exchanges, "exchange"), plural(s.Checks.Total(), "check"),
	}, ", "))
	for _, status := range []verdict.RuleStatus{verdict.RuleUnsupported, verdict.RuleSlow, verdict.RuleNotExercised} {
		p.named(words(string(status)), byReason(r.Rules, status))
	}
	var skipped []reasoned
	for _, s := range r.Skipped {
		skipped = collect(skipped, s.Reason, s.Scenario)
	}
	for i := range skipped {
		skipped[i].ids = p.few(byScenario(skipped[i].ids))
	}
	p.named("skipped", skipped)
}

// few keeps the first of many names, and counts the others, unless all are wanted: what was left out must not push what
// failed off the screen.
func (p *page) few(names []string) []string {
	const first = 3
	if p.verbose || len(names) <= first+1 {
		return names
	}
	return append(names[:first:first], strconv.Itoa(len(names)-first)+" more scenarios (-v names them)")
}

// byScenario names in place of runs the scenarios that they are cases of, with how many.
func byScenario(runs []string) []string {
	var names []string
	cases := map[string]int{}
	for _, run := range runs {
		name, _, _ := strings.Cut(run, "/")
		cases[name]++
		if cases[name] == 1 {
			names = append(names, name)
		}
	}
	for i, name := range names {
		if n := cases[name]; n > 1 {
			names[i] = name + " (" + plural(n, "run") + ")"
		}
	}
	return names
}

// reasoned are ids that share a reason.
type reasoned struct {
	reason string
	ids    []string
}

func byReason(rules []verdict.RuleResult, status verdict.RuleStatus) []reasoned {
	var groups []reasoned
	for _, rr := range rules {
		if rr.Status == status {
			groups = collect(groups, rr.Reason, rr.Rule)
		}
	}
	return groups
}

func collect(groups []reasoned, reason, id string) []reasoned {
	for i := range groups {
		if groups[i].reason == reason {
			groups[i].ids = append(groups[i].ids, id)
			return groups
		}
	}
	return append(groups, reasoned{reason, []string{id}})
}

// named writes a field for each reason, with the ids that have it.
func (p *page) named(label string, groups []reasoned) {
	for _, g := range groups {
		p.field(0, label, strings.Join(g.ids, ", ")+": "+g.reason)
		label = ""
	}
}

// remarks are what was seen and breaks no MUST: a line for each rule.
func (p *page) remarks(r verdict.Result) {
	cut := false
	for _, status := range []suites.Status{suites.Warned, suites.Inconclusive, suites.Observed} {
		label := string(status)
		for i := range r.Rules {
			if r.Rules[i].Counts.Of(status) == 0 {
				continue
			}
			found := checksOf(r, r.Rules[i].Rule, status)
			text := found[0].Reason + " (" + found[0].Scenario + ")"
			if len(found) > 1 {
				text = found[0].Reason + " (" + found[0].Scenario + " and " + plural(len(found)-1, "other check") + ")"
			}
			cut = p.remark(status, label, r.Rules[i].Rule, text) || cut
			label = ""
		}
	}
	if cut {
		p.linef("%s-v shows them whole", pad("", labelWidth))
	}
}

// remark writes one line on a screen, and otherwise as many as it takes. It tells whether it left something out.
func (p *page) remark(status suites.Status, label, rule, text string) (cut bool) {
	const ruleWidth = 9
	whole := wrap(clean(text), p.width-labelWidth-ruleWidth)
	rows := whole
	if p.screen && !p.verbose {
		rows = []string{fit(clean(text), p.width-labelWidth-ruleWidth)}
	}
	for _, row := range rows {
		p.linef("%s%s%s", p.paint(statusColour(string(status)), pad(label, labelWidth)), pad(rule, ruleWidth), row)
		label, rule = "", ""
	}
	return len(rows) < len(whole)
}

// checksOf finds the checks of a rule that have a status. A result may hold a hundred thousand checks: ask the counts
// of the rule before asking for them.
func checksOf(r verdict.Result, rule string, status suites.Status) []verdict.CheckResult {
	var found []verdict.CheckResult
	for i := range r.Results {
		if r.Results[i].Rule == rule && r.Results[i].Status == status {
			found = append(found, r.Results[i])
		}
	}
	return found
}

// faults names what is wrong with the harness or a scenario: no word about the subject.
func (p *page) faults(r verdict.Result) {
	for i, f := range r.Faults {
		if i == 0 {
			p.linef("")
			p.linef("%s", p.paint(red, "At fault is the harness or a scenario, not the subject:"))
		}
		p.wrapped("  ", "    ", f.Scenario+" ("+f.Kind+"): "+f.Text)
	}
}

func (p *page) verdict(r verdict.Result) {
	c := green
	if r.Exit != verdict.ExitOK {
		c = red
	}
	head := verdictWords(r.Verdict)
	rows := wrap(clean(head+", exit "+strconv.Itoa(r.Exit)+": "+r.ExitReason), p.width)
	rows[0] = p.paint(c, head) + strings.TrimPrefix(rows[0], head)
	for _, row := range rows {
		p.linef("%s", row)
	}
}

// verdictWords writes a verdict as a reader says it.
func verdictWords(v verdict.Verdict) string {
	switch v {
	case verdict.NonConformant:
		return "non-conformant"
	case verdict.PartConformant:
		return "conformant in part"
	case verdict.HarnessFault:
		return "fault of the harness"
	default:
		return words(string(v))
	}
}
