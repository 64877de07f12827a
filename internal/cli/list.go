package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// listCodes is the part of a help text that lists the codes of the commands that judge nothing.
const listCodes = `

Exit codes:
  0    done
  2    the command line or a file is wrong`

// listADRCodes has the code of a text that differs, beside those of listCodes.
const listADRCodes = `

Exit codes:
  0    done
  1    the text given with --adr is not the one that is judged
  2    the command line or a file is wrong`

func (p *program) listCommand() *cobra.Command {
	var format, text string
	var verbose bool
	cmd := p.command(&cobra.Command{
		Use:   "list rules|scenarios|defects",
		Short: "List the rules, the scenarios or the defects",
		Long: "List the rules of the catalogue, the scenarios that ship with the program, or the defects: clients with one\n" +
			"thing wrong each, which run --defect judges.\n\nWith --adr, compare a copy of the contract's text with the sentences that the rules rest on: which rules a\n" +
			"changed sentence touches, and which sentences no rule covers." + listADRCodes,
		Example: "  a2a-conform list rules\n  a2a-conform list rules --adr 0029.txt\n  a2a-conform list scenarios --format json",
	}, func(_ context.Context, cmd *cobra.Command, given arguments) error {
		problems := given.problems
		rules := func(format string) error { return p.listRules(format, text, verbose) }
		lists := map[string]func(string) error{"rules": rules, "scenarios": p.listScenarios, "defects": p.listDefects}
		what, more := one("list", "rules, scenarios or defects", given)
		problems = append(problems, listFlags(what, format, text, cmd.Flags().Changed("adr"))...)
		if more == "" && lists[what] == nil {
			more = fmt.Sprintf("there is no list of %q%s", what, guessOr(what, slices.Sorted(maps.Keys(lists))))
		}
		if more != "" {
			problems = append(problems, more)
		}
		if err := usage(cmd, problems); err != nil {
			return err
		}
		return lists[what](format)
	})
	cmd.Flags().StringVar(&format, "format", "console", "write the list as `FORMAT`: console, json; the rules also as markdown")
	cmd.Flags().StringVar(&text, "adr", "", "compare the sentences that the rules rest on with a copy of the contract's text in `FILE`")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "name below each rule the scenarios that cover it; with --adr, the sentences that no rule rests on")
	return cmd
}

// listFlags says what is wrong with the flags of a list.
func listFlags(what, format, text string, compare bool) []string {
	var problems []string
	markdown := format == "markdown" && what == "rules" && !compare
	switch {
	case format == "markdown" && !markdown:
		problems = append(problems, "--format: markdown is for the list of rules alone")
	case format != "console" && format != "json" && !markdown:
		problems = append(problems, fmt.Sprintf("--format: want console or json, got %q", format))
	}
	if compare && what != "rules" {
		problems = append(problems, "--adr: it is the rules that rest on the contract's text: a2a-conform list rules --adr FILE")
	}
	if compare && text == "" {
		problems = append(problems, "--adr: name the file that holds the text")
	}
	return problems
}

// guessOr is a guess at what was meant or, where nothing is near, the list of what there is.
func guessOr(written string, known []string) string {
	if guess := scenarios.DidYouMean(written, known); guess != "" {
		return guess
	}
	return "; there are " + strings.Join(known, ", ")
}

// one returns the only argument of a command, or what is wrong with their number.
func one(command, wanted string, given arguments) (word, problem string) {
	words := given.all()
	if len(words) != 1 {
		return "", fmt.Sprintf("%s takes one argument, %s, got %d", command, wanted, len(words))
	}
	return words[0], ""
}

// listedScenario is a scenario in a list.
type listedScenario struct {
	Scenario string         `json:"scenario"`
	Chapter  string         `json:"chapter"`
	About    string         `json:"about"`
	Covers   []string       `json:"covers"`
	Needs    []string       `json:"needs"`
	Slow     bool           `json:"slow"`
	Clock    evidence.Clock `json:"clock"`
	Runs     []string       `json:"runs"`
}

func (p *program) listScenarios(format string) error {
	files, err := p.shipped()
	if err != nil {
		return err
	}
	var list []listedScenario
	for _, f := range files {
		one := listedScenario{
			Scenario: f.Name, Chapter: f.Chapter, About: f.About, Slow: f.Slow, Clock: f.Clock,
			Covers: append([]string{}, f.Covers...), Needs: append([]string{}, f.Needs...),
		}
		for _, c := range f.Cases(evidence.ClockVirtual) {
			one.Runs = append(one.Runs, c.ID)
		}
		list = append(list, one)
	}
	if format == "json" {
		return writeJSON(p.stdout, list)
	}
	for _, s := range list {
		fmt.Fprintf(p.stdout, "%-9s%-40s%8s  %s\n", s.Chapter, s.Scenario, counted(len(s.Runs), "run"), strings.Join(s.Covers, " "))
	}
	return nil
}

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// sideLetters are the letters of the sides.
func sideLetters(sides []suites.Side) string {
	letters := make([]string, len(sides))
	for i, s := range sides {
		letters[i] = string(s)
	}
	return strings.Join(letters, "")
}

// shorten cuts a text to a number of characters.
func shorten(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return strings.TrimRight(string(runes[:n-1]), " ,;:") + "…"
}
