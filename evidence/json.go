package evidence

import (
	"encoding/json"
	"slices"
	"strings"
)

// Kind tells what a JSON value is.
type Kind int

// The kinds of JSON value. Absent is a member that is not there, or a body that holds no value.
const (
	KindAbsent Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String names the kind as a sentence about an answer does.
func (k Kind) String() string {
	names := [...]string{"absent", "null", "a boolean", "a number", "text", "an array", "an object"}
	if k < 0 || int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Value is a JSON value as it stands in a body. It refers to the bytes of the body and copies none of its strings, so
// a body must not be changed after it was read. All methods may be called on nil, which is the absent value.
type Value struct {
	kind     Kind
	plain    bool // a string whose bytes are its text: no escapes, valid UTF-8
	broken   bool // a number that JSON does not know, such as 01
	raw      []byte
	members  []Member
	elements []*Value
}

// Member is a member of an object, in the order of the body. A name that occurs twice is there twice.
type Member struct {
	Name  string
	Value *Value
}

// Kind tells what the value is; KindAbsent for nil.
func (v *Value) Kind() Kind {
	if v == nil {
		return KindAbsent
	}
	return v.kind
}

// Member returns the member of that name, letter case included; the last one where a name occurs twice, as nearly all
// readers of JSON do. It is absent where the value is no object or has no such member.
func (v *Value) Member(name string) *Value {
	for _, m := range slices.Backward(v.Members()) {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Path walks from member to member.
func (v *Value) Path(names ...string) *Value {
	for _, name := range names {
		v = v.Member(name)
	}
	return v
}

// Members returns the members of an object in the order of the body; none for any other value.
func (v *Value) Members() []Member {
	if v == nil {
		return nil
	}
	return v.members
}

// Elements returns the elements of an array; none for any other value.
func (v *Value) Elements() []*Value {
	if v == nil {
		return nil
	}
	return v.elements
}

// Bool returns a boolean, and whether the value is one.
func (v *Value) Bool() (value, ok bool) {
	if v.Kind() != KindBool {
		return false, false
	}
	return v.raw[0] == 't', true
}

// Number returns a number as it is written, and whether the value is one.
func (v *Value) Number() (json.Number, bool) {
	if v.Kind() != KindNumber || v.broken {
		return "", false
	}
	return json.Number(v.raw), true
}

// Int returns a number that is whole by value (7, 7.0 and 70e-1 are the same) and fits in 64 bits.
func (v *Value) Int() (int64, bool) {
	if v.Kind() != KindNumber || v.broken {
		return 0, false
	}
	return readDecimal(v.raw).int64()
}

// Raw returns the bytes of the value as they stand in the body, without the white space around it; nil where it is
// absent. They must not be changed.
func (v *Value) Raw() []byte {
	if v == nil {
		return nil
	}
	return v.raw
}

// WrongCase looks for a member whose name differs from name in letter case only, and returns how it is spelt.
func (v *Value) WrongCase(name string) (string, bool) {
	for _, m := range v.Members() {
		if m.Name != name && strings.EqualFold(m.Name, name) {
			return m.Name, true
		}
	}
	return "", false
}
