package evidence

import (
	"slices"
	"sync"
	"time"
)

// Recorder makes the recording of one run. The runner tells it of calls, the mocks of exchanges and connections; any
// number of goroutines may do so at once. What it is told after Close is dropped.
//
// Secrets are replaced at the moment a byte is recorded, so register a secret before it is handed out. The bytes of
// an answer are the one exception: they are kept as they are until their exchange ends, because a secret may be
// split over two writes.
type Recorder struct {
	epoch  time.Time
	bodies *Bodies

	mu          sync.Mutex
	closed      bool
	run         Run
	values      map[string]string // of secrets, to their names
	kinds       map[SecretKind]int
	redactor    redactor
	attribution *attribution
	exchanges   []*Open
	connections []*Conn
}

// NewRecorder starts a recording. All offsets count from epoch; bodies is shared by the runs of a session, nil for a
// store of its own.
func NewRecorder(id string, clock Clock, epoch time.Time, tol Tolerance, bodies *Bodies) *Recorder {
	if bodies == nil {
		bodies = &Bodies{}
	}
	return &Recorder{
		epoch:  epoch,
		bodies: bodies,
		run: Run{
			ID: id, Clock: clock, Epoch: epoch.Round(0).UTC(), Tolerance: tol,
			Secrets: []Secret{}, Endpoints: []Endpoint{}, Calls: []Call{},
		},
		values:      map[string]string{},
		kinds:       map[SecretKind]int{},
		redactor:    redactor{gramTable: bodies.table()},
		attribution: newAttribution(),
	}
}

// Now is the present moment of the run, on the clock that time.Now shows (virtual inside a bubble).
func (r *Recorder) Now() Offset { return Offset(time.Since(r.epoch)) }

// AddSecret registers a credential before it is handed out, and returns its name. A secret without a name gets one
// from its kind and its place among those of its kind. A value that is registered again keeps its first name.
func (r *Recorder) AddSecret(s Secret, value string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if name, ok := r.values[value]; ok || value == "" {
		return name
	}
	r.kinds[s.Kind]++
	if s.Name == "" {
		s.Name = secretName(s.Kind, r.kinds[s.Kind])
	}
	r.values[value] = s.Name
	r.redactor.add(s.Name, value)
	r.run.Secrets = append(r.run.Secrets, s)
	r.attribution.secrets[s.Name] = s
	return s.Name
}

// Holds tells whether a text that is not recorded holds a whole secret of the run.
func (r *Recorder) Holds(text []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.redactor.names(text)) > 0
}

// AddEndpoint registers a server of the run.
func (r *Recorder) AddEndpoint(e Endpoint) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.Endpoints = append(r.run.Endpoints, e)
}

// StartCall records that a call is made now, or at its Started where that is set, and returns its number. Its own
// Number is not used.
func (r *Recorder) StartCall(c Call) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.Number = len(r.run.Calls) + 1
	if c.Started == 0 {
		c.Started = r.Now()
	}
	r.redactInput(&c)
	if !r.closed {
		r.run.Calls = append(r.run.Calls, c)
	}
	return c.Number
}

// EndCall records what a call returned and when. elapsed is the driver's own measure, nil where it gave none; cmd is
// nil for anything but a command. Numbers that were never handed out are ignored.
func (r *Recorder) EndCall(number int, at Offset, elapsed *Offset, o Outcome, cmd *Command) {
	r.editCall(number, func(c *Call) {
		c.Ended, c.Elapsed = &at, elapsed
		c.Outcome = r.redactOutcome(o)
		c.Command = r.redactCommand(cmd)
	})
}

// CancelCall records that the caller gave up.
func (r *Recorder) CancelCall(number int, at Offset) {
	r.editCall(number, func(c *Call) { c.Cancelled = &at })
}

// SignalCall records that a signal was sent to a command.
func (r *Recorder) SignalCall(number int, s Signal) {
	r.editCall(number, func(c *Call) { c.Signal = &s })
}

// AddBreach records that a driver sent something against its protocol, now.
func (r *Recorder) AddBreach(b Breach) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		b.At, b.Line, b.Why = r.Now(), r.redactor.text(b.Line), r.redactor.text(b.Why)
		r.run.Breaches = append(r.run.Breaches, b)
	}
}

