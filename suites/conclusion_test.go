package suites

import (
	"testing"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// writes has the bytes of an answer go out at these moments, the last of them as its last.
func writes(moments ...float64) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		x.Response.Writes = nil
		for _, m := range moments {
			x.Response.Writes = append(x.Response.Writes, evidence.Write{At: at(m), Bytes: 1})
		}
		last := at(moments[len(moments)-1])
		x.LastFrom, x.LastBy, x.Ended = &last, &last, &last
	}
}

func TestConclusion(t *testing.T) {
	t.Parallel()
	fault := func(x *evidence.Exchange) { x.Response.Fault = "body: finish early" }
	unread := func(x *evidence.Exchange) { x.BodyRead = nil }
	sent := func(edit ...func(*evidence.Exchange)) *tape { return begun().send(0.003, token1, answered(), edit...) }
	phased := func(edit ...func(*evidence.Exchange)) *tape {
		return begun(pair(9, 2)).send(0.003, token1, answered(), edit...)
	}
	noisy := func(t *tape) *tape {
		t = t.onClock()
		t.run.Tolerance.Noise = at(0.01)
		return t
	}
	waits := func(end float64) *tape {
		return about(evidence.CallWaitTask, timeout(1), func(c *evidence.Call) { c.Input.WaitTimeout = evidence.Some(evidence.Timeout{Total: 10}) }).
			resolve(0.001, ready(token1)).gets(0.003, token1, "{}", writes(end)).fails(end+0.1, evidence.Other)
	}
	for name, tt := range map[string]struct {
		tape *tape
		seq  int
	}{
		"an answer":                           {sent().returns(0.005, answered()), 2},
		"an answer in the instant of the end": {sent().returns(0.004009, answered()), 2},
		"an end before the answer":            {sent().returns(0.004, answered()), 0},
		"no end":                              {sent(), 0},
		"no send":                             {begun().fails(0.005, evidence.Other), 0},
		"another request after it":            {sent().resolve(0.005, ready(token2)).returns(0.007, answered()), 0},
		"an answer that broke off":            {sent(broken).fails(0.005, evidence.Other), 0},
		"a request that nobody read":          {sent(unread).returns(0.005, answered()), 0},
		"a caller who gave up":                {newTape().call(0, cancelled(0.004)).send(0.003, token1, answered()).returns(0.005, answered()), 0},
		"uncertain whose": {newTape().call(0).call(0).send(0.001, token1, answered(), ofCalls(1, 2)).
			send(0.003, token1, answered()).returns(0.005, answered()), 0},
		"a reset that may take bytes along, on virtual time":   {sent(fault).returns(0.005, answered()), 2},
		"a reset that may take bytes along, on a real clock":   {sent(fault).returns(0.005, answered()).onClock(), 0},
		"a fault of another kind, on a real clock":             {sent(func(x *evidence.Exchange) { x.Response.Fault = "head" }).returns(0.005, answered()).onClock(), 2},
		"a silence within the read phase":                      {phased(writes(1.5, 3, 4.5)).returns(5, answered()), 2},
		"a silence as long as the read phase":                  {phased(writes(2.003)).returns(5, answered()), 2},
		"a longer one":                                         {phased(writes(2.0035)).returns(5, answered()), 0},
		"a longer one in the middle":                           {phased(writes(0.5, 2.6, 2.7)).returns(2.8, answered()), 0},
		"an answer whose bytes are not known":                  {begun(pair(2, 1)).send(0.003, token1, answered(), writes(1.5), func(x *evidence.Exchange) { x.Response.Writes = nil }).returns(2, answered()), 0},
		"a silence well within the read phase on a real clock": {noisy(phased(writes(1.9)).returns(2, answered())), 2},
		"a silence close to the read phase on a real clock":    {noisy(phased(writes(1.985)).returns(2, answered())), 0},
		"an answer to a wait before its limit":                 {waits(9), 2},
		"an answer to a wait after it":                         {waits(10.5), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := tt.tape.view(false).Calls
			got := 0
			if x := calls[len(calls)-1].conclusion(); x != nil {
				got = x.Seq
			}
			if got != tt.seq {
				t.Errorf("exchange %d concludes the call, want %d", got, tt.seq)
			}
		})
	}
}

