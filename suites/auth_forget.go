package suites

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func auth11() Rule {
	return Rule{
		ID: "AUTH-11", Level: Must, Sides: []Side{Client}, Section: "Decision 5", Forbids: true,
		Obligation: "forget rejected access: no later call uses it, unless a later answer hands the same token out again",
		Cause:      "The cache is cleared only when the refresh succeeded, or only in memory and not in the file.",
		Right:      "send, 401, resolve: terminal. The next call resolves before it sends.",
		Wrong:      "send, 401, resolve: terminal. The next call sends with the token that was rejected.",
		Judge:      forgetsRejected,
	}
}

// rejectedUse is a request of a call to a runtime whose credentials were rejected.
type rejectedUse struct {
	*Exchange
	by         *Call
	credential string
}

func forgetsRejected(c *Call, j *Judgement) {
	c.forgets(j, func(*Exchange) bool { return true })
}

// forgets judges that a call does not use what was rejected before it, in those exchanges that count.
func (c *Call) forgets(j *Judgement, counts func(x *Exchange) bool) {
	rejected := slices.DeleteFunc(c.rejectedBefore(), func(r rejectedUse) bool { return !counts(r.Exchange) })
	used := c.To(evidence.SideRuntime)
	if len(rejected) == 0 || len(used)+len(c.Resolves) == 0 {
		return
	}
	for _, x := range used {
		for _, r := range rejected {
			if x.credential() == r.credential && c.sameAccess(r, x) && !c.handedAgain(r, x) {
				j.Fail("the call used "+c.credentialWords(x)+", which the runtime had rejected "+
					inWords(x.Arrived.Sub(*r.HeadBy))+" before", "access that was resolved after the rejection", r.Exchange, x)
				return
			}
		}
	}
	j.Pass()
}

// rejectedBefore lists what had been rejected of this instance before the call started.
func (c *Call) rejectedBefore() []rejectedUse {
	var found []rejectedUse
	for _, o := range c.Run.Calls {
		if o.Client != c.Client || o.Number == c.Number {
			continue
		}
		for _, x := range o.To(evidence.SideRuntime) {
			if x.Rejected() && x.credential() != "" && c.Run.NotAfter(*x.HeadBy, c.Started) == evidence.Yes {
				found = append(found, rejectedUse{x, o, x.credential()})
			}
		}
	}
	return found
}

// sameAccess tells whether x used the very access that was rejected. Access is an answer of the platform and no token: a
// platform may give two sessions the same one, and each has access of its own then. A call that was never given the
// token itself has it from where it was rejected.
func (c *Call) sameAccess(r rejectedUse, x *Exchange) bool {
	return r.by.sharesAccessWith(c) || len(c.givenWith(r.credential, x, c.sharesAccessWith)) == 0
}

// handedAgain tells whether an answer to those who share the rejected access handed its token out once more before x
// arrived. Answers that may be another call's count too.
func (c *Call) handedAgain(r rejectedUse, x *Exchange) bool {
	return slices.ContainsFunc(c.givenWith(r.credential, x, r.by.sharesAccessWith), func(a *Exchange) bool {
		return *a.LastBy >= *r.HeadFrom
	})
}
