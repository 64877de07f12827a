package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// send makes one Send with a minute's budget.
func (f *fakeNet) send(c *Client) (Result, error) {
	return c.Send(f.t.Context(), Request{SessionUID: session, Text: "What can you do?", MessageID: "msg-1", Timeout: Total(60)})
}

// mustSend expects the Agent's answer.
func (f *fakeNet) mustSend(c *Client) *Message {
	f.t.Helper()
	result, err := f.send(c)
	if err != nil {
		f.t.Fatal(err)
	}
	return result.(*Message)
}

// mustFail expects an error of type T, reached through a *SendError or a
// *TaskError.
func mustFail[T error](t *testing.T, err error) T {
	t.Helper()
	var (
		sent     *SendError
		followed *TaskError
		want     T
	)
	if !errors.As(err, &sent) && !errors.As(err, &followed) || !errors.As(err, &want) {
		t.Fatalf("got %T %v, want a SendError or TaskError with a %T", err, err, want)
	}
	if strings.Contains(err.Error(), runtimeToken) || strings.Contains(err.Error(), platformToken) {
		t.Errorf("the error shows a token: %v", err)
	}
	return want
}

// bubble runs a test on virtual time. That it returns shows, too, that nothing
// of the calls is left running.
func bubble(t *testing.T, run func(*testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, run)
}

func TestSendOnTheWire(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(admitsWith(runtimeToken, "http://User:pass@Runtime.test/Pre%2fFix/")).runtime(says("Hello"))
		f.replies["Runtime.test:80"] = f.replies[runtimeAddr]
		if got := f.mustSend(f.client()).Text(); got != "Hello" {
			t.Errorf("got the answer %q", got)
		}
		want := []seen{{
			addr: platformAddr,
			head: "POST /api/v1/agent-sessions/" + session + "/resolve-runtime-access/ HTTP/1.1\r\n" +
				"Host: platform.test\r\nUser-Agent: a2a-reference-client\r\nAuthorization: Bearer " + platformToken + "\r\n" +
				"Content-Length: 2\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json",
			body: "{}",
		}, {
			addr: "Runtime.test:80",
			head: "POST /Pre%2fFix/api/a2a/v1/message:send HTTP/1.1\r\n" +
				"Host: Runtime.test\r\nUser-Agent: a2a-reference-client\r\nAuthorization: Bearer " + runtimeToken + "\r\n" +
				"Content-Length: 221\r\nConnection: close\r\nContent-Type: application/a2a+json\r\nAccept: application/a2a+json\r\n" +
				"A2A-Extensions: https://mainsequence.ai/a2a/extensions/response-kind/v1",
			body: `{"message":{"messageId":"msg-1","role":"ROLE_USER","contextId":"` + session + `","parts":[{"text":"What can you do?"}]},` +
				`"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}`,
		}}
		if diff := cmp.Diff(want, f.seen, cmp.AllowUnexported(seen{})); diff != "" {
			t.Errorf("on the wire (-want +got):\n%s", diff)
		}
	})
}

func TestSendWaitsAsDirected(t *testing.T) {
	bubble(t, func(t *testing.T) {
		slowBody := reply{play: func(conn net.Conn) {
			text := response(200, blocking("starting", "2000"))
			half := len(text) - 10
			_, _ = conn.Write([]byte(text[:half]))
			<-time.After(3 * time.Second)
			_, _ = conn.Write([]byte(text[half:]))
		}}
		f := newFakeNet(t).platform(waking("1500"), waking("0"), slowBody, admits()).runtime(says("Good morning"))
		f.mustSend(f.client())
		var at []time.Duration
		for _, one := range f.requests(platformAddr) {
			at = append(at, one.at)
		}
		// The last wait counts from the last byte of the answer before it.
		want := []time.Duration{0, 1500 * time.Millisecond, 1500 * time.Millisecond, 6500 * time.Millisecond}
		if diff := cmp.Diff(want, at); diff != "" {
			t.Errorf("times of the resolves (-want +got):\n%s", diff)
		}
	})
}

func TestSendRefreshesOnce(t *testing.T) {
	for name, rejection := range map[string]reply{
		"401":                respond(401, `{"detail":"expired"}`),
		"403 as HTML":        respond(403, "<html>"),
		"401 with no body":   raw("HTTP/1.1 401 x\r\n\r\n"),
		"401, body stalls":   stalled("HTTP/1.1 401 x\r\nContent-Length: 100\r\n\r\n{"),
		"403, body cut":      raw("HTTP/1.1 403 x\r\nContent-Length: 100\r\n\r\n{"),
		"401, nothing taken": {deaf: true, play: raw("HTTP/1.1 401 x\r\nContent-Length: 9\r\n\r\n").play},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFakeNet(t).platform(admits(), waking("1000"), admitsWith("freshTokenOfTheTests", "http://moved.test:81/x")).runtime(rejection)
				f.replies["moved.test:81"] = []reply{says("Hello")}
				f.mustSend(f.client())
				if took := time.Since(f.start); took != time.Second {
					t.Errorf("took %v, want the directed second", took)
				}
				second := f.requests("moved.test:81")[0]
				if !strings.Contains(second.head, "Bearer freshTokenOfTheTests\r\n") || second.target() != "/x/api/a2a/v1/message:send" {
					t.Errorf("the second send was\n%s", second.head)
				}
				if first := f.requests(runtimeAddr); len(first) > 0 && first[0].body != second.body {
					t.Errorf("the bodies differ:\n%s\n%s", first[0].body, second.body)
				}
			})
		})
	}
}

