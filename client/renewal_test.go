package client

import (
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	refreshToken = "refreshTokenOfTheTests"
	newToken     = "newPlatformTokenOfTheTests"
)

// renewing makes a Client that can renew its token.
func (f *fakeNet) renewing(token string) *Client {
	f.t.Helper()
	c, err := New(Config{PlatformURL: "http://platform.test/base", PlatformToken: token, RefreshToken: refreshToken, DialContext: f.dial})
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func renewed() reply { return respond(200, `{"access":"`+newToken+`"}`) }

// bearers lists the tokens that the platform was shown, "" for none.
func (f *fakeNet) bearers() []string {
	var tokens []string
	for _, one := range f.requests(platformAddr) {
		_, after, _ := strings.Cut(one.head, "Authorization: Bearer ")
		token, _, _ := strings.Cut(after, "\r\n")
		tokens = append(tokens, token)
	}
	return tokens
}

func TestRenewalAfterA401(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(respond(401, ``), renewed(), admits()).runtime(says("Hello"))
		c := f.renewing(platformToken)
		f.mustSend(c)
		if diff := cmp.Diff([]string{platformToken, "", newToken}, f.bearers()); diff != "" {
			t.Errorf("tokens (-want +got):\n%s", diff)
		}
		want := seen{
			addr: platformAddr, body: `{"refresh":"` + refreshToken + `"}`,
			head: "POST /base/auth/jwt-token/token/refresh/ HTTP/1.1\r\nHost: platform.test\r\nUser-Agent: a2a-reference-client\r\n" +
				"Content-Length: 36\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json",
		}
		if diff := cmp.Diff(want, f.requests(platformAddr)[1], cmp.AllowUnexported(seen{})); diff != "" {
			t.Errorf("the renewal (-want +got):\n%s", diff)
		}
		// Later calls have the new token, and access that was kept is still found.
		f.runtime(respond(401, ``), says("again")).platform(admits())
		f.mustSend(c)
		if got := f.bearers(); len(got) != 4 || got[3] != newToken {
			t.Errorf("tokens %v", got)
		}
	})
}

func TestRenewalInDiscovery(t *testing.T) {
	for name, platform := range map[string][]reply{
		"of the session": {respond(401, ``), renewed(), knows("agent-1"), advertises(`["task"]`), admits()},
		"of the agent":   {knows("agent-1"), respond(401, ``), renewed(), advertises(`["task"]`), admits()},
		"of access":      {knows("agent-1"), advertises(`["task"]`), respond(401, ``), renewed(), admits()},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(platform...).runtime(working(TaskWorking))
			f.mustSendTask(f.renewing(platformToken))
		})
	}
}

func TestRenewalOnceInACall(t *testing.T) {
	for name, platform := range map[string][]reply{
		"at once": {respond(401, ``), renewed(), respond(401, `{"detail":"no"}`)},
		"later":   {respond(401, ``), renewed(), waking("0"), respond(401, `{"detail":"no"}`)},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(platform...)
			c := f.renewing(platformToken)
			_, err := f.send(c)
			if got := mustFail[*UnauthorizedError](t, err); got.Renewal != nil || got.Server != serverPlatform || got.Words != "no" {
				t.Errorf("got %+v", got)
			}
			f.platform(respond(401, ``), respond(200, `{"access":"third","refresh":"second refresh token"}`), admits()).runtime(says("x"))
			f.mustSend(c) // another call may renew again
		})
	}
}

func TestNoRenewal(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		token  string
	}{
		"403":              {403, refreshToken},
		"no refresh token": {401, ""},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(respond(test.status, ``))
			c, err := New(Config{PlatformURL: "http://platform.test", PlatformToken: platformToken, RefreshToken: test.token, DialContext: f.dial})
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.send(c)
			mustFail[*UnauthorizedError](t, err)
		})
	}
}

func TestRenewalThatFails(t *testing.T) {
	for name, test := range map[string]struct {
		reply reply
		want  string
	}{
		"refused":         {respond(401, `{"detail":"Token is expired"}`), "Token is expired"},
		"500":             {respond(500, ``), "failed with 500"},
		"redirect":        {respond(307, ``, "Location: http://elsewhere.test/"), "redirect"},
		"cut":             {raw("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"), "failed while reading"},
		"not JSON":        {respond(200, `<html>`), "not one JSON value"},
		"no token":        {respond(200, `{}`), "access is absent"},
		"token of a line": {respond(200, `{"access":"a\r\nb"}`), "cannot be used"},
		"token empty":     {respond(200, `{"access":""}`), "cannot be used"},
		"repeats a token": {respond(400, `{"detail":"bad `+refreshToken+`"}`), "left out"},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(respond(401, `{"detail":"first"}`), test.reply)
			_, err := f.send(f.renewing(platformToken))
			got := mustFail[*UnauthorizedError](t, err)
			if got.Words != "first" || got.Renewal == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), refreshToken) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestRenewalIsPartOfTheBudget(t *testing.T) {
	for name, form := range map[string]reply{
		"connect": {hangs: true},
		"silent":  silent(),
		"drips":   dripped("HTTP/1.1 200 OK\r\n\r\n", " ", 700*time.Millisecond),
		"refuses": dripped("HTTP/1.1 500 x\r\n\r\n", " ", 700*time.Millisecond),
	} {
		for why, platform := range map[string][]reply{"after a 401": {late(40*time.Second, respond(401, ``)), form}, "early": {form}} {
			bubbleRun(t, name+" "+why, func(t *testing.T) {
				f := newFakeNet(t).platform(platform...)
				token := platformToken
				if why == "early" {
					token = jwt(time.Now())
				}
				_, err := f.send(f.renewing(token))
				mustFail[*TimeoutError](t, err)
				if took := time.Since(f.start); took != time.Minute {
					t.Errorf("took %v", took)
				}
			})
		}
	}
}

