package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestStopOnceAdmitted(t *testing.T) {
	t.Parallel()
	again := func(code int) *tape {
		return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "{}", status(code, "{}")).resolve(0.005, ready(token2)).
			send(0.007, token2, answered()).returns(0.009, answered())
	}
	prove(t, []proof{
		{"FLOW-08", "one resolve", plain(), Passed, ""},
		{"FLOW-08", "confirmed by a second", newTape().call(0).resolve(0.001, ready(token1)).resolve(0.003, ready(token2)).
			send(0.005, token2, answered()).returns(0.007, answered()), Failed, "resolved again 0.000991s after an answer with can_submit true"},
		{"FLOW-08", "after 401", again(401), Passed, ""},
		{"FLOW-08", "after 403", again(403), Passed, ""},
		{"FLOW-08", "after 502", again(502), Failed, "no send was rejected between"},
		{"FLOW-08", "before the rejection was known", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).
			resolve(0.0035, ready(token2)).send(0.007, token2, answered()).returns(0.009, answered()), Failed, "resolved again"},
		{"FLOW-08", "after a refusal", woken(1.502009), Passed, ""},
		{"FLOW-08", "off script", newTape().call(0).resolve(0.001, ready(token1)).resolve(0.003, "", unscripted).fails(0.005, evidence.Other), Failed, "resolved again"},
		{"FLOW-08", "a hang", newTape().call(0).resolve(0.001, ready(token1)), "", ""},
		{"FLOW-08", "two at once are judged elsewhere", newTape().call(0).resolve(0.001, ready(token1)).resolve(0.0015, ready(token1)).fails(0.005, evidence.Other), Passed, ""},
		{"FLOW-17", "one resolve", plain(), Passed, ""},
		{"FLOW-17", "a second resolve is no loop", newTape().call(0).resolve(0.001, ready(token1)).resolve(0.003, stopped("unavailable")).resolve(0.005, waiting("waking", "1")).
			fails(0.007, evidence.Other), Failed, "resolved 2 more times"},
		{"FLOW-17", "ready in a loop", newTape().call(0).resolve(0.001, ready(token1)).resolve(1, ready(token1)).resolve(2, ready(token1)).fails(3, evidence.TimedOut), Failed, "can_submit true"},
		{"FLOW-17", "terminal in a loop", newTape().call(0).resolve(0.001, stopped("unavailable")).resolve(1, stopped("unavailable")).resolve(2, "", unscripted).fails(3, evidence.TimedOut), Failed, "unavailable"},
		{"FLOW-17", "a transient loop is right", newTape().call(0).resolve(0.001, waiting("waking", "0")).resolve(0.003, waiting("waking", "0")).resolve(0.005, waiting("waking", "0")).
			fails(0.007, evidence.NotReady), "", ""},
		{"FLOW-17", "after rejections", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, waiting("waking", "0")).
			resolve(0.007, waiting("waking", "0")).resolve(0.009, ready(token2)).send(0.02, token2, answered()).returns(0.03, answered()), Passed, ""},
		{"FLOW-17", "once more", newTape().call(0).resolve(0.001, stopped("unavailable")).resolve(0.003, "", unscripted).fails(0.005, evidence.Other), "", ""},
	})
}

func TestStopAtTerminal(t *testing.T) {
	t.Parallel()
	stop := func(state string, end float64) *tape {
		return newTape().call(0).resolve(0.001, stopped(state)).fails(end, evidence.Blocked)
	}
	polled := func(state string, edit ...func(*evidence.Exchange)) *tape {
		return newTape().call(0).resolve(0.001, blocked(state, "1000")).resolve(1.002009, ready(token1), edit...).fails(1.1, evidence.Other)
	}
	command := evidence.Subject{Kind: evidence.KindCommand, Command: true}
	prove(t, []proof{
		{"FLOW-09", "stopped", stop("unavailable", 0.003), Passed, ""},
		{"FLOW-09", "resolved again", polled("unavailable"), Failed, `resolved again 1s after a terminal answer ("unavailable")`},
		{"FLOW-09", "resolved again off script", polled("unavailable", unscripted), Failed, "resolved again"},
		{"FLOW-09", "sent", newTape().call(0).resolve(0.001, stopped("update_failed")).send(0.003, token1, answered()).returns(0.005, answered()), Failed, "sent 0.000991s after"},
		{"FLOW-09", "returned something", newTape().call(0).resolve(0.001, stopped("unavailable")).returns(0.005, answered()), Failed, "the call returned a message after"},
		{"FLOW-09", "not at once", stop("unavailable", 5), Failed, "ended only 4.997991s after a terminal answer"},
		{"FLOW-09", "about a second on a real clock", stop("unavailable", 1.01).onClock(), Passed, ""},
		{"FLOW-09", "a command that takes its time", newTape().call(0).resolve(2, stopped("unavailable")).exits(4, 1, "", "").by(command), Passed, ""},
		{"FLOW-09", "a hang", newTape().call(0).resolve(0.001, stopped("unavailable")), "", ""},
		{"FLOW-09", "resolved again in a hang", newTape().call(0).resolve(0.001, stopped("unavailable")).resolve(1, stopped("unavailable")), Failed, "resolved again"},
		{"FLOW-09", "transient", woken(1.502009), "", ""},
		{"FLOW-09", "can_submit null", newTape().call(0).resolve(0.001, swap(stopped("unavailable"), `"can_submit":false`, `"can_submit":null`)).resolve(1, ready(token1)).fails(2, evidence.Other), "", ""},
		{"FLOW-09", "after a rejection", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, stopped("unavailable")).
			fails(0.007, evidence.Blocked), Passed, ""},
		{"FLOW-10", "an unknown state stopped at", stop("hibernating", 0.003), Passed, ""},
		{"FLOW-10", "an unknown state with a direction waited for", polled("hibernating"), Failed, `resolved again 1s after can_submit false in state "hibernating"`},
		{"FLOW-10", "ready without can_submit waited for", polled("ready"), Failed, `"ready"`},
		{"FLOW-10", "a transient state in capitals waited for", polled("WAKING"), Failed, `"WAKING"`},
		{"FLOW-10", "a state that everybody knows", polled("unavailable"), "", ""},
		{"FLOW-10", "transient", woken(1.502009), "", ""},
	})
}

