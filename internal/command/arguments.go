package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// arguments is a command line that was read to its end.
type arguments struct {
	help     bool
	words    []string            // behind "send"
	values   map[string][]string // of each flag, by its name with the dashes
	problems []string            // everything that is wrong
}

// flag is one of the command's.
type flag struct {
	value  string // what its value is called; empty for one that stands alone
	repeat bool
}

func flags() map[string]flag {
	return map[string]flag{
		"--message":              {value: "TEXT"},
		"--message-file":         {value: "FILE"},
		"--file":                 {value: "FILE", repeat: true},
		"--media-type":           {value: "TYPE", repeat: true},
		"--strict-dictionary":    {},
		"--json-repair-attempts": {value: "N"},
		"--message-id":           {value: "ID"},
		"--response-kind":        {value: "KIND"},
		"--timeout":              {value: "SECONDS"},
	}
}

// parse reads a command line. It goes on after a mistake, so that a user sees all of them.
func parse(args []string) arguments {
	found := arguments{values: map[string][]string{}}
	path := []string{"agent", "session", "a2a", "send"}
	if len(args) < len(path) || !slices.Equal(args[:len(path)], path) {
		found.problemf("the command is %s", strings.Join(path, " "))
		return found
	}
	rest := args[len(path):]
	for len(rest) > 0 {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case arg == "--":
			found.words, rest = append(found.words, rest...), nil
		case arg == "-h" || arg == "--help":
			found.help = true
		case isFlag(arg):
			rest = found.flag(arg, rest)
		default:
			found.words = append(found.words, arg)
		}
	}
	found.check()
	return found
}

func (a *arguments) problemf(format string, args ...any) {
	a.problems = append(a.problems, fmt.Sprintf(format, args...))
}

// flag reads one flag, as --name, --name=value or --name value, and returns the arguments that are left.
func (a *arguments) flag(arg string, rest []string) []string {
	written, value, given := strings.Cut(arg, "=")
	known, ok := flags()[written]
	switch {
	case !ok:
		a.problemf("%s: there is no such flag", written)
		return rest
	case known.value == "" && given:
		a.problemf("%s: stands alone, without %q", written, value)
		return rest
	case known.value != "" && !given:
		if len(rest) == 0 || isFlag(rest[0]) {
			a.problemf("%s: wants %s; one that begins with a dash is written %s=%s", written, known.value, written, known.value)
			return rest
		}
		value, rest = rest[0], rest[1:]
	}
	if len(a.values[written]) > 0 && !known.repeat {
		a.problemf("%s: is given twice", written)
		return rest
	}
	a.values[written] = append(a.values[written], value)
	return rest
}

// isFlag tells a flag from a value: "-v" is one, "-1" and "-" are none.
func isFlag(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && (arg[1] < '0' || arg[1] > '9')
}

// check finds what is wrong with the flags together. What the client will refuse is left to it.
func (a *arguments) check() {
	switch len(a.words) {
	case 0:
		a.problemf("UID: the uid of the agent session is missing")
	case 1:
	default:
		a.problemf("only one UID is taken, and there is also %s; a text with spaces wants quotation marks", strings.Join(a.words[1:], " "))
	}
	switch text, file := a.has("--message"), a.has("--message-file"); {
	case text && file:
		a.problemf("--message and --message-file: give one of them")
	case !text && !file && !slices.ContainsFunc(a.problems, func(p string) bool { return strings.HasPrefix(p, "--message") }):
		a.problemf("--message TEXT or --message-file FILE is missing")
	}
	for _, name := range []string{"--message-file", "--message-id", "--response-kind", "--media-type", "--file"} {
		if slices.Contains(a.values[name], "") {
			a.problemf("%s: is empty", name)
		}
	}
	if types, files := len(a.values["--media-type"]), len(a.values["--file"]); types > 0 && types != files {
		a.problemf("--media-type: give one for each --file or none; there are %d and %d", types, files)
	}
}

func (a *arguments) has(flag string) bool { return len(a.values[flag]) > 0 }

// value is that of a flag which is given at most once; empty without it.
func (a *arguments) value(flag string) string {
	if !a.has(flag) {
		return ""
	}
	return a.values[flag][0]
}

// attempts is the number of --json-repair-attempts; nil without one.
func (a *arguments) attempts() *int {
	if !a.has("--json-repair-attempts") {
		return nil
	}
	number, err := strconv.Atoi(a.value("--json-repair-attempts"))
	if err != nil {
		a.problemf("--json-repair-attempts: want a whole number from 1, got %q", a.value("--json-repair-attempts"))
		return nil
	}
	return &number
}

// timeout is the number of --timeout in seconds.
func (a *arguments) timeout() (seconds float64, ok bool) {
	if !a.has("--timeout") {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(a.value("--timeout"), 64)
	if err != nil {
		a.problemf("--timeout: want a number of seconds, such as 30 or 2.5, got %q", a.value("--timeout"))
		return 0, false
	}
	return seconds, true
}
