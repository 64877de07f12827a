package suites

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func task04() Rule {
	return Rule{
		ID: "TASK-04", Level: Must, Sides: []Side{Client}, Section: "Request Shape", Needs: []string{taskMode},
		Obligation: "return a typed Task: id, contextId, status.state and artifacts as they were answered (unknown members lost: a warning)",
		Cause:      "The Task is decoded into a type that knows fewer members, the states are renamed, or the wrapping object is returned in place of the Task.",
		Right:      "The call returns a Task with the id, contextId, state and artifacts of the answer.",
		Wrong:      "The Task that is returned has no artifacts, or COMPLETED in the place of TASK_STATE_COMPLETED.",
		Judge: func(c *Call, j *Judgement) {
			x := c.taskAnswer()
			switch {
			case x == nil:
			case c.Returned():
				judgeReturnedTask(c, x, j)
			case lacksType(x.task()) == "" && !x.task().Member("contextId").TextEquals(c.Session):
				j.Observe("the Task has the contextId "+said(x.task().Member("contextId"))+", and "+c.Ending(), x)
			case c.Op != evidence.CallWaitTask && c.soundTask(x):
				j.Fail("the answer is a sound Task, and "+c.Ending(), "the Task is returned", x)
			default:
			}
		},
	}
}

// taskAnswer returns the conclusion of a send in Task mode or of a call that follows a Task, where it was answered 200
// with a Task on whose JSON all readers agree.
func (c *Call) taskAnswer() *Exchange {
	x := c.conclusion()
	if x == nil || !c.Task() && !c.Follows() || x.Status() != http.StatusOK || x.task() == nil || len(x.Answer().Problems) > 0 {
		return nil
	}
	return x
}

// soundTask tells whether nothing in an answer gives a client cause to refuse its Task.
func (c *Call) soundTask(x *Exchange) bool {
	task := x.task()
	if lacksType(task) != "" || len(evidence.InternalRoles(task)) > 0 || hugeNumber(task) != "" || x.oddHead() != "" || x.Answer().Task == nil {
		return false
	}
	p, _ := progressOf(task)
	asked, named := c.Input.TaskID.Get()
	return p != unheard && task.Member("contextId").TextEquals(c.Session) && (!named || task.Member("id").TextEquals(asked)) && soundContent(task)
}

// soundContent tells whether artifacts and history are what the standard has them be, as far as they are there.
func soundContent(task *evidence.Value) bool {
	for _, name := range []string{"artifacts", "history"} {
		v := task.Member(name)
		objects := !slices.ContainsFunc(v.Elements(), func(e *evidence.Value) bool { return e.Kind() != evidence.KindObject })
		if v != nil && (v.Kind() != evidence.KindArray || !objects) {
			return false
		}
	}
	message := task.Path("status", "message")
	return message == nil || message.Kind() == evidence.KindNull || message.Kind() == evidence.KindObject
}

// lacksType says what a Task lacks to be one, empty for nothing. Its contextId is left to the client.
func lacksType(task *evidence.Value) string {
	id, ok := task.Member("id").Text()
	switch _, named := task.Path("status", "state").Text(); {
	case task.Kind() != evidence.KindObject:
		return "is " + task.Kind().String()
	case !ok || strings.TrimSpace(id) == "":
		return "has the id " + said(task.Member("id"))
	case !named:
		return "has the status.state " + said(task.Path("status", "state"))
	default:
		return ""
	}
}

func judgeReturnedTask(c *Call, x *Exchange, j *Judgement) {
	task, got := x.task(), c.returnedTask()
	switch lack := lacksType(task); {
	case c.Outcome.Kind == evidence.OutcomeMessage:
		j.Fail("the answer is a Task, and "+c.Ending(), "the Task is returned", x)
	case got == nil:
		j.Unclear("what was printed holds no Task that can be read", x)
	case lack != "":
		j.Fail("the Task of the answer "+lack+", and "+c.Ending(), "an error: that is no typed Task", x)
	default:
		compareTasks(task, got, x, j)
	}
}

func compareTasks(task, got *evidence.Value, x *Exchange, j *Judgement) {
	for _, path := range [][]string{{"id"}, {"contextId"}, {"status", "state"}, {"artifacts"}} {
		want, is := task.Path(path...), got.Path(path...)
		if !evidence.Equal(emptied(want), emptied(is)) {
			name := strings.Join(path, ".")
			j.Fail(fmt.Sprintf("%s of the Task was answered as %s and returned as %s", name, said(want), said(is)), name+" as it was answered", x)
			return
		}
	}
	if lost := lostMembers(task, got); len(lost) > 0 {
		j.Warn("the Task that was returned is not all that was answered: "+strings.Join(lost, "; "), "every member of the Task", x)
		return
	}
	j.Pass()
}

// emptied takes an empty list, and null, for nothing: a typed Task may have either where it has no artifacts.
func emptied(v *evidence.Value) *evidence.Value {
	if v.Kind() == evidence.KindNull || v.Kind() == evidence.KindArray && len(v.Elements()) == 0 {
		return nil
	}
	return v
}

// lostMembers lists what of an answered Task is not in the one that was returned, nulls and empty lists aside. What was
// added is no loss: a typed object has members of its own.
func lostMembers(task, got *evidence.Value) []string {
	var lost []string
	for _, m := range task.Members() {
		switch is := got.Member(m.Name); {
		case evidence.Equal(emptied(m.Value), emptied(is)):
		case m.Value.Kind() == evidence.KindObject && is.Kind() == evidence.KindObject:
			lost = append(lost, lostMembers(m.Value, is)...)
		default:
			lost = append(lost, evidence.Diff(m.Value, is)...)
		}
	}
	return lost
}

