package evidence

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Limits of the reader. No body of the contract comes near them; a body that does must not cost the harness its
// stack or its memory.
const (
	maxDepth    = 1000
	maxValues   = 1 << 20
	maxProblems = 20
)

// ReadJSON reads a body as one JSON value and says everything that is wrong with it, at most twenty things. The tree
// is the best that can be made of the body, also when there are problems; nil where there is none at all. Nothing is
// forgiven silently: letter case counts, duplicates are kept and named, bytes after the value are a problem.
func ReadJSON(body []byte) (*Value, []Problem) { return readJSON(body, maxValues) }

func readJSON(body []byte, most int) (*Value, []Problem) {
	p := parser{body: body, most: most}
	if bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		p.problem(ProblemSyntax, 0, "a byte order mark stands before the value")
		p.at = 3
	}
	p.space()
	if p.at == len(body) {
		p.problem(ProblemEmpty, p.at, "there is no JSON value")
		return nil, p.problems
	}
	v := p.value()
	p.space()
	if p.at < len(body) && !p.stopped {
		p.problem(ProblemTrailing, p.at, fmt.Sprintf("%d bytes stand after the value", len(body)-p.at))
	}
	return v, p.problems
}

// parser walks over a body once. Where the text goes on readably after a problem it goes on; stopped says that it
// does not, and lets every level return what it has.
type parser struct {
	body     []byte
	at       int
	depth    int
	count    int
	most     int
	stopped  bool
	steps    []step
	problems []Problem
	slab     []Value
	open     []Member // of the objects that have not ended yet, the outer ones first
	copied   string   // of a short body: its names are pieces of it
}

func (p *parser) problem(kind ProblemKind, at int, what string) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, Problem{Kind: kind, Offset: at, Path: pointer(p.steps), What: what})
	}
}

// stop reports a problem after which nothing can be read.
func (p *parser) stop(kind ProblemKind, what string) {
	// The last place is kept for the problem that ended the reading.
	if len(p.problems) == maxProblems {
		p.problems = p.problems[:maxProblems-1]
	}
	p.problem(kind, p.at, what)
	p.stopped = true
}

