package defects

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// spoil changes a Message on its way to the caller. It is the same where no switch is on.
func (c *call) spoil(message json.RawMessage) json.RawMessage {
	switch {
	case c.has("falsy-values-dropped"):
		return rewrite(message, dropFalsy)
	case c.has("numbers-rounded"):
		return rewrite(message, roundNumbers)
	case c.has("texts-trimmed"):
		return rewrite(message, trimTexts)
	}
	return c.spoilMembers(message)
}

func (c *call) spoilMembers(message json.RawMessage) json.RawMessage {
	fields, _ := objectOf(message)
	var parts []map[string]json.RawMessage
	if json.Unmarshal(fields["parts"], &parts) != nil {
		return message // odd elements, on which nothing is to be seen here
	}
	switch {
	case c.has("metadata-dropped"):
		delete(fields, "metadata")
	case c.has("extensions-dropped"):
		delete(fields, "extensions")
	case c.has("unknown-members-dropped"):
		for name := range fields {
			if !slices.Contains([]string{"messageId", "role", "parts", "contextId", "taskId", "metadata", "extensions", "referenceTaskIds"}, name) {
				delete(fields, name)
			}
		}
	case c.has("text-parts-alone-kept"):
		fields["parts"] = encoded(slices.DeleteFunc(parts, func(p map[string]json.RawMessage) bool { return p["text"] == nil && len(parts) > 1 }))
	case c.has("file-names-dropped"):
		for _, p := range parts {
			delete(p, "filename")
		}
		fields["parts"] = encoded(parts)
	case c.has("members-of-parts-dropped"):
		for _, p := range parts {
			for name := range p {
				if !slices.Contains([]string{"text", "raw", "url", "data", "mediaType", "filename", "metadata"}, name) {
					delete(p, name)
				}
			}
		}
		fields["parts"] = encoded(parts)
	case c.has("first-part-alone-kept"):
		fields["parts"] = encoded(parts[:1])
	default:
		return message
	}
	return encoded(fields)
}

func encoded(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic("defects: what was read cannot be written: " + err.Error())
	}
	return text
}

// rewrite reads a value, changes it and writes it; numbers keep their digits.
func rewrite(data json.RawMessage, change func(any) any) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return data
	}
	return encoded(change(value))
}

// dropFalsy leaves out members and elements that are false, 0, "" or null, as `if value` does.
func dropFalsy(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if falsy(member) {
				delete(v, name)
			} else {
				v[name] = dropFalsy(member)
			}
		}
	case []any:
		for i := range v {
			v[i] = dropFalsy(v[i])
		}
	}
	return value
}

func falsy(value any) bool {
	number, isNumber := value.(json.Number)
	return value == nil || value == false || value == "" || isNumber && number == "0"
}

func roundNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return float32(f)
		}
	case map[string]any:
		for name := range v {
			v[name] = roundNumbers(v[name])
		}
	case []any:
		for i := range v {
			v[i] = roundNumbers(v[i])
		}
	}
	return value
}

func trimTexts(value any) any {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case map[string]any:
		for name := range v {
			v[name] = trimTexts(v[name])
		}
	case []any:
		for i := range v {
			v[i] = trimTexts(v[i])
		}
	}
	return value
}
