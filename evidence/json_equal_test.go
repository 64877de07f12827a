package evidence

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEqual(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("9", 200)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":2}`, `{ "b" : 2, "a" : 1 }`, true},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`{"a":1,"b":1}`, `{"a":1,"c":1}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1,2]`, `[1]`, false},
		{`1`, `1.0`, true},
		{`1`, `1e0`, true},
		{`100`, `1E+2`, true},
		{`0.001`, `1e-3`, true},
		{`-0`, `0.0`, true},
		{`-1`, `1`, false},
		{`1`, `1.0000000000000000000000000000001`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`1e999999999`, `10e999999998`, true},
		{`1e999999999`, `1e999999998`, false},
		{`1e` + huge, `1e` + huge, true},
		{`1e` + huge, `1e` + huge + "0", false},
		{`"é\n"`, `"\u00e9\u000A"`, true},
		{`"😀"`, `"\ud83d\ude00"`, true},
		{`"\u0041"`, `"\u0041B"`, false},
		{`"e\u0301"`, `"é"`, false},
		{`"a"`, `"A"`, false},
		{`"1"`, `1`, false},
		{`null`, `false`, false},
		{`null`, `null`, true},
		{`true`, `false`, false},
		{`{}`, `[]`, false},
	} {
		a, b := read(t, c.a), read(t, c.b)
		if Equal(a, b) != c.want || Equal(b, a) != c.want {
			t.Errorf("Equal(%.60s, %.60s) is not %v", c.a, c.b, c.want)
		}
		if (len(Diff(a, b)) == 0) != c.want {
			t.Errorf("Diff(%.60s, %.60s) = %v", c.a, c.b, Diff(a, b))
		}
	}
	if !Equal(nil, nil) || Equal(nil, read(t, "null")) {
		t.Error("absent is equal to absent only")
	}
	one, _ := ReadJSON([]byte("01"))
	two, _ := ReadJSON([]byte("02"))
	if Equal(one, two) || !Equal(one, one) {
		t.Error("broken numbers are equal when they are written alike")
	}
	first, _ := ReadJSON([]byte(`{"a":1,"a":2}`))
	if !Equal(first, read(t, `{"a":2}`)) {
		t.Error("of members with one name the last counts")
	}
}

func TestDiffIsShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	many := make([]string, 0, 30)
	for i := range 30 {
		many = append(many, strconv.Itoa(i))
	}
	for _, c := range []struct {
		a, b string
		want []string
	}{
		{
			`{"message":{"messageId":"a","x":1},"gone":true}`, `{"message":{"messageId":"b","x":1},"new":[]}`,
			[]string{`/message/messageId: "a" became "b"`, `/gone: true is missing`, `/new: [] was added`},
		},
		{`[1,{"a/b":2}]`, `[1,{"a/b":3},4]`, []string{`/1/a~1b: 2 became 3`, `/2: 4 was added`}},
		{`[]`, `{}`, []string{`the whole value: [] became {}`}},
		{`"` + long + `"`, `"a"`, []string{`the whole value: "` + long[:39] + `… (202 bytes) became "a"`}},
		{`[` + strings.Join(many, ",") + `]`, `1`, []string{`the whole value: an array of 30 became 1`}},
		{`{"a":"` + long + `"}`, `1`, []string{`the whole value: an object of 1 members became 1`}},
		{`[1,2,3,4,5,6,7]`, `[0,0,0,0,0,0,0]`, []string{
			"/0: 1 became 0", "/1: 2 became 0", "/2: 3 became 0", "/3: 4 became 0", "/4: 5 became 0",
		}},
	} {
		if diff := cmp.Diff(c.want, Diff(read(t, c.a), read(t, c.b))); diff != "" {
			t.Error(diff)
		}
	}
	if got := Diff(nil, read(t, "1")); len(got) != 1 || got[0] != "the whole value: 1 was added" {
		t.Errorf("Diff of nothing = %v", got)
	}
	if (*Value)(nil).Brief() != "nothing" {
		t.Error("nothing is not called nothing")
	}
}

func TestSubsetOf(t *testing.T) {
	t.Parallel()
	have := read(t, `{"a":{"b":1,"c":[1,{"d":2,"e":3}]},"n":null}`)
	for want, holds := range map[string]bool{
		`{}`:                                  true,
		`{"a":{}}`:                            true,
		`{"a":{"b":1.0}}`:                     true,
		`{"a":{"c":[1,{"d":2}]}}`:             true,
		`{"n":null}`:                          true,
		`{"x":null}`:                          false,
		`{"a":{"b":2}}`:                       false,
		`{"a":{"c":[1]}}`:                     false,
		`{"a":{"c":[1,{"d":3}]}}`:             false,
		`{"a":[]}`:                            false,
		`{"a":{"b":1,"c":[1,{"d":2}],"x":1}}`: false,
	} {
		if got := SubsetOf(read(t, want), have); got != holds {
			t.Errorf("SubsetOf(%s) = %v", want, got)
		}
	}
	if !SubsetOf(nil, have) || SubsetOf(have, nil) {
		t.Error("nothing is asked for by nothing, and had by nothing")
	}
}
