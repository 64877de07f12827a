package scenarios

import (
	"os"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// FuzzLoad: whatever the bytes are, loading ends without a panic, says either what is wrong or nothing, and what it
// takes expands into cases that carry nothing that the format does not allow.
func FuzzLoad(f *testing.F) {
	for _, name := range []string{"testdata/everything.yaml", "testdata/ten-mistakes.yaml", "data/flow/waking-then-ready.yaml"} {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	for _, text := range []string{"", "a: &b [*b]", "- - -", "{", "? a", "scenario: x\nabout: |\n  text\n", "a: !!binary x", "%YAML 1.2", "\"", "'", "a:\n\tb"} {
		f.Add([]byte(text))
	}
	s, err := newSchema()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		l := &loader{schema: s, names: map[string]string{}}
		l.add("everything.yaml", content)
		if (len(l.files) == 1) == (len(l.problems) > 0) {
			t.Fatalf("%d files and %d problems", len(l.files), len(l.problems))
		}
		for _, problem := range l.problems {
			if problem.Text == "" || problem.Line < 0 || problem.Line > 0 && problem.Col < 1 {
				t.Errorf("a problem without text or place: %+v", problem)
			}
		}
		for _, file := range l.files {
			c := newCollector("")
			s.check(file.root, c)
			if c.found() {
				t.Errorf("it was taken against its schema: %v", c.list)
			}
			for _, clock := range []evidence.Clock{evidence.ClockVirtual, evidence.ClockReal} {
				if cases := file.Cases(clock); len(cases) == 0 || len(cases) > maxCases {
					t.Errorf("%d cases", len(cases))
				}
			}
		}
	})
}
