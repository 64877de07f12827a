package arch

import (
	"bytes"
	"go/ast"
	"regexp"
	"slices"
	"strconv"
)

// The longest file and function of Go that a reader is asked to hold in mind.
const (
	maxFileLines     = 500
	maxFunctionLines = 80
)

// checkSize judges the length of a file and of its functions, tests included.
// Generated files are nobody's reading.
func (t *tree) checkSize(rel string, file *ast.File) {
	if ast.IsGenerated(file) {
		return
	}
	if lines := t.fset.File(file.Pos()).LineCount(); lines > maxFileLines {
		t.addf(rel, "%d lines, at most %d: split it by topic", lines, maxFileLines)
	}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		lines := t.fset.Position(function.End()).Line - t.fset.Position(function.Pos()).Line + 1
		if lines > maxFunctionLines {
			t.addf(t.place(function), "function %s has %d lines, at most %d", function.Name.Name, lines, maxFunctionLines)
		}
	}
}

// checkCalls looks in tests for waits on the real clock and for specs that
// Ginkgo would run alone, leaving the others out without a word.
func (t *tree) checkCalls(rel string, file *ast.File) {
	ginkgo := imports(file, "github.com/onsi/ginkgo/v2")
	if !isTest(rel) && !ginkgo {
		return
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if from, ok := node.X.(*ast.Ident); ok && isTest(rel) && from.Name == "time" && node.Sel.Name == "Sleep" {
				t.addf(t.place(node), "time.Sleep in a test: wait for what is meant to happen, on virtual time where it is about time")
			}
		case *ast.Ident:
			if ginkgo && focused(node.Name) {
				t.addf(t.place(node), "%s leaves all other specs out: take the focus away", node.Name)
			}
		}
		return true
	})
}

func imports(file *ast.File, name string) bool {
	return slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool {
		got, err := strconv.Unquote(spec.Path.Value)
		return err == nil && got == name
	})
}

// focused says whether a name of Ginkgo's focuses the spec that it makes or decorates.
func focused(name string) bool {
	switch name {
	case "Focus", "FDescribe", "FContext", "FWhen", "FIt", "FSpecify", "FEntry", "FDescribeTable", "FDescribeTableSubtree":
		return true
	}
	return false
}

// marks are the words that stay in no committed file.
type marks struct {
	// machinePath is an absolute path that exists on one machine only; behind a
	// letter, a dot or a placeholder it is part of a longer path or of a URL.
	machinePath *regexp.Regexp
	// unfinished is the sign of work that was left for later.
	unfinished *regexp.Regexp
}

// compileMarks writes the words in two halves, so that this file holds none.
func compileMarks() marks {
	return marks{
		machinePath: regexp.MustCompile(`(?:^|[^\w.\-/}~*])(/(?:work|root|tmp|home|Users)/[\w.]+)`),
		unfinished:  regexp.MustCompile(`\b(?:TO` + `DO|FIX` + `ME)\b`),
	}
}

// checkText judges every line of a file that is text.
func (t *tree) checkText(rel string, content []byte) {
	if bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 {
		return // as git tells text from binary
	}
	for number, line := range bytes.Split(content, []byte("\n")) {
		place := rel + ":" + strconv.Itoa(number+1)
		if found := t.marks.machinePath.FindSubmatch(line); found != nil {
			t.addf(place, "%s is a path of one machine", found[1])
		}
		if found := t.marks.unfinished.Find(line); found != nil {
			t.addf(place, "%s: finish it, or say in docs/decisions.md why not", found)
		}
	}
}
