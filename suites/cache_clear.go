package suites

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func cache01() Rule {
	return Rule{
		ID: "CACHE-01", Level: Observe, Sides: []Side{Client, Command}, Section: "Caching",
		Obligation: "keep access between calls or not; how often a second call resolves while access is valid is noted",
		Cause:      "The contract lets a client keep access, and lets it leave that be.",
		Right:      "The second call sends at once, or resolves once more: both are right.",
		Wrong:      "Nothing here is wrong.",
		Judge: func(c *Call, j *Judgement) {
			k, ok := c.keptAccess()
			if !ok || !c.stillValid(k) || c.rejectedAccess(k.answer) {
				return
			}
			age := inWords(k.decided.Sub(*k.answer.LastBy))
			if k.used != nil {
				j.Observe("the call used the access that an earlier call had resolved "+age+" before", k.answer, k.used)
				return
			}
			n := 0
			for _, r := range c.Resolves {
				if len(c.Sends) == 0 || r.Seq < c.Sends[0].Seq {
					n++
				}
			}
			j.Observe(fmt.Sprintf("the call resolved %s before its send, though an earlier call had been given access %s before", times(n), age), k.answer, k.asked)
		},
	}
}

// times counts in words.
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	default:
		return strconv.Itoa(n) + " times"
	}
}

// stillValid tells whether access is valid by any client's measure: its expiry is far, or it has none and is fresh.
func (c *Call) stillValid(k kept) bool {
	const far, fresh = 5 * time.Minute, 20 * time.Second
	if ends, ok := k.answer.expiry(); ok {
		return ends.Sub(k.decided) > far
	}
	return k.answer.endless() && k.decided.Sub(*k.answer.LastFrom) < fresh
}

func cache08() Rule {
	return Rule{
		ID: "CACHE-08", Level: Must, Sides: []Side{Client, Command}, Section: "Caching", Forbids: true,
		Obligation: "clear access on 401 and 403, in memory and in the file, also when the refresh then fails",
		Cause:      "The entry is overwritten by the fresh access and never cleared, so it stays where no fresh access comes; or only the copy in memory goes.",
		Right:      "send, 401, resolve: terminal. The file no longer holds the token, and the next call resolves.",
		Wrong:      "send, 401, resolve: terminal. The next command sends with the rejected token out of the file.",
		Judge: func(c *Call, j *Judgement) {
			forgetsRejected(c, j)
			if c.Command != nil {
				judgeLeftRejected(c, j)
			}
		},
	}
}

// judgeLeftRejected judges that no file holds a token any more that the runtime rejected in this call.
func judgeLeftRejected(c *Call, j *Judgement) {
	for _, x := range c.To(evidence.SideRuntime) {
		if !x.Rejected() || !c.Done() || !c.leftAlone(x.HeadBy.Add(time.Second)) || c.handedSince(x) {
			continue
		}
		if _, ok := c.Run.secret(x.credential()); !ok {
			continue
		}
		switch file := c.fileWith(x.credential()); {
		case file == "":
			j.Pass()
		case !c.alone(c.Started, *c.Ended):
			j.Unclear("another command wrote the same home meanwhile", x)
		default:
			j.Fail("after "+x.rejection()+" the file "+file+" still held "+x.credential(), "no file with the rejected token", x)
		}
	}
}

// handedSince tells whether the token that a request was rejected with was handed out in the same home again before the
// call ended, or was another session's too: then it may stand in a file.
func (c *Call) handedSince(rejected *Exchange) bool {
	credential := rejected.credential()
	return slices.ContainsFunc(c.Run.All, func(a *Exchange) bool {
		if a.Op != evidence.OpResolveAccess || !a.gives(credential) || *a.LastFrom > *c.Ended {
			return false
		}
		return slices.ContainsFunc(c.Run.Calls, func(o *Call) bool {
			return slices.Contains(a.Calls, o.Number) && o.Client == c.Client &&
				(*a.LastBy >= *rejected.HeadFrom || !o.sharesAccessWith(c))
		})
	})
}

// fileWith is the path of a left file that holds a token, whole or in another form; empty for none.
func (c *Call) fileWith(token string) string {
	for _, f := range c.Command.Files {
		if slices.ContainsFunc(c.Run.mentioned(f.Content), func(s evidence.Secret) bool { return s.Name == token }) {
			return f.Path
		}
	}
	return ""
}

func cache09() Rule {
	return Rule{
		ID: "CACHE-09", Level: Must, Sides: []Side{Client, Command}, Section: "Caching", Forbids: true,
		Obligation: "not send, get or cancel on a cached answer whose can_submit is false",
		Cause:      "A token and an address are kept wherever an answer has them, and the decision that came with them is not.",
		Right:      "An answer with can_submit false is not kept, or the next call asks afresh before it sends.",
		Wrong:      "The next call sends with the token of an answer that said can_submit false.",
		Judge: func(c *Call, j *Judgement) {
			blocked := c.heldBefore()
			if blocked == nil || !blocked.holdsBack() || c.Ambiguous(evidence.OpResolveAccess) {
				return
			}
			switch asked, used := c.firstStep(); {
			case used != nil && len(c.grounds(used)) > 0: // access of another earlier call, whose own decision admits
			case used != nil:
				j.Fail("the call went to the runtime without asking, though the newest answer of an earlier call has "+accessWords(blocked.Access()),
					"a resolve first, or an error", blocked, used)
			case asked != nil || c.Done():
				j.Pass()
			}
		},
	}
}

func cache16() Rule {
	return Rule{
		ID: "CACHE-16", Level: Observe, Sides: []Side{Client, Command}, Section: "Decision 3",
		Obligation: "ask again, wait first or repeat the refusal where an earlier call was blocked; which one is noted",
		Cause:      "The contract does not say what a later call does with a cached blocked answer, as long as it sends nothing on it.",
		Right:      "Each of them.",
		Wrong:      "Nothing here is wrong.",
		Judge: func(c *Call, j *Judgement) {
			blocked := c.heldBefore()
			if blocked == nil || !blocked.holdsBack() || c.Ambiguous(evidence.OpResolveAccess) {
				return
			}
			before := "an earlier call was blocked " + inWords(c.Started.Sub(*blocked.LastBy)) + " before: "
			switch asked, used := c.firstStep(); {
			case asked != nil:
				j.Observe(before+"this one asked again "+inWords(asked.Arrived.Sub(c.Started))+" after its start", blocked, asked)
			case used == nil && c.ended():
				j.Observe(before+c.Ending()+", and asked nothing", blocked)
			}
		},
	}
}
