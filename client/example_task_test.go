package client_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/a2a-conform/a2a-conform/client"
)

// task is the runtime's answer about the Task task-7.
func task(state client.TaskState, more string) answer {
	return answer{200, `{"task": {"id": "task-7", "contextId": "` + session + `", "status": {"state": "` + string(state) + `"}` + more + `}}`}
}

// Work that outlasts the platform's Message limit is asked for as a Task. The
// client makes sure that the Agent takes Tasks, before it sends anything.
func ExampleClient_Send_task() {
	w, c := open([]string{ready}, task(client.TaskWorking, ""))
	defer w.server.Close()
	defer c.Close()

	result, err := c.Send(context.Background(), client.Request{SessionUID: session, Text: "Prove it.", ResponseKind: client.KindTask})
	if err != nil {
		fmt.Println(err)
		return
	}
	if begun, ok := result.(*client.Task); ok {
		fmt.Println(begun.ID, "is in the state", begun.State)
	}
	// Output:
	// platform was asked GET /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/
	// platform was asked GET /api/v1/agents/agent-1/
	// platform was asked for access
	// runtime was sent {"message":{"messageId":"msg-client-1","role":"ROLE_USER","contextId":"0b2701a1-e777-4cfe-8437-b94025f00069","parts":[{"text":"Prove it."}]},"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"task"}}
	// task-7 is in the state TASK_STATE_WORKING
}

// A Task is over when it says so, and over is not yet well: look at its state.
func ExampleClient_WaitTask() {
	w, c := open([]string{ready}, task(client.TaskWorking, ""), task(client.TaskCompleted, `, "artifacts": [{"parts": [{"text": "Proved."}]}]`))
	defer w.server.Close()
	defer c.Close()

	seconds := 0.005
	done, err := c.WaitTask(context.Background(), client.WaitRequest{SessionUID: session, TaskID: "task-7", PollInterval: &seconds})
	switch {
	case err != nil:
		fmt.Println(err)
	case done.State == client.TaskCompleted:
		fmt.Println("the Agent says:", done.Text())
	case done.State.Interrupted():
		fmt.Println("the Agent waits for its caller:", done.State)
	default:
		fmt.Println("the Agent did not do it:", done.State)
	}
	// Output:
	// platform was asked for access
	// runtime was asked GET /tasks/task-7
	// runtime was asked GET /tasks/task-7
	// the Agent says: Proved.
}

// One look at a Task is a call of its own.
func ExampleClient_GetTask() {
	w, c := open([]string{ready}, task(client.TaskInputRequired, ""))
	defer w.server.Close()
	defer c.Close()

	seen, err := c.GetTask(context.Background(), client.TaskRequest{SessionUID: session, TaskID: "task-7"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(seen.State, "over:", seen.State.Terminal(), "interrupted:", seen.State.Interrupted())
	// Output:
	// platform was asked for access
	// runtime was asked GET /tasks/task-7
	// TASK_STATE_INPUT_REQUIRED over: false interrupted: true
}

// To cancel is to ask for it. What became of the Task, its state tells.
func ExampleClient_CancelTask() {
	w, c := open([]string{ready}, answer{409, `{"detail": "The Task is over."}`})
	defer w.server.Close()
	defer c.Close()

	_, err := c.CancelTask(context.Background(), client.TaskRequest{SessionUID: session, TaskID: "task-7"})
	if rejected, ok := errors.AsType[*client.RejectedError](err); ok {
		fmt.Println(rejected.Status, rejected.Words)
	}
	fmt.Println(err)
	// Output:
	// platform was asked for access
	// runtime was asked POST /tasks/task-7:cancel
	// 409 The Task is over.
	// cancel task "task-7": the runtime rejected the request with 409: The Task is over.
}

// An Agent that does not say that it takes Tasks is sent none, and nothing else
// in its place.
func ExampleNotAdvertisedError() {
	w, c := open(nil)
	w.discovery["/api/v1/agents/agent-1/"] = `{"a2a_profile": {"supported_response_kinds": ["message"]}}`
	defer w.server.Close()
	defer c.Close()

	_, err := c.Send(context.Background(), client.Request{SessionUID: session, Text: "Prove it.", ResponseKind: client.KindTask})
	if missing, ok := errors.AsType[*client.NotAdvertisedError](err); ok {
		fmt.Println(missing)
	}
	// Output:
	// platform was asked GET /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/
	// platform was asked GET /api/v1/agents/agent-1/
	// the Agent is not known to take Tasks, and nothing was sent: the Agent takes ["message"] only
}

// With a RefreshToken, a platform token that has ended is renewed on the way.
func ExampleConfig_renewal() {
	w, c := open([]string{expired, ready}, reply(`{"text": "Good morning."}`))
	defer w.server.Close()
	defer c.Close()

	result, err := c.Send(context.Background(), client.Request{SessionUID: session, Text: "Hello"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.(*client.Message).Text())
	// Output:
	// platform was asked for access
	// platform was asked POST /auth/jwt-token/token/refresh/
	// platform was asked for access
	// runtime was sent {"message":{"messageId":"msg-client-1","role":"ROLE_USER","contextId":"0b2701a1-e777-4cfe-8437-b94025f00069","parts":[{"text":"Hello"}]},"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}
	// Good morning.
}
