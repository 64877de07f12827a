package arch

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

// anything stands for every package of this module.
const anything = "*"

// room is one part of the house: a directory with all below it, and the
// directories whose packages it may import. "." is the package in the root.
type room struct {
	dir string
	may []string
}

// rooms lists the whole house. A package in no room is a finding: whoever adds
// one decides here what it may know. Dependencies point from judging and showing
// towards the recording, never back.
func rooms() []room {
	return []room{
		{"evidence", nil},
		{"client", nil},
		{"internal/yamltext", nil},
		{"scenarios", []string{"evidence", "internal/yamltext"}},
		{"internal/script", []string{"internal/wire", "scenarios", "evidence"}},
		{"internal/wire", []string{"scenarios", "evidence"}},
		{"mockplatform", []string{"internal/script", "internal/wire", "scenarios", "evidence"}},
		{"mockruntime", []string{"internal/script", "internal/wire", "scenarios", "evidence"}},
		{"suites", []string{"evidence"}},
		{"internal/subject", []string{"evidence", "client", "scenarios"}},
		{"internal/command", []string{"client", "internal/subject"}},
		// A wrong client that leaned on the right one would be wrong only where the right one lets it.
		{"internal/defects", []string{"evidence", "scenarios", "internal/subject"}},
		{"internal/stranger", nil}, // tests only, which may look across the house
		{"internal/runner", []string{"scenarios", "mockplatform", "mockruntime", "internal/script", "internal/wire", "internal/subject", "evidence"}},
		{"internal/adr", nil},
		{"internal/agreement", nil}, // tests only, which may look across the house
		{"internal/generate", []string{"scenarios", "evidence"}},
		{"internal/catalogue", nil},
		{"internal/selftest", []string{"evidence", "scenarios", "suites", "internal/defects", "internal/report", "internal/runner", "internal/subject"}},
		{"internal/mutation", []string{"evidence", "scenarios", "suites", "internal/defects", "internal/runner", "internal/subject"}},
		{"internal/baseline", []string{"suites", "scenarios", "internal/yamltext"}},
		{"internal/verdict", []string{"evidence", "suites", "scenarios", "internal/baseline"}},
		{"internal/report", []string{"internal/verdict", "evidence", "suites"}},
		{"internal/cli", []string{anything}},
		{"internal/arch", nil},
		{"cmd", []string{"internal/cli"}},
		// A client's own test says what the reports say: what it must claim, what was judged, what was left out and why.
		{".", []string{"evidence", "scenarios", "internal/runner", "internal/subject", "internal/verdict", "suites"}},
	}
}

// testingFiles are the only files outside of tests that may import testing
// (bubble.go alone also its synctest): virtual time needs a T, and package
// conform takes its caller's.
func testingFiles() map[string][]string {
	return map[string][]string{
		"internal/runner/bubble.go": {"testing", "testing/synctest"},
		"conform.go":                {"testing"},
		"check.go":                  {"testing"},
	}
}

// checkImports judges the imports of a file that is not a test. Tests may look
// across the house, for they are where its parts are compared with each other.
func (t *tree) checkImports(rel string, file *ast.File) {
	if isTest(rel) {
		return
	}
	home, known := roomOf(path.Dir(rel))
	if !known {
		t.addf(rel, "package %s is in no room: name it, and what it may import, in internal/arch/imports.go", path.Dir(rel))
		return
	}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused such a file already
		}
		if name == "testing" || strings.HasPrefix(name, "testing/synctest") {
			if !slices.Contains(testingFiles()[rel], name) {
				t.addf(t.place(spec), "imports %s: outside of tests only internal/runner/bubble.go knows it", name)
			}
			continue
		}
		if target, ours := t.ours(name); ours && !home.allows(target) {
			t.addf(t.place(spec), "%s imports %s: dependencies point the other way", home.dir, target)
		}
	}
}

// ours gives the directory of an import path of this module.
func (t *tree) ours(name string) (dir string, ok bool) {
	if name == t.module {
		return ".", true
	}
	return strings.CutPrefix(name, t.module+"/")
}

// roomOf finds the room that a directory lies in.
func roomOf(dir string) (room, bool) {
	for _, r := range rooms() {
		if r.holds(dir) {
			return r, true
		}
	}
	return room{}, false
}

func (r room) holds(dir string) bool {
	return dir == r.dir || strings.HasPrefix(dir, r.dir+"/")
}

// allows says whether a package of this room may import the one in dir.
func (r room) allows(dir string) bool {
	if r.holds(dir) || slices.Contains(r.may, anything) {
		return true
	}
	target, known := roomOf(dir)
	return known && slices.Contains(r.may, target.dir)
}
