package defects

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// What nobody wants of a request for a Task, or of one that was answered. Nothing here happens where no switch is on.

// bendTask changes a request for a Task.
func (c *call) bendTask(r *request, held access) {
	api := join(held.rpcURL, "/api/a2a/v1/tasks")
	id := c.taskSegment()
	if c.op == evidence.OpCancelTask {
		c.bendCancel(r, api, id)
		return
	}
	switch {
	case c.has("get-by-post"):
		r.method = http.MethodPost
	case c.has("get-without-version"):
		r.target = strings.Replace(r.target, "/a2a/v1/", "/a2a/", 1)
	case c.has("get-without-the-prefix"):
		r.target = rootOf(r.target) + "/api/a2a/v1/tasks/" + id
	case c.has("get-ends-in-a-slash"):
		r.target += "/"
	case c.has("get-by-query"):
		r.target = api + "?id=" + id
	case c.has("get-without-a-token"):
		delete(r.header, "Authorization")
	case c.has("get-with-the-platform-token"):
		r.header["Authorization"] = []string{"Bearer " + c.platform.Token}
	case c.has("get-at-the-platform"):
		r.target = c.platform.URL + "/api/a2a/v1/tasks/" + id
	}
}

func (c *call) bendCancel(r *request, api, id string) {
	switch {
	case c.has("cancel-by-delete"):
		r.method, r.target = http.MethodDelete, api+"/"+id
	case c.has("cancel-by-get"):
		r.method = http.MethodGet
	case c.has("cancel-behind-a-slash"):
		r.target = api + "/" + id + "/cancel"
	case c.has("cancel-without-the-prefix"):
		r.target = rootOf(r.target) + "/api/a2a/v1/tasks/" + id + ":cancel"
	case c.has("cancel-without-a-token"):
		delete(r.header, "Authorization")
	case c.has("cancel-with-the-platform-token"):
		r.header["Authorization"] = []string{"Bearer " + c.platform.Token}
	}
}

