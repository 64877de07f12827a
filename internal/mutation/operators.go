package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// constant moves a border that is a number: a whole number in a comparison by one, a span of time by a millisecond.
func (p *points) constant(e ast.Expr, tv types.TypeAndValue) {
	basic, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 {
		return
	}
	if whole, ok := p.parent().(ast.Expr); ok && p.info.Types[whole].Value != nil {
		return // a part of a greater constant, which is moved as one
	}
	b, _ := p.parent().(*ast.BinaryExpr)
	switch {
	case isSpan(tv.Type):
		if p.used() && names(e) {
			p.wrap(e, "+1ms", "mutantMoved(#, 1e6, ", ")")
			p.wrap(e, "-1ms", "mutantMoved(#, -1e6, ", ")")
		}
	case b != nil && swapped()[b.Op] != token.ILLEGAL && types.Identical(tv.Type, basic):
		step := stepOf(b.Op, b.X == e)
		p.wrap(e, fmt.Sprintf("%+d", step), fmt.Sprintf("mutantMoved(#, %d, %s(", step, basic), "))")
	}
}

// names tells whether a constant is more than a literal, which has no type of its own.
func names(e ast.Expr) bool {
	_, literal := e.(*ast.BasicLit)
	return !literal
}

// stepOf is the way to move the whole number on one side of a comparison: the other way is what the comparison with its
// border taken in or out does already.
func stepOf(op token.Token, left bool) int {
	step := 1
	if op == token.LSS || op == token.GEQ {
		step = -1
	}
	if left {
		return -step
	}
	return step
}

// used tells whether the constant being visited is a value of its own, and not a label or the size of an array.
func (p *points) used() bool {
	switch p.parent().(type) {
	case *ast.BinaryExpr, *ast.CallExpr, *ast.ReturnStmt, *ast.KeyValueExpr, *ast.AssignStmt:
		return true
	default:
		return false
	}
}

// arithmetic takes away in the place of adding, the lesser in the place of the greater, and the other way round.
func (p *points) arithmetic(e ast.Expr, tv types.TypeAndValue) {
	basic, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsNumeric == 0 {
		return
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		helper := map[token.Token]string{token.ADD: "mutantAdd", token.SUB: "mutantSub"}[e.Op]
		if helper == "" {
			return
		}
		p.wrap(e, "instead of "+e.Op.String(), helper+"(#, ", ")")
		p.replace(e.OpPos, len(e.Op.String()), ",")
	case *ast.CallExpr:
		name, ok := e.Fun.(*ast.Ident)
		if !ok {
			return
		}
		other := map[string]string{"min": "max", "max": "min"}[name.Name]
		if _, builtin := p.info.Uses[name].(*types.Builtin); builtin && other != "" {
			p.wrap(e, other, "mutantOf(#, "+other+strings.TrimPrefix(p.text(e), name.Name)+", ", ")")
		}
	}
}

// added leaves out what is added to a moment.
func (p *points) added(e ast.Expr, tv types.TypeAndValue) {
	call, ok := p.parent().(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || call.Args[0] != e {
		return
	}
	if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Add" && isSpan(tv.Type) && names(e) {
		p.wrap(e, "0", "mutantNone(#, ", ")")
	}
}

// statement leaves a statement out. The only one below an if is left: its condition made false is the same.
func (p *points) statement(s ast.Stmt) {
	if !p.canGo(s) {
		return
	}
	switch parent := p.parent().(type) {
	case *ast.CaseClause:
	case *ast.BlockStmt:
		branch, ok := p.around(2).(*ast.IfStmt)
		if ok && len(parent.List) == 1 && branch.Body == parent && branch.Else == nil {
			return
		}
	default: // a part of the head of a for or an if
		return
	}
	p.wrap(s, "leave out", "if !mutant(#) { ", " }")
}

// canGo tells whether the program still compiles without a statement.
func (p *points) canGo(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return !ok || p.text(call.Fun) != "panic"
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.ReturnStmt:
		return len(s.Results) == 0
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.IncDecStmt:
		return true
	default:
		return false
	}
}

// wrap adds a mutant: text before and after a piece of code, with # for its number.
func (p *points) wrap(n ast.Node, op, before, after string) {
	at := p.fset.Position(n.Pos())
	m := Mutant{
		Number: p.first + len(p.mutants), File: p.file, Line: at.Line, Col: at.Column,
		Func: p.fn, Op: op, Source: strings.Join(strings.Fields(p.text(n)), " "),
	}
	p.mutants = append(p.mutants, m)
	from, to := p.offset(n.Pos()), p.offset(n.End())
	p.edits = append(p.edits,
		edit{from, from, strings.ReplaceAll(before, "#", strconv.Itoa(m.Number)), false},
		edit{to, to, after, true})
}

func (p *points) replace(at token.Pos, length int, text string) {
	from := p.offset(at)
	p.edits = append(p.edits, edit{from, from + length, text, false})
}

func (p *points) offset(at token.Pos) int { return p.fset.Position(at).Offset }

func (p *points) text(n ast.Node) string { return string(p.src[p.offset(n.Pos()):p.offset(n.End())]) }

// written is the file with all its mutants.
func (p *points) written() []byte {
	edits, out, at := inOrder(p.edits), []byte(nil), 0
	for _, e := range edits {
		out = append(append(out, p.src[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, p.src[at:]...)
}

func isBool(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

// isSpan tells whether values of a type are times: whole numbers of nanoseconds with a name.
func isSpan(t types.Type) bool {
	named, ok := t.(*types.Named)
	if !ok {
		return false
	}
	basic, ok := named.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Int64
}
