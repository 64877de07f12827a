package suites

import (
	"encoding/json"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestSameInput(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		edit func(*evidence.Call)
		want bool
	}{
		"the same":            {func(*evidence.Call) {}, true},
		"another id":          {withID("m"), true},
		"another timeout":     {timeout(3), true},
		"another text":        {saying("x"), false},
		"another session":     {onSession("other"), false},
		"another kind":        {ofKind("task"), false},
		"another operation":   {func(c *evidence.Call) { c.Op = evidence.CallGetTask }, false},
		"a strict dictionary": {func(c *evidence.Call) { c.Input.StrictDictionary = evidence.Some(true) }, false},
		"more attempts":       {func(c *evidence.Call) { c.Input.JSONRepairAttempts = evidence.Some(json.Number("3")) }, false},
		"a file":              {func(c *evidence.Call) { c.Files = []evidence.InputFile{{SHA256: "a"}} }, false},
	} {
		calls := newTape().call(0).call(1, tt.edit).view(false).Calls
		if got, back := sameInput(calls[0], calls[1]), sameInput(calls[1], calls[0]); got != tt.want || back != tt.want {
			t.Errorf("%s: the same input: %t, the other way round %t", name, got, back)
		}
	}
}

func TestMessagesOfOtherCalls(t *testing.T) {
	t.Parallel()
	carrying := func(id, text string) func(*evidence.Exchange) {
		return func(x *evidence.Exchange) {
			x.Request.Body = bodyOf(`{"message":{"messageId":"` + id + `","parts":[{"text":"` + text + `"}]}}`)
		}
	}
	partless := func(x *evidence.Exchange) { x.Request.Body = bodyOf(`{"message":{"messageId":"own","parts":[]}}`) }
	sending := func(other []func(*evidence.Call), own []func(*evidence.Call), edit func(*evidence.Exchange)) int {
		c := newTape().call(0, other...).call(0.5, own...).send(1, token1, answered(), edit).view(false).Calls[1]
		return c.foreignMessage(c.Sends[0])
	}
	type edits []func(*evidence.Call)
	late := func(c *evidence.Call) { c.Started = at(1.001) }
	then := func(c *evidence.Call) { c.Started = at(1) }
	following := func(c *evidence.Call) { c.Op = evidence.CallGetTask }
	for name, tt := range map[string]struct {
		other, own edits
		edit       func(*evidence.Exchange)
		want       int
	}{
		"its own":                        {edits{withID("a"), saying("x")}, edits{withID("b"), saying("y")}, carrying("b", "y"), 0},
		"the other's id":                 {edits{withID("a"), saying("x")}, edits{withID("b"), saying("y")}, carrying("a", "y"), 1},
		"the other's text":               {edits{withID("a"), saying("x")}, edits{withID("b"), saying("y")}, carrying("b", "x"), 1},
		"an id that both were given":     {edits{withID("a")}, edits{withID("a")}, carrying("a", "z"), 0},
		"a text that both were given":    {edits{saying("x")}, edits{saying("x")}, carrying("z", "x"), 0},
		"an id that nobody was given":    {edits{saying("x")}, edits{withID("b"), saying("y")}, carrying("", "y"), 0},
		"a text that nobody was given":   {edits{saying("")}, edits{saying("y")}, carrying("b", ""), 0},
		"no part at all":                 {edits{saying("x")}, edits{saying("y")}, partless, 0},
		"of a call that came later":      {edits{withID("a"), late}, edits{withID("b")}, carrying("a", "y"), 0},
		"of a call that began just then": {edits{withID("a"), then}, edits{withID("b")}, carrying("a", "y"), 1},
		"of a call that follows a Task":  {edits{withID("a"), following}, edits{withID("b")}, carrying("a", "y"), 0},
	} {
		if got := sending(tt.other, tt.own, tt.edit); got != tt.want {
			t.Errorf("%s: it carries the message of call %d, want %d", name, got, tt.want)
		}
	}
}

