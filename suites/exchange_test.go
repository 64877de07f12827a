package suites

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestDirections(t *testing.T) {
	t.Parallel()
	c := newTape().call(0).
		resolve(0.001, waiting("waking", "1500")).
		resolve(1.6, waiting("starting", "null")).
		resolve(1.7, stopped("unavailable")).
		resolve(1.8, waiting("updating", "100"), broken).
		resolve(1.9, swap(waiting("checking", "100"), `"can_submit":false`, `"can_submit":null`)).
		resolve(2, waiting("checking", "0")).view(false).Calls[0]
	got := c.Directions()
	if len(got) != 2 {
		t.Fatalf("%d directions, want those of the first and the last answer", len(got))
	}
	first, last := got[0], got[1]
	if first.Answer.Seq != 1 || first.State != "waking" || first.Wait != 1500*time.Millisecond || first.From != at(1.502009) || first.By != at(1.502009) {
		t.Errorf("the first direction is %+v", first)
	}
	if first.Next == nil || first.Next.Seq != 2 || last.Next != nil || last.Wait != 0 {
		t.Error("the first direction is followed by the second resolve, the last by none")
	}
}

func TestDirectionTakesBothEndsOfTheWrite(t *testing.T) {
	t.Parallel()
	slow := func(x *evidence.Exchange) { by := at(0.5); x.LastBy = &by }
	d := newTape().call(0).resolve(0.001, waiting("waking", "1000"), slow).view(false).Calls[0].Directions()[0]
	if d.From != at(1.002009) || d.By != at(1.5) {
		t.Errorf("due from %v, late after %v; want 1.002009s and 1.5s", d.From, d.By)
	}
}

func TestNewestAnswer(t *testing.T) {
	t.Parallel()
	c := newTape().call(0).
		resolve(0.001, waiting("waking", "0")).send(0.0015, token1, answered()).
		send(0.003, token1, answered()).
		resolve(0.004, ready(token1), broken).send(0.006, token1, answered()).
		resolve(0.008, ready(token2)).send(0.010, token2, answered()).view(false).Calls[0]
	var got []int
	for _, s := range c.Sends {
		seq := 0
		if r := c.Newest(s); r != nil {
			seq = r.Seq
		}
		got = append(got, seq)
	}
	if diff := cmp.Diff([]int{0, 1, 1, 6}, got); diff != "" {
		t.Errorf("the newest whole answers before each send (-want +got):\n%s", diff)
	}
}

func TestCachedAdmission(t *testing.T) {
	t.Parallel()
	other := func(edit func(*evidence.Call)) *Run {
		return plain().call(1, edit).send(1.001, token1, answered()).view(false)
	}
	for name, tt := range map[string]struct {
		edit func(*evidence.Call)
		want bool
	}{
		"the same instance": {func(*evidence.Call) {}, true},
		"another instance":  {func(c *evidence.Call) { c.Client = "b" }, false},
		"another session":   {func(c *evidence.Call) { c.Session = "other" }, false},
		"another user":      {func(c *evidence.Call) { c.User = "other" }, false},
		"another backend":   {func(c *evidence.Call) { c.Backend = "other" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := other(tt.edit).Calls[1]
			a, ok := c.Admission(c.Sends[0])
			if ok != tt.want || ok && (!a.Cached || a.Seq != 1) {
				t.Errorf("admission %v, want %v from the first exchange", ok, tt.want)
			}
		})
	}
	c := plain().view(false).Calls[0]
	if a, ok := c.Admission(c.Sends[0]); !ok || a.Cached || a.Seq != 1 {
		t.Error("a send after a resolve of its own call rests on that, not on a cache")
	}
}

func TestRejections(t *testing.T) {
	t.Parallel()
	c := newTape().call(0).send(0.001, token1, "", status(401, "")).send(0.003, token1, "", status(403, ""), broken).
		send(0.005, token1, "", status(407, "")).send(0.007, token1, answered()).view(false).Calls[0]
	if diff := cmp.Diff([]int{1, 2}, seqs(c.Rejections())); diff != "" {
		t.Errorf("rejections (-want +got):\n%s", diff)
	}
}

