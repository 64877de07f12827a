package suites

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// commandChapter is the chapter of commands.
const commandChapter = "CLI"

// commandRules are the rules of this chapter: what a command line adds to the client behind it.
func commandRules() []Rule {
	return []Rule{
		cli01(), cli02(), cli03(), cli04(), cli05(), cli06(), cli07(), cli08(), cli09(), cli10(), cli11(), cli12(), cli13(), cli14(), cli15(),
	}
}

// sendsByCommand tells whether the call is a send by a command whose end is known.
func (c *Call) sendsByCommand() bool {
	return c.Op == evidence.CallSend && c.Command != nil && c.Done() && !c.asksHelp()
}

// asksHelp tells whether a command was asked for its help: then it sends nothing, and that is right.
func (c *Call) asksHelp() bool {
	return c.Command != nil && slices.ContainsFunc(c.Command.Args, func(word string) bool { return word == "--help" || word == "-h" })
}

// squeezed is a printed text without colours, frames and white space, so that a long word that a narrow terminal broke is
// found.
func squeezed(text string) string { return strings.Join(strings.Fields(evidence.Plain(text)), "") }

// prints tells whether a text stands in something printed, as it is, broken over lines, or written as JSON.
func prints(printed, text string) bool {
	quoted := strings.Trim(jsonText(text), `"`)
	return strings.Contains(squeezed(printed), squeezed(text)) || strings.Contains(squeezed(printed), squeezed(quoted))
}
