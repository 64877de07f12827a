package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

// chapter is a chapter of the catalogue and its rules in scope.
type chapter struct {
	id, title string
	rules     []verdict.RuleResult
}

// chaptersOf splits the rules, which are in the order of the catalogue.
func chaptersOf(rules []verdict.RuleResult) []chapter {
	var all []chapter
	for _, rr := range rules {
		id, _, _ := strings.Cut(rr.Rule, "-")
		if len(all) == 0 || all[len(all)-1].id != id {
			all = append(all, chapter{id: id, title: title(id)})
		}
		last := &all[len(all)-1]
		last.rules = append(last.rules, rr)
	}
	return all
}

// title says what a chapter is about.
func title(id string) string {
	return map[string]string{
		"REQ": "the request", "FLOW": "admission and waiting", "AUTH": "rejected credentials", "BUD": "the total budget",
		"LIM": "the Message limit", "RESP": "the answer", "TASK": "Task mode", "CLI": "the command", "CACHE": "cached access",
		"PLAT": "the platform", "RUN": "the runtime", "SUBJ": "the subject as a program",
	}[id]
}

// statusOrder is the order in which statuses are shown, from bad to open.
func statusOrder() []verdict.RuleStatus {
	return []verdict.RuleStatus{
		verdict.RuleFailed, verdict.RuleExpectedFailure, verdict.RulePassed, verdict.RuleWarned, verdict.RuleObserved,
		verdict.RuleInconclusive, verdict.RuleUnsupported, verdict.RuleSlow, verdict.RuleNotExercised,
	}
}

func statusColour(status string) colour {
	switch verdict.RuleStatus(status) {
	case verdict.RuleFailed:
		return red
	case verdict.RulePassed:
		return green
	case verdict.RuleWarned, verdict.RuleInconclusive, verdict.RuleNotExercised, verdict.RuleExpectedFailure:
		return yellow
	default:
		return plain
	}
}

// words writes a status as a reader says it.
func words(status string) string { return strings.ReplaceAll(status, "_", " ") }

// chapters writes a line for each chapter.
func (p *page) chapters(r verdict.Result) {
	for _, ch := range chaptersOf(r.Rules) {
		checks, statuses := chapterCounts(ch)
		var parts []phrase
		for _, status := range statusOrder() {
			if n := statuses[status]; n > 0 {
				parts = append(parts, phrase{statusColour(string(status)), strconv.Itoa(n) + " " + words(string(status))})
			}
		}
		head := fmt.Sprintf("  %s%s%-9s%6d %-8s", pad(ch.id, 7), pad(ch.title, 26), plural(len(ch.rules), "rule"), checks, noun(checks, "check"))
		p.phrases(head, parts)
	}
}

// chapterCounts counts the checks of a chapter, and its rules by status.
func chapterCounts(ch chapter) (checks int, statuses map[verdict.RuleStatus]int) {
	statuses = map[verdict.RuleStatus]int{}
	for _, rr := range ch.rules {
		checks += rr.Checks
		statuses[rr.Status]++
	}
	return checks, statuses
}

// rules writes a line for each rule: its obligation shortened to what the width leaves.
func (p *page) rules(r verdict.Result) {
	for i, ch := range chaptersOf(r.Rules) {
		if i > 0 {
			p.linef("")
		}
		p.linef("%s", p.paint(bold, strings.TrimSpace(pad(ch.id, 7)+ch.title)))
		for _, rr := range ch.rules {
			const beside = 2 + 10 + 9 + 2 + 17 + 11
			obligation := pad(fit(rr.Obligation, p.width-beside), p.width-beside+2)
			status := p.paint(statusColour(string(rr.Status)), pad(words(string(rr.Status)), 17))
			p.linef("  %s%s%s%s%11s", pad(rr.Rule, 10), pad(string(rr.Level), 9), obligation, status, checksText(rr.Counts, rr.Checks))
		}
	}
}

// checksText counts the checks of a rule, with those that failed where some did.
func checksText(n verdict.Counts, all int) string {
	if n.Failed > 0 && n.Failed < all {
		return fmt.Sprintf("%d of %d", n.Failed, all)
	}
	return plural(all, "check")
}
