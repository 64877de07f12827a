package suites

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestTimeline(t *testing.T) {
	t.Parallel()
	silentSend := newTape().call(1, timeout(2.5)).resolve(1.001, waiting("waking", "1500")).resolve(2.503, ready(token1)).
		send(2.505, token1, "", noAnswer(3.5, evidence.EndedByClient)).fails(3.5, evidence.TimedOut)
	limitAndMore := newTape().call(0, ofKind("task"), withFiles("a", "b"), pair(5, 30)).asks(0.001, evidence.OpGetAgent, "platform", "GET", "/"+strings.Repeat("long/", 30)).
		send(0.003, token1, "", limited(limitBody(limitInfo(`"90"`)))).fails(0.005, evidence.ServerFailed)
	brokenAnswer := newTape().call(0).resolve(0.001, "{}").send(0.003, token1, answered(), broken).send(0.005, token1, "", unscripted)
	stray := newTape().call(0).call(0).asks(0.001, evidence.OpUnknown, "other", "GET", "/x", ofCalls(1, 2)).resolve(0.003, ready(token1)).returns(0.005, answered())
	for name, tt := range map[string]struct {
		tape *tape
		mark []int
		want string
	}{
		"right": {plain(), []int{2}, `
   0.000000s  call: send "hello"
   0.001000s  POST /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/resolve-runtime-access/ (platform)
   0.002009s    200 OK: ready, can_submit true, ‹runtime-token:1›
>  0.003000s  POST /api/a2a/v1/message:send (runtime)
   0.004009s    200 OK: a Message
   0.005000s  the call returned a message`},
		"waiting, then silence": {silentSend, nil, `
   0.000000s  call: send "hello", timeout 2.5s
   0.001000s  POST /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/resolve-runtime-access/ (platform)
   0.002009s    200 OK: waking, can_submit false, retry_after_ms 1500
   1.503000s  POST /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/resolve-runtime-access/ (platform)
   1.504009s    200 OK: ready, can_submit true, ‹runtime-token:1›
   1.505000s  POST /api/a2a/v1/message:send (runtime)
   2.500000s    no answer yet when the client hung up
   2.500000s  the call ended with timeout (Errtimeout): canary error`},
		"task, files, a long target and an error": {limitAndMore, nil, `
   0.000000s  call: send "hello", response kind "task", timeout (5s, 30s), 2 files
   0.001000s  GET /long/long/long/long/long/long/long/long/long/long/long/long…ng/long/long/long/long/long/ (platform)
   0.002009s    200 OK: has a2a_profile absent
   0.003000s  POST /api/a2a/v1/message:send (runtime)
   0.004009s    504 Gateway Timeout: canary words
   0.005000s  the call ended with server_error (Errserver_error): canary error`},
		"cut, off script, never ended": {brokenAnswer, nil, `
   0.000000s  call: send "hello"
   0.001000s  POST /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/resolve-runtime-access/ (platform)
   0.002009s    200 OK: no can_submit
   0.003000s  POST /api/a2a/v1/message:send (runtime)
   0.004009s    200 OK: not one JSON object (not whole: 145 bytes were sent, ended by cut)
   0.005000s  POST /api/a2a/v1/message:send (runtime)
   0.006009s    418 I'm a teapot: no step (no step of the scenario foresaw this request)
  7200.000000s  end of what was watched, the call had not ended`},
		"a marked exchange of no certain call": {stray, []int{1}, `
   0.000000s  call: send "hello"
>  0.001000s  GET /x (other)
   0.002009s    200 OK
   0.003000s  POST /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/resolve-runtime-access/ (platform)
   0.004009s    200 OK: ready, can_submit true, ‹runtime-token:1›
   0.005000s  the call returned a message`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := newRun(&tt.tape.run, evidence.Subject{}, false)
			got := "\n" + timeline(run.Calls[len(run.Calls)-1], tt.mark)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("time-line differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTimelineTellsOfNoBeginningWhereNothingCame(t *testing.T) {
	t.Parallel()
	nothing := func(x *evidence.Exchange) { hang(0.5)(x); x.Response = &evidence.Response{} }
	c := begun(timeout(2)).send(0.003, token1, "", nothing).fails(1, evidence.Other).view(false).Calls[0]
	if got, want := c.Sends[0].answerWords(), "no answer yet when the client hung up"; got != want {
		t.Errorf("of an answer without a byte is said %q, want %q", got, want)
	}
}

// TestTimelineTellsOfABeginning: bytes before a whole head may be why a call ended, so they are named.
func TestTimelineTellsOfABeginning(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*evidence.Exchange){
		"no answer yet when the client hung up\n":                                    hang(0.5),
		"no answer yet when the client hung up (4 bytes of its head were sent)\n":    dripHead(0.1, 0.4),
		"no answer yet when the client hung up (4 bytes of 1xx answers were sent)\n": inform(0.1, 0.4),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			tape := begun(timeout(2)).send(0.003, token1, "", change, func(x *evidence.Exchange) {
				if x.Response != nil {
					x.Response.Sent = int64(len(x.Response.Writes))
				}
			}).fails(0.5, evidence.Transport)
			run := newRun(&tape.run, evidence.Subject{}, false)
			if seen := timeline(run.Calls[0], nil); !strings.Contains(seen, want) {
				t.Errorf("want %q in\n%s", want, seen)
			}
		})
	}
}

