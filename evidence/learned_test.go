package evidence

import (
	"testing"
	"time"
)

func TestWhatACallSentAndReturnedIsKnown(t *testing.T) {
	t.Parallel()
	rec := NewRecorder("r", ClockVirtual, time.Now(), Tolerance{}, nil)
	first := rec.StartCall(Call{Session: "s", Op: CallSend})
	if got := rec.MessageID(first); got != "" {
		t.Errorf("before any send the id is %q, want none", got)
	}
	x := rec.Arrive(Exchange{Op: OpSendMessage})
	x.BodyRead([]byte(`{"message":{"messageId":"msg-1","contextId":"s"}}`), 50, nil)
	if got := rec.MessageID(first); got != "msg-1" {
		t.Errorf("message id %q, want msg-1", got)
	}
	if got := rec.TaskID(first); got != "" {
		t.Errorf("before the end the task id is %q, want none", got)
	}
	rec.EndCall(first, rec.Now(), nil, Outcome{Kind: OutcomeTask, Task: []byte(`{"id":"task-7"}`)}, nil)
	if got := rec.TaskID(first); got != "task-7" {
		t.Errorf("task id %q, want task-7", got)
	}
	if got := rec.PrintedID(first); got != "" {
		t.Errorf("of a call that was no command the id %q was printed", got)
	}
	rec.EndCall(first, rec.Now(), nil, Outcome{Kind: OutcomePrinted}, &Command{Stderr: Text("message id: msg-2\nmessage id: msg-3\n")})
	if got := rec.PrintedID(first); got != "msg-2" {
		t.Errorf("printed message id %q, want msg-2", got)
	}
	if rec.MessageID(9) != "" || rec.TaskID(9) != "" || rec.PrintedID(9) != "" {
		t.Error("a call that never was has ids")
	}
}
