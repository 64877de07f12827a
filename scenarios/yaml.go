package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	// maxFileSize bounds what is read of one file, in bytes.
	maxFileSize = 256 << 10
	// maxTokens bounds the words and signs of a file; a long scenario has a thousand.
	maxTokens = 20_000
	// maxDepth bounds how deep values nest; a scenario needs about ten.
	maxDepth = 64
)

// parse reads a file into nodes. It takes the plain part of YAML only: no anchors, aliases, tags or further documents,
// which a scenario does not need and which make a small file mean something huge. It returns nil, with problems in c,
// for what cannot be read at all.
func parse(data []byte, c *collector) *node {
	if !readable(data, c) {
		return nil
	}
	file, err := parseYAML(data, c)
	if err != nil {
		c.addf(syntaxPlace(err), "this is not YAML: %s", syntaxText(err))
		return nil
	}
	if file == nil {
		return nil
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		c.addf(position{1, 1}, "the file is empty: a scenario has at least scenario and about")
		return nil
	}
	root := convert(file.Docs[0].Body, c, 0)
	if root != nil && root.kind != mapNode {
		c.addf(root.at, "a scenario is a map of members, here %s", root.show())
		return nil
	}
	return root
}

// readable refuses what need not be handed to a YAML reader.
func readable(data []byte, c *collector) bool {
	switch {
	case len(data) > maxFileSize:
		c.addf(position{}, "the file is larger than 256 KiB; let repeat and bytes make long texts")
	case !utf8.Valid(data):
		c.addf(position{}, "the file is not UTF-8")
	case bytes.ContainsRune(data, 0):
		c.addf(position{}, "the file has a NUL byte; write \\0 between double quotes")
	case len(bytes.TrimSpace(data)) == 0:
		c.addf(position{1, 1}, "the file is empty: a scenario has at least scenario and about")
	default:
		return !indentedByTabs(data, c)
	}
	return false
}

func indentedByTabs(data []byte, c *collector) bool {
	line := 0
	for text := range bytes.Lines(data) {
		line++
		indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
		if i := bytes.IndexByte(indent, '\t'); i >= 0 {
			c.addf(position{line, i + 1}, "a tab: indent with spaces")
		}
	}
	return c.found()
}

// parseYAML returns nil without an error where it found problems of its own. The parser has been known to panic on
// broken input; that is reported as what it is, a file that cannot be read.
func parseYAML(data []byte, c *collector) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			file, err = nil, errors.New("its reader gave up on it")
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if !plain(tokens, c) {
		return nil, nil //nolint:nilnil // the problems are in c
	}
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// plain refuses the tokens of what is left out of the format, and nesting that would exhaust the parser.
func plain(tokens token.Tokens, c *collector) bool {
	if len(tokens) > maxTokens {
		c.addf(position{}, "the file has more than %d words and signs: split it, or let repeat and bytes make what is long", maxTokens)
		return false
	}
	flow, entries, line := 0, 0, 0
	for _, t := range tokens {
		at := place(t)
		if at.line != line {
			line, entries = at.line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType:
			entries++
		default:
			if why := leftOut(t); why != "" {
				c.addf(at, "%s", why)
			}
		}
		if flow > maxDepth || entries > maxDepth {
			c.addf(at, "values are nested deeper than %d", maxDepth)
			return false
		}
	}
	return !c.found()
}

// leftOut says why a token is not part of the format, or nothing.
func leftOut(t *token.Token) string {
	switch t.Type {
	case token.AnchorType, token.AliasType, token.MergeKeyType:
		return "anchors, aliases and merge keys are not part of the format: use vars"
	case token.TagType:
		return "tags are not part of the format; put text between quotes"
	case token.DirectiveType, token.DocumentEndType:
		return "directives and document ends are not part of the format"
	case token.DocumentHeaderType:
		if t.Prev != nil && t.Prev.Type != token.CommentType {
			return "a second document: each scenario has a file of its own"
		}
	default:
	}
	return ""
}

func place(t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{1, 1}
	}
	return position{t.Position.Line, max(t.Position.Column, 1)}
}

