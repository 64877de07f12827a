package verdict

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// blockedSend is the recording of a client that sends although its access was not admitted.
func blockedSend() evidence.Run {
	at := func(ms int) *evidence.Offset {
		o := evidence.Offset(time.Duration(ms) * time.Millisecond)
		return &o
	}
	answer := func(op evidence.Op, seq int, target, body string) evidence.Exchange {
		start := 10 * seq
		return evidence.Exchange{
			Seq: seq, Calls: []int{1}, Endpoint: "runtime", Op: op, Scripted: true,
			Arrived: *at(start), BodyRead: at(start), HeadFrom: at(start + 1), HeadBy: at(start + 1),
			LastFrom: at(start + 1), LastBy: at(start + 1), Ended: at(start + 1), EndedBy: evidence.EndedByServer,
			Request: evidence.Request{Method: http.MethodPost, Target: target, Host: "runtime.test", Proto: "HTTP/1.1"},
			Response: &evidence.Response{
				Status: http.StatusOK, Body: evidence.Body{Bytes: []byte(body), Size: int64(len(body))}, Sent: int64(len(body)), Complete: true,
			},
		}
	}
	return evidence.Run{
		ID: "blocked", Clock: evidence.ClockVirtual, ObservedUntil: *at(60_000), End: evidence.End{How: evidence.EndSettled},
		Endpoints: []evidence.Endpoint{{Name: "runtime", Side: evidence.SideRuntime, Origin: "http://runtime.test:80", Accepts: evidence.AcceptsYes}},
		Calls: []evidence.Call{{
			Number: 1, Client: "a", Session: "s-1", Op: evidence.CallSend, Input: evidence.Input{Message: evidence.Some("hello")}, Ended: at(40),
			Outcome: &evidence.Outcome{Kind: evidence.OutcomeMessage, Message: []byte(`{}`)},
		}},
		Exchanges: []evidence.Exchange{
			answer(evidence.OpResolveAccess, 1, "/api/v1/agent-sessions/s-1/resolve-runtime-access/",
				`{"mode":"unavailable","rpc_url":null,"token":null,"runtime_interaction":{"state":"unavailable","can_submit":false}}`),
			answer(evidence.OpSendMessage, 2, "/api/a2a/v1/message:send", `{"message":{}}`),
		},
	}
}

func TestJudgeIsPure(t *testing.T) {
	t.Parallel()
	s := green().session
	runs := []evidence.Run{blockedSend()}
	first, second := Judge(s, runs, Options{}), Judge(s, runs, Options{})
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("two judgings of one recording differ:\n%s", diff)
	}
	if first.Exit != ExitNonConformant {
		t.Errorf("exit %d: %s", first.Exit, first.ExitReason)
	}
	var failed []CheckResult
	for _, c := range first.Results {
		if c.Rule == "FLOW-04" {
			failed = append(failed, c)
		}
	}
	if len(failed) != 1 || failed[0].Status != suites.Failed || failed[0].Repeat != "a2a-conform run FLOW-04 blocked" || failed[0].Cause == "" {
		t.Errorf("the send that was not admitted is judged as %+v", failed)
	}
}
