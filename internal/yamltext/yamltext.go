// Package yamltext takes apart files that people write in the plain part of YAML: no anchors, aliases, tags, directives
// or further documents, which no format of this project needs and which make a small file mean something huge. It bounds
// what the parser is given, and says of whatever is wrong where it stands.
//
// What the nodes of a file mean belongs to the package whose format it is.
package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Format is what the files of one kind may be, and what their author is told who goes beyond that.
type Format struct {
	// Bytes and Tokens bound the size of a file and its words and signs, Depth how deep values nest.
	Bytes, Tokens, Depth int
	// Holds says what a file holds at least, Shorter how a long one is made shorter, Shared what is there in place of
	// anchors, and Single why a file is one document.
	Holds, Shorter, Shared, Single string
}

// Place is a place in a file, counted from 1; the zero place is the file as a whole.
type Place struct{ Line, Col int }

// Problem is what is wrong with a file at a place.
type Problem struct {
	At   Place
	Text string
}

// Parse returns the root of a file. There is none where there are problems.
func (f Format) Parse(data []byte) (ast.Node, []Problem) {
	if problems := f.unreadable(data); problems != nil {
		return nil, problems
	}
	var tokens token.Tokens
	var file *ast.File
	if err := guarded(func() error { tokens = lexer.Tokenize(string(data)); return nil }); err != nil {
		return nil, []Problem{notYAML(err)}
	}
	if problems := f.beyond(tokens); problems != nil {
		return nil, problems
	}
	err := guarded(func() (err error) { file, err = parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()); return err })
	if err != nil {
		return nil, []Problem{notYAML(err)}
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, []Problem{f.empty()}
	}
	return file.Docs[0].Body, nil
}

func (f Format) empty() Problem { return Problem{Place{1, 1}, "the file is empty: " + f.Holds} }

// unreadable refuses what need not be handed to a YAML reader.
func (f Format) unreadable(data []byte) []Problem {
	switch {
	case len(data) > f.Bytes:
		return []Problem{{Text: fmt.Sprintf("the file is larger than %s; %s", size(f.Bytes), f.Shorter)}}
	case !utf8.Valid(data):
		return []Problem{{Text: "the file is not UTF-8"}}
	case bytes.ContainsRune(data, 0):
		return []Problem{{Text: `the file has a NUL byte; write \0 between double quotes`}}
	case len(bytes.TrimSpace(data)) == 0:
		return []Problem{f.empty()}
	default:
		return indentedByTabs(data)
	}
}

func size(n int) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

func indentedByTabs(data []byte) []Problem {
	var problems []Problem
	line := 0
	for text := range bytes.Lines(data) {
		line++
		indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
		if i := bytes.IndexByte(indent, '\t'); i >= 0 {
			problems = append(problems, Problem{Place{line, i + 1}, "a tab: indent with spaces"})
		}
	}
	return problems
}

// beyond finds what is left out of the format, and nesting that would exhaust the parser.
func (f Format) beyond(tokens token.Tokens) []Problem {
	if len(tokens) > f.Tokens {
		return []Problem{{Text: fmt.Sprintf("the file has more than %d words and signs; %s", f.Tokens, f.Shorter)}}
	}
	var problems []Problem
	flow, entries, line := 0, 0, 0
	for _, t := range tokens {
		at := At(t)
		if at.Line != line {
			line, entries = at.Line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType:
			entries++
		default:
			if why := f.leftOut(t); why != "" {
				problems = append(problems, Problem{at, why})
			}
		}
		if flow > f.Depth || entries > f.Depth {
			return append(problems, Problem{at, fmt.Sprintf("values are nested deeper than %d", f.Depth)})
		}
	}
	return problems
}

// leftOut says why a token is not part of the format, or nothing.
func (f Format) leftOut(t *token.Token) string {
	switch t.Type {
	case token.AnchorType, token.AliasType, token.MergeKeyType:
		return "anchors, aliases and merge keys are not part of the format: " + f.Shared
	case token.TagType:
		return "tags are not part of the format; put text between quotes"
	case token.DirectiveType, token.DocumentEndType:
		return "directives and document ends are not part of the format"
	case token.DocumentHeaderType:
		if t.Prev != nil && t.Prev.Type != token.CommentType {
			return "a second document: " + f.Single
		}
	default:
	}
	return ""
}

// guarded calls the lexer or the parser. Both have been known to panic on broken input, and that is reported as what it
// is, a file that cannot be read.
func guarded(read func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("its reader gave up on it")
		}
	}()
	return read()
}

func notYAML(err error) Problem {
	at, text := Place{1, 1}, err.Error()
	if syntax, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		at, text = At(syntax.Token), syntax.Message
	}
	return Problem{at, "this is not YAML: " + text}
}

// At is where a token stands; the beginning of the file where that is not known.
func At(t *token.Token) Place {
	if t == nil || t.Position == nil {
		return Place{1, 1}
	}
	return Place{max(t.Position.Line, 1), max(t.Position.Column, 1)}
}

// Members are the members of a map, of which the parser has two forms; ok tells whether a node is one.
func Members(n ast.Node) (members []*ast.MappingValueNode, ok bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	default:
		return nil, false
	}
}
