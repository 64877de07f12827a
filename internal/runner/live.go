package runner

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"runtime"
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

const (
	// liveJobs is how many runs are made side by side on real time: most of a run is waiting.
	liveJobs = 64
	// heavyFrom is the size of a case's files, in bytes, from which it keeps a processor busy.
	heavyFrom = 1 << 20
	// slowLimit is how long a call without a budget of its own may take in a run that is not slow.
	slowLimit = 30 * time.Second
	// liveGrace is by how much a call may be late before the harness ends it: a client that keeps its budget badly is
	// to be seen doing so, and a program needs time to start and to end.
	liveGrace = 15 * time.Second
	// drivenGrace is the same for a subject that is there already when it is asked for a call.
	drivenGrace = 5 * time.Second
	// leftover is how long handlers are waited for whose client may be gone: on a busy machine the news takes a while.
	leftover = 500 * time.Millisecond
	// livePatience is how long a run may take beyond all that its calls and pauses may take.
	livePatience = time.Minute
)

// early and late are by how much a client may miss a moment without being wrong, beside the noise of the machine:
// timers of some languages are rounded to milliseconds, and what was noticed has to be said.
const (
	early = 2 * time.Millisecond
	late  = 10 * time.Millisecond
)

// live is the machine's own clock and its loopback network.
type live struct {
	parallel int // how many calls the subject takes at once; 0 for any number
	jobs     int // how many runs at once; 0 for as many as is good
	slow     bool
	grace    time.Duration // by how much a call may be late; 0 for liveGrace
	noise    *noise
	lent     bool // whether the noise is another's to close
	// cost is the processor time that a start of the subject takes; nil where it is not started for each call.
	cost func() time.Duration
	// listenAt and advertised are where the platform listens, and the name by which the subject reaches all servers;
	// empty for what the system chooses, and for the loopback address.
	listenAt, advertised string
	// board is the platform of all runs, nil where each run has its own.
	board  *board
	places places
}

func newLive(o Options) (*live, error) {
	measured, err := listenForNoise()
	if err != nil {
		return nil, fmt.Errorf("measure the noise of the machine: %w", err)
	}
	return &live{jobs: o.Jobs, slow: o.Slow, noise: measured, listenAt: o.Listen, advertised: o.Advertise}, nil
}

// bindAddress is where servers listen.
func (l *live) bindAddress() string {
	if l.advertised != "" {
		return everywhere
	}
	return loopback
}

// platformAddress is where the platform listens that all runs share.
func (l *live) platformAddress() string { return cmp.Or(l.listenAt, l.bindAddress()) }

// origin is how the subject names a server that listens at an address.
func (l *live) origin(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(cmp.Or(l.advertised, host), port)
}

func (*live) clock() evidence.Clock { return evidence.ClockReal }

// unfit implements ground.
func (l *live) unfit(c scenarios.Case) string {
	hangs := slices.ContainsFunc(c.Endpoints, func(e scenarios.Endpoint) bool { return e.Accepts == evidence.AcceptsHang })
	switch {
	case c.Clock == evidence.ClockVirtual:
		return "makes sense on virtual time only"
	case c.Slow && !l.slow:
		return "slow"
	case l.parallel > 0 && together(c) > l.parallel:
		return fmt.Sprintf("needs %d calls at once, and the subject takes %d", together(c), l.parallel)
	case hangs && !canHang:
		return "needs a server that lets connections hang, which this system cannot be made to do"
	default:
		return ""
	}
}

