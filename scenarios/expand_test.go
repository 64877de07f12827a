package scenarios

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// plainly compares types whose members are not exported member by member.
func plainly() cmp.Option { return cmp.Exporter(func(reflect.Type) bool { return true }) }

func loadOne(t *testing.T, path string) *File {
	t.Helper()
	files, err := Load([]string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return files[0]
}

func TestIDsOfCases(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range loadOne(t, "testdata/everything.yaml").Cases(evidence.ClockVirtual) {
		got = append(got, c.ID)
	}
	want := []string{
		"everything/status=401,retry=null", "everything/status=401,retry=absent", "everything/status=401,retry=1s",
		"everything/status=403,retry=null", "everything/status=403,retry=absent", "everything/status=403,retry=1s",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLabelsAreShortAndDifferent(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 20)
	texts := []string{"1", "", "a b,c=d", "/message/role", long + "a", long + "b", "${absent}", "empty", "é\n\t!"}
	values := []*node{{kind: numberNode, text: "1"}}
	for _, text := range texts {
		values = append(values, &node{kind: textNode, text: text})
	}
	values = append(values, &node{kind: listNode, items: values[:2]})
	want := []string{
		"1", "1#2", "empty", "a_b_c_d", "/message/role", "long_long_long_long_long_long_lo…", "long_long_long_long_long_long_lo…#7",
		"absent", "empty#9", "é_", "1_1",
	}
	if diff := cmp.Diff(want, labelsOf(values)); diff != "" {
		t.Error(diff)
	}
}

func TestEveryMemberBecomesWhatItIs(t *testing.T) {
	t.Parallel()
	got := loadOne(t, "testdata/everything.yaml").Cases(evidence.ClockReal)[5]
	want := Case{
		ID: "everything/status=403,retry=1s", Scenario: "everything", File: "testdata/everything.yaml",
		About:  "Each member of the format once, first included.",
		Covers: []string{"FLOW-05"}, Needs: []string{"send", "timeout_pair"}, Slow: true, Alone: true, Settle: 2 * time.Second,
		Endpoints: []Endpoint{
			{Name: "moved", Side: "runtime", Prefix: "/p/Q%2F", Slash: true, Accepts: "yes"},
			{Name: "dead", Side: "runtime", Accepts: "refuse"},
			{Name: "second", Side: "platform", Accepts: "yes"},
		},
		Calls: everyCall(t),
		When: map[evidence.Op][]Step{
			"platform.resolve_access": everyAccessStep(),
			"platform.get_agent":      {{Times: 1, Line: 51, Reply: Reply{Default: true}}},
			"runtime.send_message":    everyMessageStep(),
			"runtime.get_task":        {{Times: 1, Line: 71, Reply: Reply{Task: &Task{ID: "t", State: "TASK_STATE_WORKING", Text: "x", Bare: true}}}},
		},
		Expect: &Expect{
			Calls:  map[evidence.Op]int{"runtime.send_message": 2},
			Result: map[string]ExpectResult{"first": {Is: "task"}, "call-2": {Is: "timeout"}},
		},
	}
	if diff := cmp.Diff(want, got, plainly(), cmp.Comparer(sameNumber)); diff != "" {
		t.Error(diff)
	}
}

// everyCall is the calls of everything.yaml.
func everyCall(t *testing.T) []CallStep {
	t.Helper()
	after := 3 * time.Second
	return []CallStep{
		{Call: &Call{
			ID: "first", Op: "send", Client: "b", Session: "other", User: "anna", Backend: "second",
			After: 5 * time.Millisecond, CancelAfter: &after,
			Input: Input{
				Message: evidence.Some(Text{Repeat: "ab", Bytes: 5}), MessageID: evidence.Null[string](),
				StrictDictionary: evidence.Some(true), JSONRepairAttempts: evidence.Some(1.5), ResponseKind: evidence.Some("task"),
				Timeout: evidence.Some(evidence.Timeout{Pair: true, Connect: 5, Read: 7.25}),
				Files:   []InputFile{{Name: "a.pdf", MediaType: "application/pdf", Size: 3}, {Name: "b.pdf", Missing: true}},
			},
		}},
		{Pause: 61 * time.Second},
		{Together: []Call{
			task("call-2", "get_task", Input{TaskID: evidence.Some("${first.task_id}"), Timeout: word(t, `"NaN"`)}),
			task("call-3", "cancel_task", Input{Timeout: word(t, `"-Infinity"`)}),
			task("call-4", "wait_task", Input{
				PollInterval: evidence.Some(evidence.Timeout{Total: 0.5}), WaitTimeout: evidence.Some(evidence.Timeout{Total: -1}),
				Timeout: evidence.Null[evidence.Timeout](),
			}),
			task("call-5", "send", Input{Message: evidence.Null[Text](), Timeout: evidence.Some(evidence.Timeout{Total: 17})}),
		}},
	}
}

// everyAccessStep is how the platform of everything.yaml answers who asks for access.
func everyAccessStep() []Step {
	return []Step{
		{
			Times: 3, Line: 42, If: &Condition{
				Token: "platform", Header: map[string]string{"X-A": ""}, Call: "first", Client: "b", Session: "other",
				After: &AfterExchange{Op: "runtime.send_message", N: 2},
			},
			Reply: Reply{Wait: &Wait{State: "waking", RetryAfter: evidence.Some(time.Second), Notice: "n", Detail: "d"}},
		},
		{For: 3 * time.Second, Line: 45, Reply: Reply{Stop: &Stop{State: "unavailable", Notice: "n", Detail: "d"}}},
		{Times: 1, Line: 47, Reply: Reply{
			Ready: &Ready{Token: "one", ExpiresIn: evidence.Some(-time.Second), Endpoint: "moved", State: "warning"},
			With:  &Edit{Set: map[string][]byte{"/a": []byte("null"), "/b": []byte(`{"z":1,"a":[1.50,"<"]}`)}, Remove: []string{"/c"}},
		}},
		{Times: 0, Line: 48, Reply: Reply{Ready: &Ready{ExpiresIn: evidence.Null[time.Duration](), Endpoint: "runtime", State: "ready"}}},
	}
}

// everyMessageStep is how the runtime of everything.yaml answers a message.
func everyMessageStep() []Step {
	text := "HTTP/1.1 200 OK\r\n\r\n"
	return []Step{
		{
			Times: 1, Line: 53, If: &Condition{Body: []byte(`{"message":{"parts":[{"text":"hello"}]}}`)},
			Reply: Reply{RPCError: &RPCError{HTTP: 503, Status: "UNAVAILABLE", Message: "m", Reason: "r", Domain: "d", Metadata: []byte(`{"a":"1"}`)}},
		},
		{
			Times: 1, Line: 55, Reply: Reply{Detail: &Detail{HTTP: 403, Text: "t", Header: map[string]string{"Retry-After": "1"}}},
			Wire: Wire{
				HeadAfter: time.Second, Pace: &Pace{Bytes: 2, Every: 3 * time.Second, Head: true}, Finish: "reset",
				Informational: &Informational{Statuses: []int{100, 103}, Times: 1}, Gzip: true,
				ContentType: evidence.Null[string](), ContentLength: evidence.Some(int64(4)),
			},
		},
		{
			Times: 1, Line: 57, Reply: Reply{Redirect: &Redirect{Status: 307, To: "dead"}},
			Wire: Wire{Cut: &Cut{After: "status-line", How: "hang"}, Early: true},
		},
		{
			Times: 1, Line: 59, Reply: Reply{Raw: &Raw{
				Status: 200, Header: map[string][]string{"A": {"b", "c"}, "D": {"e"}}, Body: []byte(`{"z":1,"a":1180591620717411303424}`),
			}},
			Wire: Wire{Cut: &Cut{Bytes: 4, How: "reset"}, Upload: &Upload{StopAfter: 9, Bytes: 3, Every: 1010 * time.Millisecond}},
		},
		{
			Times: 1, Line: 61, Reply: Reply{Raw: &Raw{Status: 200, Body: []byte("plain")}},
			Wire: Wire{
				Informational: &Informational{Statuses: []int{102}, Every: 2 * time.Second},
				Upload:        &Upload{StopAfter: -1, Bytes: 3, Every: 1010 * time.Millisecond},
			},
		},
		{
			Times: 1, Line: 63, Reply: Reply{Raw: &Raw{Status: 200, Body: []byte{0, 1}}},
			Wire: Wire{Informational: &Informational{Statuses: []int{102}, Every: 2 * time.Second, Times: 4}},
		},
		{Times: 1, Line: 65, Reply: Reply{Raw: &Raw{Status: 204}}},
		{Times: 1, Line: 66, Reply: Reply{Bytes: &text}},
		{Times: 1, Line: 67, Reply: Reply{Message: &Message{Parts: []byte(`[{"data":null}]`)}}},
		{Times: 1, Line: 68, Reply: Reply{MessageLimit: &MessageLimit{After: 90 * time.Second}}},
		{Times: 1, Line: 69, Reply: Reply{MessageLimit: &MessageLimit{After: 2 * time.Second, Metadata: []byte(`{"limitSeconds":45}`)}}},
	}
}

func task(id string, op evidence.CallOp, input Input) Call {
	return Call{ID: id, Op: op, Client: "a", Session: "main", User: "main", Backend: "platform", Input: input}
}

func word(t *testing.T, text string) evidence.Opt[evidence.Timeout] {
	t.Helper()
	var timeout evidence.Opt[evidence.Timeout]
	if err := timeout.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return timeout
}

// sameNumber takes NaN for equal to itself.
func sameNumber(a, b float64) bool { return a == b || a != a && b != b }

func TestNullAndAbsentStayDifferent(t *testing.T) {
	t.Parallel()
	var got []evidence.Opt[time.Duration]
	for _, c := range loadOne(t, "testdata/everything.yaml").Cases(evidence.ClockVirtual)[:3] {
		got = append(got, c.When[evidence.OpResolveAccess][0].Reply.Wait.RetryAfter)
	}
	want := []evidence.Opt[time.Duration]{evidence.Null[time.Duration](), evidence.Absent[time.Duration](), evidence.Some(time.Second)}
	if diff := cmp.Diff(want, got, plainly()); diff != "" {
		t.Error(diff)
	}
}

func TestCasesAreEqualEachTime(t *testing.T) {
	t.Parallel()
	file := loadOne(t, "testdata/everything.yaml")
	if diff := cmp.Diff(file.Cases(evidence.ClockVirtual), file.Cases(evidence.ClockVirtual), plainly(), cmp.Comparer(sameNumber)); diff != "" {
		t.Error(diff)
	}
}
