package client

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// resolvesSecondTime reports whether a second call, made some time after the
// first, asks for access again. The expiry is JSON, "" for none.
func resolvesSecondTime(t *testing.T, expiry string, pause time.Duration) bool {
	t.Helper()
	more := ""
	if expiry != "" {
		more = `"expires_at":` + expiry + `,`
	}
	f := newFakeNet(t).platform(respond(200, admitting(runtimeToken, "http://runtime.test", more)), admits())
	f.runtime(says("1"), says("2"))
	c := f.client()
	f.mustSend(c)
	<-time.After(pause) // virtual
	f.mustSend(c)
	return len(f.requests(platformAddr)) == 2
}

func TestCachedAccess(t *testing.T) {
	in := func(d time.Duration) func() string {
		return func() string { return time.Now().UTC().Add(d).Format(`"2006-01-02T15:04:05Z"`) }
	}
	text := func(s string) func() string { return func() string { return s } }
	for name, test := range map[string]struct {
		expiry func() string
		pause  time.Duration
		asks   bool
	}{
		"no expiry, at once":        {text(""), 0, false},
		"no expiry, within 60 s":    {text(""), 59 * time.Second, false},
		"no expiry, after 60 s":     {text(""), 60 * time.Second, true},
		"null is no expiry":         {text("null"), 59 * time.Second, false},
		"before the skew":           {in(10 * time.Minute), 9 * time.Minute, false},
		"within the skew":           {in(10 * time.Minute), 9*time.Minute + 30*time.Second, true},
		"expired":                   {in(10 * time.Minute), 11 * time.Minute, true},
		"expires within its skew":   {in(20 * time.Second), 0, true},
		"already past, used once":   {in(-time.Hour), 0, true},
		"sooner than the fallback":  {in(50 * time.Second), 25 * time.Second, true},
		"unreadable is not kept":    {text(`"soon"`), 0, true},
		"a number is not kept":      {text("4102444800"), 0, true},
		"far ahead, without offset": {text(`"2999-01-01T00:00:00"`), time.Hour, false},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			if got := resolvesSecondTime(t, test.expiry(), test.pause); got != test.asks {
				t.Errorf("the second call asked: %v, want %v", got, test.asks)
			}
		})
	}
}

func TestReadExpiry(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 9, 3, 10, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"2026-09-03T10:00:00Z", "2026-09-03T10:00:00.000000Z", "2026-09-03T10:00:00", "2026-09-03 10:00:00",
		"2026-09-03T12:00:00+02:00", "2026-09-03T12:00:00+0200", "2026-09-03T10:00", "2026-09-03T10:00Z",
	} {
		if got, ok := readExpiry(text); !ok || !got.Equal(want) {
			t.Errorf("%s: got %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "soon", "1788", "2026-13-03T10:00:00Z"} {
		if _, ok := readExpiry(text); ok {
			t.Errorf("%q was taken for a time", text)
		}
	}
}

// cannedCache hands out the same access to everyone.
type cannedCache struct {
	access  Access
	cleared []AccessKey
	put     []AccessKey
}

func (c *cannedCache) Get(AccessKey) (Access, bool) { return c.access, true }
func (c *cannedCache) Put(key AccessKey, _ Access)  { c.put = append(c.put, key) }
func (c *cannedCache) Clear(key AccessKey)          { c.cleared = append(c.cleared, key) }
func (f *fakeNet) clientWith(cache AccessCache, user string) *Client {
	f.t.Helper()
	c, err := New(Config{PlatformURL: "http://platform.test/", PlatformToken: platformToken, User: user, DialContext: f.dial, Cache: cache})
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func TestCachedAccessIsJudged(t *testing.T) {
	for name, spoil := range map[string]func(*Access){
		"blocked":           func(a *Access) { a.CanSubmit = false },
		"no token":          func(a *Access) { a.Token = "" },
		"token with a line": func(a *Access) { a.Token = "a\r\nb" },
		"no URL":            func(a *Access) { a.RPCURL = "runtime.test" },
		"from the future":   func(a *Access) { a.ReceivedAt = a.ReceivedAt.Add(time.Hour) },
		"of no known time":  func(a *Access) { a.ReceivedAt = time.Time{} },
	} {
		bubbleRun(t, name, func(t *testing.T) {
			cache := &cannedCache{access: Access{RPCURL: "http://old.test", Token: "oldTokenOfTheTests", CanSubmit: true, ReceivedAt: time.Now()}}
			spoil(&cache.access)
			f := newFakeNet(t).platform(admits()).runtime(says("Hello"))
			f.mustSend(f.clientWith(cache, ""))
			if len(cache.put) != 1 {
				t.Errorf("kept %v", cache.put)
			}
		})
	}
}

func TestRejectedCachedAccessIsClearedAndReplaced(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cache := &cannedCache{access: Access{RPCURL: "http://old.test", Token: "oldTokenOfTheTests", CanSubmit: true, ReceivedAt: time.Now()}}
		f := newFakeNet(t).platform(admits()).runtime(respond(401, ""))
		f.replies["old.test:80"] = []reply{respond(403, "")}
		c := f.clientWith(cache, "ada")
		_, err := f.send(c)
		mustFail[*UnauthorizedError](t, err)
		want := AccessKey{Backend: "http://platform.test", User: "ada", SessionUID: session}
		if len(cache.cleared) != 2 || cache.cleared[0] != want || cache.cleared[1] != want || cache.put[0] != want {
			t.Errorf("cleared %v, put %v", cache.cleared, cache.put)
		}
		if err := c.Close(); err != nil || len(cache.cleared) != 2 {
			t.Errorf("Close touched the caller's cache: %v, %v", err, cache.cleared)
		}
	})
}

func TestBlockedAnswersAreNotKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(respond(200, blocking("unavailable", "null")), admits()).runtime(says("Hello"))
		c := f.client()
		_, err := f.send(c)
		mustFail[*BlockedError](t, err)
		f.mustSend(c)
	})
}

func TestMemoryCache(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := newMemoryCache()
		fresh := Access{RPCURL: "http://r", Token: "t", CanSubmit: true, ReceivedAt: time.Now()}
		a, b := AccessKey{SessionUID: "a"}, AccessKey{SessionUID: "b"}
		m.Put(a, fresh)
		if got, ok := m.Get(a); !ok || got != fresh {
			t.Errorf("got %v, %v", got, ok)
		}
		if _, ok := m.Get(b); ok {
			t.Error("one session's access was given to another")
		}
		<-time.After(fallbackTTL)
		m.Put(b, fresh)
		if _, ok := m.Get(a); ok {
			t.Error("access that is no longer good is still held")
		}
		m.Put(a, fresh)
		m.Clear(a)
		if _, ok := m.Get(a); ok {
			t.Error("cleared access is still held")
		}
	})
}

func TestCloseForgetsAccess(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(admits(), admits()).runtime(says("1"), says("2"))
		c := f.client()
		f.mustSend(c)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		f.mustSend(c)
		if got := len(f.requests(platformAddr)); got != 2 {
			t.Errorf("%d resolves, want 2", got)
		}
	})
}

func TestAccessHidesItsToken(t *testing.T) {
	t.Parallel()
	access := Access{RPCURL: "http://user:pass@r", Token: runtimeToken}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%q"} {
		if got := fmt.Sprintf(verb, access); strings.Contains(got, runtimeToken) || strings.Contains(got, "pass") {
			t.Errorf("%s shows %s", verb, got)
		}
	}
	if access.String() == "" || strings.Contains(fingerprint(runtimeToken), runtimeToken) {
		t.Error("the forms for people are not right")
	}
}
