package mockplatform

import (
	"net/http"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// access is an answer of resolve-runtime-access (contract, section 1), in the member order of the platform.
type access struct {
	ServiceUID   *string           `json:"coding_agent_service_uid"`
	Mode         string            `json:"mode"`
	RPCURL       *string           `json:"rpc_url"`
	Token        *string           `json:"token"`
	ExpiresAt    *string           `json:"expires_at"`
	IsReady      bool              `json:"is_ready"`
	Detail       *string           `json:"detail"`
	RuntimePaths map[string]string `json:"runtime_paths"`
	Interaction  interaction       `json:"runtime_interaction"`
	Presence     presence          `json:"runtime_presence"`
}

type interaction struct {
	State     string  `json:"state"`
	CanSubmit bool    `json:"can_submit"`
	Notice    *notice `json:"notice"`
	// Operation is always null: nothing of the contract depends on it.
	Operation  *struct{} `json:"operation"`
	RetryAfter *int64    `json:"retry_after_ms"`
}

type notice struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
	Message  string `json:"message"`
}

// presence is diagnostic only.
type presence struct {
	Phase      string    `json:"phase"`
	Replicas   replicas  `json:"replicas"`
	Detail     string    `json:"detail"`
	ObservedAt *string   `json:"observed_at"`
	Wake       *struct{} `json:"wake"`
}

type replicas struct {
	Desired *int `json:"desired"`
	Actual  *int `json:"actual"`
}

// expiresIn is how long access is good for where the scenario does not say it.
const expiresIn = time.Hour

// ready admits (ADR 0029, Decision): the token is fresh unless it has a name.
func ready(v *script.Serving, r scenarios.Ready) wire.Answer {
	endpoint, state := r.Endpoint, r.State
	if endpoint == "" {
		endpoint = scenarios.EndpointRuntime
	}
	if state == "" {
		state = "ready"
	}
	one := 1
	token := v.World.RuntimeToken(r.Token, v.Session(), v.Endpoint, v.Request.Header)
	a := access{
		ServiceUID:  new(v.World.ServiceUID()),
		Mode:        "token",
		RPCURL:      new(v.World.URL(endpoint)),
		Token:       &token,
		ExpiresAt:   expiry(v.Head, r.ExpiresIn),
		IsReady:     true,
		Interaction: interaction{State: state, CanSubmit: true},
		Presence:    presence{"serving", replicas{&one, &one}, "amber wren", observed(v), nil},
	}
	return answer(a)
}

// expiry counts from when the answer goes out. A fraction of a second is kept.
func expiry(from time.Time, in evidence.Opt[time.Duration]) *string {
	if in.IsNull() {
		return nil
	}
	return new(from.Add(in.Or(expiresIn)).UTC().Format(time.RFC3339Nano))
}

// wait is a transient answer. The phases are those that go with the states.
func wait(v *script.Serving, w scenarios.Wait) wire.Answer {
	phases := map[string]string{
		"checking": "observing", "starting": "starting", "waking": "pulling_image", "updating": "redeploying",
	}
	phase := phases[w.State]
	if phase == "" {
		phase = "provisioning"
	}
	desired, actual := 1, 0
	a := access{
		Mode:     "unavailable",
		Detail:   words(v, w.Detail),
		Presence: presence{phase, replicas{&desired, &actual}, "cobalt dunnock", observed(v), nil},
		Interaction: interaction{
			State: w.State, Notice: remark(v, w.Notice, "info"),
		},
	}
	if pause, ok := w.RetryAfter.Get(); ok {
		a.Interaction.RetryAfter = new(pause.Milliseconds())
	}
	return answer(a)
}

// stop is a terminal answer.
func stop(v *script.Serving, s scenarios.Stop) wire.Answer {
	return answer(access{
		Mode:        "unavailable",
		Detail:      words(v, s.Detail),
		Interaction: interaction{State: s.State, Notice: remark(v, s.Notice, "error")},
		Presence:    presence{"not_deployed", replicas{}, "slate plover", nil, nil},
	})
}

func answer(a access) wire.Answer {
	a.RuntimePaths = map[string]string{"a2a": "/api/a2a/v1", "chat": "/api/chat"}
	return script.JSON(http.StatusOK, script.MediaJSON, a)
}

func remark(v *script.Serving, text, severity string) *notice {
	if text == "" {
		return nil
	}
	return &notice{Code: "runtime_" + severity, Severity: severity, Title: "Ochre siskin", Message: v.Fill(text)}
}

// words are those that a scenario gives, null where it gives none.
func words(v *script.Serving, text string) *string {
	if text == "" {
		return nil
	}
	return new(v.Fill(text))
}

func observed(v *script.Serving) *string { return new(v.Head.UTC().Format(time.RFC3339)) }
