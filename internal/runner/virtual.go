package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// virtual is virtual time and a network in memory: each run in a bubble of its own.
type virtual struct {
	jobs     int           // how many runs at once; 0 for as many as there are processors
	patience time.Duration // see Bubble
}

func newVirtual(jobs int) (*virtual, error) {
	if err := CheckVirtualTime(); err != nil {
		return nil, err
	}
	return &virtual{jobs: jobs, patience: Patience}, nil
}

func (*virtual) clock() evidence.Clock { return evidence.ClockVirtual }

func (*virtual) unfit(scenarios.Case) string { return "" }

// batches lets all cases run at once, those with large files first, so that no worker is left with one at the end while
// the others have nothing to do.
func (v *virtual) batches(cases []scenarios.Case) []batch {
	order := make([]int, len(cases))
	for i := range cases {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fileBytes(cases[b]), fileBytes(cases[a])) })
	return []batch{{cases: order, jobs: cmp.Or(v.jobs, runtime.GOMAXPROCS(0))}}
}

// names are the same in each run of a case, so that two recordings of it are equal.
func (*virtual) names(c scenarios.Case) string { return c.ID }

func (*virtual) keys() *script.Keys { return nil }

func (*virtual) platform() (subject.Platform, error) {
	return subject.Platform{}, errors.New("a subject that is a program of its own runs on real time only")
}

func (*virtual) ready(evidence.Subject) {}

func (*virtual) admit(context.Context, scenarios.Case) (func(int), error) { return func(int) {}, nil }

func (*virtual) twin() ground { return nil }

func (*virtual) strays() []evidence.Exchange { return []evidence.Exchange{} }

func (*virtual) network(_ scenarios.Case, rec *evidence.Recorder) network {
	seen := &connections{rec: rec, names: map[string]string{}, open: map[int]*evidence.Conn{}}
	return &virtualNetwork{memory: NewNetwork(seen), seen: seen}
}

func (v *virtual) contain(_ context.Context, r *run) (evidence.End, error) {
	// A busy machine, with the race detector, takes half a second for a MiB that is encoded, sent and recorded.
	more := time.Duration(fileBytes(r.scenario)>>20) * 2 * time.Second
	return Bubble(r.scenario.ID, v.patience+more, func() { //nolint:contextcheck // as it says below
		// A context from outside of the bubble would stop virtual time where it is waited on.
		r.main(context.Background()) //nolint:forbidigo // nothing inside of the bubble has one to give
		<-time.After(lingering)
	})
}

func (*virtual) rest(*run) { Wait() }

func (*virtual) limit(_ scenarios.Case, budget time.Duration) time.Duration {
	return budget + time.Hour
}

func (*virtual) tolerance(time.Time) evidence.Tolerance { return evidence.Tolerance{} }

func (*virtual) close() {}

// lingering is how long net/http waits before it lets go of a connection that it closed itself.
const lingering = time.Second

// virtualNetwork gives the servers of a run their names. The platform has a host of its own; all others share one and
// differ in their ports, so that an origin is more than a host.
type virtualNetwork struct {
	memory *Network
	seen   *connections
	others int
}

// listen implements network.
func (n *virtualNetwork) listen(e scenarios.Endpoint) (script.Place, net.Listener, error) {
	addr := "platform.test:8080"
	if e.Name != scenarios.EndpointPlatform {
		addr = fmt.Sprintf("runtime.test:%d", 8081+n.others)
		n.others++
	}
	n.seen.names[addr] = e.Name
	return script.Place{Endpoint: e, Origin: "http://" + addr}, n.memory.Listen(addr, e.Accepts), nil
}

// dial implements network.
func (n *virtualNetwork) dial() func(context.Context, string, string) (net.Conn, error) {
	return n.memory.Dial
}

// close implements network.
func (n *virtualNetwork) close() {
	_ = n.memory.Close() // always nil
}
