package scenarios

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/a2a-conform/a2a-conform/internal/yamltext"
)

// maxFileSize bounds what is read of one file, in bytes.
const maxFileSize = 256 << 10

// maxDepth bounds how deep values nest; a scenario needs about ten.
const maxDepth = 64

// format is the form of a scenario's file; a long one has a thousand tokens.
func format() yamltext.Format {
	return yamltext.Format{
		Bytes: maxFileSize, Tokens: 20_000, Depth: maxDepth,
		Holds: "a scenario has at least scenario and about", Shorter: "let repeat and bytes make long texts",
		Shared: "use vars", Single: "each scenario has a file of its own",
	}
}

// parse reads a file into nodes. It returns nil, with problems in c, for what cannot be read at all.
func parse(data []byte, c *collector) *node {
	body, problems := format().Parse(data)
	for _, problem := range problems {
		c.addf(problem.At, "%s", problem.Text)
	}
	if body == nil {
		return nil
	}
	root := convert(body, c, 0)
	if root != nil && root.kind != mapNode {
		c.addf(root.at, "a scenario is a map of members, here %s", root.show())
		return nil
	}
	return root
}

// convert turns the parser's tree into nodes.
func convert(n ast.Node, c *collector, depth int) *node {
	if depth > maxDepth {
		c.addf(yamltext.At(n.GetToken()), "values are nested deeper than %d", maxDepth)
		return &node{at: yamltext.At(n.GetToken()), text: "null"}
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return convertMap(n, c, depth)
	case *ast.MappingValueNode:
		return convertMap(&ast.MappingNode{Start: n.Key.GetToken(), Values: []*ast.MappingValueNode{n}}, c, depth)
	case *ast.SequenceNode:
		list := &node{kind: listNode, at: yamltext.At(n.Start)}
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
	object := &node{kind: mapNode, at: yamltext.At(n.Start)}
	if !n.IsFlowStyle && len(n.Values) > 0 {
		object.at = yamltext.At(n.Values[0].Key.GetToken())
	}
	object.members = make([]member, 0, len(n.Values))
	for _, value := range n.Values {
		keyNode, ok := value.Key.(ast.Node)
		if !ok {
			continue
		}
		key := convertScalar(keyNode, c)
		if object.get(key.text) != nil {
			c.addf(key.at, "%q is here twice, first at line %d", shorten(key.text, 40), object.keyPlace(key.text).Line)
			continue
		}
		one := member{key: key.text, keyAt: key.at, value: convert(value.Value, c, depth+1)}
		object.members = append(object.members, one)
		object.variable = object.variable || one.value.variable || hasPlaceholder(one.key)
	}
	return object
}

func convertScalar(n ast.Node, c *collector) *node {
	at := yamltext.At(n.GetToken())
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
