package suites

import (
	"fmt"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func cache05() Rule {
	return Rule{
		ID: "CACHE-05", Level: Must, Sides: []Side{Client, Command}, Section: "Caching", Forbids: true,
		Obligation: "not use one session's access for another",
		Cause:      "One piece of access is kept for the whole client, and not one for each session.",
		Right:      "After a send to one session the first send to another asks for access of its own.",
		Wrong:      "The first send to another session carries the token of the first session.",
		Judge: func(c *Call, j *Judgement) {
			judgeScope(c, j, "another session's", func(o *Call) bool { return o.Session != c.Session })
		},
	}
}

func cache06() Rule {
	return Rule{
		ID: "CACHE-06", Level: Must, Sides: []Side{Command}, Section: "Caching", Forbids: true,
		Obligation: "not use one user's access for another",
		Cause:      "The key of the cache file is the session alone, and a second user of the same home gets what the first was given.",
		Right:      "A second user of the same home and session asks for access of their own.",
		Wrong:      "The second user's send carries the token that the first user was given.",
		Judge: func(c *Call, j *Judgement) {
			if c.byCommand() {
				judgeScope(c, j, "another user's", func(o *Call) bool { return o.User != c.User })
			}
		},
	}
}

func cache07() Rule {
	return Rule{
		ID: "CACHE-07", Level: Must, Sides: []Side{Command}, Section: "Caching", Forbids: true,
		Obligation: "not use one backend's access for another",
		Cause:      "The key of the cache file does not hold the platform's address.",
		Right:      "The same session uid at a second platform leads to a resolve there.",
		Wrong:      "The send for the second platform carries the token that the first had handed out.",
		Judge: func(c *Call, j *Judgement) {
			if c.byCommand() {
				judgeScope(c, j, "another backend's", func(o *Call) bool { return o.Backend != c.Backend })
			}
		},
	}
}

func cache18() Rule {
	return Rule{
		ID: "CACHE-18", Level: Should, Sides: []Side{Client}, Section: "Caching", Forbids: true, Needs: []string{"per_call_platform"},
		Obligation: "not use one user's or backend's access for another inside one process either",
		Cause:      "One cache serves the whole process, with the session alone as its key.",
		Right:      "A call as another user, or to another backend, asks for access of its own.",
		Wrong:      "A call as another user carries the token that the first user was given.",
		Judge: func(c *Call, j *Judgement) {
			if !c.byCommand() {
				judgeScope(c, j, "another user's or backend's", func(o *Call) bool { return o.User != c.User || o.Backend != c.Backend })
			}
		},
	}
}

// judgeScope judges that a call used no access that only calls of the same instance were given that differ from it: in
// their session, user or backend. It applies where there was such access when the call began.
func judgeScope(c *Call, j *Judgement, whose string, differs func(o *Call) bool) {
	foreign := func(o *Call) bool { return o.Client == c.Client && differs(o) }
	if !c.somethingToBorrow(foreign) {
		return
	}
	used := c.To(evidence.SideRuntime)
	for _, x := range used {
		credential := x.credential()
		if len(c.givenWith(credential, x, c.sharesAccessWith)) > 0 {
			continue
		}
		if given := c.givenWith(credential, x, foreign); len(given) > 0 {
			j.Fail(fmt.Sprintf("the call used %s, which is %s", c.credentialWords(x), whose), "access that was resolved for its own session, user and backend", given[0], x)
			return
		}
	}
	if len(used)+len(c.Resolves) > 0 {
		j.Pass()
	}
}

// somethingToBorrow tells whether a call that whose picks had been given usable access when this one began.
func (c *Call) somethingToBorrow(whose func(*Call) bool) bool {
	for _, o := range c.Run.Calls {
		if !whose(o) {
			continue
		}
		for _, r := range o.Resolves {
			if r.Whole() && r.Access().Usable() && *r.LastBy <= c.Started {
				return true
			}
		}
	}
	return false
}
