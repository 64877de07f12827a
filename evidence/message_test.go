package evidence

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const session = "0b2701a1-e777-4cfe-8437-b94025f00069"

const sound = `{"message":{"messageId":"m-1","role":"ROLE_AGENT","contextId":"` + session + `","parts":[{"text":"hi"}]}}`

func TestWhatAnAnswerHolds(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]Holding{
		sound:                                HoldsMessage,
		`{"message":{},"task":null}`:         HoldsMessage,
		`{"message":"hi"}`:                   HoldsMessage,
		`{"message":null,"task":{"id":"t"}}`: HoldsTask,
		`{"message":{},"task":{}}`:           HoldsBoth,
		`{"message":null,"task":null}`:       HoldsNeither,
		`{"Message":{}}`:                     HoldsNeither,
		`{}`:                                 HoldsNeither,
		`[]`:                                 NotOneObject,
		``:                                   NotOneObject,
		`null`:                               NotOneObject,
		`<html>`:                             NotOneObject,
		`{"message":{}} {}`:                  NotOneObject,
		`{"message":{}`:                      NotOneObject,
	} {
		if got := ReadMessage(answer(200, body)); got.Holds != want || got.Status != 200 || !got.Complete {
			t.Errorf("%s holds %s", body, got.Holds)
		}
	}
	cut := answer(200, sound)
	cut.Response.Complete = false
	if got := ReadMessage(cut); got.Holds != NotOneObject || got.Message == nil {
		t.Errorf("cut: %+v", got)
	}
	if got := ReadMessage(&Exchange{}); got.Holds != NotOneObject || got.Status != 0 {
		t.Errorf("none: %+v", got)
	}
}

