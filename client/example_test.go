package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/a2a-conform/a2a-conform/client"
)

// The examples talk to this little world, in which one server is both platform
// and runtime. Each answers from a list, in order.
type world struct {
	server    *httptest.Server
	platform  []string          // bodies of resolve-runtime-access; URL stands for the server's own
	discovery map[string]string // bodies of the platform's other routes
	runtime   []answer          // answers of the runtime
}

type answer struct {
	status int
	body   string
}

const session = "0b2701a1-e777-4cfe-8437-b94025f00069"

const (
	ready  = `{"rpc_url": "URL/agent", "token": "runtime-token", "runtime_interaction": {"state": "ready", "can_submit": true}}`
	waking = `{"rpc_url": null, "token": null, "runtime_interaction": {"state": "waking", "can_submit": false, "retry_after_ms": 5}}`
	asleep = `{"rpc_url": null, "token": null, "runtime_interaction": {"state": "waking", "can_submit": false, "retry_after_ms": 60000}}`
	// expired is how the platform answers, with 401, to a token that has ended.
	expired = `{"detail": "Token is expired"}`
)

func reply(part string) answer {
	return answer{200, `{"message": {"messageId": "msg-agent-1", "role": "ROLE_AGENT", "contextId": "` + session + `", "parts": [` + part + `]}}`}
}

// open starts a world and makes a client for it. The caller closes both.
func open(platform []string, runtime ...answer) (*world, *client.Client) {
	w := &world{platform: platform, runtime: runtime, discovery: map[string]string{
		"/api/v1/agent-sessions/" + session + "/": `{"agent_uid": "agent-1"}`,
		"/api/v1/agents/agent-1/":                 `{"a2a_profile": {"supported_response_kinds": ["message", "task"]}}`,
		"/auth/jwt-token/token/refresh/":          `{"access": "new-platform-token"}`,
	}}
	w.server = httptest.NewServer(w)
	c, err := client.New(client.Config{
		PlatformURL:   w.server.URL,
		PlatformToken: "platform-token",
		RefreshToken:  "refresh-token",
		NewMessageID:  func() string { return "msg-client-1" }, // only so that the output is the same each time
	})
	if err != nil {
		panic(err) // the configuration above is right
	}
	return w, c
}

func (w *world) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	path := strings.TrimPrefix(r.URL.Path, "/agent/api/a2a/v1")
	switch {
	case strings.HasSuffix(path, "/resolve-runtime-access/"):
		fmt.Println("platform was asked for access")
		next := w.platform[0]
		w.platform = w.platform[1:]
		if next == expired {
			out.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = io.WriteString(out, strings.ReplaceAll(next, "URL", w.server.URL))
	case w.discovery[path] != "":
		fmt.Println("platform was asked", r.Method, path)
		_, _ = io.WriteString(out, w.discovery[path])
	default:
		if len(body) == 0 {
			fmt.Println("runtime was asked", r.Method, path)
		} else {
			fmt.Println("runtime was sent", string(body))
		}
		next := w.runtime[0]
		w.runtime = w.runtime[1:]
		out.WriteHeader(next.status)
		_, _ = io.WriteString(out, next.body)
	}
}

// A caller needs the uid of a session and a text. Where the runtime is, and by
// what right it may be used, the client asks the platform.
func ExampleClient_Send() {
	w, c := open([]string{ready}, reply(`{"text": "I can answer questions."}`))
	defer w.server.Close()
	defer c.Close()

	result, err := c.Send(context.Background(), client.Request{SessionUID: session, Text: "What can you do?"})
	if err != nil {
		fmt.Println(err)
		return
	}
	if message, ok := result.(*client.Message); ok {
		fmt.Println("the Agent says:", message.Text())
	}
	// Output:
	// platform was asked for access
	// runtime was sent {"message":{"messageId":"msg-client-1","role":"ROLE_USER","contextId":"0b2701a1-e777-4cfe-8437-b94025f00069","parts":[{"text":"What can you do?"}]},"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}
	// the Agent says: I can answer questions.
}

