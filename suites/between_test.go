package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// What lies between two exchanges, and what comes after one, is decided by their order and by their moments. Each row is
// a call whose exchanges are named by their numbers.
func TestWhatComesAfter(t *testing.T) {
	t.Parallel()
	at0 := answerAfter(0)
	for name, tt := range map[string]struct {
		tape                       *tape
		of                         int // the exchange after which
		first, sendAfter, nextSend int
	}{
		"a send after an answer":           {begun().send(0.003, token1, answered()), 1, 2, 2, 2},
		"in the instant of the answer":     {begun().send(0.002009, token1, answered()), 1, 2, 2, 2},
		"before the answer":                {begun().send(0.002, token1, answered()), 1, 0, 0, 0},
		"itself, answered at once":         {newTape().call(0).send(0.001, token1, answered(), at0), 1, 0, 0, 0},
		"an earlier one that came as late": {newTape().call(0).send(0.005, token1, answered()).resolve(0.001, ready(token1)), 2, 0, 0, 0},
		"a resolve after an answer":        {begun().resolve(0.003, ready(token2)), 1, 2, 0, 0},
		"after an answer that broke off":   {newTape().call(0).resolve(0.001, ready(token1), broken).send(0.003, token1, answered()), 1, 0, 0, 2},
		"while an answer that will break off goes on": {newTape().call(0).resolve(0.001, ready(token1), broken, func(x *evidence.Exchange) { e := at(0.01); x.Ended = &e }).
			send(0.003, token1, answered()), 1, 0, 0, 0},
		"after an answer whose connection stays": {newTape().call(0).resolve(0.001, ready(token1), func(x *evidence.Exchange) { e := at(0.01); x.Ended = &e }).
			send(0.003, token1, answered()), 1, 2, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := tt.tape.view(false).Calls[0]
			number := func(x *Exchange) int {
				if x == nil {
					return 0
				}
				return x.Seq
			}
			r := c.Exchanges[tt.of-1]
			if first, sent, next := number(c.firstAfter(r, c.Exchanges)), number(c.sendAfter(r)), number(c.nextSend(r)); first != tt.first || sent != tt.sendAfter || next != tt.nextSend {
				t.Errorf("after it come %d, the send %d and, after its end, %d; want %d, %d, %d", first, sent, next, tt.first, tt.sendAfter, tt.nextSend)
			}
		})
	}
}