func TestRememberedDiscovery(t *testing.T) {
	t.Parallel()
	told := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, append(edit, ofKind("task"))...).looksUp(0.001, takesTasks()).fails(0.01, evidence.Other)
	}
	asks := func(t *tape, moment float64) bool {
		calls := t.call(moment, ofKind("task")).view(false).Calls
		return calls[1].rememberedAdvert() != nil
	}
	for name, tt := range map[string]struct {
		got, want bool
	}{
		"an earlier call":            {asks(told(), 1), true},
		"begun with its answer":      {asks(told(), receipt), true},
		"begun before its answer":    {asks(told(), 0.002), false},
		"a call of another instance": {asks(told(ofAnother()), 1), false},
		"a call for another session": {asks(told(onSession("other")), 1), false},
		"an answer without Task":     {asks(newTape().call(0, ofKind("task")).looksUp(0.001, profile(`[]`)), 1), false},
		"a call that asked nothing":  {asks(newTape().call(0, ofKind("task")), 1), false},
		"a Message":                  {asks(newTape().call(0).looksUp(0.001, takesTasks()), 1), false},
		"a later call":               {newTape().call(1, ofKind("task")).call(0, ofKind("task")).looksUp(0.001, takesTasks()).view(false).Calls[0].rememberedAdvert() != nil, false},
		"its own discovery":          {newTape().call(0, ofKind("task")).looksUp(0.001, takesTasks(), answerAfter(0)).view(false).Calls[0].rememberedAdvert() != nil, false},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: remembered %t", name, tt.got)
		}
	}
}

func TestGaveUpFreely(t *testing.T) {
	t.Parallel()
	gave := func(edit ...func(*evidence.Call)) *tape {
		return newTape().call(0, append(edit, ofKind("task"))...).looksUpSession(0.001, ofAgent()).fails(0.1, evidence.Other)
	}
	deaf := gave()
	deaf.run.Endpoints[0].Accepts = evidence.AcceptsHang
	nowhere := func(c *evidence.Call) { c.Backend = "nobody" }
	for name, tt := range map[string]struct {
		tape *tape
		want bool
	}{
		"it did":                   {gave(), true},
		"at a platform of no name": {gave(nowhere), true},
		"after a resolve":          {newTape().call(0, ofKind("task")).resolve(0.001, ready(token1)).fails(0.1, evidence.Other), false},
		"it returned something":    {newTape().call(0, ofKind("task")).returns(0.1, answered()), false},
		"it goes on":               {newTape().call(0, ofKind("task")), false},
		"its caller gave up":       {gave(cancelled(0.05)), false},
		"its id is blank":          {gave(withID(" ")), false},
		"its session is no path":   {gave(onSession("a/b")), false},
		"its budget ran out":       {gave(timeout(0.05)), false},
		"its platform is deaf":     {deaf, false},
	} {
		if got := tt.tape.view(false).Calls[0].gaveUpFreely(); got != tt.want {
			t.Errorf("%s: it gave up freely: %t", name, got)
		}
	}
	shared := newTape().call(0).call(0, ofKind("task")).looksUpSession(0.001, ofAgent(), ofCalls(1, 2)).fails(0.1, evidence.Other)
	if shared.view(false).Calls[1].gaveUpFreely() {
		t.Error("a call gave up freely though some request may have been its own")
	}
}

