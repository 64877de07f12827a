package subject

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// homes are the directories of the clients of one run.
type homes struct {
	base  string
	holds func(text []byte) bool

	mu     sync.Mutex
	made   map[string]home
	inputs int
}

// inMemory is where Linux keeps files in memory. The homes of commands that run inside this process are made and taken
// away by the thousand, which costs a disk more than the runs themselves.
const inMemory = "/dev/shm"

// newHomes makes the homes of one run below a directory, or in the usual place where that is not to be had.
func newHomes(in string, holds func([]byte) bool) (*homes, error) {
	const pattern = "a2a-conform-homes-"
	base, err := os.MkdirTemp(in, pattern)
	if err != nil && in != "" {
		base, err = os.MkdirTemp("", pattern)
	}
	if err != nil {
		return nil, fmt.Errorf("make a directory for the homes of commands: %w", err)
	}
	if base, err = filepath.EvalSymlinks(base); err != nil { // a command that asks where it is would see another name
		return nil, fmt.Errorf("find the directory for the homes of commands: %w", err)
	}
	return &homes{base: base, holds: holds, made: map[string]home{}}, nil
}

// remove takes everything away, also what a command has locked.
func (hs *homes) remove() error {
	if os.RemoveAll(hs.base) == nil {
		return nil
	}
	_ = filepath.WalkDir(hs.base, func(path string, entry fs.DirEntry, _ error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700) //nolint:gosec // only its owner may
		}
		return nil
	})
	return os.RemoveAll(hs.base)
}

// of returns the home of a client, and makes it at its first use.
func (hs *homes) of(client string) (home, error) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if h, ok := hs.made[client]; ok {
		return h, nil
	}
	h := home{root: filepath.Join(hs.base, strconv.Itoa(len(hs.made)+1)), births: &births{}}
	for _, dir := range []string{h.dir(), h.work(), h.temporary(), h.input()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return home{}, fmt.Errorf("make a home: %w", err)
		}
	}
	hs.made[client] = h
	return h, nil
}

// input writes a text into a file that is handed to a command.
func (hs *homes) input(h home, text string) (string, error) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	hs.inputs++
	name := filepath.Join(h.input(), "message-"+strconv.Itoa(hs.inputs)+".txt")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write the message into a file: %w", err)
	}
	return name, nil
}

// home is the place of one client: a home, a working directory, one for temporary files and one for what it is given.
// They lie side by side, so that the paths of what it leaves count from the home.
type home struct {
	root   string
	births *births
}

func (h home) dir() string       { return filepath.Join(h.root, "home") }
func (h home) work() string      { return filepath.Join(h.root, "work") }
func (h home) temporary() string { return filepath.Join(h.root, "tmp") }
func (h home) input() string     { return filepath.Join(h.root, "input") }

// placeless takes the names of the directories, which are others in each run, out of a text.
func (h home) placeless(text string) string {
	return strings.NewReplacer(h.dir(), "‹home›", h.work(), "‹work›", h.temporary(), "‹tmp›", h.input(), "‹input›").Replace(text)
}

// open are the directories that a command may write to.
func (h home) open() []string { return []string{h.dir(), h.temporary(), h.work()} }

// each visits the plain files that may have been left, in the order of their names.
func (h home) each(visit func(path string, info fs.FileInfo)) {
	for _, dir := range h.open() {
		_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return nil //nolint:nilerr // what cannot be looked into is left out
			}
			if info, err := entry.Info(); err == nil {
				visit(path, info)
			}
			return nil
		})
	}
}

// garbage is no JSON, no text and no other format.
const garbage = "\x00\xff\xfe}{ not what was here \x00"

// Spoil implements Homes.
func (hs *homes) Spoil(client, how string) error {
	h, err := hs.of(client)
	if err != nil {
		return err
	}
	var errs []error
	h.each(func(path string, info fs.FileInfo) {
		content, err := os.ReadFile(path)
		if err != nil || hs.holds != nil && !hs.holds(content) {
			return
		}
		if err := spoil(path, info, content, how); err != nil {
			errs = append(errs, fmt.Errorf("spoil %s: %w", h.placeless(path), err))
		}
	})
	return errors.Join(errs...)
}

// spoil damages a file and leaves it the mode that it has.
func spoil(path string, info fs.FileInfo, content []byte, how string) error {
	if err := os.Chmod(path, info.Mode().Perm()|0o600); err != nil {
		return err
	}
	var err error
	switch how {
	case "cut":
		err = os.Truncate(path, int64(len(content)/2))
	case "empty":
		err = os.Truncate(path, 0)
	case "garbage":
		err = os.WriteFile(path, []byte(garbage), info.Mode().Perm())
	case "directory":
		return errors.Join(os.Remove(path), os.Mkdir(path, 0o700))
	default:
		err = fmt.Errorf("there is no way %q of spoiling a file", how)
	}
	return errors.Join(err, os.Chmod(path, info.Mode().Perm()))
}

// Put implements Homes.
func (hs *homes) Put(client string, file HomeFile) error {
	h, err := hs.of(client)
	if err != nil {
		return err
	}
	if !filepath.IsLocal(file.Path) {
		return fmt.Errorf("put a file into a home: %q is no path below it", file.Path)
	}
	path := filepath.Join(h.dir(), filepath.FromSlash(file.Path))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("put a file into a home: %w", err)
	}
	err = errors.Join(os.RemoveAll(path), os.WriteFile(path, []byte(file.Text), file.Mode), os.Chmod(path, file.Mode))
	if err != nil {
		return fmt.Errorf("put a file into a home: %w", err)
	}
	return nil
}
