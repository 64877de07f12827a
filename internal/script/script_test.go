package script

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

const sendOp = evidence.OpSendMessage

// stage is a run to test with.
type stage struct {
	rec   *evidence.Recorder
	world *World
}

func newStage() *stage {
	rec := evidence.NewRecorder("stage", evidence.ClockVirtual, time.Now(), evidence.Tolerance{}, nil)
	return &stage{rec: rec, world: NewWorld(WorldConfig{
		Names: "stage", Nonce: "secret", Recorder: rec,
		Places: []Place{
			{scenarios.Endpoint{Name: "platform", Side: evidence.SidePlatform}, "http://platform.test:80"},
			{scenarios.Endpoint{Name: "runtime", Side: evidence.SideRuntime, Prefix: "/r", Slash: true}, "http://runtime.test:80"},
			{scenarios.Endpoint{Name: "moved", Side: evidence.SideRuntime, Prefix: "/m"}, "http://moved.test:80"},
		},
	})}
}

func (s *stage) script(when map[evidence.Op][]scenarios.Step) *Script {
	return New(when, s.world, s.rec)
}

// bearing is a header with a token.
func bearing(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

func once(line int, c *scenarios.Condition) scenarios.Step {
	return scenarios.Step{Times: 1, Line: line, If: c}
}

// TestConditions: every part of a condition holds and fails, alone, and says why.
func TestConditions(t *testing.T) {
	t.Parallel()
	s := newStage()
	mine, other := s.world.SessionUID("main"), s.world.SessionUID("other")
	access := s.world.RuntimeToken("first", mine, "platform", nil)
	first := s.rec.StartCall(evidence.Call{Client: "a", Session: mine})
	second := s.rec.StartCall(evidence.Call{Client: "b", Session: other})
	body := []byte(`{"message": {"messageId": "m", "parts": [{"text": "x"}]}}`)
	tests := []struct {
		name    string
		If      scenarios.Condition
		request Request
		why     string
	}{
		{"no condition", scenarios.Condition{}, Request{}, ""},
		{"the token", scenarios.Condition{Token: "first"}, Request{Header: bearing(access)}, ""},
		{"the token in other letters", scenarios.Condition{Token: "first"}, Request{Header: http.Header{"Authorization": {"bearer  " + access}}}, ""},
		{"another scheme", scenarios.Condition{Token: "first"}, Request{Header: http.Header{"Authorization": {"Basic " + access}}}, `its token is not "first"`},
		{"another token", scenarios.Condition{Token: "second"}, Request{Header: bearing(access)}, `its token is not "second"`},
		{"the platform's token", scenarios.Condition{Token: "platform"}, Request{Header: bearing(s.world.PlatformToken("main", "platform"))}, ""},
		{"no refresh token", scenarios.Condition{Token: "platform"}, Request{Header: bearing(s.world.RefreshToken("main", "platform"))}, `its token is not "platform"`},
		{"a header", scenarios.Condition{Header: map[string]string{"accept": "x/y"}}, Request{Header: http.Header{"Accept": {"a/b", "x/y"}}}, ""},
		{"any value", scenarios.Condition{Header: map[string]string{"Accept": ""}}, Request{Header: http.Header{"Accept": {"a/b"}}}, ""},
		{"another value", scenarios.Condition{Header: map[string]string{"Accept": "x"}}, Request{Header: http.Header{"Accept": {"a/b"}}}, "it has no header Accept: x"},
		{"no header", scenarios.Condition{Header: map[string]string{"Accept": ""}}, Request{}, "it has no header Accept"},
		{"a body", scenarios.Condition{Body: []byte(`{"message": {"messageId": "m"}}`)}, Request{Body: func() []byte { return body }}, ""},
		{"another body", scenarios.Condition{Body: []byte(`{"message": {"messageId": "n"}}`)}, Request{Body: func() []byte { return body }}, `its body does not contain {"message": {"messageId": "n"}}`},
		{"no JSON", scenarios.Condition{Body: []byte(`{"a": 1}`)}, Request{Body: func() []byte { return []byte("{") }}, `its body does not contain {"a": 1}`},
		{"no body", scenarios.Condition{Body: []byte(`"` + strings.Repeat("x", 200) + `"`)}, Request{}, `its body does not contain "` + strings.Repeat("x", 119) + "…"},
		{"a call", scenarios.Condition{Call: "one"}, Request{Calls: func() []int { return []int{first} }}, ""},
		{"perhaps a call", scenarios.Condition{Call: "one"}, Request{Calls: func() []int { return []int{first, second} }}, `it is not known to be of call "one"`},
		{"an unknown call", scenarios.Condition{Call: "three"}, Request{Calls: func() []int { return []int{0} }}, `it is not known to be of call "three"`},
		{"a client", scenarios.Condition{Client: "a"}, Request{Calls: func() []int { return []int{first} }}, ""},
		{"perhaps a client", scenarios.Condition{Client: "a"}, Request{Calls: func() []int { return []int{first, second} }}, `it is not known to be of client "a"`},
		{"no client", scenarios.Condition{Client: "a"}, Request{Calls: func() []int { return nil }}, `it is not known to be of client "a"`},
		{"a session", scenarios.Condition{Session: "main"}, Request{Session: mine}, ""},
		{"another session", scenarios.Condition{Session: "main"}, Request{Session: other}, `it is not of session "main"`},
		{"a session by its call", scenarios.Condition{Session: "other"}, Request{Calls: func() []int { return []int{second} }}, ""},
		{"another session by its call", scenarios.Condition{Session: "other"}, Request{Calls: func() []int { return []int{first} }}, `it is not of session "other"`},
		{"not answered", scenarios.Condition{After: &scenarios.AfterExchange{Op: sendOp, N: 1}}, Request{}, "runtime.send_message#1 has not been answered"},
		{"two reasons", scenarios.Condition{Token: "x", Session: "main"}, Request{}, `its token is not "x"; it is not of session "main"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			scr := s.script(map[evidence.Op][]scenarios.Step{sendOp: {once(4, &tt.If)}})
			scr.Name("one", first)
			if tt.request.Header == nil {
				tt.request.Header = http.Header{}
			}
			_, miss := scr.Take(sendOp, tt.request)
			switch {
			case tt.why == "" && miss != nil:
				t.Errorf("not taken: %s", miss)
			case tt.why != "" && (miss == nil || !strings.HasSuffix(miss.String(), "line 4, but "+tt.why)):
				t.Errorf("got %v", miss)
			}
		})
	}
}

// TestOrder: the first eligible step in file order wins, whatever was taken before.
func TestOrder(t *testing.T) {
	t.Parallel()
	s := newStage()
	scr := s.script(map[evidence.Op][]scenarios.Step{sendOp: {
		{Times: 1, Line: 1, If: &scenarios.Condition{Header: map[string]string{"X": ""}}},
		{Times: 2, Line: 2},
		{Times: 0, Line: 3, If: &scenarios.Condition{Header: map[string]string{"Y": ""}}},
	}})
	var got []string
	for _, header := range []http.Header{{}, {"Y": {""}}, {"Y": {""}}, {"X": {""}}, {"Y": {""}}, {"X": {""}}} {
		step, miss := scr.Take(sendOp, Request{Header: header})
		if miss != nil {
			got = append(got, miss.String())
			continue
		}
		got = append(got, strconv.Itoa(step.Line))
	}
	want := []string{"2", "2", "3", "1", "3", "no step of runtime.send_message takes this request; the nearest is that of line 3, but it has no header Y"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other steps answered (-want +got):\n%s", diff)
	}
}

func TestMisses(t *testing.T) {
	t.Parallel()
	s := newStage()
	scr := s.script(map[evidence.Op][]scenarios.Step{sendOp: {once(1, nil), once(7, nil)}})
	for range 2 {
		if _, miss := scr.Take(sendOp, Request{}); miss != nil {
			t.Fatal(miss)
		}
	}
	_, miss := scr.Take(sendOp, Request{})
	if want := "every step of runtime.send_message is used up; the last, in line 7: it has answered 1 of 1 times"; miss.String() != want {
		t.Errorf("got %q", miss)
	}
	_, miss = scr.Take(evidence.OpGetTask, Request{})
	if want := "the scenario has no step for runtime.get_task"; miss.String() != want {
		t.Errorf("got %q", miss)
	}
}

// TestFor: a step with a length of time counts it from its first match.
func TestFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		scr := newStage().script(map[evidence.Op][]scenarios.Step{sendOp: {{For: 3 * time.Second, Line: 1}, {Line: 2}}})
		<-time.After(time.Minute)
		var lines []int
		for range 5 {
			step, _ := scr.Take(sendOp, Request{})
			lines = append(lines, step.Line)
			<-time.After(time.Second)
		}
		if diff := cmp.Diff([]int{1, 1, 1, 2, 2}, lines); diff != "" {
			t.Errorf("other steps answered (-want +got):\n%s", diff)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		scr := newStage().script(map[evidence.Op][]scenarios.Step{sendOp: {{For: time.Second, Line: 1}}})
		_, _ = scr.Take(sendOp, Request{})
		<-time.After(time.Second)
		if _, miss := scr.Take(sendOp, Request{}); !strings.HasSuffix(miss.String(), "its 1s are over") {
			t.Errorf("got %v", miss)
		}
	})
}

// TestAfter: an exchange counts as answered from just before its last byte.
func TestAfter(t *testing.T) {
	t.Parallel()
	scr := newStage().script(map[evidence.Op][]scenarios.Step{
		sendOp: {once(1, &scenarios.Condition{After: &scenarios.AfterExchange{Op: evidence.OpResolveAccess, N: 2}})},
	})
	for n := 1; n <= 2; n++ {
		if got := scr.Arrived(evidence.OpResolveAccess); got != n {
			t.Errorf("the exchange is number %d, want %d", got, n)
		}
	}
	scr.Answered(evidence.OpResolveAccess, 1)
	if _, miss := scr.Take(sendOp, Request{}); miss == nil {
		t.Error("taken after the first answer")
	}
	scr.Answered(evidence.OpResolveAccess, 2)
	if _, miss := scr.Take(sendOp, Request{}); miss != nil {
		t.Error(miss)
	}
}

// TestOneLock: however many requests come at once, a step answers as often as it says.
func TestOneLock(t *testing.T) {
	t.Parallel()
	scr := newStage().script(map[evidence.Op][]scenarios.Step{sendOp: {
		{Times: 30, Line: 1, If: &scenarios.Condition{Body: []byte(`{}`)}}, {Times: 40, Line: 2}, {Times: 0, Line: 3},
	}})
	var mu sync.Mutex
	var wg sync.WaitGroup
	taken := map[int]int{}
	for range 200 {
		wg.Go(func() {
			step, miss := scr.Take(sendOp, Request{Body: func() []byte { return []byte("{}") }})
			if miss != nil {
				t.Error(miss)
			}
			mu.Lock()
			defer mu.Unlock()
			taken[step.Line]++
		})
	}
	wg.Wait()
	if diff := cmp.Diff(map[int]int{1: 30, 2: 40, 3: 130}, taken); diff != "" {
		t.Errorf("taken otherwise (-want +got):\n%s", diff)
	}
}

// TestLazyBody: a body is read only when a step that could answer asks for it, once, and without the lock.
func TestLazyBody(t *testing.T) {
	t.Parallel()
	scr := newStage().script(map[evidence.Op][]scenarios.Step{
		sendOp: {once(1, nil), once(2, &scenarios.Condition{Body: []byte(`{"a": 1}`)}), once(3, &scenarios.Condition{Body: []byte(`{"b": 1}`)})},
	})
	reads := 0
	request := Request{Body: func() []byte {
		reads++
		scr.Arrived(evidence.OpGetTask) // would wait for ever if the lock were held
		return []byte(`{"b": 1}`)
	}}
	if step, miss := scr.Take(sendOp, request); miss != nil || step.Line != 1 || reads != 0 {
		t.Errorf("step %d, %v, read %d times", step.Line, miss, reads)
	}
	if step, miss := scr.Take(sendOp, request); miss != nil || step.Line != 3 || reads != 1 {
		t.Errorf("step %d, %v, read %d times", step.Line, miss, reads)
	}
}

func TestLeftover(t *testing.T) {
	t.Parallel()
	conditional := &scenarios.Condition{Header: map[string]string{"X": ""}}
	scr := newStage().script(map[evidence.Op][]scenarios.Step{
		sendOp:              {{Times: 2, Line: 9}, {Times: 0, Line: 10}, {Times: 0, Line: 11, If: conditional}, {Times: 1, Line: 12, If: conditional}},
		evidence.OpGetTask:  {{Times: 1, Line: 3}, {For: time.Second, Line: 4}},
		evidence.OpGetAgent: {{Times: 1, Line: 9}},
	})
	_, _ = scr.Take(sendOp, Request{})
	_, _ = scr.Take(evidence.OpGetTask, Request{})
	want := []string{
		"line 4: the step of runtime.get_task has never answered",
		"line 9: the step of platform.get_agent has answered 0 of 1 times",
		"line 9: the step of runtime.send_message has answered 1 of 2 times",
		"line 10: the step of runtime.send_message has never answered",
		"line 12: the step of runtime.send_message has answered 0 of 1 times",
	}
	if diff := cmp.Diff(want, scr.Leftover()); diff != "" {
		t.Errorf("other steps are left over (-want +got):\n%s", diff)
	}
}

// TestAwait: whoever waits for an exchange learns of its arrival, before or after it asks.
func TestAwait(t *testing.T) {
	t.Parallel()
	s := newStage().script(nil)
	has := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	first, alsoFirst, second := s.Await(sendOp, 1), s.Await(sendOp, 1), s.Await(sendOp, 2)
	s.Arrived(evidence.OpResolveAccess)
	if has(first) {
		t.Error("an exchange of another operation was taken for the first send")
	}
	s.Arrived(sendOp)
	if !has(first) || !has(alsoFirst) || has(second) {
		t.Error("the first send has to be told to all that wait for it, and to nobody else")
	}
	if !has(s.Await(sendOp, 1)) {
		t.Error("what has arrived already is not told")
	}
}
