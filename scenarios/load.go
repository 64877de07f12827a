package scenarios

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

//go:embed data
var data embed.FS

// File is a scenario as it was loaded: its cases come out of Cases.
type File struct {
	// Name is the scenario's, and that of the file without its ending.
	Name string
	// Chapter is the folder of data/ that the file lies in; empty for a file of a user.
	Chapter string
	// Path is where the file was read from.
	Path  string
	About string
	// Covers lists the rules that the scenario exercises on the reference client.
	Covers []string
	// Needs lists the capabilities without which a subject skips it.
	Needs []string
	// Slow asks for --slow on real time.
	Slow bool
	// Clock is "virtual" for what makes sense on virtual time only, else empty.
	Clock evidence.Clock

	root *node
}

// Options tells Load what it cannot know by itself.
type Options struct {
	// KnownRules are the ids of all rules: others in covers are problems. Empty leaves covers unchecked.
	KnownRules []string
}

// Cases expands the file for a clock: one case for each choice of the values of each, at most 64, always in the same
// order (the keys as the file has them, the values of the last one changing fastest).
func (f *File) Cases(clock evidence.Clock) []Case {
	unheard := newCollector(f.Path)
	all := variants(f.root, f.Name, clock)
	cases := make([]Case, len(all))
	for i, v := range all {
		made := decoder{unheard}.decodeCase(fill(f.root, v.values, unheard), v.id, clock)
		made.Chapter, made.File = f.Chapter, f.Path
		cases[i] = made
	}
	return cases
}

// Load reads scenario files, and those with the ending .yaml or .yml in and below directories. Its error is *Problems
// with every problem of every file; the files without any are returned beside it.
func Load(paths []string, o Options) ([]*File, error) {
	l, err := newLoader(o)
	if err != nil {
		return nil, err
	}
	for _, name := range paths {
		l.read(name)
	}
	return l.result()
}

// loader gathers files and their problems.
type loader struct {
	options  Options
	schema   *schema
	files    []*File
	problems []Problem
	names    map[string]string
}

func newLoader(o Options) (*loader, error) {
	s, err := newSchema()
	if err != nil {
		return nil, err
	}
	return &loader{options: o, schema: s, names: map[string]string{}}, nil
}

func (l *loader) result() ([]*File, error) {
	if len(l.problems) > 0 {
		return l.files, &Problems{List: l.problems}
	}
	return l.files, nil
}

func (l *loader) faultf(name, format string, args ...any) {
	l.problems = append(l.problems, Problem{File: name, Text: fmt.Sprintf(format, args...)})
}

// read takes a file or a directory of the user.
func (l *loader) read(name string) {
	info, err := os.Stat(name)
	if err != nil {
		l.faultf(name, "cannot be read: %s", reason(err))
		return
	}
	if !info.IsDir() {
		l.readFile(name)
		return
	}
	before := len(l.files) + len(l.problems)
	err = filepath.WalkDir(name, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			l.faultf(file, "cannot be read: %s", reason(err))
		case !entry.IsDir() && isYAML(file):
			l.readFile(file)
		}
		return nil
	})
	if err != nil {
		l.faultf(name, "cannot be read: %s", reason(err))
	}
	if len(l.files)+len(l.problems) == before {
		l.faultf(name, "holds no file with the ending .yaml")
	}
}

func isYAML(name string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(name))
}

// reason is the cause of an error of the file system without the path, which the problem has already.
func reason(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Err.Error()
	}
	return err.Error()
}

func (l *loader) readFile(name string) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		l.faultf(name, "is no plain file") // reading a pipe or a device might never end
		return
	}
	file, err := os.Open(name)
	if err != nil {
		l.faultf(name, "cannot be read: %s", reason(err))
		return
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxFileSize+1))
	if err != nil {
		l.faultf(name, "cannot be read: %s", reason(err))
		return
	}
	l.add(name, content)
}

// add checks the content of a file and keeps it when nothing is wrong with it.
func (l *loader) add(name string, content []byte) {
	c := newCollector(name)
	root := parse(content, c)
	if root != nil {
		check(root, name, l.schema, l.options, c)
		l.unique(root, name, c)
	}
	if c.found() {
		l.problems = append(l.problems, c.sorted()...)
		return
	}
	l.files = append(l.files, newFile(root, name, ""))
}

// unique refuses a second scenario of the same name: runs are known by it.
func (l *loader) unique(root *node, name string, c *collector) {
	scenario := root.get("scenario")
	if !scenario.is(textNode) {
		return
	}
	if other, taken := l.names[scenario.text]; taken {
		c.addf(scenario.at, "%s has a scenario of this name already", other)
		return
	}
	l.names[scenario.text] = name
}

func newFile(root *node, name, chapter string) *File {
	plain := decoder{newCollector(name)}
	return &File{
		Name:    plain.text(root.get("scenario")),
		Chapter: chapter,
		Path:    name,
		About:   plain.text(root.get("about")),
		Covers:  plain.list(root.get("covers")),
		Needs:   plain.list(root.get("needs")),
		Slow:    plain.bool(root.get("slow")),
		Clock:   evidence.Clock(plain.text(root.get("clock"))),
		root:    root,
	}
}

// stem is the name of a file without folder and ending.
func stem(name string) string {
	base := path.Base(filepath.ToSlash(name))
	return strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml")
}
