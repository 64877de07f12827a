package client

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var arrival = time.Date(2026, 9, 3, 10, 0, 0, 0, time.UTC)

func TestOnlyCanSubmitAdmits(t *testing.T) {
	t.Parallel()
	// Everything but the decision itself says the opposite.
	inviting := `{"mode":"token","rpc_url":"http://h","token":"tok","is_ready":true,"runtime_presence":{"phase":"serving"},"runtime_interaction":%s}`
	for interaction, want := range map[string]verdict{
		`{"state":"ready","can_submit":true}`:                                    admitted,
		`{"state":"warning","can_submit":true,"notice":{"severity":"error"}}`:    admitted,
		`{"state":"waking","can_submit":true,"retry_after_ms":1000}`:             admitted,
		`{"state":"unheard of","can_submit":true,"operation":"odd","notice":17}`: admitted,
		`{"can_submit":true}`:                                           admitted,
		`{"state":"ready","can_submit":false}`:                          terminal,
		`{"state":"ready","can_submit":false,"retry_after_ms":1000}`:    terminal,
		`{"state":"Waking","can_submit":false,"retry_after_ms":1000}`:   terminal,
		`{"state":"","can_submit":false}`:                               terminal,
		`{"state":"ready","can_submit":"false"}`:                        terminal,
		`{"state":"ready","can_submit":1}`:                              terminal,
		`{"state":"ready","can_submit":"true"}`:                         terminal,
		`{"state":"ready"}`:                                             terminal,
		`{"state":"ready","Can_Submit":true}`:                           terminal,
		`{"state":"waking","can_submit":null,"retry_after_ms":1000}`:    unusable,
		`{"state":"waking","retry_after_ms":1000}`:                      unusable,
		`{"state":"waking","can_submit":false}`:                         unusable,
		`{"state":"waking","can_submit":false,"retry_after_ms":null}`:   unusable,
		`{"state":"waking","can_submit":false,"retry_after_ms":"1500"}`: unusable,
		`{"can_submit":false}`:                                          unusable,
		`{"state":null,"can_submit":false}`:                             unusable,
		`{"state":"ready","can_submit":false,"can_submit":true}`:        unusable,
		`null`: unusable,
		`[]`:   unusable,
		`true`: unusable,
		`{"state":"checking","can_submit":false,"retry_after_ms":0}`: transient,
		`{"state":"starting","can_submit":false,"retry_after_ms":1}`: transient,
		`{"state":"waking","can_submit":false,"retry_after_ms":2}`:   transient,
		`{"state":"updating","can_submit":false,"retry_after_ms":3}`: transient,
	} {
		if got := readAdmission(fmt.Appendf(nil, inviting, interaction), arrival); got.verdict != want {
			t.Errorf("%s: verdict %v, want %v (%v)", interaction, got.verdict, want, got.problems)
		}
	}
	if got := readAdmission([]byte(`{"rpc_url":"http://h","token":"tok"}`), arrival); got.verdict != unusable {
		t.Errorf("no interaction: verdict %v", got.verdict)
	}
}