// A strict dictionary request asks for data in place of text. The answer's data
// is handed over as the JSON that came.
func ExampleClient_Send_strictDictionary() {
	w, c := open([]string{ready}, reply(`{"data": {"ok": true, "answer": 12345678901234567890}, "mediaType": "application/json"}`))
	defer w.server.Close()
	defer c.Close()

	result, err := c.Send(context.Background(), client.Request{
		SessionUID:       session,
		Text:             "Return a JSON dictionary with keys ok and answer.",
		StrictDictionary: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, _ := result.(*client.Message).Data()
	fmt.Println(string(data))
	// Output:
	// platform was asked for access
	// runtime was sent {"message":{"messageId":"msg-client-1","role":"ROLE_USER","contextId":"0b2701a1-e777-4cfe-8437-b94025f00069","parts":[{"text":"Return a JSON dictionary with keys ok and answer."}]},"configuration":{"acceptedOutputModes":["application/json"],"responseKind":"message"},"metadata":{"https://mainsequence.ai/a2a/extensions/output-contract/v1":{"response_format":{"type":"dictionary","strict":true},"jsonRepairAttempts":3}}}
	// {"ok": true, "answer": 12345678901234567890}
}

// A runtime that sleeps is woken by the platform. The client asks again exactly
// when the platform says, and sends once it may.
func ExampleClient_Send_waking() {
	w, c := open([]string{waking, waking, ready}, reply(`{"text": "Good morning."}`))
	defer w.server.Close()
	defer c.Close()

	result, err := c.Send(context.Background(), client.Request{SessionUID: session, Text: "Hello", MessageID: "msg-mine"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.(*client.Message).Text())
	// Output:
	// platform was asked for access
	// platform was asked for access
	// platform was asked for access
	// runtime was sent {"message":{"messageId":"msg-mine","role":"ROLE_USER","contextId":"0b2701a1-e777-4cfe-8437-b94025f00069","parts":[{"text":"Hello"}]},"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}
	// Good morning.
}

// One budget covers the whole call. When the platform's next retry comes too
// late for it, the call ends at once: waiting would not help.
func ExampleTotal() {
	w, c := open([]string{asleep})
	defer w.server.Close()
	defer c.Close()

	_, err := c.Send(context.Background(), client.Request{SessionUID: session, Text: "Hello", Timeout: client.Total(20)})
	if notReady, ok := errors.AsType[*client.NotReadyError](err); ok {
		fmt.Println("still", notReady.State, "and to be asked again in", notReady.RetryAfter)
	}
	var failed *client.SendError
	if errors.As(err, &failed) && !failed.MayHaveRun {
		fmt.Println("the Agent has not seen", failed.MessageID)
	}
	// Output:
	// platform was asked for access
	// still waking and to be asked again in 1m0s
	// the Agent has not seen msg-client-1
}

// An Agent that needs longer than the platform's Message limit is stopped. That
// is an error of its own, and an ordinary server error too.
func ExampleMessageLimitError() {
	w, c := open([]string{ready}, answer{504, `{"error": {"code": 504, "message": "Too slow.", "details": [{
		"@type": "type.googleapis.com/google.rpc.ErrorInfo",
		"reason": "MESSAGE_RESPONSE_LIMIT_EXCEEDED", "domain": "mainsequence.ai", "metadata": {"limitSeconds": "90"}}]}}`})
	defer w.server.Close()
	defer c.Close()

	_, err := c.Send(context.Background(), client.Request{SessionUID: session, Text: "Prove it."})
	var (
		limit  *client.MessageLimitError
		server *client.ServerError
	)
	if errors.As(err, &limit) && errors.As(err, &server) {
		fmt.Println(*limit.LimitSeconds, server.Status, server.Words)
	}
	fmt.Println(limit)
	// Output:
	// platform was asked for access
	// runtime was sent {"message":{"messageId":"msg-client-1","role":"ROLE_USER","contextId":"0b2701a1-e777-4cfe-8437-b94025f00069","parts":[{"text":"Prove it."}]},"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}
	// 90 504 Too slow.
	// the Agent did not answer within the platform's limit for a direct Message of 90 seconds; longer work uses response_kind="task" (--response-kind task)
}

// Rejected credentials are refreshed once. The same bytes go out a second time;
// there is never a third.
func ExampleUnauthorizedError() {
	w, c := open([]string{ready, ready}, answer{401, "expired"}, answer{403, "no"})
	defer w.server.Close()
	defer c.Close()

	_, err := c.Send(context.Background(), client.Request{SessionUID: session, Text: "Hello"})
	if unauthorized, ok := errors.AsType[*client.UnauthorizedError](err); ok {
		fmt.Println(unauthorized)
	}
	// Output:
	// platform was asked for access
	// runtime was sent {"message":{"messageId":"msg-client-1","role":"ROLE_USER","contextId":"0b2701a1-e777-4cfe-8437-b94025f00069","parts":[{"text":"Hello"}]},"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}
	// platform was asked for access
	// runtime was sent {"message":{"messageId":"msg-client-1","role":"ROLE_USER","contextId":"0b2701a1-e777-4cfe-8437-b94025f00069","parts":[{"text":"Hello"}]},"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}
	// the runtime answered 403 again after access was refreshed: you may not use this session: no
}

// All that is wrong with a request is said at once, before anything is sent.
func ExampleInvalidArgumentError() {
	w, c := open(nil)
	defer w.server.Close()
	defer c.Close()

	_, err := c.Send(context.Background(), client.Request{SessionUID: session, Text: " ", Timeout: client.Total(-1)})
	if invalid, ok := errors.AsType[*client.InvalidArgumentError](err); ok {
		fmt.Println(strings.Join(invalid.Problems, "\n"))
	}
	// Output:
	// Text: is blank; write what the Agent is to answer
	// Timeout: total of -1 seconds: must be a finite number above zero
}
