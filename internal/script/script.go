package script

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// Request is what a step can ask of a request.
type Request struct {
	Header http.Header
	// Session is the uid of the session that the request speaks of, empty where that is not known.
	Session string
	// Body reads the request's body; it is called when a step wants it, and never with a lock held.
	Body func() []byte
	// Calls are the numbers of the calls that the request may belong to, as far as is known when it is called.
	Calls func() []int
}

// Script is the operation queues of one run. It may be used by any number of goroutines.
type Script struct {
	world *World
	rec   *evidence.Recorder

	mu     sync.Mutex
	queues map[evidence.Op]*queue
	calls  map[string]int // numbers of calls by their names in the scenario
	wrong  []string
}

// queue is the steps of one operation, and what has come of its exchanges.
type queue struct {
	steps    []*step
	arrived  int
	answered map[int]bool
	awaited  map[int][]chan struct{} // who waits for the arrival of an exchange, by its number
}

// step is one step and how far it is used up.
type step struct {
	scenarios.Step
	body  *evidence.Value // what Step.If.Body says
	taken int
	first time.Time // of its first match
}

// New makes the queues of a run from the steps of its scenario.
func New(when map[evidence.Op][]scenarios.Step, world *World, rec *evidence.Recorder) *Script {
	s := &Script{world: world, rec: rec, queues: map[evidence.Op]*queue{}, calls: map[string]int{}}
	for op, steps := range when {
		q := s.queue(op)
		for i := range steps {
			st := &step{Step: steps[i]}
			if st.If != nil && st.If.Body != nil {
				st.body, _ = evidence.ReadJSON(st.If.Body) // the scenario was checked when it was loaded
			}
			q.steps = append(q.steps, st)
		}
	}
	return s
}

// Name tells the script which number the recorder gave to a call of the scenario. It has to be told before the
// subject is asked to make the call.
func (s *Script) Name(call string, number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[call] = number
}

// queue returns the queue of an operation, with the lock held or before the script is shared.
func (s *Script) queue(op evidence.Op) *queue {
	q := s.queues[op]
	if q == nil {
		q = &queue{answered: map[int]bool{}, awaited: map[int][]chan struct{}{}}
		s.queues[op] = q
	}
	return q
}

// Arrived counts an exchange of an operation and returns its number, from 1.
func (s *Script) Arrived(op evidence.Op) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.queue(op)
	q.arrived++
	for _, awaited := range q.awaited[q.arrived] {
		close(awaited)
	}
	delete(q.awaited, q.arrived)
	return q.arrived
}

// Await returns a channel that is closed when the n-th exchange of an operation arrives, or has arrived already.
func (s *Script) Await(op evidence.Op, n int) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	q, awaited := s.queue(op), make(chan struct{})
	if q.arrived >= n {
		close(awaited)
		return awaited
	}
	q.awaited[n] = append(q.awaited[n], awaited)
	return awaited
}

// Answered notes that the n-th exchange of an operation is about to have its whole answer. It has to be told before
// the last byte goes out, so that a client's next request finds it done.
func (s *Script) Answered(op evidence.Op, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue(op).answered[n] = true
}

// Take returns the step that answers a request: the first in file order that is not used up and whose condition
// holds. Finding it and counting it are one thing under one lock. A Miss tells why there is none.
func (s *Script) Take(op evidence.Op, r Request) (scenarios.Step, *Miss) {
	asked := &inquiry{request: r, now: time.Now()}
	for {
		st, miss := s.try(op, asked)
		if !asked.wanting() {
			return st, miss
		}
		asked.fetch() // reading may take long: the lock is not held
	}
}

// try goes through the queue once. Where a condition needs what has not been fetched yet it says so in asked, and
// nothing has been taken.
func (s *Script) try(op evidence.Op, asked *inquiry) (scenarios.Step, *Miss) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.queue(op)
	nearest := &Miss{Op: op, Steps: len(q.steps)}
	for _, st := range q.steps {
		if why := st.usedUp(asked.now); why != "" {
			nearest.spent(st, why)
			continue
		}
		reasons := s.unmet(st, asked)
		if asked.wanting() {
			return scenarios.Step{}, nil
		}
		if len(reasons) > 0 {
			nearest.unmet(st, reasons)
			continue
		}
		if st.taken == 0 {
			st.first = asked.now
		}
		st.taken++
		return st.Step, nil
	}
	return scenarios.Step{}, nearest
}

// usedUp says why a step answers no more, nothing for one that does.
func (st *step) usedUp(now time.Time) string {
	switch {
	case st.Times > 0 && st.taken >= st.Times:
		return fmt.Sprintf("it has answered %d of %d times", st.taken, st.Times)
	case st.For > 0 && st.taken > 0 && now.Sub(st.first) >= st.For:
		return fmt.Sprintf("its %s are over", st.For)
	default:
		return ""
	}
}

// Leftover lists the steps that were not used up, in words, in the order of the file. A step that may answer any
// number of times is left over when it never answered, unless it has a condition.
func (s *Script) Leftover() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	type leftover struct {
		line int
		text string
	}
	var found []leftover
	for op, q := range s.queues {
		for _, st := range q.steps {
			if text := st.leftover(); text != "" {
				found = append(found, leftover{st.Line, fmt.Sprintf("line %d: the step of %s %s", st.Line, op, text)})
			}
		}
	}
	slices.SortFunc(found, func(a, b leftover) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.text, b.text))
	})
	texts := make([]string, 0, len(found))
	for _, f := range found {
		texts = append(texts, f.text)
	}
	return texts
}

func (st *step) leftover() string {
	switch {
	case st.Times > 0 && st.taken < st.Times:
		return fmt.Sprintf("has answered %d of %d times", st.taken, st.Times)
	case st.Times == 0 && st.taken == 0 && st.If == nil:
		return "has never answered"
	default:
		return ""
	}
}

// Malformed lists answers that broke the contract although nothing in the scenario asked for it, and edits that could
// not be made: faults of the harness or of the file, each once, found from the recording when an exchange ended.
func (s *Script) Malformed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.wrong))
}

// fault notes something that is wrong with the harness or with the step of a line.
func (s *Script) fault(line int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text = fmt.Sprintf("line %d: %s", line, text); !slices.Contains(s.wrong, text) {
		s.wrong = append(s.wrong, text)
	}
}
