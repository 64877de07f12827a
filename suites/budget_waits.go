package suites

import (
	"net/http"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func bud06() Rule {
	return Rule{
		ID: "BUD-06", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "count resolving, a resolve that hangs or drips included",
		Cause:      "The resolve has a fixed timeout of its own, or none, and the caller's timeout reaches only the send.",
		Right:      "With timeout 2 and a resolve that is never answered the call ends after 2s.",
		Wrong:      "With timeout 2 the call waits 30s for the resolve, the platform client's own default.",
		Judge: sending(func(c *Call, j *Judgement) {
			judgeTotal(c, j, func(_ *Call, w wait) bool {
				return w.on(evidence.OpResolveAccess) || w.side == evidence.SidePlatform
			})
		}),
	}
}

func bud07() Rule {
	return Rule{
		ID: "BUD-07", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "count the waits of a transient runtime",
		Cause:      "The client sleeps for retry_after_ms without looking at what is left of the budget.",
		Right:      "With timeout 2 and a direction to wait 5s the call ends at once, and after 2s at the latest.",
		Wrong:      "With timeout 2 the call sleeps 5s, and then asks again.",
		Judge: sending(func(c *Call, j *Judgement) {
			judgeTotal(c, j, func(_ *Call, w wait) bool { return w.stage == directed })
			if d, ok := c.leftWaiting(); ok && c.endedBy(c.latestEnd()) == evidence.Yes && c.fits(d) == evidence.No {
				j.Pass()
			}
		}),
	}
}

// leftWaiting returns the direction with which the call ended: the platform said when to ask again, and the call did
// not.
func (c *Call) leftWaiting() (Direction, bool) {
	if !c.timed() || !c.Failed() {
		return Direction{}, false
	}
	w := c.waitingAt(*c.Ended)
	return w.direction, w.stage == directed
}

func bud08() Rule {
	return Rule{
		ID: "BUD-08", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "count the wait for the head of the Agent's answer",
		Cause:      "The wait for the answer starts a budget of its own, or has no limit because an Agent is expected to take long.",
		Right:      "With timeout 10, of which access took 4s, a silent Agent is given up 6s after the send.",
		Wrong:      "With timeout 10, of which access took 4s, the call ends 14s after its start.",
		Judge: sending(func(c *Call, j *Judgement) {
			judgeTotal(c, j, func(_ *Call, w wait) bool { return w.on(evidence.OpSendMessage) && w.stage == silent })
		}),
	}
}

func bud09() Rule {
	return Rule{
		ID: "BUD-09", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "count the body of the answer, however it drips",
		Cause:      "The timer stops when the head of the answer is there, or starts again with each piece of the body.",
		Right:      "With timeout 3 an answer whose body drips a byte a second is given up after 3s.",
		Wrong:      "With timeout 3 the call ends after 200s, when the last byte of the body has come.",
		Judge: sending(func(c *Call, j *Judgement) {
			judgeTotal(c, j, func(_ *Call, w wait) bool {
				return w.on(evidence.OpSendMessage) && w.stage == reading && !w.failing()
			})
		}),
	}
}

func bud10() Rule {
	return Rule{
		ID: "BUD-10", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "not restart the budget for the refresh and the second send",
		Cause:      "The retry after 401 or 403 calls the whole send again with the caller's full timeout.",
		Right:      "With timeout 10 and a 401 after 6s a silent second send is given up 10s after the start of the call.",
		Wrong:      "With timeout 10 and a 401 after 6s the call ends after 16s.",
		Judge:      sending(notRestarted),
	}
}

func notRestarted(c *Call, j *Judgement) {
	rejected := c.firstRejection()
	if rejected == nil {
		return
	}
	// Too early a rejection shows nothing: a budget that began again would end within the tolerance of the clock.
	spent := rejected.HeadFrom.Sub(c.Started)
	visible := spent > c.grace()+(c.Run.Tolerance.Late+c.Run.Tolerance.Noise).Duration()
	after := func(_ *Call, w wait) bool {
		return visible && w.stage != notWaiting && (w.x != rejected || w.stage == connecting)
	}
	judgeTotal(c, j, after)
	d, ok := c.leftWaiting()
	restarted := rejected.HeadFrom.Add(c.Budget.Total)
	if ok && visible && d.Answer.Arrived >= *rejected.HeadFrom && c.fits(d) == evidence.No && d.By < restarted &&
		c.endedBy(c.latestEnd()) == evidence.Yes {
		j.Pass()
	}
}

func bud20() Rule {
	return Rule{
		ID: "BUD-20", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "count the sending of the request, to a server that accepts it and does not read on",
		Cause:      "The timeout limits reads only, so a write that blocks is never given up.",
		Right:      "With timeout 3 and 8 MiB of files to a server that stops reading the call ends after 3s.",
		Wrong:      "With timeout 3 the call stays in the write until the server closes the connection.",
		Needs:      []string{"files"},
		Judge: sending(func(c *Call, j *Judgement) {
			judgeTotal(c, j, func(_ *Call, w wait) bool { return w.stage == uploading })
		}),
	}
}

func bud21() Rule {
	return Rule{
		ID: "BUD-21", Level: Must, Sides: []Side{Client}, Section: "Timeouts",
		Obligation: "count every byte of every answer: dripped heads, endless 1xx, the bodies of refusals, of discovery and of the renewal of the platform token",
		Cause:      "Only the answer to a successful send is read under the deadline; heads, 1xx answers and error bodies are read by the HTTP library without one.",
		Right:      "With timeout 3 and a 503 whose body drips the call ends by 3s.",
		Wrong:      "With timeout 3 and a 103 every second the call never ends.",
		Judge: sending(func(c *Call, j *Judgement) {
			judgeTotal(c, j, func(_ *Call, w wait) bool {
				return w.stage == heading || w.failing() || w.on(evidence.OpRenewToken) || w.stage == reading && w.x.discovers()
			})
			refusedInTime(c, j)
		}),
	}
}

// refusedInTime passes a call that did not wait for the rest of an answer whose head already said that it failed.
func refusedInTime(c *Call, j *Judgement) {
	if !c.timed() || c.Ended == nil || c.endedBy(c.latestEnd()) != evidence.Yes {
		return
	}
	for _, x := range c.Exchanges {
		if x.EndedBy == evidence.EndedByClient && x.Status() >= http.StatusMultipleChoices && x.openAt(*c.Ended) {
			j.Pass()
		}
	}
}
