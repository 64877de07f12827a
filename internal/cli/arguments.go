package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/a2a-conform/a2a-conform/scenarios"
)

// arguments is a command line that was read to its end.
type arguments struct {
	// words are what belongs to no flag; behind is what stands behind "--".
	words, behind []string
	help          bool
	// problems name each flag that is wrong and why.
	problems []string
}

// all are the words on both sides of "--", for commands to which it means nothing.
func (a arguments) all() []string { return slices.Concat(a.words, a.behind) }

// reader reads a command line by the flags of a command.
type reader struct {
	flags *pflag.FlagSet
	args  []string
	found arguments
}

// parse reads a command line. Unlike the flag packages it goes on after a mistake, so that a user sees all of them.
func parse(flags *pflag.FlagSet, args []string) arguments {
	r := &reader{flags: flags, args: args}
	for len(r.args) > 0 {
		arg := r.args[0]
		r.args = r.args[1:]
		switch {
		case arg == "--":
			r.found.behind, r.args = r.args, nil
		case strings.HasPrefix(arg, "--"):
			r.long(arg)
		case strings.HasPrefix(arg, "-") && arg != "-":
			r.short(arg)
		default:
			r.found.words = append(r.found.words, arg)
		}
	}
	return r.found
}

func (r *reader) problemf(format string, args ...any) {
	r.found.problems = append(r.found.problems, fmt.Sprintf(format, args...))
}

// long reads --name, --name=value or --name value.
func (r *reader) long(arg string) {
	written, value, given := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
	flag := r.flags.Lookup(written)
	if flag == nil {
		meant := r.meant(written)
		r.problemf("--%s: there is no such flag%s", written, scenarios.DidYouMean("--"+written, r.names()))
		if meant != nil && !given && takesValue(meant) {
			r.value() // it would otherwise be taken for something else, and be a mistake of its own
		}
		return
	}
	r.set("--"+flag.Name, flag, value, given)
}

// short reads one-letter flags: -v, or several in one word.
func (r *reader) short(arg string) {
	for i, letter := range arg[1:] {
		var flag *pflag.Flag
		if letter <= 'z' { // the look-up takes ASCII only
			flag = r.flags.ShorthandLookup(string(letter))
		}
		if flag == nil {
			r.problemf("%s: there is no such flag", arg)
			return
		}
		if takesValue(flag) {
			rest := arg[1+i+1:]
			r.set("-"+string(letter), flag, strings.TrimPrefix(rest, "="), rest != "")
			return
		}
		r.set("-"+string(letter), flag, "", false)
	}
}

// set gives a flag its value.
func (r *reader) set(written string, flag *pflag.Flag, value string, given bool) {
	switch {
	case flag.Name == "help":
		r.found.help = true
		return
	case !takesValue(flag) && !given:
		value = flag.NoOptDefVal
	case takesValue(flag) && !given:
		if value, given = r.value(); !given {
			r.problemf("%s: wants %s", written, valueName(flag))
			return
		}
	}
	if flag.Changed && takesValue(flag) && flag.Value.Type() != "stringArray" {
		r.problemf("%s: is given twice", written)
		return
	}
	if r.flags.Set(flag.Name, value) != nil {
		r.problemf("%s: stands alone, without %q", written, value)
	}
}

// value takes the next argument as a value, unless it is a flag itself.
func (r *reader) value() (string, bool) {
	if len(r.args) == 0 || strings.HasPrefix(r.args[0], "--") || isFlag(r.args[0]) {
		return "", false
	}
	value := r.args[0]
	r.args = r.args[1:]
	return value, true
}

// isFlag tells a flag from a value: "-v" is one, "-1" and "-" are none.
func isFlag(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && (arg[1] < '0' || arg[1] > '9')
}

// takesValue tells whether a flag is followed by a value.
func takesValue(flag *pflag.Flag) bool { return flag.NoOptDefVal == "" }

// valueName is what the help calls the flag's value.
func valueName(flag *pflag.Flag) string {
	word, _ := pflag.UnquoteUsage(flag)
	return word
}

// names lists the flags as they are written.
func (r *reader) names() []string {
	var names []string
	r.flags.VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// meant is the flag that a misspelt one was probably meant to be.
func (r *reader) meant(written string) *pflag.Flag {
	var found *pflag.Flag
	guess := scenarios.DidYouMean("--"+written, r.names())
	r.flags.VisitAll(func(f *pflag.Flag) {
		if guess == fmt.Sprintf(", did you mean %q?", "--"+f.Name) {
			found = f
		}
	})
	return found
}
