package suites

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func task09() Rule {
	return Rule{
		ID: "TASK-09", Level: Must, Sides: []Side{Client}, Section: "Decision, Timeouts, Caching", Forbids: true, Needs: []string{getTask},
		Obligation: "in get and cancel too: open no connection to the runtime while can_submit is false, end as not ready where the wait no longer fits, clear access on 401 and 403",
		Cause:      "Get and cancel take a way of their own to the runtime, past the admission and the cache of the send.",
		Right:      "A get is answered 401; the next call resolves before it asks the runtime for anything.",
		Wrong:      "The platform says waking and can_submit false, and the Task is got all the same.",
		Judge: func(c *Call, j *Judgement) {
			if c.Follows() {
				judgeTaskAdmission(c, j)
				judgeConnections(c, j)
				for _, d := range c.toFollow() {
					if c.Op != evidence.CallWaitTask && c.fits(d) == evidence.No {
						c.judgeUnfit(d, j)
					}
				}
				usesRejected(c, j)
			}
			c.forgets(j, func(x *Exchange) bool { return x.Op == evidence.OpGetTask || x.Op == evidence.OpCancelTask })
		},
	}
}

// judgeTaskAdmission judges that each request for a Task rests on an answer that admits.
func judgeTaskAdmission(c *Call, j *Judgement) {
	for _, x := range c.Own {
		newest := c.Newest(x)
		switch {
		case newest == nil || !newest.holdsBack():
		case c.mayBeAdmitted(newest, x):
			j.Unclear("several calls resolved at once: on which answer the request rests cannot be told", newest, x)
		default:
			j.Fail("asked the runtime for the Task although the newest answer has "+accessWords(newest.Access()), "no request before an answer with can_submit true", newest, x)
		}
	}
	for _, r := range c.Resolves {
		if r.holdsBack() && (c.Done() || c.firstAfter(r, c.Resolves) != nil) {
			j.passUnlessAmbiguous(c.resultOp())
		}
	}
}

// usesRejected judges that a call does not go on with a credential that the runtime has rejected in it.
func usesRejected(c *Call, j *Judgement) {
	for _, r := range c.Rejections() {
		for _, x := range c.Own {
			if x.Seq <= r.Seq || r.credential() == "" {
				continue
			}
			again := x.credential() == r.credential() && !c.handedAgain(rejectedUse{r, c, r.credential()}, x)
			j.Hold(!again, "asked again with "+c.credentialWords(x)+", which the runtime had rejected", "access that was resolved after the rejection", r, x)
		}
	}
}

func task16() Rule {
	return Rule{
		ID: "TASK-16", Level: Should, Sides: []Side{Client}, Section: "Decision 3, Decision 5", Needs: []string{getTask},
		Obligation: "wait as directed, and refresh once after 401 or 403, in get and cancel too",
		Cause:      "Get and cancel give up at the first transient answer, or report a 401 as it is.",
		Right:      "get: resolve, waking, 1.5s; resolve 1.5s later, ready; GET, 401; resolve; GET, 200.",
		Wrong:      "A get is answered 401, and the call ends as unauthorised.",
		Judge: getting(func(c *Call, j *Judgement) {
			for _, d := range c.Directions() {
				if d.Next != nil {
					c.judgeEarly(d, j)
				}
			}
			for _, d := range c.toFollow() {
				c.judgeFollowed(d, j)
			}
			if r, ok := c.refresh(); ok && (r.rejected.Whole() || len(r.resolves) > 0) {
				judgeRefresh(c, j, r)
			}
			stopsAsking(c, j)
		}),
	}
}

// judgeFollowed judges that a direction was followed, and not long after its time.
func (c *Call) judgeFollowed(d Direction, j *Judgement) {
	switch {
	case d.Next != nil && d.Next.Arrived >= d.From:
		c.judgeLate(d, j)
	case d.Next != nil, c.fits(d) != evidence.Yes, !c.ended(), c.Ambiguous(evidence.OpResolveAccess):
	default:
		j.Fail("did not resolve again: the answer said "+d.State+" and to wait "+inWords(d.Wait)+", and "+c.Ending(),
			"another resolve "+inWords(d.Wait)+" after that answer", d.Answer)
	}
}

// stopsAsking judges what a call did after its second rejection.
func stopsAsking(c *Call, j *Judgement) {
	rejections := c.Rejections()
	if len(rejections) < 2 {
		return
	}
	second := rejections[1]
	if i := slices.IndexFunc(c.Own, func(x *Exchange) bool { return x.Seq > second.Seq }); i >= 0 {
		j.Fail("asked for the Task again after the second rejection", "an error, and nothing more", rejections[0], second, c.Own[i])
		return
	}
	if c.ended() && !c.Ambiguous(c.resultOp()) {
		j.Hold(c.Failed(), c.Ending()+" after its second rejection", "an error", second)
	}
}
