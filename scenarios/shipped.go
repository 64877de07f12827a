package scenarios

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// Shipped loads scenarios of the program by name, or all of them where none is named, in the order of Builtin. It
// checks nothing that the program's own tests have checked already, which makes it many times as fast. A name that
// there is none of is an error.
func Shipped(names ...string) ([]*File, error) {
	paths, err := fs.Glob(data, "data/*/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the scenarios of the program: %w", err)
	}
	var files []*File
	for _, name := range paths {
		if len(names) > 0 && !slices.Contains(names, stem(name)) {
			continue
		}
		content, err := data.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read a scenario of the program: %w", err)
		}
		c := newCollector(name)
		root := parse(content, c)
		if c.found() {
			return nil, fmt.Errorf("read a scenario of the program: %w", &Problems{List: c.sorted()})
		}
		files = append(files, newFile(root, name, path.Base(path.Dir(name))))
	}
	if missing := len(names) - len(files); missing > 0 {
		return nil, fmt.Errorf("%d of the scenarios %q do not ship with the program", missing, names)
	}
	return files, nil
}

// DidYouMean is `, did you mean "x"?` for the known word that is nearest to what was written, and empty where none is
// near enough to be a slip of the hand.
func DidYouMean(written string, known []string) string { return didYouMean(written, known) }
