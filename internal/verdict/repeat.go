package verdict

import (
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// repeatCommand fills the rule and the run into the command line that the session says repeats a part of it.
func repeatCommand(repeat []string, c suites.Check) string {
	words := make([]string, 0, len(repeat)+1)
	for _, w := range repeat {
		if w == evidence.RepeatFilter {
			words = append(words, c.Rule, shellQuote(c.Run))
			continue
		}
		words = append(words, shellQuote(w))
	}
	return strings.Join(words, " ")
}

// shellQuote quotes a word for a POSIX shell where it needs it.
func shellQuote(w string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:+@%", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !plain(r) }) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
