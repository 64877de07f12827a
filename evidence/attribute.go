package evidence

import (
	"net/url"
	"slices"
	"strings"
)

// attribution decides which calls an exchange may belong to. The same function is used while the run goes on, when a
// script asks, and at its end, when the recording is made final.
//
// A call may own an exchange only if it had started when the request arrived. What the request carries counts in
// this order:
//
//  1. The message id of a send: the calls that were given it, and those that a send with it was counted to before. A
//     generated id that is seen for the first time says nothing; it goes where the facts below put it and is
//     remembered. One that a client generates twice goes there too.
//  2. The task id in the path: the calls that were given it.
//  3. The session: that for which the token was handed out, that of the message's contextId, that of the path. A
//     request that speaks of two sessions may belong to a call of either.
//  4. The user and the backend of a platform token; then nothing but time.
//
// Of the calls that a fact leaves, those that were open when the request arrived count; the message id decides even
// against an open call. A weaker fact is asked when a stronger one leaves no open call. When none is left at all the
// request is a late one: it belongs to the call of the strongest fact that ended last. If several calls remain, those
// count that were asked for such a request: a send for a Message, a get or a wait for reading a Task, a cancel for
// cancelling it. If the token was handed out in answers to some clients only, the calls of these clients count.
type attribution struct {
	secrets map[string]Secret
	// sent remembers by message id, got by the name of a runtime token, the calls that used the one and were given
	// the other.
	sent map[string][]int
	got  map[string][]int
}

// facts is what an exchange says about whose it is.
type facts struct {
	messageID string
	context   string
	tokens    []string // names of the secrets in its Authorization lines
	handedOut []string // names of the tokens in its answer
}

func newAttribution() *attribution {
	return &attribution{secrets: map[string]Secret{}, sent: map[string][]int{}, got: map[string][]int{}}
}

// headFacts reads the head of a recorded request.
func headFacts(x *Exchange) facts {
	var f facts
	for name, lines := range x.Request.Header {
		if !strings.EqualFold(name, "Authorization") {
			continue
		}
		for _, line := range lines {
			for _, m := range Mentions([]byte(line)) {
				f.tokens = append(f.tokens, m.Name)
			}
		}
	}
	return f
}

// readBody reads the body of a send.
func (f *facts) readBody(body []byte) {
	v, _ := ReadJSON(body)
	f.messageID, _ = v.Path("message", "messageId").Text()
	f.context, _ = v.Path("message", "contextId").Text()
}

// learn remembers what an exchange of known calls says about later ones.
func (a *attribution) learn(f facts, calls []int) {
	if len(calls) == 0 {
		return
	}
	if f.messageID != "" && a.sent[f.messageID] == nil {
		a.sent[f.messageID] = calls
	}
	for _, name := range f.handedOut {
		for _, number := range calls {
			if !slices.Contains(a.got[name], number) {
				a.got[name] = append(a.got[name], number)
			}
		}
	}
}

// candidates returns the numbers of the calls, in their order.
func (a *attribution) candidates(calls []Call, x *Exchange, f facts) []int {
	began := make([]*Call, 0, len(calls))
	for i := range calls {
		if calls[i].Started <= x.Arrived {
			began = append(began, &calls[i])
		}
	}
	if f.messageID != "" {
		own := only(began, func(c *Call) bool {
			id, ok := c.Input.MessageID.Get()
			return ok && id == f.messageID || slices.Contains(a.sent[f.messageID], c.Number)
		})
		if len(own) > 0 && !a.reused(own, began, x, f) {
			return numbers(latest(own, x.Arrived))
		}
	}
	var strongest []*Call
	for _, fact := range a.groups(began, x, f) {
		if open := openAt(fact, x.Arrived); len(open) > 0 {
			return numbers(a.clients(asked(open, x.Op), began, f))
		}
		if strongest == nil && len(fact) > 0 {
			strongest = fact
		}
	}
	if strongest == nil {
		strongest = began
	}
	return numbers(latest(strongest, x.Arrived))
}

