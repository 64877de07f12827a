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

// readObject reads a value that is valid JSON. Only the names of this one object
// must be unique: what lies below is the business of whoever reads it.
func readObject(value json.RawMessage) (object, error) {
	decoder := json.NewDecoder(bytes.NewReader(value))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, errors.New("is not a JSON object")
	}
	members := object{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("cannot be read: %w", err)
		}
		name, _ := token.(string) // inside an object a name is a string
		if _, double := members[name]; double {
			return nil, fmt.Errorf("has the member %s twice", quote(name))
		}
		var member json.RawMessage
		if err := decoder.Decode(&member); err != nil {
			return nil, fmt.Errorf("cannot be read: %w", err)
		}
		members[name] = member
	}
	return members, nil
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
	if !bytes.HasPrefix(o[name], []byte("[")) {
		return nil, false
	}
	var elements []json.RawMessage
	err := json.Unmarshal(o[name], &elements)
	return elements, err == nil
}

func readText(value json.RawMessage) (string, bool) {
	if !bytes.HasPrefix(value, []byte(`"`)) {
		return "", false
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
