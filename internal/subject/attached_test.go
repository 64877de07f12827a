package subject

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

const soundHello = `{"type":"hello","protocol":1,"client":{"name":"toy"},"capabilities":["send","cancel"],"parallel":4}`

// serving is a driver that serves the protocol: say answers a message, by its last part of the path and its id.
type serving struct {
	say func(what, id string) (status int, body string)

	mu   sync.Mutex
	told []string
}

// asked is what serving reads of a message.
type asked struct {
	Type string `json:"type"`
	ID   string `json:"id"`
	Op   string `json:"op"`
}

func (s *serving) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m asked
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil || r.URL.Path != "/driver/"+m.Type {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	s.mu.Lock()
	s.told = append(s.told, strings.TrimSpace(m.Type+" "+m.ID))
	s.mu.Unlock()
	status, body := http.StatusOK, ""
	switch {
	case m.Op == unknownOp:
		body = fmt.Sprintf(`{"type":"unsupported","id":%q}`, m.ID)
	case s.say != nil:
		status, body = s.say(m.Type, m.ID)
	}
	if body == "" && m.Type == typeHello {
		body = soundHello
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// attaching starts a session with a served driver.
func attaching(t *testing.T, s *serving) (*Attached, error) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	a := Attach(server.URL + "/driver/")
	t.Cleanup(a.Stop)
	err := a.Start(t.Context(), Platform{URL: "http://127.0.0.1:1", Token: "t", RefreshToken: "r"})
	return a, err
}

func TestAttachedDriverMakesCalls(t *testing.T) {
	t.Parallel()
	gaveUp := make(chan struct{})
	ctx, giveUp := context.WithCancel(t.Context())
	s := &serving{}
	s.say = func(what, id string) (int, string) {
		switch {
		case what == typeCancel:
			close(gaveUp)
		case what == typeCall && id == "c3":
			giveUp()
			<-gaveUp
			return http.StatusOK, `{"type":"result","id":"c3","outcome":{"kind":"error","error":{"category":"other","name":"Cancelled"}}}`
		case what == typeCall:
			return http.StatusOK, fmt.Sprintf(`{"type":"result","id":%q,"elapsed":0.25,"outcome":{"kind":"message","message":{}}}`, id)
		}
		return http.StatusOK, ""
	}
	a, err := attaching(t, s)
	if err != nil {
		t.Fatal(err)
	}
	want := evidence.Subject{Kind: evidence.KindAttach, Name: "toy", Capabilities: []string{"cancel", "send"}, Parallel: 4}
	if diff := cmp.Diff(want, a.About()); diff != "" {
		t.Errorf("about: %s", diff)
	}
	i, err := a.Open(Env{})
	if err != nil {
		t.Fatal(err)
	}
	if got := i.Do(t.Context(), saying("hello")); got.Kind != evidence.OutcomeMessage || got.Elapsed == nil || *got.Elapsed != 250*time.Millisecond {
		t.Errorf("a call came to %+v", got)
	}
	if got := i.Do(ctx, saying("wait")); got.Error == nil || got.Error.Name != "Cancelled" {
		t.Errorf("a call whose caller gave up came to %+v", got)
	}
	a.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	if got := strings.Join(s.told, ", "); got != "hello, call c1, call c2, call c3, cancel c3, bye" {
		t.Errorf("the driver was told %q", got)
	}
}

func TestAttachedDriverThatIsNotReady(t *testing.T) {
	t.Parallel()
	hello := func(body string, status int) *serving {
		return &serving{say: func(what, _ string) (int, string) {
			if what != typeHello {
				return http.StatusOK, ""
			}
			return status, body
		}}
	}
	for _, test := range []struct {
		name   string
		driver *serving
		want   []string
	}{
		{"another protocol", hello(`{"type":"hello","protocol":2,"client":{"name":"x"},"capabilities":[]}`, 200), []string{"the protocol 2, and this version speaks 1"}},
		{"no JSON", hello("<html>", 200), []string{"cannot be read", "<html>"}},
		{"nothing of a hello", hello("{}", 200), []string{"names no protocol", "names no client", "lists no capabilities"}},
		{"an error", hello("", 500), []string{"did not say hello", "/driver/hello has the status 500, want 200"}},
		{"somewhere else", hello("", 302), []string{"status 302"}},
		{"a huge answer", hello(strings.Repeat(" ", longestLine+2), 200), []string{"an answer of more than 67108864 bytes"}},
	} {
		_, err := attaching(t, test.driver)
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 1000 {
				t.Errorf("%s: %.1000v, want it to say %q", test.name, err, want)
			}
		}
	}
}

