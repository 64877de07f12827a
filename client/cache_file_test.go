package client

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// freshAccess is good for a minute.
func freshAccess(token string) Access {
	return Access{RPCURL: "http://runtime.test/", Token: token, CanSubmit: true, ReceivedAt: time.Now()}
}

func cachePath(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "made", "on demand", "cache.json")
}

// command sends one message the way a command does: with a client that lives for
// this call alone.
func (f *fakeNet) command(path string) (Result, error) {
	f.t.Helper()
	return f.send(f.clientWith(NewFileCache(path), "ada"))
}

func TestFileCacheKeepsAccessBetweenCommands(t *testing.T) {
	in := func(d time.Duration) func() string {
		return func() string { return time.Now().UTC().Add(d).Format(`"2006-01-02T15:04:05Z"`) }
	}
	null := func() string { return "null" }
	for name, test := range map[string]struct {
		expiry func() string
		pauses []time.Duration // before each further command
		asks   int
	}{
		"no expiry, within 60 s":    {null, []time.Duration{59 * time.Second}, 1},
		"no expiry, after 60 s":     {null, []time.Duration{60 * time.Second}, 2},
		"use does not prolong it":   {null, []time.Duration{40 * time.Second, 20 * time.Second}, 2},
		"before the skew":           {in(10 * time.Minute), []time.Duration{9 * time.Minute}, 1},
		"within the skew":           {in(10 * time.Minute), []time.Duration{9*time.Minute + 30*time.Second}, 2},
		"an early expiry wins":      {in(50 * time.Second), []time.Duration{25 * time.Second}, 2},
		"within the skew from then": {in(20 * time.Second), []time.Duration{0}, 2},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			path := cachePath(t)
			f := newFakeNet(t).platform(respond(200, admitting(runtimeToken, "http://runtime.test", `"expires_at":`+test.expiry()+`,`)), admits())
			for _, pause := range append([]time.Duration{0}, test.pauses...) {
				<-time.After(pause) // virtual
				f.runtime(says("Hello"))
				if _, err := f.command(path); err != nil {
					t.Fatal(err)
				}
			}
			if got := len(f.requests(platformAddr)); got != test.asks {
				t.Errorf("asked for access %d times, want %d", got, test.asks)
			}
		})
	}
}

func TestFileCacheGivesBackWhatWasPutIn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		path := cachePath(t)
		key := AccessKey{Backend: "http://platform.test", User: "ada", SessionUID: session}
		plain := freshAccess("plainToken")
		expiring := freshAccess("expiringToken<&>")
		expiring.ExpiresAt = time.Date(2999, 1, 1, 2, 0, 0, 5000, time.FixedZone("", 7200))
		for _, want := range []Access{plain, expiring} {
			NewFileCache(path).Put(key, want)
			got, ok := NewFileCache(path).Get(key)
			if !ok || newFileEntry(key, got).Token != want.Token || got.RPCURL != want.RPCURL || !got.CanSubmit ||
				!got.ReceivedAt.Equal(want.ReceivedAt) || !got.ExpiresAt.Equal(want.ExpiresAt) {
				t.Errorf("got %v, %+v, want %+v", ok, newFileEntry(key, got), newFileEntry(key, want))
			}
		}
		for _, other := range []AccessKey{
			{Backend: "http://other.test", User: "ada", SessionUID: session},
			{Backend: "http://platform.test", User: "bob", SessionUID: session},
			{Backend: "http://platform.test", User: "ada", SessionUID: "another"},
		} {
			if _, ok := NewFileCache(path).Get(other); ok {
				t.Errorf("%+v was given the access of %+v", other, key)
			}
		}
	})
}

func TestFileCacheDropsWhatIsOfNoMoreUse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		path := cachePath(t)
		cache := NewFileCache(path)
		blocked := freshAccess("blockedToken")
		blocked.CanSubmit = false
		cache.Put(AccessKey{SessionUID: "old"}, freshAccess("oldToken"))
		<-time.After(fallbackTTL) // virtual
		cache.Put(AccessKey{SessionUID: "blocked"}, blocked)
		cache.Put(AccessKey{SessionUID: "new"}, freshAccess("newToken"))
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(content); !strings.Contains(text, "newToken") || strings.Contains(text, "oldToken") || strings.Contains(text, "blockedToken") {
			t.Errorf("the file holds %s", text)
		}
	})
}

func TestFileCacheForgetsRejectedAccess(t *testing.T) {
	for name, then := range map[string]reply{
		"and takes fresh access":            admitsWith("freshTokenOfTheTests", "http://runtime.test"),
		"and the refresh is blocked":        respond(200, blocking("unavailable", "null")),
		"and the refresh is not ready":      waking("3600000"),
		"and the refresh is never answered": silent(),
	} {
		bubbleRun(t, name, func(t *testing.T) {
			path := cachePath(t)
			f := newFakeNet(t).platform(admits(), then).runtime(says("1"), respond(403, ""), respond(401, ""))
			if _, err := f.command(path); err != nil {
				t.Fatal(err)
			}
			_, err := f.command(path)
			if err == nil {
				t.Fatal("the second command did not fail")
			}
			content, readErr := os.ReadFile(path)
			if readErr != nil || strings.Contains(string(content), "OfTheTests") {
				t.Errorf("the file holds %s, %v", content, readErr)
			}
			f.mu.Lock() // what the failed command left over is of no interest
			f.replies = map[string][]reply{}
			f.mu.Unlock()
		})
	}
}

