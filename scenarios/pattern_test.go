package scenarios

import (
	"regexp"
	"strings"
	"testing"
)

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, run string
		want         bool
	}{
		{"plain-send", "plain-send", true},
		{"retry-not", "retry-not/status=400", true},
		{"retry-not/status=400", "retry-not/status=400", true},
		{"retry-not/status=400", "retry-not/status=401", false},
		{"retry", "retry-not", false},
		{"retry-*", "retry-not/status=400", true},
		{"*=400", "retry-not/status=400", true},
		{"*-not", "retry-not/status=400", true},
		{"retry-not/*", "retry-not/status=400", true},
		{"retry-not/*", "retry-not", false},
		{"retry-not/status=40?", "retry-not/status=403", true},
		{"retry-not/status=40?", "retry-not/status=40", false},
		{"*", "x", true},
		{"**a*b", "xxaxab", true},
		{"a*b*c", "abbd", false},
		{"pair=[1s,*]", "fits/pair=[1s,2s]", false},
		{"fits/pair=[1s,*]", "fits/pair=[1s,2s]", true},
		{"", "x", false},
	} {
		if got := Matches(test.pattern, test.run); got != test.want {
			t.Errorf("%q on %q: %t", test.pattern, test.run, got)
		}
	}
}

// FuzzMatches compares the matching with that of a regular expression which says the same.
func FuzzMatches(f *testing.F) {
	f.Add("a*b?c", "axxbxc")
	f.Add("**?", "é/")
	f.Fuzz(func(t *testing.T, pattern, run string) {
		name, _, _ := strings.Cut(run, "/")
		text := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
		glob, err := regexp.Compile("^(?s:" + text + ")$")
		if err != nil {
			return // not UTF-8
		}
		want := pattern == run || pattern == name || strings.ContainsAny(pattern, "*?") && (glob.MatchString(run) || glob.MatchString(name))
		if got := Matches(pattern, run); got != want {
			t.Errorf("%q on %q: %t, want %t", pattern, run, got, want)
		}
	})
}
