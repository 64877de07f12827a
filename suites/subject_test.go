package suites

import (
	"encoding/json"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// ended sets how the run of a tape came to rest.
func (t *tape) ended(how evidence.EndKind, text string) *tape {
	t.run.End = evidence.End{How: how, Text: text}
	return t
}

// isAs ends the last call with an outcome of that kind.
func (t *tape) isAs(kind evidence.OutcomeKind, reason string) *tape {
	return t.ends(1, evidence.Outcome{Kind: kind, Reason: reason})
}

func TestEndsWithAnOutcome(t *testing.T) {
	t.Parallel()
	driver := evidence.Subject{Kind: evidence.KindDriver}
	open := func() *tape { return newTape().call(0).resolve(0.001, ready(token1)) }
	prove(t, []proof{
		{"SUBJ-01", "a result", plain(), Passed, ""},
		{"SUBJ-01", "an error", newTape().call(0).fails(1, evidence.Other), Passed, ""},
		{"SUBJ-01", "a crash", newTape().call(0).isAs(evidence.OutcomeCrash, "exit status 139\nstack"), Failed, "the call crashed: exit status 139"},
		{"SUBJ-01", "a hang", open().ended(evidence.EndHang, ""), Failed, "the run ended as hang in this call"},
		{"SUBJ-01", "a deadlock", open().ended(evidence.EndDeadlock, "all goroutines wait"), Failed, "deadlock in this call: all goroutines wait"},
		{"SUBJ-01", "a panic after the last call", plain().ended(evidence.EndPanic, "boom"), Failed, "panic"},
		{"SUBJ-01", "a runaway of a driver", open().ended(evidence.EndRunaway, "10000 requests").by(driver), Failed, "runaway in this call: 10000 requests"},
		{"SUBJ-01", "a runaway in process", open().ended(evidence.EndRunaway, ""), "", ""},
		{"SUBJ-01", "a leak", plain().ended(evidence.EndLeak, ""), Passed, ""},
		{"SUBJ-01", "a call that is not known to have ended", open(), "", ""},
		{"SUBJ-01", "unsupported", newTape().call(0).isAs(evidence.OutcomeUnsupported, ""), "", ""},
	})
}

func TestBadEndIsPutDownToTheOpenCall(t *testing.T) {
	t.Parallel()
	hung := plain().call(1).call(2).resolve(2.001, ready(token1)).returns(2.1, answered()).ended(evidence.EndHang, "")
	got := map[int]Status{}
	for _, c := range hung.judge("SUBJ-01") {
		got[c.Call] = c.Status
	}
	for call, want := range map[int]Status{1: Passed, 2: Failed, 3: Passed} {
		if got[call] != want {
			t.Errorf("call %d is %q, want %q", call, got[call], want)
		}
	}
	leaked := plain().call(1).returns(2.1, answered()).ended(evidence.EndLeak, "goroutine 7")
	checks := leaked.judge("SUBJ-02")
	if len(checks) != 1 || checks[0].Call != 2 || checks[0].Status != Failed {
		t.Errorf("a leak gave %v, want one failure of call 2", checks)
	}
}

func TestLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	prove(t, []proof{
		{"SUBJ-02", "settled", plain(), Passed, ""},
		{"SUBJ-02", "a leak", plain().ended(evidence.EndLeak, "goroutine 7 [select]:\nmain.go"), Failed, "leak in this call: goroutine 7 [select]: main.go"},
		{"SUBJ-02", "two of them", plain().ended(evidence.EndLeak, "these are left:\n2 × [select] a.go\n[sleep] b.go\n"), Failed, "these are left: 2 × [select] a.go; [sleep] b.go"},
		{"SUBJ-02", "a runaway", newTape().call(0).resolve(0.001, ready(token1)).ended(evidence.EndRunaway, ""), Failed, "runaway"},
		{"SUBJ-02", "a hang is judged elsewhere", newTape().call(0).ended(evidence.EndHang, ""), "", ""},
		{"SUBJ-02", "another client in process", plain().by(evidence.Subject{Kind: evidence.KindInProcess}), Passed, ""},
		{"SUBJ-02", "a call that is not known to have ended", newTape().call(0), "", ""},
		{"SUBJ-02", "not in process", plain().by(evidence.Subject{Kind: evidence.KindDriver}), "", ""},
	})
}

