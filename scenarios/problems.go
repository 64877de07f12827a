package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/internal/yamltext"
)

// Problem is one mistake in a scenario file, and where it is.
type Problem struct {
	File string
	// Line and Col count from 1; both are 0 for what concerns the file as a whole.
	Line, Col int
	// Text says what is wrong, what is wanted and, where that can be guessed, what was meant.
	Text string
}

// String is file:line:col: text.
func (p Problem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Text)
}

// Problems is the error of Load: every problem of every file, by file and place.
type Problems struct { //nolint:errname // it is named for what it holds, as its readers say it
	List []Problem
}

// Error lists the problems, one a line.
func (p *Problems) Error() string {
	lines := make([]string, len(p.List))
	for i, problem := range p.List {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// position is a place in a file.
type position = yamltext.Place

// collector gathers the problems of one file. A file is checked several times over: by its schema, then once for each
// of its cases. A place that an earlier round complained of is left alone in later ones, so that one mistake makes one
// line however many cases share it.
type collector struct {
	file  string
	round int
	first map[position]int
	known map[Problem]bool
	list  []Problem
}

// maxProblems bounds what is said about one file: beyond, it is not a scenario with mistakes but something else.
const maxProblems = 100

func newCollector(file string) *collector {
	return &collector{file: file, first: map[position]int{}, known: map[Problem]bool{}}
}

// next begins a new round.
func (c *collector) next() { c.round++ }

func (c *collector) addf(at position, format string, args ...any) {
	round, seen := c.first[at]
	if seen && round < c.round || c.full() {
		return
	}
	c.first[at] = c.round
	problem := Problem{File: c.file, Line: at.Line, Col: at.Col, Text: fmt.Sprintf(format, args...)}
	if !c.known[problem] {
		c.known[problem] = true
		c.list = append(c.list, problem)
	}
}

// full tells that there is no point in looking on.
func (c *collector) full() bool { return len(c.list) >= maxProblems }

func (c *collector) found() bool { return len(c.list) > 0 }

// sorted returns the problems in the order of their places, and of their texts: a map of the validator has none.
func (c *collector) sorted() []Problem {
	slices.SortStableFunc(c.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Text, b.Text))
	})
	if c.full() {
		c.list = append(c.list, Problem{File: c.file, Text: fmt.Sprintf("there may be more: only %d problems of a file are shown", maxProblems)})
	}
	return c.list
}
