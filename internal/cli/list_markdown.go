package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/adr"
	"github.com/a2a-conform/a2a-conform/suites"
)

// chapterTitles name the chapters of the catalogue.
func chapterTitles() map[string]string {
	return map[string]string{
		"REQ": "the request", "FLOW": "admission and waiting", "AUTH": "rejected credentials", "BUD": "the total budget",
		"LIM": "the Message limit", "RESP": "the answer", "TASK": "Task mode", "CLI": "the command", "CACHE": "cached access",
		"SUBJ": "the harness's own",
	}
}

// markdownRules writes the catalogue as the reference in docs/rules.md.
func (p *program) markdownRules() error {
	list, err := p.listedRules(suites.Rules())
	if err != nil {
		return err
	}
	trace, err := adr.Judged()
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "# Rules\n\nThe %d obligations of %s, revision %s, that this version judges. Written by\n"+
		"`a2a-conform list rules --format markdown`; a test compares this page with what that prints.\n\n"+
		"Side C binds a client, K the command line of a client. *Rests on* gives the sentences of the contract's text that\n"+
		"a rule judges, by the beginning of the SHA-256 of their normal form (`a2a-conform list rules --adr FILE` compares\n"+
		"them with a copy of the text), or why there is none. *Runs* counts those of the scenarios that cover the rule.\n",
		len(list), contract().ID, contract().Revision)
	chapter := ""
	for _, r := range list {
		if c, _, _ := strings.Cut(r.Rule, "-"); c != chapter {
			chapter = c
			heading(p.stdout, chapter)
		}
		needs := strings.Join(r.Needs, ", ")
		fmt.Fprintf(p.stdout, "| %s | %s | %s | %s | %s | %s | %d | %s |\n", r.Rule, r.Level, sideLetters(r.Sides), r.Section,
			cell(r.Obligation), needs, len(r.Cases), cell(rests(trace, r.Rule)))
	}
	return nil
}

func heading(w io.Writer, chapter string) {
	fmt.Fprintf(w, "\n## %s: %s\n\n| rule | level | side | section | the subject must … | needs | runs | rests on |\n|---|---|---|---|---|---|---|---|\n",
		chapter, chapterTitles()[chapter])
}

// cell keeps a text within its cell of a table.
func cell(text string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) }
