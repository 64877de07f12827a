package scenarios

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder makes files for a test.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func scenario(name string) string { return "scenario: " + name + "\nabout: Something happens.\n" }

func TestLoadWalksDirectories(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"b/two.yml": scenario("two"), "a/one.yaml": scenario("one"), "notes.txt": "no scenario", "three.yaml": scenario("three"),
	})
	files, err := Load([]string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, file := range files {
		got = append(got, file.Name+" "+file.Chapter)
	}
	if diff := cmp.Diff([]string{"one ", "two ", "three "}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadReportsEveryFile(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"good.yaml": scenario("good"), "bad.yaml": "scenario: bad\n", "worse.yaml": "", "other/good.yaml": scenario("good"), "empty/notes.txt": "",
	})
	files, err := Load([]string{dir, filepath.Join(dir, "empty"), filepath.Join(dir, "nothing.yaml"), filepath.Join(dir, "empty", "notes.txt", "x"), os.DevNull}, Options{})
	if _, ok := errors.AsType[*Problems](err); !ok {
		t.Fatalf("want *Problems, got %v", err)
	}
	want := []string{
		`bad.yaml:1:1: "about" is missing`,
		"other/good.yaml:1:11: good.yaml has a scenario of this name already",
		"worse.yaml:1:1: the file is empty: a scenario has at least scenario and about",
		"empty: holds no file with the ending .yaml",
		"nothing.yaml: cannot be read: no such file or directory",
		"empty/notes.txt/x: cannot be read: not a directory",
		"/dev/null: is no plain file",
	}
	if diff := cmp.Diff(want, strings.Split(strings.ReplaceAll(err.Error(), dir+"/", ""), "\n")); diff != "" {
		t.Error(diff)
	}
	if len(files) != 1 || files[0].Name != "good" {
		t.Errorf("want the good file beside the problems, got %v", files)
	}
}

func TestLoadTellsWhatItMayNotRead(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"locked/x.yaml": scenario("x"), "y.yaml": scenario("y")})
	for _, name := range []string{"locked", "y.yaml"} {
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "locked"), 0o700) })
	if _, err := os.ReadFile(filepath.Join(dir, "y.yaml")); err == nil {
		t.Skip("this user may read everything, so there is nothing that could be refused")
	}
	_, err := Load([]string{dir}, Options{})
	want := "locked: cannot be read: permission denied\ny.yaml: cannot be read: permission denied"
	if err == nil || strings.ReplaceAll(err.Error(), dir+"/", "") != want {
		t.Errorf("want %q, got %v", want, err)
	}
}

func TestBuiltinScenariosPassEveryCheck(t *testing.T) {
	t.Parallel()
	checked, err := Load([]string{"data"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(checked) {
		t.Errorf("%d scenarios are embedded and %d lie under data: each belongs into a chapter, as data/CHAPTER/NAME.yaml", len(files), len(checked))
	}
	for _, file := range files {
		if file.Chapter == "" || len(file.Covers) == 0 {
			t.Errorf("%s: want a chapter and the rules that it covers", file.Path)
		}
	}
}
