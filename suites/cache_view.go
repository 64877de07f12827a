package suites

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// firstStep is the first thing that a call did about access: it asked the platform for it, or went to a runtime with
// a credential that it had from before. Both are nil for a call that did neither.
func (c *Call) firstStep() (asked, used *Exchange) {
	for _, x := range c.Exchanges {
		switch {
		case x.Op == evidence.OpResolveAccess && x.Side() != evidence.SideElsewhere:
			return x, nil
		case x.Side() == evidence.SideRuntime && x.credential() != "":
			return nil, x
		}
	}
	return nil, nil
}

// heldBefore returns the newest answer that an earlier call, of those that may share access with this one, had been given
// in full when this call began; nil where there is none or where another call's resolve may be its own.
func (c *Call) heldBefore() *Exchange {
	var newest *Exchange
	for _, r := range c.Run.All {
		if r.Op != evidence.OpResolveAccess || r.Side() == evidence.SideElsewhere || !r.Whole() || *r.LastBy > c.Started {
			continue
		}
		switch sharing := c.sharing(r); {
		case sharing == 0:
		case sharing < len(r.Calls):
			return nil // who holds that answer cannot be told
		default:
			newest = r
		}
	}
	return newest
}

// sharing counts the earlier calls that share access with this one among those that an exchange may belong to.
func (c *Call) sharing(x *Exchange) int {
	n := 0
	for _, other := range c.Run.Calls {
		if other.Number != c.Number && other.sharesAccessWith(c) && slices.Contains(x.Calls, other.Number) {
			n++
		}
	}
	return n
}

// kept is access of an earlier call, and what a later one made of it: it used it, or it asked for access afresh.
type kept struct {
	answer *Exchange
	asked  *Exchange
	used   *Exchange
	// decided is when the client had chosen at the earliest: the start of the call or, where it did something else
	// first, the answer to that.
	decided evidence.Offset
}

// keptAccess returns the access of earlier calls that this call used or could have used.
func (c *Call) keptAccess() (kept, bool) {
	k := kept{decided: c.Started}
	if c.Ambiguous(evidence.OpResolveAccess) {
		return k, false
	}
	k.asked, k.used = c.firstStep()
	if k.used == nil {
		k.answer = c.heldBefore()
		return k, k.asked != nil && k.answer != nil && k.answer.Access().Usable()
	}
	for _, x := range c.Exchanges {
		if x.Seq < k.used.Seq && x.LastBy != nil {
			k.decided = max(k.decided, *x.LastBy)
		}
	}
	for _, x := range c.givenWith(k.used.credential(), k.used, c.sharesAccessWith) {
		if k.answer == nil || x.Seq > k.answer.Seq {
			k.answer = x
		}
	}
	return k, k.answer != nil
}

// givenWith lists the answers that handed a credential out, before x arrived, to one of the calls that whose picks.
func (c *Call) givenWith(credential string, x *Exchange, whose func(*Call) bool) []*Exchange {
	var out []*Exchange
	for _, a := range c.Run.All {
		if a.Op != evidence.OpResolveAccess || !a.gives(credential) || *a.LastFrom > x.Arrived {
			continue
		}
		if slices.ContainsFunc(c.Run.Calls, func(o *Call) bool { return slices.Contains(a.Calls, o.Number) && whose(o) }) {
			out = append(out, a)
		}
	}
	return out
}

// expiry is when access ends by the platform's word; ok is false where the answer has no readable time.
func (x *Exchange) expiry() (when evidence.Offset, ok bool) {
	e := x.Access().ExpiresAt
	return evidence.Offset(e.Time.Sub(x.run.Epoch)), e.Kind == evidence.ExpiryReadable
}

// endless tells whether the platform's answer leaves out when its access ends.
func (x *Exchange) endless() bool {
	kind := x.Access().ExpiresAt.Kind
	return kind == evidence.ExpiryAbsent || kind == evidence.ExpiryNull
}
