package client

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The wait for a lock is real: who holds it may be another process.
func TestFileCacheWaitsForItsLockAndNotForEver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cache.json")
	a, b := AccessKey{SessionUID: "a"}, AccessKey{SessionUID: "b"}
	cache := NewFileCache(path)
	cache.Put(a, freshAccess(runtimeToken))
	held, unlock := NewFileCache(path).lock()
	if !held {
		t.Fatal("a lock that nobody holds was not to be had")
	}
	cache.Put(b, freshAccess(runtimeToken))
	if _, ok := cache.Get(b); ok {
		t.Error("the file was written without its lock")
	}
	cache.Clear(a)
	if _, ok := cache.Get(a); ok {
		t.Error("rejected access waited for a lock")
	}
	time.AfterFunc(20*time.Millisecond, unlock)
	cache.Put(b, freshAccess(runtimeToken))
	if _, ok := cache.Get(b); !ok {
		t.Error("the lock was not waited for, or one of those who gave up holds it")
	}
}

func TestFileCacheSharedInOneMomentTakesNoTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		path, start := cachePath(t), time.Now()
		var writers sync.WaitGroup
		for i := range 4 {
			writers.Go(func() { writeMany(path, strconv.Itoa(i), 5) })
		}
		writers.Wait()
		mustHold(t, path, 4, 5)
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v of virtual time", took)
		}
	})
}

// cacheWriter tells a child process which writer it is; it works in the file's
// directory.
const cacheWriter = "A2A_TEST_CACHE_WRITER"

func writeMany(path, writer string, count int) {
	for i := range count {
		NewFileCache(path).Put(AccessKey{User: writer, SessionUID: strconv.Itoa(i)}, freshAccess("token"))
	}
}

// mustHold expects all that writeMany wrote.
func mustHold(t *testing.T, path string, writers, count int) {
	t.Helper()
	got, want := map[AccessKey]bool{}, map[AccessKey]bool{}
	for _, entry := range NewFileCache(path).read() {
		got[entry.key()] = true
	}
	for writer := range writers {
		for i := range count {
			want[AccessKey{User: strconv.Itoa(writer), SessionUID: strconv.Itoa(i)}] = true
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the file holds something else than was written (-want +got):\n%s", diff)
	}
}

func TestFileCacheLosesNothingBetweenProcesses(t *testing.T) {
	t.Parallel()
	const writers, count = 3, 20
	if writer := os.Getenv(cacheWriter); writer != "" {
		writeMany("cache.json", writer, count)
		return
	}
	dir := t.TempDir()
	var running []*exec.Cmd
	for writer := range writers {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), fmt.Sprintf("%s=%d", cacheWriter, writer))
		child.Dir = dir
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, child)
	}
	for _, child := range running {
		if err := child.Wait(); err != nil {
			t.Error(err)
		}
	}
	mustHold(t, filepath.Join(dir, "cache.json"), writers, count)
}
