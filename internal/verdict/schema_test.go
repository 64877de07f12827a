package verdict

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/suites"
)

var update = flag.Bool("update", false, "write the golden files anew")

// varied is a judging with something of everything that a result can hold.
func varied() judging {
	j := green()
	j.session.Selection = evidence.Selection{Level: "OBSERVE"}
	j.session.Skipped = []evidence.Skipped{{Scenario: "two-files", Reason: "needs files"}}
	j.session.Faults = []evidence.Fault{{Scenario: "plain-send", Kind: "answer", Text: "its JSON is broken"}}
	j.rules = append(j.rules, rule("FLOW-25", suites.Observe), rule("TASK-01", suites.Must, "task_mode"))
	j.session.Subject.Capabilities = Required()
	j.checks = []suites.Check{
		check("FLOW-06", suites.Must, suites.Failed), check("FLOW-06", suites.Must, suites.Passed),
		check("FLOW-21", suites.Should, suites.Warned), check("FLOW-25", suites.Observe, suites.Observed),
	}
	return j
}

func encode(t *testing.T, r Result) []byte {
	t.Helper()
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", text); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestResultsKeepTheSchema(t *testing.T) {
	t.Parallel()
	schema := compiled(t)
	for name, r := range map[string]Result{
		"varied": varied().result(),
		"green":  green().result(),
		"known":  knownOf(baseline.Entry{Rule: "FLOW-06", Status: baseline.Failed, Reason: "a", Line: 2}).result(),
		"bare":   Build(evidence.Session{Subject: evidence.Subject{Kind: "driver"}, Clock: "real"}, nil, suites.Scope{}, nil, Options{}),
	} {
		data, err := jsonschema.UnmarshalJSON(bytes.NewReader(encode(t, r)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := schema.Validate(map[string]any{"schema": 1.0}); err == nil {
		t.Error("the schema takes a result that has nothing but its version")
	}
}

// TestSchemaHasEveryMember compares the schema with the types, member by member, in both directions.
func TestSchemaHasEveryMember(t *testing.T) {
	t.Parallel()
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	compareMembers(t, "", reflect.TypeFor[Result](), schema)
}

func compareMembers(t *testing.T, place string, typ reflect.Type, schema map[string]any) {
	t.Helper()
	switch typ.Kind() {
	case reflect.Slice:
		items, _ := schema["items"].(map[string]any)
		compareMembers(t, place+"[]", typ.Elem(), items)
		return
	case reflect.Pointer: // null where there is none
		compareMembers(t, place, typ.Elem(), schema)
		return
	case reflect.Struct:
	default:
		return
	}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	var inType []string
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		inType = append(inType, name)
		if !slices.Contains(required, any(name)) {
			t.Errorf("%s.%s is written in every result and the schema does not require it", place, name)
		}
		below, _ := properties[name].(map[string]any)
		compareMembers(t, place+"."+name, field.Type, below)
	}
	var inSchema []string
	for name := range properties {
		inSchema = append(inSchema, name)
	}
	slices.Sort(inType)
	slices.Sort(inSchema)
	if diff := cmp.Diff(inType, inSchema); diff != "" {
		t.Errorf("members of the type and of the schema at %q:\n%s", place, diff)
	}
}

// TestMembersAreOnlyAdded reads the result that version 1 wrote. A member that was taken away or renamed is unknown,
// and one that means something else no longer validates.
func TestMembersAreOnlyAdded(t *testing.T) {
	t.Parallel()
	const name = "testdata/result-v1.json"
	if *update {
		if err := os.WriteFile(name, encode(t, varied().result()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var r Result
	if err := decoder.Decode(&r); err != nil {
		t.Fatalf("a member of version 1 is gone: %v", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled(t).Validate(value); err != nil {
		t.Errorf("a result of version 1 no longer keeps the schema: %v", err)
	}
	if r.Exit != ExitFault || len(r.Results) != 4 {
		t.Errorf("exit %d with %d results were read back", r.Exit, len(r.Results))
	}
}