func (r *Recorder) editCall(number int, edit func(*Call)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed && number >= 1 && number <= len(r.run.Calls) {
		edit(&r.run.Calls[number-1])
	}
}

// Call returns what is recorded of a call so far.
func (r *Recorder) Call(number int) (Call, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if number < 1 || number > len(r.run.Calls) {
		return Call{}, false
	}
	return r.run.Calls[number-1], true
}

// Exchanges counts the requests that have arrived so far.
func (r *Recorder) Exchanges() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.exchanges)
}

// Close ends the recording and returns it. Exchanges that are still open end here, by the run. It is decided with all
// that is known now which call each exchange belongs to, and what happened at one instant is brought into an order
// that does not depend on the scheduler. A second Close returns the same run.
func (r *Recorder) Close(end End, observedUntil Offset) Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return r.run
	}
	for _, o := range r.exchanges {
		if o.x.EndedBy == "" {
			o.end(EndedByRun, observedUntil)
		}
	}
	r.closed = true
	end.Text = r.redactor.text(end.Text)
	r.run.End, r.run.ObservedUntil = end, observedUntil
	r.attribute() // by the start as the harness saw it: measureStarts has to know the requests of each call
	r.measureStarts()
	r.attribute()
	r.run.Exchanges = make([]Exchange, 0, len(r.exchanges))
	for _, o := range r.exchanges {
		r.run.Exchanges = append(r.run.Exchanges, o.x)
	}
	r.run.Connections = make([]Connection, 0, len(r.connections))
	for _, c := range r.connections {
		r.run.Connections = append(r.run.Connections, c.c)
	}
	putInOrder(&r.run)
	settleClosers(&r.run)
	r.bodies.release(r.redactor.gramTable)
	r.exchanges, r.connections, r.values, r.redactor = nil, nil, nil, redactor{}
	return r.run
}

// measureStarts takes the start of a call from the driver's own measure of it, where it gave one: what lay between the
// harness and the client is none of the client's time. Its first request, and the connection that was opened for it, are
// not before it, whatever the driver says and however late its word was read.
func (r *Recorder) measureStarts() {
	for i := range r.run.Calls {
		c := &r.run.Calls[i]
		if c.Elapsed == nil || c.Ended == nil {
			continue
		}
		start := max(c.Started, *c.Ended-*c.Elapsed)
		for _, o := range r.exchanges {
			if o.x.Arrived < c.Started || !slices.Contains(o.x.Calls, c.Number) {
				continue
			}
			start = min(start, o.x.Arrived)
			if opened := r.openedFor(o); opened != nil && *opened >= c.Started {
				start = min(start, *opened)
			}
		}
		c.Started = start
	}
}

// openedFor is when the connection of a request was opened, nil for a request that was not the first on its connection.
func (r *Recorder) openedFor(first *Open) *Offset {
	for _, o := range r.exchanges {
		if o.x.Connection == first.x.Connection && o.x.Seq < first.x.Seq {
			return nil
		}
	}
	for _, c := range r.connections {
		if c.c.Number == first.x.Connection {
			return c.c.Opened
		}
	}
	return nil
}

// attribute decides anew, with all that is known, which calls each exchange may belong to.
func (r *Recorder) attribute() {
	final := newAttribution()
	final.secrets = r.attribution.secrets
	for _, o := range r.exchanges {
		o.x.Calls = final.candidates(r.run.Calls, &o.x, o.facts)
		final.learn(o.facts, o.x.Calls)
	}
}

// redactInput replaces secrets in what a call was given. The caller's own values are not changed.
func (r *Recorder) redactInput(c *Call) {
	c.Input.Message = r.redactOpt(c.Input.Message)
	c.Input.MessageID = r.redactOpt(c.Input.MessageID)
	c.Input.TaskID = r.redactOpt(c.Input.TaskID)
	c.Input.ResponseKind = r.redactOpt(c.Input.ResponseKind)
	c.Files = slices.Clone(c.Files)
	for i := range c.Files {
		c.Files[i].Name = r.redactor.text(c.Files[i].Name)
		c.Files[i].MediaType = r.redactor.text(c.Files[i].MediaType)
	}
}

func (r *Recorder) redactOpt(o Opt[string]) Opt[string] {
	if s, ok := o.Get(); ok {
		return Some(r.redactor.text(s))
	}
	return o
}