// reused tells whether a message id that was generated for some calls seems to be generated once more for another: a
// call is open to which the rest of the request fits, while those are of other sessions or have ended with a result.
func (a *attribution) reused(owners, calls []*Call, x *Exchange, f facts) bool {
	sessions := a.sessions(calls, x, f)
	fits := func(c *Call) bool { return slices.Contains(sessions, c.Session) }
	others := only(openAt(calls, x.Arrived), func(c *Call) bool { return fits(c) && !slices.Contains(owners, c) })
	return len(others) > 0 && !slices.ContainsFunc(owners, func(c *Call) bool {
		id, given := c.Input.MessageID.Get()
		returned := c.Outcome != nil && c.Outcome.Kind != OutcomeError
		return given && id == f.messageID || fits(c) && !returned
	})
}

// groups lists the calls that each fact leaves, the strongest fact first. Time alone is asked only when no other fact
// knows any call.
func (a *attribution) groups(calls []*Call, x *Exchange, f facts) [][]*Call {
	task := only(calls, func(c *Call) bool {
		id, ok := c.Input.TaskID.Get()
		return ok && id != "" && speaksOf(x.Request.Target, id)
	})
	sessions := a.sessions(calls, x, f)
	session := only(calls, func(c *Call) bool { return slices.Contains(sessions, c.Session) })
	owner := only(calls, func(c *Call) bool { return a.ownedBy(c, f) })
	groups := [][]*Call{task, session}
	if len(task) == 0 && len(session) == 0 {
		groups = append(groups, owner)
		if len(owner) == 0 {
			groups = append(groups, calls)
		}
	}
	return groups
}

// sessions lists the sessions that a request speaks of.
func (a *attribution) sessions(calls []*Call, x *Exchange, f facts) []string {
	var found []string
	for _, name := range f.tokens {
		if s := a.secrets[name].Session; s != "" {
			found = append(found, s)
		}
	}
	if f.context != "" {
		found = append(found, f.context)
	}
	longest := ""
	for _, c := range calls {
		if len(c.Session) > len(longest) && speaksOf(x.Request.Target, c.Session) {
			longest = c.Session
		}
	}
	if longest != "" {
		found = append(found, longest)
	}
	return found
}

// ownedBy tells whether a request's platform token is that of the user and backend of the call.
func (a *attribution) ownedBy(c *Call, f facts) bool {
	for _, name := range f.tokens {
		s, ok := a.secrets[name]
		if ok && s.User == c.User && s.Backend == c.Backend {
			return true
		}
	}
	return false
}

// asked narrows calls to those that were asked for what a request does, where there are any.
func asked(calls []*Call, op Op) []*Call {
	able := map[Op][]CallOp{
		OpSendMessage: {CallSend}, OpGetTask: {CallGetTask, CallWaitTask}, OpCancelTask: {CallCancelTask},
	}[op]
	narrowed := only(calls, func(c *Call) bool { return slices.Contains(able, c.Op) })
	if len(narrowed) == 0 {
		return calls
	}
	return narrowed
}

// clients narrows open calls to those of the clients that were given the token of the request, in whichever call.
func (a *attribution) clients(open, all []*Call, f facts) []*Call {
	if len(open) < 2 {
		return open
	}
	var given []string
	for _, c := range all {
		for _, name := range f.tokens {
			if slices.Contains(a.got[name], c.Number) {
				given = append(given, c.Client)
			}
		}
	}
	narrowed := only(open, func(c *Call) bool { return slices.Contains(given, c.Client) })
	if len(narrowed) == 0 {
		return open
	}
	return narrowed
}

// speaksOf tells whether a request target holds an id, as it is or escaped.
func speaksOf(target, id string) bool {
	return id != "" && (strings.Contains(target, id) || strings.Contains(target, url.PathEscape(id)))
}

func only(calls []*Call, keep func(*Call) bool) []*Call {
	var kept []*Call
	for _, c := range calls {
		if keep(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// openAt keeps the calls that had not ended at t.
func openAt(calls []*Call, t Offset) []*Call {
	return only(calls, func(c *Call) bool { return c.Ended == nil || *c.Ended >= t })
}

// latest keeps the calls that were open at t or, where none was, those that ended last.
func latest(calls []*Call, t Offset) []*Call {
	if open := openAt(calls, t); len(open) > 0 {
		return open
	}
	var last Offset
	for _, c := range calls {
		last = max(last, *c.Ended)
	}
	return only(calls, func(c *Call) bool { return *c.Ended == last })
}

func numbers(calls []*Call) []int {
	found := make([]int, 0, len(calls))
	for _, c := range calls {
		found = append(found, c.Number)
	}
	return found
}
