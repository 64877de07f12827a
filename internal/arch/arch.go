// Package arch holds the rules about the source tree that a compiler does not:
// which package may import which, where the testing package may appear, how long
// a file and a function may be, and what never stays in a committed file. Its
// tests run the checks over this repository. Rules about behaviour do not belong
// here, nor does anything that a linter judges.
package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// Finding is one place in the tree that breaks a rule.
type Finding struct {
	Place string // path from the root, with a line where there is one
	Text  string // what is wrong and what to do
}

// String gives the finding as an editor's "place: text".
func (f Finding) String() string { return f.Place + ": " + f.Text }

// Check reads the module below root, whose path is module, and returns all
// findings in the order of their places. The error is of reading or parsing.
func Check(root, module string) ([]Finding, error) {
	t := &tree{module: module, fset: token.NewFileSet(), marks: compileMarks()}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return fmt.Errorf("place %s below %s: %w", name, root, err)
		}
		return t.visit(name, filepath.ToSlash(rel), entry)
	})
	if err != nil {
		return nil, fmt.Errorf("read the tree: %w", err)
	}
	sort.SliceStable(t.findings, func(i, j int) bool { return t.findings[i].Place < t.findings[j].Place })
	return t.findings, nil
}

// tree is one walk and what it has found so far.
type tree struct {
	module   string
	fset     *token.FileSet
	marks    marks
	findings []Finding
}

func (t *tree) addf(place, format string, args ...any) {
	t.findings = append(t.findings, Finding{Place: place, Text: fmt.Sprintf(format, args...)})
}

// visit looks at one entry of the walk; rel is its path from the root, with slashes.
func (t *tree) visit(name, rel string, entry fs.DirEntry) error {
	if entry.IsDir() {
		if foreign(rel) {
			return filepath.SkipDir
		}
		return nil
	}
	if !entry.Type().IsRegular() || builtByTools(rel) {
		return nil
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read the tree: %w", err)
	}
	t.checkText(rel, content)
	if path.Ext(rel) != ".go" || inTestdata(rel) {
		return nil
	}
	file, err := parser.ParseFile(t.fset, rel, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("parse: %w", err)
	}
	t.checkImports(rel, file)
	t.checkSize(rel, file)
	t.checkCalls(rel, file)
	return nil
}

// foreign says whether a directory holds what git or a tool keeps and no commit does.
func foreign(rel string) bool {
	switch base := path.Base(rel); {
	case rel == ".", base == ".ci", base == ".github":
		return false
	case strings.HasPrefix(base, "."), base == "__pycache__", base == "node_modules":
		return true
	default:
		return rel == "dist"
	}
}

// builtByTools says whether a file is one of those that .gitignore names.
func builtByTools(rel string) bool {
	base := path.Base(rel)
	return strings.HasPrefix(base, "coverage.") || strings.HasSuffix(base, ".test") ||
		strings.HasSuffix(base, ".out") || rel == "a2a-conform"
}

func inTestdata(rel string) bool {
	return strings.HasPrefix(rel, "testdata/") || strings.Contains(rel, "/testdata/")
}

func isTest(rel string) bool { return strings.HasSuffix(rel, "_test.go") }

// place gives "file:line" for a node of a parsed file.
func (t *tree) place(node ast.Node) string {
	position := t.fset.Position(node.Pos())
	return fmt.Sprintf("%s:%d", position.Filename, position.Line)
}
