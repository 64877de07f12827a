package scenarios

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// TestSchemaAndCodeKnowTheSame holds the lists that stand both in schema.json and in the code together.
func TestSchemaAndCodeKnowTheSame(t *testing.T) {
	t.Parallel()
	s, err := newSchema()
	if err != nil {
		t.Fatal(err)
	}
	sorted := func(words []string) []string { return slices.Sorted(slices.Values(words)) }
	tests := []struct {
		name        string
		schema, own []string
	}{
		{"operations", keysOf(s.text, "properties", "when", "properties"), ops()},
		{"counted operations", keysOf(s.text, "properties", "expect", "properties", "calls", "properties"), ops()},
		{"outcomes", words(within(s.text, "$defs", "outcome", "pattern").(string)), outcomes()},
		{"sides", words(within(s.text, "$defs", "endpoint", "properties", "side", "pattern").(string)), []string{"platform", "runtime", "elsewhere"}},
		{"cuts", words(within(s.text, "$defs", "wire", "properties", "cut", "properties", "after", "pattern").(string)), cutWords()},
		{"calls", slices.DeleteFunc(keysOf(s.text, "$defs", "call", "properties"), func(key string) bool {
			return !slices.Contains(callOps(), key)
		}), callOps()},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(sorted(tt.own), sorted(tt.schema)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// TestSchemaIsClosedAndExplained: a member that no one reads must not be taken, and the schema is documentation too.
func TestSchemaIsClosedAndExplained(t *testing.T) {
	t.Parallel()
	var root any
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch value := value.(type) {
		case []any:
			for _, item := range value {
				walk(path, item)
			}
		case map[string]any:
			_, properties := value["properties"].(map[string]any)
			if _, closed := value["additionalProperties"]; properties && !closed {
				t.Errorf("%s takes any member", path)
			}
			if _, typed := value["type"].(string); typed && value["title"] == nil {
				t.Errorf("%s has no title to say what is wanted", path)
			}
			for key, inner := range value {
				walk(path+"/"+key, inner)
			}
		}
	}
	walk("#", root)
}

func TestSchemaParts(t *testing.T) {
	t.Parallel()
	s, err := newSchema()
	if err != nil {
		t.Fatal(err)
	}
	if got := within(s.at("schema.json#/$defs/call/oneOf/1/required/0")); got != "get_task" {
		t.Errorf("want get_task, got %v", got)
	}
	for _, nowhere := range []string{"#/$defs/call/oneOf/9", "#/$defs/call/oneOf/x", "#/nothing/at/all"} {
		if got := s.at(nowhere); got != nil {
			t.Errorf("%s: want nothing, got %v", nowhere, got)
		}
	}
}

func TestCasesHaveTheirOwnValuesOnRealTime(t *testing.T) {
	t.Parallel()
	l := testLoader(t)
	l.add("x.yaml", []byte(header+"vars: {a: 3s}\nreal: {vars: {a: 1s}}\nsettle: ${a}\n"))
	if len(l.problems) > 0 {
		t.Fatal(l.problems)
	}
	onVirtual, onReal := l.files[0].Cases(evidence.ClockVirtual)[0].Settle, l.files[0].Cases(evidence.ClockReal)[0].Settle
	if got := onVirtual.String() + " " + onReal.String(); got != "3s 1s" {
		t.Errorf("want 3s 1s, got %s", got)
	}
}

func TestNumbersAreKeptAsWritten(t *testing.T) {
	t.Parallel()
	l := testLoader(t)
	l.add("x.yaml", []byte(header+"when:\n  runtime.send_message:\n    - reply: {raw: {status: 200, body: "+
		"[1.50, 0x1F, 1_000, +5, .5, 1e400, 1e999999999, 123456789012345678901234567890123, true, ~, .inf, 'a<b', \"1\"]}}\n"))
	if len(l.problems) > 0 {
		t.Fatal(l.problems)
	}
	got := string(l.files[0].Cases(evidence.ClockVirtual)[0].When[evidence.OpSendMessage][0].Reply.Raw.Body)
	want := `[1.50,31,1000,5,0.5,1e400,1e999999999,123456789012345678901234567890123,true,null,"Infinity","a<b","1"]`
	if got != want {
		t.Errorf("want %s\ngot  %s", want, got)
	}
	if !json.Valid([]byte(got)) {
		t.Error("that is no JSON")
	}
}

func TestGuesses(t *testing.T) {
	t.Parallel()
	known := []string{"reply", "ready", "platform.resolve_access", "redirect"}
	tests := []struct{ written, want string }{
		{"repyl", `, did you mean "reply"?`},
		{"Ready", `, did you mean "ready"?`},
		{"platform.resolve", `, did you mean "platform.resolve_access"?`},
		{"zzz", ""},
		{strings.Repeat("reply", 20), ""},
	}
	for _, tt := range tests {
		if got := didYouMean(tt.written, known); got != tt.want {
			t.Errorf("%s: want %q, got %q", tt.written, tt.want, got)
		}
	}
}
