package agreement

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// freedom is something that the contract leaves to a client, and that the two clients make different use of. Each has
// its entry in docs/decisions.md.
type freedom struct {
	what string
	// kinds tells that no more is free than which kind of error there is.
	kinds bool
	// met tells whether a run came to the point at which a client may choose.
	met func(evidence.Run) bool
}

// freedomOf names the freedom that two different runs of a scenario come from; empty for none. The runs may part before
// the one of them meets it, so either counts.
func freedomOf(t *testing.T, one, other evidence.Run) string {
	t.Helper()
	alike := cmp.Equal(story(t, one, false), story(t, other, false))
	for _, f := range freedoms() {
		if f.kinds && !alike {
			continue
		}
		if f.met(one) || f.met(other) {
			return f.what
		}
	}
	return ""
}

func freedoms() []freedom {
	return []freedom{
		{"the kind of error after a redirection", true, answered(func(x *evidence.Exchange) bool { return x.Response.Status/100 == 3 })},
		{"the kind of error where no direction can be followed", true, answered(undirected)},
		{"the kind of error where an answer of the platform is not well-formed", true, answered(malformed)},
		{"whether a direction with a fraction is followed", false, answered(func(x *evidence.Exchange) bool {
			return x.Op == evidence.OpResolveAccess && strings.Contains(evidence.ReadAccess(x).RetryAfter.Value.Brief(), ".")
		})},
		{"whether the rest of a rejection is read", false, answered(func(x *evidence.Exchange) bool {
			rejected := x.Response.Status == http.StatusUnauthorized || x.Response.Status == http.StatusForbidden
			return rejected && x.Response.Fault != ""
		})},
		{"the order of members where a request is not read to its end", false, exchanged(func(x *evidence.Exchange) bool {
			return x.Request.ContentLength > x.Request.Body.Size
		})},
		{"what is made of a success other than 200", false, answered(func(x *evidence.Exchange) bool {
			return x.Response.Status/100 == 2 && x.Response.Status != http.StatusOK
		})},
		{"what is made of a key that stands twice", false, answered(repeats)},
		{"whether a blank message id is replaced or refused", false, called(func(c *evidence.Call) bool {
			id, given := c.Input.MessageID.Get()
			return given && strings.TrimSpace(id) == ""
		})},
		{"whether an id with path characters is escaped or refused", false, called(func(c *evidence.Call) bool {
			return url.PathEscape(c.Session) != c.Session || url.PathEscape(c.Input.TaskID.Or("")) != c.Input.TaskID.Or("")
		})},
		{"what is made of an address with a query", false, answered(func(x *evidence.Exchange) bool {
			a := evidence.ReadAccess(x)
			return strings.Contains(a.RPCURL.Text, "?")
		})},
		{"where a wait ends before its Task", false, called(func(c *evidence.Call) bool { return c.Op == evidence.CallWaitTask })},
	}
}

func answered(met func(*evidence.Exchange) bool) func(evidence.Run) bool {
	return exchanged(func(x *evidence.Exchange) bool { return x.Response != nil && met(x) })
}

func exchanged(met func(*evidence.Exchange) bool) func(evidence.Run) bool {
	return func(run evidence.Run) bool {
		return slices.ContainsFunc(run.Exchanges, func(x evidence.Exchange) bool { return met(&x) })
	}
}

func called(met func(*evidence.Call) bool) func(evidence.Run) bool {
	return func(run evidence.Run) bool {
		return slices.ContainsFunc(run.Calls, func(c evidence.Call) bool { return met(&c) })
	}
}

// undirected tells an answer that neither admits nor says when to ask again, though its state is one that passes.
func undirected(x *evidence.Exchange) bool {
	if x.Op != evidence.OpResolveAccess {
		return false
	}
	a := evidence.ReadAccess(x)
	_, usable := a.Waits()
	state, _ := a.State.Text()
	return !usable && !a.Admits() && slices.Contains([]string{"checking", "starting", "waking", "updating"}, state)
}

// malformed tells an answer of the platform without a state or a decision that could be read.
func malformed(x *evidence.Exchange) bool {
	if x.Op != evidence.OpResolveAccess {
		return false
	}
	a := evidence.ReadAccess(x)
	_, decided := a.CanSubmit.Bool()
	_, named := a.State.Text()
	return !decided || !named
}

// repeats tells a body in which a key stands twice.
func repeats(x *evidence.Exchange) bool {
	_, problems := evidence.ReadJSON(x.Response.Content())
	return slices.ContainsFunc(problems, func(p evidence.Problem) bool { return p.Kind == evidence.ProblemDuplicate })
}
