package defects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// result makes of an answer what the caller gets: the Message exactly as it came, or an error.
func (c *call) result(r reply) (json.RawMessage, *failure) {
	if limit := c.limit(r); limit != nil {
		return nil, limit
	}
	if err := c.refusal(r); err != nil {
		return nil, err
	}
	members, ok := objectOf(r.body)
	message, task := members["message"], members["task"]
	switch {
	case !ok:
		return nil, fail(evidence.InvalidResponse, "the answer is not one JSON object")
	case !isNull(task):
		return nil, fail(evidence.InvalidResponse, "the answer bears a Task, and a Message was asked for")
	}
	if wrong := c.wrong(message); wrong != "" {
		return nil, fail(evidence.InvalidResponse, "the Message of the answer %s", wrong)
	}
	return message, nil
}

// wrong says what is wrong with a Message (ADR, Request Shape), and is empty where all is right.
func (c *call) wrong(message json.RawMessage) string {
	members, ok := objectOf(message)
	if !ok {
		return "is no object"
	}
	if role, _ := textOf(members["role"]); role != "ROLE_AGENT" {
		return "is not the Agent's: its role is " + brief(members["role"])
	}
	if id, _ := textOf(members["messageId"]); strings.TrimSpace(id) == "" {
		return "has no messageId"
	}
	var parts []json.RawMessage
	if json.Unmarshal(members["parts"], &parts) != nil || len(parts) == 0 {
		return "has no parts"
	}
	if session, _ := textOf(members["contextId"]); session != c.asked.Session {
		return "belongs to another conversation: its contextId is " + brief(members["contextId"])
	}
	return ""
}

// refusal is the error of an answer that is no whole 200, else nil.
func (c *call) refusal(r reply) *failure {
	cut := r.cut
	if rejected(r.status) || cut != nil && cut.category == evidence.Transport && r.status != http.StatusOK {
		cut = nil // the status has said what counts
	}
	category := evidence.InvalidResponse
	switch {
	case cut != nil:
		return cut
	case r.status == http.StatusOK:
		return nil
	case rejected(r.status):
		category = evidence.Unauthorized
	case r.status >= http.StatusInternalServerError:
		category = evidence.ServerFailed
	case r.status >= http.StatusBadRequest:
		category = evidence.Rejected
	}
	f := fail(category, "the server answered %d: %s", r.status, words(r.body))
	f.status = r.status
	return f
}

// limit is the error of an Agent that reached the platform's Message limit (ADR, Message limit), else nil.
func (c *call) limit(r reply) *failure {
	if r.status != http.StatusGatewayTimeout || r.cut != nil {
		return nil
	}
	whole, _ := objectOf(r.body)
	failed, _ := objectOf(whole["error"])
	var details []json.RawMessage
	if json.Unmarshal(failed["details"], &details) != nil {
		return nil
	}
	for _, raw := range details {
		detail, _ := objectOf(raw)
		kind, _ := textOf(detail["@type"])
		reason, _ := textOf(detail["reason"])
		domain, _ := textOf(detail["domain"])
		if kind != "type.googleapis.com/google.rpc.ErrorInfo" || reason != "MESSAGE_RESPONSE_LIMIT_EXCEEDED" || domain != "mainsequence.ai" {
			continue
		}
		metadata, _ := objectOf(detail["metadata"])
		return limitReached(metadata["limitSeconds"])
	}
	return nil
}

func limitReached(written json.RawMessage) *failure {
	f := fail(evidence.MessageLimit, `the Agent did not answer within the platform's Message limit; for longer work use response_kind="task"`)
	f.status = http.StatusGatewayTimeout
	number, _ := textOf(written)
	if seconds, err := strconv.ParseFloat(number, 64); err == nil && seconds > 0 && seconds <= 1e9 {
		f.limitSeconds = &seconds
	}
	return f
}

// objectOf reads one JSON object; its keys are taken as they are written. It is none where ok is false.
func objectOf(data json.RawMessage) (members map[string]json.RawMessage, ok bool) {
	err := json.Unmarshal(data, &members)
	return members, err == nil && members != nil
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

// texts lists the strings in a JSON value, members by name.
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
		for _, name := range sortedKeys(v) {
			all = append(all, texts(v[name])...)
		}
	}
	return all
}
