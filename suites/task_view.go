package suites

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// tasksPath is what a client appends to rpc_url, with the id of a Task behind it (contract, section 3).
const tasksPath = "/api/a2a/v1/tasks/"

// followsTask tells whether a request asks for a Task: gets, cancels, lists or subscribes to one.
func (x *Exchange) followsTask() bool {
	if x.Op == evidence.OpGetTask || x.Op == evidence.OpCancelTask {
		return true
	}
	return x.Op == evidence.OpUnknown && strings.Contains(x.Request.Target, strings.TrimSuffix(tasksPath, "/"))
}

// discovers tells whether a request looks up the session's Agent, or the Agent itself.
func (x *Exchange) discovers() bool {
	return x.Op == evidence.OpGetSession || x.Op == evidence.OpGetAgent
}

// task is the Task that an answer holds, nil where it holds none.
func (x *Exchange) task() *evidence.Value {
	if x.Op == evidence.OpSendMessage {
		if x.Answer().Holds != evidence.HoldsTask {
			return nil
		}
		return x.Answer().Task
	}
	task, _ := evidence.ReadTask(x.Exchange)
	return task
}

// taskWords says what an answer to get or cancel holds.
func taskWords(task *evidence.Value) string {
	if task == nil {
		return "no Task"
	}
	return "a Task, " + said(task.Path("status", "state"))
}

// progress is how far a Task has come by its state.
type progress int

// A Task is still worked on, has come to its end, waits for its user, or is in a state that nobody knows.
const (
	unheard progress = iota
	underWay
	interrupted
	finished
)

// progressOf reads the state of a Task (contract, section 3). Letter case counts.
func progressOf(task *evidence.Value) (progress, string) {
	state, _ := task.Path("status", "state").Text()
	switch state {
	case "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING":
		return underWay, state
	case "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED":
		return interrupted, state
	case "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED":
		return finished, state
	default:
		return unheard, state
	}
}

// advert is what discovery said of Task mode.
type advert int

// Discovery was not asked to its end, could not tell, told that there is no Task mode, told that there is one in a way
// that a client need not take, or told it plainly.
const (
	unasked advert = iota
	unlearned
	denied
	oddly
	advertised
)

// advert reads an answer about an Agent, and says what was wrong with it or what it names.
func (x *Exchange) advert() (advert, string) {
	if why := x.failedDiscovery(); why != "" {
		return unlearned, why
	}
	body := x.Answer().Body
	profile := body.Member("a2a_profile")
	kinds := profile.Member("supported_response_kinds")
	named := slices.ContainsFunc(kinds.Elements(), func(v *evidence.Value) bool { return v.TextEquals("task") })
	switch {
	case profile.Kind() != evidence.KindObject:
		return denied, "has a2a_profile " + profile.Kind().String()
	case kinds.Kind() != evidence.KindArray:
		return denied, "has supported_response_kinds " + said(kinds)
	case !named:
		return denied, "has supported_response_kinds " + said(kinds)
	case x.Status() != http.StatusOK || len(x.Answer().Problems) > 0 || !usualProfile(profile):
		return oddly, "names task in an unusual way"
	default:
		return advertised, "names task among its response kinds"
	}
}

// usualProfile tells whether nothing in a profile gives a client cause to refuse the whole of it: a direct Message is
// always among the kinds, and what is sent when nobody chooses (contract, section 2).
func usualProfile(profile *evidence.Value) bool {
	kinds := profile.Member("supported_response_kinds").Elements()
	texts := !slices.ContainsFunc(kinds, func(v *evidence.Value) bool {
		_, ok := v.Text()
		return !ok
	})
	direct := slices.ContainsFunc(kinds, func(v *evidence.Value) bool { return v.TextEquals("message") })
	standard := profile.Member("default_response_kind")
	return texts && direct && profile.Member("response_kind_extension_uri").TextEquals(evidence.ResponseKindURI) &&
		(standard == nil || standard.TextEquals("message"))
}