// jwt is a token that ends at a time.
func jwt(end time.Time) string {
	return "e30." + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"exp":%d}`, end.Unix())) + ".c2ln"
}

func TestRenewalOfATokenThatIsAboutToEnd(t *testing.T) {
	for name, test := range map[string]struct {
		left  time.Duration
		early bool
	}{
		"over":               {-time.Hour, true},
		"within a minute":    {time.Minute, true},
		"in over a minute":   {time.Minute + time.Second, false},
		"not before an hour": {time.Hour, false},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			token := jwt(time.Now().Add(test.left))
			f := newFakeNet(t).runtime(says("Hello"))
			want := []string{token}
			if test.early {
				f.platform(renewed())
				want = []string{"", newToken}
			}
			f.platform(admits())
			f.mustSend(f.renewing(token))
			if diff := cmp.Diff(want, f.bearers()); diff != "" {
				t.Errorf("tokens (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEarlyRenewalThatFailsIsNotTheEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		token := jwt(time.Now().Add(time.Second))
		f := newFakeNet(t).platform(respond(503, ``), admits()).runtime(says("Hello"))
		f.mustSend(f.renewing(token))
		if diff := cmp.Diff([]string{"", token}, f.bearers()); diff != "" {
			t.Errorf("tokens (-want +got):\n%s", diff)
		}
	})
}

func TestCallsShareARenewal(t *testing.T) {
	bubble(t, func(t *testing.T) {
		slow := late(time.Second, respond(401, ``)) // so that both have asked before either renews
		f := newFakeNet(t).platform(slow, slow, late(time.Second, renewed()), admits(), admits()).runtime(says("1"), says("2"))
		c := f.renewing(platformToken)
		var calls sync.WaitGroup
		for range 2 {
			calls.Go(func() { f.mustSend(c) })
		}
		calls.Wait()
		if diff := cmp.Diff([]string{platformToken, platformToken, "", newToken, newToken}, f.bearers()); diff != "" {
			t.Errorf("tokens (-want +got):\n%s", diff)
		}
	})
}

func TestACallDoesNotWaitForEverForTheRenewalOfAnother(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(respond(401, ``), silent())
		c := f.renewing(platformToken)
		var first sync.WaitGroup
		first.Go(func() { _, _ = f.send(c) })
		synctest.Wait()
		f.platform(respond(401, ``))
		_, err := c.Send(t.Context(), Request{SessionUID: session, Text: "x", Timeout: Total(5)})
		mustFail[*TimeoutError](t, err)
		if took := time.Since(f.start); took != 5*time.Second {
			t.Errorf("took %v", took)
		}
		first.Wait()
	})
}

func TestARefreshTokenIsReplaced(t *testing.T) {
	t.Parallel()
	shared := newCredentials("a", "r")
	shared.replace("b", "")
	if access, refresh := shared.tokens(); access != "b" || refresh != "r" {
		t.Errorf("got %s, %s", access, refresh)
	}
	shared.replace("c", "s")
	if access, refresh := shared.tokens(); access != "c" || refresh != "s" {
		t.Errorf("got %s, %s", access, refresh)
	}
}

func TestReadTokenExpiry(t *testing.T) {
	t.Parallel()
	payload := func(text string) string { return "h." + base64.RawURLEncoding.EncodeToString([]byte(text)) + ".s" }
	for token, want := range map[string]int64{
		payload(`{"exp":1788}`):             1788,
		payload(`{"exp":1788.9,"sub":"u"}`): 1788,
		payload(`{"exp":1.788e3}`):          1788,
		payload(`{"exp":-5}`):               -5,
		"h." + base64.URLEncoding.EncodeToString([]byte(`{"exp":17}`)) + ".s": 17,
	} {
		if got, ok := readTokenExpiry(token); !ok || got.Unix() != want {
			t.Errorf("%s: got %v, %v", token, got, ok)
		}
	}
	for _, token := range []string{
		"", "opaque", "a.b", "a.b.c.d", "a.!.c", "a..c", payload(`{}`), payload(`[]`), payload(`{"exp":"1788"}`), payload(`{"exp":null}`),
		payload(`{"exp":1e400}`), payload(`{"exp":1e20}`), payload(`{"exp":1,"exp":2}`), payload(`{"EXP":1}`), payload("{\"exp\":1"),
	} {
		if got, ok := readTokenExpiry(token); ok {
			t.Errorf("%q ends at %v", token, got)
		}
	}
}

func FuzzReadTokenExpiry(f *testing.F) {
	f.Add("h.eyJleHAiOjE3ODh9.s")
	f.Add("opaque")
	f.Fuzz(func(t *testing.T, token string) {
		end, known := readTokenExpiry(token)
		if known && strings.Count(token, ".") != 2 || !known && !end.IsZero() {
			t.Errorf("%q: %v, %v", token, end, known)
		}
	})
}