// TestAResultThatIsNoObjectIsTheClientsDoing gives a call a result that no answer can have held.
func TestAResultThatIsNoObjectIsTheClientsDoing(t *testing.T) {
	t.Parallel()
	driver := evidence.Subject{Kind: evidence.KindDriver, Capabilities: []string{"send", "task_mode", "timeout_number", "timeout_default"}}
	unsound := swap(answered(), "ROLE_AGENT", "ROLE_USER")
	var proofs []proof
	for _, value := range []string{"[1]", `"canary answer"`, "null", "7", "true", "[]"} {
		message := func(answer string) *tape {
			return newTape().call(0).resolve(0.001, ready(token1)).send(0.003, token1, answer).
				ends(0.005, evidence.Outcome{Kind: evidence.OutcomeMessage, Message: json.RawMessage(value)}).by(driver)
		}
		handed := func() *tape { return taskSend().hands(0.009, value).by(driver) }
		proofs = append(proofs,
			proof{"SUBJ-03", "a Message that is " + value, message(answered()), Passed, ""},
			proof{"RESP-06", "for a sound answer " + value, message(answered()), Failed, "the Message that was returned is not the one that was answered"},
			proof{"RESP-15", "for a sound answer " + value, message(answered()), Failed, "the result is none that an answer"},
			proof{"RESP-01", "for an unsound answer " + value, message(unsound), Failed, "the call returned"},
			proof{"RESP-05", "for an unsound answer " + value, message(unsound), Failed, "was followed by a result"},
			proof{"SUBJ-03", "a Task that is " + value, handed(), Passed, ""},
			proof{"TASK-04", "for a sound Task " + value, handed(), Failed, "id of the Task was answered as"},
		)
	}
	prove(t, proofs)
}

