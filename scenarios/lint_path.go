package scenarios

import (
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// maxPath bounds how many exchanges of a call are followed.
const maxPath = 1000

// queue hands out the steps of an operation in their order, as the servers would to a call that obeys. Steps with a
// condition are passed over: whether they hold is not for a reader of the file to see.
type queue struct {
	steps []Step
	nodes []*node
	at    int
	used  int
	since time.Duration
}

func (l lint) queue(op evidence.Op) *queue {
	q := &queue{}
	n := l.root.get("when").get(string(op))
	for i, step := range l.made.When[op] {
		if step.If == nil {
			q.steps = append(q.steps, step)
			q.nodes = append(q.nodes, n.items[i])
		}
	}
	return q
}

// next is the step that answers a request made at a moment; ok is false when there is none.
func (q *queue) next(now time.Duration) (step Step, n *node, ok bool) {
	for q.at < len(q.steps) {
		step, n = q.steps[q.at], q.nodes[q.at]
		if q.used == 0 {
			q.since = now
		}
		spent := step.Times > 0 && q.used >= step.Times || step.For > 0 && now-q.since > step.For
		if !spent {
			q.used++
			return step, n, true
		}
		q.at, q.used = q.at+1, 0
	}
	return Step{}, nil, false
}

// path follows the first call through its waits, as far as the file alone tells, and looks at each sum on the way.
func (t tie) path() {
	resolve, runtime := t.queue(evidence.OpResolveAccess), t.queue(runtimeOp(t.call.Op))
	now, asked := time.Duration(0), resolve
	for range maxPath {
		step, n, ok := asked.next(now)
		if !ok || now > longest(t.call) {
			return
		}
		t.moments(step, n, now, t.budget.total)
		if step.Wire.Cut != nil || step.Wire.Pace != nil || step.Wire.Upload != nil {
			return
		}
		now += step.Wire.HeadAfter
		switch {
		case asked == runtime && rejected(step.Reply):
			asked = resolve
		case asked == resolve && step.Reply.Ready != nil:
			asked = runtime
		case step.Reply.Wait != nil:
			retry, ok := step.Reply.Wait.RetryAfter.Get()
			if !ok {
				return
			}
			now += retry
		default:
			return
		}
	}
}

// rejected tells whether an answer of the runtime sends a client back for fresh access.
func rejected(reply Reply) bool {
	status := statusOf(reply)
	return status == 401 || status == 403
}

func statusOf(reply Reply) int {
	switch {
	case reply.Detail != nil:
		return reply.Detail.HTTP
	case reply.Raw != nil:
		return reply.Raw.Status
	case reply.RPCError != nil:
		return reply.RPCError.HTTP
	default:
		return 0
	}
}
