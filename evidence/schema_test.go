package evidence

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "write schema.json anew from the types")

// The schema is made from the types and their comments, so that neither can say what the other does not.
func TestSchemaIsThatOfTheTypes(t *testing.T) {
	t.Parallel()
	want := makeSchema(t)
	if *update {
		if err := os.WriteFile("schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(Schema())); diff != "" {
		t.Errorf("schema.json differs from the types; run: go test ./evidence -run Schema -update\n%s", diff)
	}
}

// schemaMaker walks over the types.
type schemaMaker struct {
	comments map[string]string // of types and, as Type.Field, of fields
	defs     map[string]any
}

func makeSchema(t *testing.T) []byte {
	t.Helper()
	m := schemaMaker{comments: readComments(t), defs: map[string]any{}}
	session, run := m.of(reflect.TypeFor[Session]()), m.of(reflect.TypeFor[Run]())
	schema := map[string]any{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://github.com/a2a-conform/a2a-conform/evidence/schema.json",
		"title":       "Evidence of a2a-conform, version 1",
		"description": "The documents of a recording: session.json, and one document for each run in runs/. Times are durations since the epoch of their run.",
		"anyOf":       []any{session, run},
		"$defs":       m.defs,
	}
	m.defs["Session"].(map[string]any)["properties"].(map[string]any)["schema"] = map[string]any{"const": SchemaVersion}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func object(pairs ...any) map[string]any {
	o := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		o[pairs[i].(string)] = pairs[i+1]
	}
	return o
}

func (m schemaMaker) of(t reflect.Type) any {
	text := object("type", "string")
	odd := object("enum", []string{"NaN", "Infinity", "-Infinity"})
	switch {
	case t == reflect.TypeFor[Offset]():
		return object("type", "string", "pattern", `^-?([0-9.]+(ns|µs|ms|s|m|h))+$`)
	case t == reflect.TypeFor[time.Time]():
		return object("type", "string", "format", "date-time")
	case t == reflect.TypeFor[json.Number]():
		return object("type", "number")
	case t == reflect.TypeFor[json.RawMessage]():
		return object()
	case t == reflect.TypeFor[*float64]():
		return object("anyOf", []any{object("type", []string{"number", "null"}), odd})
	case t == reflect.TypeFor[Timeout]():
		one := object("anyOf", []any{object("type", "number"), odd})
		pair := object("type", "array", "items", one, "minItems", 2, "maxItems", 2)
		return object("anyOf", []any{one, pair})
	case t == reflect.TypeFor[Text]():
		return object("anyOf", []any{text, object("type", "object", "required", []string{"base64"}, "additionalProperties",
			false, "properties", object("base64", text))})
	case t == reflect.TypeFor[Body]():
		return m.define(t, reflect.TypeFor[bodyFile]())
	case strings.HasPrefix(t.Name(), "Opt["):
		get, _ := t.MethodByName("Get")
		return object("anyOf", []any{m.of(get.Type.Out(0)), object("type", "null")})
	case t.Kind() == reflect.Pointer:
		return object("anyOf", []any{m.of(t.Elem()), object("type", "null")})
	case t.Kind() == reflect.Struct:
		return m.define(t, t)
	case t.Kind() == reflect.Slice:
		return object("type", []string{"array", "null"}, "items", m.of(t.Elem()))
	case t.Kind() == reflect.Map:
		return object("type", []string{"object", "null"}, "additionalProperties", m.of(t.Elem()))
	case t.Kind() == reflect.String && knownWords(t) != nil:
		return object("enum", knownWords(t))
	case t.Kind() == reflect.String:
		return text
	case t.Kind() == reflect.Bool:
		return object("type", "boolean")
	case t.Kind() == reflect.Int || t.Kind() == reflect.Int64:
		return object("type", "integer")
	default:
		panic("the schema does not know " + t.String())
	}
}

// define describes a struct once, under its name, with the members of form.
func (m schemaMaker) define(t, form reflect.Type) any {
	reference := object("$ref", "#/$defs/"+t.Name())
	if _, done := m.defs[t.Name()]; done {
		return reference
	}
	properties, required := map[string]any{}, []string{}
	m.defs[t.Name()] = object("type", "object", "description", m.comments[t.Name()], "properties", properties,
		"additionalProperties", false)
	for f := range form.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := m.of(f.Type).(map[string]any)
		if comment := m.comments[t.Name()+"."+f.Name]; comment != "" {
			property["description"] = comment
		}
		properties[name] = property
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	m.defs[t.Name()].(map[string]any)["required"] = required
	return reference
}

func parsePackage(t *testing.T) []*ast.File {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := goparser.ParseFile(token.NewFileSet(), name, nil, goparser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

func readComments(t *testing.T) map[string]string {
	t.Helper()
	comments := map[string]string{}
	flat := func(g *ast.CommentGroup) string { return strings.Join(strings.Fields(g.Text()), " ") }
	for _, file := range parsePackage(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			decl, ok := n.(*ast.GenDecl)
			if !ok {
				return true
			}
			for _, spec := range decl.Specs {
				typ, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				comments[typ.Name.Name] = flat(decl.Doc)
				if fields, ok := typ.Type.(*ast.StructType); ok {
					for _, f := range fields.Fields.List {
						for _, name := range f.Names {
							comments[typ.Name.Name+"."+name.Name] = flat(f.Doc)
						}
					}
				}
			}
			return true
		})
	}
	return comments
}

// Every constant of a closed type is one of its known words, and every word has its constant.
func TestKnownWordsAreTheConstants(t *testing.T) {
	t.Parallel()
	declared := map[string][]string{}
	for _, file := range parsePackage(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 {
				name, isNamed := spec.Type.(*ast.Ident)
				value, isText := spec.Values[0].(*ast.BasicLit)
				if isNamed && isText {
					declared[name.Name] = append(declared[name.Name], strings.Trim(value.Value, `"`))
				}
			}
			return true
		})
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Clock](), reflect.TypeFor[EndKind](), reflect.TypeFor[SecretKind](), reflect.TypeFor[Side](),
		reflect.TypeFor[Accepts](), reflect.TypeFor[SubjectKind](), reflect.TypeFor[CallOp](),
		reflect.TypeFor[OutcomeKind](), reflect.TypeFor[Category](), reflect.TypeFor[Op](), reflect.TypeFor[EndedBy](),
	} {
		known := slices.DeleteFunc(knownWords(typ), func(word string) bool { return word == "" })
		if diff := cmp.Diff(declared[typ.Name()], known); diff != "" {
			t.Errorf("%s (-constants +known words):\n%s", typ.Name(), diff)
		}
	}
}

func compileSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("evidence.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("evidence.json" + name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(t *testing.T, schema *jsonschema.Schema, data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(doc)
}

func TestRecordingsKeepTheSchema(t *testing.T) {
	t.Parallel()
	run, session, either := compileSchema(t, "#/$defs/Run"), compileSchema(t, "#/$defs/Session"), compileSchema(t, "")
	s, runs := fullRecording()
	s.Schema = SchemaVersion
	for name, v := range map[string]any{"full": runs[0], "second": runs[1], "empty": Run{
		Clock: ClockReal, End: End{How: EndSettled},
	}} {
		data, err := document(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, run, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := validate(t, session, data); err == nil {
			t.Errorf("%s: a run is taken for a session", name)
		}
	}
	data, err := document(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, session, data); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ from, to string }{
		{`"schema": 1`, `"schema": 2`}, {`"held": true`, `"held": 1`}, {`"kind": "driver"`, `"kind": "person"`},
		{`"strays": [`, `"new": 1, "strays": [`}, {`"clock": "real",`, ``},
	} {
		changed := bytes.Replace(data, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(changed, data) {
			t.Fatalf("%s is not in the session", c.from)
		}
		if validate(t, either, changed) == nil {
			t.Errorf("%s instead of %s keeps the schema", c.to, c.from)
		}
	}
}
