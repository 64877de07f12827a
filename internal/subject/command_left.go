package subject

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// How much is kept of what a command leaves behind: files, and bytes of one file and of all.
const (
	maxLeft      = 200
	maxLeftFile  = 64 << 10
	maxLeftBytes = 1 << 20
)

// left lists the files that lie in the home, the working directory and the directory for temporary files. Their paths
// count from the home: what lies outside of it begins with "..".
func (h home) left() []evidence.LeftFile {
	found := []evidence.LeftFile{}
	rest := int64(maxLeftBytes)
	h.each(func(path string, info fs.FileInfo) {
		if len(found) == maxLeft {
			return
		}
		name, err := filepath.Rel(h.dir(), path)
		if err != nil {
			return
		}
		content := head(path, min(maxLeftFile, rest))
		rest -= int64(len(content))
		found = append(found, evidence.LeftFile{
			Path: filepath.ToSlash(name), Mode: modeText(info.Mode()), ModeAtCreation: h.births.of(info), Size: info.Size(),
			Content: evidence.Text(h.placeless(string(content))),
		})
	})
	return found
}

// head is the beginning of a file, empty where it cannot be read.
func head(path string, most int64) []byte {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return nil
	}
	return content
}

func modeText(mode fs.FileMode) string { return fmt.Sprintf("%04o", mode.Perm()) }

// births remember the modes that files had when they were first seen. A file that is renamed keeps its own.
type births struct {
	mu   sync.Mutex
	seen []fs.FileInfo
}

// of is the mode with which a file was first seen while a command ran; empty where it was not.
func (b *births) of(info fs.FileInfo) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := indexOf(b.seen, info); i >= 0 {
		return modeText(b.seen[i].Mode())
	}
	return ""
}

// note remembers those of the files that are there which are neither old nor known, and forgets what is no longer there:
// the system gives its place to other files.
func (b *births) note(there, old []fs.FileInfo) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen = slices.DeleteFunc(b.seen, func(known fs.FileInfo) bool { return indexOf(there, known) < 0 })
	for _, info := range there {
		if len(b.seen) < maxLeft && indexOf(old, info) < 0 && indexOf(b.seen, info) < 0 {
			b.seen = append(b.seen, info)
		}
	}
}

func indexOf(list []fs.FileInfo, info fs.FileInfo) int {
	return slices.IndexFunc(list, func(other fs.FileInfo) bool { return os.SameFile(other, info) })
}

// lookEvery is how often a home is looked at while a command runs: a mode that lasts shorter may go unseen.
const lookEvery = 2 * time.Millisecond

// watch notes the modes of new files until done is closed. What lay there before was born unseen. To read all
// directories so often would cost more than many a command does: they are read when one of them has changed.
func (h home) watch(old []fs.FileInfo, done <-chan struct{}) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	var seen changes
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
			if seen.current() {
				continue
			}
			seen = h.changes()
			h.births.note(h.there(), old)
		}
	}
}

// coarse is more than what lies between two time stamps of a file system that can be told apart.
const coarse = 50 * time.Millisecond

// changes are the directories of a home and when each of them was changed, read at a moment. A file that comes or goes
// changes the directory that it lies in.
type changes struct {
	read time.Time
	dirs map[string]time.Time
}

func (h home) changes() changes {
	c := changes{read: time.Now(), dirs: map[string]time.Time{}}
	for _, dir := range h.open() {
		_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return nil //nolint:nilerr // what cannot be looked into is left out
			}
			if info, err := entry.Info(); err == nil {
				c.dirs[path] = info.ModTime()
			}
			return nil
		})
	}
	return c
}

// current tells whether no directory has changed since they were read. One that had changed just before might have once
// more in the same moment of its clock.
func (c changes) current() bool {
	for dir, changed := range c.dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.ModTime().Equal(changed) || c.read.Sub(changed) < coarse {
			return false
		}
	}
	return len(c.dirs) > 0
}

// there are the files that lie there now.
func (h home) there() []fs.FileInfo {
	var infos []fs.FileInfo
	h.each(func(_ string, info fs.FileInfo) {
		if len(infos) < maxLeft {
			infos = append(infos, info)
		}
	})
	return infos
}
