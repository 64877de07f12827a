package evidence

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	sessionA = "0b2701a1-e777-4cfe-8437-b94025f00069"
	sessionB = "5c5fb9d7-1f43-4a52-9c2e-7f1a5a0a8f11"
	valueA   = "AAAAaaaa1111BBBBbbbb2222CCCCcccc3333DDDD"
	valueB   = "EEEEeeee4444FFFFffff5555GGGGgggg6666HHHH"
)

// scene is a recording by hand: what one case of a table tells the recorder.
type scene struct {
	r *Recorder
}

// call adds a call that is open from started to ended, for ever where ended is zero. It ends with a result.
func (s *scene) call(c Call, started, ended Offset) { s.endsAs(OutcomeMessage, c, started, ended) }

func (s *scene) endsAs(kind OutcomeKind, c Call, started, ended Offset) {
	c.Started = started
	if c.Op == "" {
		c.Op = CallSend
	}
	number := s.r.StartCall(c)
	if ended > 0 {
		s.r.EndCall(number, ended, nil, Outcome{Kind: kind}, nil)
	}
}

func (s *scene) arrive(op Op, at Offset, target, token, body string) *Open {
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	open := s.r.Arrive(Exchange{Op: op, Arrived: at, Request: Request{Target: target, Header: header}})
	open.BodyRead([]byte(body), int64(len(body)), nil)
	return open
}

// resolve is an answer that hands out valueA.
func (s *scene) resolve() *Open {
	const at, session, token = 2, sessionA, valueA
	open := s.arrive(OpResolveAccess, at, "/api/v1/agent-sessions/"+session+"/resolve-runtime-access/", "platform-1", "{}")
	open.Head(200, nil, at, at)
	// In two pieces, and never ended: a client may be faster than the server's own bookkeeping.
	open.Wrote([]byte(`{"token":"`+token[:5]), 15, at, at)
	open.Wrote([]byte(token[5:]+`"}`), 37, at, at)
	return open
}

// send is a message with valueA.
func (s *scene) send(at Offset, id, context string) *Open {
	body := `{"message":{"messageId":"` + id + `","contextId":"` + context + `"}}`
	return s.arrive(OpSendMessage, at, "/p/api/a2a/v1/message:send", valueA, body)
}

func timeZero() time.Time { return time.Unix(0, 0) }

func givenID(id string) Input { return Input{MessageID: Some(id)} }

// ownCalls are two calls that differ in client and session.
func ownCalls() (a, b Call) {
	return Call{Client: "k1", Session: sessionA}, Call{Client: "k2", Session: sessionB}
}

// whoseCase is a case of a table: whose is the exchange that play leaves?
type whoseCase struct {
	play func(*scene) *Open
	want []int
}

