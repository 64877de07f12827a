package runner

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// run is one run while it is made.
type run struct {
	*session

	scenario scenarios.Case
	give     func(stuck int) // returns the places that its calls took
	began    time.Time
	rec      *evidence.Recorder
	world    *script.World
	script   *script.Script
	servers  *servers
	instance subject.Instance
	calls    map[string]int                   // numbers of calls by their names
	homes    map[string][]evidence.HomeChange // what was done to a client's home since its last call
	ids      atomic.Int64                     // message ids made so far
	watcher  script.Watcher                   // nil where nobody looks on
	left     atomic.Int64                     // calls that were left behind

	// The rest is read after the run was contained, which may have left its goroutines at work. What stands above may
	// be read then once ready is true.
	ready atomic.Bool
	over  atomic.Bool                  // a call was ended by the run, so that the steps behind it would tell nothing
	until atomic.Int64                 // the last moment of which something is known
	worse atomic.Pointer[evidence.End] // how the run ended where the subject, and not its container, showed it
	fault atomic.Pointer[string]       // what kept the harness from making the run

	disturbed atomic.Bool // see outcome
	delays    delays      // of the calls
}

// main is the run. What is closed is closed in the order that leaves nothing behind: the calls have returned, then
// whatever still hangs is ended by the run, then the servers, then what the subject holds.
func (r *run) main(ctx context.Context) {
	r.began = time.Now()
	r.rec = evidence.NewRecorder(r.scenario.ID, r.ground.clock(), r.began, evidence.Tolerance{}, r.bodies)
	r.calls, r.homes = map[string]int{}, map[string][]evidence.HomeChange{}
	if err := r.serve(); err != nil {
		r.fail(fmt.Errorf("start the servers: %w", err))
		r.ready.Store(true)
		return
	}
	defer r.servers.close()
	r.ready.Store(true)
	instance, err := r.subject.Open(subject.Env{
		Platform:     r.credentials("main", scenarios.EndpointPlatform),
		Dial:         r.servers.network.dial(),
		NewMessageID: r.newMessageID,
		Holds:        r.rec.Holds,
	})
	if err != nil {
		r.fail(fmt.Errorf("ready the subject: %w", err))
		return
	}
	r.instance = instance
	for _, step := range r.scenario.Calls {
		if ctx.Err() == nil && !r.over.Load() {
			r.perform(ctx, step)
		}
	}
	r.give(int(r.left.Load())) // watching takes no place
	r.ground.rest(r)
	r.watch(ctx, r.scenario.Settle)
	r.ground.rest(r)
	r.seen()
	r.servers.end()
	r.breaches(instance)
	if err := instance.Close(); err != nil {
		r.fail(fmt.Errorf("close the subject: %w", err))
	}
}

// close ends the recording and compares the script with what was used of it.
func (r *run) close(end evidence.End) outcome {
	if worse := r.worse.Load(); worse != nil && (end.How == evidence.EndSettled || end.How == evidence.EndLeak) {
		end = *worse
	}
	if !r.ready.Load() {
		return faulty(evidence.Run{ID: r.scenario.ID, End: end}, "start", "the run did not start")
	}
	made := r.rec.Close(end, evidence.Offset(r.until.Load()))
	made.Tolerance = r.ground.tolerance(r.began)
	made.Tolerance.Noise = max(made.Tolerance.Noise, r.delays.longest(made, r.began))
	if fault := r.fault.Load(); fault != nil {
		return faulty(made, "run", *fault)
	}
	o := outcome{run: made, disturbed: r.disturbed.Load()}
	for _, text := range r.script.Malformed() {
		o.faults = append(o.faults, evidence.Fault{Scenario: r.scenario.ID, Kind: "answer", Text: text})
	}
	if r.subject.About().Kind == evidence.KindReference {
		o.faults = append(o.faults, r.unexpected(made)...)
	}
	return o
}

// breaches records what a driver sent against its protocol.
func (r *run) breaches(i subject.Instance) {
	if noticing, ok := i.(subject.Breaching); ok {
		for _, b := range noticing.Breaches() {
			r.rec.AddBreach(evidence.Breach{Line: b.Line, Why: b.Why})
		}
	}
}

// fail notes what keeps the harness from making the run.
func (r *run) fail(err error) {
	text := err.Error()
	r.fault.Store(&text)
}

// seen notes the present as known.
func (r *run) seen() { r.until.Store(int64(r.rec.Now())) }

// watch lets time pass, unless the whole judging is broken off.
func (r *run) watch(ctx context.Context, d time.Duration) {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	r.seen()
}

// newMessageID makes the ids of a client in process: on virtual time the same in each run of a case.
func (r *run) newMessageID() string {
	return "msg-" + r.world.UID(fmt.Sprintf("message/%d", r.ids.Add(1)))
}

// credentials are the platform and the tokens of a user.
func (r *run) credentials(user, backend string) subject.Platform {
	return subject.Platform{
		URL: r.world.URL(backend), Token: r.world.PlatformToken(user, backend), RefreshToken: r.world.RefreshToken(user, backend),
	}
}