func TestStatusNeedsAHead(t *testing.T) {
	t.Parallel()
	headless := func(x *evidence.Exchange) { x.HeadBy = nil }
	c := newTape().call(0).send(0.001, token1, "", status(401, ""), headless).send(0.003, token1, "", noAnswer(1, evidence.EndedByClient)).view(false).Calls[0]
	for _, s := range c.Sends {
		if s.Status() != 0 || s.Rejected() {
			t.Errorf("exchange %d has status %d without a head", s.Seq, s.Status())
		}
	}
}

func TestReadingsAreMadeOnce(t *testing.T) {
	t.Parallel()
	c := plain().view(false).Calls[0]
	r, s := c.Resolves[0], c.Sends[0]
	access, answer, body, info := r.Access(), s.Answer(), s.Body(), s.ErrorInfo()
	if access != r.Access() || answer != s.Answer() || body != s.Body() || info != s.ErrorInfo() {
		t.Error("a second reading is not the first one")
	}
	if !r.Access().Admits() || s.Answer().Holds != evidence.HoldsMessage || r.State() != "ready" {
		t.Error("the readings are not those of the plain case")
	}
}

// Of several calls that share a cache the answer counts that was given last before the send, whoever asked.
func TestNewestCachedAdmission(t *testing.T) {
	t.Parallel()
	run := newTape().call(0).resolve(0.001, ready(token1)).
		call(0.5).resolve(0.6, ready(token2)).
		call(0.7).resolve(0.8, ready(token1), ofCalls(1)).
		call(1).send(1.001, token1, answered()).
		call(2).resolve(2.001, ready(token2)).view(false)
	sender := run.Calls[3]
	if a, ok := sender.Admission(sender.Sends[0]); !ok || !a.Cached || a.Seq != 3 {
		t.Errorf("the send rests on %+v, %t; want the third exchange", a.Exchange, ok)
	}
	run = newTape().call(0).resolve(0.001, ready(token1)).call(0.5).resolve(0.6, ready(token2)).call(1).send(1.001, token1, answered()).view(false)
	sender = run.Calls[2]
	if a, ok := sender.Admission(sender.Sends[0]); !ok || a.Seq != 2 {
		t.Errorf("the send rests on %+v, %t; want the second exchange", a.Exchange, ok)
	}
}

func TestWholeNeedsALastByte(t *testing.T) {
	t.Parallel()
	endless := func(x *evidence.Exchange) { x.LastBy = nil }
	startless := func(x *evidence.Exchange) { x.LastFrom = nil }
	c := newTape().call(0).resolve(0.001, stopped("unavailable"), endless).resolve(0.003, stopped("unavailable"), startless).
		resolve(0.005, stopped("unavailable"), broken).resolve(0.007, swap(stopped("unavailable"), `"can_submit":false`, `"can_submit":"no"`)).
		resolve(0.009, stopped("unavailable"), status(500, stopped("unavailable"))).
		resolve(0.011, stopped("unavailable")).resolve(1, ready(token1)).view(false).Calls[0]
	type facts struct{ Whole, Before, Refuses bool }
	var got []facts
	for _, r := range c.Resolves {
		got = append(got, facts{r.Whole(), r.Before(c.Resolves[6]), r.refuses()})
	}
	want := []facts{
		{}, {Whole: true, Refuses: true}, {}, {Whole: true, Before: true}, {Whole: true, Before: true}, {Whole: true, Before: true, Refuses: true}, {Whole: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers differ (-want +got):\n%s", diff)
	}
}

// A direction as long as the longest budget is one; a longer one would overflow the clock.
func TestLongestDirection(t *testing.T) {
	t.Parallel()
	directions := func(millis int64) int {
		return len(newTape().call(0).resolve(0.001, waiting("waking", strconv.FormatInt(millis, 10))).view(false).Calls[0].Directions())
	}
	if directions(maxBudget.Milliseconds()) != 1 || directions(maxBudget.Milliseconds()+1) != 0 {
		t.Errorf("%d directions of the greatest length, %d of a greater one", directions(maxBudget.Milliseconds()), directions(maxBudget.Milliseconds()+1))
	}
}

func TestUnforeseenRequests(t *testing.T) {
	t.Parallel()
	unforeseen := func(op evidence.Op) bool {
		return newTape().call(0).asks(0, op, "platform", "GET", "/x", unscripted).view(false).All[0].offScript()
	}
	if unforeseen(evidence.OpUnknown) || unforeseen(evidence.OpLegacy) || !unforeseen(evidence.OpGetAgent) {
		t.Error("retired and unknown routes have no script; all others have")
	}
}
