// Command mutation makes small mistakes in the code of package suites, one at a time, and tells which of them neither
// the package's tests nor recorded runs notice. All mistakes are built into one test program, each behind a switch; the
// files that hold them are given to the go command as an overlay, so that none is written into the tree.
//
// The room holds the finding of mistakes, the trying and the page about it. The runs that mistakes are tried on belong
// to package corpus, and what is wrong with clients to package defects.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// suitesTarget is the package of the rules.
func suitesTarget() target {
	return target{Dir: "suites", Corpus: true, Processes: []string{"TestShow"}}
}

func run(ctx context.Context, args []string, log io.Writer) error {
	flags := flag.NewFlagSet("mutation", flag.ContinueOnError)
	flags.SetOutput(log)
	list := flags.String("list", "", "also write what became of each mistake to this `file`")
	only := flags.String("only", "", "try only the mistakes in these `files` of suites (a.go,b.go), and write no page")
	if err := flags.Parse(args); err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // the system clears it away otherwise
	b, err := newBench(ctx, root, work, suitesTarget())
	if err != nil {
		return err
	}
	if *only != "" {
		if b.mutants, err = within(b.mutants, strings.Split(*only, ",")); err != nil {
			return err
		}
	}
	fates, err := b.try(ctx, func(said string) { fmt.Fprintln(log, said) })
	if err != nil {
		return err
	}
	if *list != "" {
		if err := os.WriteFile(*list, []byte(listed(b.mutants, fates)), 0o600); err != nil {
			return err
		}
	}
	reasons, err := writtenReasons(root)
	if err != nil {
		return err
	}
	if *only != "" {
		return leftIn(b.mutants, fates, reasons)
	}
	return conclude(root, b.mutants, fates, reasons)
}

func writtenReasons(root string) ([]reason, error) {
	text, err := os.ReadFile(filepath.Join(root, "internal", "mutation", "survivors.txt"))
	if err != nil {
		return nil, err
	}
	reasons, err := parseReasons(string(text))
	if err != nil {
		return nil, fmt.Errorf("internal/mutation/survivors.txt: %w", err)
	}
	return reasons, nil
}

// within returns the mutants in these files. All files without any are reported.
func within(mutants []Mutant, files []string) ([]Mutant, error) {
	var some []Mutant
	var problems []error
	for _, file := range files {
		n := len(some)
		for _, m := range mutants {
			if m.File == file {
				some = append(some, m)
			}
		}
		if n == len(some) {
			problems = append(problems, fmt.Errorf("-only: no mistake is made in a file %q: name files of the package, without their directory", file))
		}
	}
	return some, errors.Join(problems...)
}

// conclude writes the page. The error names the mutants that live without a reason and the reasons that are idle.
func conclude(root string, mutants []Mutant, fates map[int]fate, reasons []reason) error {
	why, without, idle := explain(living(mutants, fates), reasons)
	if err := os.WriteFile(filepath.Join(root, "docs", "mutation.md"), []byte(page(mutants, fates, why)), 0o644); err != nil { //nolint:gosec // a page for everybody
		return err
	}
	return problems(without, nil, idle)
}

// leftIn judges some of the mutants: the error names those that live with no reason or as a hole, and the reasons that
// are idle for their functions.
func leftIn(mutants []Mutant, fates map[int]fate, reasons []reason) error {
	var here []reason
	for _, r := range reasons {
		keys := slices.DeleteFunc(slices.Clone(r.Keys), func(key string) bool {
			return !slices.ContainsFunc(mutants, func(m Mutant) bool { return strings.HasPrefix(key, m.Func+" ") })
		})
		here = append(here, reason{keys, r.Text})
	}
	alive := living(mutants, fates)
	why, without, idle := explain(alive, here)
	holes := slices.DeleteFunc(alive, func(m Mutant) bool { return !isHole(why[m.Number]) })
	return problems(without, holes, idle)
}

func living(mutants []Mutant, fates map[int]fate) []Mutant {
	return slices.DeleteFunc(slices.Clone(mutants), func(m Mutant) bool { return fates[m.Number].killed() })
}

func problems(without, holes []Mutant, idle []string) error {
	var all []error
	for _, m := range without {
		all = append(all, fmt.Errorf("%s lives without a reason: %s", m.ID(), m.Key()))
	}
	for _, m := range holes {
		all = append(all, fmt.Errorf("%s lives as a hole: %s", m.ID(), m.Key()))
	}
	for _, key := range idle {
		all = append(all, fmt.Errorf("a reason is idle, no mutant that lives is: %s", key))
	}
	return errors.Join(all...)
}

// listed writes a line for each mutant.
func listed(mutants []Mutant, fates map[int]fate) string {
	var w strings.Builder
	for _, m := range mutants {
		f := fates[m.Number]
		fmt.Fprintf(&w, "%s\t%s\t%s\t%s\n", f.end, m.ID(), m.Key(), f.by)
	}
	return w.String()
}