func TestLongTimelineLeavesOutItsMiddle(t *testing.T) {
	t.Parallel()
	tape := newTape().call(0)
	for i := range 40 {
		tape.resolve(float64(i), waiting("waking", "1000"))
	}
	run := newRun(&tape.run, evidence.Subject{}, false)
	seen := timeline(run.Calls[0], []int{20})
	if rows := strings.Count(seen, "POST"); rows != timelineRows+1 {
		t.Errorf("%d exchanges are shown, want %d and the marked one:\n%s", rows, timelineRows, seen)
	}
	for _, want := range []string{"…  14 more exchanges", "…  15 more exchanges", "> 19.000000s", "  39.000000s", "   4.000000s"} {
		if !strings.Contains(seen, want) {
			t.Errorf("the time-line does not show %q:\n%s", want, seen)
		}
	}
	if again := timeline(run.Calls[0], []int{20}); again != seen {
		t.Error("a second time-line of the same call differs")
	}
}

// TestTimelineEndsWithTheLastWordsOfACommand: why it failed stands there, without the id that it made.
func TestTimelineEndsWithTheLastWordsOfACommand(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é ", 300) + "blocked:\n  not today\nmessage id: msg-11112222-e777-4cfe-8437-b94025f00069\n"
	for name, tt := range map[string]struct {
		exit       int
		said, want string
	}{
		"failed":    {1, "blocked:\n  not today\n", "exit status 1, its last words: blocked: not today"},
		"much said": {1, long, "é blocked: not today message id: msg-‹uuid›"},
		"silent":    {1, "\n", "exit status 1"},
		"succeeded": {0, "a warning", "exit status 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := newRun(&newTape().call(0).exits(1, tt.exit, "", tt.said).run, evidence.Subject{}, false)
			if seen := timeline(run.Calls[0], nil); !strings.HasSuffix(seen, tt.want) || len(seen) > 600 {
				t.Errorf("want the end %q in\n%s", tt.want, seen)
			}
		})
	}
}

