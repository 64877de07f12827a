package defects

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

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
	c.beforeTask(held)
	r := request{op: c.op, method: http.MethodGet, again: again, header: http.Header{
		"Authorization": {"Bearer " + held.token}, "Accept": {mediaType},
	}}
	path := "/api/a2a/v1/tasks/" + c.taskSegment()
	if c.op == evidence.OpCancelTask {
		r.method = http.MethodPost
		path += ":cancel"
	}
	r.target = join(c.address(held.rpcURL), path)
	c.credentials(r.header, held)
	c.bendTask(&r, held)
	return c.exchange(r)
}

// taskSegment is the id of the Task in a path.
func (c *call) taskSegment() string {
	id := c.asked.Input.TaskID.Or("")
	switch {
	case segment(id) != id && c.has("task-id-not-escaped"):
		return strings.ReplaceAll(strings.ReplaceAll(id, "%", "%25"), " ", "%20") // what no request could bear
	case strings.Contains(id, "/") && c.has("slashes-of-a-task-id-kept"):
		return strings.ReplaceAll(segment(id), "%2F", "/")
	}
	return segment(id)
}

// taskOf makes the result of an answer that is to bear a Task: wrapped, and bare too where it was not a send (contract,
// section 3).
func (c *call) taskOf(answer map[string]json.RawMessage, body []byte) (evidence.Outcome, *failure) {
	task, message := answer["task"], answer["message"]
	send := c.op == evidence.OpSendMessage
	switch {
	case !isNull(message) && isNull(task) && c.has("message-taken-in-task-mode"):
		return evidence.Outcome{Kind: evidence.OutcomeMessage, Message: message}, nil
	case !isNull(message) && isNull(task) && c.has("message-made-a-task"):
		task = encoded(map[string]any{
			"id": "task-1", "contextId": c.asked.Session, "status": map[string]any{"state": "TASK_STATE_COMPLETED", "message": message},
		})
	case !isNull(message) && (isNull(task) || !c.has("message-beside-a-task-ignored")):
		return evidence.Outcome{}, fail(evidence.InvalidResponse, "the answer bears a Message, and a Task was asked for")
	case isNull(task) && (!send && !c.has("bare-tasks-refused") || send && c.has("bare-task-of-a-send-taken")):
		task = bytes.TrimSpace(body)
	case !isNull(task) && c.has("wrapped-task-taken-whole"):
		return evidence.Outcome{Kind: evidence.OutcomeTask, Task: bytes.TrimSpace(body)}, nil
	}
	if wrong := c.wrongTask(task); wrong != "" {
		return evidence.Outcome{}, fail(evidence.InvalidResponse, "the Task of the answer %s", wrong)
	}
	return c.handOver(task)
}

// wrongTask says what is wrong with a Task (ADR, Request Shape), and is empty where all is right.
func (c *call) wrongTask(task json.RawMessage) string {
	fields, ok := objectOf(task)
	var artifacts []json.RawMessage
	switch {
	case string(task) == "{}" && c.has("empty-object-taken-for-a-task"):
		return ""
	case !ok:
		return "is no object"
	case !isSegment(textIn(fields["id"])) && !c.has("task-id-unchecked"):
		return "has no id"
	case textIn(fields["contextId"]) != c.asked.Session && !c.has("context-of-a-task-unchecked"):
		return "belongs to another conversation: its contextId is " + brief(fields["contextId"])
	case strings.TrimSpace(stateOf(task)) == "" && !c.has("task-state-unchecked"):
		return "has no state"
	case !strings.HasPrefix(stateOf(task), "TASK_STATE_") && c.has("unknown-states-refused"):
		return "is in a state that nobody knows"
	case !isNull(fields["artifacts"]) && json.Unmarshal(fields["artifacts"], &artifacts) != nil:
		return "has artifacts that are no array"
	case c.internal(fields), c.mentions(task):
		return "speaks in an internal direction"
	}
	return ""
}

// internal tells whether a Message within a Task has an internal direction for its role (ADR, Request Shape).
func (c *call) internal(task map[string]json.RawMessage) bool {
	status, _ := objectOf(task["status"])
	var said []json.RawMessage
	if json.Unmarshal(task["history"], &said) == nil && c.has("directions-in-the-history-taken") {
		said = nil
	}
	for i, message := range append(said, status["message"]) {
		fields, _ := objectOf(message)
		if role := textIn(fields["role"]); (role == "ROLE_REQUESTER" || role == "ROLE_RESPONDER") && !c.bears(role, i == len(said)) {
			return true
		}
	}
	return false
}

// bears tells whether an internal direction is let pass: none is.
func (c *call) bears(role string, status bool) bool {
	switch {
	case status && c.has("directions-in-the-status-taken"),
		role == "ROLE_RESPONDER" && c.has("responder-in-a-task-taken"),
		role == "ROLE_REQUESTER" && c.has("requester-in-a-task-taken"),
		c.op == evidence.OpSendMessage && c.has("directions-taken-in-a-send"),
		c.op == evidence.OpCancelTask && c.has("directions-taken-in-cancel"):
		return true
	case c.op == evidence.OpGetTask && c.asked.Op == evidence.CallGetTask:
		return c.has("directions-taken-in-get")
	case c.op == evidence.OpGetTask:
		return c.has("directions-taken-in-wait")
	}
	return false
}

// mentions tells whether the words of an internal direction stand anywhere in a Task. They may: they are content there.
func (c *call) mentions(task json.RawMessage) bool {
	return (bytes.Contains(task, []byte("ROLE_REQUESTER")) || bytes.Contains(task, []byte("ROLE_RESPONDER"))) && c.has("internal-words-in-a-task-refused")
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
