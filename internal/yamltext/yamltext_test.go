package yamltext_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/yamltext"
)

// small is a format with narrow bounds.
func small() yamltext.Format {
	return yamltext.Format{
		Bytes: 2 << 10, Tokens: 100, Depth: 4,
		Holds: "want a name", Shorter: "leave some out", Shared: "repeat it", Single: "one each",
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []yamltext.Problem
	}{
		"a map":               {"a: 1\nb: [x, {y: 2}]\n", nil},
		"one member":          {"a: 1\n", nil},
		"a list":              {"- 1\n- 2\n", nil},
		"a comment before it": {"# said\n---\na: 1\n", nil},
		"as deep as may be":   {"a: [[[[1]]]]\n", nil},
		"a level deeper":      {"a: [[[[[1]]]]]\n", []yamltext.Problem{{yamltext.Place{1, 8}, "values are nested deeper than 4"}}},
		"lists in one line":   {"- - - - - 1\n", []yamltext.Problem{{yamltext.Place{1, 9}, "values are nested deeper than 4"}}},
		"nothing":             {"", []yamltext.Problem{{yamltext.Place{1, 1}, "the file is empty: want a name"}}},
		"comments alone":      {"# a\n", []yamltext.Problem{{yamltext.Place{1, 1}, "the file is empty: want a name"}}},
		"as large as may be":  {"a: 1 #" + strings.Repeat("x", 2042), nil},
		"a byte larger":       {"a: 1 #" + strings.Repeat("x", 2043), []yamltext.Problem{{yamltext.Place{}, "the file is larger than 2 KiB; leave some out"}}},
		"too many tokens":     {"a: [" + strings.Repeat("1,", 60) + "1]", []yamltext.Problem{{yamltext.Place{}, "the file has more than 100 words and signs; leave some out"}}},
		"not UTF-8":           {"a: \xff", []yamltext.Problem{{yamltext.Place{}, "the file is not UTF-8"}}},
		"a NUL":               {"a: \x00", []yamltext.Problem{{yamltext.Place{}, `the file has a NUL byte; write \0 between double quotes`}}},
		"tabs": {"a:\n\tb: 1\n  \tc: 1\n", []yamltext.Problem{
			{yamltext.Place{2, 1}, "a tab: indent with spaces"}, {yamltext.Place{3, 3}, "a tab: indent with spaces"},
		}},
		"an anchor and its alias": {"a: &x 1\nb: *x\n", []yamltext.Problem{
			{yamltext.Place{1, 4}, "anchors, aliases and merge keys are not part of the format: repeat it"},
			{yamltext.Place{2, 4}, "anchors, aliases and merge keys are not part of the format: repeat it"},
		}},
		"a tag":             {"a: !!str 1\n", []yamltext.Problem{{yamltext.Place{1, 4}, "tags are not part of the format; put text between quotes"}}},
		"a document's end":  {"a: 1\n...\n", []yamltext.Problem{{yamltext.Place{2, 1}, "directives and document ends are not part of the format"}}},
		"a second document": {"a: 1\n---\nb: 1\n", []yamltext.Problem{{yamltext.Place{2, 1}, "a second document: one each"}}},
		"a bracket open":    {"a: [\n", []yamltext.Problem{{yamltext.Place{1, 4}, "this is not YAML: sequence end token ']' not found"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, problems := small().Parse([]byte(test.text))
			if diff := cmp.Diff(test.want, problems); diff != "" {
				t.Error(diff)
			}
			if (root == nil) != (len(problems) > 0) {
				t.Errorf("got the root %v beside %d problems", root, len(problems))
			}
		})
	}
}

func TestALimitIsSaidInItsUnit(t *testing.T) {
	t.Parallel()
	large := small()
	large.Bytes = 1 << 20
	_, problems := large.Parse(make([]byte, large.Bytes+1))
	if len(problems) != 1 || problems[0].Text != "the file is larger than 1 MiB; leave some out" {
		t.Errorf("got %v", problems)
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"a: 1\n": 1, "a: 1\nb: 2\n": 2, "{}": 0, "- 1\n": -1, "text": -1} {
		root, problems := small().Parse([]byte(text))
		if problems != nil {
			t.Fatalf("%q: %v", text, problems)
		}
		members, ok := yamltext.Members(root)
		if ok != (want >= 0) || ok && len(members) != want {
			t.Errorf("%q: got %d members, a map %t, want %d", text, len(members), ok, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"a: 1\n", "- {a: [1, 2]}\n", "a: |\n  b\n", "\"", "? a\n: b", "%YAML 1.2\n---\na: >-\n", "a: &b *c\n<<: 1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		format := small()
		root, problems := format.Parse(data)
		if (root == nil) != (len(problems) > 0) {
			t.Errorf("got the root %v beside %d problems", root, len(problems))
		}
		for _, p := range problems {
			if p.Text == "" || p.At.Line < 0 || p.At.Col < 0 {
				t.Errorf("a problem without a text or a place: %+v", p)
			}
		}
	})
}
