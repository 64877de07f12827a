package script

import (
	"fmt"
	"net/http"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// WellFormed says what is wrong with an answer of a mock that nothing in the scenario asked to be wrong: a check of
// the harness by the recording, with the readers that judge clients. It knows the answers of the contract; answers
// that did not go out whole say nothing.
func WellFormed(x evidence.Exchange) []string {
	if x.Response == nil || !x.Response.Complete {
		return nil
	}
	c := &shapeCheck{op: x.Op}
	switch status := x.Response.Status; {
	case status >= 300 && status < 400:
		c.hold(x.Response.Header.Get("Location") != "", "a redirect says where to")
	case status < 400 && x.Op == evidence.OpResolveAccess:
		if a := evidence.ReadAccess(&x); c.readable(a.Problems) {
			c.access(a)
		}
	case status < 400 && x.Op == evidence.OpSendMessage:
		if a := evidence.ReadMessage(&x); c.readable(a.Problems) {
			c.send(a)
		}
	default:
		if body, problems := evidence.ReadJSON(x.Response.Body.Bytes); c.readable(problems) {
			c.body(x, body)
		}
	}
	return c.problems
}

// shapeCheck collects what does not hold of an answer.
type shapeCheck struct {
	op       evidence.Op
	problems []string
}

func (c *shapeCheck) hold(holds bool, what string) {
	if !holds {
		c.problems = append(c.problems, fmt.Sprintf("the answer of %s does not hold to: %s", c.op, what))
	}
}

// body checks an answer that no reader of its own takes apart.
func (c *shapeCheck) body(x evidence.Exchange, body *evidence.Value) {
	switch {
	case x.Response.Status >= 400:
		c.failure(x, body)
	case x.Op == evidence.OpGetTask || x.Op == evidence.OpCancelTask:
		if task := body.Member("task"); task.Kind() != evidence.KindAbsent {
			body = task
		}
		c.task(body)
	default:
		c.platform(x.Op, body)
	}
}

// readable holds that nothing is wrong with the JSON.
func (c *shapeCheck) readable(problems []evidence.Problem) bool {
	for _, problem := range problems[:min(1, len(problems))] {
		c.hold(false, fmt.Sprintf("the body is one JSON value: %v", problem))
	}
	return len(problems) == 0
}

// texts holds that members are texts that are not empty.
func (c *shapeCheck) texts(v *evidence.Value, names ...string) {
	for _, name := range names {
		if text := v.Member(name); text.Kind() != evidence.KindString || text.TextEquals("") {
			c.hold(false, name+" is a text that is not empty")
		}
	}
}

// failure checks the two error shapes that the mocks write: {"detail": …} and google.rpc.
func (c *shapeCheck) failure(x evidence.Exchange, body *evidence.Value) {
	failed := body.Member("error")
	if failed.Kind() == evidence.KindAbsent {
		c.texts(body, "detail")
		return
	}
	code, _ := failed.Member("code").Int()
	c.hold(code == int64(x.Response.Status), "error.code is the status")
	c.texts(failed, "status", "message")
	for _, detail := range failed.Member("details").Elements() {
		c.texts(detail, "@type")
	}
	c.hold(x.Response.Header.Get("Content-Type") == MediaA2A, "the media type of a google.rpc error is "+MediaA2A)
}

// access checks an answer to resolve-runtime-access (ADR 0029, Decision).
func (c *shapeCheck) access(a evidence.Access) {
	mode, _ := a.Mode.Text()
	state, _ := a.State.Text()
	c.hold(a.Answered && state != "", "it is a 200 with a state")
	c.hold(a.CanSubmit.Kind() == evidence.KindBool, "can_submit is true or false")
	c.hold(a.Presence.Kind() == evidence.KindObject, "runtime_presence is an object")
	c.hold(a.ExpiresAt.Kind != evidence.ExpiryUnreadable, "expires_at is null, absent or a time")
	c.hold(a.Notice.Kind() == evidence.KindNull || a.Notice.Kind() == evidence.KindObject, "notice is there, null or an object")
	if a.Admits() {
		c.hold(mode == "token" && a.Token.Usable, "an admitting answer has the mode token and a token")
		c.hold(a.RPCURL.Usable, "an admitting answer has an rpc_url that can be used")
		c.hold(a.ServiceUID.Kind() == evidence.KindString, "an admitting answer names its service")
		return
	}
	c.hold(mode == "unavailable", "a blocked answer has the mode unavailable")
	for _, name := range []string{"token", "rpc_url", "coding_agent_service_uid"} {
		c.hold(a.Body.Member(name).Kind() == evidence.KindNull, name+" is null while blocked")
	}
}

// send checks an answer to message:send (ADR 0029, Request Shape).
func (c *shapeCheck) send(a evidence.Answer) {
	if a.Holds == evidence.HoldsTask {
		c.task(a.Task)
		return
	}
	c.hold(a.Holds == evidence.HoldsMessage, "it has exactly one of message and task")
	c.hold(a.Message.Member("role").TextEquals("ROLE_AGENT"), "the role is ROLE_AGENT")
	c.texts(a.Message, "messageId", "contextId")
	c.hold(len(a.Message.Member("parts").Elements()) > 0, "there are parts")
}

// task checks a Task.
func (c *shapeCheck) task(task *evidence.Value) {
	c.texts(task, "id", "contextId")
	c.texts(task.Member("status"), "state", "timestamp")
	c.hold(task.Member("artifacts").Kind() == evidence.KindArray, "artifacts is an array")
}

// platform checks the further answers of the platform.
func (c *shapeCheck) platform(op evidence.Op, body *evidence.Value) {
	switch op {
	case evidence.OpWhoAmI:
		c.texts(body, "username")
	case evidence.OpRenewToken:
		c.texts(body, "access")
	case evidence.OpGetSession:
		c.texts(body, "agent_uid", "organization_environment_uid", "organization_environment_name", "llm_provider", "llm_model")
	case evidence.OpGetAgent:
		c.texts(body, "name", "description", "organization_environment_uid", "organization_environment_name")
		name, _ := body.Member("name").Text()
		c.hold(body.Member("agent_card").Member("name").TextEquals(name), "the card has the agent's name")
	default:
		c.hold(body.Kind() == evidence.KindObject, fmt.Sprintf("a %d is an object", http.StatusOK))
	}
}
