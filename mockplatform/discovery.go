package mockplatform

import (
	"net/http"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
)

// extension names the response kinds in an agent's profile (ADR 0029, Decision).
const extension = "https://mainsequence.ai/a2a/extensions/response-kind/v1"

// environment is the members that tie a session and an agent to their organisation.
type environment struct {
	UID  string `json:"organization_environment_uid"`
	Name string `json:"organization_environment_name"`
}

type agentSession struct {
	AgentUID string `json:"agent_uid"`
	environment
	CatalogDigest *string `json:"catalog_digest"`
	Provider      string  `json:"llm_provider"`
	Model         string  `json:"llm_model"`
}

type agentAnswer struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Card        card   `json:"agent_card"`
	Thinking    string `json:"llm_thinking"`
	Branch      string `json:"repository_branch"`
	environment
	Profile profile `json:"a2a_profile"`
}

type card struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type profile struct {
	Extension string   `json:"response_kind_extension_uri"`
	Supported []string `json:"supported_response_kinds"`
	Default   string   `json:"default_response_kind"`
}

func place(v *script.Serving) environment {
	return environment{UID: v.World.EnvironmentUID(), Name: "heath"}
}

// session says which agent a session is of (contract, section 2).
func session(v *script.Serving) wire.Answer {
	return script.JSON(http.StatusOK, script.MediaJSON, agentSession{
		AgentUID: v.World.AgentUID(), environment: place(v), Provider: "linnet", Model: "linnet-2",
	})
}

// agent advertises both response kinds (contract, section 2).
func agent(v *script.Serving) wire.Answer {
	name, description := "nightjar", "answers what it is asked"
	return script.JSON(http.StatusOK, script.MediaJSON, agentAnswer{
		Name: name, Description: description, Card: card{name, description},
		Thinking: "low", Branch: "trunk", environment: place(v),
		Profile: profile{Extension: extension, Supported: []string{"message", "task"}, Default: "message"},
	})
}

// whoAmI names the user whose token asks: a command may keep access under that name, so no two users share one
// (ADR 0029, Caching), and a renewed token leaves it as it was.
func whoAmI(v *script.Serving) wire.Answer {
	name := "thrush-" + v.World.User(v.Request.Header)
	return script.JSON(http.StatusOK, script.MediaJSON, map[string]string{"username": name})
}

// renewal hands out a new platform token.
func renewal(v *script.Serving) wire.Answer {
	body, _ := evidence.ReadJSON(v.Body()) // a body without a refresh token renews for the main user
	refresh, _ := body.Member("refresh").Text()
	token := v.World.RenewPlatformToken(refresh, v.Endpoint)
	return script.JSON(http.StatusOK, script.MediaJSON, map[string]string{"access": token})
}
