package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// encoding/json alone matches keys in any letter case, takes the last of
// duplicate keys and replaces invalid UTF-8. What the contract obliges a server
// to say is therefore read here: member by member, by exact name.

// object is a JSON object whose member names are unique. Values keep the bytes
// that the server sent, so nothing that is passed on is lost.
type object map[string]json.RawMessage

// readDocument reads one JSON object and nothing after it but white space.
func readDocument(body []byte) (object, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, errors.New("is empty")
	}
	if !utf8.Valid(body) {
		return nil, errors.New("is not valid UTF-8")
	}
	if !json.Valid(body) {
		return nil, errors.New("is not one JSON value")
	}
	return readObject(body)
}

// readObject reads a value that is part of valid JSON. Only the names of this one
// object must be unique: what lies below is the business of whoever reads it.
func readObject(value json.RawMessage) (object, error) {
	rest, ok := opened(value, "{")
	if !ok {
		return nil, errors.New("is not a JSON object")
	}
	members := object{}
	for !bytes.HasPrefix(rest, []byte("}")) {
		var key, member json.RawMessage
		key, rest = next(rest, ":")
		member, rest = next(rest, ",")
		name, ok := readText(key)
		if !ok || len(member) == 0 {
			return nil, errors.New("cannot be read")
		}
		if _, double := members[name]; double {
			return nil, fmt.Errorf("has the member %s twice", quote(name))
		}
		members[name] = member
	}
	return members, nil
}

// space is what JSON takes for white space.
const space = " \t\r\n"

// opened returns what stands inside a value after the bracket that opens it.
func opened(value []byte, bracket string) ([]byte, bool) {
	inside, ok := bytes.CutPrefix(bytes.Trim(value, space), []byte(bracket))
	return bytes.TrimLeft(inside, space), ok
}

// next splits off the value at the start of text, and what separates it from the
// rest.
func next(text []byte, separator string) (value json.RawMessage, rest []byte) {
	end := valueEnd(text)
	rest = bytes.TrimPrefix(bytes.TrimLeft(text[end:], space), []byte(separator))
	return text[:end:end], bytes.TrimLeft(rest, space)
}

// valueEnd is where the value at the start of valid JSON ends. It asks for no
// more than brackets and quotes, since encoding/json has seen the text before.
func valueEnd(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth == 0 && strings.IndexByte(space+",:}]", c) >= 0:
			return i
		case c == '}' || c == ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// has reports whether a member is there and not null.
func (o object) has(name string) bool {
	return o[name] != nil && string(o[name]) != "null"
}

// text returns a member that is a JSON string.
func (o object) text(name string) (string, bool) {
	return readText(o[name])
}

// child returns a member that is an object; without one, an empty object, whose
// members are all absent.
func (o object) child(name string) object {
	child, err := readObject(o[name])
	if err != nil {
		return object{}
	}
	return child
}

// elements returns a member that is an array.
func (o object) elements(name string) ([]json.RawMessage, bool) {
	rest, ok := opened(o[name], "[")
	if !ok {
		return nil, false
	}
	elements := []json.RawMessage{}
	for !bytes.HasPrefix(rest, []byte("]")) {
		var element json.RawMessage
		if element, rest = next(rest, ","); len(element) == 0 {
			return nil, false
		}
		elements = append(elements, element)
	}
	return elements, true
}

func readText(value json.RawMessage) (string, bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	if inner := value[1 : len(value)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), true // as it stands, which most of it does
	}
	var text string
	err := json.Unmarshal(value, &text)
	return text, err == nil
}

// describe names a value in an error, with as much of it as helps.
func (o object) describe(name string) string {
	if o[name] == nil {
		return name + " is absent"
	}
	return name + " is " + shorten(string(o[name]))
}

// quote and shorten keep a server's text from filling or steering a terminal.
func quote(text string) string { return fmt.Sprintf("%q", shorten(text)) }

func shorten(text string) string {
	const most = 300
	printable := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	printable = strings.Join(strings.Fields(printable), " ")
	if runes := []rune(printable); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return printable
}
