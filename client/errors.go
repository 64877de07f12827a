package client

import (
	"fmt"
	"strings"
	"time"
)

// problems collects what is wrong with one thing, so that a person sees all of
// it at once.
type problems []string

func (p *problems) addf(format string, args ...any) {
	*p = append(*p, fmt.Sprintf(format, args...))
}

// SendError is what every failed Send returns. errors.As reaches the cause, one
// of the other types of this file or the context's own error.
type SendError struct {
	// MessageID is the id that the call used or would have used. Whoever made
	// it, it is the one to give again when the message is retried by choice.
	MessageID string
	// MayHaveRun says that a message:send was begun and not rejected with 401 or
	// 403, so that the Agent may have worked on it. Sending again may then do
	// the work twice: a direct Message has no receipt (ADR 0029, CLI Contract).
	MayHaveRun bool
	// Err is the cause, never nil.
	Err error
}

// Error implements error.
func (e *SendError) Error() string {
	if e.MayHaveRun {
		return fmt.Sprintf("send message %s: %v (it may have reached the Agent and is not sent again)", e.MessageID, e.Err)
	}
	return fmt.Sprintf("send message %s: %v", e.MessageID, e.Err)
}

// Unwrap returns the cause.
func (e *SendError) Unwrap() error { return e.Err }

// TaskError is what every failed GetTask, CancelTask and WaitTask returns.
// errors.As reaches the cause, which is one that Send may have, too.
type TaskError struct {
	// Doing is "get", "cancel" or "wait for".
	Doing string
	// TaskID is the Task that was asked for.
	TaskID string
	// Last is the Task as WaitTask saw it last; nil when it never did, and in
	// other calls.
	Last *Task
	// Err is the cause, never nil.
	Err error
}

// Error implements error.
func (e *TaskError) Error() string {
	seen := ""
	if e.Last != nil {
		seen = " (last seen in the state " + quote(string(e.Last.State)) + ")"
	}
	return fmt.Sprintf("%s task %s: %v%s", e.Doing, quote(e.TaskID), e.Err, seen)
}

// Unwrap returns the cause.
func (e *TaskError) Unwrap() error { return e.Err }

// NotAdvertisedError says that discovery did not show that the Agent takes
// Tasks, so that nothing was sent to the runtime (ADR 0029, Decision).
type NotAdvertisedError struct {
	// Reason is what was found in place of it.
	Reason string
	// Err is why discovery failed; nil when it worked and says otherwise.
	Err error
}

// Error implements error.
func (e *NotAdvertisedError) Error() string {
	cause := ""
	if e.Err != nil {
		cause = ": " + e.Err.Error()
	}
	return fmt.Sprintf("the Agent is not known to take Tasks, and nothing was sent: %s%s", e.Reason, cause)
}

// Unwrap returns why discovery failed, if it did.
func (e *NotAdvertisedError) Unwrap() error { return e.Err }

// InvalidArgumentError says that the call or the Config cannot be used as it is.
// No request was made.
type InvalidArgumentError struct {
	// Problems are all that were found, each with its place.
	Problems []string
}

// Error implements error.
func (e *InvalidArgumentError) Error() string {
	return "invalid argument: " + strings.Join(e.Problems, "; ")
}

// NotReadyError says that the runtime was still in a transient state when the
// platform's next retry no longer fitted the budget (ADR 0029, Timeouts).
type NotReadyError struct {
	// State is the last one reported: checking, starting, waking or updating.
	State string
	// RetryAfter is when the platform would have been asked again, counted from
	// its answer; the longest Duration when the direction exceeds one.
	RetryAfter time.Duration
	// AfterRejection says that the runtime had rejected a first request of this
	// call. Without it nothing was sent.
	AfterRejection bool
	// Explanation is the platform's notice or detail, if it gave one.
	Explanation string
}

// Error implements error.
func (e *NotReadyError) Error() string {
	sent := "nothing was sent"
	if e.AfterRejection {
		sent = "the runtime rejected the credentials of the first request, and nothing more was sent"
	}
	return fmt.Sprintf("the runtime is %s and the platform's next retry, in %v, does not fit the rest of the timeout; %s; "+
		"try again with a longer timeout%s", e.State, e.RetryAfter, sent, because(e.Explanation))
}

// BlockedError says that the platform does not admit the call and asks for no
// other try: a terminal state, which need not be a known one.
type BlockedError struct {
	// State is the platform's.
	State string
	// Notice is the platform's, or nil.
	Notice *Notice
	// Explanation is the notice in one line, or without one the detail.
	Explanation string
}

// Error implements error.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("the platform blocks the call: the runtime's state is %q%s", shorten(e.State), because(e.Explanation))
}

func because(words string) string {
	if words == "" {
		return ""
	}
	return ": " + words
}

// Phase says which limit of a Timeout ran out.
type Phase string

