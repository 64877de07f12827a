package suites

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// stages says what a call was waiting for at each moment: the stage, its exchange and since when.
func stages(c *Call, moments ...float64) []string {
	names := []string{"nothing", "connecting", "uploading", "silent", "heading", "reading", "directed"}
	var out []string
	for _, m := range moments {
		w := c.waitingAt(at(m))
		if w.stage == notWaiting {
			out = append(out, "nothing")
			continue
		}
		x := 0
		if w.x != nil {
			x = w.x.Seq
		}
		out = append(out, fmt.Sprintf("%s %d since %gs", names[w.stage], x, time.Duration(w.since).Seconds()))
	}
	return out
}

func TestWhatACallWaitsFor(t *testing.T) {
	t.Parallel()
	written := func(head float64, writes ...float64) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) {
			noAnswer(9, evidence.EndedByClient)(x)
			x.Response = &evidence.Response{Status: 200}
			for _, w := range writes {
				x.Response.Writes = append(x.Response.Writes, evidence.Write{At: at(w), Bytes: 1})
			}
			if by := at(head); head > 0 {
				x.HeadFrom, x.HeadBy = &by, &by
			}
		}
	}
	readAt := func(seconds float64) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) { read := at(seconds); x.BodyRead = &read }
	}
	alone := func(edit ...func(*evidence.Exchange)) *tape { return newTape().call(0).send(1, token1, "", edit...) }
	for name, tt := range map[string]struct {
		tape    *tape
		moments []float64
		want    []string
	}{
		"an answer": {alone(), []float64{0.999, 1, 1.001, 1.001009}, []string{"nothing", "silent 1 since 1s", "silent 1 since 1s", "nothing"}},
		"a request that goes out": {alone(hang(9), readAt(3)), []float64{1, 2.999, 3, 4},
			[]string{"uploading 1 since 1s", "uploading 1 since 1s", "silent 1 since 3s", "silent 1 since 3s"}},
		"a request that is never read": {alone(hang(9), unread(5)), []float64{2}, []string{"uploading 1 since 1s"}},
		"a request without a body":     {alone(hang(9), unread(0)), []float64{2}, []string{"silent 1 since 1s"}},
		"a request of one byte":        {alone(hang(9), unread(1)), []float64{2}, []string{"uploading 1 since 1s"}},
		"a small one on a real clock":  {alone(hang(9), unread(8<<20-1)).onClock(), []float64{2}, []string{"silent 1 since 1s"}},
		"a great one on a real clock":  {alone(hang(9), unread(8<<20)).onClock(), []float64{2}, []string{"uploading 1 since 1s"}},
		"a head that drips": {alone(written(0, 2, 3)), []float64{1.999, 2, 2.5, 3},
			[]string{"silent 1 since 1s", "heading 1 since 2s", "heading 1 since 2s", "heading 1 since 3s"}},
		"a body that drips": {alone(written(2, 2, 3)), []float64{1.999, 2, 3.5},
			[]string{"silent 1 since 1s", "reading 1 since 2s", "reading 1 since 3s"}},
		"an answer of no byte": {alone(written(0)), []float64{2}, []string{"silent 1 since 1s"}},
		"an end by the server": {alone(noAnswer(2, evidence.EndedByServer)), []float64{1.9, 2}, []string{"silent 1 since 1s", "nothing"}},
		"a cut":                {alone(noAnswer(2, evidence.EndedByCut)), []float64{1.9, 2}, []string{"silent 1 since 1s", "nothing"}},
		"an end by the client": {alone(noAnswer(2, evidence.EndedByClient)), []float64{1.9, 3}, []string{"silent 1 since 1s", "silent 1 since 1s"}},
		"a direction": {newTape().call(0).resolve(1, waiting("waking", "500")).resolve(3, waiting("waking", "700")), []float64{2, 4},
			[]string{"directed 1 since 1.001009s", "directed 2 since 3.001009s"}},
		"an admission": {newTape().call(0).resolve(1, waiting("waking", "500")).resolve(2, ready(token1)), []float64{3}, []string{"nothing"}},
		"discovery beside access": {newTape().call(0).asks(1, evidence.OpGetAgent, "platform", "GET", "/x", hang(9)).resolve(2, ready(token1)),
			[]float64{0.5, 1, 2.5, 9, 9.1}, []string{"nothing", "silent 1 since 1s", "silent 1 since 1s", "silent 1 since 1s", "nothing"}},
		"another request beside access": {newTape().call(0).send(1, token1, "", hang(9)).resolve(2, ready(token1)), []float64{2.5}, []string{"nothing"}},
		"a silence that was too long": {newTape().call(0, pair(1, 2)).send(1, token1, "", written(0, 3, 5.5, 6)), []float64{3, 6},
			[]string{"heading 1 since 3s", "heading 1 since 3s"}},
		"silences that a number does not limit": {newTape().call(0, timeout(2)).send(1, token1, "", written(0, 3, 5.5, 6)), []float64{6}, []string{"heading 1 since 6s"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, stages(tt.tape.view(false).Calls[0], tt.moments...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhereACallHangs(t *testing.T) {
	t.Parallel()
	opened := func(tp *tape) *tape {
		o := at(2)
		tp.run.Connections[len(tp.run.Connections)-1].Opened = &o
		return tp
	}
	elsewhere := func(c *evidence.Call) { c.Backend = "other" }
	for name, tt := range map[string]struct {
		tape    *tape
		call    int
		moments []float64
		want    []string
	}{
		"an attempt":             {newTape().call(0).deaf("platform", 1), 0, []float64{0.9, 1, 2}, []string{"nothing", "connecting 0 since 1s", "connecting 0 since 1s"}},
		"after an answer":        {begun().deaf("runtime", 0.5), 0, []float64{0.4, 0.5}, []string{"nothing", "connecting 1 since 0.5s"}},
		"an attempt of before":   {begun().deaf("runtime", 0.0005), 0, []float64{0.4}, []string{"nothing"}},
		"an attempt that opened": {opened(newTape().call(0).deaf("platform", 1)), 0, []float64{3}, []string{"nothing"}},
		"an attempt elsewhere, that was refused": {func() *tape {
			tp := newTape().call(0).deaf("platform", 1)
			tp.run.Endpoints[0].Accepts = evidence.AcceptsYes
			return tp
		}(), 0, []float64{3}, []string{"nothing"}},
		"two calls at once":               {newTape().call(0).call(0.5).deaf("platform", 1), 1, []float64{2}, []string{"nothing"}},
		"a call that had ended":           {newTape().call(0).fails(0.9, evidence.Other).call(0.5).deaf("platform", 1), 1, []float64{2}, []string{"connecting 0 since 1s"}},
		"a call that ended then":          {newTape().call(0).fails(1, evidence.Other).call(0.5).deaf("platform", 1), 1, []float64{2}, []string{"nothing"}},
		"a call that began then":          {newTape().call(0).call(1).deaf("platform", 1), 0, []float64{2}, []string{"nothing"}},
		"a later call":                    {newTape().call(0).call(1.5).deaf("platform", 1), 0, []float64{2}, []string{"connecting 0 since 1s"}},
		"unseen":                          {newTape().call(1).deaf("platform"), 0, []float64{2}, []string{"connecting 0 since 1s"}},
		"unseen after an admission":       {begun().deaf("runtime"), 0, []float64{2}, []string{"connecting 1 since 0.002009s"}},
		"unseen after a refusal":          {newTape().call(0).resolve(0.001, stopped("unavailable")).deaf("runtime"), 0, []float64{2}, []string{"nothing"}},
		"unseen after a broken admission": {newTape().call(0).resolve(0.001, ready(token1), broken, noted).deaf("runtime"), 0, []float64{2}, []string{"nothing"}},
		"unseen after a send":             {begun().send(0.003, token1, answered()).deaf("runtime"), 0, []float64{2}, []string{"nothing"}},
		"unseen at another backend":       {newTape().call(1, elsewhere).deaf("platform"), 0, []float64{2}, []string{"nothing"}},
		"unseen without a backend":        {newTape().call(1, func(c *evidence.Call) { c.Backend = "" }).deaf("platform"), 0, []float64{2}, []string{"connecting 0 since 1s"}},
		"unseen where all is open":        {newTape().call(1), 0, []float64{2}, []string{"nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, stages(tt.tape.view(false).Calls[tt.call], tt.moments...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// noted has the server note an end although the answer is not whole.
func noted(x *evidence.Exchange) { x.EndedBy = evidence.EndedByCut }

func TestLatestEnd(t *testing.T) {
	t.Parallel()
	command := evidence.Subject{Kind: evidence.KindCommand, Command: true}
	virtual := newTape().by(command).call(1, timeout(5)).resolve(2, ready(token1))
	for name, tt := range map[string]struct {
		run   *Run
		end   float64
		grace time.Duration
	}{
		"a client":                         {newTape().call(1, timeout(5)).resolve(2, ready(token1)).view(false), 6, 0},
		"a client on a real clock":         {newTape().onClock().call(1, timeout(5)).resolve(2, ready(token1)).view(false), 6, 300 * time.Millisecond},
		"a command on virtual time":        {newRun(&virtual.run, command, false), 6, 0},
		"a command that asked":             {newRun(&aCommand().call(1, timeout(5)).resolve(2, ready(token1)).resolve(3, ready(token1)).run, command, false), 7, time.Second},
		"a command that asked for nothing": {newRun(&aCommand().call(1, timeout(5)).run, command, false), 16, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := tt.run.Calls[0]
			if c.latestEnd() != at(tt.end) || c.grace() != tt.grace {
				t.Errorf("the end is %v with %s, want %gs with %s", c.latestEnd(), c.grace(), tt.end, tt.grace)
			}
		})
	}
}

func TestWatchedOut(t *testing.T) {
	t.Parallel()
	for until, want := range map[float64]bool{1.199999999: false, 1.2: true, 3: true} {
		if got := newTape().call(0).fails(1, evidence.Other).until(until).view(false).Calls[0].watchedOut(); got != want {
			t.Errorf("a call that ended at 1s and was watched until %gs is watched out: %t", until, got)
		}
	}
	if newTape().call(0).view(false).Calls[0].watchedOut() {
		t.Error("a call without an end is watched out")
	}
}

func TestTimedCalls(t *testing.T) {
	t.Parallel()
	signalled := func(c *evidence.Call) { c.Signal = &evidence.Signal{} }
	waits := func(c *evidence.Call) { c.Op = evidence.CallWaitTask }
	panicked := func(tp *tape) *tape { tp.run.End.How = evidence.EndPanic; return tp }
	for name, tt := range map[string]struct {
		tape *tape
		want bool
	}{
		"one that ended":             {plain(), true},
		"one that goes on":           {newTape().call(0), true},
		"one that was given up":      {newTape().call(0, cancelled(1)).fails(1, evidence.Other), false},
		"one that got a signal":      {newTape().call(0, signalled).fails(1, evidence.Other), false},
		"one that crashed":           {newTape().call(0).isAs(evidence.OutcomeCrash, ""), false},
		"one when the run fell over": {panicked(newTape().call(0)), false},
		"ended before it fell over":  {panicked(plain()), true},
		"a wait for a Task":          {newTape().call(0, waits), false},
		"without a usable budget":    {newTape().call(0, timeout(0)), false},
	} {
		if got := tt.tape.view(false).Calls[0].timed(); got != tt.want {
			t.Errorf("%s: timed is %t", name, got)
		}
	}
}

func TestFailingHead(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]bool{199: true, 200: false, 299: false, 300: true} {
		x := newTape().call(0).send(0, token1, "", status(code, "")).view(false).All[0]
		if got := (wait{stage: reading, x: x}).failing(); got != want {
			t.Errorf("status %d fails: %t", code, got)
		}
		if (wait{stage: silent, x: x}).failing() {
			t.Errorf("status %d fails before it came", code)
		}
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	const limit = 2 * time.Second
	written := func(writes ...float64) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) {
			noAnswer(9, evidence.EndedByClient)(x)
			x.Response = &evidence.Response{Status: 200}
			for _, w := range writes {
				x.Response.Writes = append(x.Response.Writes, evidence.Write{At: at(w), Bytes: 1})
			}
		}
	}
	unread := func(x *evidence.Exchange) { x.BodyRead = nil }
	readAt := func(seconds float64) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) { read := at(seconds); x.BodyRead = &read }
	}
	for name, tt := range map[string]struct {
		edit  []func(*evidence.Exchange)
		until float64
		since float64
		want  bool
	}{
		"not long enough":                  {[]func(*evidence.Exchange){hang(9)}, 2.999, 1, false},
		"just long enough":                 {[]func(*evidence.Exchange){hang(9)}, 3, 1, true},
		"the client had hung up":           {[]func(*evidence.Exchange){hang(2)}, 8, 1, false},
		"the server had cut":               {[]func(*evidence.Exchange){noAnswer(2, evidence.EndedByCut)}, 8, 1, false},
		"while the request goes out":       {[]func(*evidence.Exchange){hang(9), unread}, 8, 0, false},
		"counted from the end of the body": {[]func(*evidence.Exchange){hang(9), readAt(2)}, 3.5, 2, false},
		"after the end of the body":        {[]func(*evidence.Exchange){hang(9), readAt(2)}, 4, 2, true},
		"an answer to a request unread":    {[]func(*evidence.Exchange){written(2.5), unread}, 4.5, 2.5, true},
		"an answer of nothing, unread":     {[]func(*evidence.Exchange){written(), unread}, 8, 0, false},
		"an answer of nothing":             {[]func(*evidence.Exchange){written()}, 3, 1, true},
		"between two bytes":                {[]func(*evidence.Exchange){written(2, 4.1, 5)}, 6, 2, true},
		"between two bytes, as allowed":    {[]func(*evidence.Exchange){written(2, 4, 5)}, 6, 5, false},
		"bytes after what is asked for":    {[]func(*evidence.Exchange){written(2, 8)}, 3, 2, false},
		"a byte at the last moment":        {[]func(*evidence.Exchange){written(2.5)}, 2.5, 2.5, false},
		"a byte too late, at the last":     {[]func(*evidence.Exchange){written(3.5)}, 3.5, 1, true},
		"an answer that came":              {nil, 9, 1.001009, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newTape().call(0).send(1, token1, answered(), tt.edit...).view(false).Calls[0]
			since, ok := c.silence(c.Sends[0], limit, at(tt.until))
			if ok != tt.want || since != at(tt.since) {
				t.Errorf("silent %t since %v, want %t since %gs", ok, since, tt.want, tt.since)
			}
		})
	}
}
