package defects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// result makes of an answer what the caller gets: the Message or Task exactly as it came, or an error.
func (c *call) result(r reply) (evidence.Outcome, *failure) {
	if limit := c.limit(r); limit != nil && c.limited() {
		return evidence.Outcome{}, limit
	}
	if err := c.refusal(r); err != nil {
		return evidence.Outcome{}, err
	}
	answer, ok := c.envelope(r.body)
	if !ok || r.header.Get("Content-Type") == mediaType && c.has("media-type-unknown") {
		return evidence.Outcome{}, fail(evidence.InvalidResponse, "the answer is not one JSON object")
	}
	if c.op != evidence.OpSendMessage || c.task() {
		return c.taskOf(answer, r.body)
	}
	message, task := answer["message"], answer["task"]
	switch {
	case !isNull(task) && isNull(message) && c.has("task-taken"):
		return evidence.Outcome{Kind: evidence.OutcomeTask, Task: task}, nil
	case !isNull(task) && (isNull(message) || !c.has("task-beside-a-message-ignored")):
		return evidence.Outcome{}, fail(evidence.InvalidResponse, "the answer bears a Task, and a Message was asked for")
	case isNull(message) && answer["Message"] != nil && c.has("key-in-capitals-taken"):
		message = answer["Message"]
	case isNull(message) && answer["role"] != nil && c.has("bare-message-taken"):
		message = bytes.TrimSpace(r.body)
	}
	if wrong := c.wrong(message); wrong != "" {
		return evidence.Outcome{}, fail(evidence.InvalidResponse, "the Message of the answer %s", wrong)
	}
	return evidence.Outcome{Kind: evidence.OutcomeMessage, Message: c.keep(c.spoil(message))}, nil
}

// envelope reads the whole of an answer as one object.
func (c *call) envelope(body []byte) (map[string]json.RawMessage, bool) {
	switch trimmed := bytes.TrimSpace(body); {
	case !json.Valid(body) && c.has("bytes-behind-the-answer-ignored"):
		var first json.RawMessage
		if json.NewDecoder(bytes.NewReader(body)).Decode(&first) == nil {
			return objectOf(first)
		}
	case bytes.HasPrefix(trimmed, []byte("[")) && c.has("list-taken-for-its-element"):
		var list []json.RawMessage
		if json.Unmarshal(body, &list) == nil && len(list) == 1 {
			return objectOf(list[0])
		}
	case len(trimmed) > 0 && !json.Valid(body) && c.has("cut-answer-completed"):
		for range 4 {
			if _, ok := objectOf(trimmed); ok {
				return objectOf(trimmed)
			}
			trimmed = append(bytes.Clone(trimmed), '}')
		}
	case c.has("repeated-keys-refused"):
		if found, err := repeats(json.NewDecoder(bytes.NewReader(body))); found && err == nil {
			return nil, false
		}
	case len(trimmed) == 0 && c.has("empty-answer-made-up-for"):
		return objectOf(json.RawMessage(`{"message":{"messageId":"none","role":"ROLE_AGENT","parts":[{"text":""}],"contextId":"` + c.asked.Session + `"}}`))
	}
	return objectOf(body)
}

// wrong says what is wrong with a Message (ADR, Request Shape), and is empty where all is right.
func (c *call) wrong(message json.RawMessage) string {
	fields, ok := objectOf(message)
	switch {
	case !ok:
		return "is no object"
	case !c.roleFits(fields["role"]):
		return "is not the Agent's: its role is " + brief(fields["role"])
	case !c.idFits(fields["messageId"]):
		return "has no messageId"
	case !c.partsFit(fields["parts"]):
		return "has no parts"
	case !c.contextFits(fields["contextId"]):
		return "belongs to another conversation: its contextId is " + brief(fields["contextId"])
	}
	return ""
}

func (c *call) roleFits(written json.RawMessage) bool {
	role, _ := textOf(written)
	return role == "ROLE_AGENT" || c.has("role-unchecked") || c.refused != 0 && c.has("role-unchecked-after-a-refresh") ||
		len(written) == 0 && c.has("no-role-taken") ||
		strings.HasSuffix(strings.ToUpper(role), "AGENT") && c.has("role-in-any-spelling") ||
		role == "ROLE_RESPONDER" && c.has("responder-taken") || role == "ROLE_REQUESTER" && c.has("requester-taken")
}

