package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed overlay
var overlay embed.FS

// target is the package whose mutants are tried.
type target struct {
	// Dir is its directory, below that of the module.
	Dir string
	// Corpus tells that recorded runs are judged too; only package suites can do that.
	Corpus bool
	// Processes are tests that need a process of their own, for mutants that nothing else comes to.
	Processes []string
}

// bench is a test program that holds all mutants of a package.
type bench struct {
	target

	root    string // the directory of the module
	work    string // a directory of our own
	mutants []Mutant
}

func (b *bench) program() string { return filepath.Join(b.work, "mutants.test") }

// newBench finds the mutants of a package and builds the program. It changes no file below root.
func newBench(ctx context.Context, root, work string, t target) (*bench, error) {
	b := &bench{target: t, root: root, work: work}
	replace := map[string]string{}
	put := func(name string, content []byte) error {
		to := filepath.Join(work, name+".txt")
		replace[filepath.Join(root, t.Dir, name)] = to
		return os.WriteFile(to, content, 0o600)
	}
	pkg, err := b.mutate(ctx, put)
	if err != nil {
		return nil, err
	}
	if err := b.addDrivers(pkg, put); err != nil {
		return nil, err
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		return nil, err
	}
	_, err = b.goTool(ctx, "test", "-c", "-overlay", overlay, "-o", b.program(), "./"+t.Dir)
	return b, err
}

// goTool runs the go command in the module and returns what it prints.
func (b *bench) goTool(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.root
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, problems.Bytes())
	}
	return out, nil
}

// mutate writes the files of the package with all their mutants in, and returns the package's name.
func (b *bench) mutate(ctx context.Context, put func(string, []byte) error) (string, error) {
	names, err := filepath.Glob(filepath.Join(b.root, b.Dir, "*.go"))
	if err != nil {
		return "", err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	var all []*points
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		files = append(files, f)
		all = append(all, &points{fset: fset, file: filepath.Base(name), src: src})
	}
	info, pkg, err := b.check(ctx, fset, files)
	if err != nil {
		return "", err
	}
	for i, p := range all {
		p.info, p.first = info, len(b.mutants)+1
		p.find(files[i])
		b.mutants = append(b.mutants, p.mutants...)
		if err := put(p.file, p.written()); err != nil {
			return "", err
		}
	}
	return pkg, nil
}

// check finds the types of all expressions.
func (b *bench) check(ctx context.Context, fset *token.FileSet, files []*ast.File) (info *types.Info, name string, err error) {
	out, err := b.goTool(ctx, "list", "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}", "./"+b.Dir)
	if err != nil {
		return nil, "", err
	}
	exported := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exported[path] = file
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exported[path]) }
	info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", open)}
	pkg, err := conf.Check(b.Dir, fset, files, info)
	if err != nil {
		return nil, "", err
	}
	return info, pkg.Name(), nil
}

// addDrivers adds what brings mutants to life and runs the tests.
func (b *bench) addDrivers(pkg string, put func(string, []byte) error) error {
	tests, err := testsIn(filepath.Join(b.root, b.Dir), pkg)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, name := range tests {
		fmt.Fprintf(&list, "\t\t{Name: %q, F: %s},\n", name, name)
	}
	files := []string{"mutants.go", "proofs_test.go"}
	if b.Corpus {
		files = append(files, "judge.go", "corpus_test.go")
	}
	fill := strings.NewReplacer("PACKAGE", pkg, "COUNT", strconv.Itoa(len(b.mutants)), "TESTS", list.String())
	for _, name := range files {
		text, err := overlay.ReadFile("overlay/" + name + ".txt")
		if err != nil {
			return err
		}
		if err := put("zz_mutation_"+name, []byte(fill.Replace(string(text)))); err != nil {
			return err
		}
	}
	return nil
}

// testsIn lists the tests that belong to the package itself.
func testsIn(dir, pkg string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if ok && d.Recv == nil && f.Name.Name == pkg && strings.HasPrefix(d.Name.Name, "Test") && d.Name.Name != "TestMain" {
				names = append(names, d.Name.Name)
			}
		}
	}
	return names, nil
}
