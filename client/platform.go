package client

import (
	"errors"
	"net/http"
)

// askPlatform makes one request of the platform and returns the whole body of
// its 2xx answer, and the status. It is made a second time only after a 401 that
// led to a new token; in one call that happens once.
func (c *call) askPlatform(ask exchange) (body []byte, status int, err error) {
	if err := c.renewEarly(); err != nil {
		return nil, 0, err
	}
	body, status, token, err := c.askPlatformOnce(ask)
	rejected, unauthorized := errors.AsType[*UnauthorizedError](err)
	if !unauthorized || rejected.Status != http.StatusUnauthorized || !c.mayRenew() {
		return body, status, err
	}
	if failed := c.renew(token); failed != nil {
		if endsCall(failed) {
			return nil, 0, failed
		}
		rejected.Renewal = failed
		return nil, status, rejected
	}
	body, status, _, err = c.askPlatformOnce(ask)
	return body, status, err
}

// askPlatformOnce also returns the token that it used, which another call may
// have replaced meanwhile.
func (c *call) askPlatformOnce(ask exchange) (body []byte, status int, token string, err error) {
	token, refresh := c.client.credentials.tokens()
	c.remember(token, refresh)
	ask.token = token
	body, status, err = c.exchangeWithPlatform(ask)
	return body, status, token, err
}

// exchangeWithPlatform makes the request as it is.
func (c *call) exchangeWithPlatform(ask exchange) (body []byte, status int, err error) {
	ask.server, ask.to = serverPlatform, c.client.platform
	line, err := c.client.wire.connect(c.budget, ask)
	if err != nil {
		return nil, 0, err
	}
	reply, err := line.ask(c.budget, ask)
	if err != nil {
		return nil, 0, err
	}
	defer reply.close()
	if err := reply.refusal(c); err != nil {
		return nil, reply.status, err
	}
	body, err = reply.read()
	return body, reply.status, err
}
