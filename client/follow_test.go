package client

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// follower is GetTask or CancelTask.
type follower func(*Client, context.Context, TaskRequest) (*Task, error)

// followers maps the request line of each follower to it.
func followers() map[string]follower {
	return map[string]follower{getTask: (*Client).GetTask, cancelTask: (*Client).CancelTask}
}

// eachFollower runs a test once for get and once for cancel, each on a network
// of its own. follow asks for the Task t-1 with a minute's budget.
func eachFollower(t *testing.T, run func(f *fakeNet, line string, follow func(*Client) (*Task, error))) {
	t.Helper()
	for line, follow := range followers() {
		bubbleRun(t, line, func(t *testing.T) {
			run(newFakeNet(t), line, func(c *Client) (*Task, error) {
				return follow(c, t.Context(), TaskRequest{SessionUID: session, TaskID: "t-1", Timeout: Total(60)})
			})
		})
	}
}

func TestFollowOnTheWire(t *testing.T) {
	eachFollower(t, func(f *fakeNet, line string, follow func(*Client) (*Task, error)) {
		f.platform(admitsWith(runtimeToken, "http://runtime.test/pre")).runtime(working(TaskCanceled), respond(200, works(TaskFailed)))
		c := f.client()
		for _, want := range []TaskState{TaskCanceled, TaskFailed} { // the second with the access of the first
			task, err := follow(c)
			if err != nil || task.State != want {
				f.t.Errorf("got %+v, %v", task, err)
			}
		}
		line = strings.Replace(line, "/api", "/pre/api", 1)
		if diff := cmp.Diff([]string{resolve, line, line}, f.lines()); diff != "" {
			f.t.Errorf("requests (-want +got):\n%s", diff)
		}
		length := ""
		if strings.HasPrefix(line, "POST") {
			length = "Content-Length: 0\r\n"
		}
		want := seen{addr: runtimeAddr, head: line + " HTTP/1.1\r\nHost: runtime.test\r\nUser-Agent: a2a-reference-client\r\n" +
			"Authorization: Bearer " + runtimeToken + "\r\n" + length + "Connection: close\r\nAccept: application/a2a+json"}
		if diff := cmp.Diff(want, f.requests(runtimeAddr)[0], cmp.AllowUnexported(seen{})); diff != "" {
			f.t.Errorf("on the wire (-want +got):\n%s", diff)
		}
	})
}

func TestFollowRefreshesOnce(t *testing.T) {
	eachFollower(t, func(f *fakeNet, line string, follow func(*Client) (*Task, error)) {
		f.platform(admits(), waking("1000"), admits()).runtime(respond(403, ""), working(TaskWorking))
		if task, err := follow(f.client()); err != nil || task.State != TaskWorking || time.Since(f.start) != time.Second {
			f.t.Errorf("got %v, %v after %v", task, err, time.Since(f.start))
		}
		if diff := cmp.Diff([]string{resolve, line, resolve, resolve, line}, f.lines()); diff != "" {
			f.t.Errorf("requests (-want +got):\n%s", diff)
		}
	})
}

func TestFollowStopsAfterASecondRejection(t *testing.T) {
	eachFollower(t, func(f *fakeNet, _ string, follow func(*Client) (*Task, error)) {
		f.platform(admits(), admits()).runtime(respond(401, ""), respond(401, ""))
		c := f.client()
		_, err := follow(c)
		mustFail[*UnauthorizedError](f.t, err)
		f.platform(admits()).runtime(working(TaskWorking)) // the rejected access is gone
		if _, err := follow(c); err != nil {
			f.t.Error(err)
		}
	})
}

