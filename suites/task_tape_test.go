package suites

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// What tests of Task mode add to a tape.

const agentUID = "a9e0c3d1-0000-4000-8000-000000000002"

// ofAgent is an answer about a session that names its Agent.
func ofAgent() string { return fmt.Sprintf(`{"agent_uid":%q}`, agentUID) }

// profile is an answer about an Agent with those response kinds, written as JSON.
func profile(kinds string) string {
	return fmt.Sprintf(`{"name":"a","a2a_profile":{"response_kind_extension_uri":%q,"supported_response_kinds":%s,"default_response_kind":"message"}}`,
		evidence.ResponseKindURI, kinds)
}

// takesTasks is the answer about an Agent that advertises Task mode.
func takesTasks() string { return profile(`["message","task"]`) }

// looksUpSession adds the look-up of the session, looksUp that of its Agent.
func (t *tape) looksUpSession(arrive float64, answer string, edit ...func(*evidence.Exchange)) *tape {
	return t.asks(arrive, evidence.OpGetSession, "platform", "GET", "/api/v1/agent-sessions/"+t.last().Session+"/", append([]func(*evidence.Exchange){status(200, answer)}, edit...)...)
}

func (t *tape) looksUp(arrive float64, answer string, edit ...func(*evidence.Exchange)) *tape {
	return t.asks(arrive, evidence.OpGetAgent, "platform", "GET", "/api/v1/agents/"+agentUID+"/", append([]func(*evidence.Exchange){status(200, answer)}, edit...)...)
}

// discovering is a Task send up to the end of discovery, at 0.003s and the latency.
func discovering(edit ...func(*evidence.Call)) *tape {
	return newTape().call(0, append([]func(*evidence.Call){ofKind("task")}, edit...)...).looksUpSession(0.001, ofAgent()).looksUp(0.003, takesTasks())
}

// taskIn is a Task in that state; wrapped puts it into the object around it.
func taskIn(state string) string {
	return fmt.Sprintf(`{"id":"t","contextId":%q,"status":{"state":"TASK_STATE_%s"},"artifacts":[{"artifactId":"1","parts":[{"text":"canary"}]}]}`, sessionUID, state)
}

func wrapped(task string) string { return `{"task":` + task + `}` }

// taskSend is the plain success case of a Task send.
func taskSend() *tape {
	return discovering().resolve(0.005, ready(token1)).send(0.007, token1, wrapped(taskIn("WORKING"))).hands(0.009, taskIn("WORKING"))
}

// hands ends the last call with that Task as its result.
func (t *tape) hands(end float64, task string) *tape {
	return t.ends(end, evidence.Outcome{Kind: evidence.OutcomeTask, Task: json.RawMessage(task)})
}

// gets adds the request for the Task "t" that the last call is about, by its own route.
func (t *tape) gets(arrive float64, token, answer string, edit ...func(*evidence.Exchange)) *tape {
	op, method, where := evidence.OpGetTask, "GET", "/api/a2a/v1/tasks/t"
	if t.last().Op == evidence.CallCancelTask {
		op, method, where = evidence.OpCancelTask, "POST", where+":cancel"
	}
	req := evidence.Request{
		Method: method, Target: where, Host: "runtime.test", Proto: "HTTP/1.1",
		Header: http.Header{"Authorization": {"Bearer " + token}, "Accept": {"application/a2a+json"}},
	}
	return t.exchange(arrive, op, "runtime", req, answer, edit)
}

// about begins a call that follows the Task "t".
func about(op evidence.CallOp, edit ...func(*evidence.Call)) *tape {
	return newTape().call(0, append([]func(*evidence.Call){taskCall(op, "t")}, edit...)...)
}

// got is a whole get of an answer.
func got(answer string, edit ...func(*evidence.Exchange)) *tape {
	return about(evidence.CallGetTask).resolve(0.001, ready(token1)).gets(0.003, token1, answer, edit...)
}

// dripping leaves an answer's head out and its body running until someone ends it.
func dripping(until float64, by evidence.EndedBy) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		ended := at(until)
		x.Response.Complete, x.LastFrom, x.LastBy, x.Ended, x.EndedBy = false, nil, nil, &ended, by
		for s := x.Arrived + latency; s < ended; s += at(0.1) {
			x.Response.Writes = append(x.Response.Writes, evidence.Write{At: s, Bytes: 1})
		}
	}
}

// everySecond makes a wait ask each second and end by 10s.
func everySecond(c *evidence.Call) {
	c.Input.PollInterval, c.Input.WaitTimeout = evidence.Some(evidence.Timeout{Total: 1}), evidence.Some(evidence.Timeout{Total: 10})
}
