package suites

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// Location is where a redirect points, as origin and target; empty for an answer that is no redirect.
func (x *Exchange) Location() string {
	switch x.Status() {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return ""
	}
	to, err := url.Parse(x.Response.Header.Get("Location"))
	base, baseErr := url.Parse(x.URL())
	if err != nil || baseErr != nil || x.Response.Header.Get("Location") == "" {
		return ""
	}
	to = base.ResolveReference(to)
	return originOf(to.String()) + to.RequestURI()
}

// redirectedFrom returns the answer of the call that pointed to where x went, nil where none did.
func (c *Call) redirectedFrom(x *Exchange) *Exchange {
	for _, from := range c.Exchanges {
		if l := from.Location(); l != "" && l == x.URL() && from.Seq < x.Seq && *from.HeadFrom <= x.Arrived {
			return from
		}
	}
	return nil
}

// followsRedirect tells whether the request is one that a redirect of the call asked for.
func (c *Call) followsRedirect(x *Exchange) bool { return c.redirectedFrom(x) != nil }

func req20() Rule {
	return Rule{
		ID: "REQ-20", Level: Must, Sides: []Side{Client}, Section: "Decision", Forbids: true,
		Obligation: "send the message to that URL only: a redirect of the send is not followed, and what lies behind it is never taken for the answer",
		Cause:      "The HTTP library follows redirects by default and turns a POST into a GET; switch that off for requests to the runtime.",
		Right:      "The send is answered 307; the call ends with an error and makes no further request.",
		Wrong:      "The send is answered 302; a GET goes to the Location, and its answer is returned as the Message.",
		Judge: func(c *Call, j *Judgement) {
			for _, x := range c.Exchanges {
				if x.Location() == "" {
					continue
				}
				switch x.Op {
				case evidence.OpSendMessage:
					judgeRedirectedSend(c, x, j)
				case evidence.OpGetTask, evidence.OpCancelTask:
					if c.Done() {
						j.Pass()
					}
					if y := c.followed(x); y != nil {
						j.Warn(fmt.Sprintf("the redirect (%d) of a Task request was followed to %s", x.Status(), y.URL()), "no request to the target of a redirect", x, y)
					}
				default:
				}
			}
		},
	}
}

// followed returns the first request after a redirect that went where it points, or anywhere beside the platform.
func (c *Call) followed(x *Exchange) *Exchange {
	to := x.Location()
	for _, y := range append(slices.Clip(c.Exchanges), c.Maybe...) {
		certain := len(y.Calls) == 1
		if y.Arrived < *x.HeadFrom || y.Seq <= x.Seq {
			continue
		}
		if y.URL() == to || certain && y.Side() == evidence.SideElsewhere {
			return y
		}
	}
	return nil
}

func judgeRedirectedSend(c *Call, x *Exchange, j *Judgement) {
	if y := c.followed(x); y != nil {
		j.Fail(fmt.Sprintf("the redirect (%d) of %s was followed: %s went to %s", x.Status(), c.at(x), y.Request.Method, y.URL()),
			"no request to the target of a redirect", x, y)
		return
	}
	switch {
	case c.Returned():
		j.Fail(fmt.Sprintf("the call returned a result although its send was answered %d", x.Status()), "an error", x)
	case c.Done():
		j.Pass()
	default:
		j.Unclear("the call had not ended when the watching did", x)
	}
}