func TestLongestSilence(t *testing.T) {
	t.Parallel()
	for want, moments := range map[time.Duration][]float64{
		500 * time.Microsecond:  {1.0005},
		500 * time.Millisecond:  {1.5},
		2 * time.Second:         {1.5, 3.5, 4},
		3 * time.Second:         {4, 5},
		1250 * time.Millisecond: {2, 3.25},
	} {
		if got := newTape().call(0).send(1, token1, answered(), writes(moments...)).view(false).All[0].longestSilence(); got != want {
			t.Errorf("with bytes at %v it is %s, want %s", moments, got, want)
		}
	}
}

func TestOrdinaryConclusion(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tape *tape
		want bool
	}{
		"a Message":      {plain(), true},
		"a failure":      {begun().send(0.003, token1, "", status(500, "{}")).fails(0.005, evidence.Other), false},
		"status 201":     {begun().send(0.003, token1, "", status(201, answered())).fails(0.005, evidence.Other), false},
		"a Task":         {taskSend(), false},
		"without an end": {begun().send(0.003, token1, answered()), false},
	} {
		if got := tt.tape.view(false).Calls[0].ordinary() != nil; got != tt.want {
			t.Errorf("%s: ordinary is %t", name, got)
		}
	}
}

func TestAnswerThatBrokeOff(t *testing.T) {
	t.Parallel()
	cutSend := func(edit ...func(*evidence.Exchange)) *tape {
		return begun().send(0.003, token1, "", append([]func(*evidence.Exchange){cut(502)}, edit...)...)
	}
	endless := func(x *evidence.Exchange) { x.Ended = nil }
	byClient := func(x *evidence.Exchange) { x.EndedBy = evidence.EndedByClient }
	whole := func(x *evidence.Exchange) { x.Response.Complete = true }
	for name, tt := range map[string]struct {
		tape *tape
		want bool
	}{
		"cut":                           {cutSend().fails(0.005, evidence.Transport), true},
		"cut in the instant of the end": {cutSend().fails(0.004009, evidence.Transport), true},
		"cut after the end":             {cutSend().fails(0.004, evidence.Transport), false},
		"cut without an end":            {cutSend(), false},
		"cut before its head":           {begun().send(0.003, token1, "", cut(0)).fails(0.005, evidence.Transport), false},
		"given up by the client":        {cutSend(byClient).fails(0.005, evidence.Transport), false},
		"cut when it was whole":         {cutSend(whole).fails(0.005, evidence.Transport), false},
		"at a moment that is not known": {cutSend(endless).fails(0.005, evidence.Transport), false},
		"another request after it":      {cutSend().resolve(0.005, ready(token1)).fails(0.007, evidence.Transport), false},
		"after the budget":              {begun(timeout(1)).send(0.003, token1, "", func(x *evidence.Exchange) { cut(502)(x); e := at(2); x.Ended = &e }).fails(3, evidence.Transport), false},
		"a caller who gave up":          {newTape().call(0, cancelled(0.004)).send(0.003, token1, "", cut(502)).fails(0.005, evidence.Transport), false},
		"no send":                       {begun().fails(0.005, evidence.Transport), false},
		"in a wait":                     {about(evidence.CallWaitTask).resolve(0.001, ready(token1)).gets(0.003, token1, "", cut(502)).fails(0.005, evidence.Transport), false},
		"uncertain whose": {newTape().call(0).call(0).send(0.001, token1, answered(), ofCalls(1, 2)).
			send(0.003, token1, "", cut(502)).fails(0.005, evidence.Transport), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := tt.tape.view(false).Calls
			if got := calls[len(calls)-1].brokenAnswer() != nil; got != tt.want {
				t.Errorf("an answer that broke off ended the call: %t", got)
			}
		})
	}
}