func TestFollowFails(t *testing.T) {
	for name, test := range map[string]struct {
		network func(*fakeNet) *fakeNet
		check   func(*testing.T, error)
		after   time.Duration
	}{
		"blocked":       {func(f *fakeNet) *fakeNet { return f.platform(respond(200, blocking("unavailable", "null"))) }, failsAs[*BlockedError], 0},
		"not ready":     {func(f *fakeNet) *fakeNet { return f.platform(waking("60000")) }, failsAs[*NotReadyError], 0},
		"resolve hangs": {func(f *fakeNet) *fakeNet { return f.platform(silent()) }, failsAs[*TimeoutError], time.Minute},
		"answer hangs":  {func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(silent()) }, failsAs[*TimeoutError], time.Minute},
		"not restarted": {func(f *fakeNet) *fakeNet {
			return f.platform(admits(), admits()).runtime(late(40*time.Second, respond(401, "")), silent())
		}, failsAs[*TimeoutError], time.Minute},
		"redirect":          {func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(respond(307, "", "Location: /x")) }, failsAs[*RejectedError], 0},
		"404":               {func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(respond(404, `{"detail":"unknown"}`)) }, failsAs[*RejectedError], 0},
		"503":               {func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(respond(503, "")) }, failsAs[*ServerError], 0},
		"limit is ordinary": {func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(respond(504, limitBody("90"))) }, failsAs[*ServerError], 0},
		"empty":             {func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(respond(200, "{}")) }, failsAs[*InvalidResponseError], 0},
		"another task": {func(f *fakeNet) *fakeNet {
			return f.platform(admits()).runtime(respond(200, strings.Replace(works(TaskWorking), "t-1", "t-2", 1)))
		}, failsAs[*InvalidResponseError], 0},
		"an unusable rpcURL": {func(f *fakeNet) *fakeNet { return f.platform(admitsWith(runtimeToken, "runtime.test")) }, failsAs[*InvalidResponseError], 0},
	} {
		t.Run(name, func(t *testing.T) {
			eachFollower(t, func(f *fakeNet, _ string, follow func(*Client) (*Task, error)) {
				test.network(f)
				task, err := follow(f.client())
				test.check(f.t, err)
				if _, limit := errors.AsType[*MessageLimitError](err); limit || task != nil {
					f.t.Errorf("got %v, %v", task, err)
				}
				if took := time.Since(f.start); took != test.after {
					f.t.Errorf("took %v, want %v", took, test.after)
				}
			})
		})
	}
}

func TestTaskIDStaysInItsSegment(t *testing.T) {
	for id, want := range map[string]string{
		"t-1":           "t-1",
		"a/../b":        "a%2F..%2Fb",
		"a?b#c":         "a%3Fb%23c",
		"a:cancel":      "a%3Acancel",
		"a b\r\nX: y":   "a%20b%0D%0AX%3A%20y",
		"50%":           "50%25",
		"ä\u202e":       "%C3%A4%E2%80%AE",
		"AZaz09-._~":    "AZaz09-._~",
		"...":           "...",
		"%2e%2e":        "%252e%252e",
		"a\\b;c,d+e&f=": "a%5Cb%3Bc%2Cd%2Be%26f%3D",
	} {
		bubbleRun(t, want, func(t *testing.T) {
			f := newFakeNet(t).platform(admits()).runtime(respond(404, ""))
			_, err := f.client().GetTask(t.Context(), TaskRequest{SessionUID: session, TaskID: id})
			mustFail[*RejectedError](t, err)
			if got := f.requests(runtimeAddr)[0].target(); got != "/api/a2a/v1/tasks/"+want {
				t.Errorf("asked for %s", got)
			}
		})
	}
}

func TestFollowRefusesArgumentsBeforeAnyRequest(t *testing.T) {
	for id, want := range map[string]int{"": 3, " ": 3, ".": 3, "..": 3, "\xff": 3, "t": 2} {
		for line, follow := range followers() {
			bubbleRun(t, line+" "+id, func(t *testing.T) {
				_, err := follow(newFakeNet(t).client(), t.Context(), TaskRequest{SessionUID: "a/b", TaskID: id, Timeout: Total(-1)})
				if got := len(mustFail[*InvalidArgumentError](t, err).Problems); got != want {
					t.Errorf("%d problems, want %d: %v", got, want, err)
				}
			})
		}
	}
}
