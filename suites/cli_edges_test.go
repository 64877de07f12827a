package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Commands at the edges of their rules, where one condition alone decides.

// unended gives the last call what its command had printed, though it had not ended.
func (t *tape) unended(stderr string) *tape {
	t.last().Command = &evidence.Command{Stderr: evidence.Text(stderr)}
	return t
}

// ofCommand says that a command made the calls.
func (t *tape) ofCommand() *tape {
	return t.by(evidence.Subject{Kind: evidence.KindCommand, Command: true})
}

func TestTheEdgesOfACommandsAnswer(t *testing.T) {
	t.Parallel()
	with := func(parts string, edit ...func(*evidence.Exchange)) *tape {
		return ordered().send(0.003, token1, swap(answered(), `[{"text":"canary answer"}]`, parts), edit...)
	}
	rich := `[{"text":"canary answer"},{"data":{"unit":"EURUSD"}}]`
	shortHelp := func(edit ...func(*evidence.Call)) *tape {
		t := newTape().call(0, edit...).exits(0.01, 0, "Usage", "")
		t.last().Command.Args = []string{"send", "-h"}
		return t
	}
	prove(t, []proof{
		{"CLI-01", "a text with quotes, as it is", with(`[{"text":"she said \"so\""}]`).exits(0.01, 0, `she said "so"`, ""), Passed, ""},
		{"CLI-01", "to be rendered, and nothing printed", with(`[{"text":"**bold**"}]`).exits(0.01, 0, " \n", ""), Failed, "is not on standard output"},
		{"CLI-01", "one text rendered, another lost", with(`[{"text":"**bold**"},{"text":"more words"}]`).exits(0.01, 0, "bold", ""), Failed, `"more words" is not on standard output`},

		{"CLI-08", "help by one letter", shortHelp(), "", ""},
		{"CLI-08", "status 299 and exit 0", ordered().send(0.003, token1, answered(), status(299, answered())).exits(0.01, 0, "x", ""), "", ""},
		{"CLI-08", "status 300 and exit 0", ordered().refusedWith(300).exits(0.01, 0, "", "x"), Failed, "was answered 300"},
		{"CLI-08", "no end is known", ordered().refusedWith(409).unended("x"), "", ""},
		{"CLI-08", "asked what nobody foresaw when it had ended", newTape().call(0).resolve(0.001, stopped("unavailable")).exits(0.01, 0, "", "x").
			resolve(0.02, ready(token1), unscripted), "", ""},

		{"CLI-13", "the get of a Task", about(evidence.CallGetTask).resolve(0.001, stopped("unavailable")).exits(0.01, 1, "x", "x"), "", ""},

		{"CLI-15", "in process", with(rich).returns(0.01, answered()), "", ""},
		{"CLI-15", "an answer of another media type", with(rich, responseHeader("Content-Type", "text/html")).exits(0.01, 0, "canary answer", ""), "", ""},
	})
}