func TestSendStopsAfterASecondRejection(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(admits(), admits()).runtime(respond(401, ""), respond(403, ""))
		c := f.client()
		_, err := f.send(c)
		if got := mustFail[*UnauthorizedError](t, err); got.Status != 403 || got.Server != serverRuntime {
			t.Errorf("got %+v", got)
		}
		// The rejected access is gone: the next call asks again.
		f.platform(admits()).runtime(says("Hello"))
		f.mustSend(c)
		if got := len(f.requests(platformAddr)); got != 3 {
			t.Errorf("%d resolves, want 3", got)
		}
	})
}

func TestSendObeysTheFreshAdmission(t *testing.T) {
	t.Run("terminal", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			f := newFakeNet(t).platform(admits(), respond(200, blocking("unavailable", "null"))).runtime(respond(401, ""))
			_, err := f.send(f.client())
			if got := mustFail[*BlockedError](t, err); got.State != "unavailable" {
				t.Errorf("got %+v", got)
			}
		})
	})
	t.Run("does not fit", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			f := newFakeNet(t).platform(admits(), waking("60000")).runtime(respond(401, ""))
			_, err := f.send(f.client())
			got := mustFail[*NotReadyError](t, err)
			if !got.AfterRejection || strings.Contains(err.Error(), "; nothing was sent") || mustFail[*SendError](t, err).MayHaveRun {
				t.Errorf("the error forgets the rejected send: %v", err)
			}
		})
	})
}

func TestSendIsNotRepeated(t *testing.T) {
	statuses := []int{101, 204, 301, 302, 303, 307, 308, 400, 402, 404, 407, 408, 409, 413, 415, 421, 422, 425, 429, 500, 502, 503, 504}
	for _, status := range statuses {
		bubbleRun(t, response(status, "")[9:12], func(t *testing.T) {
			f := newFakeNet(t).platform(admits()).runtime(respond(status, "", "Retry-After: 1", "Location: http://elsewhere.test/"))
			_, err := f.send(f.client())
			if sent := mustFail[*SendError](t, err); !sent.MayHaveRun || sent.MessageID != "msg-1" {
				t.Errorf("got %+v", sent)
			}
			var (
				server   *ServerError
				rejected *RejectedError
				invalid  *InvalidResponseError
			)
			isServer, isRejected, isInvalid := errors.As(err, &server), errors.As(err, &rejected), errors.As(err, &invalid)
			if isServer != (status >= 500) || isInvalid != (status/100 == 2) || isRejected == (isServer || isInvalid) {
				t.Errorf("status %d became %v", status, err)
			}
		})
	}
}

func bubbleRun(t *testing.T, name string, run func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { bubble(t, run) })
}

func TestSendWhenTheConnectionBreaks(t *testing.T) {
	for name, broken := range map[string]reply{
		"refused":           {dial: errors.New("connection refused")},
		"closed":            raw(),
		"head cut":          raw("HTTP/1.1 200 OK\r\nContent-"),
		"body cut":          raw("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{}"),
		"chunk cut":         raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"),
		"not HTTP":          raw("SSH-2.0-" + runtimeToken + "\r\n\r\n"),
		"a head too long":   raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", maxHeadBytes)),
		"two lengths":       raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"),
		"closed, body left": {deaf: true, play: func(net.Conn) {}},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(admits()).runtime(broken)
			_, err := f.send(f.client())
			if got := mustFail[*TransportError](t, err); got.Server != serverRuntime || errors.Unwrap(got) == nil {
				t.Errorf("got %+v", got)
			}
			if got, want := mustFail[*SendError](t, err).MayHaveRun, name != "refused"; got != want {
				t.Errorf("MayHaveRun %v, want %v", got, want)
			}
		})
	}
}

