package evidence

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// answer is a whole answer with a body.
func answer(status int, body string) *Exchange {
	return &Exchange{Response: &Response{
		Status: status, Header: http.Header{}, Complete: true, Body: Body{Size: int64(len(body)), Bytes: []byte(body)},
	}}
}

const ready = `{"coding_agent_service_uid":"7bd86be3","mode":"token","rpc_url":"http://127.0.0.1:8080/p/",` +
	`"token":"‹runtime-token:1›","expires_at":"2999-01-01T00:00:00Z","is_ready":true,"detail":" ",` +
	`"runtime_interaction":{"state":"ready","can_submit":true,"notice":null,"operation":null,"retry_after_ms":null},` +
	`"runtime_presence":{"phase":"serving"}}`

func TestReadAccessOfAReadyAnswer(t *testing.T) {
	t.Parallel()
	a := ReadAccess(answer(200, ready))
	if !a.Answered || !a.Admits() || !a.Usable() || a.Transient() {
		t.Errorf("access %+v", a)
	}
	if _, ok := a.Waits(); ok || a.RetryAfter.Kind != DirectionNull {
		t.Errorf("direction %+v", a.RetryAfter)
	}
	if a.Token.Name != "‹runtime-token:1›" || a.RPCURL.Text != "http://127.0.0.1:8080/p/" || a.RPCURL.Why != "" {
		t.Errorf("token %+v, url %+v", a.Token, a.RPCURL)
	}
	if a.ExpiresAt.Kind != ExpiryReadable || a.ExpiresAt.Time.Year() != 2999 || len(a.Words()) != 0 {
		t.Errorf("expiry %+v, words %v", a.ExpiresAt, a.Words())
	}
	if !a.ServiceUID.TextEquals("7bd86be3") || !a.Mode.TextEquals("token") || a.Presence.Kind() != KindObject ||
		!a.State.TextEquals("ready") {
		t.Error("members are misread")
	}
}

func TestOnlyAWholeOKWithTrueAdmits(t *testing.T) {
	t.Parallel()
	if !ReadAccess(answer(200, ready)).Admits() {
		t.Fatal("the sound answer does not admit")
	}
	cut := answer(200, ready)
	cut.Response.Complete = false
	for name, x := range map[string]*Exchange{
		"no answer":       {},
		"cut":             cut,
		"201":             answer(201, ready),
		"503":             answer(503, ready),
		"bytes after it":  answer(200, ready+"x"),
		"an array":        answer(200, "["+ready+"]"),
		"false":           answer(200, strings.Replace(ready, `"can_submit":true`, `"can_submit":false`, 1)),
		"null":            answer(200, strings.Replace(ready, `"can_submit":true`, `"can_submit":null`, 1)),
		"one":             answer(200, strings.Replace(ready, `"can_submit":true`, `"can_submit":1`, 1)),
		"text":            answer(200, strings.Replace(ready, `"can_submit":true`, `"can_submit":"true"`, 1)),
		"wrong case":      answer(200, strings.Replace(ready, `"can_submit"`, `"Can_Submit"`, 1)),
		"absent":          answer(200, strings.Replace(ready, `"can_submit":true,`, ``, 1)),
		"no interaction":  answer(200, `{"token":"t","rpc_url":"http://h/"}`),
		"not an object":   answer(200, `{"runtime_interaction":true}`),
		"empty":           answer(200, ``),
		"last of two":     answer(200, strings.Replace(ready, `"can_submit":true`, `"can_submit":true,"can_submit":false`, 1)),
		"not JSON at all": answer(200, `<html>`),
	} {
		if a := ReadAccess(x); a.Admits() || a.Usable() {
			t.Errorf("%s admits", name)
		}
	}
}

func TestDirections(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Direction{
		`,"retry_after_ms":0`:                   {Kind: DirectionWhole},
		`,"retry_after_ms":-0`:                  {Kind: DirectionWhole},
		`,"retry_after_ms":1500`:                {Kind: DirectionWhole, Wait: 1500 * time.Millisecond},
		`,"retry_after_ms":15e2`:                {Kind: DirectionWhole, Wait: 1500 * time.Millisecond},
		`,"retry_after_ms":9007199254740992`:    {Kind: DirectionWhole, Wait: LongestWait},
		`,"retry_after_ms":9007199254740993`:    {Kind: DirectionHuge},
		`,"retry_after_ms":1e400`:               {Kind: DirectionHuge},
		`,"retry_after_ms":-1`:                  {Kind: DirectionNegative},
		`,"retry_after_ms":-0.5`:                {Kind: DirectionNegative},
		`,"retry_after_ms":0.5`:                 {Kind: DirectionFraction},
		`,"retry_after_ms":1500.25`:             {Kind: DirectionFraction},
		`,"retry_after_ms":"1500"`:              {Kind: DirectionText},
		`,"retry_after_ms":[1500]`:              {Kind: DirectionOther},
		`,"retry_after_ms":true`:                {Kind: DirectionOther},
		`,"retry_after_ms":007`:                 {Kind: DirectionOther},
		`,"retry_after_ms":null`:                {Kind: DirectionNull},
		``:                                      {Kind: DirectionAbsent},
		`,"Retry_After_Ms":1`:                   {Kind: DirectionAbsent},
		`,"retry_after_ms":9999999999999999999`: {Kind: DirectionHuge},
	} {
		body := `{"runtime_interaction":{"state":"waking","can_submit":false` + text + `}}`
		a := ReadAccess(answer(200, body))
		if a.RetryAfter.Kind != want.Kind || a.RetryAfter.Wait != want.Wait {
			t.Errorf("%s is %+v", text, a.RetryAfter)
		}
		wait, ok := a.Waits()
		if ok != (want.Kind == DirectionWhole) || wait != want.Wait {
			t.Errorf("%s: Waits = %v, %v", text, wait, ok)
		}
	}
}

