package subject

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// messageSchema compiles a definition of the schema; "" for the whole.
func messageSchema(t *testing.T, definition string) *jsonschema.Schema {
	t.Helper()
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(DriverSchema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("driver.schema.json", text); err != nil {
		t.Fatal(err)
	}
	place := "driver.schema.json"
	if definition != "" {
		place += "#/$defs/" + definition
	}
	schema, err := compiler.Compile(place)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func keeps(t *testing.T, schema *jsonschema.Schema, line string) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

// oddCalls are calls whose members have the values that clients get wrong.
func oddCalls() []Call {
	var calls []Call
	add := func(op evidence.CallOp, change func(*Call)) {
		c := Call{Client: "a", Session: "odd/../x", Op: op}
		change(&c)
		calls = append(calls, c)
	}
	for _, f := range []float64{0, -1, 0.25, 1e300, math.NaN(), math.Inf(1), math.Inf(-1)} {
		add(evidence.CallSend, func(c *Call) { c.Input.Timeout = evidence.Some(evidence.Timeout{Total: f}) })
		add(evidence.CallSend, func(c *Call) {
			c.Input.Timeout = evidence.Some(evidence.Timeout{Pair: true, Connect: f, Read: 1})
		})
		add(evidence.CallWaitTask, func(c *Call) {
			c.Input.PollInterval, c.Input.WaitTimeout = evidence.Some(evidence.Timeout{Total: f}), evidence.Some(evidence.Timeout{Total: f})
		})
	}
	add(evidence.CallSend, func(c *Call) {
		c.Input = evidence.Input{
			Message: evidence.Null[string](), MessageID: evidence.Null[string](), StrictDictionary: evidence.Null[bool](),
			JSONRepairAttempts: evidence.Null[json.Number](), ResponseKind: evidence.Null[string](), Timeout: evidence.Null[evidence.Timeout](),
		}
	})
	add(evidence.CallSend, func(c *Call) {
		c.Input.Message, c.Input.MessageID = evidence.Some("<&>\u2028\x00\"\\\n"), evidence.Some(" ")
		c.Input.JSONRepairAttempts = evidence.Some(json.Number("-1.5"))
		c.Files = []File{{Path: "/a b", MediaType: "x"}, {Path: "/b"}}
		c.Platform = &Platform{URL: "u", Token: "t", RefreshToken: "r"}
	})
	add(evidence.CallCancelTask, func(c *Call) { c.Input.TaskID = evidence.Some("") })
	add(unknownOp, func(*Call) {})
	return calls
}

func TestMessagesKeepTheSchema(t *testing.T) {
	t.Parallel()
	schema := messageSchema(t, "FromHarness")
	for _, c := range oddCalls() {
		line, err := messageOf("c1", "r1.a", c)
		if err != nil {
			t.Fatal(err)
		}
		if err := keeps(t, schema, string(line)); err != nil || bytes.Count(line, []byte("\n")) != 1 {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, m := range []any{
		helloMessage{Type: typeHello, Protocol: ProtocolVersion, Platform: platformOf(Platform{})},
		map[string]string{"type": typeCancel, "id": "c1"}, map[string]string{"type": typeBye},
	} {
		line, err := encoded(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := keeps(t, schema, string(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// What the reader of lines finds wrong is wrong by the schema, and what it takes the schema takes.
func TestSchemaAgreesWithTheReader(t *testing.T) {
	t.Parallel()
	schema := messageSchema(t, "FromDriver")
	for line, good := range map[string]bool{
		`{"type":"hello","protocol":1,"client":{"name":"a"},"capabilities":[]}`:                                true,
		`{"type":"hello","protocol":1,"client":{"name":"a"},"capabilities":["own"],"parallel":3,"more":{}}`:    true,
		`{"type":"hello","protocol":2,"client":{"name":"a"},"capabilities":[]}`:                                false,
		`{"type":"hello","protocol":1,"client":{"name":""},"capabilities":[]}`:                                 false,
		`{"type":"hello","protocol":1,"client":{"name":"a"}}`:                                                  false,
		`{"type":"hello","protocol":1,"client":{"name":"a"},"capabilities":[],"parallel":0}`:                   false,
		`{"type":"hello","protocol":1,"client":{"name":"a"},"capabilities":[],"constants":{"grace_ms":-1}}`:    false,
		`{"type":"hello","protocol":1,"client":{"name":"a"},"capabilities":[],"constants":{"cache_skew":0.5}}`: true,
		`{"type":"result","id":"c1","outcome":{"kind":"message","message":{"any":1}}}`:                         true,
		`{"type":"result","id":"c1","outcome":{"kind":"message","message":[1]}}`:                               true,
		`{"type":"result","id":"c1","outcome":{"kind":"task","task":null}}`:                                    true,
		`{"type":"result","id":"c1","outcome":{"kind":"error","error":{"category":""}}}`:                       true,
		`{"type":"result","id":"c1","outcome":{"kind":"error","error":{"category":"bad_luck"}}}`:               false,
		`{"type":"result","id":"c1","outcome":{"kind":"error","error":{"category":"other","is":["no"]}}}`:      false,
		`{"type":"result","id":"c1","outcome":{"kind":"guess"}}`:                                               false,
		`{"type":"result","id":"c1"}`:                             false,
		`{"type":"result","outcome":{"kind":"task","task":{}}}`:   false,
		`{"type":"unsupported","id":"c1"}`:                        true,
		`{"type":"unsupported","reason":"no id"}`:                 false,
		`{"type":"progress","id":"c1","outcome":{"kind":"task"}}`: false,
	} {
		if err := keeps(t, schema, line); (err == nil) != good {
			t.Errorf("the schema says of %s: %v", line, err)
		}
		if err := read(line); (err == nil) != good {
			t.Errorf("the reader says of %s: %v", line, err)
		}
	}
}

// read reads a line as a session does.
func read(line string) error {
	if strings.Contains(line, `"type":"hello"`) {
		_, err := readIntroduction([]byte(line))
		return err
	}
	r, err := readReply([]byte(line))
	if err == nil {
		_, err = r.answer()
	}
	return err
}

// TestSchemaHasEveryMember compares the schema with the types that read and write the messages, in both directions.
func TestSchemaHasEveryMember(t *testing.T) {
	t.Parallel()
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
			Enum       []string       `json:"enum"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(DriverSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	for name, typ := range map[string]reflect.Type{
		"HarnessHello": reflect.TypeFor[helloMessage](), "Platform": reflect.TypeFor[platformMessage](), "Call": reflect.TypeFor[callMessage](),
		"Input": reflect.TypeFor[inputMessage](), "File": reflect.TypeFor[fileMessage](), "DriverHello": reflect.TypeFor[introduction](),
		"Constants": reflect.TypeFor[evidence.Constants](), "Error": reflect.TypeFor[evidence.Error](),
	} {
		var inSchema []string
		for member := range schema.Defs[name].Properties {
			inSchema = append(inSchema, member)
		}
		slices.Sort(inSchema)
		if diff := cmp.Diff(members(typ), inSchema); diff != "" {
			t.Errorf("members of the type and of the schema of %s:\n%s", name, diff)
		}
	}
	want := []string{""}
	for _, c := range evidence.Categories() {
		want = append(want, string(c))
	}
	if diff := cmp.Diff(want, schema.Defs["Category"].Enum); diff != "" {
		t.Errorf("categories: %s", diff)
	}
}

// members are the names of a type's members in JSON, sorted.
func members(typ reflect.Type) []string {
	var names []string
	for field := range typ.Fields() {
		if field.Anonymous {
			names = append(names, members(field.Type)...)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
