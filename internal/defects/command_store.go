package defects

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// entry is access as the file has it.
type entry struct {
	RPCURL   string     `json:"rpc_url"`
	Token    string     `json:"token"`
	Expires  *time.Time `json:"expires_at"`
	Received time.Time  `json:"received_at"`
}

// stored is the whole file: access by whose it is.
type stored struct {
	Version int              `json:"version"`
	Entries map[string]entry `json:"entries"`
}

// storedVersion is the form of the file that is read and written; any other is none.
const storedVersion = 1

// store is the file in the home of the user; empty where there is no home.
func (s *start) store() string {
	home := s.process.Env("HOME")
	switch {
	case home == "", s.has("command-keeps-nothing"):
		return ""
	case s.has("command-keeps-access-elsewhere"):
		return filepath.Join(home, ".small", "access")
	}
	return filepath.Join(home, ".config", "mainsequence", "runtime_access_cache.json")
}

// key says whose access it is, in a form that tells nobody (ADR, Caching: backend, user and session).
func (s *start) key() string {
	backend, user, session := s.platform.URL, cmp.Or(s.user, s.platform.Token), s.call.Session
	switch {
	case s.has("command-one-access-for-all-sessions"):
		session = ""
	case s.has("command-one-access-for-all-users"):
		user = ""
	case s.has("command-one-access-for-all-backends"):
		backend, user = "", ""
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{backend, user, session}, "\x00")))
	return hex.EncodeToString(sum[:])
}

// scope is the same for the cache of the client.
func (s *start) scope() scope {
	return scope{backend: s.platform.URL, user: s.call.User, session: s.call.Session}
}

// readStore reads the file. One that is not there, or is none, has no entries.
func readStore(path string) (stored, error) {
	none := stored{storedVersion, map[string]entry{}}
	content, err := os.ReadFile(path)
	if err != nil {
		return none, err
	}
	var found stored
	if err := json.Unmarshal(content, &found); err != nil {
		return none, err
	}
	if found.Version != storedVersion || found.Entries == nil {
		return none, errors.New("it is of another version")
	}
	return found, nil
}

// prepare gives the client the access that lies in the file. Trouble with that is no trouble for the send.
func (s *start) prepare(ctx context.Context, client *instance) *failure {
	if failed := s.introduce(ctx, client); failed != nil {
		return failed
	}
	path := s.store()
	if path == "" {
		return nil
	}
	found, err := readStore(path)
	if failed := s.troubled(path, err); failed != nil {
		return failed
	}
	s.found = found
	e, ok := found.Entries[s.key()]
	if !ok {
		return nil
	}
	s.laid = s.revived(e)
	s.secrets = append(s.secrets, e.Token)
	client.cache.mu.Lock()
	defer client.cache.mu.Unlock()
	client.cache.held[s.scope()] = s.laid
	if s.has("command-says-when-access-was-kept") {
		s.call.Input.Message = evidence.Some(s.call.Input.Message.Or("") + " (on kept access)")
	}
	return nil
}

// revived is access out of the file. Its own times say how long it is good for.
func (s *start) revived(e entry) access {
	a := access{rpcURL: e.RPCURL, token: e.Token, received: e.Received, keep: true}
	if e.Expires != nil {
		a.expires = *e.Expires
	}
	switch {
	case s.has("command-expiry-not-looked-at"):
		a.expires = time.Now().Add(time.Hour)
	case e.Expires != nil && s.has("command-skew-left-out"):
		a.expires = a.expires.Add(skew)
	case e.Expires != nil && s.has("command-expiry-in-another-zone"):
		a.expires = a.expires.Add(2 * time.Hour)
	case e.Expires == nil && s.has("command-fallback-counts-from-its-start"):
		a.received = time.Now()
	case e.Expires == nil && s.has("command-fallback-of-a-day"):
		a.expires = e.Received.Add(24 * time.Hour)
	}
	return a
}

// keep writes what the call has made of the access: it was replaced, or rejected and forgotten, or is as it was.
func (s *start) keep(ctx context.Context, client *instance, failed *failure) *failure {
	path := s.store()
	if path == "" || ctx.Err() != nil && s.has("command-writes-nothing-when-interrupted") {
		return failed
	}
	client.cache.mu.Lock()
	held, ok := client.cache.held[s.scope()]
	client.cache.mu.Unlock()
	if blocked, heard := s.overheard(failed); heard {
		held, ok = blocked, true
	}
	if ok && held.token == s.laid.token && held.received.Equal(s.laid.received) {
		s.use(path)
		return failed
	}
	if !ok && (s.laid.token == "" || s.leaves(failed)) {
		return failed
	}
	err := s.change(path, func(all map[string]entry) {
		switch key := s.key(); {
		case ok:
			all[key] = s.written(held)
		case all[key].Token == s.laid.token:
			delete(all, key)
		}
	})
	return s.unwritten(err, failed)
}

// written is access for the file.
func (s *start) written(a access) entry {
	e := entry{RPCURL: a.rpcURL, Token: a.token, Received: a.received}
	if !a.expires.IsZero() && !s.has("command-expiry-not-stored") {
		e.Expires = &a.expires
	}
	return e
}

func sameEntry(a, b entry) bool {
	return a.Token == b.Token && a.RPCURL == b.RPCURL && a.Received.Equal(b.Received)
}

// change reads the file afresh, changes it and puts it in its place as a whole, with no other command in between.
func (s *start) change(path string, edit func(map[string]entry)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	defer s.lock(path)()
	all, err := readStore(path)
	if err != nil {
		all = stored{storedVersion, map[string]entry{}}
	}
	if !maps.EqualFunc(all.Entries, s.found.Entries, sameEntry) && s.has("command-writes-what-it-read-before") {
		all = s.found
	}
	edit(all.Entries)
	content, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return s.replace(path, content)
}

// replace writes a file that is nobody else's to read from its first byte (ADR, Caching).
func (s *start) replace(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && s.has("command-keeps-a-copy") {
		_ = os.WriteFile(path+"~", old, 0o600)
	}
	mode := fs.FileMode(0o600)
	if s.has("command-file-open-to-all") {
		mode = 0o644
	}
	_ = os.Remove(path + ".new") // of a command that was killed
	file, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// How often the lock is tried for, first at once and then with a pause, and how long that is.
const (
	lockTries = 1000
	lockPause = time.Millisecond
)

// lock keeps other commands from the file until it is undone. A lock that lasts longer than a second was left behind by
// a command that was killed, and counts for nothing.
func (s *start) lock(path string) (undo func()) {
	name := path + ".lock"
	for try := range 2 * lockTries {
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_ = file.Close() // it is empty
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
		if try < lockTries {
			runtime.Gosched()
		} else {
			<-time.After(lockPause)
		}
	}
	return func() { _ = os.Remove(name) }
}
