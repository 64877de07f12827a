package suites

import (
	"net/url"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// grounds returns the answers that a send may rest on, those that admit and give a token and an address: the newest that
// admits of its own call or, where the call had certainly resolved none before, those that earlier calls of the same
// instance and session were given. Answers that may belong to this call or to another are among them. Where there are
// such answers, those of other instances are as good when the audience is the same: a client may keep access for a whole
// process. A command is a process of its own, whose memory is its home.
func (c *Call) grounds(send *Exchange) []*Exchange {
	var out []*Exchange
	for _, r := range c.Resolves {
		if r.Before(send) && r.Access().Admits() {
			out = []*Exchange{r}
		}
	}
	out = slices.DeleteFunc(out, func(r *Exchange) bool { return !r.Access().Usable() })
	out = append(out, admitting(c.Maybe, send)...)
	if c.Newest(send) != nil {
		return out
	}
	for _, other := range c.Run.Calls {
		if other.Number != c.Number && other.sharesAccessWith(c) {
			out = append(out, admitting(other.Resolves, send)...)
			out = append(out, admitting(other.Maybe, send)...)
		}
	}
	if len(out) == 0 || c.Command != nil {
		return out
	}
	for _, other := range c.Run.Calls {
		if other.sharesAudienceWith(c) {
			out = append(out, admitting(other.Resolves, send)...)
		}
	}
	return out
}

// mayBeAdmitted tells whether between a refusal and a request came an admission that may be another call's.
func (c *Call) mayBeAdmitted(refusal, x *Exchange) bool {
	return slices.ContainsFunc(admitting(c.Maybe, x), func(r *Exchange) bool { return r.Seq > refusal.Seq })
}

// admitting returns those of the exchanges that admit, give what a send needs and were answered before send arrived.
func admitting(exchanges []*Exchange, send *Exchange) []*Exchange {
	var out []*Exchange
	for _, r := range exchanges {
		if r.Op == evidence.OpResolveAccess && r.Before(send) && r.Access().Usable() {
			out = append(out, r)
		}
	}
	return out
}

// address is an rpc_url taken apart by its spelling alone: it is opaque, so nothing in it is decoded or corrected.
type address struct {
	origin string // scheme://host:port, the port always written
	path   string // as it is spelt, without one slash at its end
	// odd says what is in it that the contract does not speak of: empty for nothing.
	odd string
	// credentials tells that it carries a user name or password.
	credentials bool
}

func addressOf(rpcURL string) address {
	a := address{origin: originOf(rpcURL)}
	_, rest, _ := strings.Cut(rpcURL, "://")
	rest, query, hasQuery := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(rest, "/")
	a.credentials = strings.Contains(authority, "@")
	a.path = strings.TrimSuffix("/"+path, "/")
	switch {
	case hasQuery:
		a.odd = "a query (" + quote(query) + ")"
	case strings.HasSuffix(a.path, "/"):
		a.odd = "several slashes at its end"
	}
	return a
}

// originOf is the origin of a URL, its port always written; empty for what is no absolute URL.
func originOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	host := u.Hostname()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return strings.ToLower(u.Scheme + "://" + host + ":" + port)
}

// URL is where the request went: the origin of the server that was reached, and the target as it was sent.
func (x *Exchange) URL() string { return x.Origin() + x.Request.Target }