// failedDiscovery says why nothing can be learned from an answer of discovery; empty where something can.
func (x *Exchange) failedDiscovery() string {
	switch status := x.Status(); {
	case status >= 300 || status > 0 && status < 200:
		return "was answered " + strconv.Itoa(status)
	case !x.Whole():
		return "got no whole answer"
	case x.Answer().Holds == evidence.NotOneObject:
		return "got an answer that is not one JSON object"
	default:
		return ""
	}
}

// agentUID is the Agent that an answer about a session names.
func (x *Exchange) agentUID() (string, bool) {
	uid, ok := x.Answer().Body.Member("agent_uid").Text()
	return uid, ok && strings.TrimSpace(uid) != "" && x.failedDiscovery() == ""
}

// learned is what the call's own discovery had told it when a request arrived, or in the end where that is nil. x is the
// answer that told it, why says how.
type learned struct {
	advert
	x   *Exchange
	why string
}

func (c *Call) learned(before *Exchange) learned {
	var session, agent *Exchange
	best := unasked
	for _, x := range c.Exchanges {
		if before != nil && !x.Before(before) {
			continue
		}
		switch x.Op {
		case evidence.OpGetSession:
			session = x
		case evidence.OpGetAgent:
			agent = x
			a, _ := c.heard(x)
			best = max(best, a)
		default:
		}
	}
	if agent != nil {
		a, why := c.heard(agent)
		if a < best && best >= oddly || c.redirectLed(agent) {
			a = oddly // an earlier answer told something else, or a later one behind a redirect
		}
		return learned{a, agent, why}
	}
	return c.learnedOf(session)
}

// learnedOf is what a call was told that looked up no Agent: session is its newest question about the session, nil for none.
func (c *Call) learnedOf(session *Exchange) learned {
	switch {
	case session == nil:
		return learned{advert: unasked}
	case c.endedBefore(session):
		return learned{unlearned, session, unheardWords}
	case session.failedDiscovery() != "":
		return learned{unlearned, session, session.failedDiscovery()}
	default:
		return learned{advert: unasked, x: session}
	}
}

// unheardWords say why an answer told a call nothing that had ended before it came.
const unheardWords = "had not answered when the call ended"

// heard is what an answer about an Agent told the call: nothing where it came when the call had ended.
func (c *Call) heard(agent *Exchange) (advert, string) {
	if c.endedBefore(agent) {
		return unlearned, unheardWords
	}
	return agent.advert()
}

// endedBefore tells whether the call had ended when the answer to one of its requests came to its end.
func (c *Call) endedBefore(x *Exchange) bool {
	return c.Ended != nil && x.LastFrom != nil && *x.LastFrom > *c.Ended
}

// redirectLed tells whether a redirect of the platform was followed to another of its routes.
func (c *Call) redirectLed(x *Exchange) bool {
	return slices.ContainsFunc(c.To(evidence.SidePlatform), func(y *Exchange) bool {
		return y.Seq > x.Seq && y.URL() == x.Location()
	})
}

// mayAsk tells whether nothing that discovery said keeps the call from its request to the runtime.
func (c *Call) mayAsk() bool {
	if !c.Task() {
		return true
	}
	l := c.learned(nil)
	return l.advert == advertised || l.x == nil
}

// waitLimit is when the caller of a wait wants it over, and whether it said so.
func (c *Call) waitLimit() (evidence.Offset, bool) {
	given, ok := c.Input.WaitTimeout.Get()
	if !ok || !given.Usable() || given.Sum() > float64(maxBudget/time.Second) {
		return 0, false
	}
	return c.Started.Add(inSeconds(given.Sum())), true
}

// inWait tells whether a moment lies before the limit of a wait, by more than the clock may mislead. Without a limit of
// the caller's every moment does.
func (c *Call) inWait(t evidence.Offset) bool {
	limit, ok := c.waitLimit()
	band := c.Run.Tolerance.Late + c.Run.Tolerance.Noise
	return !ok || c.Run.NotAfter(t+band, limit) == evidence.Yes
}
