package mockruntime

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

type messageAnswer struct {
	Message agentMessage `json:"message"`
}

// agentMessage is a Message of the Agent (ADR 0029, Request Shape).
type agentMessage struct {
	ID        string          `json:"messageId"`
	Role      string          `json:"role"`
	Parts     json.RawMessage `json:"parts"`
	ContextID string          `json:"contextId"`
}

type textPart struct {
	Text string `json:"text"`
}

type taskAnswer struct {
	Task agentTask `json:"task"`
}

// agentTask is a Task of the Agent (contract, section 3).
type agentTask struct {
	ID        string     `json:"id"`
	ContextID string     `json:"contextId"`
	Status    taskStatus `json:"status"`
	Artifacts []artifact `json:"artifacts"`
}

type taskStatus struct {
	State     string `json:"state"`
	Timestamp string `json:"timestamp"`
}

type artifact struct {
	ID    string     `json:"artifactId"`
	Parts []textPart `json:"parts"`
}

// message answers a direct Message in the context of the session that asked.
func message(v *script.Serving, m scenarios.Message) wire.Answer {
	parts := v.FillJSON(m.Parts)
	if len(parts) == 0 {
		parts = quoted([]textPart{{Text: words(v, m.Text)}})
	}
	return script.JSON(http.StatusOK, script.MediaA2A, messageAnswer{agentMessage{
		ID:        "msg-agent-" + v.World.UID(fmt.Sprintf("message/%s/%d", v.Endpoint, v.Number)),
		Role:      "ROLE_AGENT",
		Parts:     parts,
		ContextID: v.Session(),
	}})
}

// task answers with a Task: that of the path where it was asked for, else the one that the scenario names, else a new
// one. What the Agent says is in its artifacts.
func task(v *script.Serving, t scenarios.Task) wire.Answer {
	id, state := v.Fill(t.ID), t.State
	if id == "" {
		id = v.Vars["id"]
	}
	if id == "" {
		id = v.World.UID(fmt.Sprintf("task/%s/%d", v.Endpoint, v.Number))
	}
	if state == "" {
		state = "TASK_STATE_COMPLETED"
	}
	made := agentTask{
		ID: id, ContextID: v.Session(), Artifacts: []artifact{},
		Status: taskStatus{State: state, Timestamp: v.Head.UTC().Format(time.RFC3339Nano)},
	}
	if t.Text != "" {
		made.Artifacts = []artifact{{ID: v.World.UID("artifact/" + id), Parts: []textPart{{Text: v.Fill(t.Text)}}}}
	}
	if t.Bare {
		return script.JSON(http.StatusOK, script.MediaA2A, made)
	}
	return script.JSON(http.StatusOK, script.MediaA2A, taskAnswer{made})
}

func words(v *script.Serving, text string) string {
	if text == "" {
		return "russet heron"
	}
	return v.Fill(text)
}

func quoted(value any) json.RawMessage { return script.JSON(0, "", value).Body }
