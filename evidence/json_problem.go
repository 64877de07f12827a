package evidence

import (
	"fmt"
	"strconv"
	"strings"
)

// Problem is something wrong with the text of a JSON body, and where.
type Problem struct {
	Kind ProblemKind
	// Offset counts bytes from the start of the body.
	Offset int
	// Path is the place in the tree as a JSON pointer; empty at the top.
	Path string
	What string
}

// ProblemKind sorts problems by what a reader of JSON makes of them.
type ProblemKind string

// The kinds of problem. With the first four the bytes are not one JSON value and no reader may take them for one;
// with the others readers differ.
const (
	ProblemEmpty     ProblemKind = "empty"
	ProblemSyntax    ProblemKind = "syntax"
	ProblemTruncated ProblemKind = "truncated"
	ProblemTrailing  ProblemKind = "trailing"
	ProblemDuplicate ProblemKind = "duplicate"
	ProblemEncoding  ProblemKind = "encoding"
	ProblemSurrogate ProblemKind = "surrogate"
	ProblemLimit     ProblemKind = "limit"
)

// NotJSON tells whether the problem means that the bytes are not one JSON value.
func (p Problem) NotJSON() bool {
	switch p.Kind {
	case ProblemEmpty, ProblemSyntax, ProblemTruncated, ProblemTrailing:
		return true
	default:
		return false
	}
}

// String writes the problem with its place.
func (p Problem) String() string {
	if p.Path == "" {
		return fmt.Sprintf("%s (byte %d)", p.What, p.Offset)
	}
	return fmt.Sprintf("%s: %s (byte %d)", p.Path, p.What, p.Offset)
}

// NotJSON returns the first problem that means that the bytes are not one JSON value.
func NotJSON(problems []Problem) (Problem, bool) {
	for _, p := range problems {
		if p.NotJSON() {
			return p, true
		}
	}
	return Problem{}, false
}

// step is one step of the way from the top of a body to a value.
type step struct {
	name  string
	index int // -1 for a member
}

func pointer(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		b.WriteByte('/')
		if s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
			continue
		}
		b.WriteString(escapePointer(s.name))
	}
	return b.String()
}

func escapePointer(name string) string {
	const longName = 60
	if len(name) > longName {
		name = strings.ToValidUTF8(name[:longName], "") + "…"
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