func (p *parser) space() {
	for p.at < len(p.body) {
		switch p.body[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// peek returns the next byte; at the end of the body it stops the reading and returns zero.
func (p *parser) peek(wanted string) byte {
	if p.at < len(p.body) {
		return p.body[p.at]
	}
	p.stop(ProblemTruncated, "the body ends where "+wanted+" is due")
	return 0
}

// make hands out values from slabs: a tree of a thousand values costs some dozens of allocations.
func (p *parser) make(kind Kind) *Value {
	if len(p.slab) == 0 {
		p.slab = make([]Value, min(p.guess(), 512))
	}
	v := &p.slab[0]
	p.slab = p.slab[1:]
	p.count++
	v.kind = kind
	return v
}

// guess is about how many values the next piece of the body holds: one more than there are commas and brackets that
// open. It makes the slab of a common body fit.
func (p *parser) guess() int {
	const piece = 4 << 10
	rest := p.body[p.at:min(len(p.body), p.at+piece)]
	return 1 + bytes.Count(rest, []byte(",")) + bytes.Count(rest, []byte("{")) + bytes.Count(rest, []byte("["))
}

func (p *parser) value() *Value {
	if p.count >= p.most {
		p.stop(ProblemLimit, fmt.Sprintf("the body holds more than %d values", p.most))
		return nil
	}
	start := p.at
	var v *Value
	switch c := p.peek("a value"); {
	case p.stopped:
		return nil
	case c == '{':
		v = p.nested(KindObject)
	case c == '[':
		v = p.nested(KindArray)
	case c == '"':
		v = p.make(KindString)
		v.plain = p.text()
	case c == '-' || c >= '0' && c <= '9':
		v = p.number()
	case c == 't':
		v = p.word(KindBool, "true")
	case c == 'f':
		v = p.word(KindBool, "false")
	case c == 'n':
		v = p.word(KindNull, "null")
	default:
		p.unexpected("a value")
	}
	if v != nil {
		v.raw = p.body[start:p.at:p.at]
	}
	return v
}

func (p *parser) unexpected(wanted string) {
	r, _ := utf8.DecodeRune(p.body[p.at:])
	p.stop(ProblemSyntax, fmt.Sprintf("%q stands where %s is due", r, wanted))
}

func (p *parser) nested(kind Kind) *Value {
	if p.depth == maxDepth {
		p.stop(ProblemLimit, fmt.Sprintf("the body is nested more than %d levels deep", maxDepth))
		return nil
	}
	p.depth++
	v := p.make(kind)
	if kind == KindObject {
		p.object(v)
	} else {
		p.array(v)
	}
	p.depth--
	return v
}

func (p *parser) array(v *Value) {
	p.at++
	p.space()
	if p.peek("an element or ]") == ']' {
		p.at++
		return
	}
	for !p.stopped {
		p.steps = append(p.steps, step{index: len(v.elements)})
		if e := p.value(); e != nil {
			v.elements = append(v.elements, e)
		}
		p.steps = p.steps[:len(p.steps)-1]
		if p.closed("]") {
			return
		}
	}
}

// closed reads what stands between two entries, and tells whether there is no further one.
func (p *parser) closed(end string) bool {
	if p.stopped {
		return true
	}
	p.space()
	switch c := p.peek(", or " + end); {
	case p.stopped:
		return true
	case c == end[0]:
		p.at++
		return true
	case c == ',':
		p.at++
		p.space()
		return false
	default:
		p.unexpected(", or " + end)
		return true
	}
}

func (p *parser) object(v *Value) {
	p.at++
	p.space()
	if p.peek("a member or }") == '}' {
		p.at++
		return
	}
	if p.open == nil {
		const usual = 8
		p.open, p.steps = make([]Member, 0, 2*usual), append(make([]step, 0, usual), p.steps...)
	}
	start := len(p.open)
	p.members(start)
	if len(p.open) > start {
		v.members = slices.Clone(p.open[start:])
	}
	p.open = p.open[:start]
}

// members reads what stands between the braces of an object, whose members are those from start on of the open ones.
func (p *parser) members(start int) {
	names := nameSet{}
	for !p.stopped {
		at := p.at
		name, ok := p.name()
		if !ok {
			return
		}
		p.steps = append(p.steps, step{name: name, index: -1})
		if names.add(p.open[start:], name) {
			p.problem(ProblemDuplicate, at, "the member occurs more than once")
		}
		if e := p.value(); e != nil {
			p.open = append(p.open, Member{Name: name, Value: e})
		}
		p.steps = p.steps[:len(p.steps)-1]
		if p.closed("}") {
			return
		}
	}
}

// name reads a member's name and the colon after it.
func (p *parser) name() (string, bool) {
	if p.peek("a member's name") != '"' {
		if !p.stopped {
			p.unexpected("a member's name")
		}
		return "", false
	}
	start := p.at
	plain := p.text()
	name := p.nameAt(start, plain)
	if p.stopped {
		return name, false
	}
	p.space()
	if c := p.peek("a colon"); c != ':' {
		if !p.stopped {
			p.unexpected("a colon")
		}
		return name, false
	}
	p.at++
	p.space()
	return name, true
}

// nameAt is the text of the name that stands between start and here.
func (p *parser) nameAt(start int, plain bool) string {
	const short = 16 << 10
	if !plain || p.stopped || len(p.body) > short {
		return (&Value{kind: KindString, plain: plain, raw: p.body[start:p.at]}).text()
	}
	if p.copied == "" {
		p.copied = string(p.body)
	}
	return p.copied[start+1 : p.at-1]
}

// nameSet finds duplicates: by looking along a short object, by a map in a long one.
type nameSet struct{ seen map[string]bool }

// add tells whether name is among the members read so far.
func (s *nameSet) add(members []Member, name string) bool {
	const short = 16
	if s.seen == nil && len(members) < short {
		for i := range members {
			if members[i].Name == name {
				return true
			}
		}
		return false
	}
	if s.seen == nil {
		s.seen = make(map[string]bool, 4*short)
		for _, m := range members {
			s.seen[m.Name] = true
		}
	}
	if s.seen[name] {
		return true
	}
	s.seen[name] = true
	return false
}
