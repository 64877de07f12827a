package defects

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// hasty is a client as one writes it in an afternoon, with one mistake: it polls at a cadence of its own.
type hasty struct{}

// cadence is the mistake: the platform says when to ask again.
const cadence = 500 * time.Millisecond

// About implements subject.Subject.
func (hasty) About() evidence.Subject {
	return evidence.Subject{
		Kind: evidence.KindInProcess, Name: "hasty",
		Capabilities: []string{"send", "message_id", "strict_dictionary", "timeout_number"},
	}
}

// Open implements subject.Subject.
func (hasty) Open(env subject.Env) (subject.Instance, error) {
	transport := &http.Transport{DialContext: env.Dial, DisableKeepAlives: true}
	return &hastyClient{env: env, http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

type hastyClient struct {
	env  subject.Env
	http *http.Client
}

// Close implements subject.Instance.
func (c *hastyClient) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// failed is an error with the category that a caller would tell it by.
type failed struct {
	category evidence.Category
	text     string
}

// Error says what went wrong.
func (f *failed) Error() string { return f.text }

func failf(category evidence.Category, format string, args ...any) error {
	return &failed{category, fmt.Sprintf(format, args...)}
}

// Do implements subject.Instance.
func (c *hastyClient) Do(ctx context.Context, call subject.Call) evidence.Outcome {
	if call.Op != evidence.CallSend || call.Input.ResponseKind.Or("message") != "message" || len(call.Files) > 0 {
		return evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: "only direct Messages of text"}
	}
	budget := call.Input.Timeout.Or(evidence.Timeout{Total: 905})
	if !budget.Usable() {
		return outcomeOf(failf(evidence.InvalidArgument, "the timeout is no time"))
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(budget.Sum()*float64(time.Second)))
	defer cancel()
	message, err := c.send(ctx, call)
	if err != nil {
		return outcomeOf(err)
	}
	return evidence.Outcome{Kind: evidence.OutcomeMessage, Message: message}
}

func outcomeOf(err error) evidence.Outcome {
	e := evidence.Error{Category: evidence.Transport, Text: err.Error(), Bases: []string{}}
	var known *failed
	switch {
	case errors.As(err, &known):
		e.Category = known.category
	case errors.Is(err, context.DeadlineExceeded):
		e.Category = evidence.TimedOut
	}
	e.Is, e.Name = []evidence.Category{e.Category}, string(e.Category)
	return evidence.Outcome{Kind: evidence.OutcomeError, Error: &e}
}

// send asks for access, sends, and does both once more after a rejection.
func (c *hastyClient) send(ctx context.Context, call subject.Call) (json.RawMessage, error) {
	body, err := c.body(call)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		access, err := c.access(ctx, call)
		if err != nil {
			return nil, err
		}
		status, answer, err := c.post(ctx, strings.TrimSuffix(access.RPCURL, "/")+"/api/a2a/v1/message:send", access.Token, body)
		switch {
		case err != nil:
			return nil, err
		case (status == http.StatusUnauthorized || status == http.StatusForbidden) && attempt == 1:
			continue
		case status != http.StatusOK:
			return nil, refusal(status, answer)
		}
		return messageOf(answer, call.Session)
	}
}

// body writes the whole request before anything is asked of anybody.
func (c *hastyClient) body(call subject.Call) ([]byte, error) {
	text, id := call.Input.Message.Or(""), call.Input.MessageID.Or("")
	if strings.TrimSpace(text) == "" {
		return nil, failf(evidence.InvalidArgument, "the message is blank")
	}
	if strings.TrimSpace(id) == "" {
		id = c.env.NewMessageID()
	}
	mode := "text/plain"
	request := map[string]any{"message": map[string]any{
		"messageId": id, "role": "ROLE_USER", "contextId": call.Session, "parts": []any{map[string]any{"text": text}},
	}}
	if call.Input.StrictDictionary.Or(false) {
		mode = "application/json"
		attempts := call.Input.JSONRepairAttempts.Or("3")
		if n, err := attempts.Int64(); err != nil || n < 1 {
			return nil, failf(evidence.InvalidArgument, "json_repair_attempts must be 1 or more")
		}
		request["metadata"] = map[string]any{"https://mainsequence.ai/a2a/extensions/output-contract/v1": map[string]any{
			"response_format": map[string]any{"type": "dictionary", "strict": true}, "jsonRepairAttempts": attempts,
		}}
	}
	request["configuration"] = map[string]any{"acceptedOutputModes": []string{mode}, "responseKind": "message"}
	return json.Marshal(request)
}

