package evidence

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// PrintedIDs lists the message ids that a printed text names: what follows the words "message id" in any spelling
// ("Message ID:", "messageId", "--message-id", "message_id ="), each once, in the order of the text (ADR, CLI
// Contract). The id is the first word of that line or the next that looks like one; where none does, the word after
// a colon or an equals sign. Colours and frames around the text count for nothing.
func PrintedIDs(text string) []string {
	text = Plain(text)
	var ids []string
	for _, place := range messageID.FindAllStringIndex(text, -1) {
		if id := idAfter(text[place[1]:]); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

var (
	messageID      = regexp.MustCompile(`(?i)message[\s_.-]{0,3}id(?:entifier)?\b`)
	escapeSequence = regexp.MustCompile("\x1b\\[[0-9;?]*[\\x20-\\x2f]*[\\x40-\\x7e]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")
	valueFollows   = regexp.MustCompile("^[\"'`)\\]*\\s]*[:=]")
)

// PrintedIDs lists the message ids that a command named: those on standard error or, where it named none there, those
// on standard output, where an answer may have ids of its own.
func (c *Command) PrintedIDs() []string {
	if ids := PrintedIDs(string(c.Stderr)); len(ids) > 0 {
		return ids
	}
	return PrintedIDs(string(c.Stdout))
}

// Plain is a text without the escape sequences of a terminal, and with the lines of frames as spaces.
func Plain(text string) string {
	if strings.Contains(text, "\x1b") {
		text = escapeSequence.ReplaceAllString(text, "")
	}
	return strings.Map(func(r rune) rune {
		if r >= 0x2500 && r <= 0x259F { // box drawing and block elements
			return ' '
		}
		return r
	}, text)
}

// idAfter is the id that a text which follows the words names, empty for none.
func idAfter(text string) string {
	const (
		furthest = 8   // words between "message id" and the id: "message id to use when you send it again"
		longest  = 600 // bytes of them: a line may be as long as an answer
	)
	text = strings.ToValidUTF8(text[:min(longest, len(text))], "")
	named := valueFollows.MatchString(text)
	first := ""
	for i, word := range strings.FieldsFunc(firstLines(text, 2), between) {
		word = strings.Trim(word, ".,;:!?*=-")
		if i >= furthest {
			break
		}
		if looksLikeID(word) {
			return word
		}
		if named && first == "" {
			first = word
		}
	}
	return first
}

// firstLines cuts a text after the first n of its lines that are not blank.
func firstLines(text string, n int) string {
	end := 0
	for line := range strings.Lines(text) {
		if end > 0 && strings.TrimSpace(line) == "" {
			continue
		}
		if n == 0 {
			break
		}
		end += len(line)
		n--
	}
	return text[:end]
}

// between tells whether a character stands between words: white space, quotes, brackets.
func between(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("\"'`“”‘’«»()[]{}<>,;|", r)
}

// looksLikeID tells whether a word is no word of a language and no bare number: it has a digit beside something else.
func looksLikeID(word string) bool {
	name, value, pair := strings.Cut(strings.TrimRight(word, "="), "=")
	if pair && name != "" && value != "" {
		return false // another setting
	}
	other := strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' })
	return len(word) >= 3 && other && strings.ContainsFunc(word, unicode.IsDigit) || strings.HasPrefix(word, "msg-")
}
