package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// budget is a call's timeout in lengths of time.
type budget struct {
	total         time.Duration
	connect, read time.Duration
	pair          bool
	// implied is a budget that no one wrote down: nobody can be asked to keep clear of its five seconds for a connect.
	implied bool
}

// budgetOf is a call's budget: (5, 900) where it is left to the client or is not usable (ADR 0029, Timeouts).
func budgetOf(call Call) budget {
	timeout, given := call.Input.Timeout.Get()
	if !given || !timeout.Usable() || timeout.Sum() > math.MaxInt32 {
		return budget{total: 905 * time.Second, read: 900 * time.Second, connect: 5 * time.Second, pair: true, implied: true}
	}
	length := func(seconds float64) time.Duration { return time.Duration(math.Round(seconds * float64(time.Second))) }
	return budget{
		total: length(timeout.Sum()), connect: length(timeout.Connect), read: length(timeout.Read), pair: timeout.Pair,
	}
}

// meets says which end of the budget falls on a moment, or nothing.
func (b budget) meets(moment time.Duration) string {
	switch {
	case moment == b.total && b.pair:
		return fmt.Sprintf("the total (%s + %s)", brief(b.connect), brief(b.read))
	case moment == b.total:
		return fmt.Sprintf("the timeout (%s)", brief(b.total))
	case b.pair && moment == b.read:
		return fmt.Sprintf("the read timeout (%s)", brief(b.read))
	case b.pair && moment == b.connect && !b.implied:
		return fmt.Sprintf("the connect timeout (%s)", brief(b.connect))
	default:
		return ""
	}
}

