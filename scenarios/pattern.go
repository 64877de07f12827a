package scenarios

import "strings"

// Matches tells whether a pattern is, or matches, the id of a run or the name of its scenario, which is the part of the
// id up to a slash. A star stands for any number of characters, the slash among them, and a question mark for one; all
// else stands for itself, so that an id always matches itself.
func Matches(pattern, run string) bool {
	name, _, _ := strings.Cut(run, "/")
	if pattern == run || pattern == name {
		return true
	}
	if !strings.ContainsAny(pattern, "*?") {
		return false
	}
	glob := []rune(pattern)
	return globbed(glob, []rune(run)) || globbed(glob, []rune(name))
}

// globbed matches from the front. Only the last star need ever be tried again: what an earlier one took is settled by
// the first place at which all between the two fits.
func globbed(glob, text []rune) bool {
	at, star, taken := 0, -1, 0
	for i := 0; i < len(text); {
		switch {
		case at < len(glob) && glob[at] == '*':
			star, taken = at, i
			at++
		case at < len(glob) && (glob[at] == '?' || glob[at] == text[i]):
			at++
			i++
		case star >= 0:
			taken++
			at, i = star+1, taken
		default:
			return false
		}
	}
	return strings.Trim(string(glob[at:]), "*") == ""
}
