package suites

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func req25() Rule {
	return Rule{
		ID: "REQ-25", Level: Must, Sides: []Side{Client}, Section: "Decision", Forbids: true,
		Obligation: "let message text and files travel in the send only: no recognisable part of them in resolve, discovery, renewal or Task requests, in headers or targets, or to anyone else",
		Cause:      "The client sends a title or a trace of the message along with resolve, or in a header for logging.",
		Right:      "The resolve has the body {}, and no header or target has anything of the text.",
		Wrong:      "The resolve's body has the first words of the text as a title.",
		Judge: func(c *Call, j *Judgement) {
			marks := c.marks()
			if c.Follows() {
				marks = c.earlierMarks()
			}
			if len(marks) == 0 {
				return
			}
			for _, x := range c.Exchanges {
				for _, p := range placesOf(x) {
					if p.name == "the body" && carriesMessage(x) {
						continue
					}
					if found, ok := recognise(p.content, marks); ok {
						j.Fail(fmt.Sprintf("%s of %s holds %d characters of the message: %s", p.name, x.Request.Method+" "+clip(x.Request.Target, 80), len([]rune(found)), quote(found)),
							"text and files travel in the body of the send only", x)
						return
					}
				}
				j.Pass()
			}
		},
	}
}

// earlierMarks returns what the messages can be recognised by that this instance had sent before a call without one.
func (c *Call) earlierMarks() map[string]bool {
	all := map[string]bool{}
	for _, o := range c.Run.Calls {
		if o.Number < c.Number && o.Client == c.Client {
			maps.Copy(all, o.marks())
		}
	}
	return all
}

// carriesMessage tells whether a request's body is where the message belongs: a send, or what was meant as one.
func carriesMessage(x *Exchange) bool {
	return x.Side() == evidence.SideRuntime && (x.Op == evidence.OpSendMessage || x.Op == evidence.OpUnknown)
}

// markLength is how many characters in a row make a part of a text recognisable.
const markLength = 16

// marks returns what the message can be recognised by: pieces of its text, and the beginnings of its files as the send
// carries them. A text of fewer than sixteen characters gives none: it could stand somewhere by chance.
func (c *Call) marks() map[string]bool {
	marks := map[string]bool{}
	text, _ := c.words()
	runes := []rune(clipBytes(text, 8<<10))
	public := c.publicWords()
	for i := 0; i+markLength <= len(runes); i++ {
		mark := string(runes[i : i+markLength])
		if !strings.Contains(public, mark) {
			marks[mark] = true
		}
	}
	for _, x := range c.Sends {
		for _, part := range x.Body().Parts {
			if part.Kind == evidence.PartRaw && part.Content.Kind() == evidence.KindString {
				// A file may be large, so only its beginning is taken out of the body; base64 has no escapes.
				addFileMarks(marks, string(bytes.Trim(part.Content.Raw()[:min(len(part.Content.Raw()), 4*markLength+2)], `"`)))
			}
		}
	}
	return marks
}

// addFileMarks adds the beginning of a file, in base64 and as bytes.
func addFileMarks(marks map[string]bool, raw string) {
	runes := []rune(clipBytes(raw, 4*markLength))
	plain, _ := base64.StdEncoding.DecodeString(string(runes[:len(runes)/4*4])) // up to what is not of this alphabet
	for _, form := range [][]rune{runes, []rune(string(plain))} {
		if len(form) >= markLength {
			marks[string(form[:markLength])] = true
		}
	}
}

// publicWords is what requests hold without any message: a piece of text that is part of it is no mark.
func (c *Call) publicWords() string {
	return strings.Join([]string{
		c.Session, c.Input.MessageID.Or(""), resolvePath(c.Session), sendPath, mediaType, "application/json", evidence.ResponseKindURI, "text/plain; charset=utf-8",
		"gzip, deflate, br", "resolve-runtime-access",
	}, "\n")
}

func clipBytes(s string, n int) string { return strings.ToValidUTF8(s[:min(n, len(s))], "") }

// recognise looks for a mark in bytes as they stand, percent-decoded, and in the strings of a JSON body.
func recognise(content []byte, marks map[string]bool) (string, bool) {
	const most = 64 << 10 // nothing but a send is longer
	text := clipBytes(string(content), most)
	forms := []string{text}
	if decoded, _ := url.QueryUnescape(text); decoded != text {
		forms = append(forms, decoded)
	}
	tree, _ := evidence.ReadJSON([]byte(text))
	forms = append(forms, textsOf(tree)...)
	for _, form := range forms {
		runes := []rune(form)
		for i := 0; i+markLength <= len(runes); i++ {
			if mark := string(runes[i : i+markLength]); marks[mark] {
				return stretch(runes, i, marks), true
			}
		}
	}
	return "", false
}

// stretch returns the longest run from i whose every piece is a mark.
func stretch(runes []rune, i int, marks map[string]bool) string {
	end := i + markLength
	for end < len(runes) && marks[string(runes[end+1-markLength:end+1])] {
		end++
	}
	return string(runes[i:end])
}

// textsOf lists all strings of a JSON value, names of members aside.
func textsOf(v *evidence.Value) []string {
	if text, ok := v.Text(); ok {
		return []string{text}
	}
	var out []string
	for _, m := range v.Members() {
		out = append(out, textsOf(m.Value)...)
	}
	for _, e := range v.Elements() {
		out = append(out, textsOf(e)...)
	}
	return out
}
