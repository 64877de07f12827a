package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func (w *world) cacheFile() string {
	return filepath.Join(w.env["HOME"], ".config", "a2a-conform", "runtime_access_cache.json")
}

func TestAccessIsKeptBetweenCommands(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		between func(w *world)
		asks    int
	}{
		"of one user":              {func(*world) {}, 1},
		"for a minute":             {func(*world) { <-time.After(time.Minute) }, 2}, // virtual
		"not for another one":      {func(w *world) { w.env[tokenVariable] = "anotherTokenOfTheTests" }, 2},
		"not for another platform": {func(w *world) { w.env[endpointVariable] = "http://other.test" }, 2},
		"not in another home":      {func(w *world) { w.env["HOME"] = w.t.TempDir() }, 2},
		"not without a home":       {func(w *world) { w.env["HOME"] = "" }, 2},
		"not when it was spoilt": {func(w *world) {
			if err := os.Truncate(w.cacheFile(), 100); err != nil {
				w.t.Fatal(err)
			}
		}, 2},
		"not under a file": {func(w *world) {
			w.env["XDG_CONFIG_HOME"] = put(w.t, w.t.TempDir(), "file", "")
		}, 2},
	} {
		onVirtualTime(t, what, func(w *world) {
			t := w.t
			for i := range 2 {
				if i == 1 {
					test.between(w)
				}
				if got := w.run(session, "--message", "Hello"); got.exit != 0 || !strings.Contains(got.out, `"text": "Hello"`) || got.err != "" {
					t.Fatalf("got %+v", got)
				}
			}
			if asks := w.times(resolve); asks != test.asks {
				t.Errorf("asked for access %d times, want %d", asks, test.asks)
			}
		})
	}
}

func TestTheCacheFileIsItsUsersAlone(t *testing.T) {
	t.Parallel()
	onVirtualTime(t, "mode and content", func(w *world) {
		t := w.t
		if got := w.run(session, "--message", "Hello"); got.exit != 0 {
			t.Fatal(got.err)
		}
		info, err := os.Stat(w.cacheFile())
		if err != nil || info.Mode() != 0o600 {
			t.Fatalf("got %v, %v", info, err)
		}
		content, err := os.ReadFile(w.cacheFile())
		if err != nil {
			t.Fatal(err)
		}
		if text := string(content); !strings.Contains(text, runtimeToken) || strings.Contains(text, platformToken) || strings.Contains(text, refreshToken) {
			t.Errorf("the file holds %s", text)
		}
	})
}

func TestRejectedAccessIsForgotten(t *testing.T) {
	t.Parallel()
	for what, then := range map[string]answer{
		"blocked":   {200, blocking("unavailable", "null")},
		"not ready": {200, blocking("waking", "7200000")},
		"hanging":   {},
	} {
		onVirtualTime(t, what, func(w *world) {
			t := w.t
			if got := w.run(session, "--message", "Hello"); got.exit != 0 {
				t.Fatal(got.err)
			}
			w.answers[messageSend] = answer{401, ""}
			w.answers[resolve] = then
			if got := w.run(session, "--message", "Hello"); got.exit != 1 || !strings.HasSuffix(got.err, "\nmessage id: msg-made-2\n") {
				t.Fatalf("got %+v", got)
			}
			if content, err := os.ReadFile(w.cacheFile()); err != nil || strings.Contains(string(content), runtimeToken) {
				t.Errorf("the file holds %s, %v", content, err)
			}
		})
	}
}
