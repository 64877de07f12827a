package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// nodeKind tells what a node of a file is.
type nodeKind int

const (
	nullNode nodeKind = iota
	boolNode
	numberNode
	textNode
	listNode
	mapNode
)

// node is a value of a file with its place. It keeps what encoding/json's values lose: where a value stands, the order
// of members, and numbers as they were written.
type node struct {
	kind nodeKind
	// text is the text of a text node, and what a number, a bool or null looks like in JSON.
	text string
	at   position
	// from is the placeholder that the value came from, empty for none.
	from    string
	items   []*node
	members []member
	// variable tells that a placeholder may stand in the node or below it.
	variable bool
}

// member is a member of a map node.
type member struct {
	key   string
	keyAt position
	value *node
}

// get returns the value of a member, or nil.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// keyPlace is where a member's name stands, or the node itself where it has no such member.
func (n *node) keyPlace(key string) position {
	if n == nil {
		return position{}
	}
	for _, m := range n.members {
		if m.key == key {
			return m.keyAt
		}
	}
	return n.at
}

// keys are the names of the members in the order of the file.
func (n *node) keys() []string {
	if n == nil {
		return nil
	}
	keys := make([]string, len(n.members))
	for i, m := range n.members {
		keys[i] = m.key
	}
	return keys
}

// is tells whether there is a node of this kind.
func (n *node) is(kind nodeKind) bool { return n != nil && n.kind == kind }

// show is the value as a message quotes it: short, and with the placeholder that it came from.
func (n *node) show() string {
	var text string
	switch n.kind {
	case textNode:
		text = strconv.Quote(shorten(n.text, 40))
	case listNode:
		text = sized("list", len(n.items))
	case mapNode:
		text = sized("map", len(n.members))
	default:
		text = shorten(n.text, 40)
	}
	if n.from != "" {
		text += " (from " + n.from + ")"
	}
	return text
}

func sized(what string, size int) string {
	if size == 0 {
		return "an empty " + what
	}
	return fmt.Sprintf("a %s of %d", what, size)
}

func shorten(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return s
}

// value is the node as the schema validator takes it.
func (n *node) value() any {
	switch n.kind {
	case nullNode:
		return nil
	case boolNode:
		return n.text == "true"
	case numberNode:
		return schemaNumber(n.text)
	case listNode:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = item.value()
		}
		return list
	case mapNode:
		object := make(map[string]any, len(n.members))
		for _, m := range n.members {
			object[m.key] = m.value.value()
		}
		return object
	default:
		return n.text
	}
}

// schemaNumber keeps huge exponents away from the validator, which would write such a number out in full.
func schemaNumber(text string) any {
	if len(text) <= 30 && !strings.ContainsAny(text, "eE") {
		return json.Number(text)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) {
		return math.MaxFloat64
	}
	return f
}

// equal tells whether two nodes are the same JSON.
func (n *node) equal(other *node) bool { return bytes.Equal(n.json(), other.json()) }

// size is roughly how much memory the node takes, in bytes.
func (n *node) size() int {
	size := 64 + len(n.text)
	for _, item := range n.items {
		size += item.size()
	}
	for _, m := range n.members {
		size += len(m.key) + m.value.size()
	}
	return size
}

// json writes the node as JSON, members in the order of the file.
func (n *node) json() []byte {
	var b bytes.Buffer
	n.writeJSON(&b)
	return b.Bytes()
}

func (n *node) writeJSON(b *bytes.Buffer) {
	switch n.kind {
	case textNode:
		writeJSONText(b, n.text)
	case listNode:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.writeJSON(b)
		}
		b.WriteByte(']')
	case mapNode:
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSONText(b, m.key)
			b.WriteByte(':')
			m.value.writeJSON(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString(n.text)
	}
}

// writeJSONText leaves <, > and & as they are: bodies are compared byte for byte.
func writeJSONText(b *bytes.Buffer, text string) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return // a text into a buffer: it cannot fail
	}
	b.Truncate(b.Len() - 1)
}