func TestAdmittingAnswerNeedsTokenAndURL(t *testing.T) {
	t.Parallel()
	for access, problemsWanted := range map[string]int{
		`"token":"t","rpc_url":"http://h"`:              0,
		`"token":"t","rpc_url":"https://h:1/p/"`:        0,
		`"token":null,"rpc_url":null`:                   2,
		`"rpc_url":"http://h"`:                          1,
		`"token":"","rpc_url":"http://h"`:               1,
		`"token":" ","rpc_url":"http://h"`:              1,
		`"token":"a b","rpc_url":"http://h"`:            1,
		`"token":"a\r\nX: y","rpc_url":"http://h"`:      1,
		`"token":17,"rpc_url":"http://h"`:               1,
		`"token":"t"`:                                   1,
		`"token":"t","rpc_url":""`:                      1,
		`"token":"t","rpc_url":"/relative"`:             1,
		`"token":"t","rpc_url":"ftp://h"`:               1,
		`"token":"t","rpc_url":"http://h/#f"`:           1,
		`"token":"t","rpc_url":{"url":"http://h"}`:      1,
		`"token":"t","Token":"u","rpc_url":"http://h"`:  0,
		`"token":"t","token":"t","rpc_url":"http://h"`:  1,
		`"token":"t","RPC_URL":"http://h","rpc_url":[]`: 1,
	} {
		got := readAdmission([]byte(`{`+access+`,"runtime_interaction":{"state":"ready","can_submit":true}}`), arrival)
		if len(got.problems) != problemsWanted || (got.verdict == admitted) != (problemsWanted == 0) {
			t.Errorf("%s: verdict %v, problems %q", access, got.verdict, got.problems)
		}
	}
}

func TestReadAccess(t *testing.T) {
	t.Parallel()
	got := readAdmission([]byte(admitting("tok", "http://h/p/", `"expires_at":"2026-09-03T11:00:00+00:00",`)), arrival)
	want := Access{RPCURL: "http://h/p/", Token: "tok", CanSubmit: true, ReceivedAt: arrival, ExpiresAt: arrival.Add(time.Hour)}
	// Access has a Format of its own, so the parts are compared by cmp.
	if diff := cmp.Diff(want, got.access); diff != "" || !got.storable {
		t.Errorf("storable %v (-want +got):\n%s", got.storable, diff)
	}
}

func TestMilliseconds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"0": 0, "-0": 0, "1": time.Millisecond, "1500": 1500 * time.Millisecond, "1500.0": 1500 * time.Millisecond, "1.5e3": 1500 * time.Millisecond,
		"86400000": 24 * time.Hour, "9223372036854775807": math.MaxInt64, "1e400": math.MaxInt64,
	} {
		if got, ok := milliseconds(json.RawMessage(text)); !ok || got != want {
			t.Errorf("%s: got %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "null", `"1500"`, "1500.5", "-1", "-1e400", "true", "[]", "{}", `""`} {
		if got, ok := milliseconds(json.RawMessage(text)); ok {
			t.Errorf("%s was taken for %v", text, got)
		}
	}
}

func TestAdmissionWords(t *testing.T) {
	t.Parallel()
	for notice, want := range map[string]string{
		`null`: "the detail",
		`{"code":"c","severity":"info","title":"Asleep","message":"Ask the owner.\n"}`: "Asleep: Ask the owner.",
		`{"message":"Only this"}`:   "Only this",
		`{"title":7,"message":" "}`: "the detail",
		`"odd"`:                     "the detail",
	} {
		body := `{"detail":"the detail","runtime_interaction":{"state":"off","can_submit":false,"notice":` + notice + `}}`
		read := readAdmission([]byte(body), arrival)
		if got := read.words(); got != want {
			t.Errorf("%s: got %q, want %q", notice, got, want)
		}
	}
}

func TestBlockedErrorSaysWhy(t *testing.T) {
	bubble(t, func(t *testing.T) {
		body := `{"detail":"d","runtime_interaction":{"state":"update_failed","can_submit":false,
			"notice":{"code":"c1","severity":"error","title":"Broken","message":"Ask the owner"}}}`
		f := newFakeNet(t).platform(respond(200, body))
		_, err := f.send(f.client())
		got := mustFail[*BlockedError](t, err)
		want := &Notice{Code: "c1", Severity: "error", Title: "Broken", Message: "Ask the owner"}
		if diff := cmp.Diff(want, got.Notice); diff != "" || got.State != "update_failed" {
			t.Errorf("state %q (-want +got):\n%s", got.State, diff)
		}
		if !strings.Contains(err.Error(), "update_failed") || !strings.Contains(err.Error(), "Ask the owner") {
			t.Errorf("the text does not say why: %v", err)
		}
	})
}
