package baseline

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/a2a-conform/a2a-conform/internal/yamltext"
)

// form is how the entries of a file are laid out, as far as an edit has to know it. The zero form is that of a file which
// an edit writes anew.
type form struct {
	// indent is what stands before the hyphen of each entry; lines is where those stand, from 1.
	indent string
	lines  []int
}

// formOf is the form of a list whose entries each begin on a line of their own.
func formOf(list *ast.SequenceNode) form {
	if list.IsFlowStyle || len(list.Entries) != len(list.Values) || len(list.Entries) == 0 {
		return form{}
	}
	f := form{indent: strings.Repeat(" ", yamltext.At(list.Entries[0].Start).Col-1)}
	for i := range list.Entries {
		f.lines = append(f.lines, lineOf(list, i))
	}
	return f
}

// lineOf is the line on which an entry begins.
func lineOf(list *ast.SequenceNode, i int) int {
	if i < len(list.Entries) && !list.IsFlowStyle {
		return yamltext.At(list.Entries[i].Start).Line
	}
	return yamltext.At(list.Values[i].GetToken()).Line
}

// head begins a file that an edit writes anew.
const head = `# What this client is known to break, and why that is accepted for now.
# a2a-conform schema baseline describes the members of an entry.
`

// Edit returns the text of the file without the entries of which drop is true and with further ones at its end. What is
// kept stays as it is written, with the comments above it, where the entries are on lines of their own.
func (f File) Edit(drop func(Entry) bool, more []Entry) []byte {
	wanted := slices.Concat(slices.DeleteFunc(slices.Clone(f.Entries), drop), more)
	if text := f.edited(drop, more); holds(text, wanted) {
		return text
	}
	return write(wanted)
}

// holds tells whether a text says exactly these entries. An edit by lines is right for whatever people write, and this
// finds out where it is not.
func holds(text []byte, wanted []Entry) bool {
	read, err := Parse("", text)
	return err == nil && slices.EqualFunc(read.Entries, wanted, func(a, b Entry) bool {
		a.Line, a.at, b.Line, b.at = 0, yamltext.Place{}, 0, yamltext.Place{}
		return a == b
	})
}

// edited cuts the lines of what is dropped and adds those of further entries.
func (f File) edited(drop func(Entry) bool, more []Entry) []byte {
	if len(f.form.lines) == 0 {
		return nil
	}
	lines := strings.SplitAfter(f.text, "\n")
	begins := make([]int, 0, len(f.Entries)+1)
	for _, line := range f.form.lines {
		at := min(line-1, len(lines))
		for at > 0 && strings.HasPrefix(strings.TrimSpace(lines[at-1]), "#") && strings.HasPrefix(lines[at-1], f.form.indent) && at > f.listLine(lines) {
			at-- // a comment right above an entry is about that entry
		}
		begins = append(begins, at)
	}
	begins = append(begins, len(lines))
	var b strings.Builder
	b.WriteString(strings.Join(lines[:begins[0]], ""))
	for i, e := range f.Entries {
		if !drop(e) {
			b.WriteString(strings.Join(lines[begins[i]:begins[i+1]], ""))
		}
	}
	var added strings.Builder
	for _, e := range more {
		added.WriteString(e.text(f.form.indent))
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n" + added.String())
}

// listLine is how many lines stand before the first entry's, with the line of the member that holds the list.
func (f File) listLine(lines []string) int {
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), root) {
			return i + 1
		}
	}
	return 0
}

// write writes a file anew.
func write(entries []Entry) []byte {
	var b strings.Builder
	b.WriteString(head)
	if len(entries) == 0 {
		b.WriteString(root + ": []\n")
		return []byte(b.String())
	}
	b.WriteString(root + ":\n")
	for _, e := range entries {
		b.WriteString(e.text("  "))
	}
	return []byte(b.String())
}

// text writes an entry.
func (e Entry) text(indent string) string {
	status := string(e.Status)
	if e.Status == Failed {
		status = ""
	}
	var b strings.Builder
	b.WriteString(indent + "- rule: " + e.Rule + "\n")
	for _, m := range []struct{ key, value string }{
		{"scenario", e.Scenario}, {"status", status}, {"reason", e.Reason}, {"issue", e.Issue}, {"expires", e.Expires},
	} {
		switch m.value {
		case "":
		case e.Expires: // a day is plain text in YAML 1.2, and is read as it stands
			b.WriteString(indent + "  " + m.key + ": " + m.value + "\n")
		default:
			b.WriteString(indent + "  " + m.key + ": " + scalar(m.value) + "\n")
		}
	}
	return b.String()
}

// scalar writes a text so that YAML reads it as that text.
func scalar(text string) string {
	if plain, err := yaml.Marshal(text); err == nil {
		if line := strings.TrimRight(string(plain), "\n"); !strings.Contains(line, "\n") {
			return line
		}
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