// brief writes a length of time without the zeros at its end: 15m, not 15m0s.
func brief(length time.Duration) string {
	text := length.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// moment is something that a step makes happen, counted from its request.
type moment struct {
	what  string
	at    position
	after time.Duration
	// every repeats it until it happened times over; 0 is without end.
	every time.Duration
	times int
}

// roughBody is how long, in bytes, an answer made by a server is taken to be when it goes out in pieces: the longest,
// full access, has about a thousand.
const roughBody = 1200

// momentsOf are the moments of a step that a reader of the file can see.
func momentsOf(step Step, n *node) []moment {
	var moments []moment
	wire, reply := n.get("wire"), n.get("reply")
	head := step.Wire.HeadAfter
	if head > 0 {
		moments = append(moments, moment{what: "head_after", at: wire.keyPlace("head_after"), after: head})
	}
	if wait := step.Reply.Wait; wait != nil {
		if retry, ok := wait.RetryAfter.Get(); ok && retry > 0 {
			moments = append(moments, moment{what: "retry_after", at: reply.get("wait").keyPlace("retry_after"), after: head + retry})
		}
	}
	if limit := step.Reply.MessageLimit; limit != nil {
		moments = append(moments, moment{what: "message_limit", at: reply.keyPlace("message_limit"), after: head + limit.After})
	}
	if pace := step.Wire.Pace; pace != nil && pace.Every > 0 {
		pieces := bodySize(step.Reply)/max(pace.Bytes, 1) + 1
		moments = append(moments, moment{what: "pace", at: wire.keyPlace("pace"), after: head + pace.Every, every: pace.Every, times: pieces})
	}
	if upload := step.Wire.Upload; upload != nil && upload.Every > 0 {
		moments = append(moments, moment{what: "upload", at: wire.keyPlace("upload"), after: upload.Every, every: upload.Every})
	}
	if row := step.Wire.Informational; row != nil && row.Every > 0 {
		moments = append(moments, moment{
			what: "informational", at: wire.keyPlace("informational"), after: row.Every, every: row.Every, times: row.Times * len(row.Statuses),
		})
	}
	return moments
}

func bodySize(reply Reply) int {
	switch {
	case reply.Raw != nil:
		return len(reply.Raw.Body)
	case reply.Bytes != nil:
		return len(*reply.Bytes)
	default:
		return roughBody
	}
}

// falls says which of the deadlines the moment falls on when its request is made at start. Its repetitions add up to
// the total; the phase limits of a pair count each silence anew.
func (m moment) falls(start time.Duration, b budget, deadlines ...time.Duration) (end string, at time.Duration) {
	for _, deadline := range deadlines {
		at := start + m.after
		switch {
		case m.every > 0 && m.every == deadline:
			at = deadline
		case m.every > 0 && deadline == b.total && deadline > at:
			repeats := (deadline - at) / m.every
			if m.times == 0 || repeats < time.Duration(m.times) {
				at = deadline - (deadline-at)%m.every
			}
		}
		if at == deadline && b.meets(at) != "" {
			return b.meets(at), at
		}
	}
	return "", 0
}

// budgets refuses what happens exactly when a budget ends: on virtual time it would be left to chance which of the two
// comes first, and on real time it would be inside every tolerance. It looks at each moment by itself and, for the
// first call, at the sums of the waits that lead up to it.
func (l lint) budgets() {
	told := &[]position{}
	for i, call := range allCalls(l.made.Calls) {
		b := budgetOf(call)
		t := tie{lint: l, call: call, budget: b, told: told}
		if call.CancelAfter != nil && b.meets(*call.CancelAfter) != "" {
			t.addf(l.callPlace(i, "cancel_after"), "cancel_after", b.meets(*call.CancelAfter), *call.CancelAfter)
		}
		for _, op := range opsOf(call.Op) {
			for j, step := range l.made.When[op] {
				if !step.If.concerns(call) {
					continue
				}
				t.moments(step, l.root.get("when").get(string(op)).items[j], 0, b.total, b.read, b.connect)
			}
		}
		if i == 0 && !b.implied {
			t.path()
		}
	}
}

// concerns tells whether a request of a call may meet the condition, as far as the file tells.
func (c *Condition) concerns(call Call) bool {
	if c == nil {
		return true
	}
	fits := func(want, name string) bool { return want == "" || want == name }
	return fits(c.Call, call.ID) && fits(c.Client, call.Client) && fits(c.Session, call.Session)
}

// callPlace is where a member of the i-th call stands.
func (l lint) callPlace(i int, key string) position {
	var calls []*node
	for _, step := range l.root.get("calls").items {
		if together := step.get("together"); together != nil {
			calls = append(calls, together.items...)
		} else if step.get("pause") == nil && step.get("home") == nil {
			calls = append(calls, step)
		}
	}
	return calls[i].keyPlace(key)
}

// opsOf are the operations that a call may ask the servers for.
func opsOf(call evidence.CallOp) []evidence.Op {
	all := []evidence.Op{
		evidence.OpResolveAccess, evidence.OpGetSession, evidence.OpGetAgent, evidence.OpRenewToken, evidence.OpWhoAmI,
	}
	return append(all, runtimeOp(call))
}

func runtimeOp(call evidence.CallOp) evidence.Op {
	switch call {
	case evidence.CallSend:
		return evidence.OpSendMessage
	case evidence.CallCancelTask:
		return evidence.OpCancelTask
	default:
		return evidence.OpGetTask
	}
}

// tie looks for moments of one call that fall on the end of its budget.
type tie struct {
	lint

	call   Call
	budget budget
	// told are the places that were reported for this case: several calls may meet the same step.
	told *[]position
}

func (t tie) moments(step Step, n *node, start time.Duration, deadlines ...time.Duration) {
	for _, moment := range momentsOf(step, n) {
		if end, at := moment.falls(start, t.budget, deadlines...); end != "" && at <= longest(t.call) {
			t.addf(moment.at, moment.what, end, at)
		}
	}
}

func (t tie) addf(at position, what, end string, after time.Duration) {
	if slices.Contains(*t.told, at) {
		return
	}
	*t.told = append(*t.told, at)
	t.c.addf(at, "%s falls exactly on %s of call %q, %s after its start: which comes first would be left to chance; move it by a millisecond or more",
		what, end, t.call.ID, brief(after))
}
