package suites

import (
	"slices"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// waited is a wait whose gets, a second apart, are answered with these states.
func waited(states ...string) *tape {
	t := about(evidence.CallWaitTask, everySecond).resolve(0.001, ready(token1))
	for i, state := range states {
		t.gets(float64(i)*1.01+0.003, token1, wrapped(taskIn(state)))
	}
	return t
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"TASK-07", "to the end", waited("SUBMITTED", "WORKING", "REJECTED").hands(2.1, taskIn("REJECTED")), Passed, ""},
		{"TASK-07", "an error at the end", waited("FAILED").fails(0.1, evidence.ServerFailed), Warned, "came to its end (TASK_STATE_FAILED), and the call ended"},
		{"TASK-07", "a bare Task refused", about(evidence.CallWaitTask, everySecond).resolve(0.001, ready(token1)).
			gets(0.003, token1, taskIn("COMPLETED")).fails(0.1, evidence.InvalidResponse), "", ""},
		{"TASK-07", "asked again at the end", waited("CANCELED", "CANCELED").hands(1.1, taskIn("CANCELED")), Warned, "asked again after the Task had come to its end"},
		{"TASK-07", "returned too early", waited("WORKING").hands(0.1, taskIn("WORKING")), Warned, "returned a Task that is still TASK_STATE_WORKING"},
		{"TASK-07", "an older one returned", waited("WORKING", "COMPLETED").hands(1.1, taskIn("WORKING")), Warned, "one in state"},
		{"TASK-07", "gave up early", waited("WORKING").fails(1.1, evidence.TimedOut), Warned, "gave up on a Task"},
		{"TASK-07", "gave up at its limit", waited("WORKING").fails(9.5, evidence.TimedOut), "", ""},
		{"TASK-07", "a get", got(wrapped(taskIn("WORKING"))).hands(0.005, taskIn("WORKING")), "", ""},
		{"TASK-07", "under way and nothing more", waited("WORKING"), "", ""},
		{"TASK-07", "the end and nothing more", waited("COMPLETED"), "", ""},
		{"TASK-07", "returned without its Task", waited("COMPLETED").ends(0.1, evidence.Outcome{Kind: evidence.OutcomeTask}), "", ""},
		{"TASK-07", "in an answer that broke off", about(evidence.CallWaitTask, everySecond).resolve(0.001, ready(token1)).
			gets(0.003, token1, wrapped(taskIn("COMPLETED")), broken).gets(1.1, token1, wrapped(taskIn("COMPLETED"))).hands(1.2, taskIn("COMPLETED")), Passed, ""},
		{"TASK-07", "in an answer of another kind", about(evidence.CallWaitTask, everySecond).resolve(0.001, ready(token1)).
			gets(0.003, token1, "", status(500, wrapped(taskIn("COMPLETED")))).gets(1.1, token1, wrapped(taskIn("COMPLETED"))).hands(1.2, taskIn("COMPLETED")), Passed, ""},
		{"TASK-07", "uncertain whose", about(evidence.CallWaitTask).call(0, taskCall(evidence.CallWaitTask, "t"), everySecond).resolve(0.001, ready(token1)).
			gets(0.003, token1, wrapped(taskIn("WORKING"))).gets(1.1, token1, wrapped(taskIn("WORKING")), ofCalls(1, 2)).fails(1.2, evidence.TimedOut), "", ""},
		{"TASK-07", "gave up with time for one more", waited("WORKING").fails(8, evidence.TimedOut), Warned, "gave up on a Task"},
		{"TASK-07", "gave up without time for one more", waited("WORKING").fails(8.0005, evidence.TimedOut), "", ""},
		{"TASK-07", "its caller gave up", about(evidence.CallWaitTask, everySecond, cancelled(1)).resolve(0.001, ready(token1)).
			gets(0.003, token1, wrapped(taskIn("WORKING"))).fails(1.1, evidence.Other), "", ""},
		{"TASK-07", "gave up, with no limit", about(evidence.CallWaitTask).resolve(0.001, ready(token1)).gets(0.003, token1, wrapped(taskIn("WORKING"))).fails(1.1, evidence.TimedOut), "", ""},
		{"TASK-12", "input required", waited("INPUT_REQUIRED").hands(0.1, taskIn("INPUT_REQUIRED")), Observed, "the call returned a task"},
		{"TASK-12", "an unknown state", waited("DREAMING", "COMPLETED").hands(1.1, taskIn("COMPLETED")), Observed, "asked again 1.008991s later"},
		{"TASK-12", "states that are known", waited("WORKING", "COMPLETED").hands(1.1, taskIn("COMPLETED")), "", ""},
		{"TASK-15", "paused", waited("WORKING", "COMPLETED").hands(1.1, taskIn("COMPLETED")), Passed, ""},
		{"TASK-15", "at once", waited("WORKING").gets(0.005, token1, wrapped(taskIn("COMPLETED"))).hands(0.1, taskIn("COMPLETED")), Warned, "asked again 0.002s after"},
		{"TASK-15", "much too late", waited("WORKING").gets(7, token1, wrapped(taskIn("COMPLETED"))).hands(7.1, taskIn("COMPLETED")), Warned, "asked again 6.997s after"},
		{"TASK-15", "late because of a resolve", waited("WORKING").resolve(1.01, waiting("waking", "5000")).resolve(6.1, ready(token2)).gets(7, token2, wrapped(taskIn("COMPLETED"))).hands(7.1, taskIn("COMPLETED")), Passed, ""},
		{"TASK-15", "after its limit", waited(slices.Repeat([]string{"WORKING"}, 11)...).fails(10.2, evidence.TimedOut), Warned, "after the limit of the wait"},
		{"TASK-15", "a pause counted from the get", waited("WORKING").gets(1.003, token1, wrapped(taskIn("COMPLETED"))).hands(1.1, taskIn("COMPLETED")), Passed, ""},
		{"TASK-15", "just too short a pause", waited("WORKING").gets(1.0025, token1, wrapped(taskIn("COMPLETED"))).hands(1.1, taskIn("COMPLETED")), Warned, "asked again 0.9995s after"},
		{"TASK-15", "as long a pause as may be", waited("WORKING").gets(2.504009, token1, wrapped(taskIn("COMPLETED"))).hands(2.6, taskIn("COMPLETED")), Passed, ""},
		{"TASK-15", "a longer one", waited("WORKING").gets(2.5045, token1, wrapped(taskIn("COMPLETED"))).hands(2.6, taskIn("COMPLETED")), Warned, "asked again 2.5015s after"},
		{"TASK-15", "a resolve before both is no reason", waited("WORKING").gets(7, token1, wrapped(taskIn("COMPLETED"))).resolve(7.05, ready(token1)).
			hands(7.1, taskIn("COMPLETED")), Warned, "asked again"},
		{"TASK-15", "after an answer that broke off", about(evidence.CallWaitTask, everySecond).resolve(0.001, ready(token1)).
			gets(0.003, token1, wrapped(taskIn("WORKING")), broken).gets(0.01, token1, wrapped(taskIn("COMPLETED"))).hands(0.02, taskIn("COMPLETED")), Passed, ""},
		{"TASK-15", "at its limit", waited("WORKING").resolve(5, ready(token1)).gets(10, token1, wrapped(taskIn("WORKING"))).fails(10.1, evidence.TimedOut), Passed, ""},
		{"TASK-15", "no get at all", about(evidence.CallWaitTask, everySecond).resolve(0.001, stopped("unavailable")).fails(0.1, evidence.Blocked), "", ""},
		{"TASK-15", "still going on", waited("WORKING"), "", ""},
		{"TASK-15", "not watched to its limit", waited("WORKING").fails(1, evidence.Other).until(9), "", ""},
		{"TASK-15", "not watched beyond its end", waited("WORKING").fails(10, evidence.TimedOut).until(10.1), "", ""},
		{"TASK-15", "uncertain whose", about(evidence.CallWaitTask).call(0, taskCall(evidence.CallWaitTask, "t"), everySecond).resolve(0.001, ready(token1)).
			gets(0.003, token1, wrapped(taskIn("WORKING"))).gets(1.1, token1, wrapped(taskIn("WORKING")), ofCalls(1, 2)).fails(1.2, evidence.TimedOut), "", ""},
		{"TASK-15", "none given", about(evidence.CallWaitTask).resolve(0.001, ready(token1)).gets(0.003, token1, wrapped(taskIn("WORKING"))).fails(0.1, evidence.TimedOut), "", ""},
		{"BUD-22", "between two gets", waited("WORKING").fails(10, evidence.TimedOut), Observed, "the limit of the wait was 10s"},
		{"BUD-22", "with a get open", waited("WORKING").gets(1.1, token1, "", noAnswer(10, evidence.EndedByClient)).fails(10, evidence.TimedOut), Observed, "with a get open"},
		{"BUD-22", "another end", waited("FAILED").fails(1, evidence.Other), "", ""},
		{"BUD-22", "returned", waited("COMPLETED").hands(1, taskIn("COMPLETED")), "", ""},
	})
}