// returnedTask is the Task that the call returned: the outcome itself or, of a command, the JSON that it printed. It is
// nil for a Message, and for what was printed in another form.
func (c *Call) returnedTask() *evidence.Value {
	switch c.Outcome.Kind {
	case evidence.OutcomeTask:
		tree, _ := evidence.ReadJSON(c.Outcome.Task)
		return tree
	case evidence.OutcomePrinted:
		tree, problems := evidence.ReadJSON(c.Command.Stdout)
		if _, broken := evidence.NotJSON(problems); broken {
			return nil
		}
		for _, v := range []*evidence.Value{tree.Member("task"), tree} {
			if v.Member("id") != nil && v.Member("status") != nil {
				return v
			}
		}
	default:
	}
	return nil
}

func task10() Rule {
	return Rule{
		ID: "TASK-10", Level: Observe, Sides: []Side{Client}, Section: "Request Shape", Needs: []string{getTask},
		Obligation: "take a bare or a wrapped Task from get and cancel, or both; which one is noted",
		Cause:      "The A2A standard answers a bare Task, the known runtime a wrapped one.",
		Right:      "Either: the contract does not decide.",
		Wrong:      "Nothing here is wrong.",
		Judge: getting(func(c *Call, j *Judgement) {
			x := c.conclusion()
			if x == nil || x.Status() != http.StatusOK {
				return
			}
			if task, wrapped := evidence.ReadTask(x.Exchange); task != nil {
				form := map[bool]string{true: "wrapped as {\"task\": …}", false: "bare"}[wrapped]
				j.Observe("the Task came "+form+", and "+c.Ending(), x)
			}
		}),
	}
}

func resp10() Rule {
	return Rule{
		ID: "RESP-10", Level: Must, Sides: []Side{Client}, Section: "Request Shape", Needs: []string{taskMode},
		Obligation: "reject a Message in Task mode",
		Cause:      "One decoder serves both response kinds and returns whatever it finds, or a Message is taken for a Task that was quick.",
		Right:      `The send with responseKind task is answered {"message": …}: the call ends with an error.`,
		Wrong:      "The call returns the Message.",
		Judge: inTaskMode(func(c *Call, j *Judgement) {
			x := c.conclusion()
			if x == nil || x.Status() != http.StatusOK {
				return
			}
			if what := holding(x, evidence.HoldsMessage); what != "" {
				j.Hold(c.Failed(), "in the answer "+what+", and "+c.Ending(), "an error", x)
			}
		}),
	}
}

func resp16() Rule {
	return Rule{
		ID: "RESP-16", Level: Must, Sides: []Side{Client}, Section: "Request Shape", Needs: []string{taskMode},
		Obligation: "accept internal directions nowhere: as the role in a Task's status.message or history too; the words inside text or data are content",
		Cause:      "Only the role of a direct Message is looked at, or the whole answer is searched for the words.",
		Right:      "The Task's history has a message with role ROLE_REQUESTER: the call ends with an error.",
		Wrong:      "The Task is returned, with status.message.role ROLE_RESPONDER in it.",
		Judge: func(c *Call, j *Judgement) {
			if !c.Task() && !c.Follows() {
				return
			}
			for i, x := range c.Own {
				if i+1 < len(c.Own) && x.Status() == http.StatusOK && x.Whole() && len(evidence.InternalRoles(x.task())) > 0 {
					j.Fail("the Task had an internal direction at "+evidence.InternalRoles(x.task())[0]+", and the call went on", "an error", x, c.Own[i+1])
					return
				}
			}
			x := c.taskAnswer()
			if x == nil {
				return
			}
			roles := evidence.InternalRoles(x.task())
			text := string(x.Response.Body.Bytes)
			words := strings.Contains(text, "ROLE_REQUESTER") || strings.Contains(text, "ROLE_RESPONDER")
			switch {
			case len(roles) > 0:
				j.Hold(c.Failed(), "the Task has an internal direction at "+roles[0]+", and "+c.Ending(), "an error", x)
			case words && c.soundTask(x) && c.Op != evidence.CallWaitTask:
				j.Hold(c.Returned(), "the Task has the words of an internal direction in its content alone, and "+c.Ending(), "the Task is returned", x)
			default:
			}
		},
	}
}

func lim08() Rule {
	return Rule{
		ID: "LIM-08", Level: Must, Sides: []Side{Client}, Section: "Message limit", Needs: []string{typedErrors, taskMode},
		Obligation: "keep the ordinary server error in Task mode, get and cancel",
		Cause:      "The reading of the limit stands where every answer passes, whatever was asked.",
		Right:      "A send in Task mode is answered with the 504 of the Message limit: the call ends with the ordinary server error.",
		Wrong:      "The cancel of a Task is answered so, and the call ends with the message-limit error.",
		Judge: func(c *Call, j *Judgement) {
			x := c.conclusion()
			if x == nil || !c.Told() || c.Op == evidence.CallWaitTask || c.Op == evidence.CallSend && !c.Task() {
				return
			}
			if x.Status() != http.StatusBadGateway && x.Status() != http.StatusGatewayTimeout {
				return
			}
			j.Hold(c.Is(evidence.ServerFailed), fmt.Sprintf("the %s was answered %d, where no Message is awaited, and %s", opWords(x.Op), x.Status(), c.Ending()),
				"the ordinary server error", x)
		},
	}
}
