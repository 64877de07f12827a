package suites

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func req16() Rule {
	return Rule{
		ID: "REQ-16", Level: Must, Sides: []Side{Client}, Section: "Decision 4",
		Obligation: "authorise with the token of the newest admitting answer of its own call, or of cached access when it resolved none, as a Bearer in one Authorization header and nowhere else",
		Cause:      "The client goes on with an older token after it resolved again, sends the platform's token to the runtime, or adds the token in another header or the query.",
		Right:      "The call resolves, is admitted with token 2, and sends Authorization: Bearer token 2.",
		Wrong:      "The call resolves twice and sends with the first token, or repeats the token in a query parameter.",
		Judge: eachSend(func(c *Call, x *Exchange, j *Judgement) {
			if c.followsRedirect(x) {
				return // that it is followed is REQ-20's, and who gets the token REQ-19's
			}
			if grounds := c.grounds(x); len(grounds) > 0 && !c.offeredCredentials(grounds) {
				c.judgeToken(x, grounds, j)
			}
		}),
	}
}

func req22() Rule {
	return Rule{
		ID: "REQ-22", Level: Should, Sides: []Side{Client}, Section: "Decision",
		Obligation: "authorise with the runtime token whatever the surroundings offer instead (credentials inside rpc_url, a netrc file, ambient variables)",
		Cause:      "The HTTP library puts credentials that it finds in a URL or a netrc file over the Authorization header that it was given.",
		Right:      "With a user and a password in rpc_url the send still has Authorization: Bearer with the runtime token.",
		Wrong:      "The send has Authorization: Basic with the user and password of the URL.",
		Judge: eachSend(func(c *Call, x *Exchange, j *Judgement) {
			if grounds := c.grounds(x); len(grounds) > 0 && c.offeredCredentials(grounds) {
				c.judgeToken(x, grounds, j)
			}
		}),
	}
}

// offeredCredentials tells whether something beside the token offered itself: a user name in the rpc_url, a netrc file
// in the command's home, or a variable that names one.
func (c *Call) offeredCredentials(grounds []*Exchange) bool {
	inURL := slices.ContainsFunc(grounds, func(g *Exchange) bool { return addressOf(g.Access().RPCURL.Text).credentials })
	if inURL || c.Command == nil {
		return inURL
	}
	netrc := func(f evidence.LeftFile) bool { return isNetrc(f.Path) }
	return slices.Contains(c.Command.Env, "NETRC") || slices.ContainsFunc(c.Command.Files, netrc)
}

// isNetrc tells whether a file is one in which HTTP libraries look for passwords.
func isNetrc(path string) bool {
	return strings.HasSuffix(path, ".netrc") || strings.HasSuffix(path, "_netrc")
}

// judgeToken compares what authorises a send with the token of the answers that it may rest on.
func (c *Call) judgeToken(x *Exchange, grounds []*Exchange, j *Judgement) {
	var wanted []string
	for _, g := range grounds {
		text, _ := g.Access().Token.Value.Text()
		wanted = append(wanted, strings.TrimSpace(text))
	}
	expected := "one Authorization header: Bearer " + strings.Join(c.Run.tokenNames(wanted), " or ")
	at := append(slices.Clip(grounds), x)
	if fault := c.Run.authorisedWith(x, wanted); fault != "" {
		j.Fail(c.at(x)+" "+fault, expected, at...)
		return
	}
	if place := c.Run.tokenBeside(x); place != "" {
		j.Fail(c.at(x)+" has the runtime token also in "+place, "the token in one Authorization header and nowhere else", x)
		return
	}
	j.Pass()
}

// authorisedWith says what is wrong with the authorisation of a request, empty for nothing.
func (r *Run) authorisedWith(x *Exchange, wanted []string) string {
	values := x.Request.Header.Values("Authorization")
	if len(values) != 1 {
		return fmt.Sprintf("has %d Authorization headers", len(values))
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "is authorised by another scheme than Bearer"
	}
	if token = strings.TrimSpace(token); !slices.Contains(wanted, token) {
		return "is authorised with " + r.tokenNames([]string{token})[0]
	}
	return ""
}

