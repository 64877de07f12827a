package evidence

import (
	"bytes"
	"fmt"
	"strconv"
)

// Equal tells whether two JSON values are equal: members in any order, numbers by value (1, 1.0 and 1e0 are equal),
// text by code points. Of members with the same name the last counts. Absent is equal to absent only.
func Equal(a, b *Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case KindAbsent, KindNull:
		return true
	case KindBool:
		return a.raw[0] == b.raw[0]
	case KindNumber:
		return equalNumbers(a, b)
	case KindString:
		return equalTexts(a, b)
	case KindArray:
		return equalArrays(a.elements, b.elements)
	default:
		return equalObjects(a, b)
	}
}

func equalTexts(a, b *Value) bool {
	x, y := a.inner(), b.inner()
	if a.plain && b.plain {
		return bytes.Equal(x, y)
	}
	for len(x) > 0 && len(y) > 0 {
		r, n := nextRune(x)
		s, m := nextRune(y)
		if r != s {
			return false
		}
		x, y = x[n:], y[m:]
	}
	return len(x) == len(y)
}

func equalArrays(a, b []*Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalObjects(a, b *Value) bool {
	x, y := lastOf(a), lastOf(b)
	if len(x) != len(y) {
		return false
	}
	for name, v := range x {
		if w, ok := y[name]; !ok || !Equal(v, w) {
			return false
		}
	}
	return true
}

// lastOf maps each name of an object to its last value.
func lastOf(v *Value) map[string]*Value {
	all := make(map[string]*Value, len(v.Members()))
	for _, m := range v.Members() {
		all[m.Name] = m.Value
	}
	return all
}

// Diff lists where b differs from a, in the order of a and then of b, at most five places: "/message/messageId: "a"
// became "b"". It is empty where they are equal.
func Diff(a, b *Value) []string {
	d := differ{}
	d.compare(a, b)
	return d.found
}

const maxDiffs = 5

type differ struct {
	steps []step
	found []string
}

func (d *differ) compare(a, b *Value) {
	switch {
	case len(d.found) == maxDiffs || Equal(a, b):
	case a.Kind() == KindObject && b.Kind() == KindObject:
		d.objects(a, b)
	case a.Kind() == KindArray && b.Kind() == KindArray:
		for i := range max(len(a.elements), len(b.elements)) {
			d.under(step{index: i}, element(a, i), element(b, i))
		}
	default:
		d.note(a, b)
	}
}

func (d *differ) objects(a, b *Value) {
	x, y := lastOf(a), lastOf(b)
	seen := make(map[string]bool, len(x)+len(y))
	for _, members := range [][]Member{a.members, b.members} {
		for _, m := range members {
			if !seen[m.Name] {
				seen[m.Name] = true
				d.under(step{name: m.Name, index: -1}, x[m.Name], y[m.Name])
			}
		}
	}
}

func (d *differ) under(s step, a, b *Value) {
	d.steps = append(d.steps, s)
	d.compare(a, b)
	d.steps = d.steps[:len(d.steps)-1]
}

func (d *differ) note(a, b *Value) {
	place := pointer(d.steps)
	if place == "" {
		place = "the whole value"
	}
	text := fmt.Sprintf("%s: %s became %s", place, a.Brief(), b.Brief())
	switch {
	case a == nil:
		text = fmt.Sprintf("%s: %s was added", place, b.Brief())
	case b == nil:
		text = fmt.Sprintf("%s: %s is missing", place, a.Brief())
	}
	d.found = append(d.found, text)
}

func element(v *Value, i int) *Value {
	if i < len(v.elements) {
		return v.elements[i]
	}
	return nil
}

// Brief writes the value for a sentence: as it stands where it is short, by its beginning and its size where it is
// long.
func (v *Value) Brief() string {
	const short, beginning = 60, 40
	switch {
	case v == nil:
		return "nothing"
	case len(v.raw) <= short:
		return string(bytes.ToValidUTF8(v.raw, []byte("\uFFFD")))
	case v.kind == KindArray:
		return "an array of " + strconv.Itoa(len(v.elements))
	case v.kind == KindObject:
		return fmt.Sprintf("an object of %d members", len(v.members))
	default:
		start := bytes.ToValidUTF8(v.raw[:beginning], nil)
		return fmt.Sprintf("%s… (%d bytes)", start, len(v.raw))
	}
}

// SubsetOf tells whether have holds everything that want asks for: each member of an object, each element of an
// array in its place (arrays of the same length), other values by Equal. Nothing is asked for by an absent want.
func SubsetOf(want, have *Value) bool {
	switch {
	case want == nil:
		return true
	case want.Kind() != have.Kind():
		return false
	case want.kind == KindObject:
		for name, w := range lastOf(want) {
			if !SubsetOf(w, have.Member(name)) {
				return false
			}
		}
		return true
	case want.kind == KindArray:
		if len(want.elements) != len(have.elements) {
			return false
		}
		for i := range want.elements {
			if !SubsetOf(want.elements[i], have.elements[i]) {
				return false
			}
		}
		return true
	default:
		return Equal(want, have)
	}
}
