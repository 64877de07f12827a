package suites

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// mediaType is that of a send and of its answer (ADR, Decision).
const mediaType = "application/a2a+json"

func req12() Rule {
	return Rule{
		ID: "REQ-12", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "POST to exactly {rpc_url}/api/a2a/v1/message:send, joined with one slash whether or not rpc_url ends in one; a path prefix in rpc_url is kept",
		Cause:      "The URL is joined in a way that drops the prefix (resolving against the root) or doubles the slash, or the colon is escaped.",
		Right:      "For rpc_url http://host:1/p/ the send goes to /p/api/a2a/v1/message:send.",
		Wrong:      "For rpc_url http://host:1/p/ the send goes to /api/a2a/v1/message:send, or to /p//api/a2a/v1/message:send.",
		Judge: func(c *Call, j *Judgement) {
			if c.Op != evidence.CallSend {
				return
			}
			for _, x := range c.attempts() {
				judgeTarget(c, x, j)
			}
		},
	}
}

// attempts returns the sends of the call, and the requests that carry a message elsewhere than a server expects one:
// they were meant as sends. Requests that only follow a redirect are left to REQ-20.
func (c *Call) attempts() []*Exchange {
	var out []*Exchange
	for _, x := range c.Exchanges {
		meant := x.Op == evidence.OpUnknown && x.Body().Body.Member("message").Kind() == evidence.KindObject
		if (x.Op == evidence.OpSendMessage || meant) && !c.followsRedirect(x) {
			out = append(out, x)
		}
	}
	return out
}

func judgeTarget(c *Call, x *Exchange, j *Judgement) {
	grounds := c.grounds(x)
	var wanted []string
	for _, g := range grounds {
		a := addressOf(g.Access().RPCURL.Text)
		if a.odd != "" {
			j.Observe(fmt.Sprintf("with an rpc_url that has %s the send went to %s", a.odd, x.Request.Target), g, x)
			return
		}
		wanted = append(wanted, a.origin+a.path+sendPath)
	}
	if len(wanted) == 0 {
		return
	}
	if x.Request.Method == http.MethodPost && slices.Contains(wanted, x.URL()) {
		j.Pass()
		return
	}
	j.Fail(fmt.Sprintf("%s went as %s to %s", c.at(x), x.Request.Method, x.URL()), "POST to "+strings.Join(wanted, " or "), grounds[0], x)
}

func req13() Rule {
	return Rule{
		ID: "REQ-13", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "send Content-Type: application/a2a+json (a charset parameter is noted)",
		Cause:      "A JSON helper of the HTTP library sets application/json, or the header is lost when the request is made again.",
		Right:      "Each send has Content-Type: application/a2a+json.",
		Wrong:      "The send, or only the second one, has Content-Type: application/json.",
		Judge: eachSend(func(c *Call, x *Exchange, j *Judgement) {
			values := x.Request.Header.Values("Content-Type")
			if len(values) != 1 {
				j.Fail(fmt.Sprintf("%s has %d Content-Type headers", c.at(x), len(values)), "Content-Type: "+mediaType, x)
				return
			}
			essence, parameters, more := strings.Cut(values[0], ";")
			switch {
			case !isMediaType(essence):
				j.Fail("Content-Type of "+c.at(x)+" is "+quote(values[0]), "Content-Type: "+mediaType, x)
			case more:
				j.Observe("Content-Type of "+c.at(x)+" has parameters: "+quote(strings.TrimSpace(parameters)), x)
			default:
				j.Pass()
			}
		}),
	}
}

// isMediaType compares with the contract's media type; letter case is free in media types.
func isMediaType(s string) bool { return strings.EqualFold(strings.TrimSpace(s), mediaType) }

func req14() Rule {
	return Rule{
		ID: "REQ-14", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "send Accept: application/a2a+json",
		Cause:      "The header is left to the HTTP library (*/*), or names application/json alone.",
		Right:      "Each send has Accept: application/a2a+json.",
		Wrong:      "The send has Accept: */*, or none.",
		Judge: eachSend(func(c *Call, x *Exchange, j *Judgement) {
			ranges := listed(x.Request.Header.Values("Accept"))
			named := slices.ContainsFunc(ranges, func(r string) bool {
				essence, parameters, _ := strings.Cut(r, ";")
				return isMediaType(essence) && !refusesRange(parameters)
			})
			switch {
			case len(ranges) == 0:
				j.Fail(c.at(x)+" has no Accept header", "Accept: "+mediaType, x)
			case !named:
				j.Fail("Accept of "+c.at(x)+" is "+quote(strings.Join(ranges, ", ")), "Accept: "+mediaType, x)
			case len(ranges) > 1:
				j.Observe("Accept of "+c.at(x)+" names more than the contract's media type: "+quote(strings.Join(ranges, ", ")), x)
			default:
				j.Pass()
			}
		}),
	}
}

// refusesRange tells whether a media range's parameters give it the weight zero.
func refusesRange(parameters string) bool {
	for p := range strings.SplitSeq(strings.ToLower(parameters), ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if name == "q" && strings.Trim(value, "0.") == "" {
			return true
		}
	}
	return false
}

