package client

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"
)

const (
	// cacheFileVersion is raised when old readers would misunderstand the file.
	cacheFileVersion = 1
	// maxCacheFile bounds what is read. A longer file counts as foreign, so that
	// one that has grown without end is begun anew.
	maxCacheFile = 4 << 20
)

// FileCache keeps runtime access in a JSON file, so that commands that end after
// one call share it (ADR 0029, Caching). It is an AccessCache: whatever is wrong
// with the file, a call at most asks the platform once more. Nobody but the
// file's owner can read it, from its first byte on. Processes may use one file
// at the same time; so may several FileCaches.
type FileCache struct {
	path string
	// off is set when the file holds access that was rejected and will not let
	// go of it: then nothing of it is used any more.
	off atomic.Bool
}

// NewFileCache makes a cache of the file at path, which need not exist; its
// directory is made when there is something to keep. Beside the file lie
// path.lock, which is always empty, and for a moment path.new.
func NewFileCache(path string) *FileCache { return &FileCache{path: path} }

// cacheFile is the document. Runtime tokens are in it; the platform's is not.
type cacheFile struct {
	Version int         `json:"version"`
	Entries []fileEntry `json:"entries"`
}

// fileEntry is the access of one session.
type fileEntry struct {
	Backend    string     `json:"backend"`
	User       string     `json:"user"`
	SessionUID string     `json:"session_uid"`
	RPCURL     string     `json:"rpc_url"`
	Token      string     `json:"token"`
	CanSubmit  bool       `json:"can_submit"`
	ReceivedAt time.Time  `json:"received_at"`
	ExpiresAt  *time.Time `json:"expires_at"` // null when the backend gave none
}

func newFileEntry(key AccessKey, access Access) fileEntry {
	entry := fileEntry{
		Backend: key.Backend, User: key.User, SessionUID: key.SessionUID,
		RPCURL: access.RPCURL, Token: access.Token, CanSubmit: access.CanSubmit, ReceivedAt: access.ReceivedAt,
	}
	if !access.ExpiresAt.IsZero() {
		entry.ExpiresAt = &access.ExpiresAt
	}
	return entry
}

func (e fileEntry) key() AccessKey {
	return AccessKey{Backend: e.Backend, User: e.User, SessionUID: e.SessionUID}
}

func (e fileEntry) access() Access {
	access := Access{RPCURL: e.RPCURL, Token: e.Token, CanSubmit: e.CanSubmit, ReceivedAt: e.ReceivedAt}
	if e.ExpiresAt != nil {
		access.ExpiresAt = *e.ExpiresAt
	}
	return access
}

// Get gives what was put in, by whichever process. It needs no lock: the file is
// only ever replaced as a whole.
func (f *FileCache) Get(key AccessKey) (Access, bool) {
	if f.off.Load() {
		return Access{}, false
	}
	for _, entry := range f.read() {
		if entry.key() == key {
			return entry.access(), true
		}
	}
	return Access{}, false
}

// Put also drops what can no longer be used. Using access does not write it
// again, so that its time goes on counting from its receipt.
func (f *FileCache) Put(key AccessKey, access Access) {
	if f.off.Load() {
		return
	}
	held, unlock := f.lock()
	defer unlock()
	if !held {
		return // someone is stuck with the lock; what is lost costs one question
	}
	entries := append(others(f.read(), key), newFileEntry(key, access))
	now := time.Now()
	entries = slices.DeleteFunc(entries, func(e fileEntry) bool { return !e.access().reusable(now) })
	_ = f.write(entries) // a cache that cannot be written forgets
}

// Clear drops the access of one session. It insists: without the lock, and at
// the worst with the loss of the whole file, because rejected access must go.
func (f *FileCache) Clear(key AccessKey) {
	_, unlock := f.lock()
	defer unlock()
	before := f.read()
	after := others(before, key)
	if len(after) == len(before) || f.write(after) == nil {
		return
	}
	if os.Remove(f.path) != nil && os.Truncate(f.path, 0) != nil {
		f.off.Store(true)
	}
}

// others are the entries of all other keys.
func others(entries []fileEntry, key AccessKey) []fileEntry {
	return slices.DeleteFunc(slices.Clone(entries), func(e fileEntry) bool { return e.key() == key })
}

// read returns what can be read; a file that is not there or not ours is empty.
func (f *FileCache) read() []fileEntry {
	// Looked at before it is opened: opening a named pipe would wait for ever.
	info, err := os.Stat(f.path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }() // only read from: nothing can be lost
	content, err := io.ReadAll(io.LimitReader(file, maxCacheFile+1))
	if err != nil || len(content) > maxCacheFile {
		return nil
	}
	return readCacheFile(content)
}

// readCacheFile reads the document as a whole or not at all. What an entry is
// worth is judged when it is used.
func readCacheFile(content []byte) []fileEntry {
	var document cacheFile
	if json.Unmarshal(content, &document) != nil || document.Version != cacheFileVersion {
		return nil
	}
	return document.Entries
}

// write replaces the file. The new one is made under a name of its own, readable
// by its owner alone, and moved into place when it is whole: a reader sees the
// old or the new one. It is not forced onto the disk, which would keep others
// waiting for the lock: what a failing power leaves of it is survived as any
// other spoilt file.
func (f *FileCache) write(entries []fileEntry) error {
	content, err := json.Marshal(cacheFile{Version: cacheFileVersion, Entries: entries})
	if err != nil {
		return err
	}
	next := f.path + ".new"
	file, err := createPrivate(next)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = f.replace(next)
	}
	if err != nil {
		_ = os.Remove(next)
	}
	return err
}

// createPrivate makes a file that is its owner's alone before anything is in it.
func createPrivate(path string) (*os.File, error) {
	_ = os.Remove(path) // left by a process that was killed
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// replace moves the new file into place, also into that of an empty directory.
func (f *FileCache) replace(next string) error {
	err := os.Rename(next, f.path)
	if info, looked := os.Lstat(f.path); err != nil && looked == nil && info.IsDir() && os.Remove(f.path) == nil {
		err = os.Rename(next, f.path)
	}
	return err
}

// lockWait is how long the lock is waited for. A file is written in about a
// millisecond, and even a slow disk and a few others before us need less.
const lockWait = 500 * time.Millisecond

// lock keeps other processes from writing. held is false when it was not to be
// had in time. Where there can be no lock at all, it counts as held: then the
// worst that happens is that an entry is lost. unlock is never nil.
//
// The system is asked to wait, rather than asked again and again: that wakes at
// once and takes none of a virtual clock's time, so that it is not left to
// chance what two commands of one moment are told apart by. The goroutine that
// waits ends when the holder lets go, at the latest with the process.
func (f *FileCache) lock() (held bool, unlock func()) {
	unlock = func() {}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return true, unlock
	}
	side, err := os.OpenFile(f.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return true, unlock
	}
	granted, givenUp := make(chan struct{}), make(chan struct{})
	go func() {
		lockFile(side)
		select {
		case granted <- struct{}{}:
		case <-givenUp:
			_ = side.Close()
		}
	}()
	timer := time.NewTimer(lockWait)
	defer timer.Stop()
	select {
	case <-granted:
		return true, func() { _ = side.Close() } // closing unlocks
	case <-timer.C:
		close(givenUp)
		return false, unlock
	}
}