const (
	// PhaseTotal is the budget of the whole call.
	PhaseTotal Phase = "total"
	// PhaseConnect is the establishing of one connection.
	PhaseConnect Phase = "connect"
	// PhaseRead is the silence while reading one answer.
	PhaseRead Phase = "read"
	// PhaseWait is the limit of WaitTask.
	PhaseWait Phase = "wait"
)

// TimeoutError says that the call's own timeout ended it.
type TimeoutError struct {
	// Phase is the limit that ran out, and Limit its length.
	Phase Phase
	Limit time.Duration
}

// Error implements error.
func (e *TimeoutError) Error() string {
	switch e.Phase {
	case PhaseConnect:
		return fmt.Sprintf("timeout: no connection within %v", e.Limit)
	case PhaseRead:
		return fmt.Sprintf("timeout: the server was silent for %v", e.Limit)
	case PhaseWait:
		return fmt.Sprintf("timeout: the Task was not over within the %v of the wait", e.Limit)
	default:
		return fmt.Sprintf("timeout: the call took longer than its %v", e.Limit)
	}
}

// Timeout implements the interface by which net errors tell timeouts.
func (e *TimeoutError) Timeout() bool { return true }

// TransportError says that a connection failed, or that an answer was cut.
type TransportError struct {
	// Server is "platform" or "runtime", and Doing what was being done with it.
	Server, Doing string
	// Err is the cause.
	Err error
}

// Error implements error.
func (e *TransportError) Error() string {
	return fmt.Sprintf("the %s failed while %s: %v", e.Server, e.Doing, e.Err)
}

// Unwrap returns the cause.
func (e *TransportError) Unwrap() error { return e.Err }

// UnauthorizedError says that credentials were rejected with 401 or 403: by the
// platform, or by the runtime even after access was resolved afresh.
type UnauthorizedError struct {
	// Server is "platform" or "runtime".
	Server string
	// Status is 401 or 403.
	Status int
	// Words are the server's own, shortened to one line; "" without any, or when they were slow to come.
	Words string
	// Renewal is why the platform token could not be renewed; nil when that was
	// not tried, or worked.
	Renewal error
}

// Error implements error.
func (e *UnauthorizedError) Error() string {
	if e.Server == serverPlatform {
		renewal := ""
		if e.Renewal != nil {
			renewal = " (it could not be renewed: " + e.Renewal.Error() + ")"
		}
		return fmt.Sprintf("the platform answered %d: its token is not accepted; sign in again%s%s", e.Status, because(e.Words), renewal)
	}
	return fmt.Sprintf("the %s answered %d again after access was refreshed: you may not use this session%s", e.Server, e.Status, because(e.Words))
}

// ServerError is an answer with a 5xx status. The message may have been worked
// on, and it is not sent again.
type ServerError struct {
	// Server is "platform" or "runtime".
	Server string
	// Status is 500 to 599.
	Status int
	// Words are the server's own, shortened to one line; "" without any.
	Words string
}

// Error implements error.
func (e *ServerError) Error() string {
	return fmt.Sprintf("the %s failed with %d%s", e.Server, e.Status, because(e.Words))
}

// MessageLimitError says that the Agent did not answer within the platform's
// Message limit (ADR 0029, Message limit). errors.As reaches it as a
// *ServerError too.
type MessageLimitError struct {
	// LimitSeconds is the platform's limit; nil when it named none that is a
	// finite number above zero.
	LimitSeconds *float64
	// Answer is the same answer as an ordinary server error.
	Answer *ServerError
}

// Error implements error.
func (e *MessageLimitError) Error() string {
	limit := ""
	if e.LimitSeconds != nil {
		limit = fmt.Sprintf(" of %v seconds", *e.LimitSeconds)
	}
	return "the Agent did not answer within the platform's limit for a direct Message" + limit +
		`; longer work uses response_kind="task" (--response-kind task)`
}

// Unwrap returns the ordinary server error.
func (e *MessageLimitError) Unwrap() error { return e.Answer }

// RejectedError is an answer with any other status than success, 401, 403 and
// 5xx. A redirect is one: it is not followed.
type RejectedError struct {
	// Server is "platform" or "runtime".
	Server string
	// Status is the answer's.
	Status int
	// Words are the server's own, shortened to one line; "" without any.
	Words string
}

// Error implements error.
func (e *RejectedError) Error() string {
	if e.Status/100 == 3 {
		return fmt.Sprintf("the %s answered with a redirect, %d, which is not followed", e.Server, e.Status)
	}
	return fmt.Sprintf("the %s rejected the request with %d%s", e.Server, e.Status, because(e.Words))
}

// InvalidResponseError is an answer of success that does not say what the
// contract obliges it to say.
type InvalidResponseError struct {
	// Server is "platform" or "runtime", Status the answer's.
	Server string
	Status int
	// Problems are all that were found.
	Problems []string
}

// Error implements error.
func (e *InvalidResponseError) Error() string {
	return fmt.Sprintf("the answer of the %s cannot be used: %s", e.Server, strings.Join(e.Problems, "; "))
}
