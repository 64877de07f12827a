package suites

import (
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func bud03() Rule {
	return Rule{
		ID: "BUD-03", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "keep the limits of a pair's phases: connect, and the longest silence while reading",
		Cause:      "The pair is summed up and its parts are forgotten, or the two parts are mixed up.",
		Right:      "With (1, 5) a connection that never opens is given up after 1s, a silent answer after 5s.",
		Wrong:      "With (1, 5) either of them is given up after 6s.",
		Needs:      []string{"timeout_pair"},
		Judge:      sending(keepsPhases),
	}
}

func keepsPhases(c *Call, j *Judgement) {
	if c.timed() && c.Budget.Pair && !c.Budget.Default {
		keepsConnect(c, j)
		keepsRead(c, j)
	}
}

func keepsConnect(c *Call, j *Judgement) {
	w := c.waitingAt(min(c.lasted(), c.latestEnd()))
	if w.stage != connecting || c.byCommand() && !c.exact() {
		return // nobody sees when a program asks for its connection
	}
	judgePhase(c, j, w, c.Budget.Connect, "connect")
}

// keepsRead looks at the silences of the call that were too long, the first of each exchange.
func keepsRead(c *Call, j *Judgement) {
	at := min(c.lasted(), c.latestEnd())
	for _, x := range c.Exchanges {
		if x.Arrived > at {
			return
		}
		if since, ok := c.silence(x, c.Budget.Read, at); ok && !c.askedAgain(x, since.Add(c.Budget.Read)) {
			judgePhase(c, j, wait{stage: c.stageOf(x, since), x: x, since: since}, c.Budget.Read, "read")
		}
	}
}

// askedAgain tells whether the client gave a look-up up at its limit and made it once more: the limit is kept, and the
// total is what ends the call.
func (c *Call) askedAgain(x *Exchange, border evidence.Offset) bool {
	if !x.discovers() || x.Ended == nil || c.Run.NotAfter(*x.Ended, border) == evidence.No {
		return false
	}
	return slices.ContainsFunc(c.Exchanges, func(y *Exchange) bool { return y.Seq > x.Seq && y.path() == x.path() })
}

func judgePhase(c *Call, j *Judgement, w wait, limit time.Duration, name string) {
	border := w.since.Add(limit)
	if border >= c.Budget.End {
		return // the total comes first
	}
	seen := c.lastedWords() + ", " + inWords(c.lasted().Sub(w.since)) + " after it began to wait with " + w.words()
	want := "an end " + inWords(limit) + " after that: the " + name + " limit of its " + c.budgetWords()
	switch v := c.endedBy(border); {
	case v == evidence.No:
		j.Fail(seen, want, w.x)
	case c.Ended == nil || c.Run.NotBefore(*c.Ended, border) == evidence.No:
		return // ended earlier, by something else
	default:
		j.HoldIf(v, seen, want, w.x)
	}
}

// silence finds the first silence of that length while the answer was awaited or read, up to a moment or to when either
// side hung up. While the request is on its way out nobody is silent. What the server did in the end was too late only
// where a client that keeps the limit had certainly gone by then.
func (c *Call) silence(x *Exchange, limit time.Duration, until evidence.Offset) (since evidence.Offset, ok bool) {
	if x.BodyRead == nil && (x.Response == nil || len(x.Response.Writes) == 0) {
		return 0, false
	}
	since = x.Arrived
	if x.BodyRead != nil {
		since = *x.BodyRead
	}
	tooLate := func(t evidence.Offset) bool {
		return c.Run.NotAfter(t, since.Add(limit+c.grace())) == evidence.No
	}
	if x.Response != nil {
		for _, w := range x.Response.Writes {
			if w.At > until {
				break
			}
			if tooLate(w.At) {
				return since, true
			}
			since = w.At
		}
	}
	if x.Ended != nil {
		until = min(until, *x.Ended)
	}
	if x.openAt(until) {
		return since, c.Run.NotBefore(until, since.Add(limit)) != evidence.No
	}
	return since, !x.Whole() && tooLate(until)
}

func bud04() Rule {
	return Rule{
		ID: "BUD-04", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "keep (5, 900) when the caller gives no timeout, in send, get and cancel",
		Cause:      "The client falls back to the default of its HTTP library: 30 or 60 seconds, or none at all.",
		Right:      "Without a timeout a silent Agent is waited for until 899s have passed, and given up by 905s; a connection that never opens is given up after 5s.",
		Wrong:      "Without a timeout the call ends after 60s, or never.",
		Needs:      []string{"timeout_default"},
		Judge: budgeted(func(c *Call, j *Judgement) {
			if c.timed() && c.Budget.Default {
				keepsDefault(c, j)
			}
		}),
	}
}

func keepsDefault(c *Call, j *Judgement) {
	at := c.lasted()
	w := c.waitingAt(min(at, c.latestEnd()))
	d := c.dueFor(w)
	early, late := d.from, c.latestEnd()
	if w.stage == connecting && !c.exact() {
		return // 5s cannot be told from the system's own limits where attempts are not seen
	}
	switch w.stage {
	case silent:
		early = early.Add(-time.Second)
	case heading, reading:
		early = min(early, c.Started.Add(DefaultRead))
	case connecting:
		late = d.by
	default:
	}
	seen := c.lastedWords() + ", with " + w.words()
	want := "an end " + inWords(late.Sub(c.Started)) + " after the start: the default is (5s, 900s)"
	if early < late {
		want = "an end between " + inWords(early.Sub(c.Started)) + " and " + inWords(late.Sub(c.Started)) + " after the start: the default is (5s, 900s)"
	}
	switch v := c.endedBy(late); {
	case v == evidence.No:
		j.Fail(seen, want, w.x)
	case c.Ended == nil || !w.open() || c.explained(w):
	case c.Run.NotBefore(at, early) != evidence.Yes:
		j.HoldIf(c.Run.NotBefore(at, early), seen, want, w.x)
	default:
		j.HoldIf(v, seen, want, w.x)
	}
}