// batches runs what keeps the processors busy first and apart, because it would disturb the times of all others, then
// all others, then what has to be alone on the platform, and what has to be alone altogether last. Of the others the
// longest come first, so that nobody waits for one of them at the end.
func (l *live) batches(cases []scenarios.Case) []batch {
	heavy, light := batch{jobs: runtime.GOMAXPROCS(0)}, batch{jobs: l.sideBySide()}
	aside := batch{jobs: 1, aside: true}
	var alone []batch
	for i, c := range cases {
		switch {
		case c.Alone:
			alone = append(alone, batch{cases: []int{i}, jobs: 1})
		case l.board != nil && anonymous(c):
			aside.cases = append(aside.cases, i)
		case fileBytes(c) >= heavyFrom:
			heavy.cases = append(heavy.cases, i)
		default:
			light.cases = append(light.cases, i)
		}
	}
	slices.SortStableFunc(light.cases, func(a, b int) int { return cmp.Compare(length(cases[b]), length(cases[a])) })
	all := append([]batch{heavy, light, aside}, alone...)
	for i := range all {
		if l.jobs > 0 {
			all[i].jobs = min(all[i].jobs, l.jobs)
		}
	}
	return all
}

// length is about how long a run of a case may take. Where a server is so slow that the budget decides, a client that
// keeps it badly is ended by the harness.
func length(c scenarios.Case) time.Duration {
	total := c.Settle
	if slowly(c) {
		total += drivenGrace
	}
	for _, step := range c.Calls {
		total += step.Pause
		for _, call := range callsOf(step) {
			if t, ok := call.Input.Timeout.Get(); ok && t.Usable() {
				total += min(slowLimit, time.Duration(t.Sum()*float64(time.Second)))
			}
		}
	}
	return total
}

// slowly tells whether a server of a case lets its client wait in the middle of an answer.
func slowly(c scenarios.Case) bool {
	for _, steps := range c.When {
		for _, step := range steps {
			if w := step.Wire; w.Pace != nil || w.Informational != nil || w.Cut != nil && w.Cut.How == "hang" {
				return true
			}
		}
	}
	return false
}

// names are others in each run, so that no two runs of a session share anything that a client may keep.
func (*live) names(c scenarios.Case) string { return c.ID + "\x00" + rand.Text() }

// contain implements ground. All that a run waits for has an end, except for a subject in process that blocks where
// nothing can be done about it: then the run is left behind.
func (l *live) contain(ctx context.Context, r *run) (evidence.End, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan evidence.End, 1)
	go func() { // ends with the run, or never when the subject blocks for good
		ended <- contained(func() { r.main(ctx) })
	}()
	patience := time.NewTimer(l.longest(r) + livePatience)
	defer patience.Stop()
	select {
	case end := <-ended:
		return end, nil
	case <-patience.C:
		return evidence.End{How: evidence.EndHang, Text: "the run had not ended long after all of its calls should have"}, nil
	}
}

// contained calls f and keeps a panic from going further.
func contained(f func()) (end evidence.End) {
	defer func() {
		if value := recover(); value != nil {
			end = evidence.End{How: evidence.EndPanic, Text: fmt.Sprintf("%v\n%s", value, panicFrames())}
		}
	}()
	f()
	return evidence.End{How: evidence.EndSettled}
}

// longest is how long a run takes when each of its calls takes all the time that it has, and some more.
func (l *live) longest(r *run) time.Duration {
	total := r.scenario.Settle
	for _, step := range r.scenario.Calls {
		total += step.Pause + r.limitOf(callsOf(step)) + 2*endGrace
	}
	return total
}

// rest waits for handlers whose client is gone. A server that reads no further cannot see its client go, and one that
// the client still waits for goes on: these are ended by the run.
func (*live) rest(r *run) {
	timer := time.NewTimer(leftover)
	defer timer.Stop()
	select {
	case <-r.servers.handlers.idle():
	case <-timer.C:
	}
}

// limit implements ground.
func (l *live) limit(c scenarios.Case, budget time.Duration) time.Duration {
	if !c.Slow {
		budget = min(budget, slowLimit)
	}
	return budget + cmp.Or(l.grace, liveGrace)
}

// tolerance implements ground.
func (l *live) tolerance(since time.Time) evidence.Tolerance {
	return evidence.Tolerance{Early: evidence.Offset(early), Late: evidence.Offset(late), Noise: evidence.Offset(l.noise.since(since))}
}

// close implements ground. What net/http still holds of the last runs has gone when it returns.
func (l *live) close() {
	if !l.lent {
		l.noise.close()
	}
	if l.board != nil {
		l.board.close()
	}
	<-time.After(lingering)
}
