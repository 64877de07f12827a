package client

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDirectAnswerIsPreserved(t *testing.T) {
	t.Parallel()
	raw := `{"messageId": "m", "role":"ROLE_AGENT","contextId":"s","extensions":["https://x/y"],"metadata":{"a":null,"a":1},
		"parts":[{"data":{"n":12345678901234567890,"f":1.10,"z":[0,false,"",null]}},{"data":null},{"raw":"AA==","filename":"f"},{"text":"a"},{"text":"b"},null,7],"new":0}`
	message, found := readDirectAnswer([]byte(`{"message":`+raw+`,"task":null,"other":1}`), "s")
	if len(found) > 0 {
		t.Fatal(found)
	}
	if string(message.Raw) != raw {
		t.Errorf("Raw is %s", message.Raw)
	}
	if message.ID != "m" || message.ContextID != "s" || len(message.Parts) != 7 || message.Text() != "ab" {
		t.Errorf("got %+v", message)
	}
	if data, ok := message.Data(); !ok || string(data) != `{"n":12345678901234567890,"f":1.10,"z":[0,false,"",null]}` {
		t.Errorf("data %s, %v", data, ok)
	}
	if data, ok := message.Parts[1].Data(); !ok || string(data) != "null" {
		t.Errorf("null data: %s, %v", data, ok)
	}
	again, err := json.Marshal(message)
	if diff := cmp.Diff(parsed(t, raw), parsed(t, string(again))); diff != "" || err != nil {
		t.Errorf("marshalled: %v\n%s", err, diff)
	}
}

func TestAnswerWithoutTextOrData(t *testing.T) {
	t.Parallel()
	message, found := readDirectAnswer([]byte(`{"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"s","parts":[{"url":"https://f"}]}}`), "s")
	if len(found) > 0 || message.Text() != "" {
		t.Fatal(message, found)
	}
	if data, ok := message.Data(); ok {
		t.Errorf("has the data %s", data)
	}
}

func TestDirectAnswerIsRefused(t *testing.T) {
	t.Parallel()
	good := `{"messageId":"m","role":"ROLE_AGENT","contextId":"s","parts":[{"text":"x"}]}`
	with := func(from, to string) string { return `{"message":` + strings.Replace(good, from, to, 1) + `}` }
	for name, test := range map[string]struct{ body, want string }{
		"role absent":        {with(`"role":"ROLE_AGENT",`, ``), "role is absent"},
		"role of the asker":  {with(`ROLE_AGENT`, `ROLE_USER`), "ROLE_USER"},
		"role internal":      {with(`ROLE_AGENT`, `ROLE_RESPONDER`), "ROLE_RESPONDER"},
		"role old":           {with(`ROLE_AGENT`, `agent`), "role"},
		"role number":        {with(`"ROLE_AGENT"`, `2`), "role is 2"},
		"role wrong case":    {with(`"role"`, `"Role"`), "role is absent"},
		"id absent":          {with(`"messageId":"m",`, ``), "messageId is absent"},
		"id blank":           {with(`"m"`, `" "`), "messageId"},
		"id number":          {with(`"m"`, `7`), "messageId is 7"},
		"context absent":     {with(`"contextId":"s",`, ``), "contextId is absent"},
		"context null":       {with(`"s"`, `null`), "contextId is null"},
		"context other":      {with(`"s"`, `"t"`), "contextId"},
		"context letter":     {with(`"s"`, `"S"`), "contextId"},
		"parts absent":       {with(`,"parts":[{"text":"x"}]`, ``), "parts is absent"},
		"parts empty":        {with(`[{"text":"x"}]`, `[]`), "parts is []"},
		"parts object":       {with(`[{"text":"x"}]`, `{}`), "parts is {}"},
		"member twice":       {with(`"role"`, `"role":"ROLE_AGENT","role"`), "twice"},
		"message null":       {`{"message":null}`, "neither"},
		"message text":       {`{"message":"hi"}`, "not a JSON object"},
		"message wrong case": {`{"Message":` + good + `}`, "neither"},
		"message twice":      {`{"message":` + good + `,"message":` + good + `}`, "twice"},
		"bare":               {good, "neither"},
		"both":               {`{"message":` + good + `,"task":{}}`, "both"},
		"task":               {`{"task":{"id":"t"}}`, "task"},
		"empty object":       {`{}`, "neither"},
		"empty":              {``, "empty"},
		"array":              {`[{"message":` + good + `}]`, "not a JSON object"},
		"trailing":           {`{"message":` + good + `}]`, "not one JSON value"},
	} {
		message, found := readDirectAnswer([]byte(test.body), "s")
		if message != nil || len(found) != 1 || !strings.Contains(found[0], test.want) {
			t.Errorf("%s: got %v, problems %q, want one with %q", name, message, found, test.want)
		}
	}
	if _, found := readDirectAnswer([]byte(`{"message":{}}`), "s"); len(found) != 4 {
		t.Errorf("problems %q, want all four", found)
	}
}
