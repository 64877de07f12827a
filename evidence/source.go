package evidence

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// source is the directory or the zip that a recording is read from. Both are file systems that cannot be left: the
// one does not follow links that lead out, the other knows no names that do.
type source struct {
	path  string
	files fs.FS
	close func()
	left  int64 // bytes that may still be read
}

func openSource(path string) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w: give the directory or the .zip that run --record has written", err)
	}
	if info.IsDir() {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, err
		}
		return &source{path: path, files: root.FS(), close: func() { _ = root.Close() }, left: limitTotal}, nil
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%s is neither a directory nor a zip: %w", path, err)
	}
	if err := refuseNames(archive.File); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), archive.Close())
	}
	return &source{path: path, files: archive, close: func() { _ = archive.Close() }, left: limitTotal}, nil
}

// refuseNames refuses an archive with names that lead elsewhere or occur twice: nobody makes one by accident.
func refuseNames(files []*zip.File) error {
	seen := map[string]bool{}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) || strings.Contains(name, `\`) {
			return fmt.Errorf("it holds a file named %q, which leads out of it", f.Name)
		}
		if seen[name] {
			return fmt.Errorf("it holds two files named %q", f.Name)
		}
		seen[name] = true
	}
	return nil
}

// read reads a whole file of at most limit bytes.
func (s *source) read(name string, limit int64) ([]byte, error) {
	file, err := s.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is no regular file")
	}
	limit = min(limit, s.left)
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("is larger than %d bytes", limit)
	}
	s.left -= int64(len(data))
	return data, nil
}

// list names the files in runs and bodies, in order. Other files are none of a recording's business.
func (s *source) list() ([]string, error) {
	var names []string
	for _, dir := range []string{runsDir, bodiesDir} {
		entries, err := fs.ReadDir(s.files, dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			names = append(names, dir+"/"+e.Name())
		}
	}
	if len(names) > limitFiles {
		return nil, fmt.Errorf("%s holds %d files, more than %d", s.path, len(names), limitFiles)
	}
	slices.Sort(names)
	return names, nil
}