func TestSendTakesAnswersOfManyForms(t *testing.T) {
	body := answering("Hello")
	for name, form := range map[string]reply{
		"after 1xx":        raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n", response(200, body)),
		"until the end":    raw("HTTP/1.1 200 OK\r\n\r\n" + body),
		"chunked":          raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n" + chunk(body[1:]) + "0\r\n\r\n"),
		"201":              respond(201, body),
		"other media type": respond(200, body, "Content-Type: text/plain"),
		"identity":         respond(200, body, "Content-Encoding: identity"),
		"before the body":  {deaf: true, play: raw(response(200, body)).play},
		"white space":      respond(200, " \n"+body+"\r\n\t"),
		"held open":        stalled(response(200, body)),
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(admits()).runtime(form)
			if got := f.mustSend(f.client()).Text(); got != "Hello" {
				t.Errorf("got %q", got)
			}
			if took := time.Since(f.start); took != 0 {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestSendRefusesUnusableAnswers(t *testing.T) {
	for name, form := range map[string]reply{
		"gzip":      respond(200, answering("Hello"), "Content-Encoding: gzip"),
		"a task":    respond(200, `{"task":{"id":"t"}}`),
		"our token": respond(200, `{"message":{"role":"`+runtimeToken+`"}}`),
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(admits()).runtime(form)
			_, err := f.send(f.client())
			mustFail[*InvalidResponseError](t, err)
		})
	}
}

func TestSendWhenResolveFails(t *testing.T) {
	good := admitting(runtimeToken, "http://runtime.test", "")
	for name, test := range map[string]struct {
		reply reply
		check func(*testing.T, error)
	}{
		"redirect":     {respond(307, good, "Location: http://platform.test/other"), failsAs[*RejectedError]},
		"404":          {respond(404, good), failsAs[*RejectedError]},
		"401":          {respond(401, good), failsAs[*UnauthorizedError]},
		"503":          {respond(503, good, "Retry-After: 1"), failsAs[*ServerError]},
		"gzip":         {respond(200, good, "Content-Encoding: gzip"), failsAs[*InvalidResponseError]},
		"cut":          {raw(response(200, good)[:90]), failsAs[*TransportError]},
		"refused":      {reply{dial: errors.New("refused")}, failsAs[*TransportError]},
		"closed":       {raw(), failsAs[*TransportError]},
		"not JSON":     {respond(200, "<html>"), failsAs[*InvalidResponseError]},
		"no direction": {waking("null"), failsAs[*InvalidResponseError]},
		"terminal":     {respond(200, blocking("gone fishing", "1000")), failsAs[*BlockedError]},
		"limit":        {respond(504, limitBody("90")), failsAs[*ServerError]},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(test.reply)
			_, err := f.send(f.client())
			test.check(t, err)
			if mustFail[*SendError](t, err).MayHaveRun {
				t.Error("says that the message may have run")
			}
			if _, found := errors.AsType[*MessageLimitError](err); found {
				t.Error("the platform's 504 became the Message limit")
			}
		})
	}
}

func failsAs[T error](t *testing.T, err error) {
	t.Helper()
	_ = mustFail[T](t, err)
}

func TestSendRefusesArgumentsBeforeAnyRequest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		zero := 0
		_, err := newFakeNet(t).client().Send(t.Context(), Request{
			SessionUID: "a/../b", Text: " \n", MessageID: "\t", Files: []File{{Path: "missing.pdf"}},
			JSONRepairAttempts: &zero, ResponseKind: "poem", Timeout: Phases(0, -1),
		})
		if got := len(mustFail[*InvalidArgumentError](t, err).Problems); got != 8 {
			t.Errorf("%d problems, want all 8: %v", got, err)
		}
	})
}

func TestSendMakesMessageIDs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(respond(500, ""), respond(500, ""))
		c, ids := f.client(), map[string]bool{}
		for range 2 {
			_, err := c.Send(t.Context(), Request{SessionUID: session, Text: "x"})
			ids[mustFail[*SendError](t, err).MessageID] = true
		}
		if len(ids) != 2 || ids[""] {
			t.Errorf("ids %v", ids)
		}
		c.newMessageID = func() string { return " " }
		_, err := c.Send(t.Context(), Request{SessionUID: session, Text: "x"})
		mustFail[*InvalidArgumentError](t, err)
	})
}

func TestSendEndsWhenTheCallerDoes(t *testing.T) {
	bubbleRun(t, "before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := newFakeNet(t).client().Send(ctx, Request{SessionUID: session, Text: "x", Timeout: Total(60)})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	for name, f := range map[string]func(*fakeNet) *fakeNet{
		"connecting": func(f *fakeNet) *fakeNet { return f.platform(reply{hangs: true}) },
		"resolving":  func(f *fakeNet) *fakeNet { return f.platform(silent()) },
		"waiting":    func(f *fakeNet) *fakeNet { return f.platform(waking("30000")) },
		"sending":    func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(silent()) },
		"reading":    func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(stalled("HTTP/1.1 500 x\r\n\r\n{")) },
	} {
		bubbleRun(t, name, func(t *testing.T) {
			network := f(newFakeNet(t))
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			_, err := network.client().Send(ctx, Request{SessionUID: session, Text: "x", Timeout: Total(60)})
			var timeout *TimeoutError
			if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) {
				t.Errorf("got %v, want the caller's own error", err)
			}
			if took := time.Since(network.start); took != 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
