package suites

import (
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// unnoted takes away when an answer's last byte went out.
func unnoted(x *evidence.Exchange) { x.LastFrom, x.LastBy = nil, nil }

// Each proof here lies at the edge of a rule about rejections.
func TestEdgesOfARejection(t *testing.T) {
	t.Parallel()
	first := func(edit ...func(*evidence.Call)) *tape {
		return begun(edit...).send(0.003, token1, "", status(401, refusal))
	}
	gaveUp := func(t *tape) *tape { return t.fails(0.02, evidence.Unauthorized) }
	const unasked = "without asking for access afresh"
	late := first(timeout(2)).resolve(0.01, ready(token2)).resolve(1.98, ready(token2)).fails(1.99, evidence.Unauthorized)
	lost := func(edit ...func(*evidence.Call)) *tape { return begun(edit...).send(0.003, token1, "", cut(0)) }
	prove(t, []proof{
		{"AUTH-01", "just time enough to ask", gaveUp(first(timeout(0.0545))), Failed, unasked},
		{"AUTH-01", "just not time enough to ask", gaveUp(first(timeout(0.054009))), "", ""},
		{"AUTH-01", "a timeout that nobody can keep", gaveUp(first(timeout(0))), "", ""},
		{"AUTH-01", "admitted in time, and once more too late", late, Failed, "no second send came"},
		{"AUTH-01", "admitted by an answer whose end was not noted", gaveUp(first().resolve(0.01, ready(token2), unnoted)), Passed, ""},
		{"AUTH-03", "neither received whole, and the same so far", refreshed(rejected(401, refusal, unread(3)), unread(3)), "", ""},
		{"AUTH-09", "admitted afresh, beside an admission that may be another call's", refreshed(first()).call(0).resolve(0.015, ready(token1), ofCalls(1, 2)), "", ""},
		{"AUTH-11", "its own, rejected in the instant of its start", newTape().call(1).send(1, token1, "", status(401, refusal), answerAfter(0)).
			resolve(1.01, ready(token2)).send(1.02, token1, answered()).returns(1.03, answered()), "", ""},

		{"AUTH-12", "a get that sends", lost(func(c *evidence.Call) { c.Op = evidence.CallGetTask }).send(0.5, token1, answered()).fails(0.6, evidence.Other), "", ""},
		{"AUTH-12", "sent again after its caller gave up", lost(cancelled(0.3)).send(0.5, token1, answered()).returns(0.6, answered()), "", ""},
		{"AUTH-12", "Task mode, reset, and later given up and sent again", lost(task).send(0.5, token1, "", hang(1)).send(1.5, token1, answered()).returns(1.6, answered()),
			Failed, "the client had given it up"},
	})
}

// An answer without a token hands no credential out, and an empty one least of all.
func TestWhatAnAnswerGives(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer, credential string
		edit               func(*evidence.Exchange)
		want               bool
	}{
		"its token":                {ready(token1), token1, status(200, ready(token1)), true},
		"another":                  {ready(token1), token2, status(200, ready(token1)), false},
		"nothing":                  {stopped("x"), "", status(200, stopped("x")), false},
		"an answer that broke off": {ready(token1), token1, broken, false},
	} {
		if got := newTape().call(0).resolve(0, tt.answer, tt.edit).view(false).All[0].gives(tt.credential); got != tt.want {
			t.Errorf("%s: it is given: %t", name, got)
		}
	}
}
