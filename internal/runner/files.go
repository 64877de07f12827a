package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// files makes the files that calls hand to a client. Files of one name and size are made once for all runs: their
// content depends on nothing else. They are made before a run's clock starts, since writing takes real time.
type files struct {
	dir string

	mu   sync.Mutex
	made map[scenarios.InputFile]evidence.InputFile
}

// newFiles makes the directory that all files lie in; remove takes it away.
func newFiles() (*files, error) {
	dir, err := os.MkdirTemp("", "a2a-conform-files-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the files of the scenarios: %w", err)
	}
	return &files{dir: dir, made: map[scenarios.InputFile]evidence.InputFile{}}, nil
}

func (f *files) remove() error { return os.RemoveAll(f.dir) }

// prepare makes what a case needs.
func (f *files) prepare(c scenarios.Case) error {
	for _, step := range c.Calls {
		for _, call := range callsOf(step) {
			for _, file := range call.Input.Files {
				if _, err := f.get(file); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// callsOf returns the calls of a step.
func callsOf(step scenarios.CallStep) []scenarios.Call {
	if step.Call != nil {
		return []scenarios.Call{*step.Call}
	}
	return step.Together
}

// path is where a file lies: a directory for each size, so that its name is the one that the scenario gives.
func (f *files) path(file scenarios.InputFile) string {
	kind := strconv.FormatInt(file.Size, 10)
	if file.Missing {
		kind = "missing"
	}
	return filepath.Join(f.dir, kind, filepath.Base(file.Name))
}

// get makes a file at its first use and says what it is.
func (f *files) get(file scenarios.InputFile) (evidence.InputFile, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := scenarios.InputFile{Name: file.Name, Size: file.Size, Missing: file.Missing}
	if known, ok := f.made[key]; ok {
		known.MediaType = file.MediaType
		return known, nil
	}
	made := evidence.InputFile{Name: filepath.Base(file.Name), Size: file.Size}
	if !file.Missing {
		sum, err := write(f.path(file), file.Size)
		if err != nil {
			return made, fmt.Errorf("make the file %s of %d bytes: %w", file.Name, file.Size, err)
		}
		made.SHA256, made.Readable = sum, true
	}
	f.made[key] = made
	made.MediaType = file.MediaType
	return made, nil
}

// handed returns the files of a call as the subject and as the recording see them.
func (f *files) handed(list []scenarios.InputFile) ([]subject.File, []evidence.InputFile, error) {
	var given []subject.File
	var seen []evidence.InputFile
	for _, file := range list {
		made, err := f.get(file)
		if err != nil {
			return nil, nil, err
		}
		given = append(given, subject.File{Path: f.path(file), MediaType: file.MediaType})
		seen = append(seen, made)
	}
	return given, seen, nil
}

// canaryLine fills generated files, so that a piece of one is recognised wherever it turns up. Its second line is what a
// reader of text would change: bytes that are no UTF-8, a line end of two characters, a lone one of each, U+001A and NUL.
const canaryLine = "%PDF-1.7 canary file content, wren heron siskin dunnock\n%\xe2\xe3\xcf\xd3\xff\xfe\x80\r\n\r\x1a\x00\n"

// recognisable is how much of a generated file is canary lines. The rest is zeros, which a file system keeps without
// writing them: files of 15 MiB would cost more than a hundred runs.
const recognisable = 64 << 10

// write makes a file of that size and returns its hash.
func write(path string, size int64) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return "", err
	}
	beginning := strings.Repeat(canaryLine, recognisable/len(canaryLine)+1)[:min(size, recognisable)]
	_, err = file.WriteString(beginning)
	if err == nil {
		err = file.Truncate(size)
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return hashOf(beginning, size), err
}

// hashOf is the SHA-256 of a file of that size, in hex: what it begins with, and zeros. Reading it back takes as long as
// hashing it.
func hashOf(beginning string, size int64) string {
	hash := sha256.New()
	_, _ = io.WriteString(hash, beginning) // a hash takes everything
	zeros := make([]byte, recognisable)
	for left := size - int64(len(beginning)); left > 0; left -= int64(len(zeros)) {
		_, _ = hash.Write(zeros[:min(left, int64(len(zeros)))])
	}
	return hex.EncodeToString(hash.Sum(nil))
}
