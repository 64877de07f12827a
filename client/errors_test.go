package client

import (
	"errors"
	"testing"
	"time"
)

func TestErrorTexts(t *testing.T) {
	t.Parallel()
	half := 0.5
	for want, err := range map[string]error{
		"send message m: timeout: the call took longer than its 1s (it may have reached the Agent and is not sent again)": &SendError{
			MessageID: "m", MayHaveRun: true, Err: &TimeoutError{Phase: PhaseTotal, Limit: time.Second}},
		"send message m: timeout: no connection within 2s":                                        &SendError{MessageID: "m", Err: &TimeoutError{Phase: PhaseConnect, Limit: 2 * time.Second}},
		"timeout: the server was silent for 3s":                                                   &TimeoutError{Phase: PhaseRead, Limit: 3 * time.Second},
		"invalid argument: a; b":                                                                  &InvalidArgumentError{Problems: []string{"a", "b"}},
		`the platform blocks the call: the runtime's state is "off"`:                              &BlockedError{State: "off"},
		`the platform blocks the call: the runtime's state is "off": why`:                         &BlockedError{State: "off", Explanation: "why"},
		"the runtime failed while connecting: refused":                                            &TransportError{Server: serverRuntime, Doing: "connecting", Err: errors.New("refused")},
		"the platform answered 401: its token is not accepted; sign in again":                     &UnauthorizedError{Server: serverPlatform, Status: 401},
		"the runtime answered 403 again after access was refreshed: you may not use this session": &UnauthorizedError{Server: serverRuntime, Status: 403},
		"the runtime failed with 500":                                                             &ServerError{Server: serverRuntime, Status: 500},
		"the runtime failed with 502: gateway":                                                    &ServerError{Server: serverRuntime, Status: 502, Words: "gateway"},
		"the platform rejected the request with 404: Not found.":                                  &RejectedError{Server: serverPlatform, Status: 404, Words: "Not found."},
		"the runtime answered with a redirect, 302, which is not followed":                        &RejectedError{Server: serverRuntime, Status: 302, Words: "Moved"},
		"the answer of the runtime cannot be used: a; b":                                          &InvalidResponseError{Server: serverRuntime, Problems: []string{"a", "b"}},
		`the Agent did not answer within the platform's limit for a direct Message; longer work uses response_kind="task" (--response-kind task)`: &MessageLimitError{Answer: &ServerError{}},
		`the Agent did not answer within the platform's limit for a direct Message of 0.5 seconds; longer work uses response_kind="task" (--response-kind task)`: &MessageLimitError{
			LimitSeconds: &half, Answer: &ServerError{}},
		"the runtime is waking and the platform's next retry, in 1m0s, does not fit the rest of the timeout; nothing was sent; try again with a longer timeout: why": &NotReadyError{
			State: "waking", RetryAfter: time.Minute, Explanation: "why"},
		"get task \"t\": the runtime failed with 500": &TaskError{Doing: "get", TaskID: "t", Err: &ServerError{Server: serverRuntime, Status: 500}},
		"wait for task \"t\": timeout: the Task was not over within the 2s of the wait (last seen in the state \"TASK_STATE_WORKING\")": &TaskError{
			Doing: "wait for", TaskID: "t", Last: &Task{State: TaskWorking}, Err: &TimeoutError{Phase: PhaseWait, Limit: 2 * time.Second}},
		"the Agent is not known to take Tasks, and nothing was sent: x": &NotAdvertisedError{Reason: "x"},
		"the Agent is not known to take Tasks, and nothing was sent: discovery failed: the platform failed with 503": &NotAdvertisedError{
			Reason: "discovery failed", Err: &ServerError{Server: serverPlatform, Status: 503}},
		"the platform answered 401: its token is not accepted; sign in again: no (it could not be renewed: the platform failed with 500)": &UnauthorizedError{
			Server: serverPlatform, Status: 401, Words: "no", Renewal: &ServerError{Server: serverPlatform, Status: 500}},
	} {
		if got := err.Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
