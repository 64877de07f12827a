package client

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// limitBody is the ADR's 504, its limitSeconds as text; "" leaves it out.
func limitBody(seconds string) string {
	metadata := `{"limitSeconds":"` + seconds + `"}`
	if seconds == "" {
		metadata = `{}`
	}
	return `{"error":{"code":504,"status":"DEADLINE_EXCEEDED","message":"Too slow.","details":[` + limitDetail(metadata) + `]}}`
}

func limitDetail(metadata string) string {
	return `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"MESSAGE_RESPONSE_LIMIT_EXCEEDED","domain":"mainsequence.ai","metadata":` + metadata + `}`
}

func TestMessageLimit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(admits()).runtime(respond(504, limitBody("90"), "Content-Type: application/a2a+json"))
		_, err := f.send(f.client())
		limit := mustFail[*MessageLimitError](t, err)
		if limit.LimitSeconds == nil || *limit.LimitSeconds != 90 {
			t.Errorf("limit %v", limit.LimitSeconds)
		}
		if server := mustFail[*ServerError](t, err); server.Status != 504 || server.Words != "Too slow." {
			t.Errorf("got %+v", server)
		}
		for _, want := range []string{"did not answer within the platform's limit", "90 seconds", `response_kind="task"`, "--response-kind task"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not say %q", err, want)
			}
		}
	})
}

func TestEveryOther504IsOrdinary(t *testing.T) {
	body := limitBody("90")
	for name, form := range map[string]reply{
		"502":            respond(502, body),
		"reason":         respond(504, strings.Replace(body, "MESSAGE_RESPONSE", "message_response", 1)),
		"domain":         respond(504, strings.Replace(body, "mainsequence.ai", "a2a-protocol.org", 1)),
		"type":           respond(504, strings.Replace(body, "ErrorInfo", "RetryInfo", 1)),
		"key case":       respond(504, strings.Replace(body, "reason", "Reason", 1)),
		"no details":     respond(504, `{"error":{"code":504}}`),
		"odd details":    respond(504, `{"error":{"details":[null,1,"x",[]]}}`),
		"details object": respond(504, `{"error":{"details":{}}}`),
		"error text":     respond(504, `{"error":"gateway"}`),
		"HTML":           respond(504, "<html>"),
		"empty":          respond(504, ""),
		"trailing":       respond(504, body+"x"),
		"cut":            raw("HTTP/1.1 504 x\r\nContent-Length: 5000\r\n\r\n" + body),
		"apart": respond(504, `{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"MESSAGE_RESPONSE_LIMIT_EXCEEDED"},`+
			`{"@type":"type.googleapis.com/google.rpc.ErrorInfo","domain":"mainsequence.ai"}]}}`),
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(admits()).runtime(form)
			_, err := f.send(f.client())
			mustFail[*ServerError](t, err)
			if limit, found := errors.AsType[*MessageLimitError](err); found {
				t.Errorf("became the limit %v: %v", limit, err)
			}
		})
	}
}

func TestReadMessageLimit(t *testing.T) {
	t.Parallel()
	number := func(n float64) *float64 { return &n }
	for seconds, want := range map[string]*float64{
		"90": number(90), "0.5": number(0.5), "2.5": number(2.5), "90.0": number(90), "1e2": number(100),
		"": nil, "soon": nil, "NaN": nil, "Inf": nil, "1e999": nil, "0": nil, "-90": nil, "0x1p4": nil, "+90": nil, "true": nil,
		" 90": nil, //nolint:gocritic // mapKey: the space is what is tried
	} {
		got, ok := readMessageLimit([]byte(limitBody(seconds)))
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("limitSeconds %q: found %v (-want +got):\n%s", seconds, ok, diff)
		}
	}
	for name, detail := range map[string]string{
		"last of three": `{"@type":"x"},{"@type":"type.googleapis.com/google.rpc.Help"},` + limitDetail(`{"limitSeconds":90}`),
		"first of two":  limitDetail(`null`) + `,{}`,
	} {
		got, ok := readMessageLimit([]byte(`{"error":{"details":[` + detail + `]}}`))
		if !ok || got != nil {
			t.Errorf("%s: got %v, %v; want the limit without a number", name, got, ok)
		}
	}
}

func TestServerWords(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"detail":"Not found."}`:                 "Not found.",
		`{"error":{"message":"turn failed"}}`:     "turn failed",
		`{"ok":false,"error":"x","message":"no"}`: "no",
		`{"detail":[{"msg":"field required"}]}`:   `{"detail":[{"msg":"field required"}]}`,
		"upstream\x1b[31m  failed\n":              "upstream [31m failed",
		"":                                        "",
		strings.Repeat("é", 400):                  strings.Repeat("é", 300) + "…",
	} {
		if got := serverWords([]byte(body)); got != want {
			t.Errorf("%q: got %q, want %q", body, got, want)
		}
	}
}
