package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The fixture says of each function what its tests are worth.
func TestFixture(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBench(t.Context(), root, t.TempDir(), target{Dir: "internal/mutation/testdata/fixture"})
	if err != nil {
		t.Fatal(err)
	}
	fates, err := b.try(t.Context(), func(said string) { t.Log(said) })
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]end{}
	for _, m := range b.mutants {
		got[m.Key()] = fates[m.Number].end
	}
	want := map[string]end{
		"Late true: at > start+Grace":    killed,
		"Late false: at > start+Grace":   killed,
		"Late >=: at > start+Grace":      killed,
		"Late instead of +: start+Grace": killed,
		"Late +1ms: Grace":               killed,
		"Late -1ms: Grace":               killed,
		"Many true: len(list) > 3":       killed,
		"Many false: len(list) > 3":      killed,
		"Many >=: len(list) > 3":         lives,
		"Many +1: 3":                     lives,
		"First true: len(list) == 0":     killed,
		"First false: len(list) == 0":    panicked,
		"Count true: i == n":             killed,
		"Count false: i == n":            endless,
		"Count leave out: i++":           endless,
		"Forgotten true: a && b":         unreached,
		"Forgotten false: a && b":        unreached,
		"Forgotten true: a":              unreached,
		"Forgotten true: b":              unreached,
		"Greater min: max(a, b)":         lives,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mutants differ (-want +got):\n%s", diff)
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	reasons, err := parseReasons("# a comment\nF true: a < b\nF false: a < b\n\tit is so\n\tfor good\n\nG *\n\tonly text\nH leave out: *\n\tidle\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []reason{
		{[]string{"F true: a < b", "F false: a < b"}, "it is so for good"}, {[]string{"G *"}, "only text"}, {[]string{"H leave out: *"}, "idle"},
	}
	if diff := cmp.Diff(want, reasons); diff != "" {
		t.Fatalf("reasons differ (-want +got):\n%s", diff)
	}
	mutant := func(n int, f, op, source string) Mutant { return Mutant{Number: n, Func: f, Op: op, Source: source} }
	living := []Mutant{mutant(1, "F", "true", "a < b"), mutant(2, "G", "0", "x"), mutant(3, "F", "<=", "a < b")}
	why, without, idle := explain(living, reasons)
	if diff := cmp.Diff(map[int]string{1: "it is so for good", 2: "only text"}, why); diff != "" {
		t.Errorf("reasons of mutants differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(living[2:], without); diff != "" {
		t.Errorf("those without a reason differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"F false: a < b", "H leave out: *"}, idle); diff != "" {
		t.Errorf("idle reasons differ (-want +got):\n%s", diff)
	}
}

func TestOnly(t *testing.T) {
	t.Parallel()
	all := []Mutant{
		{Number: 1, File: "a.go", Func: "F", Op: "true", Source: "x"},
		{Number: 2, File: "b.go", Func: "G", Op: "true", Source: "y"},
		{Number: 3, File: "c.go", Func: "H", Op: "true", Source: "z"},
		{Number: 4, File: "c.go", Func: "H", Op: "false", Source: "z"},
		{Number: 5, File: "c.go", Func: "H", Op: "<", Source: "z"},
	}
	some, err := within(all, []string{"c.go", "a.go"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Mutant{all[2], all[3], all[4], all[0]}, some); diff != "" {
		t.Errorf("mutants of two files differ (-want +got):\n%s", diff)
	}
	if _, err := within(all, []string{"a.go", "suites/b.go", ""}); err == nil || strings.Count(err.Error(), "no mistake is made in a file") != 2 {
		t.Errorf("two files that are none gave %v", err)
	}
	reasons := []reason{
		{[]string{"G true: y", "H true: z"}, "hole: nobody knows"}, {[]string{"H false: z"}, "it is so"}, {[]string{"F false: x"}, "it was so"},
	}
	err = leftIn(some, map[int]fate{1: {end: lives}, 3: {end: unreached}, 4: {end: lives}, 5: {end: killed}}, reasons)
	want := "a.go:0:0:true lives without a reason: F true: x\nc.go:0:0:true lives as a hole: H true: z\na reason is idle, no mutant that lives is: F false: x"
	if err == nil || err.Error() != want {
		t.Errorf("what is left is:\n%v\nwant:\n%s", err, want)
	}
}

func TestBadReasons(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\tno mutant":        "line 1: a reason stands before any mutant",
		"F\n\tno operator":   "line 1: \"F\" is no mutant: write function, operator, colon and source\nline 2: a reason stands before any mutant",
		"F *\n\tgood\n\nG *": `"G *" has no reason: write it below, indented`,
	} {
		if _, err := parseReasons(text); err == nil || err.Error() != want {
			t.Errorf("%q gave %v, want %s", text, err, want)
		}
	}
}

func FuzzReasons(f *testing.F) {
	f.Add("F true: a\n\tb")
	f.Add("# c\n\n x")
	f.Fuzz(func(t *testing.T, text string) {
		reasons, err := parseReasons(text)
		if err != nil {
			return
		}
		for _, r := range reasons {
			if len(r.Keys) == 0 || r.Text == "" {
				t.Errorf("a reason without a mutant, or without words: %+v", r)
			}
		}
	})
}

func TestShare(t *testing.T) {
	t.Parallel()
	var s sums
	if got := s.share(); got != "–" {
		t.Errorf("of nothing %q are killed", got)
	}
	for _, f := range []fate{{end: killed, proven: true}, {end: panicked}, {end: lives}, {end: unreached}, {end: endless, proven: true}, {end: killed}} {
		s.add(f)
	}
	if diff := cmp.Diff("| x | 6 | 2 | 2 | 1 | 1 | 66.6 % |\n", s.row("x")); diff != "" {
		t.Errorf("row differs (-want +got):\n%s", diff)
	}
	if s.fell != 2 {
		t.Errorf("%d fell over", s.fell)
	}
}