func TestFaultsOfAMessage(t *testing.T) {
	t.Parallel()
	message := func(id, role, context, parts string) string {
		return `{"message":{"messageId":` + id + `,"role":` + role + `,"contextId":` + context + `,"parts":` + parts + `}}`
	}
	id, role, context, parts := `"m-1"`, `"ROLE_AGENT"`, `"`+session+`"`, `[{"text":"hi"}]`
	for name, c := range map[string]struct {
		body string
		want []MessageFault
	}{
		"sound":           {sound, nil},
		"data of null":    {message(id, role, context, `[{"data":null},{"url":"u"},{"raw":"","filename":"f"}]`), nil},
		"null members":    {message(id, role, context, `[{"text":"x","raw":null,"url":null}]`), nil},
		"no message":      {`{}`, []MessageFault{{FaultEnvelope, "the answer holds neither a message nor a task"}}},
		"a task":          {`{"task":{}}`, []MessageFault{{FaultEnvelope, "the answer holds a task"}}},
		"both":            {`{"task":{},"message":{}}`, []MessageFault{{FaultEnvelope, "the answer holds both a message and a task"}}},
		"HTML":            {`<p>`, []MessageFault{{FaultEnvelope, "the answer holds not one whole JSON object"}}},
		"text":            {`{"message":"x"}`, []MessageFault{{FaultEnvelope, "message is text"}}},
		"user":            {message(id, `"ROLE_USER"`, context, parts), []MessageFault{{FaultRole, `role is "ROLE_USER"`}}},
		"number":          {message(id, `2`, context, parts), []MessageFault{{FaultRole, "role is 2"}}},
		"lower case":      {message(id, `"agent"`, context, parts), []MessageFault{{FaultRole, `role is "agent"`}}},
		"blank id":        {message(`" \u00a0"`, role, context, parts), []MessageFault{{FaultMessageID, `messageId is " \u00a0"`}}},
		"id null":         {message(`null`, role, context, parts), []MessageFault{{FaultMessageID, "messageId is null"}}},
		"invisible id":    {message(`"\u200b "`, role, context, parts), []MessageFault{{FaultInvisibleID, "messageId has no visible character"}}},
		"empty parts":     {message(id, role, context, `[]`), []MessageFault{{FaultParts, "parts is empty"}}},
		"parts an object": {message(id, role, context, `{}`), []MessageFault{{FaultParts, "parts is an object"}}},
		"other session": {
			message(id, role, `"other"`, parts), []MessageFault{{FaultContext, `contextId is "other", not the session of the call`}},
		},
		"context null": {
			message(id, role, `null`, parts), []MessageFault{{FaultContext, "contextId is null, not the session of the call"}},
		},
		"context in capitals": {
			message(id, role, `"0B2701A1-E777-4CFE-8437-B94025F00069"`, parts),
			[]MessageFault{{FaultContextCase, "contextId differs from the session in letter case alone"}},
		},
		"strange parts": {
			message(id, role, context, `[null,{},"x",{"text":1},{"text":"a","data":1}]`),
			[]MessageFault{
				{FaultPart, "part 1 is null"}, {FaultPart, "part 2 has none of text, raw, url and data"},
				{FaultPart, "part 3 is text"}, {FaultPart, "part 4 has a text that is a number"},
				{FaultPart, "part 5 has both text and data"},
			},
		},
		"all at once": {
			`{"message":{}}`,
			[]MessageFault{
				{FaultRole, "role is absent"}, {FaultMessageID, "messageId is absent"},
				{FaultContext, "contextId is absent, not the session of the call"}, {FaultParts, "parts is absent"},
			},
		},
	} {
		got := ReadMessage(answer(200, c.body)).Faults(session)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhichFaultsMustBeRejected(t *testing.T) {
	t.Parallel()
	for kind, want := range map[MessageFaultKind]bool{
		FaultEnvelope: true, FaultRole: true, FaultMessageID: true, FaultParts: true, FaultContext: true,
		FaultContextCase: false, FaultInvisibleID: false, FaultPart: false,
	} {
		if got := (MessageFault{Kind: kind}).MustReject(); got != want {
			t.Errorf("%s: %v", kind, got)
		}
	}
}

func TestReadTask(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"task":{"id":"t-1","status":{}}}`: "wrapped",
		`{"id":"t-1","status":{}}`:          "bare",
		`{"id":"t-1"}`:                      "none",
		`{}`:                                "none",
		`{"message":{}}`:                    "none",
		`[]`:                                "none",
	} {
		task, wrapped := ReadTask(answer(200, body))
		got := "none"
		if task != nil && task.Member("id").TextEquals("t-1") {
			got = map[bool]string{true: "wrapped", false: "bare"}[wrapped]
		}
		if got != want {
			t.Errorf("%s is %s", body, got)
		}
	}
}

func TestInternalRolesOfATask(t *testing.T) {
	t.Parallel()
	task := read(t, `{"status":{"message":{"role":"ROLE_RESPONDER"}},
		"history":[{"role":"ROLE_USER"},{"role":"ROLE_REQUESTER"},{"parts":[{"text":"ROLE_RESPONDER"}]}]}`)
	if diff := cmp.Diff([]string{"/status/message/role", "/history/1/role"}, InternalRoles(task)); diff != "" {
		t.Error(diff)
	}
	if InternalRoles(nil) != nil || InternalDirection("ROLE_AGENT") {
		t.Error("public roles are taken for internal ones")
	}
}

func TestReadSend(t *testing.T) {
	t.Parallel()
	x := &Exchange{Request: Request{Body: Body{Bytes: []byte(`{
		"message":{"messageId":"m","role":"ROLE_USER","contextId":"s","parts":[{"text":"a"},
			{"raw":"QQ==","filename":"f.pdf","mediaType":"application/pdf","metadata":{}}],"kind":"message"},
		"configuration":{"acceptedOutputModes":["application/json"],"responseKind":"task","blocking":true},
		"metadata":{"` + OutputContractURI + `":{"response_format":{"type":"dictionary","strict":true,"x":1},
			"jsonRepairAttempts":3,"y":1},"z":1},"id":1}`)}}}
	s := ReadSend(x)
	want := []string{
		"/id", "/message/kind", "/message/parts/1/metadata", "/configuration/blocking", "/metadata/z",
		"/metadata/https:~1~1mainsequence.ai~1a2a~1extensions~1output-contract~1v1/y",
		"/metadata/https:~1~1mainsequence.ai~1a2a~1extensions~1output-contract~1v1/response_format/x",
	}
	if diff := cmp.Diff(want, s.Extra); diff != "" {
		t.Error(diff)
	}
	if !s.MessageID.TextEquals("m") || !s.Role.TextEquals("ROLE_USER") || !s.ContextID.TextEquals("s") ||
		!s.ResponseKind.TextEquals("task") || len(s.AcceptedOutputModes.Elements()) != 1 ||
		s.OutputContract.Member("jsonRepairAttempts") == nil || len(s.Problems) != 0 {
		t.Errorf("send %+v", s)
	}
	if len(s.Parts) != 2 || s.Parts[0].Kind != PartText || s.Parts[1].Kind != PartRaw || !s.Parts[1].Content.TextEquals("QQ==") {
		t.Errorf("parts %+v", s.Parts)
	}
	empty := ReadSend(&Exchange{})
	if len(empty.Problems) != 1 || empty.MessageID != nil || empty.Parts != nil || empty.Extra != nil {
		t.Errorf("nothing is read as %+v", empty)
	}
}

func TestAnAnswerHasNoMoreThanItsHeadAnnounced(t *testing.T) {
	t.Parallel()
	const whole = `{"a": 1} and more`
	for _, test := range []struct {
		name   string
		header http.Header
		want   string
	}{
		{"announced in full", http.Header{"Content-Length": {"17"}}, whole},
		{"announced too short", http.Header{"Content-Length": {"8"}}, `{"a": 1}`},
		{"announced too long", http.Header{"Content-Length": {"99"}}, whole},
		{"not announced", http.Header{}, whole},
		{"announced as no number", http.Header{"Content-Length": {"x"}}, whole},
		{"announced of the compressed form", http.Header{"Content-Length": {"8"}, "Content-Encoding": {"gzip"}}, whole},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := Response{Header: test.header, Body: Body{Size: int64(len(whole)), Bytes: []byte(whole)}}
			if got := string(r.Content()); got != test.want {
				t.Errorf("the content is %q, want %q", got, test.want)
			}
		})
	}
}
