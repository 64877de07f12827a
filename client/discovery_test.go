package client

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sendTask makes one Send for a Task with a minute's budget.
func (f *fakeNet) sendTask(c *Client) (*Task, error) {
	result, err := c.Send(f.t.Context(), Request{
		SessionUID: session, Text: "Work on it.", MessageID: "msg-1", ResponseKind: KindTask, Timeout: Total(60),
	})
	if err != nil {
		return nil, err
	}
	return result.(*Task), nil
}

func (f *fakeNet) mustSendTask(c *Client) *Task {
	f.t.Helper()
	task, err := f.sendTask(c)
	if err != nil {
		f.t.Fatal(err)
	}
	return task
}

// lines lists the request lines that arrived, in order.
func (f *fakeNet) lines() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var lines []string
	for _, one := range f.seen {
		line, _, _ := strings.Cut(one.head, " HTTP/1.1\r\n")
		lines = append(lines, line)
	}
	return lines
}

const (
	getSession = "GET /api/v1/agent-sessions/" + session + "/"
	getAgent   = "GET /api/v1/agents/agent-1/"
	resolve    = "POST /api/v1/agent-sessions/" + session + "/resolve-runtime-access/"
	send       = "POST /api/a2a/v1/message:send"
	renew      = "POST /auth/jwt-token/token/refresh/"
	getTask    = "GET /api/a2a/v1/tasks/t-1"
	cancelTask = "POST /api/a2a/v1/tasks/t-1:cancel"
)

func TestSendForATaskDiscoversFirst(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(discovers()...).platform(admits()).runtime(working(TaskWorking))
		c := f.client()
		if task := f.mustSendTask(c); task.ID != "t-1" || task.ContextID != session || task.State != TaskWorking {
			t.Errorf("got %+v", task)
		}
		// Access may be remembered, what an Agent advertises may not.
		f.platform(discovers()...).runtime(working(TaskCompleted))
		f.mustSendTask(c)
		want := []string{getSession, getAgent, resolve, send, getSession, getAgent, send}
		if diff := cmp.Diff(want, f.lines()); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
		wantHead := getSession + " HTTP/1.1\r\nHost: platform.test\r\nUser-Agent: a2a-reference-client\r\n" +
			"Authorization: Bearer " + platformToken + "\r\nConnection: close\r\nAccept: application/json"
		if diff := cmp.Diff(wantHead, f.seen[0].head); diff != "" {
			t.Errorf("head of discovery (-want +got):\n%s", diff)
		}
		if body := f.seen[3].body; !strings.HasSuffix(body, `"responseKind":"task"}}`) {
			t.Errorf("sent %s", body)
		}
	})
}

func TestSendForATaskThatIsNotAdvertised(t *testing.T) {
	for name, test := range map[string]struct {
		platform []reply
		want     string
	}{
		"Message only":        {[]reply{knows("a"), advertises(`["message"]`)}, "only"},
		"no kind":             {[]reply{knows("a"), advertises(`[]`)}, "only"},
		"wrong case":          {[]reply{knows("a"), advertises(`["Task"]`)}, "only"},
		"kinds are text":      {[]reply{knows("a"), advertises(`"task"`)}, "not an array of texts"},
		"kinds are an object": {[]reply{knows("a"), advertises(`{"task":true}`)}, "not an array of texts"},
		"kinds are mixed":     {[]reply{knows("a"), advertises(`["task",1]`)}, "not an array of texts"},
		"kinds are null":      {[]reply{knows("a"), advertises(`null`)}, "not an array of texts"},
		"kinds are absent":    {[]reply{knows("a"), respond(200, `{"a2a_profile":{}}`)}, "is absent"},
		"no profile":          {[]reply{knows("a"), respond(200, `{}`)}, "no a2a_profile"},
		"profile is null":     {[]reply{knows("a"), respond(200, `{"a2a_profile":null}`)}, "no a2a_profile"},
		"profile is text":     {[]reply{knows("a"), respond(200, `{"a2a_profile":"task"}`)}, "not a JSON object"},
		"agent is an array":   {[]reply{knows("a"), respond(200, `[]`)}, "not a JSON object"},
		"agent is unknown":    {[]reply{knows("a"), respond(404, `{"detail":"Not found."}`)}, "Not found."},
		"no agent":            {[]reply{respond(200, `{"agent_uid":null}`)}, "agent_uid is null"},
		"agent is a number":   {[]reply{respond(200, `{"agent_uid":7}`)}, "agent_uid is 7"},
		"agent is a path":     {[]reply{knows("../users")}, "names no agent"},
		"agent absent":        {[]reply{respond(200, `{}`)}, "agent_uid is absent"},
		"session is HTML":     {[]reply{respond(200, `<html>`)}, "not one JSON value"},
		"session redirects":   {[]reply{respond(302, ``, "Location: /elsewhere")}, "redirect"},
		"repeats the token":   {[]reply{respond(200, `{"agent_uid":"/`+platformToken+`"}`)}, "left out"},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(test.platform...)
			_, err := f.sendTask(f.client())
			got := mustFail[*NotAdvertisedError](t, err)
			if !strings.Contains(got.Error(), test.want) {
				t.Errorf("got %q, want %q in it", got, test.want)
			}
			if mustFail[*SendError](t, err).MayHaveRun {
				t.Error("says that the message may have run")
			}
		})
	}
}

