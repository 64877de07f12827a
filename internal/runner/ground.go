package runner

import (
	"context"
	"net"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/script"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// ground is what the runs of a session stand on: a clock, and a network that goes with it. All else of a run is the same
// on any ground.
type ground interface { //nolint:interfacebloat // two grounds differ in just these, and each is used as a whole
	clock() evidence.Clock
	// unfit says why a case cannot be run here; empty where it can.
	unfit(c scenarios.Case) string
	// batches puts cases, by their places in the list, into groups of which one is run after the other.
	batches(cases []scenarios.Case) []batch
	// names is the text that the uids of a run are made from.
	names(c scenarios.Case) string
	// network makes the network of a run that is about to start. It may be closed more than once.
	network(c scenarios.Case, rec *evidence.Recorder) network
	// platform opens the one platform that all runs of the session share, and tells where it is.
	platform() (subject.Platform, error)
	// ready is told what a subject says of itself that was started on that platform.
	ready(s evidence.Subject)
	// admit waits until the subject can take the calls of a case; give says that they are over, but for so many.
	admit(ctx context.Context, c scenarios.Case) (give func(stuck int), err error)
	// strays are requests that belonged to no run.
	strays() []evidence.Exchange
	// keys are the credentials that all runs of the session have in common; nil where each run makes its own.
	keys() *script.Keys
	// contain plays a run and tells how it ended. Whatever the subject does, it returns. The error says that the run
	// could not be made at all.
	contain(ctx context.Context, r *run) (evidence.End, error)
	// twin is ground for a second session that is held while this one goes on; nil where there is none.
	twin() ground
	// rest returns once what the calls of a run have left behind has come to its end, if it does so by itself.
	rest(r *run)
	// limit is how long a call with such a budget may take before the harness ends it.
	limit(c scenarios.Case, budget time.Duration) time.Duration
	// tolerance is by how much the clock may have misled since a moment.
	tolerance(since time.Time) evidence.Tolerance
	// close lets go of what the ground holds, after the last run.
	close()
}

// batch is a group of cases that are run side by side, so many at once.
type batch struct {
	cases []int
	jobs  int
	aside bool // a second session may run it while those before it are run
}

// network is where the servers of one run are reached.
type network interface {
	// listen opens an endpoint and says where it is. The listener is nil where the endpoint accepts no connection.
	listen(e scenarios.Endpoint) (script.Place, net.Listener, error)
	// dial opens a connection of a client in process; nil where the machine's own network does it.
	dial() func(ctx context.Context, network, addr string) (net.Conn, error)
	// close ends all that is still open, in the run's name. More than once does nothing more.
	close()
}
