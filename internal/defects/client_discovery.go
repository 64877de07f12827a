package defects

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// discover makes sure that the Agent of the session advertises Tasks (ADR, Decision: Agent discovery).
func (c *call) discover() *failure {
	session, err := c.learn(evidence.OpGetSession, "/api/v1/agent-sessions/"+segment(c.asked.Session)+"/")
	if err != nil {
		return err
	}
	uid, ok := textOf(session["agent_uid"])
	if !ok || !isSegment(uid) {
		return fail(evidence.NotAdvertised, "the platform does not say which Agent the session is of, so nothing says that it takes Tasks")
	}
	agent, err := c.learn(evidence.OpGetAgent, "/api/v1/agents/"+segment(uid)+"/")
	if err != nil {
		return err
	}
	if !advertised(agent) {
		return fail(evidence.NotAdvertised, `the Agent does not advertise Tasks: use response_kind "message"`)
	}
	return nil
}

// advertised tells whether an Agent's profile lists the response kind.
func advertised(agent map[string]json.RawMessage) bool {
	profile, _ := objectOf(agent["a2a_profile"])
	var kinds []string
	return json.Unmarshal(profile["supported_response_kinds"], &kinds) == nil && slices.Contains(kinds, "task")
}

// learn reads one object of discovery. What cannot be learned is not advertised, unless time is up or the caller gave
// up.
func (c *call) learn(op evidence.Op, path string) (map[string]json.RawMessage, *failure) {
	r, err := c.ask(func() request {
		return request{op: op, method: http.MethodGet, target: c.platform.URL + path, header: http.Header{
			"Authorization": {"Bearer " + c.platform.Token}, "Accept": {"application/json"},
		}}
	})
	if err == nil {
		err = c.refusal(r)
	}
	switch {
	case err != nil && (err.category == evidence.TimedOut || err.category == evidence.Other):
		return nil, err
	case err != nil:
		lost := fail(evidence.NotAdvertised, "whether the Agent takes Tasks cannot be learned: %s", err.text)
		lost.status = err.status
		return nil, lost
	}
	object, ok := objectOf(r.body)
	if !ok {
		return nil, fail(evidence.NotAdvertised, "whether the Agent takes Tasks cannot be learned: the platform's answer is no object")
	}
	return object, nil
}

// segment is a name as one segment of a path; a colon would begin a custom method.
func segment(name string) string { return strings.ReplaceAll(url.PathEscape(name), ":", "%3A") }

// isSegment tells whether a name can be a segment of a path at all.
func isSegment(name string) bool { return strings.TrimSpace(name) != "" && name != "." && name != ".." }