func TestTellsWhy(t *testing.T) {
	t.Parallel()
	noticed := swap(stopped("update_required"), `"notice":null`, `"notice":{"code":"c","severity":"error","title":"canary title","message":"canary message"}`)
	says := func(answer, text string) *tape {
		return newTape().call(0).resolve(0.001, answer).fails(0.003, evidence.Blocked, func(e *evidence.Error) { e.Text = text })
	}
	printed := func(stderr string) *tape { return newTape().call(0).resolve(0.001, noticed).exits(0.1, 1, "", stderr) }
	prove(t, []proof{
		{"FLOW-21", "the title", says(noticed, "blocked: canary title"), Passed, ""},
		{"FLOW-21", "the message", says(noticed, "canary message (update_required)"), Passed, ""},
		{"FLOW-21", "the detail", says(stopped("unavailable"), "canary detail"), Passed, ""},
		{"FLOW-21", "nothing", says(noticed, "blocked"), Warned, "does not tell the user what the platform said"},
		{"FLOW-21", "printed in a frame", printed("│ canary   │\n│ message  │"), Passed, ""},
		{"FLOW-21", "not printed", printed("blocked"), Warned, "does not tell"},
		{"FLOW-21", "nothing to tell", says(swap(stopped("unavailable"), `"canary detail"`, "null"), "blocked"), "", ""},
		{"FLOW-21", "no text at all", says(noticed, ""), "", ""},
		{"FLOW-21", "admitted", plain(), "", ""},
		{"FLOW-21", "went on", newTape().call(0).resolve(0.001, noticed).send(0.003, token1, "{}", status(500, "{}")).fails(0.005, evidence.ServerFailed), "", ""},
	})
}

func TestReportsTerminal(t *testing.T) {
	t.Parallel()
	ends := func(category evidence.Category, text, state string) *tape {
		return newTape().call(0).resolve(0.001, stopped("update_required")).fails(0.003, category, func(e *evidence.Error) {
			e.Text = text
			if state != "" {
				e.State = &state
			}
		})
	}
	prove(t, []proof{
		{"FLOW-27", "blocked with the state", ends(evidence.Blocked, "canary", "update_required"), Passed, ""},
		{"FLOW-27", "not ready with the state in its text", ends(evidence.NotReady, "Update required", ""), Passed, ""},
		{"FLOW-27", "another state", ends(evidence.Blocked, "canary", "unavailable"), Failed, `names no state, the platform had said "update_required"`},
		{"FLOW-27", "the platform's words in place of the state", newTape().call(0).resolve(0.001, swap(stopped("update_required"), `"notice":null`, `"notice":{"code":"c","severity":"error","title":"t","message":"no heron"}`)).
			fails(0.003, evidence.Blocked, func(e *evidence.Error) { e.Text = "blocked: no heron" }), Warned, "names no state"},
		{"FLOW-27", "a timeout", ends(evidence.TimedOut, "update_required", ""), Failed, "ended with timeout"},
		{"FLOW-27", "an invalid answer", ends(evidence.InvalidResponse, "update_required", ""), Failed, "invalid_response"},
		{"FLOW-27", "an untold kind with the state", ends("", "update_required", ""), Passed, ""},
		{"FLOW-27", "printed", newTape().call(0).resolve(0.001, stopped("update_required")).exits(0.1, 1, "", "state: update_required"), Passed, ""},
		{"FLOW-27", "not printed", newTape().call(0).resolve(0.001, stopped("update_required")).exits(0.1, 1, "", "it does not work"), Failed, "names no state"},
		{"FLOW-27", "a blank state", newTape().call(0).resolve(0.001, stopped(" ")).fails(0.1, evidence.Blocked), "", ""},
		{"FLOW-27", "returned something", newTape().call(0).resolve(0.001, stopped("unavailable")).returns(0.1, answered()), "", ""},
		{"FLOW-27", "transient", gaveUp(0.003, "60000", evidence.TimedOut, timeout(10)), "", ""},
		{"FLOW-27", "after two rejections", newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, "", status(401, "")).resolve(0.005, ready(token2)).
			send(0.007, token2, "", status(401, "")).resolve(0.009, stopped("unavailable")).fails(0.02, evidence.Unauthorized), "", ""},
	})
}
