package scenarios

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// Builtin loads the scenarios that ship with the program, by chapter and name: those of the given names, or all where
// none is named. They are read and not checked again at each start: a test holds every one of them to the checks of
// Load. A name that there is none of is an error.
func Builtin(names ...string) ([]*File, error) {
	paths, err := fs.Glob(data, "data/*/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the scenarios of the program: %w", err)
	}
	if len(names) > 0 {
		paths = slices.DeleteFunc(paths, func(name string) bool { return !slices.Contains(names, stem(name)) })
	}
	files, problems := make([]*File, len(paths)), make([]error, len(paths))
	each(len(paths), func(i int) { files[i], problems[i] = trusted(paths[i]) })
	var unknown error
	if missing := len(names) - len(files); missing > 0 {
		unknown = fmt.Errorf("%d of the scenarios %q do not ship with the program", missing, names)
	}
	if err := errors.Join(errors.Join(problems...), unknown); err != nil {
		return nil, fmt.Errorf("read the scenarios of the program: %w", err)
	}
	return files, nil
}

// trusted reads a file of the program without checking more than that it is YAML.
func trusted(name string) (*File, error) {
	content, err := data.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c := newCollector(name)
	root := parse(content, c)
	if c.found() {
		return nil, &Problems{List: c.sorted()}
	}
	return newFile(root, name, path.Base(path.Dir(name))), nil
}

// DidYouMean is `, did you mean "x"?` for the known word that is nearest to what was written, and empty where none is
// near enough to be a slip of the hand.
func DidYouMean(written string, known []string) string { return didYouMean(written, known) }
