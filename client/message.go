package client

import (
	"encoding/json"
	"strings"
)

// Result is what a send brought. The set is sealed: a *Message, or a *Task when
// one was asked for.
type Result interface {
	isResult()
}

// Message is the Agent's direct answer (ADR 0029, Request Shape). It was checked:
// the role is ROLE_AGENT, the id not blank, the context the session that was
// asked, and there is at least one part.
type Message struct {
	// Raw is the whole Message as the runtime sent it, unknown members, metadata
	// and the digits of numbers included.
	Raw json.RawMessage
	// ID is its messageId.
	ID string
	// ContextID is the session's uid.
	ContextID string
	// Parts are its parts, in order.
	Parts []Part
}

func (*Message) isResult() {}

// MarshalJSON gives the Message as the runtime sent it.
func (m *Message) MarshalJSON() ([]byte, error) { return m.Raw, nil }

// Text joins the parts that are text; "" when there is none, which is no error:
// an answer may be data or files alone.
func (m *Message) Text() string {
	var text strings.Builder
	for _, part := range m.Parts {
		if said, ok := part.Text(); ok {
			text.WriteString(said)
		}
	}
	return text.String()
}

// Data returns the first part that carries structured data, as JSON.
func (m *Message) Data() (json.RawMessage, bool) {
	for _, part := range m.Parts {
		if data, ok := part.Data(); ok {
			return data, true
		}
	}
	return nil, false
}

// Part is one part of a Message: text, data, a file or something newer.
type Part struct {
	// Raw is the part as the runtime sent it.
	Raw json.RawMessage
}

// Text returns the text of a text part.
func (p Part) Text() (string, bool) {
	members, err := readDocument(p.Raw)
	if err != nil {
		return "", false
	}
	return members.text("text")
}

// Data returns the data of a data part, as JSON. It may be null, which is data.
func (p Part) Data() (json.RawMessage, bool) {
	members, err := readDocument(p.Raw)
	if err != nil {
		return nil, false
	}
	data, ok := members["data"]
	return data, ok
}

// The public roles: an answer has that of the Agent. The internal directions of
// the platform are not accepted in their place.
const (
	publicAgentRole = "ROLE_AGENT"
	publicUserRole  = "ROLE_USER"
)

// readOnly reads the body of a 2xx answer to a send, which has exactly one of a
// message and a task: the kind that was asked for.
func readOnly(kind string, body []byte) (json.RawMessage, object, problems) {
	document, err := readDocument(body)
	if err != nil {
		return nil, nil, problems{"its body " + err.Error()}
	}
	switch hasMessage, hasTask := document.has(KindMessage), document.has(KindTask); {
	case hasMessage && hasTask:
		return nil, nil, problems{"it has both a message and a task"}
	case !hasMessage && !hasTask:
		return nil, nil, problems{"it has neither a message nor a task"}
	case hasTask && kind == KindMessage:
		return nil, nil, problems{"it is a task, although a direct message was asked for"}
	case hasMessage && kind == KindTask:
		return nil, nil, problems{"it is a message, although a task was asked for"}
	}
	members, err := readObject(document[kind])
	if err != nil {
		return nil, nil, problems{kind + " " + err.Error()}
	}
	return document[kind], members, nil
}

// readDirectAnswer reads the body of a 2xx answer to a direct Message. Either
// the Message is right in all that is obligatory, or the problems say in what
// it is not.
func readDirectAnswer(body []byte, sessionUID string) (*Message, problems) {
	raw, members, found := readOnly(KindMessage, body)
	if len(found) > 0 {
		return nil, found
	}
	return readMessage(raw, members, sessionUID)
}

func readMessage(raw json.RawMessage, members object, sessionUID string) (*Message, problems) {
	var found problems
	message := &Message{Raw: raw}
	if role, ok := members.text("role"); !ok || role != publicAgentRole {
		found.addf("message.%s, not %q", members.describe("role"), publicAgentRole)
	}
	id, ok := members.text("messageId")
	if !ok || strings.TrimSpace(id) == "" {
		found.addf("message.%s, not a text that is not blank", members.describe("messageId"))
	}
	contextID, ok := members.text("contextId")
	if !ok || contextID != sessionUID {
		found.addf("message.%s, not the session %q", members.describe("contextId"), sessionUID)
	}
	parts, ok := members.elements("parts")
	if !ok || len(parts) == 0 {
		found.addf("message.%s, not an array with at least one part", members.describe("parts"))
	}
	if len(found) > 0 {
		return nil, found
	}
	message.ID, message.ContextID = id, contextID
	for _, part := range parts {
		message.Parts = append(message.Parts, Part{Raw: part})
	}
	return message, nil
}
