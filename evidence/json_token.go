package evidence

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// word reads true, false or null.
func (p *parser) word(kind Kind, word string) *Value {
	rest := p.body[p.at:]
	for i := range len(word) {
		if i == len(rest) {
			p.at += i
			p.stop(ProblemTruncated, "the body ends inside "+word)
			return nil
		}
		if rest[i] != word[i] {
			p.unexpected("a value")
			return nil
		}
	}
	p.at += len(word)
	return p.make(kind)
}

// number reads everything that looks like a number, so that one spelt wrongly does not hide the rest of the body.
func (p *parser) number() *Value {
	start := p.at
	for p.at < len(p.body) && numeric(p.body[p.at]) {
		p.at++
	}
	v := p.make(KindNumber)
	text := p.body[start:p.at]
	if isNumber(text) {
		return v
	}
	v.broken = true
	kind, what := ProblemSyntax, fmt.Sprintf("%.40s is no JSON number", text)
	if last := text[len(text)-1]; p.at == len(p.body) && (last < '0' || last > '9') {
		kind, what = ProblemTruncated, "the body ends inside a number"
	}
	p.problem(kind, start, what)
	return v
}

func numeric(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// isNumber holds the grammar of RFC 8259, section 6.
func isNumber(text []byte) bool {
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	whole := digits(text)
	if whole == 0 || whole > 1 && text[0] == '0' {
		return false
	}
	text = text[whole:]
	if len(text) > 0 && text[0] == '.' {
		fraction := digits(text[1:])
		if fraction == 0 {
			return false
		}
		text = text[1+fraction:]
	}
	return len(text) == 0 || isExponent(text)
}

func isExponent(text []byte) bool {
	if text[0] != 'e' && text[0] != 'E' {
		return false
	}
	text = text[1:]
	if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	return len(text) > 0 && digits(text) == len(text)
}

func digits(text []byte) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// text reads a string, its quotes included, and tells whether its bytes are its text. What is wrong inside it does
// not stop the reading: where it ends can still be seen.
func (p *parser) text() bool {
	plain := true
	start := p.at
	p.at++
	for p.at < len(p.body) {
		p.at += plainRun(p.body[p.at:])
		if p.at == len(p.body) {
			break
		}
		switch c := p.body[p.at]; {
		case c == '"':
			p.at++
			return plain
		case c == '\\':
			plain = false
			p.escape()
		case c < ' ':
			p.problem(ProblemSyntax, p.at, fmt.Sprintf("control character %q stands unescaped in a text", c))
			p.at++
		case c < utf8.RuneSelf:
			p.at++
		default:
			r, size := utf8.DecodeRune(p.body[p.at:])
			if r == utf8.RuneError && size == 1 {
				plain = false
				p.problem(ProblemEncoding, p.at, fmt.Sprintf("byte 0x%02x is not UTF-8", c))
			}
			p.at += size
		}
	}
	p.stop(ProblemTruncated, fmt.Sprintf("the body ends inside the text that began at byte %d", start))
	return plain
}

// plainRun is how many bytes at the beginning of a text are ordinary ASCII, eight at a time: a file in base64 is
// millions of them.
func plainRun(text []byte) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	n := 0
	for n+8 <= len(text) {
		word := binary.LittleEndian.Uint64(text[n:])
		// A byte of these becomes zero where the text has a quote or a backslash; borrowing from it sets its high bit,
		// as it does below a space. A byte above ASCII has that bit already.
		quote, slash := word^(ones*'"'), word^(ones*'\\')
		special := (quote - ones) | (slash - ones) | (word - ones*' ') | word
		if special&highs != 0 {
			break
		}
		n += 8
	}
	return n
}

// escape steps over an escape and reports what is wrong with it.
func (p *parser) escape() {
	rest := p.body[p.at:]
	r, size, ok := unescape(rest)
	switch {
	case len(rest) == 1: // the body ends here; text says so
	case !ok:
		p.problem(ProblemSyntax, p.at, fmt.Sprintf("%q is no JSON escape", rest[:min(size, len(rest))]))
	case r == utf8.RuneError && rest[1] == 'u' && isSurrogate(rest):
		p.problem(ProblemSurrogate, p.at, fmt.Sprintf("%s is half of a surrogate pair", rest[:6]))
	}
	p.at += size
}
