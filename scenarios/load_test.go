package scenarios

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestBuiltinLoadsAndExpands(t *testing.T) {
	t.Parallel()
	files, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, clock := range []evidence.Clock{evidence.ClockVirtual, evidence.ClockReal} {
			if cases := file.Cases(clock); len(cases) == 0 || len(cases) > maxCases {
				t.Errorf("%s has %d cases", file.Name, len(cases))
			}
		}
	}
}

func TestDesignExample(t *testing.T) {
	t.Parallel()
	files, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file.Name != "waking-then-ready" {
			continue
		}
		got := file.Cases(evidence.ClockReal)[0]
		want := Case{
			ID: "waking-then-ready", Scenario: "waking-then-ready", Chapter: "flow", File: "data/flow/waking-then-ready.yaml",
			About:  "The runtime wakes; the client waits as it is told, then sends once.",
			Covers: []string{"FLOW-05", "FLOW-06", "FLOW-07", "FLOW-08"},
			Settle: 300 * time.Millisecond,
			Calls: []CallStep{{Call: &Call{
				ID: "call-1", Op: "send", Client: "a", Session: "main", User: "main", Backend: "platform",
				Input: Input{
					Message: evidence.Some(Text{Value: "hello"}),
					Timeout: evidence.Some(evidence.Timeout{Total: 30}),
				},
			}}},
			When: map[evidence.Op][]Step{
				"platform.resolve_access": {
					{Times: 2, Line: 10, Reply: Reply{Wait: &Wait{State: "waking", RetryAfter: evidence.Some(600 * time.Millisecond)}}},
					{Times: 1, Line: 12, Reply: Reply{Ready: &Ready{Endpoint: "runtime", State: "ready"}}},
				},
				"runtime.send_message": {{Times: 1, Line: 14, Reply: Reply{Message: &Message{Text: "hello"}}}},
			},
			Expect: &Expect{
				Calls:  map[evidence.Op]int{"platform.resolve_access": 3, "runtime.send_message": 1},
				Result: map[string]ExpectResult{"call-1": {Is: "message"}},
			},
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateComparable(evidence.Opt[string]{}, evidence.Opt[bool]{}, evidence.Opt[float64]{}, evidence.Opt[Text]{}, evidence.Opt[evidence.Timeout]{}, evidence.Opt[time.Duration]{}, evidence.Opt[int64]{})); diff != "" {
			t.Error(diff)
		}
		return
	}
	t.Error("waking-then-ready is not there")
}
