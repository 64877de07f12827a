package client

import (
	"context"
	"strings"
)

// responseKindExtension is named on every send (ADR 0029, Decision).
const responseKindExtension = "https://mainsequence.ai/a2a/extensions/response-kind/v1"

// Send sends one message and returns the Agent's answer, a *Message. Every error
// is a *SendError, which tells the message id; see errors.go for its causes.
//
// The message goes out once. It goes out a second time, byte for byte the same,
// only when the runtime rejected the credentials of the first with 401 or 403
// and the platform admits the send afresh. Cancelling ctx ends the call at once,
// with the context's error as the cause. When Send returns, its connections are
// closed and nothing of it goes on.
func (c *Client) Send(ctx context.Context, request Request) (Result, error) {
	messageID := request.MessageID
	if messageID == "" {
		messageID = c.newMessageID()
	}
	current := &call{client: c, key: c.key, messageID: messageID, secrets: []string{c.token}}
	current.key.SessionUID = request.SessionUID
	message, err := current.send(ctx, request)
	if err != nil {
		return nil, &SendError{MessageID: messageID, MayHaveRun: current.begun, Err: err}
	}
	return message, nil
}

// call is one Send.
type call struct {
	client    *Client
	key       AccessKey
	messageID string
	budget    *budget
	body      []byte
	begun     bool     // a message:send was begun and not rejected
	rejected  bool     // the first message:send was rejected
	secrets   []string // tokens that must not come back in an error
}

func (c *call) remember(token string) {
	if token != "" {
		c.secrets = append(c.secrets, token)
	}
}

func (c *call) send(ctx context.Context, request Request) (*Message, error) {
	budget, release := startBudget(ctx, request.Timeout.limits())
	defer release()
	c.budget = budget

	found := request.problems()
	if strings.TrimSpace(c.messageID) == "" && request.MessageID == "" {
		found.addf("Config.NewMessageID: made a blank message id")
	}
	files, unfit := openFiles(request.Files)
	defer closeFiles(files)
	if found = append(found, unfit...); len(found) > 0 {
		return nil, &InvalidArgumentError{Problems: found}
	}
	if c.body, found = buildBody(request, c.messageID, files); len(found) > 0 {
		return nil, &InvalidArgumentError{Problems: found}
	}
	return c.deliver() //nolint:contextcheck // every step takes its context from the call's budget
}

// deliver finds access and posts the message, a second time after a rejection of
// the credentials and never a third.
func (c *call) deliver() (*Message, error) {
	access, err := c.cachedOrResolved()
	if err != nil {
		return nil, err
	}
	reply, err := c.postMessage(access)
	if err != nil {
		return nil, err
	}
	if !reply.rejectsCredentials() {
		return c.receive(reply)
	}

	reply.close() // the status alone decides, so the body is not waited for
	c.forget()
	c.rejected = true
	if access, err = c.resolve(); err != nil {
		return nil, err
	}
	if reply, err = c.postMessage(access); err != nil {
		return nil, err
	}
	if reply.rejectsCredentials() {
		defer c.forget()
	}
	return c.receive(reply)
}

func (c *call) postMessage(access Access) (*answer, error) {
	to, err := parseEndpoint(access.RPCURL)
	if err != nil {
		return nil, &InvalidResponseError{Server: serverPlatform, Problems: problems{"rpc_url " + err.Error()}}
	}
	message := exchange{
		server: serverRuntime,
		to:     to,
		path:   "/api/a2a/v1/message:send",
		token:  access.Token,
		fields: []string{
			"Content-Type: application/a2a+json",
			"Accept: application/a2a+json",
			"A2A-Extensions: " + responseKindExtension,
		},
		body: c.body,
	}
	line, err := c.client.wire.connect(c.budget, message)
	if err != nil {
		return nil, err
	}
	c.begun = true
	return line.post(c.budget, message)
}

// forget drops the access that was rejected.
func (c *call) forget() {
	c.begun = false
	c.client.cache.Clear(c.key)
}

// receive reads the reply that ends the call.
func (c *call) receive(reply *answer) (*Message, error) {
	defer reply.close()
	if err := reply.refusal(c); err != nil {
		return nil, err
	}
	body, err := reply.read()
	if err != nil {
		return nil, err
	}
	message, found := readDirectAnswer(body, c.key.SessionUID)
	if len(found) > 0 {
		for i, problem := range found {
			found[i] = withhold(problem, c.secrets)
		}
		return nil, &InvalidResponseError{Server: serverRuntime, Status: reply.status, Problems: found}
	}
	return message, nil
}
