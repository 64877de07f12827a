package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// shape compares a document with the type that it will be read into and lists everything that does not fit, with its
// place. encoding/json alone would stop at the first mistake, take a missing member for zero and forgive an unknown
// one; each of these would make a verdict about something that was never recorded.
type shape struct {
	steps    []step
	problems []string
}

func (s *shape) notef(format string, args ...any) {
	place := pointer(s.steps)
	if place == "" {
		place = "/"
	}
	s.problems = append(s.problems, place+": "+fmt.Sprintf(format, args...))
}

func (s *shape) under(next step, v *Value, t reflect.Type) {
	s.steps = append(s.steps, next)
	s.check(v, t)
	s.steps = s.steps[:len(s.steps)-1]
}

func (s *shape) check(v *Value, t reflect.Type) {
	if len(s.problems) >= maxProblems {
		return
	}
	if t.Kind() == reflect.Pointer {
		if v.Kind() == KindNull {
			return
		}
		t = t.Elem()
	}
	// An Error reads itself for the sake of one member only.
	switch itself := readsItself(t) && t != reflect.TypeFor[Error](); {
	case t.Kind() == reflect.Struct && !itself:
		s.object(v, t)
	case !itself && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map):
		s.collection(v, t)
	default:
		s.try(v, t)
	}
}

// collection checks a list or a map. Null is an empty one.
func (s *shape) collection(v *Value, t reflect.Type) {
	switch {
	case v.Kind() == KindNull:
	case t.Kind() == reflect.Slice && v.Kind() == KindArray:
		for i, e := range v.Elements() {
			s.under(step{index: i}, e, t.Elem())
		}
	case t.Kind() == reflect.Map && v.Kind() == KindObject:
		for _, m := range v.Members() {
			s.under(step{name: m.Name, index: -1}, m.Value, t.Elem())
		}
	default:
		s.notef("is %s, want a list or an object", v.Kind())
	}
}

// readsItself tells whether a type has its own JSON or text form.
func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[interface{ UnmarshalText([]byte) error }]())
}

// try reads a single value for what encoding/json says about it.
func (s *shape) try(v *Value, t reflect.Type) {
	if t == reflect.TypeFor[json.RawMessage]() {
		return
	}
	if v.Kind() == KindNull && !reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		s.notef("is null")
		return
	}
	target := reflect.New(t)
	if err := json.Unmarshal(v.Raw(), target.Interface()); err != nil {
		if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
			s.notef("is %s, want %s", v.described(), wrong.Type.Kind())
			return
		}
		s.notef("%v", err)
		return
	}
	known := knownWords(t)
	if t.Kind() == reflect.String && known != nil && !slices.Contains(known, target.Elem().String()) {
		s.notef("%q is none of %s", target.Elem().String(), strings.Join(known, ", "))
	}
}

func (s *shape) object(v *Value, t reflect.Type) {
	if v.Kind() != KindObject {
		s.notef("is %s, want an object", v.Kind())
		return
	}
	members := lastOf(v)
	for _, f := range fields(t) {
		if member, ok := members[f.name]; ok {
			s.under(step{name: f.name, index: -1}, member, f.typ)
			delete(members, f.name)
		} else if f.required {
			s.notef("member %q is missing", f.name)
		}
	}
	for _, m := range v.Members() {
		if _, unknown := members[m.Name]; unknown {
			s.notef("member %q is unknown", m.Name)
		}
	}
}

// field is a member of a struct's JSON form.
type field struct {
	name     string
	typ      reflect.Type
	required bool
}

func fields(t reflect.Type) []field {
	all := make([]field, 0, t.NumField())
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		typ := f.Type
		if typ == reflect.TypeFor[*float64]() {
			typ = reflect.TypeFor[*seconds]()
		}
		all = append(all, field{name: name, typ: typ, required: !strings.Contains(options, "omit")})
	}
	return all
}

// maxDocument is how many values a document of the file form may hold.
const maxDocument = 1 << 24

// readDocument reads a document of the file form into target, or lists all that is wrong with it.
func readDocument(data []byte, target any) []string {
	v, problems := readJSON(data, maxDocument)
	if len(problems) > 0 {
		texts := make([]string, 0, len(problems))
		for _, p := range problems {
			texts = append(texts, p.String())
		}
		return texts
	}
	s := shape{}
	s.check(v, reflect.TypeOf(target).Elem())
	if len(s.problems) == 0 {
		if err := json.Unmarshal(data, target); err != nil {
			return []string{err.Error()}
		}
	}
	return s.problems
}
