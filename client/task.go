package client

import (
	"bytes"
	"encoding/json"
	"strings"
)

// TaskState is where a Task stands. The set is open: a state that is not named
// here is passed on as it came, and it is not settled.
type TaskState string

// The states of A2A v1.0, in the spelling of the wire.
const (
	TaskSubmitted     TaskState = "TASK_STATE_SUBMITTED"
	TaskWorking       TaskState = "TASK_STATE_WORKING"
	TaskInputRequired TaskState = "TASK_STATE_INPUT_REQUIRED"
	TaskAuthRequired  TaskState = "TASK_STATE_AUTH_REQUIRED"
	TaskCompleted     TaskState = "TASK_STATE_COMPLETED"
	TaskFailed        TaskState = "TASK_STATE_FAILED"
	TaskCanceled      TaskState = "TASK_STATE_CANCELED"
	TaskRejected      TaskState = "TASK_STATE_REJECTED"
)

// Terminal reports whether the Task is over: completed, failed, canceled or
// rejected. Only TaskCompleted is a success.
func (s TaskState) Terminal() bool {
	switch s {
	case TaskCompleted, TaskFailed, TaskCanceled, TaskRejected:
		return true
	default:
		return false
	}
}

// Interrupted reports whether the Task stands still until its caller acts: it
// asks for input, or for an authorisation.
func (s TaskState) Interrupted() bool { return s == TaskInputRequired || s == TaskAuthRequired }

// Task is work that outlives the request that began it (ADR 0029, Request
// Shape). It was checked: the id and the state are not blank, the context is the
// session that was asked, and no internal direction stands as a role in it.
type Task struct {
	// Raw is the whole Task as the runtime sent it, unknown members included.
	Raw json.RawMessage
	// ID is what GetTask, CancelTask and WaitTask ask for.
	ID string
	// ContextID is the session's uid.
	ContextID string
	// State is its status.state.
	State TaskState
	// Artifacts are what the Agent has made so far, in order; the answer is in
	// them, not in the history.
	Artifacts []Artifact
}

func (*Task) isResult() {}

// MarshalJSON gives the Task as the runtime sent it.
func (t *Task) MarshalJSON() ([]byte, error) { return t.Raw, nil }

// Text joins the text parts of all artifacts; "" when there is none.
func (t *Task) Text() string {
	var text strings.Builder
	for _, artifact := range t.Artifacts {
		for _, part := range artifact.Parts() {
			said, _ := part.Text()
			text.WriteString(said)
		}
	}
	return text.String()
}

// Artifact is one result of a Task.
type Artifact struct {
	// Raw is the artifact as the runtime sent it.
	Raw json.RawMessage
}

// Parts returns its parts, in order; none when it has none that can be read.
func (a Artifact) Parts() []Part {
	members, err := readDocument(a.Raw)
	if err != nil {
		return nil
	}
	elements, _ := members.elements("parts")
	parts := make([]Part, 0, len(elements))
	for _, element := range elements {
		parts = append(parts, Part{Raw: element})
	}
	return parts
}

// readTaskAnswer reads the body of a 2xx answer to a send that asked for a Task.
func readTaskAnswer(body []byte, sessionUID string) (*Task, problems) {
	raw, members, found := readOnly(KindTask, body)
	if len(found) > 0 {
		return nil, found
	}
	return readTask(raw, members, sessionUID)
}

// readFollowedTask reads the body of a 2xx answer to get or cancel. The Task
// stands in a member task, as runtimes of the contract write it, or bare, as A2A
// v1.0 has it; it must be the one that was asked for.
func readFollowedTask(body []byte, sessionUID, taskID string) (*Task, problems) {
	raw := json.RawMessage(bytes.TrimSpace(body))
	members, err := readDocument(body)
	if err != nil {
		return nil, problems{"its body " + err.Error()}
	}
	if members.has(KindTask) || members.has(KindMessage) {
		var found problems
		if raw, members, found = readOnly(KindTask, body); len(found) > 0 {
			return nil, found
		}
	}
	task, found := readTask(raw, members, sessionUID)
	if task != nil && task.ID != taskID {
		return nil, problems{"task." + members.describe("id") + ", not the " + quote(taskID) + " that was asked for"}
	}
	return task, found
}

func readTask(raw json.RawMessage, members object, sessionUID string) (*Task, problems) {
	var found problems
	id, ok := members.text("id")
	if !ok || strings.TrimSpace(id) == "" {
		found.addf("task.%s, not a text that is not blank", members.describe("id"))
	}
	contextID, ok := members.text("contextId")
	if !ok || contextID != sessionUID {
		found.addf("task.%s, not the session %q", members.describe("contextId"), sessionUID)
	}
	status, err := readObject(members["status"])
	if err != nil {
		found.addf("task.%s, not one object", members.describe("status"))
	}
	state, ok := status.text("state")
	if err == nil && (!ok || strings.TrimSpace(state) == "") {
		found.addf("task.status.%s, not a text that is not blank", status.describe("state"))
	}
	artifacts, ok := members.elements("artifacts")
	if members.has("artifacts") && !ok {
		found.addf("task.%s, not an array", members.describe("artifacts"))
	}
	if found = append(found, internalRoles(members, status)...); len(found) > 0 {
		return nil, found
	}
	task := &Task{Raw: raw, ID: id, ContextID: contextID, State: TaskState(state)}
	for _, artifact := range artifacts {
		task.Artifacts = append(task.Artifacts, Artifact{Raw: artifact})
	}
	return task, nil
}

// internalRoles looks for messages in a Task whose role is not a public one. A
// message without a role is let pass: nothing obliges a Task to name it.
func internalRoles(task, status object) problems {
	var found problems
	check := func(place string, value json.RawMessage) {
		message, err := readObject(value)
		if err != nil {
			found.addf("task.%s %v", place, err)
			return
		}
		role, _ := message.text("role")
		if message.has("role") && role != publicAgentRole && role != publicUserRole {
			found.addf("task.%s.%s, which is no public role", place, message.describe("role"))
		}
	}
	if status.has("message") {
		check("status.message", status["message"])
	}
	history, ok := task.elements("history")
	if task.has("history") && !ok {
		found.addf("task.%s, not an array", task.describe("history"))
	}
	for _, message := range history {
		check("history", message)
	}
	return found
}
