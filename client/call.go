package client

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// call is one Send, or one look at a Task.
type call struct {
	client   *Client
	key      AccessKey
	direct   bool // it asks for a direct Message, which alone has the Message limit
	budget   *budget
	ask      exchange // of the runtime; where it goes and with which token, the access says
	begun    bool     // a request to the runtime was begun and not rejected
	rejected bool     // the first request to the runtime was rejected
	renewed  bool     // the platform token was renewed, or that was tried
	secrets  []string // tokens that must not come back in an error
}

// begin makes the call of a session and starts its budget. The caller ends it
// with the returned function.
func (c *Client) begin(ctx context.Context, sessionUID string, l limits) (*call, context.CancelFunc) {
	budget, release := startBudget(ctx, l)
	current := &call{client: c, key: c.key, budget: budget}
	current.key.SessionUID = sessionUID
	return current, release
}

func (c *call) remember(tokens ...string) {
	for _, token := range tokens {
		if token != "" && !slices.Contains(c.secrets, token) {
			c.secrets = append(c.secrets, token)
		}
	}
}

// reach finds access and asks the runtime, a second time after a rejection of
// the credentials and never a third. The caller closes the answer.
func (c *call) reach() (*answer, error) {
	access, err := c.cachedOrResolved()
	if err != nil {
		return nil, err
	}
	reply, err := c.askRuntime(access)
	if err != nil || !reply.rejectsCredentials() {
		return reply, err
	}

	reply.close() // the status alone decides, so the body is not waited for
	c.forget()
	c.rejected = true
	if access, err = c.resolve(); err != nil {
		return nil, err
	}
	reply, err = c.askRuntime(access)
	if err == nil && reply.rejectsCredentials() {
		c.forget()
	}
	return reply, err
}

func (c *call) askRuntime(access Access) (*answer, error) {
	to, err := parseEndpoint(access.RPCURL)
	if err != nil {
		return nil, &InvalidResponseError{Server: serverPlatform, Problems: problems{"rpc_url " + err.Error()}}
	}
	ask := c.ask
	ask.server, ask.to, ask.token = serverRuntime, to, access.Token
	line, err := c.client.wire.connect(c.budget, ask)
	if err != nil {
		return nil, err
	}
	c.begun = true
	return line.ask(c.budget, ask)
}

// forget drops the access that was rejected.
func (c *call) forget() {
	c.begun = false
	c.client.cache.Clear(c.key)
}

// receive reads the reply that ends the call, and lets read take it apart.
func (c *call) receive(reply *answer, read func(body []byte) problems) error {
	defer reply.close()
	if err := reply.refusal(c); err != nil {
		return err
	}
	body, err := reply.read()
	if err != nil {
		return err
	}
	if found := read(body); len(found) > 0 {
		return &InvalidResponseError{Server: serverRuntime, Status: reply.status, Problems: c.withheld(found)}
	}
	return nil
}

// withheld removes words that repeat a token from problems.
func (c *call) withheld(found problems) problems {
	for i, problem := range found {
		found[i] = withhold(problem, c.secrets)
	}
	return found
}

// segment escapes text so that it stays one segment of a path: all but letters,
// digits and "-._~", the colon too, which would end a task id before a verb.
func segment(text string) string {
	var escaped strings.Builder
	for _, b := range []byte(text) {
		if isUnreserved(rune(b)) {
			escaped.WriteByte(b)
			continue
		}
		_, _ = fmt.Fprintf(&escaped, "%%%02X", b)
	}
	return escaped.String()
}