// hastyAccess is what the client reads of an answer to resolve-runtime-access.
type hastyAccess struct {
	RPCURL      string `json:"rpc_url"`
	Token       string `json:"token"`
	Detail      string `json:"detail"`
	Interaction struct {
		State     string `json:"state"`
		CanSubmit bool   `json:"can_submit"`
		Notice    struct {
			Message string `json:"message"`
		} `json:"notice"`
	} `json:"runtime_interaction"`
}

// access asks until the platform admits or says that it will not.
func (c *hastyClient) access(ctx context.Context, call subject.Call) (hastyAccess, error) {
	platform := c.env.Platform
	if call.Platform != nil {
		platform = *call.Platform
	}
	target := platform.URL + "/api/v1/agent-sessions/" + url.PathEscape(call.Session) + "/resolve-runtime-access/"
	deadline, _ := ctx.Deadline()
	for {
		status, answer, err := c.post(ctx, target, platform.Token, []byte("{}"))
		if err != nil {
			return hastyAccess{}, err
		}
		if status != http.StatusOK {
			return hastyAccess{}, refusal(status, answer)
		}
		var access hastyAccess
		if err := json.Unmarshal(answer, &access); err != nil {
			return hastyAccess{}, failf(evidence.InvalidResponse, "the access cannot be read: %v", err)
		}
		state := access.Interaction.State
		switch {
		case access.Interaction.CanSubmit && (access.RPCURL == "" || access.Token == ""):
			return hastyAccess{}, failf(evidence.InvalidResponse, "the access has no address or no token")
		case access.Interaction.CanSubmit:
			return access, nil
		case state != "checking" && state != "starting" && state != "waking" && state != "updating":
			return hastyAccess{}, failf(evidence.Blocked, "the runtime is %s: %s %s", state, access.Interaction.Notice.Message, access.Detail)
		case time.Until(deadline) <= cadence:
			return hastyAccess{}, failf(evidence.NotReady, "the runtime is still %s", state)
		}
		select {
		case <-time.After(cadence):
		case <-ctx.Done():
			return hastyAccess{}, ctx.Err()
		}
	}
}

// post sends a body and reads the whole answer.
func (c *hastyClient) post(ctx context.Context, target, token string, body []byte) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.GetBody = nil // so that the library never sends it again by itself
	media := "application/a2a+json"
	request.Header = http.Header{
		"Authorization": {"Bearer " + token}, "Content-Type": {media}, "Accept": {media},
		"A2A-Extensions": {"https://mainsequence.ai/a2a/extensions/response-kind/v1"},
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden {
		err = nil // the status says it all
	}
	return answer.StatusCode, content, err
}

// refusal is the error of a status that is no success.
func refusal(status int, answer []byte) error {
	var body struct {
		Error struct {
			Details []struct{ Reason, Domain string }
		}
	}
	_ = json.Unmarshal(answer, &body)
	category := evidence.Rejected
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		category = evidence.Unauthorized
	case status >= http.StatusInternalServerError:
		category = evidence.ServerFailed
	}
	for _, d := range body.Error.Details {
		if status == http.StatusGatewayTimeout && d.Reason == "MESSAGE_RESPONSE_LIMIT_EXCEEDED" && d.Domain == "mainsequence.ai" {
			return failf(evidence.MessageLimit, "the Agent did not answer within the platform's limit; longer work uses response_kind=\"task\"")
		}
	}
	return failf(category, "the server answered %d: %.200s", status, answer)
}

// messageOf checks the envelope of an answer and returns its Message as it came.
func messageOf(answer []byte, session string) (json.RawMessage, error) {
	var body struct{ Message, Task json.RawMessage }
	var message struct {
		MessageID, Role, ContextID string
		Parts                      []json.RawMessage
	}
	err := errors.Join(json.Unmarshal(answer, &body), json.Unmarshal(body.Message, &message))
	switch {
	case err != nil || len(body.Task) > 0 && string(body.Task) != "null":
		return nil, failf(evidence.InvalidResponse, "the answer is no Message")
	case message.Role != "ROLE_AGENT" || strings.TrimSpace(message.MessageID) == "" || len(message.Parts) == 0 || message.ContextID != session:
		return nil, failf(evidence.InvalidResponse, "the Message is not one of this conversation's Agent")
	}
	return body.Message, nil
}
