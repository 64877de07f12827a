package script

import (
	"net/http"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/wire"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Run is what all servers of one run share.
type Run struct {
	Script *Script
	World  *World
	Wire   wire.Options
	// Watcher is told of the requests while they are answered; nil for nobody.
	Watcher Watcher
}

// Watcher looks on while requests are answered. Its methods are called by the handlers, any number at once, and no
// request goes on before they return.
type Watcher interface {
	// Arrived is told of a request whose head has been read.
	Arrived(x *evidence.Open)
	// Answering is told which step answers the request.
	Answering(x *evidence.Open, step scenarios.Step)
	// Ended is told that the exchange is over.
	Ended(x *evidence.Open)
}

// Follow tells the watcher that a request has arrived, and returns what tells it that the exchange is over.
func (r Run) Follow(x *evidence.Open) (ended func()) {
	if r.Watcher == nil {
		return func() {}
	}
	r.Watcher.Arrived(x)
	return func() { r.Watcher.Ended(x) }
}

// Writer writes the answers of one kind of server.
type Writer interface {
	// Write makes the answer for a reply that only this kind of server has, and tells whether it knows the reply.
	Write(*Serving, scenarios.Reply) (wire.Answer, bool)
	// Default makes the well-behaved answer of an operation, and tells whether it has one.
	Default(*Serving) (wire.Answer, bool)
}

// Server answers the requests of one endpoint.
type Server struct {
	Run
	// Endpoint is the name of the endpoint.
	Endpoint string
	Routes   *Routes
	Writer   Writer
}

// Serving is one request while its answer is made.
type Serving struct {
	Run
	Endpoint string
	Op       evidence.Op
	// Number counts the exchanges of the operation from 1.
	Number  int
	Request *http.Request
	// Vars are the variables of the path.
	Vars map[string]string
	// Head is when the answer's head will go out, if nothing else holds it up.
	Head     time.Time
	exchange *wire.Exchange
}

// ServeHTTP records a request, finds the step that answers it, and sends the answer.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	op, vars := s.Routes.Match(r)
	x := wire.Begin(w, r, s.Endpoint, op, s.Wire)
	defer s.Follow(x.Open())()
	v := &Serving{
		Run: s.Run, Endpoint: s.Endpoint, Op: op, Number: s.Script.Arrived(op),
		Request: r, Vars: vars, exchange: x,
	}
	x.OnAnswered = func() { s.Script.Answered(op, v.Number) }
	step, miss := s.Script.Take(op, Request{
		Header: r.Header, Session: v.knownSession(), Body: v.Body, Calls: x.Open().Candidates,
	})
	if miss != nil {
		s.unforeseen(v, miss)
		return
	}
	x.Open().SetScripted(true)
	if s.Watcher != nil {
		s.Watcher.Answering(x.Open(), step)
	}
	s.play(v, step)
}

// play sends the answer of a step.
func (s *Server) play(v *Serving, step scenarios.Step) {
	f := step.Wire
	if limit := step.Reply.MessageLimit; limit != nil {
		f.HeadAfter = max(f.HeadAfter, limit.After)
	}
	if !f.Early && f.Upload == nil {
		v.Body()
	}
	v.Head = time.Now().Add(s.Wire.Latency + f.HeadAfter)
	answer, err := s.answer(v, step.Reply)
	if err != nil {
		s.Script.fault(step.Line, err.Error())
	}
	v.exchange.Answer(answer, f)
	if clean(v.Op, step) {
		s.check(v, step.Line)
	}
}

// check holds that an answer is well-formed, unless it was found to be so in an earlier run of the same case.
func (s *Server) check(v *Serving, line int) {
	type answer struct {
		run    string
		line   int
		number int
	}
	which := answer{s.World.cfg.Names, line, v.Number}
	if _, known := s.Routes.held.Load(which); known {
		return
	}
	x := v.exchange.Open().Snapshot()
	problems := WellFormed(x)
	for _, problem := range problems {
		s.Script.fault(line, problem)
	}
	if len(problems) == 0 && x.Response != nil && x.Response.Complete {
		s.Routes.held.Store(which, true)
	}
}

// unforeseen answers a request that no step takes.
func (s *Server) unforeseen(v *Serving, miss *Miss) {
	switch {
	case v.Op == evidence.OpLegacy || v.Op == evidence.OpUnknown:
		v.exchange.Answer(Detail(http.StatusNotFound, "Not found."), scenarios.Wire{})
		return
	case miss.Steps == 0:
		v.Body()
		v.Head = time.Now().Add(s.Wire.Latency)
		if answer, ok := s.Writer.Default(v); ok {
			v.exchange.Open().SetScripted(true)
			v.exchange.Answer(answer, scenarios.Wire{})
			return
		}
	}
	v.exchange.Answer(Detail(http.StatusTeapot, miss.String()), scenarios.Wire{})
}

// Body is the request's body, read whole at the first call.
func (v *Serving) Body() []byte {
	body, _ := v.exchange.Body() // what could not be read is recorded, and ends the exchange when it is answered
	return body
}

// knownSession is the uid of the session that a request speaks of, as far as its head tells.
func (v *Serving) knownSession() string {
	if uid := v.Vars["uid"]; uid != "" {
		return uid
	}
	return v.World.tokenSession(v.Request.Header)
}

// Session is the uid of the session that the request speaks of: that of its path or its token, else that of the
// context in its body where the run knows it, else that of the main session. The body is only read when it is needed.
func (v *Serving) Session() string {
	if uid := v.knownSession(); uid != "" {
		return uid
	}
	message, _ := evidence.ReadJSON(v.Body())
	if context, _ := message.Path("message", "contextId").Text(); v.World.knowsSession(context) {
		return context
	}
	return v.World.SessionUID("main")
}
