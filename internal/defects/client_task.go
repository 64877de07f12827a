package defects

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// argueTask checks what a call for a Task that there is was given.
func (c *call) argueTask() *failure {
	if id := c.asked.Input.TaskID.Or(""); !isSegment(id) {
		return fail(evidence.InvalidArgument, "the task id %q is none", id).of("task")
	}
	return nil
}

// askTask reads a Task or cancels it. Neither has a body.
func (c *call) askTask(held access, again bool) (reply, *failure) {
	r := request{op: c.op, method: http.MethodGet, again: again, header: http.Header{
		"Authorization": {"Bearer " + held.token}, "Accept": {mediaType},
	}}
	path := "/api/a2a/v1/tasks/" + segment(c.asked.Input.TaskID.Or(""))
	if c.op == evidence.OpCancelTask {
		r.method = http.MethodPost
		path += ":cancel"
	}
	r.target = join(c.address(held.rpcURL), path)
	c.credentials(r.header, held)
	return c.exchange(r)
}

// taskOf makes the result of an answer that is to bear a Task: wrapped, and bare too where it was not a send (contract,
// section 3).
func (c *call) taskOf(answer map[string]json.RawMessage, body []byte) (evidence.Outcome, *failure) {
	task, message := answer["task"], answer["message"]
	switch {
	case !isNull(message):
		return evidence.Outcome{}, fail(evidence.InvalidResponse, "the answer bears a Message, and a Task was asked for")
	case isNull(task) && c.op != evidence.OpSendMessage:
		task = bytes.TrimSpace(body)
	}
	if wrong := c.wrongTask(task); wrong != "" {
		return evidence.Outcome{}, fail(evidence.InvalidResponse, "the Task of the answer %s", wrong)
	}
	return evidence.Outcome{Kind: evidence.OutcomeTask, Task: task}, nil
}

// wrongTask says what is wrong with a Task (ADR, Request Shape), and is empty where all is right.
func (c *call) wrongTask(task json.RawMessage) string {
	fields, ok := objectOf(task)
	var artifacts []json.RawMessage
	switch {
	case !ok:
		return "is no object"
	case !isSegment(textIn(fields["id"])):
		return "has no id"
	case textIn(fields["contextId"]) != c.asked.Session:
		return "belongs to another conversation: its contextId is " + brief(fields["contextId"])
	case stateOf(task) == "":
		return "has no state"
	case !isNull(fields["artifacts"]) && json.Unmarshal(fields["artifacts"], &artifacts) != nil:
		return "has artifacts that are no array"
	case c.internal(fields):
		return "speaks in an internal direction"
	}
	return ""
}

// internal tells whether a Message within a Task has an internal direction for its role (ADR, Request Shape).
func (c *call) internal(task map[string]json.RawMessage) bool {
	status, _ := objectOf(task["status"])
	var said []json.RawMessage
	_ = json.Unmarshal(task["history"], &said)
	for _, message := range append(said, status["message"]) {
		fields, _ := objectOf(message)
		if role := textIn(fields["role"]); role == "ROLE_REQUESTER" || role == "ROLE_RESPONDER" {
			return true
		}
	}
	return false
}

// stateOf is the state of a Task, empty where it has none.
func stateOf(task json.RawMessage) string {
	fields, _ := objectOf(task)
	status, _ := objectOf(fields["status"])
	return textIn(status["state"])
}

// textIn is a JSON string, empty where it is none.
func textIn(data json.RawMessage) string {
	text, _ := textOf(data)
	return text
}
