package catalogue

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := parse("x.txt", "# a remark\n\nFLOW-06 MUST C K\n- two: a/s={1,2} b\n- crossed: c/{x,y}={1,2}*\n~ left: b\n- none: (nobody can)\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []Rule{{ID: "FLOW-06", Level: "MUST", Sides: []string{"C", "K"}, Variants: []Variant{
		{What: "two", Runs: []string{"a/s=1", "a/s=2", "b"}},
		{What: "crossed", Runs: []string{"c/x=1*", "c/x=2*", "c/y=1*", "c/y=2*"}},
		{What: "left", Runs: []string{"b"}, Left: true},
		{What: "none", Reason: "nobody can"},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseNamesEveryMistake(t *testing.T) {
	t.Parallel()
	_, err := parse("x.txt", strings.Join([]string{
		"- early: a", "FLOW-06 MUST", "FLOW-06 MUST C", "- no colon", "- empty: ", "- why: ()", "- open: (because", "- a: b", "- a: c",
		"- many: {1,2,3}{1,2,3}{1,2,3}{1,2,3}", "FLOW-06 MUST C",
	}, "\n"))
	if err == nil {
		t.Fatal("no error")
	}
	form := "want what is varied, a colon, and the runs that show it, or in brackets why none does"
	want := []string{
		"x.txt:1: a variant stands before the first rule",
		"x.txt:2: want the id of a rule, its level and its sides",
		"x.txt:4: " + form,
		"x.txt:5: " + form,
		"x.txt:6: want a reason between the brackets",
		"x.txt:7: want a reason between the brackets",
		"x.txt:9: this variant is there already",
		"x.txt:10: the braces stand for more than 64 patterns",
		"x.txt:11: FLOW-06 is there already",
		"x.txt: FLOW-06 has no variant",
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Error(diff)
	}
}

// FuzzParse holds that no text brings the reader down, and that what it takes has its form.
func FuzzParse(f *testing.F) {
	f.Add("FLOW-06 MUST C\n- a: b/{1,2}* c\n- d: (e)\n")
	f.Add("- a: {{{\n}}}")
	f.Fuzz(func(t *testing.T, content string) {
		rules, err := parse("x", content)
		if err != nil {
			return
		}
		for _, rule := range rules {
			for _, variant := range rule.Variants {
				if (len(variant.Runs) == 0) == (variant.Reason == "") || len(variant.Runs) > maxPatterns {
					t.Errorf("%s: %q has %d patterns and the reason %q", rule.ID, variant.What, len(variant.Runs), variant.Reason)
				}
			}
		}
	})
}