// tokenNames writes tokens for a sentence: by their names, and nothing of one that has none.
func (r *Run) tokenNames(tokens []string) []string {
	names := make([]string, len(tokens))
	for i, t := range tokens {
		names[i] = "a token without a name"
		if _, ok := r.secret(t); ok {
			names[i] = t
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// secret finds a secret of the run by its name.
func (r *Run) secret(name string) (evidence.Secret, bool) {
	i := slices.IndexFunc(r.Secrets, func(s evidence.Secret) bool { return s.Name == name })
	if i < 0 {
		return evidence.Secret{}, false
	}
	return r.Secrets[i], true
}

// mentioned lists the secrets of the run that stand in recorded bytes, in any form.
func (r *Run) mentioned(text []byte) []evidence.Secret {
	var found []evidence.Secret
	for _, m := range evidence.Mentions(text) {
		if s, ok := r.secret(m.Name); ok {
			found = append(found, s)
		}
	}
	return found
}

// tokenBeside names the place of a request, other than its Authorization header, where a runtime token stands.
func (r *Run) tokenBeside(x *Exchange) string {
	runtime := func(s evidence.Secret) bool { return s.Kind == evidence.SecretRuntime }
	for _, p := range placesOf(x) {
		if p.name != "the Authorization header" && slices.ContainsFunc(r.mentioned(p.content), runtime) {
			return p.name
		}
	}
	return ""
}

// place is a part of a request that can carry something.
type place struct {
	name    string
	content []byte
}

// placesOf lists the places of a request, headers in the order of their names.
func placesOf(x *Exchange) []place {
	out := []place{{"the target", []byte(x.Request.Target)}}
	for _, name := range sortedNames(x.Request.Header) {
		out = append(out, place{"the " + name + " header", []byte(strings.Join(x.Request.Header[name], "\n"))})
	}
	return append(out, place{"the body", x.Request.Body.Bytes})
}

func sortedNames(h http.Header) []string {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func req19() Rule {
	return Rule{
		ID: "REQ-19", Level: Must, Sides: []Side{Client}, Section: "Decision", Forbids: true,
		Obligation: "send the runtime token to nobody but the origin of its rpc_url and the platform token to nobody but the platform's origin; a redirect to another origin gets neither, and no body",
		Cause:      "The HTTP library follows redirects and takes the Authorization header along, or one session object with a default header serves both servers.",
		Right:      "After a redirect to another host nothing goes there; the runtime never sees the platform's token.",
		Wrong:      "The request to the redirect's target carries Authorization, or the message's body.",
		Judge: func(c *Call, j *Judgement) {
			exposed := false
			for _, x := range append(slices.Clip(c.Exchanges), c.Maybe...) {
				for _, p := range placesOf(x) {
					for _, s := range c.Run.mentioned(p.content) {
						exposed = true
						if !c.Run.mayKnow(s, x) {
							j.Fail(fmt.Sprintf("%s reached %s in %s of %s", s.Name, x.Origin(), p.name, x.Request.Method+" "+x.Request.Target),
								s.Name+" goes to "+c.Run.owners(s)+" only", x)
						}
					}
				}
				if from := c.redirectedFrom(x); from != nil && from.Origin() != x.Origin() && x.Request.Body.Size > 0 {
					j.Fail(fmt.Sprintf("a redirect to another origin, %s, got a body of %d bytes", x.Origin(), x.Request.Body.Size),
						"no body for a redirect to another origin", from, x)
				}
			}
			if exposed {
				j.Pass()
			}
		},
	}
}

// mayKnow tells whether the server of a request is one that a secret may be shown to.
func (r *Run) mayKnow(s evidence.Secret, x *Exchange) bool {
	if s.Kind != evidence.SecretRuntime {
		e, _ := r.Endpoint(s.Backend)
		other := e.Side == evidence.SidePlatform && e.Name != x.Endpoint
		return x.Side() == evidence.SidePlatform && !other
	}
	origins := r.originsOf(s.Name)
	return len(origins) == 0 || slices.Contains(origins, x.Origin())
}

// originsOf lists the origins of the rpc_urls that a runtime token was handed out with.
func (r *Run) originsOf(token string) []string {
	var out []string
	for _, x := range r.All {
		if x.Op != evidence.OpResolveAccess || x.Access().Token.Name != token {
			continue
		}
		if o := originOf(x.Access().RPCURL.Text); o != "" && !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out
}

// owners says to whom a secret may be shown.
func (r *Run) owners(s evidence.Secret) string {
	if s.Kind == evidence.SecretRuntime {
		return strings.Join(r.originsOf(s.Name), " and ")
	}
	return "the platform"
}