// rootOf is the origin of an address.
func rootOf(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// beforeTask does something else before the request for a Task.
func (c *call) beforeTask(held access) {
	switch {
	case c.op == evidence.OpCancelTask && c.has("cancel-reads-the-task-first"):
		_, _ = c.exchange(c.runtimeGet(held, "/tasks/"+segment(c.asked.Input.TaskID.Or(""))))
	case c.op == evidence.OpGetTask && c.has("get-lists-the-tasks-first"):
		_, _ = c.exchange(c.runtimeGet(held, "/tasks"))
	case c.asked.Op == evidence.CallWaitTask && c.has("wait-prods-the-agent"),
		c.asked.Op == evidence.CallGetTask && c.has("get-prods-the-agent"):
		_, _ = c.exchange(c.prod(held))
	}
}

// prod is a message that asks how a Task is going.
func (c *call) prod(held access) request {
	body := `{"message":{"messageId":"` + c.env.NewMessageID() + `","role":"ROLE_USER","contextId":"` + c.asked.Session +
		`","parts":[{"text":"How is it going?"}]},"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}`
	return request{target: join(held.rpcURL, "/api/a2a/v1/message:send"), body: []byte(body), header: http.Header{
		"Authorization": {"Bearer " + held.token}, "Content-Type": {mediaType}, "Accept": {mediaType}, "A2A-Extensions": {responseKindURI},
	}}
}

// runtimeGet is a GET below the runtime's interface.
func (c *call) runtimeGet(held access, path string) request {
	return request{method: http.MethodGet, target: join(held.rpcURL, "/api/a2a/v1"+path), header: http.Header{
		"Authorization": {"Bearer " + held.token}, "Accept": {mediaType},
	}}
}

// clings keeps something of rejected access in a get or cancel.
func (c *call) clings(fresh *access, refused access) {
	switch {
	case c.op == evidence.OpGetTask && c.has("get-again-with-the-old-token"),
		c.op == evidence.OpCancelTask && c.has("cancel-again-with-the-old-token"):
		fresh.token = refused.token
	case c.op == evidence.OpGetTask && c.has("get-again-at-the-old-address"),
		c.op == evidence.OpCancelTask && c.has("cancel-again-at-the-old-address"):
		fresh.rpcURL = refused.rpcURL
	}
}

// leftRejected tells whether a rejection is reported as it is: none is.
func (c *call) leftRejected(status int) bool {
	forbidden := status == http.StatusForbidden
	switch {
	case !rejected(status):
	case c.op == evidence.OpGetTask:
		return c.has("get-not-refreshed") || forbidden && c.has("get-not-refreshed-after-403")
	case c.op == evidence.OpCancelTask:
		return c.has("cancel-not-refreshed") || forbidden && c.has("cancel-not-refreshed-after-403")
	case c.task():
		return forbidden && c.has("task-send-not-refreshed-after-403") || !forbidden && c.has("task-send-not-refreshed-after-401")
	}
	return false
}

// handOver gives a Task to the caller as it is.
func (c *call) handOver(task json.RawMessage) (evidence.Outcome, *failure) {
	state := stateOf(task)
	whole := evidence.Outcome{Kind: evidence.OutcomeTask, Task: c.spoilTask(task)}
	switch {
	case state == "TASK_STATE_FAILED" && c.has("failed-task-as-an-empty-message"):
		return c.asMessage(""), nil
	case state == "TASK_STATE_COMPLETED" && c.has("completed-task-as-its-text"):
		return c.asMessage(firstText(task)), nil
	case state == "TASK_STATE_FAILED" && c.has("failed-task-as-an-error"):
		return evidence.Outcome{}, fail(evidence.ServerFailed, "the Task has failed")
	case state == "TASK_STATE_REJECTED" && c.has("rejected-task-as-an-error"):
		return evidence.Outcome{}, fail(evidence.Rejected, "the Task was rejected")
	}
	c.memory.mu.Lock()
	c.memory.task = whole.Task
	c.memory.mu.Unlock()
	if c.has("task-of-the-latest-call") {
		_ = c.pause(3 * time.Millisecond)
		whole.Task = c.memory.lastTask()
	}
	return whole, nil
}

// asMessage is a Message that no Agent sent.
func (c *call) asMessage(text string) evidence.Outcome {
	return evidence.Outcome{Kind: evidence.OutcomeMessage, Message: encoded(map[string]any{
		"messageId": "msg-of-a-task", "role": "ROLE_AGENT", "contextId": c.asked.Session, "parts": []any{map[string]any{"text": text}},
	})}
}

// firstText is the first text among the artifacts of a Task.
func firstText(task json.RawMessage) string {
	var read struct {
		Artifacts []struct {
			Parts []struct {
				Text string `json:"text"`
			} `json:"parts"`
		} `json:"artifacts"`
	}
	_ = json.Unmarshal(task, &read)
	for _, a := range read.Artifacts {
		for _, p := range a.Parts {
			return p.Text
		}
	}
	return ""
}

// spoilTask changes a Task on its way to the caller.
func (c *call) spoilTask(task json.RawMessage) json.RawMessage {
	fields, _ := objectOf(task)
	status, _ := objectOf(fields["status"])
	state := strings.TrimPrefix(stateOf(task), "TASK_STATE_")
	switch {
	case c.has("falsy-values-of-a-task-dropped"):
		return rewrite(task, dropFalsy)
	case c.has("artifacts-dropped"):
		delete(fields, "artifacts")
	case c.has("first-artifact-alone-kept"):
		var artifacts []json.RawMessage
		if json.Unmarshal(fields["artifacts"], &artifacts) == nil && len(artifacts) > 1 {
			fields["artifacts"] = encoded(artifacts[:1])
		}
	case c.has("context-of-a-task-dropped"):
		delete(fields, "contextId")
	case c.has("state-without-its-prefix"):
		status["state"] = encoded(state)
		fields["status"] = encoded(status)
	case c.has("state-in-lower-case"):
		status["state"] = encoded(strings.ToLower(state))
		fields["status"] = encoded(status)
	case c.has("id-of-a-task-replaced"):
		fields["id"] = encoded("task-" + c.asked.Session)
	case c.has("unknown-members-of-a-task-dropped"):
		for name := range fields {
			if name != "id" && name != "contextId" && name != "status" && name != "artifacts" && name != "history" && name != "metadata" {
				delete(fields, name)
			}
		}
	default:
		return task
	}
	return encoded(fields)
}
