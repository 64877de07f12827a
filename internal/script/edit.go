package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a2a-conform/a2a-conform/scenarios"
)

// edit changes a JSON body: members are set in the order of their pointers, then members are removed. The result has
// the members of every object in alphabetical order. Setting needs the parent to be there, removing the member too.
func edit(body []byte, e scenarios.Edit) ([]byte, error) {
	document, err := decode(body)
	if err != nil {
		return nil, fmt.Errorf("the body is not JSON: %w", err)
	}
	var problems []error
	apply := func(pointer string, change change) {
		changed, err := at(document, strings.Split(pointer, "/"), change)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", pointer, err))
			return
		}
		document = changed
	}
	for _, pointer := range slices.Sorted(maps.Keys(e.Set)) {
		value, err := decode(e.Set[pointer])
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: the value is not JSON: %w", pointer, err))
			continue
		}
		apply(pointer, change{value: value})
	}
	for _, pointer := range e.Remove {
		apply(pointer, change{remove: true})
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return encode(document), nil
}

// decode reads one JSON value; numbers keep their text.
func decode(text []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, errors.New("something follows the value")
	}
	return value, nil
}

// change is what happens at the end of a pointer.
type change struct {
	value  any
	remove bool
}

// at returns document with a change at the place that the segments of a pointer name; the first segment is what
// stands before its first slash, and has to be empty.
func at(document any, segments []string, c change) (any, error) {
	if segments[0] != "" || !utf8.ValidString(strings.Join(segments, "")) {
		return nil, errors.New("a JSON pointer is UTF-8 and begins with a slash")
	}
	if len(segments) == 1 {
		if c.remove {
			return nil, errors.New("the whole body cannot be removed")
		}
		return c.value, nil
	}
	return descend(document, segments[1:], c)
}

func descend(parent any, segments []string, c change) (any, error) {
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(segments[0])
	switch p := parent.(type) {
	case map[string]any:
		return p, inObject(p, name, segments[1:], c)
	case []any:
		return inArray(p, name, segments[1:], c)
	default:
		return nil, fmt.Errorf("%q lies in something that is no object and no array", name)
	}
}

func inObject(object map[string]any, name string, rest []string, c change) error {
	child, there := object[name]
	switch {
	case len(rest) == 0 && !c.remove:
		object[name] = c.value
	case !there:
		return fmt.Errorf("there is no member %q", name)
	case len(rest) == 0:
		delete(object, name)
	default:
		changed, err := descend(child, rest, c)
		if err != nil {
			return err
		}
		object[name] = changed
	}
	return nil
}

// inArray changes an element; "-" is the place after the last one, where a value can be set.
func inArray(array []any, name string, rest []string, c change) (any, error) {
	if name == "-" && len(rest) == 0 && !c.remove {
		return append(array, c.value), nil
	}
	i, err := strconv.Atoi(name)
	if err != nil || i < 0 || i >= len(array) || name != strconv.Itoa(i) {
		return nil, fmt.Errorf("there is no element %q of %d", name, len(array))
	}
	switch {
	case len(rest) > 0:
		if array[i], err = descend(array[i], rest, c); err != nil {
			return nil, err
		}
	case c.remove:
		return slices.Delete(array, i, i+1), nil
	default:
		array[i] = c.value
	}
	return array, nil
}
