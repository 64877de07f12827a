package client

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadDocument(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, " {\"a\":1}\r\n\t", `{"a":{"b":1,"b":2}}`, `{"a":1,"A":2}`, `{"":0}`} {
		if _, err := readDocument([]byte(body)); err != nil {
			t.Errorf("%q: %v", body, err)
		}
	}
	for body, want := range map[string]string{
		" \n": "empty", //nolint:gocritic // mapKey: white space alone is what is tried
		"":    "empty", "<html>": "JSON value", "[]": "object", "null": "object", `"x"`: "object", "1": "object",
		`{"a":1}x`: "JSON value", `{"a":1}{}`: "JSON value", `{"a":1`: "JSON value", `{'a':1}`: "JSON value", `{"a":1,}`: "JSON value",
		`{"a":1,"a":2}`: "twice", `{"a":1,"\u0061":1}`: "twice", "{\"a\":\"\xff\"}": "UTF-8", "\ufeff{}": "JSON value", "{\"a\":\"\n\"}": "JSON value",
		"[[[" + strings.Repeat("[", 20000): "JSON value",
	} {
		if got, err := readDocument([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, %v; want an error with %q", body, got, err, want)
		}
	}
}

func TestReadObjectOfDamagedJSON(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"", `{`, `{"`, `{"a"`, `{"a":`, `{"a":1`, `{"a":"`, `{"a\`, `{1:2}`, `{"a":1 "b"}`} {
		if got, err := readObject(json.RawMessage(value)); err == nil {
			t.Errorf("%q: got %v", value, got)
		}
	}
}

func TestObjectMembers(t *testing.T) {
	t.Parallel()
	o, err := readDocument([]byte(`{"text":"a\u00e9","number":1,"null":null,"list":[1,null],"child":{"x":"y"},"twice":{"a":1,"a":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := o.text("text"); !ok || text != "aé" {
		t.Errorf("text: %q, %v", text, ok)
	}
	for _, name := range []string{"number", "null", "absent", "Text", "list"} {
		if text, ok := o.text(name); ok {
			t.Errorf("%s is the text %q", name, text)
		}
	}
	if !o.has("number") || o.has("null") || o.has("absent") || o.has("Number") {
		t.Error("has is wrong")
	}
	if list, ok := o.elements("list"); !ok || len(list) != 2 || string(list[1]) != "null" {
		t.Errorf("list: %s, %v", list, ok)
	}
	if _, ok := o.elements("child"); ok {
		t.Error("an object is an array")
	}
	if x, _ := o.child("child").text("x"); x != "y" || len(o.child("twice"))+len(o.child("list"))+len(o.child("absent")) != 0 {
		t.Error("child is wrong")
	}
	if got := o.describe("absent") + ", " + o.describe("number"); got != "absent is absent, number is 1" {
		t.Error(got)
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": "plain", " a\r\n\tb ": "a b", "\x1b]0;title\x07": "]0;title", "c1 \u009b31m": "c1 31m", "bad \xff utf": "bad utf",
		strings.Repeat("x", 301): strings.Repeat("x", 300) + "…",
	} {
		if got := shorten(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := quote("a\nb"); got != `"a b"` {
		t.Error(got)
	}
}

// FuzzReadDocument: what is taken is JSON in UTF-8 whose members, put together
// again, are the same object to encoding/json.
func FuzzReadDocument(f *testing.F) {
	for _, seed := range []string{answering("hi"), limitBody("90"), blocking("waking", "1"), `{"a":1,"a":2}`, `{"a":{}}x`, "\xff", `{"\ud800":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		document, err := readDocument(body)
		if err != nil {
			return
		}
		var loose map[string]json.RawMessage
		if !utf8.Valid(body) || json.Unmarshal(body, &loose) != nil || len(loose) != len(document) {
			t.Fatalf("took %q as %v", body, document)
		}
		for name, value := range document {
			if string(loose[name]) != string(value) {
				t.Errorf("%q: member %q is %s, want %s", body, name, value, loose[name])
			}
		}
	})
}

// FuzzReadDirectAnswer: whatever a runtime answers, the outcome is a Message that
// meets its obligations or a list of problems.
func FuzzReadDirectAnswer(f *testing.F) {
	for _, seed := range []string{answering("hi"), `{"task":{}}`, `{"message":{"role":"ROLE_AGENT","parts":[]}}`, "[]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		message, found := readDirectAnswer(body, session)
		if (message == nil) != (len(found) > 0) {
			t.Fatalf("%q: %v with problems %q", body, message, found)
		}
		if message != nil && (message.ContextID != session || strings.TrimSpace(message.ID) == "" || len(message.Parts) == 0 || !json.Valid(message.Raw)) {
			t.Errorf("%q was taken as %+v", body, message)
		}
	})
}

// FuzzReadAdmission: only can_submit true with a usable token and URL admits, and
// only a transient state is waited for.
func FuzzReadAdmission(f *testing.F) {
	for _, seed := range []string{admitting("t", "http://h", ""), blocking("waking", "1500"), blocking("x", "null"), `{"runtime_interaction":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a := readAdmission(body, arrival)
		if (a.verdict == unusable) != (len(a.problems) > 0) {
			t.Fatalf("%q: verdict %v with problems %q", body, a.verdict, a.problems)
		}
		_, err := parseEndpoint(a.access.RPCURL)
		if a.verdict == admitted && (err != nil || !usableToken(a.access.Token)) {
			t.Errorf("%q admits with what cannot be used", body)
		}
		if a.verdict == transient && (!isTransient(a.state) || a.retryAfter < 0) {
			t.Errorf("%q: waits %v for %s", body, a.retryAfter, a.state)
		}
	})
}
