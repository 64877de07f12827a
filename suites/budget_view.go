package suites

import (
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// stage is what a call was waiting for: the kinds of delay that a budget has to count.
type stage int

// The stages. Heading is an answer of which bytes came but no whole head (dripped lines, 1xx); directed is the time
// that the platform told the client to let pass before it asks again.
const (
	notWaiting stage = iota
	connecting
	uploading
	silent
	heading
	reading
	directed
)

// wait is what a call was waiting for at one moment.
type wait struct {
	stage stage
	// x is the exchange that was open, the answer that holds the direction, or the answer that sent the call to the
	// server that lets it hang; nil where there was none.
	x *Exchange
	// side is whose server lets the call hang, while connecting.
	side evidence.Side
	// since is when the present silence began: the last byte of the answer, else the request; while connecting, the
	// attempt.
	since evidence.Offset
	// direction is set where the stage is directed.
	direction Direction
}

// open tells whether the call depended on a server at that moment.
func (w wait) open() bool { return w.stage != notWaiting && w.stage != directed }

// on tells whether the exchange that was open is of that operation.
func (w wait) on(op evidence.Op) bool {
	return w.open() && w.stage != connecting && w.x.Op == op
}

// failing tells whether the head that came already says that the request failed: a client may then end at once.
func (w wait) failing() bool { return w.stage == reading && (w.x.Status() < 200 || w.x.Status() > 299) }

// waitingAt derives what the call was waiting for at t. Only exchanges that certainly belong to the call count.
func (c *Call) waitingAt(t evidence.Offset) wait {
	var last *Exchange
	for _, x := range c.Exchanges {
		if x.Arrived <= t {
			last = x
		}
	}
	if last != nil && !last.openAt(t) {
		last = c.besideAt(last, t)
	}
	if last != nil && last.openAt(t) {
		return wait{stage: c.stageOf(last, t), x: last, since: last.soundBefore(c, t)}
	}
	if w, ok := c.connectingAt(last, t); ok {
		return w
	}
	for _, d := range c.Directions() {
		if d.Answer == last {
			return wait{stage: directed, x: last, since: *last.LastBy, direction: d}
		}
	}
	return wait{}
}

// besideAt returns the request of discovery that was still open at t when last was answered: a client may ask for the
// Agent and for access at the same time. Where there is none it returns last.
func (c *Call) besideAt(last *Exchange, t evidence.Offset) *Exchange {
	for _, x := range c.Exchanges {
		if x.discovers() && x.Arrived <= t && x.openAt(t) && (x.Ended == nil || *x.Ended >= t) {
			return x
		}
	}
	return last
}

// openAt tells whether neither the whole answer had gone out by t nor the server had ended the exchange. One that
// the client gave up counts as open: nothing that the server did ended it. A client may act on what the server did
// before the server has made a note of it: an answer counts from before its last byte, and an end as far as the clock
// can tell.
func (x *Exchange) openAt(t evidence.Offset) bool {
	if x.Whole() && *x.LastFrom <= t {
		return false
	}
	byServer := x.EndedBy == evidence.EndedByServer || x.EndedBy == evidence.EndedByCut
	return !byServer || x.Ended == nil || x.run.NotBefore(t, *x.Ended) == evidence.No
}

func (c *Call) stageOf(x *Exchange, t evidence.Offset) stage {
	switch {
	case x.HeadBy != nil && *x.HeadBy <= t:
		return reading
	case x.Response != nil && len(x.Response.Writes) > 0 && x.Response.Writes[0].At <= t:
		return heading
	case (x.BodyRead == nil || *x.BodyRead > t) && c.cannotBuffer(x):
		return uploading
	default:
		return silent
	}
}

// cannotBuffer tells whether a server that does not read a request on makes its client wait. The buffers of real
// sockets take a small one whole: its client waits for the answer.
func (c *Call) cannotBuffer(x *Exchange) bool {
	const buffers = 8 << 20
	size := x.Request.ContentLength
	if size < 0 {
		size = int64(len(c.Input.Message.Or("")))
		for _, f := range c.Files {
			size += f.Size
		}
	}
	return c.exact() && size > 0 || size >= buffers
}

// soundBefore is when the silence at t began: at the last byte of the answer, else at the end of the request.
func (x *Exchange) soundBefore(c *Call, t evidence.Offset) evidence.Offset {
	since := x.Arrived
	if x.BodyRead != nil && *x.BodyRead <= t {
		since = *x.BodyRead
	}
	if x.Response == nil {
		return since
	}
	for _, w := range x.Response.Writes {
		if w.At > t {
			break
		}
		if c.Budget.Pair && w.At.Sub(since) > c.Budget.Read {
			return since // this silence was too long already; what came after it no longer counts
		}
		since = w.At
	}
	return since
}

// connectingAt finds a connection that hangs: made after the last exchange and never opened. Where attempts are not
// seen, as on real sockets, the address that the call was last given tells.
func (c *Call) connectingAt(last *Exchange, t evidence.Offset) (wait, bool) {
	began := c.Started
	if last != nil {
		began = last.Arrived
	}
	seen := false
	for i := range c.Run.Connections {
		conn := &c.Run.Connections[i]
		seen = seen || conn.Attempted != nil
		e, _ := c.Run.Endpoint(conn.Endpoint)
		hangs := conn.Attempted != nil && conn.Opened == nil && e.Accepts == evidence.AcceptsHang
		if hangs && *conn.Attempted >= began && *conn.Attempted <= t && c.aloneAt(*conn.Attempted) {
			return wait{stage: connecting, x: last, side: e.Side, since: *conn.Attempted}, true
		}
	}
	if seen {
		return wait{}, false
	}
	e, ok := c.nextServer(last)
	if !ok || e.Accepts != evidence.AcceptsHang {
		return wait{}, false
	}
	if last != nil {
		began = *last.LastBy
	}
	return wait{stage: connecting, x: last, side: e.Side, since: began}, true
}

// nextServer is the server that the call turns to next: the platform first, then where an admitting answer sends it.
func (c *Call) nextServer(last *Exchange) (evidence.Endpoint, bool) {
	origin := ""
	if last != nil {
		if last.Op != evidence.OpResolveAccess || !last.Whole() || !last.Access().Usable() {
			return evidence.Endpoint{}, false
		}
		origin = originOf(last.Access().RPCURL.Text)
	}
	i := slices.IndexFunc(c.Run.Endpoints, func(e evidence.Endpoint) bool {
		if last == nil {
			return e.Side == evidence.SidePlatform && (c.Backend == "" || c.Backend == e.Name)
		}
		return e.Origin == origin
	})
	if i < 0 {
		return evidence.Endpoint{}, false
	}
	return c.Run.Endpoints[i], true
}

// aloneAt tells whether no other call was going on at t: a connection says nothing of whose it is.
func (c *Call) aloneAt(t evidence.Offset) bool {
	return !slices.ContainsFunc(c.Run.Calls, func(o *Call) bool {
		return o.Number != c.Number && o.Started <= t && (o.Ended == nil || *o.Ended >= t)
	})
}

// exact tells whether the run was on virtual time, where nothing takes longer than it has to.
func (c *Call) exact() bool { return c.Run.Clock == evidence.ClockVirtual }

// lasted is how long the call is known to have gone on: to its end, or to the end of what was watched.
func (c *Call) lasted() evidence.Offset {
	if c.Ended != nil {
		return *c.Ended
	}
	return c.Until
}

// timed tells whether the call's budget can be judged: one with a timeout that can be kept, which nobody broke off from
// outside. What limits a wait for a Task the contract leaves open.
func (c *Call) timed() bool {
	return c.Op != evidence.CallWaitTask && c.Budget.Usable && c.unhindered()
}

// unhindered tells whether nothing but the client and the servers decided when the call ended.
func (c *Call) unhindered() bool {
	return c.Cancelled == nil && c.Signal == nil && (c.Done() || c.Ended == nil && c.Run.End.How != evidence.EndPanic)
}

// latestEnd is the latest moment at which the budget may run out. A command is given its time only once it has been
// loaded, so its first question for access is the latest start.
func (c *Call) latestEnd() evidence.Offset {
	if !c.byCommand() || c.exact() {
		return c.Budget.End
	}
	for _, x := range c.Resolves {
		return x.Arrived.Add(c.Budget.Total)
	}
	const startUp = 10 * time.Second // an interpreter and its modules on a busy machine
	return c.Budget.End.Add(startUp)
}

// grace is by how much a call may end late on a real clock, where noticing, unwinding and saying so take time: 0.3 s,
// for a command 1 s, because its process has to end too. On virtual time they take none.
func (c *Call) grace() time.Duration {
	switch {
	case c.exact():
		return 0
	case c.byCommand():
		return time.Second
	default:
		return 300 * time.Millisecond
	}
}

// endedBy tells whether the call ended by a limit, with its grace.
func (c *Call) endedBy(limit evidence.Offset) evidence.Verdict {
	return c.Run.NotAfter(c.lasted(), limit.Add(c.grace()))
}

// due is when a call that waits has to end.
type due struct {
	// from is the earliest and by the latest moment that is right.
	from, by evidence.Offset
	// phase is the limit that comes first: "total", "connect" or "read".
	phase string
}

// dueFor derives when a wait has to end: with the whole budget or, of a pair, with the phase it is in. While the
// request goes out clients differ in which phase they count, so the end may come with any of them.
func (c *Call) dueFor(w wait) due {
	total := due{from: c.Budget.End, by: c.latestEnd(), phase: "total"}
	if !c.Budget.Pair {
		return total
	}
	switch w.stage {
	case connecting:
		return total.sooner("connect", w.since.Add(c.Budget.Connect))
	case silent:
		// The buffers between the two may have taken the request long before the server had read it: a client that
		// counts from there ends early by as much.
		d := total.sooner("read", w.since.Add(c.Budget.Read))
		d.from = min(d.from, w.x.Arrived.Add(c.Budget.Read))
		return d
	case heading, reading:
		return total.sooner("read", w.since.Add(c.Budget.Read))
	case uploading:
		total.from = min(total.from, w.since.Add(min(c.Budget.Connect, c.Budget.Read)))
		return total
	default:
		return total
	}
}

func (d due) sooner(phase string, at evidence.Offset) due {
	if at >= d.from {
		return d
	}
	return due{from: at, by: at, phase: phase}
}

// cause is why a call ended although something was still open.
type cause struct {
	wait
	due
}

// cutShort tells what was open when the call ended by its own, and when it had to end. It is false for a call that
// had nothing open: an answer, a refusal or a direction ended it.
func (c *Call) cutShort() (cause, bool) {
	if !c.timed() || !c.Done() {
		return cause{}, false
	}
	w := c.waitingAt(*c.Ended)
	return cause{wait: w, due: c.dueFor(w)}, w.open()
}

// ranOut tells whether a limit was what ended the call: it held out until then.
func (c *Call) ranOut(k cause) bool { return c.Run.NotBefore(*c.Ended, k.from) != evidence.No }

// watchedOut tells whether the run was watched long enough after the call for silence to mean something.
func (c *Call) watchedOut() bool {
	const least = 200 * time.Millisecond // a request that was under way has arrived by then
	return c.Ended != nil && c.Until >= c.Ended.Add(least)
}
