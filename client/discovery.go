package client

import (
	"net/http"
	"slices"
)

// discoverTask asks the platform whether the session's Agent takes Tasks: the
// session names its agent, and the agent's profile the response kinds that it
// supports (ADR 0029, Decision). It is asked in every send, and each route once:
// only runtime access may be remembered.
func (c *call) discoverTask() error {
	session, err := c.lookUp("agent-sessions", c.key.SessionUID)
	if err != nil {
		return err
	}
	agentUID, ok := session.text("agent_uid")
	if !ok || !safeSegment(agentUID) {
		return c.notAdvertised("the session names no agent that could be asked: " + session.describe("agent_uid"))
	}
	agent, err := c.lookUp("agents", agentUID)
	if err != nil {
		return err
	}
	if !agent.has("a2a_profile") {
		return c.notAdvertised("the Agent has no a2a_profile, which means Message only")
	}
	profile, err := readObject(agent["a2a_profile"])
	if err != nil {
		return c.notAdvertised("a2a_profile " + err.Error())
	}
	kinds, ok := readTexts(profile, "supported_response_kinds")
	if !ok {
		return c.notAdvertised("a2a_profile." + profile.describe("supported_response_kinds") + ", not an array of texts")
	}
	if !slices.Contains(kinds, KindTask) {
		return c.notAdvertised("the Agent takes " + shorten(string(profile["supported_response_kinds"])) + " only")
	}
	return nil
}

// lookUp reads one document of discovery. Its failure means that nobody knows
// whether Tasks are taken; the end of the call stays what it is.
func (c *call) lookUp(what, uid string) (object, error) {
	body, status, err := c.askPlatform(exchange{
		method: http.MethodGet,
		path:   "/api/v1/" + what + "/" + uid + "/",
		fields: []string{"Accept: application/json"},
	})
	if err != nil {
		if endsCall(err) {
			return nil, err
		}
		return nil, &NotAdvertisedError{Reason: "discovery failed", Err: err}
	}
	document, err := readDocument(body)
	if err != nil {
		return nil, &NotAdvertisedError{Reason: "discovery failed", Err: &InvalidResponseError{
			Server: serverPlatform, Status: status, Problems: problems{"its body " + err.Error()},
		}}
	}
	return document, nil
}

func (c *call) notAdvertised(reason string) error {
	return &NotAdvertisedError{Reason: withhold(reason, c.secrets)}
}

// readTexts returns a member that is an array of texts and of nothing else.
func readTexts(members object, name string) ([]string, bool) {
	elements, ok := members.elements(name)
	if !ok {
		return nil, false
	}
	texts := make([]string, 0, len(elements))
	for _, element := range elements {
		text, ok := readText(element)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}