func TestDoesWhatItClaims(t *testing.T) {
	t.Parallel()
	claims := func(names ...string) evidence.Subject {
		return evidence.Subject{Kind: evidence.KindDriver, Capabilities: append(names, "send")}
	}
	cannot := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, edit...).isAs(evidence.OutcomeUnsupported, "cannot be expressed")
	}
	input := func(edit func(in *evidence.Input)) func(*evidence.Call) {
		return func(c *evidence.Call) { edit(&c.Input) }
	}
	strict := input(func(in *evidence.Input) {
		in.StrictDictionary, in.JSONRepairAttempts = evidence.Some(true), evidence.Some(json.Number("2"))
	})
	tooFew := input(func(in *evidence.Input) {
		in.StrictDictionary, in.JSONRepairAttempts = evidence.Some(true), evidence.Some(json.Number("0"))
	})
	task := input(func(in *evidence.Input) { in.ResponseKind = evidence.Some("task") })
	odd := input(func(in *evidence.Input) { in.ResponseKind = evidence.Some("stream") })
	named := input(func(in *evidence.Input) { in.MessageID = evidence.Some("msg-1") })
	blank := input(func(in *evidence.Input) { in.MessageID = evidence.Some(" ") })
	files := func(c *evidence.Call) { c.Files = []evidence.InputFile{{Name: "a.pdf", Readable: true}} }
	get := func(c *evidence.Call) { c.Op = evidence.CallGetTask }
	cancelled := func(c *evidence.Call) { when := at(0.5); c.Cancelled = &when }
	abroad := func() *tape {
		return plain().call(1, timeout(1), func(c *evidence.Call) { c.Backend = "second" }).isAs(evidence.OutcomeUnsupported, "")
	}
	broken := func(t *tape) *tape {
		t.run.Breaches = []evidence.Breach{{Line: `{"id":"c1"}`, Why: "a second answer to a call"}, {Line: "x", Why: "no JSON"}}
		return t
	}
	prove(t, []proof{
		{"SUBJ-03", "works", plain().by(claims("timeout_default")), Passed, ""},
		{"SUBJ-03", "a breach of the protocol", broken(plain()).by(claims("timeout_default")), Failed, `broke its protocol: a second answer to a call ({"id":"c1"})`},
		{"SUBJ-03", "a breach beside an outcome that passes nothing", broken(newTape().call(0)).by(claims("timeout_default")), Failed, "broke its protocol"},
		{"SUBJ-03", "a number claimed", cannot(timeout(5)).by(claims("timeout_number")), Failed, "unsupported: cannot be expressed, and all that it needs is claimed: send, timeout_number"},
		{"SUBJ-03", "a pair not claimed", cannot(pair(5, 5)).by(claims("timeout_number")), "", ""},
		{"SUBJ-03", "a pair claimed", cannot(pair(5, 5)).by(claims("timeout_pair")), Failed, "timeout_pair"},
		{"SUBJ-03", "a timeout that no type holds", cannot(timeout(-1)).by(claims("timeout_number")), "", ""},
		{"SUBJ-03", "strict claimed", cannot(timeout(5), strict).by(claims("timeout_number", "strict_dictionary")), Failed, "strict_dictionary"},
		{"SUBJ-03", "strict with too few attempts", cannot(timeout(5), tooFew).by(claims("timeout_number", "strict_dictionary")), "", ""},
		{"SUBJ-03", "Task mode claimed", cannot(timeout(5), task).by(claims("timeout_number", "task_mode")), Failed, "task_mode"},
		{"SUBJ-03", "an odd kind", cannot(timeout(5), odd).by(claims("timeout_number")), "", ""},
		{"SUBJ-03", "a message id claimed", cannot(timeout(5), named).by(claims("timeout_number", "message_id")), Failed, "message_id"},
		{"SUBJ-03", "a blank message id", cannot(timeout(5), blank).by(claims("timeout_number", "message_id")), "", ""},
		{"SUBJ-03", "files claimed", cannot(timeout(5), files).by(claims("timeout_number", "files")), Failed, "files"},
		{"SUBJ-03", "files not claimed", cannot(timeout(5), files).by(claims("timeout_number")), "", ""},
		{"SUBJ-03", "get claimed", cannot(timeout(5), get).by(claims("timeout_number", "get_task")), Failed, "get_task"},
		{"SUBJ-03", "cancel claimed", cannot(timeout(5), cancelled).by(claims("timeout_number", "cancel")), Failed, "cancel"},
		{"SUBJ-03", "get claimed, by a client that sends nothing", cannot(timeout(5), get).by(evidence.Subject{Kind: evidence.KindDriver, Capabilities: []string{"timeout_number", "get_task"}}), Failed, "get_task"},
		{"SUBJ-03", "no timeout given, and numbers not claimed", cannot().by(claims("timeout_default")), Failed, "timeout_default"},
		{"SUBJ-03", "more attempts than a whole number holds", cannot(timeout(5), strictly("9223372036854775808")).by(claims("timeout_number", "strict_dictionary")), "", ""},
		{"SUBJ-03", "another user not claimed", plain().call(1, timeout(1), ofEve).isAs(evidence.OutcomeUnsupported, "").by(claims("timeout_number")), "", ""},
		{"SUBJ-03", "another platform not claimed", abroad().by(claims("timeout_number")), "", ""},
		{"SUBJ-03", "another platform claimed", abroad().by(claims("timeout_number", "per_call_platform")), Failed, "per_call_platform"},
		{"SUBJ-03", "a crash", newTape().call(0).isAs(evidence.OutcomeCrash, "").by(claims("timeout_default")), "", ""},
		{"SUBJ-03", "a hang", newTape().call(0).by(claims("timeout_default")), "", ""},
		{"SUBJ-03", "a Message without a Message", newTape().call(0).isAs(evidence.OutcomeMessage, "").by(claims()), Failed, "kind message without a Message"},
		{"SUBJ-03", "a Message with a key that stands there twice", newTape().call(0).ends(1, evidence.Outcome{Kind: evidence.OutcomeMessage, Message: json.RawMessage(`{"role":"a","role":"b"}`)}).by(claims("send", "timeout_default")), Passed, ""},
		{"SUBJ-03", "a Task without a Task", newTape().call(0).isAs(evidence.OutcomeTask, ""), Failed, "kind task without a Task"},
		{"SUBJ-03", "a Task that is cut", newTape().call(0).hands(1, `{"id":`), Failed, "without a Task"},
		{"SUBJ-03", "a Message that is cut", newTape().call(0).ends(1, evidence.Outcome{Kind: evidence.OutcomeMessage, Message: json.RawMessage(`{"role":`)}), Failed, "without a Message"},
		{"SUBJ-03", "an error without an error", newTape().call(0).isAs(evidence.OutcomeError, ""), Failed, "without an error"},
	})
}

func TestABreachIsPutDownToTheLastCallAlone(t *testing.T) {
	t.Parallel()
	two := plain().call(2).returns(3, answered()).by(evidence.Subject{Kind: evidence.KindDriver, Capabilities: []string{"send", "timeout_default"}})
	two.run.Breaches = []evidence.Breach{{Line: "x", Why: "no JSON"}}
	got := map[int]Status{}
	for _, c := range two.judge("SUBJ-03") {
		got[c.Call] = c.Status
	}
	for call, want := range map[int]Status{1: Passed, 2: Failed} {
		if got[call] != want {
			t.Errorf("call %d is %q, want %q", call, got[call], want)
		}
	}
}
