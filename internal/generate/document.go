package generate

import (
	"slices"
	"strconv"
	"strings"
)

// member is one member of an object.
type member struct {
	key   string
	value any
}

// object is a YAML mapping whose members keep their order. The other values of a document are []any, string, int,
// bool, nil for null, and plain for what is written without quotation marks.
type object []member

// plain is a scalar that is written as it stands, such as a duration.
type plain string

// with returns the object with a further member; one without a value is left out.
func (o object) with(key string, value any) object {
	switch v := value.(type) {
	case object:
		if len(v) == 0 {
			return o
		}
	case []any:
		if len(v) == 0 {
			return o
		}
	}
	return append(o, member{key, value})
}

// write writes a document in YAML: blocks where a reader looks for structure, everything below in one line.
func write(doc object) []byte {
	var w strings.Builder
	for _, m := range doc {
		block(&w, "", m.key, m.value)
	}
	return []byte(w.String())
}

// block writes a member and, down to the steps of a queue, what is below it on lines of their own.
func block(w *strings.Builder, indent, key string, value any) {
	w.WriteString(indent + key + ":")
	switch v := value.(type) {
	case object:
		if indent == "" {
			w.WriteString("\n")
			for _, m := range v {
				block(w, indent+"  ", m.key, m.value)
			}
			return
		}
	case []any:
		w.WriteString("\n")
		for _, item := range v {
			w.WriteString(indent + "  - ")
			flow(w, item)
			w.WriteString("\n")
		}
		return
	}
	w.WriteString(" ")
	flow(w, value)
	w.WriteString("\n")
}

// flow writes a value in one line.
func flow(w *strings.Builder, value any) {
	switch v := value.(type) {
	case object:
		w.WriteString("{")
		for i, m := range v {
			if i > 0 {
				w.WriteString(", ")
			}
			w.WriteString(quotedKey(m.key) + ": ")
			flow(w, m.value)
		}
		w.WriteString("}")
	case []any:
		w.WriteString("[")
		for i, item := range v {
			if i > 0 {
				w.WriteString(", ")
			}
			flow(w, item)
		}
		w.WriteString("]")
	case plain:
		w.WriteString(string(v))
	case string:
		w.WriteString(strconv.Quote(v))
	case int:
		w.WriteString(strconv.Itoa(v))
	case bool:
		w.WriteString(strconv.FormatBool(v))
	default:
		w.WriteString("null")
	}
}

// quotedKey quotes what is no plain word, such as a JSON pointer.
func quotedKey(key string) string {
	if strings.ContainsAny(key, "/ :") {
		return strconv.Quote(key)
	}
	return key
}

// without returns every document that is this one less one part, those with the largest parts missing first.
func without(doc object) []object {
	type smaller struct {
		doc  object
		size int
	}
	var all []smaller
	cut(doc, func(rest any, size int) {
		if less, ok := rest.(object); ok { // less one part an object is an object
			all = append(all, smaller{less, size})
		}
	})
	slices.SortStableFunc(all, func(a, b smaller) int { return b.size - a.size })
	docs := make([]object, len(all))
	for i := range all {
		docs[i] = all[i].doc
	}
	return docs
}

// cut calls found with a value less each of its parts, at every depth, and the size of the part.
func cut(value any, found func(rest any, size int)) {
	switch v := value.(type) {
	case object:
		for i, m := range v {
			found(slices.Delete(slices.Clone(v), i, i+1), size(m.value))
			cut(m.value, func(rest any, size int) {
				changed := slices.Clone(v)
				changed[i].value = rest
				found(changed, size)
			})
		}
	case []any:
		for i, item := range v {
			if len(v) > 1 {
				found(slices.Delete(slices.Clone(v), i, i+1), size(item))
			}
			cut(item, func(rest any, size int) {
				changed := slices.Clone(v)
				changed[i] = rest
				found(changed, size)
			})
		}
	}
}

// size counts the values in a value.
func size(value any) int {
	n := 1
	switch v := value.(type) {
	case object:
		for _, m := range v {
			n += size(m.value)
		}
	case []any:
		for _, item := range v {
			n += size(item)
		}
	}
	return n
}
