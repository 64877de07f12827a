package defects

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// The words of the request (ADR, Request Shape).
const (
	mediaType         = "application/a2a+json"
	responseKindURI   = "https://mainsequence.ai/a2a/extensions/response-kind/v1"
	outputContractURI = "https://mainsequence.ai/a2a/extensions/output-contract/v1"
)

// kind is the response kind that the caller asks for.
func (c *call) kind() string { return c.asked.Input.ResponseKind.Or("message") }

// compose writes the whole request before anything is asked of anybody (ADR, Decision 1). One for a Task has no body.
func (c *call) compose() ([]byte, *failure) {
	if s := c.asked.Session; s == "" || s == "." || s == ".." {
		return nil, fail(evidence.InvalidArgument, "the session uid %q is none", s)
	}
	if c.op != evidence.OpSendMessage {
		return nil, c.argueTask()
	}
	in := c.asked.Input
	if strings.TrimSpace(in.Message.Or("")) == "" && !c.has("blank-messages-sent") {
		return nil, fail(evidence.InvalidArgument, "the message is blank: say something").of("message")
	}
	if kind := c.kind(); kind != "message" && kind != "task" && !c.has("unknown-kind-sent") {
		return nil, fail(evidence.InvalidArgument, "response_kind %q is not known: use message or task", kind)
	}
	if id, given := in.MessageID.Get(); given && strings.TrimSpace(id) == "" &&
		c.plain.has("blank-message-ids-refused") { // also where the message is not sent
		return nil, fail(evidence.InvalidArgument, "the message id is blank: leave it out, or say something")
	}
	parts, err := c.parts()
	if err != nil {
		return nil, err
	}
	body := map[string]any{
		"message": map[string]any{"messageId": c.messageID(), "role": "ROLE_USER", "contextId": c.asked.Session, "parts": parts},
	}
	if err := c.configure(body); err != nil {
		return nil, err
	}
	c.bend(body)
	return c.write(body), nil
}

// argued ends a call that its own arguments end: nobody was asked for anything.
func (c *call) argued(err *failure) *failure {
	switch {
	case err.argument == "message" && c.has("blank-message-refused-too-late"),
		err.argument == "file" && c.has("file-read-too-late"),
		err.argument == "attempts" && c.has("attempts-checked-too-late"):
		_, _ = c.resolve(false)
	}
	return err
}

// messageID is the caller's, or a new one.
func (c *call) messageID() string {
	given := c.asked.Input.MessageID.Or("")
	if strings.TrimSpace(given) != "" && // also where the message is not sent: the ids of later ones are others then
		!c.plain.has("message-id-replaced") {
		switch {
		case c.has("message-id-in-lower-case"):
			return strings.ToLower(given)
		case c.has("message-id-trimmed"):
			return strings.TrimSpace(given)
		case c.has("message-id-prefixed"):
			return "msg-" + given
		}
		return given
	}
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	c.memory.calls++
	made := c.newID()
	if c.memory.id == "" {
		c.memory.id = made
	}
	switch {
	case given != "" && c.has("blank-message-id-sent"):
		return given
	case c.has("message-id-of-the-text"):
		return uuid.NewSHA1(uuid.NameSpaceURL, []byte(c.asked.Input.Message.Or(""))).String()
	case c.memory.id != made && c.has("message-id-of-the-instance"):
		return c.memory.id
	case c.has("message-id-counted"):
		return "msg-" + string(rune('0'+c.memory.calls))
	case c.has("message-id-of-the-session"):
		return "msg-" + c.asked.Session
	}
	return made
}

func (c *call) strict() bool { return c.asked.Input.StrictDictionary.Or(false) }

// configure says what answer is wanted.
func (c *call) configure(body map[string]any) *failure {
	attempts, err := c.asked.Input.JSONRepairAttempts.Or("3").Int64()
	if err != nil || attempts < 1 && !c.has("attempts-below-one-sent") {
		return fail(evidence.InvalidArgument, "json_repair_attempts must be a whole number of 1 or more").of("attempts")
	}
	modes := []string{"text/plain"}
	if c.strict() {
		modes = []string{"application/json"}
		body["metadata"] = map[string]any{outputContractURI: outputContract(attempts)}
	}
	kind := "message"
	if c.task() {
		kind = "task"
	}
	body["configuration"] = map[string]any{"acceptedOutputModes": modes, "responseKind": kind}
	return nil
}

func outputContract(attempts int64) map[string]any {
	return map[string]any{
		"response_format": map[string]any{"type": "dictionary", "strict": true}, "jsonRepairAttempts": attempts,
	}
}

// write turns the body into bytes; every attempt sends these.
func (c *call) write(body map[string]any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if c.has("indented") {
		encoder.SetIndent("", "\t")
	}
	if err := encoder.Encode(body); err != nil {
		panic("defects: a body of text and numbers cannot be written: " + err.Error())
	}
	written := c.respell(bytes.TrimSuffix(out.Bytes(), []byte("\n")))
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	c.memory.body = written
	return written
}

// bodyToSend is the body of this call.
func (c *call) bodyToSend(own []byte) []byte {
	c.memory.mu.Lock()
	latest := c.memory.body
	c.memory.mu.Unlock()
	if own != nil && !bytes.Equal(latest, own) && c.has("body-of-the-latest-call") {
		return latest
	}
	if c.fellBack {
		return bytes.Replace(own, []byte(`"responseKind":"task"`), []byte(`"responseKind":"message"`), 1)
	}
	switch {
	case c.remembered && c.has("body-tells-of-the-cache"):
		return bytes.Replace(own, []byte(`"configuration":{`), []byte(`"metadata":{"https://example.org/cached":true},"configuration":{`), 1)
	case c.remembered && c.has("modes-lost-with-the-cache"):
		return bytes.Replace(own, []byte(`"acceptedOutputModes":["text/plain"],`), nil, 1)
	}
	return own
}

// secondBody is the body of the send after a rejection: the same bytes.
func (c *call) secondBody(first []byte) []byte {
	switch {
	case c.has("second-body-empty"):
		return nil
	case c.has("second-body-cut"):
		return first[:len(first)-1]
	case c.has("second-body-written-anew"):
		var out bytes.Buffer
		_ = json.Indent(&out, first, "", " ")
		return out.Bytes()
	case c.has("second-body-in-another-order"):
		return reorder(first)
	case len(c.asked.Files) > 0 && c.has("second-body-without-its-files"):
		return c.withoutFiles(first)
	case c.has("second-body-escaped-otherwise"):
		return bytes.ReplaceAll(first, []byte("/"), []byte(`\/`))
	case c.has("retry-new-message-id"):
		return c.withID(first, c.newID())
	case c.task() && c.has("task-sent-again-with-a-new-id"):
		return c.withID(first, c.newID())
	case c.task() && c.has("task-sent-again-as-a-message"):
		return bytes.Replace(first, []byte(`"responseKind":"task"`), []byte(`"responseKind":"message"`), 1)
	}
	return first
}

// withoutFiles is a body with the text alone.
func (c *call) withoutFiles(body []byte) []byte {
	whole, _ := objectOf(body)
	message, _ := objectOf(whole["message"])
	var parts []json.RawMessage
	_ = json.Unmarshal(message["parts"], &parts)
	return bytes.Replace(body, message["parts"], encoded(parts[:1]), 1)
}

// withID is a body with another message id.
func (c *call) withID(body []byte, id string) []byte {
	whole, _ := objectOf(body)
	message, _ := objectOf(whole["message"])
	return bytes.Replace(body, message["messageId"], encoded(id), 1)
}
