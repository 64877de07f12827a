package scenarios

import (
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// slowLimit is how long anything in a scenario may last on real time without slow: true.
const slowLimit = 30 * time.Second

// slowness refuses scenarios that would take long on real time and do not say so.
func (l lint) slowness() {
	if l.clock != evidence.ClockReal || l.made.Slow || l.made.Clock == evidence.ClockVirtual {
		return
	}
	if l.made.Settle > slowLimit {
		l.slow(l.root.keyPlace("settle"), "settle", l.made.Settle)
	}
	if steps := l.root.get("calls"); steps != nil {
		for i, step := range l.made.Calls {
			if step.Pause > slowLimit {
				l.slow(steps.items[i].keyPlace("pause"), "pause", step.Pause)
			}
		}
	}
	for _, call := range allCalls(l.made.Calls) {
		if longest(call) > slowLimit {
			l.slowReplies()
			return
		}
	}
}

// longest is how long a call can last.
func longest(call Call) time.Duration {
	limit := budgetOf(call).total
	if call.CancelAfter != nil {
		limit = min(limit, *call.CancelAfter)
	}
	return limit
}

// slowReplies looks at answers when no short budget ends the calls before them.
func (l lint) slowReplies() {
	for _, m := range membersOf(l.root.get("when")) {
		for i, step := range l.made.When[evidence.Op(m.key)] {
			for _, moment := range momentsOf(step, m.value.items[i]) {
				if moment.after > slowLimit {
					l.slow(moment.at, moment.what, moment.after)
				}
			}
			if cut := step.Wire.Cut; cut != nil && cut.How == "hang" {
				l.c.addf(m.value.items[i].get("wire").keyPlace("cut"),
					"on real time a call without a timeout of %s or less waits here for its default of 905s: give it one, or say slow: true or clock: virtual", slowLimit)
			}
		}
	}
}

func (l lint) slow(at position, what string, length time.Duration) {
	l.c.addf(at, "%s of %s is more than %s on real time: give real.vars a shorter value, or say slow: true or clock: virtual", what, brief(length), slowLimit)
}