func TestWhoseAgent(t *testing.T) {
	t.Parallel()
	asked := func() *tape { return newTape().call(0, ofKind("task")) }
	other := `{"agent_uid":"another"}`
	prove(t, []proof{
		{"TASK-03", "the session's", asked().looksUpSession(0.001, ofAgent()).looksUp(0.003, takesTasks()).fails(1, evidence.Other), Passed, ""},
		{"TASK-03", "another", asked().looksUpSession(0.001, other).looksUp(0.003, takesTasks()).fails(1, evidence.Other), Failed, "another Agent than the session's"},
		{"TASK-03", "named before it was named anew", asked().looksUpSession(0.001, ofAgent()).looksUpSession(0.003, other).looksUp(0.005, takesTasks()).fails(1, evidence.Other), Passed, ""},
		{"TASK-03", "named too late", asked().looksUpSession(0.001, ofAgent(), answerAfter(0.01)).looksUp(0.003, takesTasks()).fails(1, evidence.Other), Failed, "no answer about the session had named"},
		{"TASK-03", "named by an answer that failed", asked().looksUpSession(0.001, "", status(500, ofAgent())).looksUp(0.003, takesTasks()).fails(1, evidence.Other), Failed, "no answer"},
		{"TASK-03", "named by another request", asked().asks(0.001, evidence.OpWhoAmI, "platform", "GET", "/"+sessionUID, status(200, ofAgent())).
			looksUp(0.003, takesTasks()).fails(1, evidence.Other), Failed, "no answer"},
		{"TASK-03", "named by another session", asked().asks(0.001, evidence.OpGetSession, "platform", "GET", "/api/v1/agent-sessions/x/", status(200, ofAgent())).
			looksUp(0.003, takesTasks()).fails(1, evidence.Other), Failed, "no answer"},
		{"TASK-03", "named to another call", asked().looksUpSession(0.001, ofAgent()).fails(0.01, evidence.Other).call(1, ofKind("task")).looksUp(1.001, takesTasks()).fails(2, evidence.Other), Passed, ""},
		{"TASK-03", "without any", asked().looksUp(0.003, takesTasks()).fails(1, evidence.Other), Failed, "no answer"},
		{"TASK-03", "a uid that is escaped", asked().looksUpSession(0.001, `{"agent_uid":"a b"}`).
			asks(0.003, evidence.OpGetAgent, "platform", "GET", "/api/v1/agents/a%20b/", status(200, takesTasks())).fails(1, evidence.Other), Passed, ""},
		{"TASK-03", "a uid that cannot be read", asked().looksUpSession(0.001, `{"agent_uid":"%zz"}`).
			asks(0.003, evidence.OpGetAgent, "platform", "GET", "/api/v1/agents/%zz/", status(200, takesTasks())).fails(1, evidence.Other), Passed, ""},
	})
}

func TestPathSegments(t *testing.T) {
	t.Parallel()
	odd := func(session, where string) *tape {
		return newTape().call(0, onSession(session)).resolve(0.001, ready(token1), target(where)).fails(0.1, evidence.Other)
	}
	refused := newTape().call(0, onSession("a/b")).fails(0.1, evidence.InvalidArgument)
	prove(t, []proof{
		{"REQ-23", "escaped", odd("a/b", "/api/v1/agent-sessions/a%2Fb/resolve-runtime-access/"), Passed, ""},
		{"REQ-23", "not escaped", odd("a/b", "/api/v1/agent-sessions/a/b/resolve-runtime-access/"), Warned, "went to"},
		{"REQ-23", "at the end", odd("a/b", "/api/v1/agent-sessions"), Warned, "went to"},
		{"REQ-23", "the last segment", odd("a/b", "/api/v1/agent-sessions/a%2Fb"), Passed, ""},
		{"REQ-23", "elsewhere", odd("a/b", "/a%2Fb"), Warned, "went to"},
		{"REQ-23", "escaped wrongly", odd("%zz", "/api/v1/agent-sessions/%zz/resolve"), Warned, "went to"},
		{"REQ-23", "a dot", odd(".", "/api/v1/agent-sessions/./resolve"), Warned, "went to"},
		{"REQ-23", "an escaped dot", odd(".", "/api/v1/agent-sessions/%2E/resolve"), Passed, ""},
		{"REQ-23", "two dots", odd("..", "/api/v1/agent-sessions/../resolve"), Warned, "went to"},
		{"REQ-23", "refused", refused, Passed, ""},
		{"REQ-23", "it goes on", newTape().call(0, onSession("a/b")), "", ""},
		{"REQ-23", "a renewal before a failure", newTape().call(0, onSession("a/b")).renew(0.001).fails(0.1, evidence.Other), "", ""},
		{"REQ-23", "who asks says nothing", newTape().call(0, onSession("a/b")).asks(0.001, evidence.OpWhoAmI, "platform", "GET", "/me"), "", ""},
		{"REQ-23", "a renewal beside", newTape().call(0, onSession("a/b")).renew(0.001), "", ""},
		{"REQ-23", "the Agent has an id of its own", newTape().call(0, onSession("a/b")).looksUp(0.001, takesTasks()), "", ""},
		{"REQ-23", "uncertain whose", newTape().call(0).call(0, onSession("a/b")).resolve(0.001, ready(token1), ofCalls(1, 2)).fails(0.1, evidence.Other), "", ""},
		{"REQ-23", "plain", plain(), "", ""},
	})
}