func syntaxPlace(err error) position {
	if syntax, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		return place(syntax.Token)
	}
	return position{1, 1}
}

func syntaxText(err error) string {
	if syntax, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		return syntax.Message
	}
	return err.Error()
}

// convert turns the parser's tree into nodes.
func convert(n ast.Node, c *collector, depth int) *node {
	if depth > maxDepth {
		c.addf(place(n.GetToken()), "values are nested deeper than %d", maxDepth)
		return &node{at: place(n.GetToken()), text: "null"}
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return convertMap(n, c, depth)
	case *ast.MappingValueNode:
		return convertMap(&ast.MappingNode{Start: n.Key.GetToken(), Values: []*ast.MappingValueNode{n}}, c, depth)
	case *ast.SequenceNode:
		list := &node{kind: listNode, at: place(n.Start)}
		for _, item := range n.Values {
			value := convert(item, c, depth+1)
			list.items = append(list.items, value)
			list.variable = list.variable || value.variable
		}
		return list
	default:
		scalar := convertScalar(n, c)
		scalar.variable = hasPlaceholder(scalar.text)
		return scalar
	}
}

func convertMap(n *ast.MappingNode, c *collector, depth int) *node {
	object := &node{kind: mapNode, at: place(n.Start)}
	if !n.IsFlowStyle && len(n.Values) > 0 {
		object.at = place(n.Values[0].Key.GetToken())
	}
	object.members = make([]member, 0, len(n.Values))
	for _, value := range n.Values {
		keyNode, ok := value.Key.(ast.Node)
		if !ok {
			continue
		}
		key := convertScalar(keyNode, c)
		if object.get(key.text) != nil {
			c.addf(key.at, "%q is here twice, first at line %d", shorten(key.text, 40), object.keyPlace(key.text).line)
			continue
		}
		one := member{key: key.text, keyAt: key.at, value: convert(value.Value, c, depth+1)}
		object.members = append(object.members, one)
		object.variable = object.variable || one.value.variable || hasPlaceholder(one.key)
	}
	return object
}

func convertScalar(n ast.Node, c *collector) *node {
	at := place(n.GetToken())
	switch n := n.(type) {
	case *ast.NullNode:
		return &node{kind: nullNode, text: "null", at: at}
	case *ast.BoolNode:
		return &node{kind: boolNode, text: strconv.FormatBool(n.Value), at: at}
	case *ast.IntegerNode:
		return numberOrText(n.Token.Value, fmt.Sprint(n.Value), at)
	case *ast.FloatNode:
		return numberOrText(n.Token.Value, strconv.FormatFloat(n.Value, 'g', -1, 64), at)
	case *ast.NanNode:
		return &node{kind: textNode, text: "NaN", at: at}
	case *ast.InfinityNode:
		word := "Infinity"
		if n.Value < 0 {
			word = "-Infinity"
		}
		return &node{kind: textNode, text: word, at: at}
	case *ast.StringNode:
		return convertString(n, at)
	case *ast.LiteralNode:
		return &node{kind: textNode, text: n.Value.Value, at: at}
	default:
		c.addf(at, "a %s is not part of the format here", strings.ToLower(n.Type().String()))
		return &node{kind: nullNode, text: "null", at: at}
	}
}

var jsonNumberForm = regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$`)

// numberOrText keeps a number as it was written where JSON writes it so too, since 1.50 and 2^70 are worth keeping; what
// JSON cannot write at all stays text.
func numberOrText(written, read string, at position) *node {
	for _, text := range []string{written, read} {
		if jsonNumberForm.MatchString(text) {
			return &node{kind: numberNode, text: text, at: at}
		}
	}
	return &node{kind: textNode, text: written, at: at}
}

// convertString takes a plain word that is a number too large for the parser as the number that it is.
func convertString(n *ast.StringNode, at position) *node {
	first := n.Value[:min(1, len(n.Value))]
	if n.Token.Type == token.StringType && strings.ContainsAny(first, "-0123456789") && jsonNumberForm.MatchString(n.Value) {
		return &node{kind: numberNode, text: n.Value, at: at}
	}
	return &node{kind: textNode, text: n.Value, at: at}
}
