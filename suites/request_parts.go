package suites

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func req04() Rule {
	return Rule{
		ID: "REQ-04", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "carry the text as the first part, code point for code point",
		Cause:      "The text is trimmed, normalised, cut at U+0000, re-encoded, or put behind the files.",
		Right:      "For \"  naïve\\n\" the first part's text is the same eight code points, white space included.",
		Wrong:      "The first part's text has lost its trailing newline, or é became e and a combining accent.",
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			want, ok := c.words()
			if !ok {
				return
			}
			var first *evidence.Value
			if parts := x.Body().Parts; len(parts) > 0 {
				first = parts[0].Value.Member("text")
			}
			if first.TextEquals(want) {
				j.Pass()
				return
			}
			j.Fail("the first part of "+c.at(x)+" "+textDifference(want, first), "the first part's text is the caller's, code point for code point", x)
		}),
	}
}

// words returns the text of the message, and whether there is one to carry. A blank one is bad input, whose sending is
// noted by REQ-01 and judged no further.
func (c *Call) words() (string, bool) {
	text, ok := c.Input.Message.Get()
	return text, ok && strings.TrimSpace(text) != ""
}

// textDifference says where a text stops being the one that was given.
func textDifference(want string, got *evidence.Value) string {
	text, ok := got.Text()
	if !ok {
		return "has no text: its text member is " + said(got)
	}
	n := 0
	for want != "" && text != "" {
		w, wide := utf8.DecodeRuneInString(want)
		g, got := utf8.DecodeRuneInString(text)
		if w != g {
			return fmt.Sprintf("differs at character %d: %U became %U", n+1, w, g)
		}
		want, text = want[wide:], text[got:]
		n++
	}
	if want != "" {
		return fmt.Sprintf("ends after %d characters, %d bytes short", n, len(want))
	}
	return fmt.Sprintf("has %d bytes after the %d characters of the text", len(text), n)
}

func req26() Rule {
	return Rule{
		ID: "REQ-26", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "make parts of the text, then one part for each file in the caller's order, and nothing else",
		Cause:      "Files are collected in a map or set, equal files are sent once, or the client adds a part of its own (a system hint, a date).",
		Right:      "A text and the files a.pdf and b.pdf make three parts in this order.",
		Wrong:      "The parts are b.pdf, a.pdf and the text; or a part is there that nobody asked for.",
		Judge: eachBody(func(c *Call, x *Exchange, j *Judgement) {
			_, hasText := c.words()
			unreadable := slices.ContainsFunc(c.Files, func(f evidence.InputFile) bool { return !f.Readable })
			if unreadable || !hasText && (len(c.Files) == 0 || c.blankMessage()) {
				return
			}
			parts := x.Body().Parts
			want := len(c.Files)
			if hasText {
				want++
			}
			if len(parts) != want {
				j.Fail(fmt.Sprintf("%s has %d parts for %s", c.at(x), len(parts), c.given(hasText)), fmt.Sprintf("%d parts", want), x)
				return
			}
			if hasText && parts[0].Kind != evidence.PartText {
				j.Fail("the first part of "+c.at(x)+" is no text part", "the text is the first part", x)
				return
			}
			for i, part := range parts[want-len(c.Files):] {
				c.judgeFile(i, part, x, j)
			}
			j.Pass()
		}),
	}
}

// given says what the parts are to be made of.
func (c *Call) given(hasText bool) string {
	words := fmt.Sprintf("%d files", len(c.Files))
	if hasText {
		words = "a text and " + words
	}
	return words
}

