package scenarios

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Shipped loads scenarios of the program by name, or all of them where none is named, in the order of Builtin. It
// checks nothing that the program's own tests have checked already, which makes it many times as fast. A name that
// there is none of is an error.
func Shipped(names ...string) ([]*File, error) {
	paths, err := fs.Glob(data, "data/*/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the scenarios of the program: %w", err)
	}
	if len(names) > 0 {
		paths = slices.DeleteFunc(paths, func(name string) bool { return !slices.Contains(names, stem(name)) })
	}
	files, problems := make([]*File, len(paths)), make([]error, len(paths))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(paths)); i = next.Add(1) - 1 {
				files[i], problems[i] = trusted(paths[i])
			}
		})
	}
	workers.Wait()
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