func TestWhatLiesBetween(t *testing.T) {
	t.Parallel()
	failed, moved := status(503, "{}"), redirect(307, "/y")
	led := func(edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, "", moved).asks(0.003, evidence.OpUnknown, "platform", "GET", "/y", edit...).send(0.006, token1, answered())
	}
	rejected := status(401, "{}")
	for name, tt := range map[string]struct {
		tape                        *tape
		from, to                    int
		admitted, renewed, rejected bool
	}{
		"nothing":                     {newTape().call(0).resolve(0.001, "", failed).send(0.006, token1, answered()), 1, 2, false, false, false},
		"a resolve":                   {newTape().call(0).resolve(0.001, "", failed).resolve(0.003, ready(token1)).send(0.006, token1, answered()), 1, 3, true, false, false},
		"a resolve that failed":       {newTape().call(0).resolve(0.001, "", failed).resolve(0.003, "", failed).send(0.006, token1, answered()), 1, 3, false, false, false},
		"a resolve not yet answered":  {newTape().call(0).resolve(0.001, "", failed).resolve(0.0055, ready(token1)).send(0.006, token1, answered()), 1, 3, false, false, false},
		"a resolve before it":         {newTape().call(0).resolve(0.0001, ready(token1)).resolve(0.002, "", failed).send(0.006, token1, answered()), 2, 3, false, false, false},
		"itself, without a fault":     {newTape().call(0).resolve(0.001, ready(token1)).send(0.006, token1, answered()), 1, 2, false, false, false},
		"a redirect that was led on":  {led(), 1, 3, true, false, false},
		"one that led to a failure":   {led(status(404, "{}")), 1, 3, false, false, false},
		"one not yet answered":        {led(answerAfter(0.005)), 1, 3, false, false, false},
		"led on at another server":    {newTape().call(0).resolve(0.001, "", moved).asks(0.003, evidence.OpUnknown, "other", "GET", "/y").send(0.006, token1, answered()), 1, 3, false, false, false},
		"another request on the way":  {newTape().call(0).resolve(0.001, "", moved).asks(0.003, evidence.OpWhoAmI, "platform", "GET", "/y").send(0.006, token1, answered()), 1, 3, false, false, false},
		"led on without a redirect":   {newTape().call(0).resolve(0.001, "", failed).asks(0.003, evidence.OpUnknown, "platform", "GET", "/y").send(0.006, token1, answered()), 1, 3, false, false, false},
		"led on by status 300":        {newTape().call(0).resolve(0.001, "", status(300, "")).asks(0.003, evidence.OpUnknown, "platform", "GET", "/y").send(0.006, token1, answered()), 1, 3, true, false, false},
		"led on by status 399":        {newTape().call(0).resolve(0.001, "", status(399, "")).asks(0.003, evidence.OpUnknown, "platform", "GET", "/y").send(0.006, token1, answered()), 1, 3, true, false, false},
		"led on by status 400":        {newTape().call(0).resolve(0.001, "", status(400, "")).asks(0.003, evidence.OpUnknown, "platform", "GET", "/y").send(0.006, token1, answered()), 1, 3, false, false, false},
		"led on by status 299":        {newTape().call(0).resolve(0.001, "", status(299, "")).asks(0.003, evidence.OpUnknown, "platform", "GET", "/y").send(0.006, token1, answered()), 1, 3, false, false, false},
		"asked before the redirect":   {newTape().call(0).asks(0.0001, evidence.OpUnknown, "platform", "GET", "/y").resolve(0.003, "", moved).send(0.006, token1, answered()), 2, 3, false, false, false},
		"a renewal":                   {begun().renew(0.003).resolve(0.005, ready(token2)), 1, 3, false, true, false},
		"a renewal before it":         {newTape().call(0).renew(0.0001).resolve(0.003, "", failed).resolve(0.005, ready(token2)), 2, 3, false, false, false},
		"a renewal after it":          {begun().resolve(0.003, ready(token2)).renew(0.005), 1, 2, false, false, false},
		"another request":             {begun().asks(0.003, evidence.OpWhoAmI, "platform", "GET", "/me").resolve(0.005, ready(token2)), 1, 3, false, false, false},
		"renewals alone":              {newTape().call(0).renew(0.001).renew(0.003), 1, 2, false, false, false},
		"a rejection":                 {begun().send(0.003, token1, "", rejected).resolve(0.005, ready(token2)), 1, 3, false, false, true},
		"a rejection in that instant": {begun().send(0.003, token1, "", rejected).resolve(0.004009, ready(token2)), 1, 3, false, false, true},
		"a rejection not yet known":   {begun().send(0.003, token1, "", rejected).resolve(0.004, ready(token2)), 1, 3, false, false, false},
		"a rejection before it":       {newTape().call(0).send(0.0001, token1, "", rejected).resolve(0.002, ready(token2)).resolve(0.005, ready(token2)), 2, 3, false, false, false},
		"a rejection after it":        {begun().resolve(0.003, ready(token2)).send(0.003, token1, "", rejected, answerAfter(0)), 1, 2, false, false, false},
		"rejections alone":            {newTape().call(0).send(0.001, token1, "", rejected).send(0.003, token1, "", rejected, answerAfter(0)), 1, 2, false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := tt.tape.view(false).Calls[0]
			a, b := c.Exchanges[tt.from-1], c.Exchanges[tt.to-1]
			if admitted, renewed, rejected := c.admittedBetween(a, b), c.renewedBetween(a, b), c.rejectedBetween(a, b); admitted != tt.admitted || renewed != tt.renewed || rejected != tt.rejected {
				t.Errorf("between them: admitted %t, renewed %t, rejected %t", admitted, renewed, rejected)
			}
		})
	}
}

