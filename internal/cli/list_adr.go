package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/adr"
	"github.com/a2a-conform/a2a-conform/internal/report"
)

// compared is what came of comparing a copy of the contract's text with the one that is judged.
type compared struct {
	Contract string `json:"contract"`
	Revision string `json:"revision"`
	// Sentences counts those of the given text; Judged, of the text that is judged, those that a rule rests on, and
	// Ignored those with a reason to have none.
	Sentences int            `json:"sentences"`
	Judged    int            `json:"judged"`
	Ignored   int            `json:"ignored"`
	Changes   []changedPlace `json:"changes"`
}

// changedPlace is one place where the texts differ.
type changedPlace struct {
	Section string   `json:"section"`
	Rules   []string `json:"rules"`
	// Gone are the SHA-256 of sentences that are there no more; New those that stand there now and that no rule covers.
	Gone []string   `json:"gone"`
	New  []newPlace `json:"new"`
}

// newPlace is a sentence of the given text that is not of the one that is judged.
type newPlace struct {
	Line int    `json:"line"`
	Text string `json:"text"`
	Hash string `json:"hash"`
}

// compareADR compares a copy of the contract's text with the one that the rules rest on. A difference is exit code 1.
func (p *program) compareADR(path, format string, verbose bool) error {
	file, err := os.Open(path)
	if err != nil {
		return &usageError{name + " list", []string{fmt.Sprintf("--adr: %v", err)}}
	}
	defer func() { _ = file.Close() }() // it was only read
	text, err := adr.Read(file)
	if err != nil {
		return &usageError{name + " list", []string{fmt.Sprintf("--adr %s: %v", path, err)}}
	}
	trace, err := adr.Judged()
	if err != nil {
		return err
	}
	c := comparison(trace, text)
	if format == "json" {
		err = writeJSON(p.stdout, c)
	} else {
		err = p.showComparison(c)
	}
	if err == nil && verbose && format != "json" {
		err = p.showIgnored(trace)
	}
	if err == nil && len(c.Changes) > 0 {
		return codeError(1)
	}
	return err
}

func comparison(trace adr.Trace, text []adr.Sentence) compared {
	c := compared{
		Contract: contract().ID, Revision: contract().Revision, Sentences: len(text), Changes: []changedPlace{},
	}
	for _, s := range trace.Statements {
		if len(s.Rules) > 0 {
			c.Judged++
		} else {
			c.Ignored++
		}
	}
	for _, change := range trace.Compare(text) {
		place := changedPlace{Section: change.Section(), Rules: append([]string{}, change.Rules()...), Gone: []string{}, New: []newPlace{}}
		for _, s := range change.Gone {
			place.Gone = append(place.Gone, s.Hash)
		}
		for _, s := range change.New {
			place.New = append(place.New, newPlace{s.Line, s.Text, s.Hash})
		}
		c.Changes = append(c.Changes, place)
	}
	return c
}

// showIgnored names the sentences that no rule rests on, and why.
func (p *program) showIgnored(trace adr.Trace) error {
	fields := []report.Field{}
	for _, s := range trace.Statements {
		if len(s.Rules) == 0 {
			fields = append(fields, report.Field{Label: s.Hash[:12], Text: s.Section + ": " + s.Reason})
		}
	}
	fmt.Fprintln(p.stdout, "\nSentences without a rule, by their SHA-256:")
	return report.WriteFields(p.stdout, fields, p.console())
}

func (p *program) showComparison(c compared) error {
	fmt.Fprintf(p.stdout, "%s, revision %s, as it is judged: %s with rules, %d with a reason to have none\n",
		c.Contract, c.Revision, counted(c.Judged, "sentence"), c.Ignored)
	if len(c.Changes) == 0 {
		fmt.Fprintf(p.stdout, "the given text: %s, the same\n", counted(c.Sentences, "sentence"))
		return nil
	}
	fmt.Fprintf(p.stdout, "the given text: %s, with %s\n", counted(c.Sentences, "sentence"), counted(len(c.Changes), "difference"))
	for _, change := range c.Changes {
		fmt.Fprintf(p.stdout, "\n%s\n", change.Section)
		if err := report.WriteFields(p.stdout, change.fields(), p.console()); err != nil {
			return err
		}
	}
	return nil
}

// fields say what a difference is and whom it concerns.
func (c changedPlace) fields() []report.Field {
	var fields []report.Field
	if len(c.Gone) > 0 {
		short := make([]string, len(c.Gone))
		for i, hash := range c.Gone {
			short[i] = hash[:12]
		}
		fields = append(fields, report.Field{Label: "gone", Text: counted(len(c.Gone), "sentence") + " (SHA-256 " + strings.Join(short, ", ") + ")"})
	}
	for _, s := range c.New {
		fields = append(fields, report.Field{Label: fmt.Sprintf("line %d", s.Line), Text: s.Text})
	}
	touches := "no rule rested on what stood here"
	switch {
	case len(c.Rules) > 0:
		touches = strings.Join(c.Rules, ", ")
	case len(c.Gone) == 0:
		touches = "no rule: these sentences are new, and none covers them"
	}
	return append(fields, report.Field{Label: "touches", Text: touches})
}

// rests names the sentences that a rule rests on by the beginnings of their hashes, or gives the reason that there are
// none.
func rests(trace adr.Trace, rule string) string {
	hashes := trace.Of(rule)
	if len(hashes) == 0 {
		return trace.Unrested[rule]
	}
	for i := range hashes {
		hashes[i] = hashes[i][:8]
	}
	return strings.Join(hashes, " ")
}

// restsOn is rests in a sentence.
func restsOn(trace adr.Trace, rule string) string {
	n := len(trace.Of(rule))
	if n == 0 {
		return "no sentence of the text: " + rests(trace, rule)
	}
	return counted(n, "sentence") + " of the text (SHA-256 " + rests(trace, rule) + ")"
}
