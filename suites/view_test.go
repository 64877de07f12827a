package suites

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// view derives the view of the tape; with onScript calls end at what no script foresaw.
func (t *tape) view(onScript bool) *Run {
	return newRun(&t.run, evidence.Subject{Kind: evidence.KindReference}, onScript)
}

func seqs(exchanges []*Exchange) []int {
	var out []int
	for _, x := range exchanges {
		out = append(out, x.Seq)
	}
	return out
}

func TestBudget(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		edit []func(*evidence.Call)
		want Budget
	}{
		"the default": {nil, Budget{
			Usable: true, Default: true, Pair: true, Connect: 5 * time.Second, Read: 900 * time.Second,
			Total: 905 * time.Second, End: at(906),
		}},
		"a number":                 {[]func(*evidence.Call){timeout(2.3)}, Budget{Usable: true, Total: 2300 * time.Millisecond, End: at(3.3)}},
		"a pair is its sum":        {[]func(*evidence.Call){pair(0.1, 0.2)}, Budget{Usable: true, Pair: true, Connect: 100 * time.Millisecond, Read: 200 * time.Millisecond, Total: 300 * time.Millisecond, End: at(1.3)}},
		"zero":                     {[]func(*evidence.Call){timeout(0)}, Budget{}},
		"negative":                 {[]func(*evidence.Call){timeout(-1)}, Budget{}},
		"not a number":             {[]func(*evidence.Call){timeout(math.NaN())}, Budget{}},
		"infinite":                 {[]func(*evidence.Call){timeout(math.Inf(1))}, Budget{}},
		"longer than any run":      {[]func(*evidence.Call){timeout(1e12)}, Budget{}},
		"half of a pair is no use": {[]func(*evidence.Call){pair(0, 5)}, Budget{Pair: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newTape().call(1, tt.edit...).view(false).Calls[0].Budget
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("budget differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExchangesOfACall(t *testing.T) {
	t.Parallel()
	run := newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, answered()).returns(0.005, answered()).
		call(1).resolve(1.001, ready(token1), ofCalls(1, 2)).resolve(1.002, ready(token1), to("other")).send(1.003, token1, answered()).
		returns(1.005, answered()).view(false)
	first, second := run.Calls[0], run.Calls[1]
	for what, tt := range map[string]struct{ got, want []int }{
		"all of the run":                     {seqs(run.All), []int{1, 2, 3, 4, 5}},
		"what is certain of the first":       {seqs(first.Exchanges), []int{1, 2}},
		"what may be of the first":           {seqs(first.Maybe), []int{3}},
		"what is certain of the second":      {seqs(second.Exchanges), []int{4, 5}},
		"resolves that reached the platform": {seqs(second.Resolves), nil},
		"sends":                              {seqs(second.Sends), []int{5}},
		"what reached the runtime":           {seqs(second.To(evidence.SideRuntime)), []int{5}},
		"what came after":                    {seqs(second.After(at(1.002))), []int{5}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if !first.Ambiguous(evidence.OpResolveAccess) || first.Ambiguous(evidence.OpSendMessage) {
		t.Error("a resolve of several calls has to make resolves of the first ambiguous, and nothing else")
	}
	if _, ok := run.Endpoint("nobody"); ok {
		t.Error("an endpoint that the run does not have was found")
	}
}

func TestOffScriptHorizon(t *testing.T) {
	t.Parallel()
	tape := newTape().call(0).resolve(0.001, waiting("waking", "1000")).resolve(0.5, "", unscripted).resolve(0.7, "", unscripted).fails(0.9, evidence.Other).
		call(1).resolve(1.001, ready(token1)).send(1.003, token1, answered()).returns(1.005, answered())
	whole, cut := tape.view(false).Calls[0], tape.view(true).Calls[0]
	if diff := cmp.Diff([]int{1, 2, 3}, seqs(whole.Exchanges)); diff != "" || !whole.Done() {
		t.Errorf("a prohibition does not see the whole call: %s", diff)
	}
	if diff := cmp.Diff([]int{1}, seqs(cut.Exchanges)); diff != "" {
		t.Errorf("other rules see behind the first request that no script foresaw (-want +got):\n%s", diff)
	}
	if cut.Done() || cut.Until != at(0.5) || cut.OffScript == nil || cut.OffScript.Seq != 2 {
		t.Errorf("the call has to be open and known up to 0.5s only: done %v, until %v", cut.Done(), cut.Until)
	}
	if tape.run.Calls[0].Ended == nil {
		t.Error("the evidence itself was changed")
	}
	if other := tape.view(true).Calls[1]; !other.Done() || other.OffScript != nil {
		t.Error("another call lost its end too")
	}
}

func TestOffScriptHorizonOfSeveralCalls(t *testing.T) {
	t.Parallel()
	tape := newTape().call(0).returns(2, answered()).call(0).resolve(0.001, ready(token1)).
		resolve(0.5, "", unscripted, ofCalls(1, 2)).fails(0.7, evidence.Other)
	for _, c := range tape.view(true).Calls {
		if c.Done() || c.Until != at(0.5) {
			t.Errorf("call %d is known beyond a request that may be its own and that no script foresaw", c.Number)
		}
	}
}

func TestRetiredRoutesAreNoHorizon(t *testing.T) {
	t.Parallel()
	legacy := func(x *evidence.Exchange) { x.Scripted = false }
	c := newTape().call(0).asks(0.001, evidence.OpLegacy, "platform", "GET", legacyPath, legacy).resolve(0.003, ready(token1)).
		send(0.005, token1, answered()).returns(0.007, answered()).view(true).Calls[0]
	if c.OffScript != nil || !c.Done() || len(c.Exchanges) != 3 {
		t.Errorf("a retired route ends what is known of the call: %v", seqs(c.Exchanges))
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	type facts struct{ Done, Returned, Failed, Told bool }
	untold := func(e *evidence.Error) { e.Category = "" }
	for name, tt := range map[string]struct {
		tape   *tape
		want   facts
		ending string
	}{
		"a message":     {plain(), facts{Done: true, Returned: true}, "the call returned a message"},
		"an error":      {newTape().call(0).fails(1, evidence.TimedOut), facts{Done: true, Failed: true, Told: true}, "the call ended with timeout (Errtimeout)"},
		"an untold one": {newTape().call(0).fails(1, evidence.Other, untold), facts{Done: true, Failed: true}, "the call ended with an error (Errother)"},
		"exit 0":        {newTape().call(0).exits(1, 0, "", ""), facts{Done: true, Returned: true}, "the command ended with exit status 0"},
		"exit 1":        {newTape().call(0).exits(1, 1, "", ""), facts{Done: true, Failed: true}, "the command ended with exit status 1"},
		"unsupported":   {newTape().call(0).isAs(evidence.OutcomeUnsupported, ""), facts{}, "the call ended as unsupported"},
		"a crash":       {newTape().call(0).isAs(evidence.OutcomeCrash, ""), facts{}, "the call ended as crash"},
		"open":          {newTape().call(0), facts{}, "the call had not ended"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := tt.tape.view(false).Calls[0]
			if diff := cmp.Diff(tt.want, facts{c.Done(), c.Returned(), c.Failed(), c.Told()}); diff != "" {
				t.Errorf("facts differ (-want +got):\n%s", diff)
			}
			if c.Ending() != tt.ending {
				t.Errorf("the ending is %q, want %q", c.Ending(), tt.ending)
			}
		})
	}
}

func TestKindOfCall(t *testing.T) {
	t.Parallel()
	kind := func(k string) func(*evidence.Call) {
		return func(c *evidence.Call) { c.Input.ResponseKind = evidence.Some(k) }
	}
	calls := newTape().call(0).call(0, kind("message")).call(0, kind("task")).call(0, kind("stream")).
		call(0, func(c *evidence.Call) { c.Op = evidence.CallGetTask }).call(0, kind("task"), func(c *evidence.Call) { c.Op = evidence.CallGetTask }).view(false).Calls
	for i, want := range []struct{ message, task bool }{{true, false}, {true, false}, {false, true}, {false, false}, {false, false}, {false, false}} {
		if c := calls[i]; c.Message() != want.message || c.Task() != want.task {
			t.Errorf("call %d: message %v, task %v, want %v", i+1, c.Message(), c.Task(), want)
		}
	}
}

func TestVoidCallsAreLeftToTheHarness(t *testing.T) {
	t.Parallel()
	crashed := func() *tape {
		return newTape().call(0).resolve(0.001, stopped("unavailable")).send(0.003, token1, answered()).isAs(evidence.OutcomeCrash, "")
	}
	prove(t, []proof{
		{"FLOW-04", "a crash", crashed(), "", ""},
		{"SUBJ-01", "a crash with a breach", crashed(), Failed, "crashed"},
	})
}

func TestFollowing(t *testing.T) {
	t.Parallel()
	c := newTape().call(0).resolve(0.001, ready(token1), answerAfter(0)).resolve(0.001, ready(token1)).send(0.0015, token1, answered()).
		send(0.002009, token1, answered()).returns(0.005, answered()).view(false).Calls[0]
	var got [][]int
	for _, x := range c.Exchanges {
		got = append(got, seqs(c.Following(x)))
	}
	if diff := cmp.Diff([][]int{{2, 3, 4}, {4}, nil, nil}, got); diff != "" {
		t.Errorf("what follows each exchange differs (-want +got):\n%s", diff)
	}
}

// What had ended before the request that no script foresaw stays known, what ended with it does not.
func TestOffScriptHorizonAfterTheEnd(t *testing.T) {
	t.Parallel()
	for ended, want := range map[float64]bool{0.4: true, 0.5: false, 0.6: false} {
		c := newTape().call(0).resolve(0.001, ready(token1)).resolve(0.5, "", unscripted).fails(ended, evidence.Other).view(true).Calls[0]
		if c.Done() != want {
			t.Errorf("a call that ended at %gs is done: %t", ended, c.Done())
		}
	}
	if open := newTape().call(0).resolve(0.5, "", unscripted).view(true).Calls[0]; open.Done() {
		t.Error("a call that had not ended is done")
	}
}

func TestTheFirstUnforeseenRequestIsTheHorizon(t *testing.T) {
	t.Parallel()
	run := newTape().call(0).resolve(0.1, "", unscripted).resolve(0.2, "", unscripted).call(1).resolve(1.1, ready(token1)).view(false)
	if c := run.Calls[0]; c.OffScript == nil || c.OffScript.Seq != 1 {
		t.Errorf("the horizon is %+v", c.OffScript)
	}
	if !run.offScript || plain().view(false).offScript {
		t.Error("one run has a request that no script foresaw, the other has none")
	}
}

func TestLongestBudget(t *testing.T) {
	t.Parallel()
	usable := func(seconds float64) bool {
		return newTape().call(0, timeout(seconds)).view(false).Calls[0].Budget.Usable
	}
	if longest := maxBudget.Seconds(); !usable(longest) || usable(longest+1) {
		t.Errorf("a budget of %gs can be kept, one that is longer cannot", longest)
	}
}

func TestHalfAnEnding(t *testing.T) {
	t.Parallel()
	unended, silent := plain().view(false).Calls[0], plain().view(false).Calls[0]
	unended.Ended, silent.Outcome = nil, nil
	for name, c := range map[string]*Call{"an outcome without a moment": unended, "a moment without an outcome": silent} {
		if c.Done() || c.Ending() != "the call had not ended" {
			t.Errorf("%s: done %t, %s", name, c.Done(), c.Ending())
		}
	}
	signalled := newTape().call(0).exits(1, 0, "", "")
	signalled.last().Command.Signal = "TERM"
	if signalled.view(false).Calls[0].Returned() {
		t.Error("a command that a signal ended returned something")
	}
	if newTape().call(0).ends(1, evidence.Outcome{Kind: evidence.OutcomePrinted}).view(false).Calls[0].Returned() {
		t.Error("a command of which nothing is known returned something")
	}
}