func TestTransientStates(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]bool{
		"checking": true, "starting": true, "waking": true, "updating": true,
		"ready": false, "warning": false, "update_required": false, "update_failed": false, "unavailable": false,
		"Waking": false, "": false, "hibernating": false,
	} {
		body := fmt.Sprintf(`{"runtime_interaction":{"state":%q,"can_submit":false,"retry_after_ms":5}}`, state)
		if a := ReadAccess(answer(200, body)); a.Transient() != want {
			t.Errorf("%s: Transient = %v", state, a.Transient())
		}
		body = strings.Replace(body, "false", "true", 1)
		if a := ReadAccess(answer(200, body)); a.Transient() {
			t.Errorf("%s with can_submit true is transient", state)
		}
	}
}

func TestUsableAddresses(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		`"http://h"`:             "",
		`"https://h:443/p/?q=1"`: "",
		`"http://u:p@h/"`:        "",
		`"HTTP://H/%2f/"`:        "",
		`"http://[::1]:80/"`:     "",
		`""`:                     "rpc_url is blank",
		`" "`:                    "rpc_url is blank",
		`null`:                   "rpc_url is null",
		`7`:                      "rpc_url is a number",
		`"h:80"`:                 "rpc_url is no absolute http or https URL",
		`"/path"`:                "rpc_url is no absolute http or https URL",
		`"//h/p"`:                "rpc_url is no absolute http or https URL",
		`"ftp://h/"`:             "rpc_url is no absolute http or https URL",
		`"http:///p"`:            "rpc_url names no host",
		`"http://:80/p"`:         "rpc_url names no host",
		`"http://h/#f"`:          "rpc_url has a fragment",
		`"http://h/#"`:           "rpc_url has a fragment",
		`"http://h:0/"`:          "rpc_url names a port that does not exist",
		`"http://h:70000/"`:      "rpc_url names a port that does not exist",
		`"http://h /"`:           "rpc_url is no URL",
		`"http://h/a b"`:         "rpc_url is no URL",
		`"http://h\n/"`:          "rpc_url is no URL",
		`"http://%zz/"`:          "rpc_url is no URL",
	} {
		got := ReadAccess(answer(200, `{"rpc_url":`+text+`}`)).RPCURL
		if got.Why != why || got.Usable != (why == "") {
			t.Errorf("%s: %+v, want %q", text, got, why)
		}
	}
	if got := ReadAccess(answer(200, `{}`)).RPCURL; got.Why != "rpc_url is absent" {
		t.Errorf("absent: %+v", got)
	}
}

func TestUsableTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`"t"`: true, `"‹runtime-token:1›"`: true, `""`: false, `" \t"`: false, `null`: false, `7`: false, `"a\nb"`: false,
	} {
		if got := ReadAccess(answer(200, `{"token":`+text+`}`)).Token; got.Usable != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
	if got := ReadAccess(answer(200, `{"token":"‹runtime-token:1 part›x"}`)).Token; got.Name != "" {
		t.Errorf("a part is taken for the whole: %+v", got)
	}
}

func TestExpiries(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 9, 3, 10, 0, 30, 0, time.UTC)
	for _, text := range []string{
		"2026-09-03T10:00:30Z", "2026-09-03T10:00:30", "2026-09-03T12:00:30+02:00", "2026-09-03T12:00:30+0200",
		"2026-09-03T12:00:30+02", "2026-09-03 10:00:30", "2026-09-03 10:00:30Z", "2026-09-03t10:00:30z",
		"2026-09-03T10:00:30.000000+00:00", "2026-09-03T10:00:30.000",
	} {
		got := ReadAccess(answer(200, `{"expires_at":"`+text+`"}`)).ExpiresAt
		if got.Kind != ExpiryReadable || !got.Time.Equal(want) {
			t.Errorf("%s is %+v", text, got)
		}
	}
	for body, kind := range map[string]ExpiryKind{
		`{}`: ExpiryAbsent, `{"expires_at":null}`: ExpiryNull, `{"expires_at":""}`: ExpiryUnreadable,
		`{"expires_at":"soon"}`: ExpiryUnreadable, `{"expires_at":1788429630}`: ExpiryUnreadable,
		`{"expires_at":"2026-13-03T10:00:30Z"}`: ExpiryUnreadable,
	} {
		if got := ReadAccess(answer(200, body)).ExpiresAt; got.Kind != kind || !got.Time.IsZero() {
			t.Errorf("%s is %+v", body, got)
		}
	}
}

func TestWordsOfThePlatform(t *testing.T) {
	t.Parallel()
	body := `{"detail":"gone fishing","runtime_interaction":{"notice":{"title":"Sorry","message":" ","code":"c"}}}`
	if diff := cmp.Diff([]string{"Sorry", "gone fishing"}, ReadAccess(answer(200, body)).Words()); diff != "" {
		t.Error(diff)
	}
}
