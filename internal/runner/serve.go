package runner

import (
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// ServeOptions say where the servers of one scenario listen, and who looks on.
type ServeOptions struct {
	// Listen is HOST:PORT of the platform. The other servers take the ports that follow, in the order of Places; port 0
	// lets the system choose all of them.
	Listen string
	// Advertise is the name by which clients reach the servers; empty for the host that they listen at.
	Advertise string
	// Onlooker is told what arrives.
	Onlooker Onlooker
}

// Onlooker is told what arrives at served servers. Its methods are called by the servers, any number at once, and hold
// them up. In what it is told, secrets have been replaced by their names.
type Onlooker interface {
	// Arrived is told of a request whose head has been read.
	Arrived(x evidence.Exchange)
	// Answering is told of the step that is about to answer a request.
	Answering(x evidence.Exchange, step scenarios.Step)
	// Ended is told of an exchange that is over, and of the step that answered it; nil for none.
	Ended(x evidence.Exchange, step *scenarios.Step)
	// Unused is told of a connection that was closed after so many bytes, none of which made a request.
	Unused(at evidence.Offset, server string, bytes int64)
}

// Served is one scenario whose servers answer whoever comes, in real time. Close ends it.
type Served struct {
	run     *run
	session *session
	places  []ServedPlace
	calls   []ServedCall
}

// ServedPlace is a server of a served scenario.
type ServedPlace struct {
	Name string
	// URL is what a client is told: the address of a platform, the rpc_url of a runtime.
	URL     string
	Accepts evidence.Accepts
}

// ServedCall is a call that the scenario asks of a client.
type ServedCall struct {
	scenarios.Call
	// Asked is the call as a recording shows it, with the uid of its session.
	Asked evidence.Call
	// Files are the paths of the files that it sends; they are there until the scenario is closed.
	Files []string
}

// Serve starts the servers of a scenario. It fails with *ListenError where one of them cannot listen.
func Serve(c scenarios.Case, o ServeOptions) (*Served, error) {
	host, text, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", o.Listen, err)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, fmt.Errorf("listen at %s: the port has to be a number", o.Listen)
	}
	g := &fixedGround{live: &live{listenAt: o.Listen, advertised: o.Advertise}, host: host, port: port}
	made, err := newSession(nil, g, nil)
	if err != nil {
		return nil, err
	}
	served := &Served{session: made, run: &run{session: made, scenario: c, calls: map[string]int{}}}
	if err := served.start(g, o.Onlooker); err != nil {
		_ = made.Close() // the first error is the one to tell
		return nil, err
	}
	return served, nil
}

func (s *Served) start(g *fixedGround, o Onlooker) error {
	r := s.run
	if err := s.session.files.prepare(r.scenario); err != nil {
		return err
	}
	r.began = time.Now()
	r.rec = evidence.NewRecorder(r.scenario.ID, g.clock(), r.began, evidence.Tolerance{}, r.bodies)
	look := &look{Onlooker: o, steps: map[int]*scenarios.Step{}}
	r.watcher = look
	g.unused = func(server string, bytes int64) { o.Unused(r.rec.Now(), server, bytes) }
	ready := make(chan struct{})
	look.ready = ready
	defer close(ready)
	if err := r.serve(); err != nil {
		return err
	}
	look.carried = g.made.carried
	for _, e := range endpoints(r.scenario) {
		s.places = append(s.places, ServedPlace{Name: e.Name, URL: r.world.URL(e.Name), Accepts: e.Accepts})
	}
	if err := s.ask(); err != nil {
		r.servers.close()
		return err
	}
	return nil
}

// ask makes the calls of the scenario known, so that steps can ask which call a request is of. They count as begun, all
// of them: when their user makes them nobody can tell.
func (s *Served) ask() error {
	r := s.run
	for _, step := range r.scenario.Calls {
		for _, call := range callsOf(step) {
			given, seen, err := r.files.handed(call.Input.Files)
			if err != nil {
				return err
			}
			asked := evidence.Call{
				Client: call.Client, Session: r.world.SessionUID(call.Session), User: call.User, Backend: call.Backend, Op: call.Op,
				Input: r.input(call.Input), Files: seen,
			}
			asked.Number = r.rec.StartCall(asked)
			r.calls[call.ID] = asked.Number
			r.script.Name(call.ID, asked.Number)
			made := ServedCall{Call: call, Asked: asked}
			for _, file := range given {
				made.Files = append(made.Files, file.Path)
			}
			s.calls = append(s.calls, made)
		}
	}
	return nil
}

// Places are the servers, the platform first and the runtime second.
func (s *Served) Places() []ServedPlace { return s.places }

// Calls are what the scenario asks of a client, in the order of the file.
func (s *Served) Calls() []ServedCall { return s.calls }

// SessionUID is the uid of a session of the scenario: the same whenever it is served.
func (s *Served) SessionUID(name string) string { return s.run.world.SessionUID(name) }

// Credentials are where a platform is and what a user has to show there: fresh whenever the scenario is served.
func (s *Served) Credentials(user, backend string) subject.Platform {
	return s.run.credentials(user, backend)
}

// Most is how many requests are answered.
func (s *Served) Most() int { return s.session.most }

// Close ends what still hangs, then the servers, and returns what was recorded, what is left over of the scenario, and
// the answers that came out wrong though nothing asked for it.
func (s *Served) Close() (run evidence.Run, leftover, malformed []string) {
	r := s.run
	r.servers.close()
	run = r.rec.Close(evidence.End{How: evidence.EndSettled}, r.rec.Now())
	_ = s.session.Close() // a file left in the temporary directory spoils nothing
	return run, r.script.Leftover(), r.script.Malformed()
}

// look is a watcher that hands on what it is told with what is recorded of it.
type look struct {
	Onlooker

	carried func(connection int)
	ready   <-chan struct{} // closed when carried is set

	mu    sync.Mutex
	steps map[int]*scenarios.Step // that answer exchanges, by the numbers of those
}

// Arrived implements script.Watcher.
func (l *look) Arrived(x *evidence.Open) {
	<-l.ready
	seen := x.Snapshot()
	if l.carried != nil {
		l.carried(seen.Connection)
	}
	l.Onlooker.Arrived(seen)
}

// Answering implements script.Watcher.
func (l *look) Answering(x *evidence.Open, step scenarios.Step) {
	seen := x.Snapshot()
	l.mu.Lock()
	l.steps[seen.Seq] = &step
	l.mu.Unlock()
	l.Onlooker.Answering(seen, step)
}

// Ended implements script.Watcher.
func (l *look) Ended(x *evidence.Open) {
	seen := x.Snapshot()
	l.mu.Lock()
	step := l.steps[seen.Seq]
	delete(l.steps, seen.Seq)
	l.mu.Unlock()
	l.Onlooker.Ended(seen, step)
}
