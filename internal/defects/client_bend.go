package defects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// bend changes the members of a body. Nothing happens to it where no switch is on.
func (c *call) bend(body map[string]any) {
	message, configuration := body["message"].(map[string]any), body["configuration"].(map[string]any) //nolint:forcetypeassert // compose made them
	given := c.asked.Input.ResponseKind.Or("")
	switch {
	case c.has("role-requester"):
		message["role"] = "ROLE_REQUESTER"
	case c.has("role-in-lower-case"):
		message["role"] = "user"
	case c.has("role-left-out"):
		delete(message, "role")
	case c.has("context-left-out"):
		delete(message, "contextId")
	case c.has("context-in-capitals"):
		message["contextId"] = strings.ToUpper(c.asked.Session)
	case c.firstSession() != c.asked.Session && c.has("context-of-the-first-call"):
		message["contextId"] = c.firstSession()
	case c.has("modes-left-out"):
		delete(configuration, "acceptedOutputModes")
	case c.has("modes-always-both"):
		configuration["acceptedOutputModes"] = []string{"text/plain", "application/json"}
	case c.strict() && c.has("modes-always-text"):
		configuration["acceptedOutputModes"] = []string{"text/plain"}
	case given == "" && c.has("kind-left-out-by-default"):
		delete(configuration, "responseKind")
	case given == "" && c.has("kind-task-by-default"):
		configuration["responseKind"] = "task"
	case c.has("kind-in-capitals"):
		configuration["responseKind"] = "MESSAGE"
	case c.has("blocking-sent"):
		configuration["blocking"] = true
	case c.has("return-immediately-sent"):
		configuration["returnImmediately"] = false
	case c.has("members-of-its-own"):
		configuration["historyLength"], message["referenceTaskIds"] = 0, []string{}
		message["metadata"] = map[string]any{"https://example.org/own/v1": map[string]any{"sdk": "1.2"}}
	case c.has("members-that-are-null"):
		message["taskId"], message["metadata"], message["extensions"], configuration["historyLength"] = nil, nil, nil, nil
	case c.task():
		c.bendForTask(configuration)
	default:
		c.bendContract(body, configuration)
	}
}

// bendForTask changes the members of a body that asks for a Task.
func (c *call) bendForTask(configuration map[string]any) {
	switch {
	case c.has("kind-left-out-for-a-task"):
		delete(configuration, "responseKind")
	case c.has("task-asked-for-as-a-message"):
		configuration["responseKind"] = "message"
	case c.has("task-asked-for-as-blocking"):
		configuration["responseKind"] = "message"
		configuration["blocking"] = false
	case c.has("returns-immediately-in-task-mode"):
		configuration["returnImmediately"] = true
	}
}

// bendContract changes the output contract.
func (c *call) bendContract(body, configuration map[string]any) {
	if !c.strict() {
		switch {
		case c.has("contract-always-sent"):
			format := map[string]any{"type": "dictionary", "strict": false}
			body["metadata"] = map[string]any{outputContractURI: map[string]any{"response_format": format}}
		case c.wasStrict() && c.has("strict-remembered"):
			body["metadata"] = map[string]any{outputContractURI: outputContract(3)}
		}
		return
	}
	c.memory.mu.Lock()
	c.memory.strict = true
	c.memory.mu.Unlock()
	contract := body["metadata"].(map[string]any)[outputContractURI].(map[string]any) //nolint:forcetypeassert // configure made them
	format := contract["response_format"].(map[string]any)                            //nolint:forcetypeassert // configure made it
	_, counted := c.asked.Input.JSONRepairAttempts.Get()
	switch {
	case c.has("contract-in-the-configuration"):
		configuration[outputContractURI] = contract
		delete(body, "metadata")
	case c.has("contract-in-the-message"):
		body["message"].(map[string]any)["metadata"] = body["metadata"] //nolint:forcetypeassert // compose made it
		delete(body, "metadata")
	case !counted && c.has("attempts-with-a-fraction"):
		contract["jsonRepairAttempts"] = json.Number("3.0")
	case c.has("attempts-always-three"):
		contract["jsonRepairAttempts"] = 3
	case !counted && c.has("attempts-left-out-by-default"):
		delete(contract, "jsonRepairAttempts")
	case c.has("attempts-as-text"):
		contract["jsonRepairAttempts"] = fmt.Sprint(contract["jsonRepairAttempts"])
	case c.has("strict-as-text"):
		format["strict"] = "true"
	case c.has("format-of-another-name"):
		format["type"] = "json_object"
	}
}

func (c *call) firstSession() string {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	if c.memory.session == "" {
		c.memory.session = c.asked.Session
	}
	return c.memory.session
}

func (c *call) wasStrict() bool {
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	return c.memory.strict
}

// respell changes how a body is written, not what it says.
func (c *call) respell(written []byte) []byte {
	switch {
	case c.has("key-written-twice"):
		return bytes.Replace(written, []byte(`"role":`), []byte(`"role":"ROLE_AGENT","role":`), 1)
	case slices.ContainsFunc(written, func(b byte) bool { return b >= utf8.RuneSelf }) && c.has("body-in-latin-1"):
		return latin1(written)
	case c.has("body-followed-by-another"):
		return append(written, "{}"...)
	case c.has("escapes"):
		return escapeAll(written)
	case c.has("members-in-another-order"):
		return reorder(written)
	case c.has("white-space-around"):
		return append([]byte("\r\n "), append(written, " \n\n"...)...)
	}
	return written
}

// latin1 writes what ISO 8859-1 has in one byte.
func latin1(written []byte) []byte {
	var out []byte
	for _, r := range string(written) {
		if r >= 0x80 && r <= 0xff {
			out = append(out, byte(r))
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}
