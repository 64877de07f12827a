package suites

import (
	"slices"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Lengths of time around the end of access (ADR, Caching). The contract names none of them.
const (
	// leastSkew lies within the safety skew of every client.
	leastSkew = time.Second
	// shortestFallback is below the fallback time of every client: access that its expiry ends sooner shows that the
	// expiry is preferred.
	shortestFallback = time.Minute
	// Kept without an expiry for longer than longFallback is too long for a short time, longer than longestFallback a
	// breach.
	longFallback    = 10 * time.Minute
	longestFallback = time.Hour
)

func cache02() Rule {
	return Rule{
		ID: "CACHE-02", Level: Must, Sides: []Side{Client, Command}, Section: "Caching",
		Obligation: "not use access past expires_at",
		Cause:      "Access is kept for a fixed time whatever the platform says, or expires_at is read in the local time zone.",
		Right:      "Access with an expires_at 60s ahead is asked for afresh by a call that starts 61s later.",
		Wrong:      "A call that starts 61s later sends with the token that expired a second before.",
		Judge: func(c *Call, j *Judgement) {
			k, ok := c.keptAccess()
			if !ok {
				return
			}
			ends, ok := k.answer.expiry()
			switch past := c.Run.NotAfter(k.decided, ends); {
			case !ok:
			case k.used == nil && past == evidence.No:
				j.Pass()
			case k.used == nil || past == evidence.Yes:
			case past == evidence.Unclear:
				j.Unclear("too near to the border for this clock: the call used access at the moment of its expires_at", k.answer, k.used)
			default:
				j.Fail("the call used access "+inWords(k.decided.Sub(ends))+" past its expires_at", "a resolve before the send", k.answer, k.used)
			}
		},
	}
}

func cache03() Rule {
	return Rule{
		ID: "CACHE-03", Level: Must, Sides: []Side{Client, Command}, Section: "Caching",
		Obligation: "not use access of an earlier call that expires within its safety skew (one second left is always within)",
		Cause:      "The expiry is compared with the present time and no skew is taken off, so that a token dies on its way.",
		Right:      "With one second left before expires_at the next call asks for access afresh.",
		Wrong:      "With one second left the next call sends with the token that is about to expire.",
		Judge: func(c *Call, j *Judgement) {
			k, ok := c.keptAccess()
			if !ok {
				return
			}
			ends, ok := k.answer.expiry()
			if !ok || k.decided > ends { // past it: CACHE-02
				return
			}
			switch within := c.Run.NotBefore(k.decided, ends.Add(-leastSkew)); {
			case k.used == nil && within == evidence.Yes:
				j.Pass()
			case within == evidence.Yes:
				j.Fail("the call used access of an earlier call "+inWords(ends.Sub(k.decided))+" before its expires_at", "a resolve before the send", k.answer, k.used)
			case k.used != nil && within == evidence.Unclear:
				j.Unclear("too near to the border for this clock: the call used access about a second before its expires_at", k.answer, k.used)
			}
		},
	}
}

func cache12() Rule {
	return Rule{
		ID: "CACHE-12", Level: Must, Sides: []Side{Client, Command}, Section: "Caching",
		Obligation: "prefer expires_at to its fallback time: one that comes earlier than the fallback ends the access",
		Cause:      "The later of expires_at and the fallback time is taken, or expires_at only lengthens the time that access is kept.",
		Right:      "Access with an expires_at 20s ahead is asked for afresh after 21s, though the fallback time is a minute.",
		Wrong:      "It is used after 21s, because the fallback time has not passed.",
		Judge: func(c *Call, j *Judgement) {
			k, ok := c.keptAccess()
			if !ok {
				return
			}
			ends, ok := k.answer.expiry()
			if !ok {
				return
			}
			received := *k.answer.LastFrom
			life, left, age := ends.Sub(received), ends.Sub(k.decided), k.decided.Sub(received)
			switch over := c.Run.NotAfter(k.decided, ends); {
			case k.used == nil && life < shortestFallback && over == evidence.No:
				j.Pass()
			case life < shortestFallback && over == evidence.No:
				j.Fail("access with an expires_at "+inWords(life)+" ahead was used "+inWords(age)+" after its receipt", "a resolve before the send", k.answer, k.used)
			case k.used != nil && age > longFallback && over == evidence.Yes:
				j.Pass()
			case k.used == nil && left > longFallback && !c.rejectedAccess(k.answer):
				j.Observe("the call asked for access afresh "+inWords(left)+" before the expires_at of what it had", k.answer, k.asked)
			}
		},
	}
}

func cache04() Rule {
	return Rule{
		ID: "CACHE-04", Level: Must, Sides: []Side{Client, Command}, Section: "Caching",
		Obligation: "without expires_at keep access for a bounded time only, counted from its receipt and not prolonged by use (over 10 minutes a warning, over 1 hour fails)",
		Cause:      "Access without an expiry is kept until it is rejected, or each use starts its time anew.",
		Right:      "Access without expires_at is used for a minute, however often, and then asked for afresh.",
		Wrong:      "Access without expires_at is used every 50s for an hour, since each use starts a new minute.",
		Judge:      judgeFallback,
	}
}

func judgeFallback(c *Call, j *Judgement) {
	k, ok := c.keptAccess()
	if !ok || !k.answer.endless() {
		return
	}
	age := k.decided.Sub(*k.answer.LastBy)
	const expected = "a resolve once a short time since the receipt has passed"
	idle := c.idleLimit(age)
	switch {
	case k.used == nil && age > shortestFallback:
		j.Pass()
	case k.used == nil:
	case age > longestFallback:
		j.Fail("access without expires_at was used "+inWords(age)+" after its receipt", expected, k.answer, k.used)
	case idle != nil:
		j.Fail("access without expires_at was used "+inWords(age)+" after its receipt, though without use in between it was asked for afresh earlier: use prolongs it",
			"the same time with and without use", k.answer, k.used, idle)
	case age > longFallback:
		j.Warn("access without expires_at was used "+inWords(age)+" after its receipt", expected, k.answer, k.used)
	}
}

// idleLimit finds the resolve with which another instance, that had left such access alone since its only earlier call,
// asked afresh at a younger age; nil where none did.
func (c *Call) idleLimit(age time.Duration) *Exchange {
	for _, other := range c.Run.Calls {
		if other.Client == c.Client || other.instanceCalls() != 1 {
			continue
		}
		k, ok := other.keptAccess()
		if !ok || k.asked == nil || !k.answer.endless() || other.rejectedAccess(k.answer) {
			continue
		}
		if spared := k.decided.Sub(*k.answer.LastBy); spared > 0 && spared < age && other.exact() {
			return k.asked
		}
	}
	return nil
}

// instanceCalls counts the calls that the same instance made before.
func (c *Call) instanceCalls() int {
	n := 0
	for _, other := range c.Run.Calls {
		if other.Client == c.Client && other.Number < c.Number {
			n++
		}
	}
	return n
}

// rejectedAccess tells whether a runtime rejected that access before this call began: from this call's session, and after
// the platform had given it. What another session made of the same token says nothing of it.
func (c *Call) rejectedAccess(answer *Exchange) bool {
	return slices.ContainsFunc(c.Run.All, func(x *Exchange) bool {
		return x.Rejected() && x.Side() == evidence.SideRuntime && *x.HeadBy <= c.Started && x.Seq > answer.Seq &&
			answer.gives(x.credential()) && c.sharing(x) > 0
	})
}