// checkAttribution compares with what is wanted as soon as the exchange is there, and again once its run is over.
func checkAttribution(t *testing.T, cases map[string]whoseCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &scene{r: NewRecorder(name, ClockVirtual, timeZero(), Tolerance{}, nil)}
			s.r.AddSecret(Secret{Kind: SecretPlatform}, "platform-1")
			s.r.AddSecret(Secret{Kind: SecretPlatform, User: "ben"}, "platform-ben")
			s.r.AddSecret(Secret{Kind: SecretRuntime, Session: sessionA}, valueA)
			s.r.AddSecret(Secret{Kind: SecretRuntime, Session: sessionB}, valueB)
			open := c.play(s)
			if diff := cmp.Diff(c.want, open.Candidates()); diff != "" {
				t.Errorf("live (-want +got):\n%s", diff)
			}
			run := s.r.Close(End{How: EndSettled}, 100)
			last := run.Exchanges[len(run.Exchanges)-1]
			if diff := cmp.Diff(c.want, last.Calls); diff != "" {
				t.Errorf("at the end (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAttributionByMessageID(t *testing.T) {
	t.Parallel()
	a, b := ownCalls()
	checkAttribution(t, map[string]whoseCase{
		"a caller's message id decides among calls of one session": {func(s *scene) *Open {
			s.call(Call{Session: sessionA, Input: givenID("one")}, 1, 0)
			s.call(Call{Session: sessionA, Input: givenID("two")}, 1, 0)
			return s.send(5, "two", sessionA)
		}, []int{2}},
		"a message id decides against an open call": {func(s *scene) *Open {
			s.call(Call{Session: sessionA, Input: givenID("one")}, 1, 3)
			s.call(a, 4, 0)
			return s.send(5, "one", sessionA)
		}, []int{1}},
		"a generated id is remembered": {func(s *scene) *Open {
			s.endsAs(OutcomeError, a, 1, 3)
			s.send(2, "made", sessionA)
			s.call(a, 4, 0)
			return s.send(5, "made", sessionA)
		}, []int{1}},
		"a generated id comes again after a result": {func(s *scene) *Open {
			s.call(a, 1, 3)
			s.send(2, "made", sessionA)
			s.call(a, 4, 0)
			return s.send(5, "made", sessionA)
		}, []int{2}},
		"a generated id comes again for another session": {func(s *scene) *Open {
			s.call(a, 1, 0)
			s.call(b, 1, 0)
			s.send(2, "made", sessionA)
			return s.arrive(OpSendMessage, 5, "/api/a2a/v1/message:send", "", `{"message":{"messageId":"made","contextId":"`+sessionB+`"}}`)
		}, []int{2}},
		"an id that is given again belongs to the call that is open": {func(s *scene) *Open {
			s.call(a, 1, 3)
			s.send(2, "made", sessionA)
			s.call(Call{Session: sessionA, Input: givenID("made")}, 4, 0)
			return s.send(5, "made", sessionA)
		}, []int{2}},
		"a new id within one call belongs to it all the same": {func(s *scene) *Open {
			s.call(a, 1, 0)
			s.send(2, "made", sessionA)
			return s.send(3, "new", sessionA)
		}, []int{1}},
		"one id given to two open calls is not certain": {func(s *scene) *Open {
			s.call(Call{Session: sessionA, Input: givenID("one")}, 1, 0)
			s.call(Call{Session: sessionA, Input: givenID("one")}, 1, 0)
			return s.send(5, "one", sessionA)
		}, []int{1, 2}},
	})
}

func TestAttributionByTask(t *testing.T) {
	t.Parallel()
	a, b := ownCalls()
	checkAttribution(t, map[string]whoseCase{
		"a task id decides": {func(s *scene) *Open {
			s.call(Call{Session: sessionA, Op: CallGetTask, Input: Input{TaskID: Some("task-1")}}, 1, 0)
			s.call(Call{Session: sessionA, Op: CallGetTask, Input: Input{TaskID: Some("task/2")}}, 1, 0)
			return s.arrive(OpGetTask, 2, "/p/api/a2a/v1/tasks/task%2F2", valueA, "")
		}, []int{2}},
		"a task request of nobody's task goes by its token": {func(s *scene) *Open {
			s.call(a, 1, 0)
			s.call(b, 1, 0)
			return s.arrive(OpGetTask, 2, "/p/api/a2a/v1/tasks/task-9", valueB, "")
		}, []int{2}},
		"a task given to a call that has ended goes to the open one of the session": {func(s *scene) *Open {
			s.call(Call{Session: sessionA, Op: CallGetTask, Input: Input{TaskID: Some("task-1")}}, 1, 2)
			s.call(a, 3, 0)
			return s.arrive(OpGetTask, 4, "/p/api/a2a/v1/tasks/task-1", valueA, "")
		}, []int{2}},
	})
}

func TestAttributionByWhatWasAsked(t *testing.T) {
	t.Parallel()
	together := func(s *scene) {
		s.call(Call{Client: "k1", Session: sessionA, Op: CallWaitTask, Input: Input{TaskID: Some("task-1")}}, 1, 0)
		s.call(Call{Client: "k2", Session: sessionA}, 1, 0)
	}
	checkAttribution(t, map[string]whoseCase{
		"a send is of the call that was to send": {func(s *scene) *Open { together(s); return s.send(3, "m-9", sessionA) }, []int{2}},
		"access may be of either":                {func(s *scene) *Open { together(s); return s.resolve() }, []int{1, 2}},
		"a cancel that nobody asked for is anyone's": {func(s *scene) *Open {
			together(s)
			return s.arrive(OpCancelTask, 3, "/p/api/a2a/v1/tasks/t:cancel", valueA, "")
		}, []int{1, 2}},
	})
}

func TestAttributionBySession(t *testing.T) {
	t.Parallel()
	a, b := ownCalls()
	checkAttribution(t, map[string]whoseCase{
		"the session in the path decides": {func(s *scene) *Open {
			s.call(a, 1, 0)
			s.call(b, 1, 0)
			return s.arrive(OpGetSession, 2, "/api/v1/agent-sessions/"+sessionB+"/", "platform-1", "")
		}, []int{2}},
		"the longest session in the path decides": {func(s *scene) *Open {
			s.call(Call{Session: "abc"}, 1, 0)
			s.call(Call{Session: "abcdef"}, 1, 0)
			return s.arrive(OpGetSession, 2, "/api/v1/agent-sessions/abcdef/", "", "")
		}, []int{2}},
		"two sessions in one request, both open": {func(s *scene) *Open {
			s.call(a, 1, 0)
			s.call(b, 1, 0)
			return s.send(4, "made", sessionB)
		}, []int{1, 2}},
	})
}

func TestAttributionByToken(t *testing.T) {
	t.Parallel()
	a, b := ownCalls()
	checkAttribution(t, map[string]whoseCase{
		"the token decides for a send without a context": {func(s *scene) *Open {
			s.call(a, 1, 0)
			s.call(b, 1, 0)
			return s.arrive(OpSendMessage, 2, "/p/api/a2a/v1/message:send", valueB, "not JSON")
		}, []int{2}},
		"another session's token on an open call's message": {func(s *scene) *Open {
			s.call(a, 1, 2)
			s.call(b, 3, 0)
			return s.send(4, "made", sessionB)
		}, []int{2}},
		"among calls of a session those of the client that got the token": {func(s *scene) *Open {
			s.call(a, 1, 0)
			s.resolve()
			s.call(Call{Client: "k9", Session: sessionA}, 3, 0)
			return s.send(4, "made", sessionA)
		}, []int{1}},
		"calls of one client share what one of them got": {func(s *scene) *Open {
			s.call(a, 1, 0)
			s.resolve()
			s.call(a, 3, 0)
			return s.send(4, "made", sessionA)
		}, []int{1, 2}},
		"a token got by an ended call of the client": {func(s *scene) *Open {
			s.call(a, 1, 3)
			s.resolve()
			s.call(a, 4, 0)
			s.call(Call{Client: "k9", Session: sessionA}, 4, 0)
			return s.send(5, "made", sessionA)
		}, []int{2}},
		"a platform token decides by its user": {func(s *scene) *Open {
			s.call(Call{Session: sessionA, User: "anna"}, 1, 0)
			s.call(Call{Session: sessionB, User: "ben"}, 1, 0)
			return s.arrive(OpGetAgent, 2, "/api/v1/agents/x/", "platform-ben", "")
		}, []int{2}},
	})
}

func TestAttributionByTime(t *testing.T) {
	t.Parallel()
	a, b := ownCalls()
	checkAttribution(t, map[string]whoseCase{
		"a late request belongs to the call that ended last": {func(s *scene) *Open {
			s.call(a, 1, 2)
			s.call(a, 3, 4)
			s.call(b, 5, 0)
			return s.arrive(OpResolveAccess, 6, "/api/v1/agent-sessions/"+sessionA+"/resolve-runtime-access/", "platform-1", "")
		}, []int{2}},
		"at the moment of its end a call is open": {func(s *scene) *Open {
			s.call(a, 1, 2)
			s.call(a, 3, 4)
			return s.send(4, "made", sessionA)
		}, []int{2}},
		"a call that starts later owns nothing": {func(s *scene) *Open {
			s.call(a, 1, 2)
			s.call(a, 9, 0)
			return s.send(5, "made", sessionA)
		}, []int{1}},
		"time decides when nothing else does": {func(s *scene) *Open {
			s.call(Call{Session: sessionA, User: "anna"}, 1, 2)
			s.call(Call{Session: sessionB, User: "carl"}, 3, 0)
			return s.arrive(OpWhoAmI, 4, "/api/v1/users/me/", "foreign", "")
		}, []int{2}},
		"time decides for a late one too": {func(s *scene) *Open {
			s.call(a, 1, 2)
			s.call(b, 3, 4)
			return s.arrive(OpRenewToken, 5, "/auth/jwt-token/token/refresh/", "", "")
		}, []int{2}},
		"before any call": {func(s *scene) *Open {
			s.call(a, 5, 0)
			return s.arrive(OpWhoAmI, 1, "/api/v1/users/me/", "", "")
		}, []int{}},
	})
}

func TestATokenIsTracedWhateverTheOrderOfItsBytes(t *testing.T) {
	t.Parallel()
	s := &scene{r: NewRecorder("x", ClockVirtual, timeZero(), Tolerance{}, nil)}
	s.r.AddSecret(Secret{Kind: SecretRuntime, Session: sessionA}, valueA)
	s.call(Call{Client: "k1", Session: sessionA}, 1, 0)
	open := s.resolve()
	open.Wrote([]byte(valueA), 40, 3, 3)
	if diff := cmp.Diff([]string{"‹runtime-token:1›"}, open.facts.handedOut); diff != "" {
		t.Error(diff)
	}
}
