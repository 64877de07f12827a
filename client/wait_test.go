package client

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// wait makes one WaitTask with its defaults, unless the change says otherwise.
func (f *fakeNet) wait(c *Client, change func(*WaitRequest)) (*Task, error) {
	request := WaitRequest{SessionUID: session, TaskID: "t-1"}
	if change != nil {
		change(&request)
	}
	return c.WaitTask(f.t.Context(), request)
}

// looks lists when the runtime was asked.
func (f *fakeNet) looks() []time.Duration {
	var at []time.Duration
	for _, one := range f.requests(runtimeAddr) {
		at = append(at, one.at)
	}
	return at
}

func TestWaitUntilTheTaskIsOver(t *testing.T) {
	for _, end := range []TaskState{TaskCompleted, TaskFailed, TaskCanceled, TaskRejected, TaskInputRequired, TaskAuthRequired} {
		bubbleRun(t, string(end), func(t *testing.T) {
			f := newFakeNet(t).platform(admits()).runtime(
				working(TaskSubmitted), late(3*time.Second, working("TASK_STATE_NEW")), working("completed"), respond(200, works(end)))
			task, err := f.wait(f.client(), nil)
			if err != nil || task.State != end {
				t.Fatalf("got %v, %v", task, err)
			}
			second := time.Second // the pause counts from the end of a look
			if diff := cmp.Diff([]time.Duration{0, second, 5 * second, 6 * second}, f.looks()); diff != "" {
				t.Errorf("looks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWaitEndsAtItsLimit(t *testing.T) {
	second := time.Second
	for name, test := range map[string]struct {
		network     func(*fakeNet) *fakeNet
		poll, limit float64
		timeout     Timeout
		looks       []time.Duration
		after       time.Duration
		last        TaskState
		phase       Phase
	}{
		"the next look is too late": {
			func(f *fakeNet) *fakeNet {
				return f.platform(admits()).runtime(working(TaskSubmitted), working(TaskWorking))
			},
			4, 7, Timeout{}, []time.Duration{0, 4 * second}, 4 * second, TaskWorking, PhaseWait,
		},
		"the next look would be at the limit": {
			func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(working(TaskWorking)) },
			7, 7, Timeout{}, []time.Duration{0}, 0, TaskWorking, PhaseWait,
		},
		"a look is cut short": {
			func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(working(TaskWorking), silent()) },
			1, 7, Timeout{}, []time.Duration{0, second}, 7 * second, TaskWorking, PhaseWait,
		},
		"a resolve is cut short": {
			func(f *fakeNet) *fakeNet { return f.platform(silent()) },
			1, 7, Total(60), nil, 7 * second, "", PhaseWait,
		},
		"a look has its own timeout": {
			func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(working(TaskWorking), silent()) },
			1, 60, Total(7), []time.Duration{0, second}, 8 * second, TaskWorking, PhaseTotal,
		},
		"a look has phases": {
			func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(silent()) },
			1, 60, Phases(2, 7), []time.Duration{0}, 7 * second, "", PhaseRead,
		},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := test.network(newFakeNet(t))
			_, err := f.wait(f.client(), func(r *WaitRequest) { r.PollInterval, r.Limit, r.Timeout = &test.poll, &test.limit, test.timeout })
			if got := mustFail[*TimeoutError](t, err); got.Phase != test.phase {
				t.Errorf("got %v", got)
			}
			if took := time.Since(f.start); took != test.after {
				t.Errorf("took %v, want %v", took, test.after)
			}
			if diff := cmp.Diff(test.looks, f.looks()); diff != "" {
				t.Errorf("looks (-want +got):\n%s", diff)
			}
			last := mustFail[*TaskError](t, err).Last
			if (last == nil) != (test.last == "") || last != nil && last.State != test.last {
				t.Errorf("last seen %+v, want %q", last, test.last)
			}
		})
	}
}

func TestWaitHasAQuarterOfAnHour(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t)
		for range 901 { // access without an expiry is kept for a minute
			f.platform(admits()).runtime(working(TaskWorking))
		}
		_, err := f.wait(f.client(), nil)
		mustFail[*TimeoutError](t, err)
		if got := len(f.looks()); got != 900 || time.Since(f.start) != 899*time.Second {
			t.Errorf("%d looks, ended after %v", got, time.Since(f.start))
		}
	})
}

func TestWaitRefreshesInEachLook(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFakeNet(t).platform(admits(), admits(), admits())
		f.runtime(respond(401, ""), working(TaskWorking), respond(403, ""), working(TaskCompleted))
		if _, err := f.wait(f.client(), nil); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{resolve, getTask, resolve, getTask, getTask, resolve, getTask}, f.lines()); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
	})
}

func TestWaitEndsWhenALookFails(t *testing.T) {
	for name, test := range map[string]struct {
		network func(*fakeNet) *fakeNet
		check   func(*testing.T, error)
	}{
		"503": {func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(working(TaskWorking), respond(503, "")) }, failsAs[*ServerError]},
		"401 twice": {func(f *fakeNet) *fakeNet {
			return f.platform(admits(), admits()).runtime(respond(401, ""), respond(401, ""))
		}, failsAs[*UnauthorizedError]},
		"not ready": {func(f *fakeNet) *fakeNet { return f.platform(waking("900000")) }, failsAs[*NotReadyError]},
		"blocked":   {func(f *fakeNet) *fakeNet { return f.platform(respond(200, blocking("off", "null"))) }, failsAs[*BlockedError]},
		"not JSON":  {func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(respond(200, "")) }, failsAs[*InvalidResponseError]},
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := test.network(newFakeNet(t))
			task, err := f.wait(f.client(), nil)
			test.check(t, err)
			if task != nil || mustFail[*TaskError](t, err).Doing != "wait for" {
				t.Errorf("got %v, %v", task, err)
			}
		})
	}
}

func TestWaitEndsWhenTheCallerDoes(t *testing.T) {
	for name, network := range map[string]func(*fakeNet) *fakeNet{
		"looking": func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(silent()) },
		"pausing": func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(working(TaskWorking)) },
	} {
		bubbleRun(t, name, func(t *testing.T) {
			f := network(newFakeNet(t))
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			poll := 30.0
			_, err := f.client().WaitTask(ctx, WaitRequest{SessionUID: session, TaskID: "t-1", PollInterval: &poll})
			if _, found := errors.AsType[*TimeoutError](err); found || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want the caller's own error", err)
			}
		})
	}
}

func TestWaitRefusesArgumentsBeforeAnyRequest(t *testing.T) {
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		bubbleRun(t, "", func(t *testing.T) {
			f := newFakeNet(t)
			_, err := f.wait(f.client(), func(r *WaitRequest) { r.TaskID, r.PollInterval, r.Limit, r.Timeout = "", &bad, &bad, Total(bad) })
			found := strings.Join(mustFail[*InvalidArgumentError](t, err).Problems, "\n")
			for _, want := range []string{"TaskID: is blank", "PollInterval of", "Limit of", "Timeout: total of"} {
				if !strings.Contains(found, want) {
					t.Errorf("%v: %q does not say %q", bad, found, want)
				}
			}
		})
	}
}
