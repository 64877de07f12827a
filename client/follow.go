package client

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"
)

// TaskRequest names a Task of an agent session. SessionUID and TaskID are
// required.
type TaskRequest struct {
	// SessionUID is the session in which the Task was begun.
	SessionUID string
	// TaskID is the Task's own id. It is escaped, so that it stays one segment of
	// the path; "." and "..", which nothing escapes, are refused.
	TaskID string
	// Timeout is the budget of the whole call; the zero value is Phases(5, 900).
	Timeout Timeout
}

func (r TaskRequest) problems() problems {
	var found problems
	found.session(r.SessionUID)
	if strings.TrimSpace(r.TaskID) == "" {
		found.addf("TaskID: is blank; give the id of the Task that the send returned")
	}
	if !utf8.ValidString(r.TaskID) {
		found.addf("TaskID: is not valid UTF-8")
	}
	if r.TaskID == "." || r.TaskID == ".." {
		found.addf("TaskID %q: cannot stand in a path", r.TaskID)
	}
	return append(found, r.Timeout.problems()...)
}

// GetTask reads a Task as it stands now. Every error is a *TaskError; its causes
// are those of Send. Admission, the refresh after 401 or 403 and the budget are
// as in Send, too; what fails otherwise is not repeated.
func (c *Client) GetTask(ctx context.Context, request TaskRequest) (*Task, error) {
	if found := request.problems(); len(found) > 0 {
		return nil, &TaskError{Doing: "get", TaskID: request.TaskID, Err: &InvalidArgumentError{Problems: found}}
	}
	task, err := c.follow(ctx, request, request.Timeout.limits(), http.MethodGet, "")
	if err != nil {
		return nil, &TaskError{Doing: "get", TaskID: request.TaskID, Err: err}
	}
	return task, nil
}

// CancelTask asks the runtime to stop a Task and returns it as it stands then,
// which need not be TaskCanceled. The rest is as in GetTask.
func (c *Client) CancelTask(ctx context.Context, request TaskRequest) (*Task, error) {
	if found := request.problems(); len(found) > 0 {
		return nil, &TaskError{Doing: "cancel", TaskID: request.TaskID, Err: &InvalidArgumentError{Problems: found}}
	}
	task, err := c.follow(ctx, request, request.Timeout.limits(), http.MethodPost, ":cancel")
	if err != nil {
		return nil, &TaskError{Doing: "cancel", TaskID: request.TaskID, Err: err}
	}
	return task, nil
}

// follow makes one request about a Task that has been checked. Neither has a
// body.
func (c *Client) follow(ctx context.Context, request TaskRequest, l limits, method, verb string) (*Task, error) {
	current, release := c.begin(ctx, request.SessionUID, l)
	defer release()
	current.ask = exchange{
		method: method,
		path:   "/api/a2a/v1/tasks/" + segment(request.TaskID) + verb,
		fields: []string{"Accept: application/a2a+json"},
	}
	reply, err := current.reach() //nolint:contextcheck // every step takes its context from the call's budget
	if err != nil {
		return nil, err
	}
	var task *Task
	err = current.receive(reply, func(body []byte) (found problems) {
		task, found = readFollowedTask(body, request.SessionUID, request.TaskID)
		return found
	})
	return task, err
}
