package evidence

import (
	"bytes"
	"encoding/json"
)

// Opt is a member of a JSON object that may be absent, null or have a value: three different facts. The zero Opt is
// absent and, with the omitzero option, is left out when it is written.
type Opt[T any] struct {
	present bool
	null    bool
	value   T
}

// Some is a member with a value.
func Some[T any](v T) Opt[T] { return Opt[T]{present: true, value: v} }

// Null is a member that is there and null.
func Null[T any]() Opt[T] { return Opt[T]{present: true, null: true} }

// Absent is a member that is not there.
func Absent[T any]() Opt[T] { return Opt[T]{} }

// IsZero tells whether the member is absent; encoding/json asks it for omitzero.
func (o Opt[T]) IsZero() bool { return !o.present }

// IsNull tells whether the member is there and null.
func (o Opt[T]) IsNull() bool { return o.present && o.null }

// Get returns the value, and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.present && !o.null }

// Or returns the value, or other where the member is absent or null.
func (o Opt[T]) Or(other T) T {
	if o.present && !o.null {
		return o.value
	}
	return other
}

// MarshalJSON writes null or the value. An absent member has no JSON of its own: mark its field omitzero.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.present || o.null {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads null or a value; it is not called for an absent member.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	o.present = true
	if bytes.Equal(data, []byte("null")) {
		o.null = true
		return nil
	}
	return json.Unmarshal(data, &o.value)
}
