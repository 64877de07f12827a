package client

import (
	"context"
	"net/http"
	"strings"
)

// responseKindExtension is named on every send (ADR 0029, Decision).
const responseKindExtension = "https://mainsequence.ai/a2a/extensions/response-kind/v1"

// Send sends one message and returns the Agent's answer: a *Message, or a *Task
// when the request asked for one. Every error is a *SendError, which tells the
// message id; see errors.go for its causes.
//
// The message goes out once. It goes out a second time, byte for byte the same,
// only when the runtime rejected the credentials of the first with 401 or 403
// and the platform admits the send afresh. A Task is asked for only after
// discovery has shown, in this very call, that the Agent takes Tasks. Cancelling
// ctx ends the call at once, with the context's error as the cause. When Send
// returns, its connections are closed and nothing of it goes on.
func (c *Client) Send(ctx context.Context, request Request) (Result, error) {
	messageID := request.MessageID
	if messageID == "" {
		messageID = c.newMessageID()
	}
	current, release := c.begin(ctx, request.SessionUID, request.Timeout.limits())
	defer release()
	result, err := current.send(request, messageID) //nolint:contextcheck // every step takes its context from the call's budget
	if err != nil {
		return nil, &SendError{MessageID: messageID, MayHaveRun: current.begun, Err: err}
	}
	return result, nil
}

func (c *call) send(request Request, messageID string) (Result, error) {
	found := request.problems()
	if strings.TrimSpace(messageID) == "" && request.MessageID == "" {
		found.addf("Config.NewMessageID: made a blank message id")
	}
	files, unfit := openFiles(request.Files)
	defer closeFiles(files)
	if found = append(found, unfit...); len(found) > 0 {
		return nil, &InvalidArgumentError{Problems: found}
	}
	body, found := buildBody(request, messageID, files)
	if len(found) > 0 {
		return nil, &InvalidArgumentError{Problems: found}
	}
	c.ask = messageSend(body)
	if request.kind() == KindTask {
		return c.sendForTask()
	}
	return c.sendForMessage()
}

func messageSend(body []byte) exchange {
	return exchange{
		method: http.MethodPost,
		path:   "/api/a2a/v1/message:send",
		fields: []string{
			"Content-Type: application/a2a+json",
			"Accept: application/a2a+json",
			"A2A-Extensions: " + responseKindExtension,
		},
		body: body,
	}
}

func (c *call) sendForMessage() (Result, error) {
	c.direct = true
	reply, err := c.reach()
	if err != nil {
		return nil, err
	}
	var message *Message
	err = c.receive(reply, func(body []byte) (found problems) {
		message, found = readDirectAnswer(body, c.key.SessionUID)
		return found
	})
	return message, err
}

// sendForTask asks discovery first: it is cheap, while asking for access wakes a
// runtime, which would be for nothing when the Agent takes no Tasks.
func (c *call) sendForTask() (Result, error) {
	if err := c.discoverTask(); err != nil {
		return nil, err
	}
	reply, err := c.reach()
	if err != nil {
		return nil, err
	}
	var task *Task
	err = c.receive(reply, func(body []byte) (found problems) {
		task, found = readTaskAnswer(body, c.key.SessionUID)
		return found
	})
	return task, err
}