// judgeFile compares a part with the file that is due in its place, by the content.
func (c *Call) judgeFile(i int, part evidence.Part, x *Exchange, j *Judgement) {
	want := c.Files[i].SHA256
	got, ok := contentHash(part)
	switch {
	case !ok:
		j.Unclear(fmt.Sprintf("the part in the place of file %d of %s holds no content that could be compared", i+1, c.at(x)), x)
	case got == want:
		c.judgeLabels(i, part, x, j)
		if inLines(part) {
			j.Warn(fmt.Sprintf("the part of file %d of %s has its base64 in lines, as in mail", i+1, c.at(x)),
				"base64 in one piece: RFC 4648, section 3.1, adds no line ends, and a strict reader refuses them", x)
		}
	default:
		seen := "content that no file has"
		if k := slices.IndexFunc(c.Files, func(f evidence.InputFile) bool { return f.SHA256 == got }); k >= 0 {
			seen = fmt.Sprintf("file %d", k+1)
		}
		j.Fail(fmt.Sprintf("the part in the place of file %d of %s holds %s", i+1, c.at(x), seen),
			"one part for each file, in the caller's order, with its whole content", x)
	}
}

// judgeLabels compares what a part says of the file in it with what the caller said. The contract's part has a name and a
// media type (section 3), and the ADR speaks of neither: a part that says nothing is left alone, another word is less than
// a breach.
func (c *Call) judgeLabels(i int, part evidence.Part, x *Exchange, j *Judgement) {
	file := c.Files[i]
	warn := func(member, said, given string) {
		j.Warn(fmt.Sprintf("the part of file %d of %s has the %s %s, and the caller gave %s", i+1, c.at(x), member, quote(said), quote(given)),
			"the name and the media type that the caller gave", x)
	}
	if said, ok := part.Value.Member("filename").Text(); ok && said != path.Base(file.Name) {
		warn("filename", said, path.Base(file.Name))
	}
	said, ok := part.Value.Member("mediaType").Text()
	kind, _, _ := strings.Cut(said, ";")
	if ok && file.MediaType != "" && !strings.EqualFold(strings.TrimSpace(kind), file.MediaType) {
		warn("mediaType", said, file.MediaType)
	}
}

// inLines tells whether the base64 of a part is broken into lines.
func inLines(part evidence.Part) bool {
	if part.Kind != evidence.PartRaw || !bytes.Contains(part.Content.Raw(), []byte(`\`)) {
		return false // a line end in a JSON text is always escaped, and a copy of the text may cost 20 MiB
	}
	text, _ := part.Content.Text()
	return strings.ContainsAny(text, "\r\n")
}

// contentHash is the SHA-256 of what a part carries: bytes in base64 of either alphabet, or a text.
func contentHash(part evidence.Part) (string, bool) {
	switch part.Kind {
	case evidence.PartText:
		return part.Content.TextSHA256()
	case evidence.PartRaw:
		if part.Content.Kind() != evidence.KindString {
			return "", false
		}
		raw := part.Content.Raw()
		if bytes.Contains(raw, []byte(`\`)) {
			text, _ := part.Content.Text()
			return base64Hash([]byte(text))
		}
		return base64Hash(raw[1 : len(raw)-1]) // as it stands: a copy of it may cost 20 MiB
	default:
		return "", false
	}
}

// base64Hash is the hash of what a text in base64 stands for, in either alphabet, with or without padding. It decodes a
// piece at a time: the text may have millions of characters.
func base64Hash(text []byte) (string, bool) {
	const piece = 32 << 10 // a multiple of four, so that every piece but the last stands for whole bytes
	text = bytes.TrimRight(text, "=\r\n")
	if bytes.ContainsAny(text, "\r\n") { // lines, as in mail
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r"), nil), []byte("\n"), nil)
	}
	alphabet := base64.RawStdEncoding
	if bytes.ContainsAny(text, "-_") {
		alphabet = base64.RawURLEncoding
	}
	hash, room := sha256.New(), make([]byte, piece)
	for len(text) > 0 {
		n := min(piece, len(text))
		size, err := alphabet.Decode(room, text[:n])
		if err != nil {
			return "not base64", true
		}
		hash.Write(room[:size])
		text = text[n:]
	}
	return hex.EncodeToString(hash.Sum(nil)), true
}
