package suites

import (
	"fmt"
	"net/http"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// polling judges the calls that wait for a Task.
func polling(judge func(c *Call, j *Judgement)) func(c *Call, j *Judgement) {
	return func(c *Call, j *Judgement) {
		if c.Op == evidence.CallWaitTask {
			judge(c, j)
		}
	}
}

// tells is true for an answer to a get that is a Task by whose state a wait goes.
func (x *Exchange) tells() bool {
	return x.Status() == http.StatusOK && x.Whole() && lacksType(x.task()) == "" && len(evidence.InternalRoles(x.task())) == 0
}

func task07() Rule {
	return Rule{
		ID: "TASK-07", Level: Should, Sides: []Side{Client}, Section: "Request Shape", Needs: []string{waitTask},
		Obligation: "wait until the Task is completed, failed, canceled or rejected, and return it",
		Cause:      "The loop knows COMPLETED alone, takes a failed Task for an error of the transport, or returns what the first get said.",
		Right:      "get: WORKING; get: REJECTED; the call returns the rejected Task.",
		Wrong:      "get: REJECTED, and the client asks again until its time is up.",
		Judge:      polling(waitsForTheEnd),
	}
}

func waitsForTheEnd(c *Call, j *Judgement) {
	if c.Ambiguous(evidence.OpGetTask) {
		return
	}
	for i, x := range c.Own {
		if !x.tells() {
			continue
		}
		p, state := progressOf(x.task())
		last := i+1 == len(c.Own)
		switch {
		case p == finished && !last:
			j.Fail("asked again after the Task had come to its end ("+state+")", "the Task is returned", x, c.Own[i+1])
			return
		case p == finished:
			judgeEndOfWait(c, x, state, j)
		case p == underWay && !last:
			j.Pass()
		case p == underWay && c.Returned():
			j.Fail("returned a Task that is still "+state, "another get", x)
		case p == underWay && c.gaveUpWaiting():
			j.Fail("gave up on a Task that is still "+state+": "+c.Ending(), "another get: the caller's limit had not come", x)
		default:
		}
	}
}

func judgeEndOfWait(c *Call, x *Exchange, state string, j *Judgement) {
	if c.conclusion() != x {
		return
	}
	got := c.returnedTask()
	switch {
	case !c.Returned() && x.Answer().Task == nil: // bare: a client need take one form alone (TASK-10)
	case !c.Returned():
		j.Fail("the Task came to its end ("+state+"), and "+c.Ending(), "the Task is returned", x)
	case got != nil:
		j.Hold(got.Path("status", "state").TextEquals(state), "the Task came to its end ("+state+"), and one in state "+said(got.Path("status", "state"))+" was returned",
			"the Task as it was answered", x)
	default:
	}
}

// gaveUpWaiting tells whether a wait that returned nothing ended although its caller had given it time for another get.
func (c *Call) gaveUpWaiting() bool {
	limit, _ := c.waitLimit() // the beginning of the run where there is none
	var pause time.Duration
	if given := c.Input.PollInterval.Or(evidence.Timeout{}); given.Usable() {
		pause = inSeconds(given.Sum())
	}
	return c.ended() && c.inWait(c.Ended.Add(2*pause)) && limit > *c.Ended
}

func task12() Rule {
	return Rule{
		ID: "TASK-12", Level: Observe, Sides: []Side{Client}, Section: "Decision", Needs: []string{waitTask},
		Obligation: "do in wait what it likes at INPUT_REQUIRED, AUTH_REQUIRED and unknown states; it is noted",
		Cause:      "The contract does not say whether a Task that waits for its user is an end of waiting.",
		Right:      "Either: the contract does not decide.",
		Wrong:      "Nothing here is wrong.",
		Judge: polling(func(c *Call, j *Judgement) {
			for i, x := range c.Own {
				if !x.tells() {
					continue
				}
				p, state := progressOf(x.task())
				if p == underWay || p == finished {
					continue
				}
				after := c.Ending()
				if i+1 < len(c.Own) {
					after = "the client asked again " + inWords(c.Own[i+1].Arrived.Sub(*x.LastBy)) + " later"
				}
				j.Observe("the Task was in state "+quote(state)+", and "+after, x)
				return
			}
		}),
	}
}

func task15() Rule {
	return Rule{
		ID: "TASK-15", Level: Should, Sides: []Side{Client}, Section: "Decision", Needs: []string{waitTask},
		Obligation: "pause poll_interval between the gets of wait, and make none after its limit",
		Cause:      "The pause is a constant or is missing, or the limit is looked at only when a get has come back.",
		Right:      "With poll_interval 1 and wait_timeout 3 there are gets at 0s, 1s and 2s, and none after 3s.",
		Wrong:      "With poll_interval 1 the gets follow each other at once.",
		Judge:      polling(pausesBetween),
	}
}

func pausesBetween(c *Call, j *Judgement) {
	given := c.Input.PollInterval.Or(evidence.Timeout{})
	for i, x := range c.Own {
		if given.Usable() && i > 0 && c.Own[i-1].tells() {
			judgePollPause(c, j, c.Own[i-1], x, inSeconds(given.Sum()))
		}
	}
	limit, ok := c.waitLimit()
	if !ok {
		return
	}
	for _, x := range c.Own {
		if x.Arrived > limit {
			j.HoldIf(c.Run.NotAfter(x.Arrived, limit), "a get came "+inWords(x.Arrived.Sub(limit))+" after the limit of the wait", "no get after "+inWords(limit.Sub(c.Started)), x)
		}
	}
	if c.ended() && len(c.Own) > 0 && c.Until > limit && c.watchedOut() && !c.Ambiguous(evidence.OpGetTask) {
		j.Pass()
	}
}

// judgePollPause judges the time between two gets. Counted from the first one's arrival it is enough: a client may ask at
// a fixed rate.
func judgePollPause(c *Call, j *Judgement, prev, next *Exchange, pause time.Duration) {
	seen := fmt.Sprintf("asked again %s after the get before, with a poll interval of %s", inWords(next.Arrived.Sub(prev.Arrived)), inWords(pause))
	want := "a pause of " + inWords(pause) + " between two gets"
	if v := c.Run.NotBefore(next.Arrived, prev.Arrived.Add(pause)); v != evidence.Yes {
		j.HoldIf(v, seen, want, prev, next)
		return
	}
	if len(c.resolvesBetween(prev, next)) > 0 {
		j.Pass() // the platform may have told it to wait
		return
	}
	j.HoldIf(c.Run.NotAfter(next.Arrived, prev.LastBy.Add(pause+pause/2+time.Second)), seen, want, prev, next)
}

func (c *Call) resolvesBetween(prev, next *Exchange) []*Exchange {
	var out []*Exchange
	for _, r := range c.Resolves {
		if r.Seq > prev.Seq && r.Seq < next.Seq {
			out = append(out, r)
		}
	}
	return out
}
