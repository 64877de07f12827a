package selftest

import (
	"reflect"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// Whatever is changed of a run, its digest is another: each member of each of its values is, one after the other.
func TestEveryMemberCountsForTheDigest(t *testing.T) {
	t.Parallel()
	for _, client := range []subject.Subject{defects.Twin(nil), defects.CommandTwin(nil)} {
		rec, err := runner.RunAll(t.Context(), client, shipped(t, "refresh-once", "limit-reached", "life-of-a-task")[:3], runner.Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range rec.Runs {
			before, err := digestOf(run)
			if err != nil {
				t.Fatal(err)
			}
			tried := 0
			changeEach(reflect.ValueOf(&run).Elem(), "run", func(place string) {
				tried++
				if after, err := digestOf(run); err != nil || after == before {
					t.Errorf("%s: %s counts for nothing", run.ID, place)
				}
			})
			if after, err := digestOf(run); err != nil || after != before || tried < 200 {
				t.Errorf("%s: %d changes were tried and taken back", run.ID, tried)
			}
		}
	}
}

// changeEach changes one value after the other, tells of it, and takes the change back.
func changeEach(v reflect.Value, place string, told func(place string)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				changeEach(v.Field(i), place+"."+field.Name, told)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			changeEach(v.Elem(), place, told)
		}
		change(v, otherPointer(v), place, told)
	case reflect.Slice:
		for i := range v.Len() {
			changeEach(v.Index(i), place+"[]", told)
		}
		change(v, reflect.Append(v.Slice3(0, v.Len(), v.Len()), reflect.Zero(v.Type().Elem())), place, told)
	case reflect.Map:
		whole := reflect.MakeMap(v.Type())
		for _, key := range v.MapKeys() {
			whole.SetMapIndex(key, v.MapIndex(key))
		}
		whole.SetMapIndex(reflect.ValueOf("X-Other"), reflect.Zero(v.Type().Elem()))
		change(v, whole, place, told)
	case reflect.String:
		change(v, reflect.ValueOf(v.String()+"x").Convert(v.Type()), place, told)
	case reflect.Bool:
		change(v, reflect.ValueOf(!v.Bool()).Convert(v.Type()), place, told)
	default: // numbers
		change(v, reflect.ValueOf(v.Convert(reflect.TypeFor[int64]()).Int()+1).Convert(v.Type()), place, told)
	}
}

// otherPointer is nil where a pointer points somewhere, and points to an empty value where it is nil.
func otherPointer(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return reflect.New(v.Type().Elem())
	}
	return reflect.Zero(v.Type())
}

func change(v, to reflect.Value, place string, told func(place string)) {
	before := reflect.New(v.Type()).Elem()
	before.Set(v)
	v.Set(to)
	told(place)
	v.Set(before)
}

func TestLengthsAndLargeBodiesCountForTheDigest(t *testing.T) {
	t.Parallel()
	of := func(edit func(*evidence.Run)) digest {
		run := evidence.Run{Exchanges: []evidence.Exchange{{}}}
		edit(&run)
		d, err := digestOf(run)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	body := func(b evidence.Body) digest { return of(func(r *evidence.Run) { r.Exchanges[0].Request.Body = b }) }
	input := func(o evidence.Opt[string]) digest {
		return of(func(r *evidence.Run) { r.Calls = []evidence.Call{{Input: evidence.Input{Message: o}}} })
	}
	all := map[digest]string{}
	for name, d := range map[string]digest{
		"ab and c":              of(func(r *evidence.Run) { r.ID, r.Clock = "ab", "c" }),
		"a and bc":              of(func(r *evidence.Run) { r.ID, r.Clock = "a", "bc" }),
		"a long text":           of(func(r *evidence.Run) { r.ID = strings.Repeat("a", 9000) }),
		"a longer text":         of(func(r *evidence.Run) { r.ID = strings.Repeat("a", 9001) }),
		"a large body":          body(evidence.Body{Size: 1, SHA256: "01"}),
		"another large body":    body(evidence.Body{Size: 1, SHA256: "02"}),
		"a body of that size":   body(evidence.Body{Size: 1}),
		"a body of other bytes": body(evidence.Body{Size: 1, Bytes: []byte("1")}),
		"no message":            input(evidence.Absent[string]()),
		"null":                  input(evidence.Null[string]()),
		"an empty message":      input(evidence.Some("")),
		"a message":             input(evidence.Some("a")),
	} {
		if other, known := all[d]; known {
			t.Errorf("%s has the digest of %s", name, other)
		}
		all[d] = name
	}
}
