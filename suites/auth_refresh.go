package suites

import (
	"net/http"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func auth01() Rule {
	return Rule{
		ID: "AUTH-01", Level: Must, Sides: []Side{Client}, Section: "Decision 5",
		Obligation: "on 401 from the runtime resolve afresh and, when admitted within the budget, send once more, in both response kinds",
		Cause:      "A 401 is reported like every other 4xx, or the retry is made with the access that was just rejected.",
		Right:      "send, 401, resolve, send again with the fresh token, 200.",
		Wrong:      "send, 401, and the call ends as unauthorised.",
		Judge:      refreshesOn(http.StatusUnauthorized),
	}
}

func auth02() Rule {
	return Rule{
		ID: "AUTH-02", Level: Must, Sides: []Side{Client}, Section: "Decision 5",
		Obligation: "on 403 from the runtime resolve afresh and, when admitted within the budget, send once more, in both response kinds",
		Cause:      "Only 401 leads to a refresh; a 403 is taken for a final refusal.",
		Right:      "send, 403, resolve, send again with the fresh token, 200.",
		Wrong:      "send, 403, and the call ends as unauthorised.",
		Judge:      refreshesOn(http.StatusForbidden),
	}
}

func auth13() Rule {
	return Rule{
		ID: "AUTH-13", Level: Must, Sides: []Side{Client}, Section: "Decision 5",
		Obligation: "go by the status of 401 and 403, whatever their body is",
		Cause:      "The body of the rejection is decoded first, and one that is HTML, empty or of an unknown shape ends the call.",
		Right:      "send, 401 with an HTML page, resolve, send again.",
		Wrong:      "send, 401 with an HTML page, and the call ends as an invalid answer.",
		Judge: sending(func(c *Call, j *Judgement) {
			if r, ok := c.refresh(); ok && r.rejected.Whole() && !usualRefusal(r.rejected) {
				judgeRefresh(c, j, r)
			}
		}),
	}
}

func auth14() Rule {
	return Rule{
		ID: "AUTH-14", Level: Should, Sides: []Side{Client}, Section: "Decision 5",
		Obligation: "go by the status of 401 and 403 also when the rest of that answer stalls or is cut",
		Cause:      "The whole body of the rejection is read before its status is looked at.",
		Right:      "send, the head of a 401 and nothing more, resolve, send again.",
		Wrong:      "send, the head of a 401 and nothing more, and the call waits until its budget has run out.",
		Judge: sending(func(c *Call, j *Judgement) {
			if r, ok := c.refresh(); ok && !r.rejected.Whole() {
				judgeRefresh(c, j, r)
			}
		}),
	}
}

// usualRefusal tells whether the body of a refusal has one of the documented shapes.
func usualRefusal(x *Exchange) bool {
	body, problems := evidence.ReadJSON(x.Response.Body.Bytes)
	if _, broken := evidence.NotJSON(problems); broken {
		return false
	}
	_, words := body.Member("detail").Text()
	_, code := body.Member("error").Text()
	return words || code || body.Member("error").Kind() == evidence.KindObject
}

// refreshesOn judges the refresh after a rejection with that status. One that the client did not read to its end
// shows the refresh as well; where none came after a cut answer AUTH-14 has the word.
func refreshesOn(status int) func(c *Call, j *Judgement) {
	return sending(func(c *Call, j *Judgement) {
		r, ok := c.refresh()
		if ok && r.rejected.Status() == status && (r.rejected.Whole() || len(r.resolves) > 0) {
			judgeRefresh(c, j, r)
		}
	})
}

func judgeRefresh(c *Call, j *Judgement, r refresh) {
	unasked := len(r.resolves) == 0 || r.send != nil && r.fresh() == nil
	switch {
	case unasked:
		judgeUnasked(c, j, r)
	case r.admitted == nil || r.send != nil:
		j.Pass()
	case c.ended() && c.hadTime(*r.admitted.LastBy) && sound(r.admitted.Access()) && c.Run.reaches(r.admitted) && !c.Ambiguous(c.resultOp()) && c.mayAsk():
		j.Fail("the fresh answer after "+r.rejected.rejection()+" admits, but no second "+opWords(c.resultOp())+" came: "+c.Ending(), "one more "+opWords(c.resultOp()), r.rejected, r.admitted)
	default:
	}
}

// judgeUnasked judges a call that asked for no fresh access after its rejection, or did not await the answer.
func judgeUnasked(c *Call, j *Judgement, r refresh) {
	name := r.rejected.rejection()
	switch {
	case c.Ambiguous(evidence.OpResolveAccess):
		j.Unclear("a resolve after "+name+" may belong to this call or to another", r.rejected)
	case r.send != nil:
		j.Fail("the call sent again after "+name+" without fresh access", "a resolve first, and its answer", r.rejected, r.send)
	case c.ended() && c.hadTime(*r.rejected.HeadBy) && !c.renewalFailed(r.rejected):
		j.Fail(c.Ending()+" after "+name+" without asking for access afresh", "a resolve after "+name, r.rejected)
	default:
	}
}

// hadTime tells whether enough of the budget was left after t to act on it. One that cannot be kept ends at 0.
func (c *Call) hadTime(t evidence.Offset) bool {
	return t.Add(c.grace()+fitMargin) < c.Budget.End
}

// renewalFailed tells whether the client tried to renew its platform token after the rejection, and could not: then
// it had nothing left to resolve with.
func (c *Call) renewalFailed(rejected *Exchange) bool {
	return slices.ContainsFunc(c.After(*rejected.HeadFrom), func(x *Exchange) bool {
		return x.Op == evidence.OpRenewToken && x.Status() != http.StatusOK
	})
}

// reaches tells whether the address that an answer gives is a server of the run that accepts connections.
func (r *Run) reaches(x *Exchange) bool {
	origin := originOf(x.Access().RPCURL.Text)
	return slices.ContainsFunc(r.Endpoints, func(e evidence.Endpoint) bool {
		return e.Origin == origin && e.Accepts == evidence.AcceptsYes
	})
}
