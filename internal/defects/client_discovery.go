package defects

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// discover makes sure that the Agent of the session advertises Tasks (ADR, Decision: Agent discovery). It asks in every
// call.
func (c *call) discover() *failure {
	if c.has("task-sent-unasked") || c.memory.advertises(c.asked.Session) && c.has("discovery-remembered") {
		return nil
	}
	began := time.Now()
	err := c.askDiscovery()
	if spent := time.Since(began); spent > 0 && c.has("discovery-has-time-of-its-own") {
		c.extend(spent)
	}
	if err != nil {
		return c.inSpiteOf(err)
	}
	c.memory.advertised(c.asked.Session)
	return nil
}

func (c *call) askDiscovery() *failure {
	session, err := c.learn(evidence.OpGetSession, "/api/v1/agent-sessions/"+segment(c.asked.Session)+"/")
	if err != nil {
		return err
	}
	uid, ok := textOf(session["agent_uid"])
	switch {
	case c.has("agent-named-by-the-session"):
		uid, ok = c.asked.Session, true
	case (!ok || !isSegment(uid)) && c.has("session-without-an-agent-is-enough"):
		return nil
	}
	if !ok || !isSegment(uid) {
		return fail(evidence.NotAdvertised, "the platform does not say which Agent the session is of, so nothing says that it takes Tasks")
	}
	agent, err := c.learn(evidence.OpGetAgent, "/api/v1/agents/"+segment(uid)+"/")
	if err != nil {
		return err
	}
	if err := c.prepared(uid); err != nil {
		return err
	}
	if !c.advertised(agent) {
		return fail(evidence.NotAdvertised, `the Agent does not advertise Tasks: use response_kind "message"`).of("kind")
	}
	return nil
}

// advertised tells whether an Agent's profile lists the response kind.
func (c *call) advertised(agent map[string]json.RawMessage) bool {
	profile, ok := objectOf(agent["a2a_profile"])
	written := profile["supported_response_kinds"]
	usual, _ := textOf(profile["default_response_kind"])
	switch {
	case isNull(agent["a2a_profile"]) && c.has("no-profile-is-enough"),
		ok && c.has("any-profile-is-enough"),
		isNull(written) && c.has("no-kinds-are-enough"),
		usual == "task" && c.has("default-kind-is-enough"),
		bytes.Contains(bytes.ToLower(written), []byte("task")) && c.has("kinds-of-any-type-taken"):
		return true
	}
	var kinds []string
	return json.Unmarshal(written, &kinds) == nil && slices.Contains(kinds, "task")
}

// inSpiteOf goes on although it was not learned that Tasks are advertised: it does not.
func (c *call) inSpiteOf(err *failure) *failure {
	denied := err.argument == "kind"
	switch {
	case err.category != evidence.NotAdvertised:
		return err
	case denied && c.has("unadvertised-task-sent"),
		!denied && c.has("failed-discovery-ignored"),
		err.status == http.StatusNotFound && c.has("missing-agent-ignored"),
		err.status >= http.StatusInternalServerError && c.has("discovery-out-of-order-ignored"):
		return nil
	case c.has("falls-back-to-a-message"):
		c.asked.Input.ResponseKind, c.fellBack = evidence.Some("message"), true
		return nil
	}
	return err
}

// prepared makes more of discovery than it is: nothing happens here where no switch is on.
func (c *call) prepared(agent string) *failure {
	path := "/api/v1/agents/" + segment(agent) + "/"
	switch {
	case c.has("agent-read-three-times"):
		for range 2 {
			if _, err := c.learn(evidence.OpGetAgent, path); err != nil {
				return err
			}
		}
	case c.has("session-made-for-a-task"):
		_, _ = c.exchange(request{target: c.platform.URL + path + "sessions/get-or-create-session/", body: []byte(`{"handle_unique_id":"a"}`), header: http.Header{
			"Authorization": {"Bearer " + c.platform.Token}, "Content-Type": {"application/json"},
		}})
	case c.has("asks-who-it-is-for-a-task"):
		return c.askPlatform("/api/v1/users/me/")
	}
	return nil
}

// learn reads one object of discovery. What cannot be learned is not advertised, unless time is up or the caller gave
// up.
func (c *call) learn(op evidence.Op, path string) (map[string]json.RawMessage, *failure) {
	r, err := c.ask(func() request { return c.discovery(op, path) })
	for tries := 0; err == nil && r.status == http.StatusServiceUnavailable && tries < 2 && c.has("failed-discovery-repeated"); tries++ {
		_ = c.pause(500 * time.Millisecond)
		r, err = c.ask(func() request { return c.discovery(op, path) })
	}
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

func (c *call) discovery(op evidence.Op, path string) request {
	r := request{op: op, method: http.MethodGet, target: c.platform.URL + path, header: http.Header{
		"Authorization": {"Bearer " + c.platform.Token}, "Accept": {"application/json"},
	}}
	switch known := c.known(); {
	case c.has("text-in-discovery"):
		r.target += "?title=" + url.QueryEscape(c.excerpt())
	case known.token != "" && c.has("runtime-token-shown-to-discovery"):
		r.header["X-Runtime-Token"] = []string{known.token}
	}
	return r
}

// segment is a name as one segment of a path; a colon would begin a custom method.
func segment(name string) string { return strings.ReplaceAll(url.PathEscape(name), ":", "%3A") }

// isSegment tells whether a name can be a segment of a path at all.
func isSegment(name string) bool { return strings.TrimSpace(name) != "" && name != "." && name != ".." }