// badFiles are what may lie in the place of the file. Each is laid at path.
func badFiles() map[string]func(path string) error {
	text := func(content string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(content), 0o600) }
	}
	return map[string]func(string) error{
		"nothing":         func(string) error { return nil },
		"empty":           text(""),
		"cut":             text(`{"version":1,"entries":[{"backend":"http://pl`),
		"garbage":         text("\x00\xff\x17garbage"),
		"foreign":         text(`["a"]`),
		"without version": text(`{"entries":[]}`),
		"a later version": text(`{"version":2,"entries":[]}`),
		"another type":    text(`{"version":1,"entries":[{"backend":5}]}`),
		"a time that is none": text(
			`{"version":1,"entries":[{"backend":"http://platform.test","user":"ada","session_uid":"` + session + `","received_at":"soon"}]}`),
		"too long":           text(strings.Repeat(" ", maxCacheFile+1)),
		"an empty directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a dangling link":    func(path string) error { return os.Symlink(path+".nowhere", path) },
	}
}

func TestFileCacheReplacesWhatIsBad(t *testing.T) {
	for name, lay := range badFiles() {
		bubbleRun(t, name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "cache.json")
			if err := lay(path); err != nil {
				t.Fatal(err)
			}
			f := newFakeNet(t).platform(admits()).runtime(says("1"), says("2"))
			for range 2 {
				if _, err := f.command(path); err != nil {
					t.Fatal(err)
				}
			}
			if got := len(f.requests(platformAddr)); got != 1 {
				t.Errorf("asked for access %d times: the file was not replaced", got)
			}
		})
	}
}

func TestFileCacheThatCannotBeKeptFailsNothing(t *testing.T) {
	file := func(path string) error { return os.WriteFile(path, nil, 0o600) }
	full := func(path string) error { return os.MkdirAll(filepath.Join(path, "something"), 0o700) }
	for name, lay := range map[string]func(dir string) (path string, err error){
		"a full directory in its place": func(dir string) (string, error) { return dir + "/cache", full(dir + "/cache") },
		"below a file":                  func(dir string) (string, error) { return dir + "/file/cache", file(dir + "/file") },
		"its next form is taken":        func(dir string) (string, error) { return dir + "/cache", full(dir + "/cache.new") },
		"its lock is taken":             func(dir string) (string, error) { return dir + "/a/\x00", nil },
		"no name":                       func(string) (string, error) { return "", nil },
	} {
		bubbleRun(t, name, func(t *testing.T) {
			path, err := lay(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			f := newFakeNet(t).platform(admits(), admits(), admits()).runtime(says("1"), respond(401, ""), says("2"))
			for range 2 {
				if _, err := f.command(path); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestFileCacheGivesUpAFileThatWillNotLetGo(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("the superuser may write everywhere, so no file withstands it")
	}
	path := filepath.Join(t.TempDir(), "cache.json")
	cache := NewFileCache(path)
	key := AccessKey{SessionUID: session}
	cache.Put(key, freshAccess(runtimeToken))
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(path)
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	if _, ok := cache.Get(key); !ok {
		t.Error("a file that can be read was not used")
	}
	cache.Clear(key)
	if _, ok := cache.Get(key); ok {
		t.Error("access that was cleared is still given out")
	}
	cache.Put(key, freshAccess("another"))
	if _, ok := cache.Get(key); ok {
		t.Error("a file that holds on to rejected access is used again")
	}
}

func TestFileCacheClearsByRemovingWhatCannotBeRewritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cache.json")
	cache := NewFileCache(path)
	cache.Put(AccessKey{SessionUID: session}, freshAccess(runtimeToken))
	if err := os.MkdirAll(path+".new/in the way", 0o700); err != nil {
		t.Fatal(err)
	}
	cache.Clear(AccessKey{SessionUID: session})
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

func TestFileCacheIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	path := cachePath(t)
	NewFileCache(path).Put(AccessKey{SessionUID: session}, freshAccess(runtimeToken))
	// Rewritten with less, a file that was open to others is closed to them.
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	NewFileCache(path).Put(AccessKey{SessionUID: "b"}, freshAccess(runtimeToken))
	for name, want := range map[string]os.FileMode{path: 0o600, path + ".lock": 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), want)
		}
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) != 2 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestCreatePrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "next")
	if err := os.WriteFile(path, []byte("left by a killed process, open to all"), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := createPrivate(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 || info.Size() != 0 {
		t.Errorf("before its first byte the file has mode %v and %d bytes", info.Mode(), info.Size())
	}
}

func FuzzReadCacheFile(f *testing.F) {
	f.Add([]byte(`{"version":1,"entries":[{"backend":"http://p","user":"u","session_uid":"s","rpc_url":"http://r","token":"t","can_submit":true,"received_at":"2026-10-11T00:00:00Z","expires_at":null}]}`))
	f.Add([]byte(`{"version":1,"entries":[{"expires_at":"2026-10-11T00:00:00.5+02:00"}]}`))
	f.Add([]byte(`{"version":1,"entries":null}`))
	f.Add([]byte(`{"version":2}`))
	f.Add([]byte(``))
	f.Fuzz(func(t *testing.T, content []byte) {
		entries := readCacheFile(content)
		if len(entries) == 0 {
			return
		}
		cache := NewFileCache(filepath.Join(t.TempDir(), "cache.json"))
		if err := cache.write(entries); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if diff := cmp.Diff(entries, cache.read()); diff != "" {
			t.Errorf("what was written is read as something else:\n%s", diff)
		}
	})
}