func TestDiscoveryThatFailsKeepsItsCause(t *testing.T) {
	for name, test := range map[string]struct {
		reply reply
		check func(*testing.T, error)
	}{
		"refused": {reply{dial: errors.New("refused")}, failsAs[*TransportError]},
		"cut":     {raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), failsAs[*TransportError]},
		"401":     {respond(401, ``), failsAs[*UnauthorizedError]},
		"403":     {respond(403, ``), failsAs[*UnauthorizedError]},
		"404":     {respond(404, ``), failsAs[*RejectedError]},
		"503":     {respond(503, ``, "Retry-After: 1"), failsAs[*ServerError]},
		"empty":   {respond(200, ``), failsAs[*InvalidResponseError]},
		"gzip":    {respond(200, `{}`, "Content-Encoding: gzip"), failsAs[*InvalidResponseError]},
	} {
		for _, before := range [][]reply{nil, {knows("agent-1")}} {
			bubbleRun(t, name, func(t *testing.T) {
				f := newFakeNet(t).platform(before...).platform(test.reply)
				_, err := f.sendTask(f.client())
				failsAs[*NotAdvertisedError](t, err)
				test.check(t, err)
			})
		}
	}
}

func TestDiscoveryIsPartOfTheBudget(t *testing.T) {
	for name, platform := range map[string][]reply{
		"session hangs":      {silent()},
		"session drips":      {dripped("HTTP/1.1 200 OK\r\n\r\n", " ", 700*time.Millisecond)},
		"agent hangs":        {late(30*time.Second, knows("agent-1")), silent()},
		"agent fails slowly": {knows("agent-1"), dripped("HTTP/1.1 503 x\r\n\r\n", "x", 700*time.Millisecond)},
		"access hangs":       {late(20*time.Second, knows("agent-1")), late(20*time.Second, advertises(`["task"]`)), silent()},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(platform...)
			_, err := f.sendTask(f.client())
			mustFail[*TimeoutError](t, err)
			if _, found := errors.AsType[*NotAdvertisedError](err); found {
				t.Errorf("the end of the budget became %v", err)
			}
			if took := time.Since(f.start); took != time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestSendForATaskRefreshesWithoutDiscovery(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(discovers()...).platform(admits(), admits()).runtime(respond(401, ``), working(TaskWorking))
		f.mustSendTask(f.client())
		if diff := cmp.Diff([]string{getSession, getAgent, resolve, send, resolve, send}, f.lines()); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
		if f.seen[3].body != f.seen[5].body {
			t.Error("the bodies differ")
		}
	})
}

func TestSendForATaskIsNotRepeated(t *testing.T) {
	for name, test := range map[string]struct {
		reply reply
		check func(*testing.T, error)
	}{
		"the limit is an ordinary 504": {respond(504, limitBody("90")), failsAs[*ServerError]},
		"503":                          {respond(503, ``, "Retry-After: 1"), failsAs[*ServerError]},
		"409":                          {respond(409, ``), failsAs[*RejectedError]},
		"reset":                        {raw(), failsAs[*TransportError]},
		"silent":                       {silent(), failsAs[*TimeoutError]},
		"a message":                    {says("hello"), failsAs[*InvalidResponseError]},
		"a bare task":                  {respond(200, works(TaskWorking)), failsAs[*InvalidResponseError]},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := newFakeNet(t).platform(discovers()...).platform(admits()).runtime(test.reply)
			_, err := f.sendTask(f.client())
			test.check(t, err)
			if _, found := errors.AsType[*MessageLimitError](err); found || !mustFail[*SendError](t, err).MayHaveRun {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSendForAMessageDiscoversNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(admits()).runtime(says("Hello"))
		f.mustSend(f.client())
		if diff := cmp.Diff([]string{resolve, send}, f.lines()); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
	})
}

func TestDiscoveryEndsWithTheCaller(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(silent())
		c := f.client()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := c.Send(ctx, Request{SessionUID: session, Text: "x", ResponseKind: KindTask, Timeout: Total(60)})
		if _, found := errors.AsType[*NotAdvertisedError](err); found || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the caller's own error", err)
		}
	})
}
