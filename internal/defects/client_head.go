package defects

import (
	"net/http"
	"net/url"
	"strings"
)

// sendTarget is where the message goes (ADR, Decision): the platform's address as it is, and a path below it.
func (c *call) sendTarget(held access) string {
	path := "/api/a2a/v1/message:send"
	switch {
	case c.has("path-without-version"):
		path = "/api/a2a/message:send"
	case c.has("path-colon-escaped"):
		path = "/api/a2a/v1/message%3Asend"
	case c.has("path-joined-with-two-slashes"):
		return held.rpcURL + path
	case c.has("path-ends-in-a-slash"):
		path += "/"
	case c.has("token-in-the-query"):
		path += "?access_token=" + held.token
	}
	return join(c.address(held.rpcURL), path)
}

// address is the platform's address, taken as it is (ADR, Decision: opaque).
func (c *call) address(given string) string {
	u, err := url.Parse(given)
	if err != nil {
		return given
	}
	c.memory.mu.Lock()
	defer c.memory.mu.Unlock()
	lower, origin, first := strings.ToLower(given), u.Scheme+"://"+u.Host, c.memory.address
	switch {
	case lower != given && c.has("address-in-lower-case"):
		return lower
	case origin+u.Path != given && c.has("address-unescaped"):
		return origin + u.Path
	case origin != strings.TrimSuffix(given, "/") && c.has("address-without-its-prefix"):
		return origin
	case c.has("address-without-its-port"):
		return u.Scheme + "://" + u.Hostname() + u.EscapedPath()
	case first != given && c.has("address-of-the-first-answer"):
		return first
	}
	return given
}

// dress changes the head of a send.
func (c *call) dress(r *request, held access) {
	h := r.header
	switch {
	case c.has("content-type-json"):
		h["Content-Type"] = []string{"application/json"}
	case c.has("content-type-left-out"):
		delete(h, "Content-Type")
	case c.has("accept-json"):
		h["Accept"] = []string{"application/json"}
	case c.has("accept-anything"):
		h["Accept"] = []string{"*/*"}
	case c.has("extension-left-out"):
		delete(h, "A2A-Extensions")
	case c.has("extension-of-another-version"):
		h["A2A-Extensions"] = []string{"https://mainsequence.ai/a2a/extensions/response-kind/v2"}
	case c.strict() && c.has("extension-replaced-when-strict"):
		h["A2A-Extensions"] = []string{outputContractURI}
	case c.has("text-in-a-header"):
		h["X-Title"] = []string{url.QueryEscape(c.excerpt())}
	case r.again && c.has("second-send-without-extension"):
		delete(h, "A2A-Extensions")
	case r.again && c.has("second-send-without-content-type"):
		delete(h, "Content-Type")
	case r.again && c.has("second-send-accepts-anything"):
		h["Accept"] = []string{"*/*"}
	case c.remembered && c.has("extension-lost-with-remembered-access"):
		delete(h, "A2A-Extensions")
	case c.task() && c.has("task-sent-without-extension"):
		delete(h, "A2A-Extensions")
	case c.task() && c.has("task-sent-as-json"):
		h["Content-Type"] = []string{"application/json"}
	case c.task() && c.has("task-accepts-json"):
		h["Accept"] = []string{"application/json"}
	default:
		c.credentials(h, held)
		c.differ(h)
	}
}

// credentials changes on whose authority a send is made.
func (c *call) credentials(h http.Header, held access) {
	c.memory.mu.Lock()
	first := c.memory.token
	c.memory.mu.Unlock()
	switch {
	case first != held.token && c.has("token-of-the-first-answer"):
		h["Authorization"] = []string{"Bearer " + first}
	case c.has("token-without-bearer"):
		h["Authorization"] = []string{held.token}
	case c.has("token-in-a-second-header"):
		h["X-Access-Token"] = []string{held.token}
	case c.has("authorization-twice"):
		h["Authorization"] = append(h["Authorization"], "Bearer "+held.token)
	case c.has("platform-token-authorises-the-send"):
		h["Authorization"] = []string{"Bearer " + c.platform.Token}
	case c.has("platform-token-shown-to-the-runtime"):
		h["X-Platform-Token"] = []string{c.platform.Token}
	}
	if u, err := url.Parse(held.rpcURL); err == nil && u.User != nil && c.has("credentials-of-the-address-win") {
		delete(h, "Authorization") // the library takes those of the address then
	}
}

// excerpt is the beginning of the text.
func (c *call) excerpt() string {
	runes := []rune(c.asked.Input.Message.Or(""))
	return string(runes[:min(40, len(runes))])
}

// join puts a path below an address with one slash between them.
func join(address, path string) string { return strings.TrimRight(address, "/") + path }
