// Package adr reads a copy of the contract's text into sentences that can be named without being quoted: each has the
// SHA-256 of its normalised form. The text itself is not part of this program.
//
// The room knows how a text is cut and normalised, and nothing else. Which rule rests on which sentence stands in
// package suites.
package adr

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence is one statement of the text: a sentence, an item of a list, or an example as a whole.
type Sentence struct {
	// Section is the heading that the sentence stands under; empty before the first.
	Section string
	// Line is where it begins, from 1.
	Line int
	// Text is its normalised form, Hash the SHA-256 of that in hexadecimal.
	Text, Hash string
}

// MaxSize is how large a text may be, in bytes.
const MaxSize = 4 << 20

// Read cuts a text into sentences, in their order. An error says why the text cannot be one: not UTF-8, too large, or
// without a sentence.
//
// The normal form, so that a copy from another page or with other line breaks is the same text:
//
//  1. Line ends become LF, a byte order mark goes, non-breaking spaces become spaces, typographic quotation marks and
//     apostrophes become straight ones.
//  2. Blocks are parted by empty lines. A block that begins with a brace is an example and stays one piece. A block of
//     one line with nothing but words, without a mark at its end, is a heading.
//  3. In all other blocks a line that begins with a list mark ("1. ", "- ", "• ", "* ") begins a new piece, without its
//     mark. A piece is cut after ".", "?" or "!" where a space and a capital letter follow.
//  4. White space within a piece becomes one space, and none is left around it.
//
// Letter case, other punctuation and words count.
func Read(r io.Reader) ([]Sentence, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxSize {
		return nil, fmt.Errorf("the text is larger than %d MiB, so it is not the contract's", MaxSize>>20)
	}
	if !utf8.Valid(data) {
		return nil, errors.New("the text is not UTF-8: save it as plain text in UTF-8")
	}
	var all []Sentence
	section := ""
	for _, b := range blocks(plain(string(data))) {
		if b.heading() {
			section = collapsed(b.lines[0])
			continue
		}
		for _, p := range b.pieces() {
			p.Section = section
			p.Hash = Hash(p.Text)
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the text has no sentence")
	}
	return all, nil
}

// Hash is the SHA-256 of a normalised sentence, in hexadecimal.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// plain takes away what differs between copies of one text.
func plain(text string) string {
	return strings.NewReplacer(
		"\uFEFF", "", "\r\n", "\n", "\r", "\n", "\u00A0", " ", "\u202F", " ",
		"\u2018", "'", "\u2019", "'", "\u201C", `"`, "\u201D", `"`,
	).Replace(text)
}

func collapsed(text string) string { return strings.Join(strings.Fields(text), " ") }

// block is a run of lines without an empty one.
type block struct {
	lines []string
	first int // the line that it begins with, from 1
}

func blocks(text string) []block {
	var all []block
	var open block
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			if open.lines != nil {
				all = append(all, open)
			}
			open = block{}
			continue
		}
		if open.lines == nil {
			open.first = i + 1
		}
		open.lines = append(open.lines, line)
	}
	if open.lines != nil {
		all = append(all, open)
	}
	return all
}

// heading tells a line of nothing but words. A route or a command has other signs in it.
func (b block) heading() bool {
	if len(b.lines) != 1 {
		return false
	}
	line := collapsed(b.lines[0])
	for _, r := range line {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" :-,()'", r) {
			return false
		}
	}
	const most = 8 // words
	return !strings.HasSuffix(line, ":") && len(strings.Fields(line)) <= most
}

var (
	listMark = regexp.MustCompile(`^\s*(?:\d+\.|[-*•])\s+`)
	stop     = regexp.MustCompile(`[.?!]["')]* +\p{Lu}`)
)

// pieces cuts a block into its sentences.
func (b block) pieces() []Sentence {
	if strings.HasPrefix(strings.TrimSpace(b.lines[0]), "{") {
		return []Sentence{{Line: b.first, Text: collapsed(strings.Join(b.lines, " "))}}
	}
	var all []Sentence
	for i, line := range b.lines {
		mark := listMark.FindString(line)
		if i == 0 || mark != "" {
			all = append(all, Sentence{Line: b.first + i})
		}
		last := &all[len(all)-1]
		last.Text = collapsed(last.Text + " " + line[len(mark):])
	}
	var cut []Sentence
	for _, item := range all {
		for _, text := range sentences(item.Text) {
			cut = append(cut, Sentence{Line: item.Line, Text: text})
		}
	}
	return cut
}

func sentences(text string) []string {
	var all []string
	for {
		at := stop.FindStringIndex(text)
		if at == nil {
			break
		}
		_, capital := utf8.DecodeLastRuneInString(text[:at[1]])
		end := at[1] - capital
		all = append(all, strings.TrimSpace(text[:end]))
		text = text[end:]
	}
	if text = strings.TrimSpace(text); text != "" {
		all = append(all, text)
	}
	return all
}
