package script

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/scenarios"
)

func TestEdit(t *testing.T) {
	t.Parallel()
	const body = `{"b": {"x": 1, "list": [10, 20, 30]}, "a/b": {"~": 1.50}, "n": null}`
	tests := []struct {
		name string
		edit scenarios.Edit
		want string // with an error: the end of its text
		err  bool
	}{
		{"nothing", scenarios.Edit{}, `{"a/b":{"~":1.50},"b":{"list":[10,20,30],"x":1},"n":null}`, false},
		{"set", set("/b/x", `"<é>"`), `{"a/b":{"~":1.50},"b":{"list":[10,20,30],"x":"<é>"},"n":null}`, false},
		{"set null", set("/b", `null`), `{"a/b":{"~":1.50},"b":null,"n":null}`, false},
		{"add", set("/b/new", `12345678901234567890`), `{"a/b":{"~":1.50},"b":{"list":[10,20,30],"new":12345678901234567890,"x":1},"n":null}`, false},
		{"escapes", set("/a~1b/~0", `2`), `{"a/b":{"~":2},"b":{"list":[10,20,30],"x":1},"n":null}`, false},
		{"an element", set("/b/list/1", `{}`), `{"a/b":{"~":1.50},"b":{"list":[10,{},30],"x":1},"n":null}`, false},
		{"inside an element", scenarios.Edit{Set: map[string][]byte{"/b/list/1": []byte(`{}`), "/b/list/1/y": []byte(`1`)}}, `{"a/b":{"~":1.50},"b":{"list":[10,{"y":1},30],"x":1},"n":null}`, false},
		{"one more element", set("/b/list/-", `40`), `{"a/b":{"~":1.50},"b":{"list":[10,20,30,40],"x":1},"n":null}`, false},
		{"the whole", set("", `[]`), `[]`, false},
		{"remove", scenarios.Edit{Remove: []string{"/b/x", "/n"}}, `{"a/b":{"~":1.50},"b":{"list":[10,20,30]}}`, false},
		{"remove an element", scenarios.Edit{Remove: []string{"/b/list/0"}}, `{"a/b":{"~":1.50},"b":{"list":[20,30],"x":1},"n":null}`, false},
		{"set, then remove", scenarios.Edit{Set: map[string][]byte{"/b": []byte(`{"q": 1}`)}, Remove: []string{"/b/q"}}, `{"a/b":{"~":1.50},"b":{},"n":null}`, false},
		{"no parent", set("/c/x", `1`), `/c/x: there is no member "c"`, true},
		{"nothing to remove", scenarios.Edit{Remove: []string{"/c"}}, `/c: there is no member "c"`, true},
		{"below a number", set("/b/x/y", `1`), `/b/x/y: "y" lies in something that is no object and no array`, true},
		{"below an element", set("/b/list/0/y", `1`), `/b/list/0/y: "y" lies in something that is no object and no array`, true},
		{"no element", set("/b/list/3", `1`), `/b/list/3: there is no element "3" of 3`, true},
		{"a strange element", set("/b/list/01", `1`), `/b/list/01: there is no element "01" of 3`, true},
		{"not after the last", scenarios.Edit{Remove: []string{"/b/list/-"}}, `/b/list/-: there is no element "-" of 3`, true},
		{"no slash", set("b", `1`), `b: a JSON pointer is UTF-8 and begins with a slash`, true},
		{"the whole away", scenarios.Edit{Remove: []string{""}}, `: the whole body cannot be removed`, true},
		{"no value", set("/n", `{`), `/n: the value is not JSON: unexpected EOF`, true},
		{"two values", set("/n", `1 2`), `/n: the value is not JSON: something follows the value`, true},
		{"all problems", scenarios.Edit{Remove: []string{"/y", "/z"}}, "/y: there is no member \"y\"\n/z: there is no member \"z\"", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := edit([]byte(body), tt.edit)
			text := string(got)
			if err != nil {
				text = err.Error()
			}
			if text != tt.want || (err != nil) != tt.err {
				t.Errorf("got %s\nwant %s", text, tt.want)
			}
		})
	}
	if _, err := edit([]byte("<html>"), scenarios.Edit{}); err == nil || !strings.HasPrefix(err.Error(), "the body is not JSON") {
		t.Errorf("got %v", err)
	}
}

func set(pointer, value string) scenarios.Edit {
	return scenarios.Edit{Set: map[string][]byte{pointer: []byte(value)}}
}

// FuzzEdit: whatever the pointer, an edit gives JSON or an error, and a member that was set can be removed again.
func FuzzEdit(f *testing.F) {
	for _, pointer := range []string{"/a", "/a/b", "/list/0", "/list/-", "", "/", "//", "/~1", "/~", "x", "/a/b/c", "/list/00", "/é", "/\xb2"} {
		f.Add(`{"a": {"b": 1}, "list": [1, [2]], "": {"": 0}}`, pointer, `{"v": [null]}`)
	}
	f.Fuzz(func(t *testing.T, body, pointer, value string) {
		got, err := edit([]byte(body), set(pointer, value))
		if err != nil {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("%q set in %q at %q gave %q", value, body, pointer, got)
		}
		if pointer == "" || strings.HasSuffix(pointer, "/-") {
			return
		}
		if _, err = edit(got, scenarios.Edit{Remove: []string{pointer}}); err != nil {
			t.Fatalf("what was set in %q at %q cannot be removed: %v", body, pointer, err)
		}
	})
}