func TestTheEdgesOfACommandsMessageID(t *testing.T) {
	t.Parallel()
	const id = "0f6fb7f4-0000-4000-8000-000000000009"
	refused := func(id string) *tape {
		return ordered().send(0.003, token1, "", status(409, ""), requestBody("msg-1", id)).exits(0.01, 1, "", "message id: "+id)
	}
	blocked := func(first *tape, stderr string) *tape {
		return first.call(1).resolve(1.001, stopped("unavailable")).exits(1.01, 1, "", stderr)
	}
	again := func(first *tape, edit ...func(*evidence.Call)) *tape {
		return first.call(5, edit...).resolve(5.001, ready(token2)).send(5.003, token2, answered()).exits(5.01, 0, answered(), "")
	}
	lost := func(t *tape) *tape {
		return t.resolve(0.005, ready(token1), unscripted).exits(0.01, 1, "", "message id: msg-1")
	}
	prove(t, []proof{
		{"CLI-05", "blank, and no word printed of one", ordered().send(0.003, token1, "", status(409, ""), requestBody("msg-1", " ")).exits(0.01, 1, "", "409"), Inconclusive, ""},
		{"CLI-05", "several of another form than another start named", blocked(refused("msg-1"), "message id: order-17\nmessage id: order-18"), Inconclusive, "cannot be told"},
		{"CLI-05", "a word as long as the id that another start named", blocked(refused("msg-1"), "never ready"), Failed, "was not printed"},
		{"CLI-05", "other letters in the form that another start named", blocked(refused("msg-1"), "repeat it with mid-7"), Inconclusive, "cannot be told"},
		{"CLI-05", "the session, in the form that another start named", blocked(refused(id), "session "+sessionUID+" is blocked"), Failed, "was not printed"},
		{"CLI-05", "another start whose end is not known", blocked(lost(ordered().refusedWith(409)), "never ready"), Inconclusive, "cannot be told"},

		{"CLI-11", "a second send without an id, after a blank one", again(refused(" ")), "", ""},
		{"CLI-11", "a second send that was never made", refused("msg-1").call(5, withID("msg-1")).resolve(5.001, stopped("unavailable")).exits(5.01, 1, "", "x"), "", ""},
		{"CLI-11", "a first send whose end is not known", again(lost(newTape().call(0).resolve(0.001, waiting("waking", "1"))), withID("msg-1")), "", ""},
		{"CLI-11", "in process", begun().refusedWith(409).fails(0.01, evidence.Rejected).call(5, withID("msg-1")).resolve(5.001, ready(token2)).
			send(5.003, token2, answered()).returns(5.01, answered()), "", ""},
	})
}

func TestTheEdgesOfACommandsSend(t *testing.T) {
	t.Parallel()
	drips := func(end float64, edit ...func(*evidence.Call)) *tape {
		return ordered(append(edit, timeout(2))...).send(0.003, token1, "", noAnswer(end, evidence.EndedByClient))
	}
	late := func(end float64) *tape { return drips(end).exits(end, 1, "", "x").onClock() }
	help := drips(9).exits(9, 0, "Usage", "")
	help.last().Command.Args = []string{"send", "--help"}
	prove(t, []proof{
		{"CLI-04", "in process", plain(), "", ""},
		{"CLI-07", "in process", plain(), "", ""},
		{"CLI-07", "no end is known", ordered().refusedWith(409).ofCommand(), "", ""},
		{"CLI-10", "in process", theLimit().limitError(90), "", ""},

		{"CLI-12", "no timeout that can be kept", ordered(timeout(0)).send(0.003, token1, answered()).exits(0.01, 0, answered(), ""), "", ""},
		{"CLI-12", "in process", drips(9).fails(9, evidence.TimedOut), "", ""},
		{"CLI-12", "no end is known", drips(9).unended("x").until(9), "", ""},
		{"CLI-12", "help", help, "", ""},
		// A process has a second to end in, and the clock of these tapes may mislead by 20ms.
		{"CLI-12", "at the end of its second", late(3.001), Passed, ""},
		{"CLI-12", "just behind it", late(3.0015), Inconclusive, "too near to the border"},
		{"CLI-12", "at the end of what the clock may mislead by", late(3.021), Inconclusive, "too near to the border"},
		{"CLI-12", "behind that", late(3.0215), Warned, "with a budget of 2s"},
		{"CLI-12", "half a second late, on virtual time", drips(2.5).exits(2.5, 1, "", "x"), Warned, "with a budget of 2s"},

		{"CLI-14", "in process", ordered().refusedWith(409).fails(0.01, evidence.Rejected, shown("Attach the session before you send.")), "", ""},
	})
}

func TestWhatACallThatDidNotFailShows(t *testing.T) {
	t.Parallel()
	if got := plain().view(false).Calls[0].output(); got != "" {
		t.Errorf("a result is shown as the failure %q", got)
	}
}
