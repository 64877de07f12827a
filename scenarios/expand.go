package scenarios

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// maxCases bounds the product of a file's each.
const maxCases = 64

// absentName is the placeholder that leaves a member, or an item of a list, out.
const absentName = "absent"

var placeholderForm = regexp.MustCompile(`\$\{([^{}]*)\}`)

// variant is one choice of the values of each: the name of a case and what its placeholders stand for.
type variant struct {
	id     string
	values map[string]*node
}

// variants are the cases of a file in a stable order: the keys of each as the file has them, the last one fastest.
func variants(root *node, name string, clock evidence.Clock) []variant {
	all := []variant{{id: name, values: variables(root, clock)}}
	separator := "/"
	for _, key := range root.get("each").keys() {
		values := root.get("each").get(key).items
		labels := labelsOf(values)
		var wider []variant
		for _, v := range all {
			for i, value := range values {
				if len(wider) == maxCases {
					break
				}
				chosen := variant{id: v.id + separator + key + "=" + labels[i], values: maps.Clone(v.values)}
				chosen.values[key] = value
				wider = append(wider, chosen)
			}
		}
		all, separator = wider, ","
	}
	return all
}

// variables are the file's vars, with those for real time in their place on the real clock.
func variables(root *node, clock evidence.Clock) map[string]*node {
	values := map[string]*node{}
	for _, key := range root.get("vars").keys() {
		values[key] = root.get("vars").get(key)
	}
	if clock != evidence.ClockReal {
		return values
	}
	for _, key := range root.get("real").get("vars").keys() {
		values[key] = root.get("real").get("vars").get(key)
	}
	return values
}

// labelsOf names the values of one key of each in the ids of cases: short, in plain characters, no two the same.
func labelsOf(values []*node) []string {
	labels := make([]string, len(values))
	for i, value := range values {
		short := label(value)
		name := short
		for n := i + 1; slices.Contains(labels[:i], name); n++ {
			name = short + "#" + strconv.Itoa(n)
		}
		labels[i] = name
	}
	return labels
}

func label(value *node) string {
	text, plain, trim := value.text, "._/:+-", ""
	switch {
	case value.kind == listNode || value.kind == mapNode:
		text, plain, trim = string(value.json()), "./+-", "_" // the signs of JSON are no help to a reader
	case text == "${"+absentName+"}":
		return absentName
	case text == "":
		return "empty"
	}
	var b strings.Builder
	gap := false
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(plain, r) {
			b.WriteRune(r)
			gap = false
		} else if !gap {
			b.WriteByte('_')
			gap = true
		}
	}
	return shorten(strings.Trim(b.String(), trim), 32)
}

// fill puts the values of a variant in the place of its placeholders. Members that hold the variables themselves are
// left out of the result.
func fill(root *node, values map[string]*node, c *collector) *node {
	left := maxFilled
	f := filler{values: values, c: c, left: &left}
	filled := &node{kind: mapNode, at: root.at}
	for _, m := range root.members {
		switch m.key {
		case "vars", "real", "each":
		case "scenario":
			filled.members = append(filled.members, m)
		default:
			f.member(filled, m)
		}
	}
	return filled
}

type filler struct {
	values map[string]*node
	c      *collector
	// left is how much more may be written, in bytes.
	left *int
}

// maxFilled bounds what placeholders may write in one case, in bytes: a long text that stands behind thousands of
// placeholders would exhaust the memory.
const maxFilled = 4 << 20

// afford tells whether so much more may be written.
func (f filler) afford(size int, at position) bool {
	if *f.left < 0 {
		return false // said already
	}
	if *f.left -= size; *f.left >= 0 {
		return true
	}
	f.c.addf(at, "the placeholders up to here make more than 4 MiB: let repeat and bytes make what is long")
	return false
}

// node returns nil for what is to be left out, and n itself where it has no placeholder.
func (f filler) node(n *node) *node {
	switch {
	case !n.variable:
		return n
	case n.kind == textNode:
		return f.text(n)
	case n.kind == listNode:
		list := &node{kind: listNode, at: n.at}
		for _, item := range n.items {
			if filled := f.node(item); filled != nil {
				list.items = append(list.items, filled)
			}
		}
		return list
	default:
		object := &node{kind: mapNode, at: n.at}
		for _, m := range n.members {
			f.member(object, m)
		}
		return object
	}
}

func (f filler) member(to *node, m member) {
	value := f.node(m.value)
	if value == nil {
		return
	}
	key := f.inside(m.key, m.keyAt)
	if key != m.key && to.get(key) != nil {
		f.c.addf(m.keyAt, "%q is here twice once its placeholders are filled in", shorten(key, 40))
		return
	}
	to.members = append(to.members, member{key: key, keyAt: m.keyAt, value: value})
}

// text fills a text: one that is a placeholder and nothing else takes the value with its type.
func (f filler) text(n *node) *node {
	name, whole := wholePlaceholder(n.text)
	if !whole {
		return &node{kind: textNode, text: f.inside(n.text, n.at), at: n.at, from: n.from}
	}
	if name == absentName {
		return nil
	}
	value, known := f.values[name]
	switch {
	case !known:
		return n
	case value.is(textNode) && value.text == "${"+absentName+"}":
		return nil
	case !f.afford(value.size(), n.at):
		return nil
	default:
		return placed(value, n.at, n.text)
	}
}

// hasPlaceholder tells whether a text may hold a placeholder. Few do, and a regular expression takes its time to say so.
func hasPlaceholder(text string) bool { return strings.Contains(text, "${") }

// wholePlaceholder is the name in a text that is one placeholder and nothing else.
func wholePlaceholder(text string) (name string, whole bool) {
	if !strings.HasPrefix(text, "${") {
		return "", false
	}
	found := placeholderForm.FindStringSubmatch(text)
	if len(found) < 2 || found[0] != text {
		return "", false
	}
	return found[1], true
}

// inside fills placeholders in the middle of a text.
func (f filler) inside(text string, at position) string {
	if !hasPlaceholder(text) {
		return text
	}
	return placeholderForm.ReplaceAllStringFunc(text, func(placeholder string) string {
		name := placeholder[2 : len(placeholder)-1]
		value, known := f.values[name]
		switch {
		case name == absentName, known && value.text == "${"+absentName+"}":
			f.c.addf(at, "%s stands inside a text: it can only take the place of a whole value", placeholder)
		case !known:
			return placeholder
		case value.kind == listNode || value.kind == mapNode:
			f.c.addf(at, "%s is %s and cannot be written inside a text", placeholder, value.show())
		case !f.afford(len(value.text), at):
		default:
			return value.text
		}
		return ""
	})
}

// placed is a value of a variable where it is used. A list or a map keeps the places of its definition, since what is
// wrong is wrong in there.
func placed(value *node, at position, from string) *node {
	if value.kind == listNode || value.kind == mapNode {
		return value
	}
	return &node{kind: value.kind, text: value.text, at: at, from: from}
}