func (c *call) idFits(written json.RawMessage) bool {
	id, isText := textOf(written)
	return strings.TrimSpace(id) != "" || c.has("answer-id-unchecked") ||
		isText && c.has("blank-answer-id-taken") ||
		len(written) == 0 && c.has("no-answer-id-taken") ||
		!isText && !isNull(written) && c.has("answer-id-of-any-type")
}

func (c *call) partsFit(written json.RawMessage) bool {
	var parts []json.RawMessage
	isList := json.Unmarshal(written, &parts) == nil && parts != nil
	texted := slices.ContainsFunc(parts, func(p json.RawMessage) bool { part, _ := objectOf(p); return part["text"] != nil })
	if len(parts) > 0 && !texted && c.has("text-required") {
		return false
	}
	return len(parts) > 0 || isList && c.has("empty-parts-taken") ||
		isNull(written) && c.has("no-parts-taken") || !isList && !isNull(written) && c.has("parts-of-any-type")
}

func (c *call) contextFits(written json.RawMessage) bool {
	session, _ := textOf(written)
	return session == c.asked.Session || c.has("context-unchecked") ||
		strings.EqualFold(session, c.asked.Session) && c.has("context-in-any-case-taken") ||
		isNull(written) && c.has("no-context-taken") ||
		session != "" && strings.Contains(session, c.asked.Session) && c.has("context-that-holds-the-session")
}

// keep remembers a Message that was given to a caller, and returns it.
func (c *call) keep(message json.RawMessage) json.RawMessage {
	c.memory.mu.Lock()
	c.memory.answer = message
	c.memory.mu.Unlock()
	if c.has("answer-of-the-latest-call") {
		_ = c.pause(3 * time.Millisecond)
		return c.memory.lastAnswer()
	}
	return message
}

// refusal is the error of an answer that is no whole 200, else nil.
func (c *call) refusal(r reply) *failure {
	cut := r.cut
	if rejected(r.status) || cut != nil && cut.category == evidence.Transport && r.status != http.StatusOK {
		cut = nil // the status has said what counts
	}
	category := evidence.InvalidResponse
	switch {
	case cut != nil && cut.category == evidence.Transport && c.has("cut-as-an-invalid-answer"):
		return fail(evidence.InvalidResponse, "the answer is not whole: %s", cut.text)
	case cut != nil:
		return cut
	case r.status/100 == 3 && c.has("redirect-as-something-else"):
		category = evidence.Other
	case r.status == http.StatusOK, r.status/100 == 2 && c.has("other-2xx-taken"):
		return nil
	case rejected(r.status):
		category = evidence.Unauthorized
	case r.status >= http.StatusInternalServerError:
		category = evidence.ServerFailed
	case r.status >= http.StatusBadRequest && c.has("refusal-as-a-server-error"):
		category = evidence.ServerFailed
	case r.status >= http.StatusBadRequest:
		category = evidence.Rejected
	}
	f := fail(category, "the server answered %d: %s", r.status, words(r.body))
	f.status = r.status
	if c.has("words-of-the-server-lost") {
		f.text = fmt.Sprintf("the server answered %d", r.status)
	}
	return f
}

// objectOf reads one JSON object; its keys are taken as they are written. It is none where ok is false.
func objectOf(data json.RawMessage) (fields map[string]json.RawMessage, ok bool) {
	err := json.Unmarshal(data, &fields)
	return fields, err == nil && fields != nil
}

// textOf reads a JSON string.
func textOf(data json.RawMessage) (string, bool) {
	var s *string
	if json.Unmarshal(data, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// isNull tells whether a member is absent or null: ProtoJSON knows no difference.
func isNull(data json.RawMessage) bool { return len(data) == 0 || string(data) == "null" }

// brief is a value as an error shows it.
func brief(data json.RawMessage) string {
	if len(data) == 0 {
		return "absent"
	}
	return fmt.Sprintf("%.60s", data)
}

// words are what a server says in an error: its texts where it is JSON, else the whole.
func words(body []byte) string {
	const longest = 2000 // nobody reads more of an error page
	var value any
	said := strings.ToValidUTF8(string(bytes.TrimSpace(body)), "?")
	if json.Unmarshal(body, &value) == nil {
		said = strings.Join(texts(value), "; ")
	}
	return fmt.Sprintf("%.*s", longest, said)
}

// texts lists the strings in a JSON value, members by name. A token is nobody's words.
func texts(value any) []string {
	var all []string
	switch v := value.(type) {
	case string:
		all = append(all, v)
	case []any:
		for _, element := range v {
			all = append(all, texts(element)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != "token" {
				all = append(all, texts(v[name])...)
			}
		}
	}
	return all
}
