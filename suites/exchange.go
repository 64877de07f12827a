package suites

import (
	"net/http"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Exchange is the view of one exchange; its readings are made once, when a rule first asks.
type Exchange struct {
	*evidence.Exchange
	run    *Run
	access *evidence.Access
	answer *evidence.Answer
	send   *evidence.SendRequest
	info   *evidence.ErrorInfo
}

// once gives the reading that is kept, or makes and keeps it.
func once[T any](x *Exchange, kept **T, read func(*evidence.Exchange) T) *T {
	if *kept == nil {
		made := read(x.Exchange)
		*kept = &made
	}
	return *kept
}

// Access reads the answer of a resolve.
func (x *Exchange) Access() *evidence.Access { return once(x, &x.access, evidence.ReadAccess) }

// Answer reads the answer of a send.
func (x *Exchange) Answer() *evidence.Answer { return once(x, &x.answer, evidence.ReadMessage) }

// Body reads the body of a send's request.
func (x *Exchange) Body() *evidence.SendRequest { return once(x, &x.send, evidence.ReadSend) }

// ErrorInfo reads the error of an answer.
func (x *Exchange) ErrorInfo() *evidence.ErrorInfo { return once(x, &x.info, evidence.ReadErrorInfo) }

// Side tells whose server was reached.
func (x *Exchange) Side() evidence.Side {
	e, _ := x.run.Endpoint(x.Endpoint)
	return e.Side
}

// Origin is the origin of the server that was reached.
func (x *Exchange) Origin() string {
	e, _ := x.run.Endpoint(x.Endpoint)
	return e.Origin
}

// Status is the status of the answer, 0 where no head went out.
func (x *Exchange) Status() int {
	if x.Response == nil || x.HeadBy == nil {
		return 0
	}
	return x.Response.Status
}

// Whole tells whether the answer went out to its end.
func (x *Exchange) Whole() bool { return x.Response != nil && x.Response.Complete && x.LastBy != nil }

// Rejected tells whether the runtime rejected the credentials: the status alone decides (ADR, Decision 5).
func (x *Exchange) Rejected() bool {
	return x.Status() == http.StatusUnauthorized || x.Status() == http.StatusForbidden
}

// offScript tells whether no script foresaw the request. Retired and unknown routes never have a script: rules of
// their own forbid them, and what follows them is judged as always.
func (x *Exchange) offScript() bool {
	return !x.Scripted && x.Op != evidence.OpLegacy && x.Op != evidence.OpUnknown
}

// Before tells whether the whole answer had left before other arrived.
func (x *Exchange) Before(other *Exchange) bool {
	return x.LastFrom != nil && x.Whole() && *x.LastFrom <= other.Arrived
}

// Direction is a transient answer with a usable retry_after_ms: what the platform told the client to do.
type Direction struct {
	Answer *Exchange
	State  string
	Wait   time.Duration
	// From and By are Answer's last byte, before and after it was written, plus Wait: the resolve is due not before
	// From, and late after By.
	From, By evidence.Offset
	// Next is the next resolve of the call, nil where none came.
	Next *Exchange
}

// State is the interaction state that the answer of a resolve names, empty where that is no text.
func (x *Exchange) State() string {
	state, _ := x.Access().State.Text()
	return state
}

// refuses tells whether a whole answer of the platform says can_submit false. With null, a number or nothing in its
// place it does not admit either, but what a client makes of the rest of it is then its own choice.
func (x *Exchange) refuses() bool {
	admits, ok := x.Access().CanSubmit.Bool()
	return ok && !admits && x.Access().Answered && x.Whole()
}

// Directions returns the directions that the call was given, in their order.
func (c *Call) Directions() []Direction {
	var out []Direction
	for i, x := range c.Resolves {
		wait, ok := x.Access().Waits()
		if !ok || !x.refuses() || wait > maxBudget {
			continue
		}
		d := Direction{
			Answer: x, State: x.State(), Wait: wait,
			From: x.LastFrom.Add(wait), By: x.LastBy.Add(wait),
		}
		if i+1 < len(c.Resolves) {
			d.Next = c.Resolves[i+1]
		}
		out = append(out, d)
	}
	return out
}

// Newest returns the newest resolve of the call whose whole answer had left before x arrived, nil where there is none.
func (c *Call) Newest(x *Exchange) *Exchange {
	var newest *Exchange
	for _, r := range c.Resolves {
		if r.Before(x) {
			newest = r
		}
	}
	return newest
}

// Admission is the answer of the platform that a send rests on.
type Admission struct {
	*Exchange
	// Cached tells that the answer was given to an earlier call of the same instance and session.
	Cached bool
}

// Admission returns the answer that a send rests on: the newest of its own call or, where the call had resolved none,
// the newest that an earlier call of the same instance, user, backend and session got. It tells nothing of whether
// that answer admits.
func (c *Call) Admission(send *Exchange) (Admission, bool) {
	if own := c.Newest(send); own != nil {
		return Admission{Exchange: own}, true
	}
	var newest *Exchange
	for _, other := range c.Run.Calls {
		if other.Number == c.Number || !other.sharesAccessWith(c) {
			continue
		}
		if r := other.Newest(send); r != nil && (newest == nil || r.Seq > newest.Seq) {
			newest = r
		}
	}
	return Admission{Exchange: newest, Cached: true}, newest != nil
}

func (c *Call) sharesAccessWith(other *Call) bool {
	return c.Client == other.Client && c.sharesAudienceWith(other)
}

// sharesAudienceWith tells whether access that one of the calls was given is good for the other too, whichever
// instance made it: the backend, the user and the session are the same (ADR 0029, Caching).
func (c *Call) sharesAudienceWith(other *Call) bool {
	return c.Session == other.Session && c.User == other.User && c.Backend == other.Backend
}

// Rejections returns those of the call's own requests whose credentials the runtime rejected, in their order.
func (c *Call) Rejections() []*Exchange {
	var out []*Exchange
	for _, x := range c.Own {
		if x.Rejected() {
			out = append(out, x)
		}
	}
	return out
}