func TestAttachedDriverThatBreaksItsProtocol(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"no JSON": "no JSON", "nothing": "", "another id": `{"type":"result","id":"c99","outcome":{"kind":"message","message":{}}}`,
		"another type": `{"type":"hello","id":"c2"}`, "a kind that is none": `{"type":"result","id":"c2","outcome":{"kind":"guess"}}`,
	} {
		a, err := attaching(t, &serving{say: func(what, id string) (int, string) {
			if what != typeCall {
				return http.StatusOK, ""
			}
			return http.StatusOK, strings.ReplaceAll(body, "c2", id)
		}})
		if err != nil {
			t.Fatal(err)
		}
		i := mustAttach(t, a)
		for n := range mostBreaches {
			if a.Lost() != nil {
				t.Errorf("%s: lost after %d breaches: %v", name, n, a.Lost())
			}
			if got := i.Do(t.Context(), saying("hello")); got.Kind != evidence.OutcomeUnsupported {
				t.Errorf("%s: a call came to %+v", name, got)
			}
			noticing, ok := i.(Breaching)
			if !ok || len(noticing.Breaches()) != 1 {
				t.Errorf("%s: not noticed once", name)
			}
		}
		if a.Lost() == nil || !strings.Contains(a.Lost().Error(), "broke the protocol 10 times") {
			t.Errorf("%s: lost: %v", name, a.Lost())
		}
	}
}

func mustAttach(t *testing.T, a *Attached) Instance {
	t.Helper()
	i, err := a.Open(Env{})
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestAttachedDriverThatIsNotThere(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&serving{})
	a := Attach(server.URL + "/driver")
	t.Cleanup(a.Stop)
	if err := a.Start(t.Context(), Platform{}); err != nil {
		t.Fatal(err)
	}
	server.Close()
	i := mustAttach(t, a)
	for range mostStarts {
		if a.Lost() != nil {
			t.Errorf("lost too early: %v", a.Lost())
		}
		if got := i.Do(t.Context(), saying("hello")); got.Kind != evidence.OutcomeCrash || got.Disturbed || !strings.Contains(got.Reason, "did not answer the call") {
			t.Errorf("a call came to %+v", got)
		}
	}
	if a.Lost() == nil || !strings.Contains(a.Lost().Error(), "answered none of 4 calls in a row") {
		t.Errorf("lost: %v", a.Lost())
	}
	if err := Attach(server.URL).Start(t.Context(), Platform{}); err == nil || !strings.Contains(err.Error(), "did not say hello") {
		t.Errorf("starting came to %v", err)
	}
}

func TestACancelWaitsForItsCall(t *testing.T) {
	t.Parallel()
	s := &serving{}
	gaveUp := make(chan struct{})
	s.say = func(what, id string) (int, string) {
		switch what {
		case typeCancel:
			close(gaveUp)
		case typeCall:
			<-gaveUp
			return http.StatusOK, fmt.Sprintf(`{"type":"result","id":%q,"outcome":{"kind":"message","message":{}}}`, id)
		}
		return http.StatusOK, ""
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	a := Attach(server.URL + "/driver/")
	t.Cleanup(a.Stop)
	a.about.Capabilities = []string{"cancel"}
	// The call gets no connection for a while, and that is all the driver is asked for meanwhile.
	dialled, open := make(chan struct{}, 2), make(chan struct{})
	a.http.Transport = &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled <- struct{}{}
		<-open
		return new(net.Dialer).DialContext(ctx, network, address)
	}}
	gone, giveUp := context.WithCancel(t.Context())
	giveUp()
	came := make(chan Answer, 1)
	i := mustAttach(t, a)
	go func() { came <- i.Do(gone, saying("hello")) }() // ends with the answer
	<-dialled
	select {
	case <-dialled:
		t.Error("a cancel was on its way before its call")
	case <-time.After(50 * time.Millisecond):
	}
	close(open)
	if got := <-came; got.Kind != evidence.OutcomeMessage {
		t.Errorf("the call came to %+v", got)
	}
}

// silent is a driver that takes every message and answers none but those that it is told to.
type silent func(what string) string

// RoundTrip implements http.RoundTripper.
func (s silent) RoundTrip(r *http.Request) (*http.Response, error) {
	body := s(r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
	if body == "" {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

func TestEachWaitForAnAttachedDriverHasAnEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		a := Attach("http://driver.test")
		a.http.Transport = silent(func(string) string { return "" })
		if err := a.Start(t.Context(), Platform{}); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != helloPatience {
			t.Errorf("a driver that says no hello: %v after %s", err, time.Since(began))
		}
		a.http.Transport = silent(func(what string) string {
			if what == typeHello {
				return soundHello
			}
			return ""
		})
		began = time.Now()
		if err := a.Start(t.Context(), Platform{}); err == nil || !strings.Contains(err.Error(), "gave no answer in time") || time.Since(began) != helloPatience {
			t.Errorf("a driver that does not answer: %v after %s", err, time.Since(began))
		}
		came := make(chan Answer, 1)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { came <- mustAttach(t, a).Do(ctx, saying("hello")) }() // ends with the session
		synctest.Wait()
		cancel() // the driver is told, and says nothing to that either
		<-time.After(time.Hour)
		select {
		case got := <-came:
			t.Fatalf("the call came to %+v while the driver may still answer", got)
		default:
		}
		began = time.Now()
		a.Stop()
		if time.Since(began) != byePatience {
			t.Errorf("stopping took %s, want %s", time.Since(began), byePatience)
		}
		if got := <-came; got.Kind != evidence.OutcomeCrash || !got.Disturbed {
			t.Errorf("the call came to %+v when the session was over", got) // that of the start was open beside it
		}
	})
}
