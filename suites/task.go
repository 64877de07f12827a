package suites

import "github.com/a2a-conform/a2a-conform/evidence"

// taskRules are the rules of this chapter: Task mode, and what follows a Task. What discovery is asked stands in
// task_discovery.go, what a Task is in task_result.go, getting and cancelling in task_follow.go and task_access.go,
// waiting in task_wait.go.
func taskRules() []Rule {
	return []Rule{
		task01(), task02(), task03(), task04(), task05(), task06(), task07(), task08(), task09(), task10(), task11(), task12(), task13(),
		task14(), task15(), task16(),
	}
}

// The capabilities without which Task mode, or the operation on a Task, cannot be judged.
const (
	taskMode   = "task_mode"
	getTask    = "get_task"
	cancelTask = "cancel_task"
	waitTask   = "wait_task"
)

// inTaskMode judges sends in Task mode only.
func inTaskMode(judge func(c *Call, j *Judgement)) func(c *Call, j *Judgement) {
	return func(c *Call, j *Judgement) {
		if c.Task() {
			judge(c, j)
		}
	}
}

// getting judges the calls that get or cancel a Task: of waiting the contract says little.
func getting(judge func(c *Call, j *Judgement)) func(c *Call, j *Judgement) {
	return func(c *Call, j *Judgement) {
		if c.Op == evidence.CallGetTask || c.Op == evidence.CallCancelTask {
			judge(c, j)
		}
	}
}

func task08() Rule {
	return Rule{
		ID: "TASK-08", Level: Must, Sides: []Side{Client}, Section: "Request Shape", Forbids: true,
		Obligation: "make no Task request in Message mode",
		Cause:      "The client looks for a Task behind every send, or follows one that an answer in Message mode spoke of.",
		Right:      "A send with response kind message is one message:send, whatever its answer holds.",
		Wrong:      `The send with response kind message is answered {"task": …}, and the client gets that Task until it is completed.`,
		Judge: direct(func(c *Call, j *Judgement) {
			c.forbid(j, func(x *Exchange) string {
				if !x.followsTask() {
					return ""
				}
				return "asked for a Task in Message mode: " + x.Request.Method + " " + clip(x.Request.Target, 90)
			}, "no Task request")
		}),
	}
}

func task13() Rule {
	return Rule{
		ID: "TASK-13", Level: Must, Sides: []Side{Client}, Section: "Decision", Forbids: true, Needs: []string{taskMode},
		Obligation: "in Task mode return the Task of the send's answer: no get, list, subscribe or cancel inside the send, no send inside get, wait or cancel",
		Cause:      "The send waits for the end of the Task by itself, cancels it when its own time runs out, or get sends the message again when the Task is not there.",
		Right:      "The send returns the Task as it was answered, and the caller decides what comes next.",
		Wrong:      "The send is answered with a Task that is being worked on, and the client gets it until it is completed before the call returns.",
		Judge: func(c *Call, j *Judgement) {
			if !c.Task() && !c.Follows() {
				return
			}
			c.forbid(j, func(x *Exchange) string {
				switch {
				case c.Task() && x.followsTask():
					return "inside the send came a request for a Task: " + x.Request.Method + " " + clip(x.Request.Target, 90)
				case c.Follows() && x.sendLike():
					return "inside the " + string(c.Op) + " came a send"
				default:
					return ""
				}
			}, "one send and its answer; the Task is followed by calls of its own")
		},
	}
}

func flow29() Rule {
	return Rule{
		ID: "FLOW-29", Level: Must, Sides: []Side{Client}, Section: "Context, Decision", Forbids: true, Needs: []string{taskMode},
		Obligation: "in Task mode call the platform for access and discovery only: no wake, status or session-creating route, and no discovery route polled",
		Cause: "Task mode brings its own preparation along: the session is created or woken first, or the Agent is asked again and again until it " +
			"is ready. Discovery tells what the Agent can do, the admission alone whether it can be sent to.",
		Right: "The session and its Agent are looked up once, access is resolved, the message is sent.",
		Wrong: "GET /api/v1/agents/{uid}/ is asked three times and more, though each time it was answered.",
		Judge: inTaskMode(func(c *Call, j *Judgement) {
			answered := map[string]int{}
			c.forbid(j, func(x *Exchange) string {
				switch {
				case x.Side() != evidence.SidePlatform, x.Op == evidence.OpResolveAccess, x.Op == evidence.OpRenewToken,
					x.Op == evidence.OpWhoAmI && c.byCommand(), x.Op == evidence.OpUnknown && c.followsRedirect(x):
					return ""
				case !x.discovers():
					return "asked the platform for more than access and discovery: " + x.Request.Method + " " + clip(x.Request.Target, 90)
				}
				if x.Status() >= 200 && x.Status() <= 299 && x.Whole() { // an answer that was cut may be asked for again
					answered[x.path()]++
				}
				if answered[x.path()] > 2 {
					return "asked discovery again though it had been answered twice: " + clip(x.Request.Target, 90)
				}
				return ""
			}, "access, and each route of discovery until it was answered")
		}),
	}
}
