package suites

import "github.com/a2a-conform/a2a-conform/evidence"

// hang leaves a request without an answer until the client hangs up.
func hang(until float64) func(*evidence.Exchange) { return noAnswer(until, evidence.EndedByClient) }

// drip sends the head of an answer with that status at once and then a byte of its body every so many seconds, until
// the client hangs up.
func drip(code int, every, until float64) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		trickle(x, every, until)
		x.Response.Status = code
		head := x.Arrived + latency
		x.HeadFrom, x.HeadBy = &head, &head
	}
}

// dripHead sends bytes of a head that never ends, or 1xx answers.
func dripHead(every, until float64) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		trickle(x, every, until)
		x.Response.Status = 0
	}
}

// inform has an answer consist of 1xx answers so far, the newest of them at until or a little before.
func inform(every, until float64) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		dripHead(every, until)(x)
		x.Response.Fault = "informational"
	}
}

func trickle(x *evidence.Exchange, every, until float64) {
	first, last, ended := x.Arrived+latency, x.Arrived+latency, at(until)
	x.Response.Writes, x.Response.Complete = nil, false
	for t := first; t < ended; t += at(every) {
		x.Response.Writes = append(x.Response.Writes, evidence.Write{At: t, Bytes: 1})
		last = t
	}
	x.HeadFrom, x.HeadBy, x.LastFrom, x.LastBy = nil, nil, &last, &last
	x.Ended, x.EndedBy = &ended, evidence.EndedByClient
}

// answerAfter has the answer come whole so many seconds after the request.
func answerAfter(seconds float64) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		t := x.Arrived + at(seconds)
		x.HeadFrom, x.HeadBy, x.LastFrom, x.LastBy, x.Ended = &t, &t, &t, &t, &t
		x.Response.Writes = []evidence.Write{{At: t, Bytes: 1}}
	}
}

// unread is a request of that size whose body the server does not read on.
func unread(size int64) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) { x.BodyRead, x.Request.ContentLength = nil, size }
}

// cut has the server break the exchange off after its head, or with status 0 before it.
func cut(code int) func(*evidence.Exchange) {
	return func(x *evidence.Exchange) {
		x.EndedBy, x.Response.Complete, x.Response.Status = evidence.EndedByCut, false, code
		if code == 0 {
			x.Response, x.HeadFrom, x.HeadBy, x.LastFrom, x.LastBy = nil, nil, nil, nil, nil
		}
	}
}

// until ends the watching of the run.
func (t *tape) until(seconds float64) *tape {
	t.run.ObservedUntil = at(seconds)
	return t
}

// deaf has a server let connections hang; an attempt is recorded where a moment is given.
func (t *tape) deaf(endpoint string, attempts ...float64) *tape {
	for i := range t.run.Endpoints {
		if t.run.Endpoints[i].Name == endpoint {
			t.run.Endpoints[i].Accepts = evidence.AcceptsHang
		}
	}
	for _, a := range attempts {
		attempted := at(a)
		t.run.Connections = append(t.run.Connections, evidence.Connection{
			Number: len(t.run.Connections) + 1, Endpoint: endpoint, Attempted: &attempted,
		})
	}
	return t
}

// renew adds a renewal of the platform token.
func (t *tape) renew(arrive float64, edit ...func(*evidence.Exchange)) *tape {
	return t.asks(arrive, evidence.OpRenewToken, "platform", "POST", "/auth/jwt-token/token/refresh/", edit...)
}

// aCommand is a tape of a program on a real clock.
func aCommand() *tape {
	return newTape().onClock().by(evidence.Subject{Kind: evidence.KindCommand, Command: true})
}

// task asks for Task mode.
func task(c *evidence.Call) { c.Input.ResponseKind = evidence.Some("task") }

// cancelled has the caller give up.
func cancelled(seconds float64) func(*evidence.Call) {
	return func(c *evidence.Call) {
		t := at(seconds)
		c.Cancelled = &t
	}
}

// is adds categories whose class also catches an error.
func is(categories ...evidence.Category) func(*evidence.Error) {
	return func(e *evidence.Error) { e.Is = append(e.Is, categories...) }
}

// untold hides the category of an error.
func untold(e *evidence.Error) { e.Category, e.Is = "", nil }

// begun is a call that has resolved and now sends.
func begun(edit ...func(*evidence.Call)) *tape {
	return newTape().call(0, edit...).resolve(0.001, ready(token1))
}