func TestWhatMayLieBetween(t *testing.T) {
	t.Parallel()
	both := ofCalls(1, 2)
	second := func(edit func(*tape) *tape) *Call {
		return edit(newTape().call(0).call(0).resolve(0.001, waiting("waking", "1"))).resolve(1, ready(token1)).view(false).Calls[1]
	}
	for name, tt := range map[string]struct {
		call *Call
		want bool
	}{
		"a resolve":       {second(func(t *tape) *tape { return t.resolve(0.5, ready(token1), both) }), true},
		"another request": {second(func(t *tape) *tape { return t.renew(0.5, both) }), false},
		"nothing":         {second(func(t *tape) *tape { return t }), false},
		"a resolve before": {newTape().call(0).call(0).resolve(0.0001, ready(token1), both).resolve(0.001, waiting("waking", "1")).
			resolve(1, ready(token1)).view(false).Calls[1], false},
		"a resolve after": {newTape().call(0).call(0).resolve(0.001, waiting("waking", "1")).resolve(1, ready(token1)).
			resolve(2, ready(token1), both).view(false).Calls[1], false},
	} {
		if got := tt.call.mayHaveResolved(tt.call.Directions()[0]); got != tt.want {
			t.Errorf("%s: the call may have resolved: %t", name, got)
		}
	}
	shared := newTape().call(0).call(0).resolve(0.001, ready(token1), both).resolve(0.003, stopped("unavailable")).resolve(0.005, ready(token1), both).
		resolve(0.007, stopped("unavailable"), both).send(0.02, token1, answered(), both).view(false)
	c, send := shared.Calls[1], shared.All[4]
	if !c.mayBeAdmitted(shared.All[1], send) || c.mayBeAdmitted(shared.All[2], send) || c.mayBeAdmitted(shared.All[3], send) {
		t.Error("an admission of one of two calls counts where it came after the refusal, and nothing else does")
	}
	if c.mayBeAdmitted(shared.All[1], shared.All[2]) {
		t.Error("an admission counts before it was given")
	}
}

func TestConnectionsBetween(t *testing.T) {
	t.Parallel()
	run := func(endpoint string, moment float64) *tape { return newTape().call(0).deaf(endpoint, moment) }
	second := newTape().call(0).call(0).deaf("runtime", 1.5)
	opened := run("runtime", 1.5)
	opened.run.Connections[0].Opened, opened.run.Connections[0].Attempted = opened.run.Connections[0].Attempted, nil
	unknown := run("runtime", 1.5)
	unknown.run.Connections[0].Attempted = nil
	for name, tt := range map[string]struct {
		tape *tape
		want bool
	}{
		"between":                       {run("runtime", 1.5), true},
		"in the first instant":          {run("runtime", 1), true},
		"before it":                     {run("runtime", 0.9995), false},
		"in the last instant":           {run("runtime", 2), false},
		"just before it":                {run("runtime", 1.9995), true},
		"to the platform":               {run("platform", 1.5), false},
		"two calls at once":             {second, false},
		"opened, its attempt not seen":  {opened, true},
		"neither tried nor opened":      {unknown, false},
		"too near on a real clock":      {run("runtime", 1.01).onClock(), false},
		"the very instant, on a real":   {run("runtime", 1).onClock(), true},
		"well after it on a real clock": {run("runtime", 1.5).onClock(), true},
	} {
		if got := tt.tape.view(false).Calls[0].connectionBetween(at(1), at(2)) != nil; got != tt.want {
			t.Errorf("%s: a connection lies between: %t", name, got)
		}
	}
}

func TestHowLongARefusalHeld(t *testing.T) {
	t.Parallel()
	refused := func() *tape { return newTape().call(0).resolve(0.001, stopped("unavailable")).until(9) }
	for name, tt := range map[string]struct {
		tape  *tape
		until float64
	}{
		"to the end of watching":         {refused(), 9},
		"to the next answer":             {refused().resolve(1, ready(token1)), 1.001009},
		"not to one that broke off":      {refused().resolve(1, ready(token1), broken), 9},
		"to a send":                      {refused().send(1, token1, answered()), 1},
		"not to another request":         {refused().renew(1), 9},
		"to a later call":                {refused().fails(1, evidence.Blocked).call(3), 3},
		"not to a call at the same time": {refused().fails(1, evidence.Blocked).call(1), 9},
	} {
		c := tt.tape.view(false).Calls[0]
		if got := c.refusedUntil(c.Resolves[0]); got != at(tt.until) {
			t.Errorf("%s: it held until %v, want %gs", name, got, tt.until)
		}
	}
}

func TestAbandonedAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		edit func(*evidence.Exchange)
		want bool
	}{
		"a silence":            {hang(2), true},
		"a body after 299":     {drip(299, 1, 2), true},
		"a body after 300":     {drip(300, 1, 2), false},
		"by the server":        {noAnswer(2, evidence.EndedByServer), false},
		"an end not known":     {func(x *evidence.Exchange) { hang(2)(x); x.Ended = nil }, false},
		"a whole answer":       {func(x *evidence.Exchange) { x.EndedBy = evidence.EndedByClient }, false},
		"an answer that ended": {answerAfter(1), false},
	} {
		if got := newTape().call(0).send(0.001, token1, answered(), tt.edit).view(false).All[0].abandoned(); got != tt.want {
			t.Errorf("%s was given up: %t", name, got)
		}
	}
}
