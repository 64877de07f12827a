package client

import (
	"net/http"
	"time"
)

// The servers, as errors name them.
const (
	serverPlatform = "platform"
	serverRuntime  = "runtime"
)

// cachedOrResolved returns access to send with. Cached access saves the question
// while it is certain to be valid.
func (c *call) cachedOrResolved() (Access, error) {
	if access, ok := c.client.cache.Get(c.key); ok && access.reusable(time.Now()) {
		c.remember(access.Token)
		return access, nil
	}
	return c.resolve()
}

// resolve asks the platform until it admits the send, the runtime's state is
// terminal, or the next question no longer fits the budget. The platform alone
// says when to ask again, counted from its answer's last byte (ADR 0029,
// Decision 3).
func (c *call) resolve() (Access, error) {
	for {
		answer, err := c.askForAccess()
		if err != nil {
			return Access{}, err
		}
		switch answer.verdict {
		case admitted:
			if answer.storable {
				c.client.cache.Put(c.key, answer.access)
			}
			return answer.access, nil
		case terminal:
			return Access{}, &BlockedError{State: answer.state, Notice: answer.notice, Explanation: answer.words()}
		case unusable:
			return Access{}, &InvalidResponseError{Server: serverPlatform, Status: answer.status, Problems: answer.problems}
		case transient: // asked again below
		}
		due := answer.arrived.Add(answer.retryAfter)
		if !c.budget.fits(due) {
			return Access{}, &NotReadyError{
				State:          answer.state,
				RetryAfter:     answer.retryAfter,
				AfterRejection: c.rejected,
				Explanation:    answer.words(),
			}
		}
		if err := c.budget.pause(due); err != nil {
			return Access{}, err
		}
	}
}

// askForAccess makes one request for access and reads its answer to the end. A
// failed one is not repeated.
func (c *call) askForAccess() (admission, error) {
	body, status, err := c.askPlatform(exchange{
		method: http.MethodPost,
		path:   "/api/v1/agent-sessions/" + c.key.SessionUID + "/resolve-runtime-access/",
		fields: []string{"Content-Type: application/json", "Accept: application/json"},
		body:   []byte("{}"),
	})
	if err != nil {
		return admission{}, err
	}
	read := readAdmission(body, time.Now())
	read.status = status
	c.remember(read.access.Token)
	c.hide(&read)
	return read, nil
}

// hide removes words that repeat a token from what may come to be an error.
func (c *call) hide(a *admission) {
	a.problems = c.withheld(a.problems)
	a.state = withhold(a.state, c.secrets)
	a.detail = withhold(a.detail, c.secrets)
	if a.notice != nil {
		for _, text := range []*string{&a.notice.Code, &a.notice.Severity, &a.notice.Title, &a.notice.Message} {
			*text = withhold(*text, c.secrets)
		}
	}
}
