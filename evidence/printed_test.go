package evidence

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrintedIDs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                     {"", nil},
		"no words":                    {"request failed: msg-1", nil},
		"plain":                       {"Message ID: msg-7f", []string{"msg-7f"}},
		"at the end of a sentence":    {"The message id was msg-7f.", []string{"msg-7f"}},
		"camel case in JSON":          {`{"error":"x","messageId": "msg-7f"}`, []string{"msg-7f"}},
		"snake case":                  {"message_id=abc", []string{"abc"}},
		"as an option":                {"run again with --message-id msg-7f to keep it", []string{"msg-7f"}},
		"option with equals sign":     {"--message-id=msg-7f", []string{"msg-7f"}},
		"capitals":                    {"MESSAGE-ID = 'msg-7f'", []string{"msg-7f"}},
		"in words":                    {"Keep this message identifier for another try: msg-7f", []string{"msg-7f"}},
		"on the next line":            {"message id:\n\n  msg-7f\n", []string{"msg-7f"}},
		"further down is another":     {"no message id here\n\nfirst line\nsecond 1234\nthird 5678", nil},
		"the same twice":              {"Message id: msg-7f\nrun again with --message-id msg-7f", []string{"msg-7f"}},
		"two":                         {"message id msg-1, message id msg-2", []string{"msg-1", "msg-2"}},
		"in colour":                   {"\x1b[1mmessage id\x1b[0m: \x1b[32mmsg-7f\x1b[0m", []string{"msg-7f"}},
		"in a frame":                  {"╭─ Error ─╮\n│ message id: msg-7f │\n╰─────────╯", []string{"msg-7f"}},
		"a uuid":                      {"Message ID 0b2701a1-e777-4cfe-8437-b94025f00069 was used", []string{"0b2701a1-e777-4cfe-8437-b94025f00069"}},
		"no id but a status":          {"no message id is known: the server answered 504", nil},
		"settings side by side":       {"message_id=abc status=x502", []string{"abc"}},
		"an option after a colon":     {"message id: use --message-id msg-7f", []string{"msg-7f"}},
		"words without an id":         {"a message id is made for each call and printed whenever one fails", nil},
		"a word that only looks like": {"message ideas: 12345", nil},
		"a link":                      {"\x1b]8;;http://x\x1b\\message id\x1b]8;;\x1b\\: msg-7f", []string{"msg-7f"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, PrintedIDs(tt.text)); diff != "" {
				t.Errorf("ids (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIDsOfACommand(t *testing.T) {
	t.Parallel()
	c := Command{Stdout: Text(`{"messageId":"msg-agent-1"}`), Stderr: Text("message id: msg-1")}
	if diff := cmp.Diff([]string{"msg-1"}, c.PrintedIDs()); diff != "" {
		t.Errorf("standard error goes first (-want +got):\n%s", diff)
	}
	c.Stderr = nil
	if diff := cmp.Diff([]string{"msg-agent-1"}, c.PrintedIDs()); diff != "" {
		t.Errorf("standard output (-want +got):\n%s", diff)
	}
}

func FuzzPrintedIDs(f *testing.F) {
	for _, seed := range []string{"", "message id: x", "--message-id=msg-1.", "messageId\n\n\"\x1b[", "message id message id 1:a", "message id ::: ---"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, id := range PrintedIDs(text) {
			if id == "" || strings.ContainsFunc(id, between) {
				t.Errorf("id %q of %q", id, text)
			}
			if !strings.Contains(Plain(text), id) {
				t.Errorf("id %q does not stand in %q", id, text)
			}
		}
	})
}
