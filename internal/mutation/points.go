package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Mutant is one small change to the code.
type Mutant struct {
	// Number counts from 1, in the order of files and places.
	Number    int
	File      string
	Line, Col int
	// Func is the function it lies in, with the receiver's type for a method ("Call.Done").
	Func string
	// Op is what is changed, Source the text that it is done to, in one line.
	Op, Source string
}

// ID names the mutant for as long as the file stays as it is.
func (m Mutant) ID() string { return fmt.Sprintf("%s:%d:%d:%s", m.File, m.Line, m.Col, m.Op) }

// Key names the mutant in a way that survives edits elsewhere in the file.
func (m Mutant) Key() string { return m.Func + " " + m.Op + ": " + m.Source }

// edit puts text in the place of source bytes. Of edits at one place those that close come first, an inner one before
// an outer one; those that open come after them, an outer one before an inner one.
type edit struct {
	from, to int
	text     string
	closes   bool
}

// points finds the mutants of one file and how to write a file that holds all of them.
type points struct {
	fset  *token.FileSet
	info  *types.Info
	file  string
	src   []byte
	first int // the number of the first mutant

	stack   []ast.Node // what the node being visited lies in
	fn      string
	mutants []Mutant
	edits   []edit
}

// find walks through the bodies of the functions: declarations outside of them hold no conditions.
func (p *points) find(f *ast.File) {
	for _, decl := range f.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Body != nil {
			p.fn = funcName(d)
			ast.Inspect(d.Body, p.visit)
		}
	}
}

func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	return strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + d.Name.Name
}

func (p *points) visit(n ast.Node) bool {
	if n == nil {
		p.stack = p.stack[:len(p.stack)-1]
		return true
	}
	switch n := n.(type) {
	case ast.Stmt:
		p.statement(n)
	case ast.Expr:
		p.expression(n)
	}
	p.stack = append(p.stack, n)
	return true
}

// parent is what the node being visited lies in, brackets left out of account.
func (p *points) parent() ast.Node {
	for _, n := range slices.Backward(p.stack) {
		if _, ok := n.(*ast.ParenExpr); !ok {
			return n
		}
	}
	return nil
}

// around is the nth node outwards, nil where there is none.
func (p *points) around(n int) ast.Node {
	if n > len(p.stack) {
		return nil
	}
	return p.stack[len(p.stack)-n]
}

func (p *points) expression(e ast.Expr) {
	if _, ok := e.(*ast.ParenExpr); ok {
		return
	}
	tv, ok := p.info.Types[e]
	switch {
	case !ok || !tv.IsValue():
	case isBool(tv.Type):
		p.condition(e, tv)
		p.border(e)
	case tv.Value != nil:
		p.added(e, tv)
		p.constant(e, tv)
	default:
		p.added(e, tv)
		p.arithmetic(e, tv)
	}
}

// condition makes a condition true and false. Of what is joined by && each is made true, of what is joined by || each
// false: the other way is the same as for the whole. Whoever notices these notices && in the place of || as well, and
// == in the place of !=.
func (p *points) condition(e ast.Expr, tv types.TypeAndValue) {
	if tv.Value != nil {
		if _, ok := p.parent().(*ast.ReturnStmt); ok {
			p.wrap(e, "not", "mutantNot(#, ", ")")
		}
		return
	}
	parent := p.parent()
	if whole, ok := parent.(*ast.BinaryExpr); ok {
		p.joined(e, whole.Op)
		return
	}
	if _, loop := parent.(*ast.ForStmt); p.decides(e, parent) && !loop { // a loop that is always true comes to no end
		p.wrap(e, "true", "mutantTrue(#, ", ")")
	}
	if p.decides(e, parent) {
		p.wrap(e, "false", "mutantFalse(#, ", ")")
	}
}

// joined is condition for a part of a whole that op joins.
func (p *points) joined(e ast.Expr, op token.Token) {
	inner, _ := e.(*ast.BinaryExpr)
	switch {
	case inner != nil && inner.Op == op:
	case op == token.LAND:
		p.wrap(e, "true", "mutantTrue(#, ", ")")
	case op == token.LOR:
		p.wrap(e, "false", "mutantFalse(#, ", ")")
	}
}

// decides tells whether a condition is a value of its own: not a part of one, and not a variable that is written.
func (p *points) decides(e ast.Expr, parent ast.Node) bool {
	switch parent := parent.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.ReturnStmt, *ast.KeyValueExpr, *ast.CompositeLit, *ast.ValueSpec:
		return true
	case *ast.CaseClause:
		s, ok := p.around(3).(*ast.SwitchStmt)
		return ok && s.Tag == nil
	case *ast.CallExpr:
		return slices.Contains(parent.Args, e)
	case *ast.AssignStmt:
		return slices.Contains(parent.Rhs, e)
	default:
		return false
	}
}

// swapped are the comparisons and what each becomes.
func swapped() map[token.Token]token.Token {
	return map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}
}

// border takes the border of a comparison in or out.
func (p *points) border(e ast.Expr) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return
	}
	if op, ok := swapped()[b.Op]; ok {
		p.wrap(e, op.String(), "mutantOther(#, ", fmt.Sprintf(", func() bool { return %s %s %s })", p.text(b.X), op, p.text(b.Y)))
	}
}

// inOrder sorts edits for writing. They come in the order of the visit, an outer one before an inner one.
func inOrder(edits []edit) []edit {
	place := make([]int, len(edits))
	for i := range place {
		place[i] = i
	}
	slices.SortFunc(place, func(i, j int) int {
		a, b := edits[i], edits[j]
		switch {
		case a.from != b.from:
			return a.from - b.from
		case a.closes && b.closes:
			return j - i
		case a.closes != b.closes && a.closes:
			return -1
		case a.closes != b.closes:
			return 1
		default:
			return i - j
		}
	})
	sorted := make([]edit, len(edits))
	for i, at := range place {
		sorted[i] = edits[at]
	}
	return sorted
}
