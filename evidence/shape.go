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

func (s *shape) note(format string, args ...any) {
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
	switch {
	case t == reflect.TypeFor[Error]():
		s.object(v, t) // it reads itself for the sake of one member only
	case readsItself(t):
		s.try(v, t)
	case t.Kind() == reflect.Struct:
		s.object(v, t)
	case t.Kind() == reflect.Slice && v.Kind() == KindArray:
		for i, e := range v.Elements() {
			s.under(step{index: i}, e, t.Elem())
		}
	case t.Kind() == reflect.Map && v.Kind() == KindObject:
		for _, m := range v.Members() {
			s.under(step{name: m.Name, index: -1}, m.Value, t.Elem())
		}
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		if v.Kind() != KindNull {
			s.note("is %s, want a list or an object", v.Kind())
		}
	default:
		s.try(v, t)
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
		s.note("is null")
		return
	}
	target := reflect.New(t)
	if err := json.Unmarshal(v.Raw(), target.Interface()); err != nil {
		if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
			s.note("is %s, want %s", v.described(), wrong.Type.Kind())
			return
		}
		s.note("%v", err)
		return
	}
	known := knownWords(t)
	if t.Kind() == reflect.String && known != nil && !slices.Contains(known, target.Elem().String()) {
		s.note("%q is none of %s", target.Elem().String(), strings.Join(known, ", "))
	}
}

func (s *shape) object(v *Value, t reflect.Type) {
	if v.Kind() != KindObject {
		s.note("is %s, want an object", v.Kind())
		return
	}
	members := lastOf(v)
	for _, f := range fields(t) {
		if member, ok := members[f.name]; ok {
			s.under(step{name: f.name, index: -1}, member, f.typ)
			delete(members, f.name)
		} else if f.required {
			s.note("member %q is missing", f.name)
		}
	}
	for _, m := range v.Members() {
		if _, unknown := members[m.Name]; unknown {
			s.note("member %q is unknown", m.Name)
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
	for i := range t.NumField() {
		f := t.Field(i)
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
