package suites

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestWhyAResolveFailed(t *testing.T) {
	t.Parallel()
	ended := func(by evidence.EndedBy) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) { x.Response.Complete, x.EndedBy = false, by }
	}
	refused := stopped("unavailable")
	for name, tt := range map[string]struct {
		body string
		edit func(*evidence.Exchange)
		want string
	}{
		"an admission":              {ready(token1), nil, ""},
		"a refusal":                 {refused, nil, ""},
		"no interaction":            {`{}`, nil, ""},
		"interaction null":          {`{"runtime_interaction":null}`, nil, ""},
		"interaction a number":      {`{"runtime_interaction":7}`, nil, "got runtime_interaction as a number"},
		"no object":                 {`[]`, nil, "got an answer that is not one JSON object"},
		"a refusal without a state": {swap(refused, `"state":"unavailable"`, `"state":null`), nil, "got state as null"},
		"admission, no state":       {swap(ready(token1), `"state":"ready"`, `"state":null`), nil, ""},
		"status 299":                {refused, status(299, refused), ""},
		"status 300":                {refused, status(300, refused), "was answered 300"},
		"status 201 unreadable":     {"[]", status(201, "[]"), ""},
		"status 199":                {refused, status(199, refused), "was answered 199"},
		"status 1":                  {refused, status(1, refused), "was answered 1"},
		"cut":                       {refused, ended(evidence.EndedByCut), "got an answer that broke off"},
		"ended by the server":       {refused, ended(evidence.EndedByServer), "got an answer that broke off"},
		"ended by the client":       {"[]", ended(evidence.EndedByClient), ""},
		"never answered":            {refused, hang(2), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tape := newTape().call(0).resolve(0, tt.body)
			if tt.edit != nil {
				tt.edit(&tape.run.Exchanges[0])
			}
			if got := tape.view(false).All[0].failedResolve(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	type facts struct{ Terminal, Undirected, Truthy bool }
	for name, tt := range map[string]struct {
		body string
		want facts
	}{
		"admitted":                      {ready(token1), facts{}},
		"admitted while waking":         {swap(ready(token1), `"state":"ready"`, `"state":"waking"`), facts{}},
		"terminal":                      {stopped("unavailable"), facts{Terminal: true}},
		"a state that is null":          {swap(stopped("unavailable"), `"unavailable","can`, `null,"can`), facts{}},
		"waking":                        {waiting("waking", "5"), facts{}},
		"waking without a direction":    {waiting("waking", "null"), facts{Undirected: true}},
		"waking with a negative one":    {waiting("waking", "-5"), facts{Undirected: true}},
		"waking with a truth":           {waiting("waking", "true"), facts{Undirected: true}},
		"waking with a text":            {waiting("waking", `"5"`), facts{}},
		"waking with a fraction":        {waiting("waking", "0.5"), facts{}},
		"one":                           {swap(ready(token1), `"can_submit":true`, `"can_submit":1`), facts{Truthy: true}},
		"two":                           {swap(ready(token1), `"can_submit":true`, `"can_submit":2`), facts{}},
		"one and a half":                {swap(ready(token1), `"can_submit":true`, `"can_submit":1.5`), facts{}},
		"the word":                      {swap(ready(token1), `"can_submit":true`, `"can_submit":"True"`), facts{Truthy: true}},
		"another word":                  {swap(ready(token1), `"can_submit":true`, `"can_submit":"yes"`), facts{}},
		"waking, can_submit null, none": {swap(waiting("waking", "null"), `"can_submit":false`, `"can_submit":null`), facts{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newTape().call(0).resolve(0, tt.body).view(false).All[0]
			if diff := cmp.Diff(tt.want, facts{x.terminal(), x.undirected(), x.truthy()}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatFitsTheBudget(t *testing.T) {
	t.Parallel()
	const answered = 0.001 + 0.001009
	direction := func(tp *tape, millis string) evidence.Verdict {
		c := tp.call(0, timeout(10+answered)).resolve(0.001, waiting("waking", millis)).view(false).Calls[0]
		return c.fits(c.Directions()[0])
	}
	noisy := func() *tape {
		tp := newTape().onClock()
		tp.run.Tolerance.Noise = at(0.01)
		return tp
	}
	for _, tt := range []struct {
		tape   *tape
		millis string
		want   evidence.Verdict
	}{
		{newTape(), "9999", evidence.Yes},
		{newTape(), "10000", evidence.Unclear},
		{newTape(), "10001", evidence.No},
		{noisy(), "9919", evidence.Yes}, // 50ms to spare, 20ms late, 10ms noise
		{noisy(), "9920", evidence.Unclear},
		{noisy(), "9921", evidence.Unclear},
		{noisy(), "10010", evidence.Unclear},
		{noisy(), "10100", evidence.No},
	} {
		if got := direction(tt.tape, tt.millis); got != tt.want {
			t.Errorf("%s clock: a wait of %sms fits: %v, want %v", tt.tape.run.Clock, tt.millis, got, tt.want)
		}
	}
	c := newTape().call(0, timeout(0)).resolve(0.001, waiting("waking", "1")).view(false).Calls[0]
	if got := c.fits(c.Directions()[0]); got != evidence.Unclear {
		t.Errorf("into a budget that nobody can keep fits: %v", got)
	}
}

func TestLeastWait(t *testing.T) {
	t.Parallel()
	for ms, want := range map[float64]time.Duration{-5: 0, 0: 0, 250: 250 * time.Millisecond, 59_999: 59_999 * time.Millisecond, 60_000: 0, 70_000: 0} {
		run := newRun(&newTape().call(0).run, evidence.Subject{Constants: evidence.Constants{MinWaitMS: &ms}}, false)
		if got := run.Calls[0].leastWait(); got != want {
			t.Errorf("with %gms declared it is %s, want %s", ms, got, want)
		}
	}
	if got := newTape().call(0).view(false).Calls[0].leastWait(); got != 0 {
		t.Errorf("with nothing declared it is %s", got)
	}
}

func TestLeftAlone(t *testing.T) {
	t.Parallel()
	signalled := func(c *evidence.Call) { c.Signal = &evidence.Signal{At: at(1)} }
	for moment, want := range map[float64]bool{0.9: true, 1: false, 1.1: false} {
		for _, edit := range []func(*evidence.Call){cancelled(1), signalled} {
			if got := newTape().call(0, edit).view(false).Calls[0].leftAlone(at(moment)); got != want {
				t.Errorf("at %gs, disturbed at 1s, it is left alone: %t", moment, got)
			}
		}
	}
	if !newTape().call(0).view(false).Calls[0].leftAlone(at(9)) {
		t.Error("a call that nobody disturbed is not left alone")
	}
}

func TestAlone(t *testing.T) {
	t.Parallel()
	run := newTape().call(0).fails(1, evidence.Other).call(5).view(false)
	for _, tt := range []struct {
		call     int
		from, to float64
		want     bool
	}{
		{0, 0, 4.9, true},
		{0, 0, 5, false},
		{0, 6, 7, false},
		{1, 1.1, 9, true},
		{1, 1, 9, false},
		{1, 0.5, 0.6, false},
	} {
		if got := run.Calls[tt.call].alone(at(tt.from), at(tt.to)); got != tt.want {
			t.Errorf("call %d is alone from %gs to %gs: %t", tt.call+1, tt.from, tt.to, got)
		}
	}
}

func TestMaySend(t *testing.T) {
	t.Parallel()
	rejected := status(401, "{}")
	for name, tt := range map[string]struct {
		tape *tape
		want bool
	}{
		"before any":            {begun(), true},
		"after one":             {newTape().call(0).send(0.1, token1, answered()).resolve(1, ready(token1)), false},
		"after a rejected one":  {newTape().call(0).send(0.1, token1, "", rejected).resolve(1, ready(token1)), true},
		"after two of them":     {newTape().call(0).send(0.1, token1, "", rejected).send(0.2, token1, "", rejected).resolve(1, ready(token1)), false},
		"in the instant of one": {newTape().call(0).send(1, token1, answered()).resolve(1, ready(token1)), true},
		"before a later one":    {newTape().call(0).resolve(1, ready(token1)).send(2, token1, answered()), true},
	} {
		c := tt.tape.view(false).Calls[0]
		if got := c.maySend(c.Resolves[0]); got != tt.want {
			t.Errorf("%s: it may send: %t", name, got)
		}
	}
}

// Of a request that may be one of several calls the first answers, and only where all of them could have made it.
func TestWhoAnswersFor(t *testing.T) {
	t.Parallel()
	two := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0).call(0, edit...).send(1, token1, answered(), ofCalls(1, 2))
	}
	for name, tt := range map[string]struct {
		tape *tape
		want [2]int // how many requests each of the two answers for
	}{
		"alike":                          {two(), [2]int{1, 0}},
		"of two kinds":                   {two(ofKind("task")), [2]int{}},
		"of two operations":              {two(func(c *evidence.Call) { c.Op = evidence.CallGetTask }), [2]int{}},
		"alike, and another that is not": {two().call(0, ofKind("task")), [2]int{1, 0}},
	} {
		calls := tt.tape.view(false).Calls
		if got := [2]int{len(calls[0].answersFor()), len(calls[1].answersFor())}; got != tt.want {
			t.Errorf("%s: they answer for %v, want %v", name, got, tt.want)
		}
	}
}

func TestSendLike(t *testing.T) {
	t.Parallel()
	body := func(s string) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) { x.Request.Body = bodyOf(s) }
	}
	asked := func(op evidence.Op, method, target, b string) *Exchange {
		return newTape().call(0).asks(0, op, "other", method, target, body(b)).view(false).All[0]
	}
	for name, tt := range map[string]struct {
		x    *Exchange
		want bool
	}{
		"a send":                   {begun().send(1, token1, answered()).view(false).All[1], true},
		"its path elsewhere":       {asked(evidence.OpUnknown, "POST", "/x/api/a2a/v1/message:send?y", ""), true},
		"its body elsewhere":       {asked(evidence.OpUnknown, "POST", "/x", `{"message":{}}`), true},
		"a message that is a text": {asked(evidence.OpUnknown, "POST", "/x", `{"message":"m"}`), false},
		"another method":           {asked(evidence.OpUnknown, "GET", "/api/a2a/v1/message:send", `{"message":{}}`), false},
		"a known request":          {asked(evidence.OpGetAgent, "POST", "/api/a2a/v1/message:send", `{"message":{}}`), false},
	} {
		if got := tt.x.sendLike(); got != tt.want {
			t.Errorf("%s is like a send: %t", name, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]address{
		"http://h":          {origin: "http://h:80"},
		"https://H:1/":      {origin: "https://h:1"},
		"http://h/p/":       {origin: "http://h:80", path: "/p"},
		"http://h/p//":      {origin: "http://h:80", path: "/p/", odd: "several slashes at its end"},
		"http://u:p@h/p":    {origin: "http://h:80", path: "/p", credentials: true},
		"http://h/p@q":      {origin: "http://h:80", path: "/p@q"},
		"http://h?q":        {origin: "http://h:80", odd: `a query ("q")`},
		"http://[::1]/p":    {origin: "http://[::1]:80", path: "/p"},
		"http://[::1]:8080": {origin: "http://[::1]:8080"},
		"/p":                {},
		"http:///p":         {path: "/p"},
		"http://h\x7f/p":    {path: "/p"},
	} {
		if diff := cmp.Diff(want, addressOf(raw), cmp.AllowUnexported(address{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", raw, diff)
		}
	}
}

func TestSqueezedWords(t *testing.T) {
	t.Parallel()
	if got := squeeze("a |b│ c─d╿e\n\tf┃⓿▀"); got != "abcdef⓿▀" {
		t.Errorf("got %q", got)
	}
	if got := plainly("Update-required_NOW | yet"); got != "updaterequirednowyet" {
		t.Errorf("got %q", got)
	}
}
