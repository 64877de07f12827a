package scenarios

import "testing"

func TestTextIsMade(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		text Text
		want string
	}{
		{"given", Text{Value: "hello"}, "hello"},
		{"repeated", Text{Repeat: "ab", Bytes: 5}, "ababa"},
		{"no room for half a character", Text{Repeat: "é", Bytes: 5}, "éé"},
		{"shorter than one", Text{Repeat: "abc", Bytes: 2}, "ab"},
	} {
		if got := test.text.String(); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