func TestBudgetOfDiscovery(t *testing.T) {
	t.Parallel()
	hangs := func() *tape { return newTape().call(0, ofKind("task"), timeout(2)) }
	slow := func(x *evidence.Exchange) {
		later := x.Arrived + at(1.5)
		x.HeadFrom, x.HeadBy, x.LastFrom, x.LastBy, x.Ended = &later, &later, &later, &later, &later
		x.Response.Writes = []evidence.Write{{At: later, Bytes: 9}}
	}
	spent := func(end float64) *tape {
		return newTape().call(0, ofKind("task"), timeout(2)).looksUp(0.001, takesTasks(), slow).resolve(1.6, ready(token1)).
			send(1.602, token1, "", noAnswer(end, evidence.EndedByClient)).fails(end, evidence.TimedOut)
	}
	prove(t, []proof{
		{"BUD-05", "hangs", hangs().looksUp(0.001, "", noAnswer(2, evidence.EndedByClient)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-05", "hangs too long", hangs().looksUp(0.001, "", noAnswer(9, evidence.EndedByClient)).fails(9, evidence.TimedOut), Failed, "no answer to the discovery"},
		{"BUD-05", "spent before", spent(2), Passed, ""},
		{"BUD-05", "begins behind it", spent(3.502009), Failed, "the call ended 3.502009s after its start"},
		{"BUD-05", "quick", discovering(timeout(2)).resolve(0.005, ready(token1)).send(0.007, token1, "", noAnswer(2, evidence.EndedByClient)).fails(2, evidence.TimedOut), "", ""},
		{"BUD-05", "beside the resolve", hangs().looksUp(0.001, "", noAnswer(2, evidence.EndedByClient)).resolve(0.002, ready(token1)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-21", "drips", hangs().looksUp(0.001, takesTasks(), dripping(2, evidence.EndedByClient)).fails(2, evidence.TimedOut), Passed, ""},
		{"BUD-21", "drips too long", hangs().looksUp(0.001, takesTasks(), dripping(9, evidence.EndedByClient)).fails(9, evidence.TimedOut), Failed, "the body of the answer 200 to the discovery"},
	})
}

func TestBudgetOfTasks(t *testing.T) {
	t.Parallel()
	silent := func(op evidence.CallOp, end float64, edit ...func(*evidence.Call)) *tape {
		return about(op, edit...).resolve(0.001, ready(token1)).gets(0.003, token1, "", noAnswer(end, evidence.EndedByClient)).fails(end, evidence.TimedOut)
	}
	twice := func(op evidence.CallOp) *tape {
		return about(op, timeout(2)).resolve(0.001, ready(token1)).gets(0.003, token1, "", noAnswer(1, evidence.EndedByClient)).
			gets(1.001, token1, wrapped(taskIn("WORKING"))).hands(1.1, taskIn("WORKING"))
	}
	get, cancel := evidence.CallGetTask, evidence.CallCancelTask
	prove(t, []proof{
		{"BUD-13", "silent", silent(get, 2, timeout(2)), Passed, ""},
		{"BUD-13", "too long", silent(get, 30, timeout(2)), Failed, "no answer to the get of the Task"},
		{"BUD-13", "too short", silent(get, 1, timeout(2)), Failed, "the call ended 1s after its start"},
		{"BUD-13", "the read part of a pair", silent(get, 5.003, pair(1, 5)), Passed, ""},
		{"BUD-13", "past the read part", silent(get, 6, pair(1, 5)), Failed, "5.997s after it began to wait"},
		{"BUD-13", "another error", about(get, timeout(2)).resolve(0.001, ready(token1)).gets(0.003, token1, "", noAnswer(2, evidence.EndedByClient)).fails(2, evidence.Transport), Failed, "ended as transport"},
		{"BUD-13", "does not fit", about(get, timeout(2)).resolve(0.001, waiting("waking", "60000")).fails(0.003, evidence.NotReady), Passed, ""},
		{"BUD-13", "asked again", twice(get), Observed, "was given up without a whole answer"},
		{"BUD-13", "a cancel", silent(cancel, 30, timeout(2)), "", ""},
		{"BUD-14", "silent", silent(cancel, 2, timeout(2)), Passed, ""},
		{"BUD-14", "too long", silent(cancel, 30, timeout(2)), Failed, "no answer to the cancel of the Task"},
		{"BUD-14", "asked again", twice(cancel), Failed, "a cancel of the Task was given up"},
		{"BUD-14", "a new budget", about(cancel, timeout(2)).resolve(0.001, ready(token1)).gets(1.5, token1, "", status(401, "{}")).resolve(1.503, ready(token2)).
			gets(1.505, token2, "", noAnswer(3.5, evidence.EndedByClient)).fails(3.5, evidence.TimedOut), Failed, "after the 401"},
		{"BUD-14", "a get", silent(get, 30, timeout(2)), "", ""},
		{"BUD-04", "a get by default", silent(get, 900.003), Passed, ""},
		{"BUD-04", "a cancel too short by default", silent(cancel, 60), Failed, "60s after its start"},
		{"BUD-19", "a get behind the end", about(get, timeout(2)).resolve(0.001, ready(token1)).gets(0.003, token1, "", noAnswer(2, evidence.EndedByClient)).fails(2, evidence.TimedOut).
			gets(3, token1, "{}"), Failed, "a get of the Task of the call came 1s after"},
	})
}