func TestEndingWords(t *testing.T) {
	t.Parallel()
	signalled := newTape().call(0).exits(1, -1, "", "")
	signalled.last().Command.Signal = "INT"
	for want, tape := range map[string]*tape{
		"the call had not ended":               newTape().call(0),
		"the call returned a message":          plain(),
		"the call returned a task":             newTape().call(0).ends(1, evidence.Outcome{Kind: evidence.OutcomeTask}),
		"the call ended with timeout (A)":      newTape().call(0).fails(1, evidence.TimedOut, named("A")),
		"the call ended with timeout":          newTape().call(0).fails(1, evidence.TimedOut, named("")),
		"the call ended with an error (A)":     newTape().call(0).fails(1, "", named("A")),
		"the command ended with exit status 3": newTape().call(0).exits(1, 3, "", ""),
		"the command was ended by INT":         signalled,
		"the command ended":                    newTape().call(0).ends(1, evidence.Outcome{Kind: evidence.OutcomePrinted}),
		"the call ended as crash":              newTape().call(0).ends(1, evidence.Outcome{Kind: evidence.OutcomeCrash}),
		"the call ended as unsupported":        newTape().call(0).ends(1, evidence.Outcome{Kind: evidence.OutcomeUnsupported}),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			if got := newRun(&tape.run, evidence.Subject{}, false).Calls[0].Ending(); got != want {
				t.Errorf("the ending is %q", got)
			}
		})
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	access := func(body string) string {
		return accessWords(newRun(&newTape().call(0).resolve(0, body).run, evidence.Subject{}, false).All[0].Access())
	}
	holds := func(body string) string {
		return holdingWords(newRun(&newTape().call(0).send(0, "", body).run, evidence.Subject{}, false).All[0].Answer())
	}
	long := strings.Repeat("é", 60)
	for _, tt := range []struct{ got, want string }{
		{access("<html>"), "no usable answer"},
		{access(waiting("waking", "null")), "waking, can_submit false"},
		{access(waiting("waking", `"x"`)), `waking, can_submit false, retry_after_ms "x"`},
		{access(`{"runtime_interaction":{}}`), "no can_submit"},
		{holds(`{"task":{}}`), "a Task"},
		{holds(`{"task":{},"message":{}}`), "a Message and a Task"},
		{holds(`{}`), "neither a Message nor a Task"},
		{holds(`[]`), "not one JSON object"},
		{quote(long), fmt.Sprintf("%q", strings.Repeat("é", 48)+"… (120 bytes)")},
		{clip("short", 5), "short"},
		{said(nil), "absent"},
		{ordinal(2), "second"},
		{ordinal(12), "12th"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestTimelineIsInTheOrderOfTime(t *testing.T) {
	t.Parallel()
	tp := newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, answered()).returns(0.005, answered())
	tp.call(0.01, func(c *evidence.Call) {
		c.Input.MessageID = evidence.Some(" ")
		c.Input.StrictDictionary = evidence.Some(true)
		c.Session = "odd/../x"
	}).fails(0.02, evidence.InvalidArgument, func(e *evidence.Error) { e.Text = "message msg-1 is refused" })
	run := newRun(&tp.run, evidence.Subject{}, false)
	got := timeline(run.Calls[1], []int{2})
	want := `> -0.007000s  another call: POST /api/a2a/v1/message:send (runtime)
  -0.005991s    200 OK: a Message
   0.000000s  call: send "hello", message id " ", strict dictionary, session "odd/../x"
   0.010000s  the call ended with invalid_argument (Errinvalid_argument): message msg-1 is refused`
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// An id that the client made is not shown: it differs from run to run.
	first := run.Calls[0]
	first.Outcome = &evidence.Outcome{Kind: evidence.OutcomeError, Error: &evidence.Error{Category: evidence.Other, Text: "message msg-1 failed"}}
	if got := timeline(first, nil); !strings.Contains(got, "message ‹message id› failed") {
		t.Errorf("the made id is shown:\n%s", got)
	}
}

// Ids that the client made are hidden in the text of its error, those that it was given are not.
func TestErrorTextHidesMadeIDs(t *testing.T) {
	t.Parallel()
	const given, strange = "11112222-e777-4cfe-8437-b94025f00069", "99998888-e777-4cfe-8437-b94025f00069"
	withID := func(id string) func(*evidence.Call) {
		return func(c *evidence.Call) { c.Input.MessageID = evidence.Some(id) }
	}
	for name, tt := range map[string]struct {
		tape *tape
		want string
	}{
		"a given id": {newTape().call(0, withID("my-1")).send(0.1, token1, answered()).
			fails(1, evidence.Other, text("message my-1 failed")), ": message my-1 failed"},
		"a made id": {newTape().call(0).send(0.1, token1, answered()).fails(1, evidence.Other, text("message msg-1 failed")), ": message ‹message id› failed"},
		"an empty id": {newTape().call(0).send(0.1, token1, answered(), requestBody("msg-1", "")).
			fails(1, evidence.Other, text("it failed")), ": it failed"},
		"no id in the body": {newTape().call(0).send(0.1, token1, answered(), requestBody(`"messageId":"msg-1",`, "")).
			fails(1, evidence.Other, text("it failed")), ": it failed"},
		"a given uuid":   {newTape().call(0, withID(given)).fails(1, evidence.Other, text("id "+given)), ": id " + given},
		"the session":    {newTape().call(0).fails(1, evidence.Other, text("in "+sessionUID)), ": in " + sessionUID},
		"another uuid":   {newTape().call(0).fails(1, evidence.Other, text("id "+strange)), ": id ‹uuid›"},
		"no text":        {newTape().call(0).fails(1, evidence.Other, text(" ")), ""},
		"a returned one": {plain(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.tape.view(false).Calls[0].errorText(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func text(s string) func(*evidence.Error) { return func(e *evidence.Error) { e.Text = s } }

func TestCallWords(t *testing.T) {
	t.Parallel()
	for want, edit := range map[string]func(*evidence.Call){
		`send "hello"`:                                                 func(*evidence.Call) {},
		`send "hello", message id "m"`:                                 func(c *evidence.Call) { c.Input.MessageID = evidence.Some("m") },
		`send "hello", response kind "task"`:                           task,
		`send "hello", timeout 2s`:                                     timeout(2),
		`send "hello", timeout (1s, 2s)`:                               pair(1, 2),
		`send "hello", session "0b2701a1-e777-4cfe-8437-b94025f0006:"`: func(c *evidence.Call) { c.Session = "0b2701a1-e777-4cfe-8437-b94025f0006:" },
		"send \"hello\", session \"`\"":                                func(c *evidence.Call) { c.Session = "`" },
		`send "hello", session "g"`:                                    func(c *evidence.Call) { c.Session = "g" },
		`get_task, Task "t"`: func(c *evidence.Call) {
			c.Op, c.Input = evidence.CallGetTask, evidence.Input{TaskID: evidence.Some("t")}
		},
		`wait_task, Task "t", every 1s, for 60s`: func(c *evidence.Call) {
			c.Op, c.Input = evidence.CallWaitTask, evidence.Input{
				TaskID: evidence.Some("t"), PollInterval: evidence.Some(evidence.Timeout{Total: 1}), WaitTimeout: evidence.Some(evidence.Timeout{Total: 60}),
			}
		},
		`send "hello", session "x", 2 files`: func(c *evidence.Call) { c.Session, c.Files = "x", make([]evidence.InputFile, 2) },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			if got := callWords(newTape().call(0, edit).view(false).Calls[0]); got != want {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestBodyWords(t *testing.T) {
	t.Parallel()
	const failure = `{"error":{"code":500,"message":"canary"}}`
	words := func(tape *tape) string { return tape.view(false).All[0].bodyWords() }
	if got := words(newTape().call(0).send(0, token1, "", status(500, failure))); !strings.Contains(got, "canary") {
		t.Errorf("of a failed send %q is said", got)
	}
	if got := words(newTape().call(0).send(0, token1, "", status(400, failure))); !strings.Contains(got, "canary") {
		t.Errorf("of a refused send %q is said", got)
	}
	for name, tape := range map[string]*tape{
		"a success of another kind":   newTape().call(0).send(0, token1, "", status(202, failure)),
		"a redirect":                  newTape().call(0).send(0, token1, "", status(307, failure)),
		"a failure that is not whole": newTape().call(0).send(0, token1, "", status(500, failure), broken),
		"a resolve of another kind":   newTape().call(0).resolve(0, "", status(202, ready(token1))),
	} {
		if got := words(tape); got != "" {
			t.Errorf("of %s %q is said", name, got)
		}
	}
	if got := ordinal(0) + " " + ordinal(9) + " " + ordinal(10) + " " + ordinal(-1); got != "zeroth ninth 10th -1th" {
		t.Errorf("ordinals are %s", got)
	}
	if got := clipFront("four", 4) + " " + clipFront("fives", 4); got != "four …ives" {
		t.Errorf("clipped: %s", got)
	}
}
