package baseline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/a2a-conform/a2a-conform/internal/yamltext"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

const (
	// maxSize bounds a file, in bytes; a thousand entries take a fifth of it.
	maxSize = 1 << 20
	// maxProblems bounds what is said about one file.
	maxProblems = 100
	// root is the one member of a file.
	root = "known"
)

// format is the form of a baseline. Its values nest three deep.
func format() yamltext.Format {
	return yamltext.Format{
		Bytes: maxSize, Tokens: 200_000, Depth: 16,
		Holds: "want " + root + ": with a list of entries", Shorter: "let an entry take many runs with a pattern",
		Shared: "write each entry out, or let one take many runs with a pattern", Single: "a baseline is one",
	}
}

// problems gathers what is wrong with a file.
type problems struct {
	file string
	list []scenarios.Problem
}

func (c *problems) addf(at yamltext.Place, format string, args ...any) {
	if len(c.list) < maxProblems {
		c.list = append(c.list, scenarios.Problem{File: c.file, Line: at.Line, Col: at.Col, Text: fmt.Sprintf(format, args...)})
	}
}

func (c *problems) err() error {
	if len(c.list) == 0 {
		return nil
	}
	slices.SortStableFunc(c.list, func(a, b scenarios.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	if len(c.list) == maxProblems {
		c.list = append(c.list, scenarios.Problem{File: c.file, Text: fmt.Sprintf("there may be more: only %d problems are shown", maxProblems)})
	}
	return &scenarios.Problems{List: c.list}
}

// Parse reads the text of a file of that name. Its error is *scenarios.Problems with everything that is wrong.
func Parse(name string, content []byte) (File, error) {
	c := &problems{file: name}
	f := File{Path: name, text: string(content)}
	if list := entriesNode(content, c); list != nil {
		f.form = formOf(list)
		for i, item := range list.Values {
			f.Entries = append(f.Entries, readEntry(item, lineOf(list, i), c))
		}
		check(f.Entries, c)
	}
	if err := c.err(); err != nil {
		return File{}, err
	}
	return f, nil
}

// entriesNode finds the list of entries; nil with a problem in c where there is none.
func entriesNode(content []byte, c *problems) *ast.SequenceNode {
	body, wrong := format().Parse(content)
	for _, problem := range wrong {
		c.addf(problem.At, "%s", problem.Text)
	}
	if body == nil {
		return nil
	}
	members, ok := yamltext.Members(body)
	if !ok {
		c.addf(yamltext.At(body.GetToken()), "want %s: with a list of entries", root)
		return nil
	}
	return rootList(members, yamltext.At(body.GetToken()), c)
}

// rootList takes the list out of the members of the file.
func rootList(members []*ast.MappingValueNode, at yamltext.Place, c *problems) *ast.SequenceNode {
	var list *ast.SequenceNode
	found := false
	for _, m := range members {
		key := keyOf(m)
		switch {
		case key != root:
			c.addf(yamltext.At(m.Key.GetToken()), "there is no member %q: a baseline has %s alone", shown(key), root)
		case found:
			c.addf(yamltext.At(m.Key.GetToken()), "%q is here twice", root)
		default:
			var ok bool
			found = true
			if list, ok = m.Value.(*ast.SequenceNode); !ok {
				c.addf(yamltext.At(m.Key.GetToken()), "%s: want a list of entries, [] for none", root)
			}
		}
	}
	if !found {
		c.addf(at, "there is no member %s with the list of entries", root)
	}
	return list
}

func keyOf(m *ast.MappingValueNode) string {
	if t := m.Key.GetToken(); t != nil {
		return t.Value
	}
	return ""
}

// members are those of an entry.
func members() []string {
	return []string{"rule", "scenario", "status", "reason", "issue", "expires"}
}

// readEntry reads one entry; whatever is wrong with its members is in c.
func readEntry(n ast.Node, line int, c *problems) Entry {
	e := Entry{Status: Failed, Line: line, at: yamltext.At(n.GetToken())}
	values, ok := yamltext.Members(n)
	if !ok {
		c.addf(e.at, "want an entry with rule and reason")
		return e
	}
	if len(values) > 0 {
		e.at = yamltext.At(values[0].Key.GetToken())
	}
	seen := map[string]bool{}
	for _, m := range values {
		key, at := keyOf(m), yamltext.At(m.Key.GetToken())
		switch {
		case !slices.Contains(members(), key):
			c.addf(at, "there is no member %q%s", shown(key), guess(key, members()))
			continue
		case seen[key]:
			c.addf(at, "%q is here twice", key)
			continue
		}
		seen[key] = true
		text, ok := textOf(m.Value)
		if !ok {
			c.addf(at, "%s: want a text, between quotes where it begins with a sign such as # or [", key)
			continue
		}
		setMember(&e, key, text, at, c)
	}
	for _, needed := range []string{"rule", "reason"} {
		if !seen[needed] {
			c.addf(e.at, "an entry has %s, and this one has not", needed)
		}
	}
	return e
}

// setMember takes the text of a member.
func setMember(e *Entry, key, text string, at yamltext.Place, c *problems) {
	switch key {
	case "rule":
		e.Rule = text
	case "scenario":
		e.Scenario = text
	case "status":
		e.Status = Status(text)
		if !slices.Contains(Statuses(), e.Status) {
			var known []string
			for _, s := range Statuses() {
				known = append(known, string(s))
			}
			c.addf(at, "status: there is no %q%s", shown(text), guess(text, known))
		}
	case "reason":
		e.Reason = text
	case "issue":
		e.Issue = text
	case "expires":
		e.Expires = text
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			c.addf(at, "expires: want a day such as 2027-01-31, got %q", shown(text))
		}
	}
}

// guess is what was probably meant or, where nothing is near, what there is.
func guess(written string, known []string) string {
	if meant := scenarios.DidYouMean(written, known); meant != "" {
		return meant
	}
	return "; there are " + strings.Join(known, ", ")
}

// textOf is the text of a scalar on one line; false for anything else and for none.
func textOf(n ast.Node) (string, bool) {
	text := ""
	switch n := n.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	case *ast.IntegerNode: // the number of an issue
		text = n.Token.Value
	}
	text = strings.Join(strings.Fields(text), " ")
	return text, text != ""
}

// shown is a text as a message quotes it.
func shown(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
