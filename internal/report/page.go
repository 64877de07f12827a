package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// page is text for a person: lines of a width, labels in a column, colours where they are wanted.
type page struct {
	text    strings.Builder
	width   int
	colour  bool
	verbose bool
	screen  bool
}

func newPage(o Options) *page {
	if o.Width < 40 {
		o.Width = DefaultWidth
	}
	return &page{width: o.Width, colour: o.Colour, verbose: o.Verbose, screen: o.Screen}
}

// linef writes one line.
func (p *page) linef(format string, args ...any) {
	p.text.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// field writes a label and its text, wrapped into the column behind the labels.
func (p *page) field(indent int, label, text string) {
	head := strings.Repeat(" ", indent) + pad(label, labelWidth)
	p.wrapped(head, strings.Repeat(" ", utf8.RuneCountInString(head)), text)
}

// labelWidth is the width of the column of labels: the longest label and a gap.
const labelWidth = 15

// wrapped writes a text behind head, and goes on behind rest where it does not fit.
func (p *page) wrapped(head, rest, text string) {
	for i, part := range wrap(clean(text), p.width-utf8.RuneCountInString(head)) {
		if i > 0 {
			head = rest
		}
		p.linef("%s%s", head, part)
	}
}

// phrase is a few words in one colour.
type phrase struct {
	colour colour
	text   string
}

// phrases writes phrases behind head, with commas between them, and goes on below the first where they do not fit.
func (p *page) phrases(head string, all []phrase) {
	indent := utf8.RuneCountInString(head)
	row, used := head, indent
	for i, part := range all {
		size := utf8.RuneCountInString(part.text) + 1 // with its comma
		if i > 0 && used+1+size > p.width {
			p.linef("%s", row)
			row, used = strings.Repeat(" ", indent), indent
		} else if i > 0 {
			row, used = row+" ", used+1
		}
		row, used = row+p.paint(part.colour, part.text), used+size
		if i < len(all)-1 {
			row += ","
		}
	}
	p.linef("%s", row)
}

// A colour of the terminal, by its ANSI number.
type colour string

const (
	plain  colour = ""
	bold   colour = "1"
	red    colour = "1;31"
	green  colour = "32"
	yellow colour = "33"
)

// paint colours a text where colours are wanted. Pad before painting: the codes have no width.
func (p *page) paint(c colour, text string) string {
	if !p.colour || c == plain {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// pad fills a text up with spaces; one that is too long gets a single space.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(1, width-utf8.RuneCountInString(text)))
}

// fit shortens a text to a width.
func fit(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:max(0, width-1)]), " ,;:") + "…"
}

// squeeze shortens a line to a width by taking letters out of the middle of its longest word: in a time-line that is
// an address, whose two ends tell most.
func squeeze(text string, width int) string {
	over := utf8.RuneCountInString(text) - width
	longest := ""
	for word := range strings.FieldsSeq(text) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	runes := []rune(longest)
	keep := len(runes) - over - 1
	if over <= 0 || keep < 8 {
		return fit(text, width)
	}
	short := string(runes[:keep/2]) + "…" + string(runes[len(runes)-keep+keep/2:])
	return strings.Replace(text, longest, short, 1)
}

// wrap breaks a text at its spaces into lines of a width. A word that is longer has a line of its own, for half of a
// command or an address is of no use.
func wrap(text string, width int) []string {
	var lines []string
	current := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case current == "":
			current = word
		case utf8.RuneCountInString(current)+1+utf8.RuneCountInString(word) <= width:
			current += " " + word
		default:
			lines = append(lines, current)
			current = word
		}
	}
	return append(lines, current)
}

// Line writes what a terminal would obey, line ends too, as what it is: requests and recordings hold the bytes of others.
func Line(text string) string { return clean(strings.ReplaceAll(text, "\n", `\u000a`)) }

// clean writes what a terminal would obey as what it is.
func clean(text string) string {
	if strings.IndexFunc(text, obeyed) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if obeyed(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// obeyed tells control and format characters (those that turn the direction of writing among them), line ends aside.
func obeyed(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// plural counts things; many is their name where it is not that of one with an s.
func plural(n int, what string, many ...string) string {
	if n != 1 && len(many) > 0 {
		what = many[0]
	} else {
		what = noun(n, what)
	}
	return fmt.Sprintf("%d %s", n, what)
}

// noun writes a noun as its number wants it.
func noun(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// Field is a label and a text beside it.
type Field struct{ Label, Text string }

// WriteFields writes fields below each other, their texts wrapped into one column. Its only error is the writer's.
func WriteFields(w io.Writer, fields []Field, o Options) error {
	p := newPage(o)
	for _, f := range fields {
		p.field(0, f.Label, f.Text)
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}
