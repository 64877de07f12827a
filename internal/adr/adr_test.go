package adr_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/adr"
	"github.com/a2a-conform/a2a-conform/suites"
)

func read(t *testing.T, text string) []adr.Sentence {
	t.Helper()
	all, err := adr.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func texts(all []adr.Sentence) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = s.Section + "|" + s.Text
	}
	return list
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"sentences of a paragraph", "Rain\n\nIt rains. It pours!\nDoes it? Yes", []string{"Rain|It rains.", "Rain|It pours!", "Rain|Does it?", "Rain|Yes"}},
		{"a full stop within a word parts nothing", "Take retry.after 1.5 times. e.g. now.", []string{"|Take retry.after 1.5 times. e.g. now."}},
		{"items of a list", "Steps\n\n  1. Go out.\n  2. Come\n     in. Rest.\n  • Sleep.", []string{"Steps|Go out.", "Steps|Come in.", "Steps|Rest.", "Steps|Sleep."}},
		{"an example stays whole", "Shape\n\n{\n  \"a\": \"One. Two.\"\n}", []string{`Shape|{ "a": "One. Two." }`}},
		{"a route is no heading", "Ways\n\nPOST /a/{b}/", []string{"Ways|POST /a/{b}/"}},
		{"an introduction is no heading", "Ways\n\nPlain text:", []string{"Ways|Plain text:"}},
		{"other line ends, spaces and quotation marks", "\uFEFFIt\u00A0 says\r\n\u201Cno\u201D, doesn\u2019t it.", []string{`|It says "no", doesn't it.`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, texts(read(t, test.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadRefusesWhatIsNoText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"nothing":      {"\n \n", "no sentence"},
		"bytes":        {"It rains.\xff", "not UTF-8"},
		"far too long": {strings.Repeat("a", adr.MaxSize+1), "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := adr.Read(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error that says %q", err, test.want)
			}
		})
	}
}

// FuzzRead looks for texts that break the reader, and for copies of one text that it takes for two.
func FuzzRead(f *testing.F) {
	f.Add("Rain\n\nIt rains. It pours.\n\n1. Go.\n2. Come.\n\n{ \"a\": 1 }")
	f.Add("A. B! C? \"D.\" E")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := adr.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, s := range all {
			if s.Text == "" || !utf8.ValidString(s.Text) || s.Hash != adr.Hash(s.Text) || s.Line < 1 {
				t.Errorf("a sentence %+v", s)
			}
		}
		again, err := adr.Read(strings.NewReader(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")))
		if err != nil || !slices.Equal(texts(all), texts(again)) {
			t.Errorf("with other line ends it reads %q, want %q (%v)", texts(again), texts(all), err)
		}
	})
}

func judged(t *testing.T) adr.Trace {
	t.Helper()
	trace, err := adr.Judged()
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func TestEveryRuleRestsOnSomething(t *testing.T) {
	t.Parallel()
	trace := judged(t)
	named := map[string]bool{}
	for _, s := range trace.Statements {
		if len(s.Hash) != 64 || s.Section == "" || (len(s.Rules) == 0) == (s.Reason == "") {
			t.Errorf("the statement %+v needs a hash, a section, and either rules or a reason", s)
		}
		for _, id := range s.Rules {
			named[id] = true
		}
	}
	for id := range trace.Unrested {
		if named[id] {
			t.Errorf("%s rests on a sentence and on none", id)
		}
		named[id] = true
	}
	for _, id := range suites.RuleIDs() {
		if !named[id] {
			t.Errorf("%s rests on nothing: name its sentences, or why there are none, in trace.txt", id)
		}
		delete(named, id)
	}
	for id := range named {
		t.Errorf("trace.txt names %s, which is no rule", id)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	old := read(t, "Rain\n\nIt rains. It pours. It ends.\n\nSun\n\nIt shines.")
	var trace adr.Trace
	for i, s := range old {
		trace.Statements = append(trace.Statements, adr.Statement{Section: s.Section, Hash: s.Hash, Rules: []string{"R-1", []string{"R-2", "R-3", "R-4", "R-5"}[i]}})
	}
	for _, test := range []struct {
		name, text string
		want       []string // section, rules, how many are gone, what is new
	}{
		{"the same", "Rain\n\nIt rains. It\npours. It ends.\n\nSun\n\nIt shines.", nil},
		{"one reworded", "Rain\n\nIt rains. It drips. It ends.\n\nSun\n\nIt shines.", []string{"Rain: R-1 R-3: 1 gone: It drips."}},
		{"one more", "Rain\n\nIt rains. It pours. It drips. It ends.\n\nSun\n\nIt shines.", []string{"Rain: : 0 gone: It drips."}},
		{"one less and one reworded", "Rain\n\nIt rains. It ends.\n\nSun\n\nIt burns.", []string{"Rain: R-1 R-3: 1 gone: ", "Sun: R-1 R-5: 1 gone: It burns."}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range trace.Compare(read(t, test.text)) {
				var added []string
				for _, s := range c.New {
					added = append(added, s.Text)
				}
				got = append(got, c.Section()+": "+strings.Join(c.Rules(), " ")+": "+string(rune('0'+len(c.Gone)))+" gone: "+strings.Join(added, " "))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRulesRestWhereTheySay compares the section that a rule names with those that its sentences stand in.
func TestRulesRestWhereTheySay(t *testing.T) {
	t.Parallel()
	trace := judged(t)
	for _, rule := range suites.Rules() {
		var stand []string
		for _, s := range trace.Statements {
			if slices.Contains(s.Rules, rule.ID) {
				stand = append(stand, s.Section)
			}
		}
		if len(stand) > 0 && !slices.ContainsFunc(stand, func(s string) bool { return strings.Contains(headings(rule.Section), s) }) {
			t.Errorf("%s names the section %q, and its sentences stand in %q", rule.ID, rule.Section, stand)
		}
	}
}

// headings writes the sections that a rule names as the text's headings are.
func headings(section string) string {
	return strings.NewReplacer("amendments", "ADR 0029: A2A Message Send Only").Replace(section)
}
