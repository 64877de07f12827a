package adr

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed trace.txt
var traceText string

// Statement is one sentence of the text that is judged, known by its hash.
type Statement struct {
	Section, Hash string
	// Rules are the ids of those that judge it. Where there are none, Reason says why.
	Rules  []string
	Reason string
}

// Trace is what every rule rests on.
type Trace struct {
	// Statements are all sentences of the text, in its order.
	Statements []Statement
	// Unrested are the rules that rest on no sentence, each with why it is there.
	Unrested map[string]string
}

// Judged returns the trace of the text that this program judges by. An error is a mistake in the program.
func Judged() (Trace, error) { return parseTrace(traceText) }

// unrested is the heading below which rules stand that rest on no sentence.
const unrested = "no sentence"

func parseTrace(text string) (Trace, error) {
	t := Trace{Unrested: map[string]string{}}
	section := ""
	for i, line := range strings.Split(text, "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = heading
			continue
		}
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		name, rest, ok := strings.Cut(line, "  ")
		if !ok || rest == "" {
			return t, fmt.Errorf("line %d of the trace has one word only", i+1)
		}
		if section == unrested {
			t.Unrested[name] = rest
			continue
		}
		s := Statement{Section: section, Hash: name}
		if reason, none := strings.CutPrefix(rest, "- "); none {
			s.Reason = reason
		} else {
			s.Rules = strings.Fields(rest)
		}
		t.Statements = append(t.Statements, s)
	}
	return t, nil
}

// Of returns the hashes of the sentences that a rule rests on, in the order of the text.
func (t Trace) Of(rule string) []string {
	hashes := []string{}
	for _, s := range t.Statements {
		if slices.Contains(s.Rules, rule) {
			hashes = append(hashes, s.Hash)
		}
	}
	return hashes
}

// Change is a place where a text differs from the one that is judged: what stood there and what stands there now.
// Either may be empty, not both.
type Change struct {
	Gone []Statement
	New  []Sentence
}

// Rules are those that a change touches.
func (c Change) Rules() []string {
	var ids []string
	for _, s := range c.Gone {
		for _, id := range s.Rules {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Section is the heading under which the change is, as the present text has it where it can.
func (c Change) Section() string {
	if len(c.New) > 0 {
		return c.New[0].Section
	}
	return c.Gone[0].Section
}

// Compare finds the places where a text differs from the one that is judged, in its order.
func (t Trace) Compare(text []Sentence) []Change {
	var changes []Change
	var open Change
	flush := func() {
		if len(open.Gone)+len(open.New) > 0 {
			changes = append(changes, open)
		}
		open = Change{}
	}
	i, j := 0, 0
	common := t.common(text)
	for i < len(t.Statements) || j < len(text) {
		switch {
		case i < len(t.Statements) && j < len(text) && t.Statements[i].Hash == text[j].Hash:
			flush()
			i, j = i+1, j+1
		case j == len(text) || i < len(t.Statements) && common[i+1][j] >= common[i][j+1]:
			open.Gone = append(open.Gone, t.Statements[i])
			i++
		default:
			open.New = append(open.New, text[j])
			j++
		}
	}
	flush()
	return changes
}

// common counts, for every pair of places, the sentences that both texts have in the same order from there on.
func (t Trace) common(text []Sentence) [][]int {
	counts := make([][]int, len(t.Statements)+1)
	for i := range counts {
		counts[i] = make([]int, len(text)+1)
	}
	for i, statement := range slices.Backward(t.Statements) {
		for j, sentence := range slices.Backward(text) {
			counts[i][j] = max(counts[i+1][j], counts[i][j+1])
			if statement.Hash == sentence.Hash {
				counts[i][j] = counts[i+1][j+1] + 1
			}
		}
	}
	return counts
}
