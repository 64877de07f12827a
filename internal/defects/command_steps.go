package defects

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// introduce is what comes before a send: nothing has to (ADR, CLI Contract).
func (s *start) introduce(ctx context.Context, client *instance) *failure {
	home := filepath.Join(s.process.Env("HOME"), ".config", "mainsequence")
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(home, name))
		return err == nil
	}
	switch {
	case !there("credentials") && s.has("command-needs-a-login"):
		return fail(evidence.Other, "you are not logged in")
	case !there("runtime_access_cache.json") && s.has("command-needs-access-beforehand"):
		return fail(evidence.Other, "there is no access to this session's runtime")
	case !there("config.json") && s.has("command-works-from-the-second-time-on"):
		_ = os.MkdirAll(home, 0o700)
		_ = os.WriteFile(filepath.Join(home, "config.json"), []byte("{}"), 0o600)
		return fail(evidence.Other, "the configuration was made: start the command again")
	case s.has("command-asks-who-it-is"):
		return s.ask(ctx, client)
	}
	return nil
}

// ask asks the platform who the user is, within the time of the send.
func (s *start) ask(ctx context.Context, client *instance) *failure {
	began := time.Now()
	given := s.call.Input.Timeout.Or(evidence.Timeout{Pair: true, Connect: 5, Read: 900})
	limit, rest := given.Total, &given.Total
	if given.Pair {
		limit, rest = given.Connect, &given.Read
	}
	ctx, cancel := context.WithTimeout(ctx, duration(limit))
	defer cancel()
	answer, failed := (&call{instance: client, platform: s.platform, caller: ctx, ctx: ctx}).exchange(request{
		method: http.MethodGet, target: s.platform.URL + "/api/v1/users/me/", header: http.Header{"Authorization": {"Bearer " + s.platform.Token}},
	})
	var me struct {
		Username string `json:"username"`
	}
	if json.Unmarshal(answer.body, &me) == nil {
		s.user = me.Username
	}
	*rest -= time.Since(began).Seconds()
	s.call.Input.Timeout = evidence.Some(given)
	return failed
}

// tries tells whether the command sends once more by itself: it never does (ADR, CLI Contract).
func (s *start) tries(f *failure, done int) bool {
	if f == nil || done > 1 {
		return false
	}
	switch {
	case f.category == evidence.Transport && s.has("command-crashes-when-an-exchange-breaks"):
		panic("runtime error: invalid memory address or nil pointer dereference")
	case f.category == evidence.Transport && s.has("command-repeats-when-the-exchange-breaks"),
		f.category == evidence.TimedOut && s.has("command-repeats-after-a-timeout"),
		f.category == evidence.MessageLimit && s.has("command-repeats-at-the-limit"),
		f.category == evidence.Unauthorized && s.has("command-repeats-when-rejected-twice"),
		f.category == evidence.ServerFailed && s.has("command-repeats-when-the-server-fails"),
		f.category == evidence.InvalidResponse && s.has("command-repeats-after-an-invalid-answer"):
		return true
	case f.status == http.StatusTooManyRequests && s.has("command-repeats-when-told-to-come-later"):
		<-time.After(time.Second)
		return true
	}
	return false
}

// troubled lets trouble with reading the cache end the command: it never does (ADR, Caching: an optimisation).
func (s *start) troubled(path string, err error) *failure {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var place *fs.PathError
	var syntax *json.SyntaxError
	info, _ := os.Stat(path)
	empty := info != nil && info.Mode().IsRegular() && info.Size() == 0
	switch unreadable, corrupt := errors.As(err, &place), errors.As(err, &syntax); {
	case unreadable && s.has("command-unreadable-cache-ends-it"),
		empty && s.has("command-empty-cache-ends-it"),
		corrupt && !empty && s.has("command-corrupt-cache-ends-it"),
		!unreadable && !corrupt && s.has("command-cache-of-another-version-ends-it"):
		return fail(evidence.Other, "the access cache cannot be read: %v", err)
	}
	return nil
}

// unwritten lets trouble with writing the cache decide what comes of the send: it never does.
func (s *start) unwritten(err error, failed *failure) *failure {
	if err != nil && failed == nil && s.has("command-unwritable-cache-loses-the-answer") {
		return fail(evidence.Other, "the access cache cannot be written: %v", err)
	}
	return failed
}

// use lets the use of access change what is known of it: it does not.
func (s *start) use(path string) {
	if !s.laid.expires.IsZero() || s.laid.token == "" || !s.has("command-use-prolongs-the-fallback") {
		return
	}
	_ = s.change(path, func(all map[string]entry) {
		used := all[s.key()]
		used.Received = time.Now()
		all[s.key()] = used
	})
}

// leaves tells whether rejected access stays in the file: it never does (ADR, Caching).
func (s *start) leaves(failed *failure) bool {
	status := s.heard.rejection()
	return s.has("command-rejected-access-left") ||
		status == http.StatusForbidden && s.has("command-access-left-after-403") ||
		status == http.StatusUnauthorized && s.has("command-access-left-after-401") ||
		failed != nil && failed.category == evidence.Blocked && s.has("command-access-left-when-blocked") ||
		failed != nil && failed.category == evidence.NotReady && s.has("command-access-left-when-not-ready") ||
		failed != nil && failed.category == evidence.ServerFailed && s.has("command-access-left-when-refresh-fails")
}

// overheard is access of an answer that did not admit: it is never kept (ADR, Caching).
func (s *start) overheard(failed *failure) (access, bool) {
	if failed == nil || failed.category != evidence.Blocked && failed.category != evidence.NotReady || !s.has("command-keeps-blocked-access") {
		return access{}, false
	}
	answer, _ := objectOf(s.heard.lastResolve())
	address, some := textOf(answer["rpc_url"])
	token, _ := textOf(answer["token"])
	return access{rpcURL: address, token: token, expires: time.Now().Add(time.Hour), received: time.Now(), keep: true}, some && usable(token)
}

// listener hears what goes by below the client: some switches look at it.
type listener struct {
	http.RoundTripper

	mu       sync.Mutex
	resolve  bytes.Buffer
	rejected int
	sends    int
}

// listen puts a listener below a client.
func listen(client *http.Client) *listener {
	l := &listener{RoundTripper: client.Transport}
	client.Transport = l
	return l
}

// RoundTrip implements http.RoundTripper.
func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	send := strings.HasSuffix(r.URL.Path, "/message:send")
	l.mu.Lock()
	if send {
		l.sends++
	}
	l.mu.Unlock()
	answer, err := l.RoundTripper.RoundTrip(r)
	if err != nil {
		return answer, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case send && rejected(answer.StatusCode):
		l.rejected = answer.StatusCode
	case strings.HasSuffix(r.URL.Path, "/resolve-runtime-access/"):
		l.resolve.Reset()
		answer.Body = tee{io.TeeReader(answer.Body, &l.resolve), answer.Body}
	}
	return answer, nil
}

// tee is a body that is heard while it is read.
type tee struct {
	io.Reader
	io.Closer
}

func (l *listener) lastResolve() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.resolve.Bytes()
}

// rejection is the status with which a send was rejected last, zero where none was.
func (l *listener) rejection() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rejected
}

// nothingSent tells whether no send was begun.
func (l *listener) nothingSent() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sends == 0
}
