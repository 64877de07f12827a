package selftest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Status is what a self-test says of a defect.
type Status string

// The statuses of a defect; the package's comment says what they mean.
const (
	Killed      Status = "killed"
	Mislabelled Status = "mislabelled"
	Silent      Status = "silent"
	Dead        Status = "dead"
)

// broken tells whether a check is one that a defect is known by: a MUST rule failed, or a SHOULD rule warned.
func broken(c suites.Check) bool {
	return c.Status == suites.Failed || c.Level == suites.Should && c.Status == suites.Warned
}

// row says what came of a defect.
func (b *bench) row(d defects.Defect, t trial) Row {
	r := Row{Defect: d.Name, Rule: d.Kills, Failed: []string{}, Scenarios: []string{}, Elsewhere: []string{}, Runs: t.made}
	example := map[string]string{} // of each rule that failed, where and how
	noticed := false
	for _, f := range t.broken {
		if !covers(b.Cases[f.at], d.Kills) {
			r.Elsewhere = with(r.Elsewhere, f.Rule)
			continue
		}
		r.Failed = with(r.Failed, f.Rule)
		if example[f.Rule] == "" {
			example[f.Rule] = f.Run + ": " + f.Reason
		}
		if f.Rule == d.Kills && !f.twin {
			noticed, r.Scenarios = true, with(r.Scenarios, b.Cases[f.at].Scenario)
		}
	}
	wrong := r.mislabels(d.Also, example)
	if noticed && d.Shows != "" && !slices.Contains(r.Scenarios, d.Shows) {
		wrong = append(wrong, fmt.Sprintf("%s does not fail in %s, which is to show it", d.Kills, d.Shows))
	}
	switch {
	case noticed && len(wrong) == 0:
		r.Status = Killed
	case t.differing == 0:
		r.Status, r.Reason = Dead, b.deadWords(d, t)
	case len(r.Failed) == 0:
		r.Status = Silent
		r.Reason = fmt.Sprintf("what it does differs from its twin in %s, and no rule fails", plural(t.differing, "run"))
	default:
		r.Status = Mislabelled
		if !noticed {
			wrong = append([]string{d.Kills + " does not fail where it holds for its twin"}, wrong...)
		}
		r.Reason = strings.Join(wrong, "; ")
	}
	return r
}

// mislabels says which rules failed beside those that a defect names, and which of these did not.
func (r Row) mislabels(also []string, example map[string]string) []string {
	var wrong []string
	for _, rule := range r.Failed {
		if rule != r.Rule && !slices.Contains(also, rule) {
			wrong = append(wrong, fmt.Sprintf("%s fails too, in %s", rule, example[rule]))
		}
	}
	for _, rule := range also {
		if !slices.Contains(r.Failed, rule) {
			wrong = append(wrong, rule+" should fail too and does not")
		}
	}
	return wrong
}

// deadWords says why nothing is seen of a defect.
func (b *bench) deadWords(d defects.Defect, t trial) string {
	where := "the scenarios that cover " + d.Kills
	if b.Full {
		where = "any scenario"
	}
	switch {
	case !b.Full && !slices.ContainsFunc(b.Cases, func(c scenarios.Case) bool { return covers(c, d.Kills) }):
		return "no scenario covers " + d.Kills
	case t.made == 0:
		return "the place where it is wrong is not reached in " + where
	default:
		return fmt.Sprintf("what it does is what its twin does in all %s", plural(t.made, "run"))
	}
}

// with adds a word to a list that does not have it.
func with(list []string, word string) []string {
	if slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}

// plural writes a number of things.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
