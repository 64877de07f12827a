package suites

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func task05() Rule {
	return Rule{
		ID: "TASK-05", Level: Must, Sides: []Side{Client}, Section: "contract, 3", Needs: []string{getTask},
		Obligation: "read a Task with GET {rpc_url}/api/a2a/v1/tasks/{id}, under the rpc_url of its access and with the runtime token",
		Cause:      "The Task is asked of the platform, of the root of the host, or with the platform's token.",
		Right:      "For rpc_url http://host:1/p/ the Task is read with GET /p/api/a2a/v1/tasks/{id}, authorised as the send is.",
		Wrong:      "The Task is read with GET /api/a2a/v1/tasks/{id}, where the prefix is lost.",
		Judge: func(c *Call, j *Judgement) {
			if c.Op == evidence.CallGetTask || c.Op == evidence.CallWaitTask {
				judgeTaskRoute(c, j, "")
			}
		},
	}
}

func task06() Rule {
	return Rule{
		ID: "TASK-06", Level: Must, Sides: []Side{Client}, Section: "contract, 3", Needs: []string{cancelTask},
		Obligation: "cancel a Task with POST {rpc_url}/api/a2a/v1/tasks/{id}:cancel, under the rpc_url of its access and with the runtime token",
		Cause:      "The Task is cancelled with DELETE, or by a path of its own.",
		Right:      "For rpc_url http://host:1/p/ the Task is cancelled with POST /p/api/a2a/v1/tasks/{id}:cancel.",
		Wrong:      "The Task is cancelled with POST /p/api/a2a/v1/tasks/{id}/cancel.",
		Judge: func(c *Call, j *Judgement) {
			if c.Op == evidence.CallCancelTask {
				judgeTaskRoute(c, j, ":cancel")
			}
		},
	}
}

// judgeTaskRoute judges where each request for the Task went and with which token, and that there was one at all where
// nothing stood against it.
func judgeTaskRoute(c *Call, j *Judgement, suffix string) {
	id := c.Input.TaskID.Or("")
	if strings.TrimSpace(id) == "" {
		return
	}
	asked := false
	for _, x := range c.To(evidence.SideRuntime) {
		if !c.ownRoute(x) || c.followsRedirect(x) {
			continue
		}
		asked = true
		judgeTaskRequest(c, x, id, suffix, j)
	}
	if !asked {
		judgeNotAsked(c, j, id, suffix)
	}
}

// judgeNotAsked judges a call that made no request for its Task by the route that is meant for it.
func judgeNotAsked(c *Call, j *Judgement, id, suffix string) {
	for _, x := range c.To(evidence.SideRuntime) {
		if x.followsTask() && !c.followsRedirect(x) {
			j.Fail(c.at(x)+" went as "+x.Request.Method+" to "+x.URL(), taskMethod(c.Op)+" …"+tasksPath+"{id}"+suffix, x)
			return
		}
	}
	if !c.ended() || c.Returned() || awkward(id) || c.Ambiguous(c.resultOp()) {
		return
	}
	if n := len(c.Resolves); n > 0 && c.Resolves[n-1].Whole() && sound(c.Resolves[n-1].Access()) && c.couldSend(c.Resolves[n-1]) {
		j.Fail("the answer said can_submit true, and the Task was not asked for: "+c.Ending(), "the request for the Task", c.Resolves[n-1])
	}
}

// judgeTaskRequest judges where one request for the Task went, and on whose authority.
func judgeTaskRequest(c *Call, x *Exchange, id, suffix string, j *Judgement) {
	switch grounds := c.grounds(x); {
	case len(grounds) > 0:
		judgeTaskTarget(c, x, grounds, id, suffix, j)
		if !c.offeredCredentials(grounds) {
			c.judgeToken(x, grounds, j)
		}
	case c.Newest(x) != nil && c.Newest(x).Access().Admits():
		j.Fail(c.at(x)+" came on an answer that gives no usable token or no usable rpc_url", "an error, and no request", c.Newest(x), x)
	case c.Newest(x) != nil: // TASK-09
	case c.Ambiguous(evidence.OpResolveAccess):
		j.Unclear("several calls resolved at once: whether this one did cannot be told", x)
	default:
		j.Fail(c.at(x)+" came before the call had any access", "resolve-runtime-access first", x)
	}
}

func judgeTaskTarget(c *Call, x *Exchange, grounds []*Exchange, id, suffix string, j *Judgement) {
	if awkward(id) {
		return // TASK-11
	}
	var wanted []string
	for _, g := range grounds {
		a := addressOf(g.Access().RPCURL.Text)
		if a.odd != "" {
			j.Observe(fmt.Sprintf("with an rpc_url that has %s %s went to %s", a.odd, c.at(x), x.Request.Target), g, x)
			return
		}
		wanted = append(wanted, a.origin+a.path+tasksPath+id+suffix)
		if x.Origin() == a.origin && x.names(a.path+tasksPath, id, suffix) {
			j.Pass()
			return
		}
	}
	j.Fail(fmt.Sprintf("%s went as %s to %s", c.at(x), x.Request.Method, x.URL()), taskMethod(c.Op)+" "+strings.Join(wanted, " or "), grounds[0], x)
}

// names tells whether the path of a request is a prefix, an id and a suffix, escapes in the last two aside.
func (x *Exchange) names(prefix, id, suffix string) bool {
	rest, ok := strings.CutPrefix(x.path(), prefix)
	text, _ := url.PathUnescape(rest)
	return ok && text == id+suffix
}

func task11() Rule {
	return Rule{
		ID: "TASK-11", Level: Should, Sides: []Side{Client}, Section: "Decision", Forbids: true, Needs: []string{getTask},
		Obligation: "escape a task id in the path, or refuse it",
		Cause:      "The id is put into the URL by plain text concatenation.",
		Right:      `The Task "a/b" is read at …/tasks/a%2Fb, or refused before any request.`,
		Wrong:      `The Task "../x" is read at …/tasks/../x.`,
		Judge: func(c *Call, j *Judgement) {
			if id := c.Input.TaskID.Or(""); awkward(id) {
				judgeSegment(c, evidence.SideRuntime, "tasks", id, ":cancel", j)
			}
		},
	}
}
