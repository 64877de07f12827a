//go:build unix

package subject

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func newTestHomes(t *testing.T, holds func([]byte) bool) *homes {
	t.Helper()
	hs, err := newHomes(inMemory, holds)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := hs.remove(); err != nil {
			t.Error(err)
		}
	})
	return hs
}

func TestSpoil(t *testing.T) {
	t.Parallel()
	const text = "0123 token 6789"
	tests := []struct {
		how, want string
	}{{"cut", text[:len(text)/2]}, {"empty", ""}, {"garbage", garbage}}
	for _, tt := range tests {
		t.Run(tt.how, func(t *testing.T) {
			t.Parallel()
			hs := newTestHomes(t, func(text []byte) bool { return bytes.Contains(text, []byte("token")) })
			for path, file := range map[string]HomeFile{"a": {Path: ".x/secret", Text: text, Mode: 0o400}, "b": {Path: "plain", Text: "words", Mode: 0o644}} {
				if err := hs.Put("c", file); err != nil {
					t.Fatal(path, err)
				}
			}
			if err := hs.Spoil("c", tt.how); err != nil {
				t.Fatal(err)
			}
			h, err := hs.of("c")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, file := range h.left() {
				got = append(got, file.Path, file.Mode, string(file.Content))
			}
			if diff := cmp.Diff([]string{".x/secret", "0400", tt.want, "plain", "0644", "words"}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSpoilWithADirectory(t *testing.T) {
	t.Parallel()
	hs := newTestHomes(t, nil)
	if err := hs.Put("c", HomeFile{Path: "x", Text: "y", Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	if err := hs.Spoil("c", "directory"); err != nil {
		t.Fatal(err)
	}
	h, _ := hs.of("c")
	if info, err := os.Stat(filepath.Join(h.dir(), "x")); err != nil || !info.IsDir() {
		t.Errorf("want a directory, got %v, %v", info, err)
	}
	if err := hs.Put("c", HomeFile{Path: "x", Text: "z", Mode: 0o640}); err != nil {
		t.Fatal(err)
	}
	if files := h.left(); len(files) != 1 || files[0].Mode != "0640" || string(files[0].Content) != "z" {
		t.Errorf("want the new file in its place, got %+v", files)
	}
}

func TestWhatHomesRefuse(t *testing.T) {
	t.Parallel()
	hs := newTestHomes(t, nil)
	if err := hs.Put("c", HomeFile{Path: "x", Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"no path below it": hs.Put("c", HomeFile{Path: "../x"}),
		"not a directory":  hs.Put("c", HomeFile{Path: "x/y"}),
		"no way":           hs.Spoil("c", "burn"),
	} {
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "a2a-conform-homes-") && name == "no way" {
			t.Errorf("want an error with %q, got %v", name, err)
		}
	}
}

func TestManyFilesAreBounded(t *testing.T) {
	t.Parallel()
	hs := newTestHomes(t, nil)
	h, err := hs.of("c")
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxLeft + 5 {
		name := filepath.Join(h.work(), strings.Repeat("f", i%200+1)+strings.Repeat("g", i/200))
		if err := os.WriteFile(name, bytes.Repeat([]byte("x"), maxLeftFile+1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, size := h.left(), 0
	for _, file := range files {
		size += len(file.Content)
	}
	if len(files) != maxLeft || size != maxLeftBytes || files[0].Size != maxLeftFile+1 || len(files[0].Content) != maxLeftFile {
		t.Errorf("got %d files with %d bytes", len(files), size)
	}
}

func TestLockedHomesAreRemoved(t *testing.T) {
	t.Parallel()
	hs := newTestHomes(t, nil)
	h, err := hs.of("c")
	if err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(h.dir(), "locked")
	if err := os.MkdirAll(filepath.Join(locked, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	if err := hs.remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(hs.base); !os.IsNotExist(err) {
		t.Errorf("want nothing left, got %v", err)
	}
}

func TestOutputKeepsBothEnds(t *testing.T) {
	t.Parallel()
	var small, big, huge output
	for i := range 10 {
		_, _ = small.Write([]byte{byte('0' + i)})
	}
	line := []byte(strings.Repeat("a", 1000))
	for range 2000 {
		_, _ = big.Write(line)
	}
	_, _ = big.Write([]byte("the end"))
	_, _ = huge.Write(bytes.Repeat([]byte("b"), 3*maxOutput))
	small.close()
	_, _ = small.Write([]byte("late"))
	if small.text() != "0123456789" {
		t.Errorf("got %q", small.text())
	}
	want := "\n… 951431 bytes left out …\n"
	if text := big.text(); !strings.HasSuffix(text, "aaathe end") || !strings.Contains(text, want) || len(text) != maxOutput+len(want) {
		t.Errorf("got %d bytes that end in %q", len(text), text[len(text)-20:])
	}
	if text := huge.text(); !strings.Contains(text, "2097152 bytes left out") {
		t.Errorf("got %d bytes", len(text))
	}
}

func TestHomesLieInTheUsualPlaceWhereTheOtherIsMissing(t *testing.T) {
	t.Parallel()
	hs, err := newHomes(filepath.Join(t.TempDir(), "missing"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(hs.base); err != nil || !info.IsDir() {
		t.Errorf("%s: %v", hs.base, err)
	}
	if err := hs.remove(); err != nil {
		t.Error(err)
	}
}
