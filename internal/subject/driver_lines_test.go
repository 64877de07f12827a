package subject

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// FuzzDriverLine gives the readers of lines what a driver might write. Whatever it is, the answer is one that the judges
// know, and what is wrong is said in one short line.
func FuzzDriverLine(f *testing.F) {
	for _, line := range []string{
		`{"type":"hello","protocol":1,"client":{"name":"a"},"capabilities":["send"],"parallel":4,"constants":{"grace_ms":300}}`,
		`{"type":"result","id":"c1","elapsed":1e400,"outcome":{"kind":"message","message":{}}}`,
		`{"type":"result","id":"c1","elapsed":-1,"outcome":{"kind":"error","error":{"category":"other","is":["x"]}}}`,
		`{"type":"result","id":"c1","outcome":{"kind":"crash"}}`, `{"type":"unsupported","id":"c1"}`, "[]", "null", "\xff", "Loading…",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if in, err := readIntroduction(line); err == nil {
			if s := in.about(evidence.KindDriver); s.Name == "" || s.Parallel < 1 || s.Capabilities == nil {
				t.Errorf("%q: a subject %+v", line, s)
			}
		}
		r, err := readReply(line)
		if err != nil {
			return
		}
		a, err := r.answer()
		known := []evidence.OutcomeKind{evidence.OutcomeMessage, evidence.OutcomeTask, evidence.OutcomeError, evidence.OutcomeUnsupported}
		if !slices.Contains(known, a.Kind) || a.Elapsed != nil && *a.Elapsed < 0 {
			t.Errorf("%q: an answer %+v", line, a)
		}
		if a.Error != nil {
			for _, c := range append(a.Error.Is, a.Error.Category) {
				if c != "" && !slices.Contains(evidence.Categories(), c) {
					t.Errorf("%q: the category %q is handed on (%v)", line, c, err)
				}
			}
		}
		if b := beginning(line); len(b) > 170 || strings.ContainsAny(b, "\n\r") {
			t.Errorf("%q is shown as %q", line, b)
		}
	})
}

// FuzzDriverOutput cuts what a driver writes into pieces: the lines are the same wherever it is cut.
func FuzzDriverOutput(f *testing.F) {
	f.Add([]byte("{}\n\r\n a\r\nb"), 3)
	f.Add([]byte("\n\n\n"), 1)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		split := func(pieces [][]byte) (found []string) {
			l := lines{each: func(line []byte) { found = append(found, string(line)) }, tooMuch: func(why string) { t.Error(why) }}
			for _, piece := range pieces {
				if n, err := l.Write(piece); n != len(piece) || err != nil {
					t.Errorf("%d of %d bytes were taken: %v", n, len(piece), err)
				}
			}
			return found
		}
		whole := split([][]byte{text})
		if diff := cmp.Diff(whole, split(slices.Collect(slices.Chunk(text, 1+max(size, -size)&15)))); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		for _, line := range whole {
			if strings.Contains(line, "\n") || len(bytes.TrimSpace([]byte(line))) == 0 {
				t.Errorf("a line %q", line)
			}
		}
	})
}
