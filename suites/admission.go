package suites

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// terminal tells whether a whole answer refuses in a state that the platform will not leave by itself: any state but
// the four (ADR, Decision 3).
func (x *Exchange) terminal() bool {
	state, ok := x.Access().State.Text()
	return ok && x.refuses() && !evidence.TransientState(state)
}

// undirected tells whether a transient answer says nothing usable about when to ask again. A number as text, a
// fraction or one beyond 2^53 is neither usable nor useless: what a client makes of it is its own choice.
func (x *Exchange) undirected() bool {
	if !x.refuses() || !x.Access().Transient() {
		return false
	}
	switch x.Access().RetryAfter.Kind {
	case evidence.DirectionAbsent, evidence.DirectionNull, evidence.DirectionNegative, evidence.DirectionOther:
		return true
	default:
		return false
	}
}

// truthy tells whether can_submit is 1 or "true": no admission, and yet what a client makes of it is not judged.
func (x *Exchange) truthy() bool {
	v := x.Access().CanSubmit
	text, _ := v.Text()
	n, _ := v.Int() // 0 where it is no whole number
	return n == 1 || strings.EqualFold(text, "true")
}

// failedResolve says why a resolve failed, so that nothing may rest on its answer; empty where it did not, or where
// the client hung up before it was answered.
func (x *Exchange) failedResolve() string {
	switch status := x.Status(); {
	case status >= 300 || status > 0 && status < 200:
		return "was answered " + strconv.Itoa(status)
	case !x.Whole() && (x.EndedBy == evidence.EndedByCut || x.EndedBy == evidence.EndedByServer):
		return "got an answer that broke off"
	case status == 200 && x.Whole():
		return x.unreadable()
	default:
		return ""
	}
}

// unreadable says why a whole answer is no answer to a resolve at all; empty for one that is.
func (x *Exchange) unreadable() string {
	a := x.Access()
	interaction := a.Body.Member("runtime_interaction").Kind()
	switch {
	case !a.Answered:
		return "got an answer that is not one JSON object"
	case interaction != evidence.KindObject && interaction != evidence.KindAbsent && interaction != evidence.KindNull:
		return "got runtime_interaction as " + interaction.String()
	case x.refuses() && a.State.Kind() != evidence.KindString:
		return "got state as " + a.State.Kind().String()
	default:
		return ""
	}
}

// maySend tells whether the call had still a request of its own to make when x arrived: it had made none, or one that
// was rejected.
func (c *Call) maySend(x *Exchange) bool {
	var before []*Exchange
	for _, s := range c.Own {
		if s.Arrived < x.Arrived {
			before = append(before, s)
		}
	}
	return len(before) == 0 || len(before) == 1 && before[0].Rejected()
}

// toFollow returns the directions that the call had to follow: those it was given while it had still something to send.
func (c *Call) toFollow() []Direction {
	return slices.DeleteFunc(c.Directions(), func(d Direction) bool { return !c.maySend(d.Answer) })
}

// The least time that has to be left over before a re-resolution is said to fit, on the clock of a machine.
const fitMargin = 50 * time.Millisecond

// fits tells whether a directed re-resolution comes before the end of the budget. Near the end it is unclear.
func (c *Call) fits(d Direction) evidence.Verdict {
	if !c.Budget.Usable {
		return evidence.Unclear
	}
	slack := evidence.Offset(0)
	if !c.exact() {
		slack = evidence.Offset(fitMargin) + c.Run.Tolerance.Late + c.Run.Tolerance.Noise
	}
	slack += evidence.Offset(max(0, c.leastWait()-d.Wait))
	switch {
	case d.By+slack < c.Budget.End:
		return evidence.Yes
	case d.From > c.latestEnd() && c.Run.NotAfter(d.From, c.latestEnd()) == evidence.No:
		return evidence.No
	default:
		return evidence.Unclear
	}
}

// leastWait is the wait below which the subject says that it never goes.
func (c *Call) leastWait() time.Duration {
	if ms := c.Run.Subject.Constants.MinWaitMS; ms != nil && *ms > 0 && *ms < 60_000 {
		return time.Duration(*ms * float64(time.Millisecond))
	}
	return 0
}

// leftAlone tells whether the caller neither gave up nor sent a signal up to t.
func (c *Call) leftAlone(t evidence.Offset) bool {
	return (c.Cancelled == nil || *c.Cancelled > t) && (c.Signal == nil || c.Signal.At > t)
}

// ended tells whether the call is known to have ended by itself: what it did not do by then, it did not do.
func (c *Call) ended() bool { return c.Done() && c.OffScript == nil && c.leftAlone(*c.Ended) }

// isKind tells whether an error is of that category, or a kind of it.
func isKind(e *evidence.Error, category evidence.Category) bool {
	return e.Category == category || slices.Contains(e.Is, category)
}

// alone tells whether no other call was open at some moment between from and to.
func (c *Call) alone(from, to evidence.Offset) bool {
	return !slices.ContainsFunc(c.Run.Calls, func(o *Call) bool {
		return o.Number != c.Number && o.Started <= to && (o.Ended == nil || *o.Ended >= from)
	})
}

// answersFor returns the requests that the call answers for: its own and, of those that may be of several calls, such
// as are all of one kind, the ones where it is the first: one of them made the request, whichever it was.
func (c *Call) answersFor() []*Exchange {
	out := slices.Clone(c.Exchanges)
	for _, x := range c.Maybe {
		if slices.Min(x.Calls) == c.Number && c.Run.allLike(c, x.Calls) {
			out = append(out, x)
		}
	}
	return out
}

func (r *Run) allLike(c *Call, numbers []int) bool {
	return !slices.ContainsFunc(r.Calls, func(o *Call) bool {
		return slices.Contains(numbers, o.Number) && (o.Op != c.Op || o.Kind() != c.Kind())
	})
}

// sendLike tells whether a request was meant as a send, wherever it went.
func (x *Exchange) sendLike() bool {
	if x.Op == evidence.OpSendMessage {
		return true
	}
	return x.Op == evidence.OpUnknown && x.Request.Method == http.MethodPost &&
		(strings.HasSuffix(x.path(), sendPath) || x.Body().Body.Member("message").Kind() == evidence.KindObject)
}

// sendPath is what a client appends to rpc_url for a send (ADR, Decision).
const sendPath = "/api/a2a/v1/message:send"

// path is the target without its query, not decoded.
func (x *Exchange) path() string {
	path, _, _ := strings.Cut(x.Request.Target, "?")
	return path
}

// inWords writes a length of time for a reason, in seconds and to the microsecond: "1.5s", "0.001009s".
func inWords(d time.Duration) string {
	digits := strconv.FormatFloat(d.Seconds(), 'f', 6, 64)
	return strings.TrimSuffix(strings.TrimRight(digits, "0"), ".") + "s"
}
