package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/internal/report"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// reporting is what the commands that judge share: which reports are written, and where.
type reporting struct {
	formats, outputs []string
	strict, verbose  bool
	// baseline is the path of a file of known failures, known what was read of it; nil where there is none.
	baseline string
	known    *baseline.File
	// advice ends the console report with a word on how a reader's own client is judged.
	advice bool
}

func (o *reporting) define(flags *pflag.FlagSet) {
	flags.StringArrayVar(&o.formats, "format", nil, "write the report as `FORMAT`: "+strings.Join(report.Names(), ", ")+"; repeatable, each with an --output (github goes to standard output)")
	flags.StringArrayVar(&o.outputs, "output", nil, "write the report of the same place among --format to `FILE`; the console report still appears")
	flags.StringVar(&o.baseline, "baseline", "", "excuse what `FILE` says is known to fail (docs/baseline.md)")
	flags.BoolVar(&o.strict, "strict", false, "let warnings of SHOULD rules count as failures")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "list every rule in place of a line for each chapter, and cut no remark")
}

// problems lists what is wrong with the formats and the files.
func (o *reporting) problems() []string {
	var found []string
	for _, format := range o.formats {
		if _, ok := report.Find(format); !ok {
			guess := scenarios.DidYouMean(format, report.Names())
			if guess == "" {
				guess = "; there are " + strings.Join(report.Names(), ", ")
			}
			found = append(found, fmt.Sprintf("--format: there is no format %q%s", format, guess))
		}
	}
	filed, logged := o.split()
	switch n, m := len(filed), len(o.outputs); {
	case logged && m < n:
		found = append(found, fmt.Sprintf("--format: beside github, which goes to standard output, each wants an --output of its own; there are %d and %d", n, m))
	case n > 1 && m < n:
		found = append(found, fmt.Sprintf("--format: each of several formats wants an --output of its own; there are %d and %d", n, m))
	case m > n:
		found = append(found, fmt.Sprintf("--output: each file wants a --format of its own; there are %d and %d", m, n))
	}
	taken := map[string]bool{}
	for _, output := range o.outputs {
		if taken[filepath.Clean(output)] {
			found = append(found, "--output: "+output+" is named twice")
			continue
		}
		taken[filepath.Clean(output)] = true
		if err := writable(output); err != nil {
			found = append(found, "--output: "+err.Error())
		}
	}
	return found
}

// writable says why a file could not be written beside its name and renamed.
func writable(name string) error {
	info, err := os.Stat(name)
	switch {
	case name == "":
		return errors.New("the name of the file is empty")
	case name == "-":
		return errors.New("- is no file; one --format without --output goes to standard output")
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is there and no plain file", name)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be written: %w", name, cause(err))
	}
	if err := tryDir(filepath.Dir(name)); err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	return nil
}

// tryDir tells whether a file can be made in a directory, by making one.
func tryDir(dir string) error {
	file, err := os.CreateTemp(dir, "."+name+"-*")
	if err != nil {
		return fmt.Errorf("directory %s: %w", dir, cause(err))
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// cause is an error of the file system without the path, which its reader has been told.
func cause(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err
	}
	return err
}

// show writes all reports of a result and returns its exit code as an error.
func (o *reporting) show(p *program, r verdict.Result) error {
	format := "console"
	filed, logged := o.split()
	if len(filed) == 1 && len(o.outputs) == 0 {
		format = filed[0]
	}
	console := p.console()
	console.Verbose, console.Advice = o.verbose, o.advice
	if err := write(p.stdout, format, r, console); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	for i, output := range o.outputs {
		err := replace(output, func(w io.Writer) error {
			return write(w, filed[i], r, report.Options{Verbose: o.verbose, Advice: o.advice})
		})
		if err != nil {
			return fmt.Errorf("write the report to %s: %w", output, cause(err))
		}
	}
	if logged {
		if err := o.log(p, r); err != nil {
			return err
		}
	}
	if r.Exit != verdict.ExitOK {
		return codeError(r.Exit)
	}
	return nil
}

// split takes the formats that belong on standard output out of those that are paired with files.
func (o *reporting) split() (filed []string, logged bool) {
	for _, format := range o.formats {
		if f, _ := report.Find(format); f.Log {
			logged = true
			continue
		}
		filed = append(filed, format)
	}
	return filed, logged
}

// log writes what GitHub Actions reads: annotations on standard output and, where the job has a place for a summary,
// a page there. What earlier steps of the job wrote is left alone.
func (o *reporting) log(p *program, r verdict.Result) error {
	if err := write(p.stdout, "github", r, report.Options{}); err != nil {
		return fmt.Errorf("write the annotations: %w", err)
	}
	name := p.getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	const readable = 0o644
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, readable)
	if err != nil {
		return fmt.Errorf("write the summary of the job to %s (GITHUB_STEP_SUMMARY): %w", name, cause(err))
	}
	if err := errors.Join(write(file, "markdown", r, report.Options{}), file.Close()); err != nil {
		return fmt.Errorf("write the summary of the job to %s (GITHUB_STEP_SUMMARY): %w", name, cause(err))
	}
	return nil
}

func write(w io.Writer, format string, r verdict.Result, o report.Options) error {
	f, ok := report.Find(format)
	if !ok {
		return fmt.Errorf("there is no format %q", format)
	}
	return f.Write(w, r, o)
}

// replace writes a file under a temporary name and gives it its own when it is whole, so that nobody ever reads half
// of one.
func replace(name string, fill func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	const readable = 0o644 // a report holds no secret, and others may have to read it
	if err := errors.Join(fill(file), file.Chmod(readable), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
