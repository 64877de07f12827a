package runner

import (
	"crypto/rand"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/mockplatform"
	"github.com/a2a-conform/a2a-conform/mockruntime"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// virtual makes runs on virtual time. It holds what all runs of a session share.
type virtual struct {
	subject  subject.Subject
	files    *files
	bodies   *evidence.Bodies
	nonce    string
	patience time.Duration
	most     int // how many exchanges a run may have
	platform *script.Routes
	runtime  *script.Routes
}

// outcome is what came of one run: its recording, and the defects of the harness or of the scenario that it showed.
type outcome struct {
	run    evidence.Run
	faults []evidence.Fault
}

func newVirtual(s subject.Subject) (*virtual, error) {
	made, err := newFiles()
	if err != nil {
		return nil, err
	}
	return &virtual{
		subject: s, files: made, bodies: &evidence.Bodies{}, nonce: rand.Text(), patience: Patience, most: MaxExchanges,
		platform: mockplatform.NewRoutes(), runtime: mockruntime.NewRoutes(),
	}, nil
}

func (v *virtual) close() error { return v.files.remove() }

// run makes one run. Whatever the subject does, the run ends, and other runs are not touched.
func (v *virtual) run(c scenarios.Case) outcome {
	if err := v.files.prepare(c); err != nil {
		return outcome{run: evidence.Run{ID: c.ID}, faults: []evidence.Fault{{Scenario: c.ID, Kind: "files", Text: err.Error()}}}
	}
	r := &virtualRun{virtual: v, scenario: c}
	// A busy machine, with the race detector, takes half a second for a MiB that is encoded, sent and recorded.
	more := time.Duration(fileBytes(c)>>20) * 2 * time.Second
	end, err := Bubble(c.ID, v.patience+more, r.main)
	if err != nil {
		return outcome{run: evidence.Run{ID: c.ID}, faults: []evidence.Fault{{Scenario: c.ID, Kind: "virtual time", Text: err.Error()}}}
	}
	return r.close(end)
}

// virtualRun is one run while it is made.
type virtualRun struct {
	*virtual
	scenario scenarios.Case
	rec      *evidence.Recorder
	world    *script.World
	script   *script.Script
	servers  *servers
	instance subject.Instance
	calls    map[string]int // numbers of calls by their names
	ids      atomic.Int64   // message ids made so far

	// The rest is read after the bubble, which may have been abandoned with its goroutines still at work. What stands
	// above may be read then once ready is true.
	ready atomic.Bool
	until atomic.Int64                 // the last moment of which something is known
	worse atomic.Pointer[evidence.End] // how the run ended where the subject, and not the bubble, showed it
	fault atomic.Pointer[string]       // what kept the harness from making the run
}

// main is the run, inside its bubble. What is closed is closed in the order that leaves nothing behind: the calls have
// returned, then whatever still hangs is ended by the run, then the servers, then what the subject holds.
func (r *virtualRun) main() {
	r.rec = evidence.NewRecorder(r.scenario.ID, evidence.ClockVirtual, time.Now(), evidence.Tolerance{}, r.bodies)
	r.calls = map[string]int{}
	r.servers = r.serve()
	defer r.servers.close()
	r.ready.Store(true)
	instance, err := r.subject.Open(subject.Env{
		Platform:     r.credentials("main", scenarios.EndpointPlatform),
		Dial:         r.servers.network.Dial,
		NewMessageID: r.newMessageID,
	})
	if err != nil {
		r.fail(fmt.Errorf("ready the subject: %w", err))
		return
	}
	r.instance = instance
	for _, step := range r.scenario.Calls {
		r.perform(step)
	}
	Wait()
	r.watch(r.scenario.Settle)
	Wait()
	r.seen()
	r.servers.end()
	if err := instance.Close(); err != nil {
		r.fail(fmt.Errorf("close the subject: %w", err))
	}
}

// close ends the recording and compares the script with what was used of it.
func (r *virtualRun) close(end evidence.End) outcome {
	if worse := r.worse.Load(); worse != nil && (end.How == evidence.EndSettled || end.How == evidence.EndLeak) {
		end = *worse
	}
	if !r.ready.Load() {
		return r.faulty(evidence.Run{ID: r.scenario.ID, End: end}, "start", "the run did not start")
	}
	run := r.rec.Close(end, evidence.Offset(r.until.Load()))
	if fault := r.fault.Load(); fault != nil {
		return r.faulty(run, "run", *fault)
	}
	o := outcome{run: run}
	for _, text := range r.script.Malformed() {
		o.faults = append(o.faults, evidence.Fault{Scenario: r.scenario.ID, Kind: "answer", Text: text})
	}
	if r.subject.About().Kind == evidence.KindReference {
		o.faults = append(o.faults, r.unexpected(run)...)
	}
	return o
}

func (r *virtualRun) faulty(run evidence.Run, kind, text string) outcome {
	return outcome{run: run, faults: []evidence.Fault{{Scenario: r.scenario.ID, Kind: kind, Text: text}}}
}

// fail notes what keeps the harness from making the run.
func (r *virtualRun) fail(err error) {
	text := err.Error()
	r.fault.Store(&text)
}

// seen notes the present as known.
func (r *virtualRun) seen() { r.until.Store(int64(r.rec.Now())) }

// watch lets time pass.
func (r *virtualRun) watch(d time.Duration) {
	if d > 0 {
		<-time.After(d)
	}
	r.seen()
}

// newMessageID makes the ids of a client in process: the same in each run of a case.
func (r *virtualRun) newMessageID() string {
	return "msg-" + r.world.UID(fmt.Sprintf("message/%d", r.ids.Add(1)))
}

// credentials are the platform and the tokens of a user.
func (r *virtualRun) credentials(user, backend string) subject.Platform {
	return subject.Platform{
		URL: r.world.URL(backend), Token: r.world.PlatformToken(user, backend), RefreshToken: r.world.RefreshToken(user, backend),
	}
}
