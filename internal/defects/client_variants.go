package defects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Choices that the contract leaves free. Each is right.

// newID makes a message id.
func (c *call) newID() string {
	made := c.env.NewMessageID()
	switch {
	case c.has("bare-ids"):
		return made[len("msg-"):]
	case c.has("long-ids"):
		return "urn:example:message:" + made + "/" + uuid.NewSHA1(uuid.NameSpaceOID, []byte(made)).String()
	}
	return made
}

// differ changes the head of a send in ways that nobody minds.
func (c *call) differ(h http.Header) {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	c.memory.calls++
	switch {
	case c.has("traces"):
		h["Traceparent"] = []string{fmt.Sprintf("00-%032x-%016x-01", c.memory.calls, c.memory.calls)}
	case c.has("more-headers"):
		h["User-Agent"], h["X-Request-Id"], h["Cache-Control"] = []string{"some-client/1.2"}, []string{"r-1"}, []string{"no-store"}
	case c.has("charset"):
		h["Content-Type"] = []string{mediaType + "; charset=utf-8"}
	case c.has("two-extensions"):
		h["A2A-Extensions"] = []string{"https://example.org/other/v1, " + responseKindURI}
	case c.has("extension-lines"):
		h["A2A-Extensions"] = []string{"https://example.org/other/v1", responseKindURI}
	case c.has("header-names-in-lower-case"):
		for _, name := range []string{"Authorization", "Content-Type", "Accept", "A2A-Extensions"} {
			h[string(bytes.ToLower([]byte(name)))] = h[name]
			delete(h, name)
		}
	}
}

// worded says an error in other words.
func (p plain) worded(text string) string {
	if p.has("other-words") {
		return "E42: It did not work out (response_kind=\"task\" is for work beyond the platform's limit, within which the Agent did not answer). Details: " + text
	}
	const short = 160
	if len(text) > short && p.has("short-errors") {
		return strings.ToValidUTF8(text[:short], "")
	}
	return text
}

// repeats tells whether a key stands twice in an object of the JSON value that comes next.
func repeats(d *json.Decoder) (bool, error) {
	token, err := d.Token()
	open, isOpen := token.(json.Delim)
	if err != nil || !isOpen {
		return false, err
	}
	seen := map[json.Token]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil || seen[key] {
				return err == nil, err
			}
			seen[key] = true
		}
		if found, err := repeats(d); found || err != nil {
			return found, err
		}
	}
	_, err = d.Token()
	return false, err
}

// escapeAll writes each character beyond ASCII, and some within, as an escape.
func escapeAll(written []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(written) {
		switch {
		case r == '/':
			out.WriteString(`\/`)
		case r < utf8.RuneSelf:
			out.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&out, `\u%04x\u%04X`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}

// reorder writes the members of the body in another order.
func reorder(body []byte) []byte {
	whole, _ := objectOf(body)
	message, _ := objectOf(whole["message"])
	var out bytes.Buffer
	fmt.Fprintf(&out, `{"configuration":%s`, whole["configuration"])
	if metadata := whole["metadata"]; metadata != nil {
		fmt.Fprintf(&out, `,"metadata":%s`, metadata)
	}
	fmt.Fprintf(&out, `,"message":{"role":%s,"parts":%s,"messageId":%s,"contextId":%s}}`,
		message["role"], message["parts"], message["messageId"], message["contextId"])
	return json.RawMessage(out.Bytes())
}