// listed splits header lines that hold comma lists into their elements.
func listed(values []string) []string {
	var out []string
	for _, v := range values {
		for e := range strings.SplitSeq(v, ",") {
			if e = strings.TrimSpace(e); e != "" {
				out = append(out, e)
			}
		}
	}
	return out
}

func req15() Rule {
	return Rule{
		ID: "REQ-15", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "name the response-kind extension URI in A2A-Extensions (comma list or repeated header both count)",
		Cause:      "The header is missing, lost on the second send, or written X-A2A-Extensions.",
		Right:      "Each send names " + evidence.ResponseKindURI + " in A2A-Extensions.",
		Wrong:      "The send has no A2A-Extensions header, or one with the output contract's URI alone.",
		Judge: eachSend(func(c *Call, x *Exchange, j *Judgement) {
			named := listed(x.Request.Header.Values("A2A-Extensions"))
			seen := "names only " + quote(strings.Join(named, ", ")) + " in A2A-Extensions"
			if len(named) == 0 {
				seen = "has no A2A-Extensions header"
			}
			j.Hold(slices.Contains(named, evidence.ResponseKindURI), c.at(x)+" "+seen, "A2A-Extensions names "+evidence.ResponseKindURI, x)
		}),
	}
}

func req18() Rule {
	return Rule{
		ID: "REQ-18", Level: Must, Sides: []Side{Client}, Section: "Decision",
		Obligation: "resolve with POST /api/v1/agent-sessions/{uid}/resolve-runtime-access/, trailing slash included",
		Cause:      "The trailing slash is trimmed by a URL helper, the method is GET, or a retired route is used.",
		Right:      "POST /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/resolve-runtime-access/",
		Wrong:      "POST …/resolve-runtime-access without the slash, or GET.",
		Judge: func(c *Call, j *Judgement) {
			if awkward(c.Session) {
				return // REQ-23
			}
			want := resolvePath(c.Session)
			for _, x := range c.Exchanges {
				if !meantAsResolve(x) || c.followsRedirect(x) { // where a redirect leads, and by which method, is the server's word
					continue
				}
				path, query, _ := strings.Cut(x.Request.Target, "?")
				switch {
				case x.Request.Method != http.MethodPost || path != want:
					j.Fail("the client resolved with "+x.Request.Method+" "+path, "POST "+want, x)
				case query != "":
					j.Observe("the resolve has a query: "+quote(query), x)
				default:
					j.Pass()
				}
			}
		},
	}
}

func resolvePath(session string) string {
	return "/api/v1/agent-sessions/" + session + "/resolve-runtime-access/"
}

// meantAsResolve tells whether a request to the platform asks for access, also by a route that is not the one.
func meantAsResolve(x *Exchange) bool {
	stranger := x.Op == evidence.OpUnknown || x.Op == evidence.OpLegacy
	return x.Op == evidence.OpResolveAccess || stranger && x.Side() == evidence.SidePlatform && strings.Contains(x.Request.Target, "resolve")
}

// awkward tells whether an id does not stand in a path as it is.
func awkward(id string) bool { return url.PathEscape(id) != id || id == "." || id == ".." }

func req23() Rule {
	return Rule{
		ID: "REQ-23", Level: Should, Sides: []Side{Client}, Section: "Decision", Forbids: true,
		Obligation: "keep a session uid or task id with path characters inside its path segment, or refuse it",
		Cause:      "The id is put into the URL by plain text concatenation.",
		Right:      `The session "a/b" is resolved at …/agent-sessions/a%2Fb/resolve-runtime-access/, or refused before any request.`,
		Wrong:      `The session "a/b" is resolved at …/agent-sessions/a/b/resolve-runtime-access/.`,
		Judge: func(c *Call, j *Judgement) {
			if awkward(c.Session) {
				judgeSegment(c, evidence.SidePlatform, "agent-sessions", c.Session, "", j)
			}
			if id := c.Input.TaskID.Or(""); awkward(id) {
				judgeSegment(c, evidence.SideRuntime, "tasks", id, ":cancel", j)
			}
		},
	}
}

// judgeSegment looks at every request of the call to a side: the path segment behind before must be the id, escaped,
// with nothing but suffix after it.
func judgeSegment(c *Call, side evidence.Side, before, id, suffix string, j *Judgement) {
	if c.Failed() && len(c.requests()) == 0 && len(c.Maybe) == 0 {
		j.Pass()
		return
	}
	for _, x := range c.To(side) {
		if x.Op == evidence.OpWhoAmI || x.Op == evidence.OpRenewToken || x.Op == evidence.OpGetAgent {
			continue
		}
		path, _, _ := strings.Cut(x.Request.Target, "?")
		_, after, _ := strings.Cut(path, "/"+before+"/")
		raw, _, _ := strings.Cut(after, "/")
		raw = strings.TrimSuffix(raw, suffix)
		text, _ := url.PathUnescape(raw) // an id that is awkward is not empty
		j.Hold(text == id && raw != "." && raw != "..", fmt.Sprintf("for the id %s the request went to %s", quote(id), x.Request.Target),
			"the id escaped in one path segment, or no request", x)
	}
}
