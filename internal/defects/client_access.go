package defects

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// access is what an admitting answer of the platform gives.
type access struct {
	rpcURL, token string
	// expires is zero where the answer says nothing about it.
	expires time.Time
	// keep tells that the answer may be used by later calls.
	keep     bool
	received time.Time
}

// resolve asks the platform for access until it admits, ends the matter, or its next direction does not fit the budget
// (ADR, Decision 2 and 3).
func (c *call) resolve(refresh bool) (access, *failure) {
	confirmed := false
	for {
		asked := time.Now()
		r, err := c.askAccess()
		if err != nil {
			return c.unresolved(err)
		}
		answer, ok := objectOf(r.body)
		interaction, has := objectOf(answer["runtime_interaction"])
		if !ok || !has {
			return access{}, fail(evidence.InvalidResponse, "the platform's answer is no access")
		}
		if c.admits(answer, interaction) {
			if !confirmed && c.has("admission-confirmed") {
				confirmed = true
				continue
			}
			return c.admitted(answer, interaction)
		}
		if refresh && c.has("refresh-does-not-wait") {
			return access{}, fail(evidence.Unauthorized, "the access was rejected, and there is no other")
		}
		d := c.read(answer, interaction)
		d.asked, d.later = asked, r.header.Get("Retry-After")
		if err := c.wait(d); err != nil {
			return access{}, err
		}
	}
}

// askAccess asks once.
func (c *call) askAccess() (reply, *failure) {
	r, err := c.ask(c.resolveRequest)
	if c.asksAgain(r, err) {
		r, err = c.exchange(c.resolveRequest())
	}
	if err == nil && (r.status == http.StatusOK || !c.has("status-of-the-resolve-ignored")) {
		err = c.refusal(r)
	}
	return r, err
}

// asksAgain tells whether a resolve that failed is repeated: it is not.
func (c *call) asksAgain(r reply, err *failure) bool {
	switch {
	case err != nil:
		return err.category == evidence.Transport && c.has("resolve-repeated-after-a-reset")
	case r.status == http.StatusServiceUnavailable && c.has("resolve-repeated-on-503"):
		return true
	case r.status == http.StatusTooManyRequests && c.has("resolve-repeated-after-a-pause"):
		return c.pause(2*time.Second) == nil
	}
	return false
}

// unresolved ends a call whose resolve failed.
func (c *call) unresolved(err *failure) (access, *failure) {
	if known := c.known(); known.token != "" && err.category != evidence.TimedOut && c.has("falls-back-to-old-access") {
		return known, nil
	}
	return access{}, err
}

func (c *call) resolveRequest() request {
	segment := url.PathEscape(c.asked.Session)
	if segment != c.asked.Session && c.has("session-uid-not-escaped") {
		segment = c.asked.Session
	}
	r := request{
		op:     evidence.OpResolveAccess,
		target: c.platform.URL + "/api/v1/agent-sessions/" + segment + "/resolve-runtime-access/",
		body:   []byte("{}"),
		header: http.Header{
			"Authorization": {"Bearer " + c.platform.Token}, "Content-Type": {"application/json"}, "Accept": {"application/json"},
		},
	}
	switch known := c.known(); {
	case c.has("resolve-without-the-last-slash"):
		r.target = strings.TrimSuffix(r.target, "/")
	case c.has("resolve-by-get"):
		r.method = http.MethodGet
	case c.has("resolve-at-the-retired-route"):
		r.target = c.platform.URL + "/orm/api/agents/v1/sessions/" + segment + "/resolve_runtime_access/"
	case c.has("text-in-the-resolve"):
		r.body = encoded(map[string]string{"title": c.excerpt()})
	case known.token != "" && c.has("runtime-token-shown-to-the-platform"):
		r.header["X-Runtime-Token"] = []string{known.token}
	}
	return r
}

// admits tells whether an answer admits: can_submit alone says so (ADR, Decision 2).
func (c *call) admits(answer, interaction map[string]json.RawMessage) bool {
	can, ready := string(interaction["can_submit"]), string(answer["is_ready"])
	right := can == "true"
	state, _ := textOf(interaction["state"])
	presence, _ := objectOf(answer["runtime_presence"])
	phase, _ := textOf(presence["phase"])
	_, decided := interaction["can_submit"]
	token := !right && !isNull(answer["token"])
	switch {
	case token && c.op == evidence.OpGetTask && c.has("token-admits-a-get"),
		token && c.op == evidence.OpCancelTask && c.has("token-admits-a-cancel"):
		return true
	case !right && c.op == evidence.OpGetTask && c.has("anything-admits-a-get"),
		!right && c.op == evidence.OpCancelTask && c.has("anything-admits-a-cancel"):
		return true
	case token && c.has("token-admits"),
		!right && state == "ready" && c.has("state-admits"),
		!right && !decided && c.has("absence-admits"),
		!right && decided && can != "false" && can != "null" && can != "0" && c.has("any-value-admits"),
		!right && ready == "true" && c.has("is-ready-admits"),
		!right && phase == "serving" && c.has("serving-admits"),
		can == "1" && c.has("one-admits"):
		return true
	case right && state != "ready" && c.has("only-ready-admits"),
		right && c.transient(state) && c.has("transient-never-admits"),
		right && ready == "false" && c.has("is-ready-decides-too"),
		right && phase == "failed" && c.has("failed-presence-blocks"):
		return false
	}
	return right
}

// admitted reads an answer that admits, and remembers it.
func (c *call) admitted(answer, interaction map[string]json.RawMessage) (access, *failure) {
	a := access{received: time.Now(), keep: true}
	if c.op != evidence.OpSendMessage && string(interaction["can_submit"]) != "true" && isNull(answer["rpc_url"]) && c.known().rpcURL != "" {
		return c.known(), nil // a switch has admitted what the platform does not
	}
	var ok bool
	if a.rpcURL, ok = textOf(answer["rpc_url"]); !ok || !absolute(a.rpcURL) {
		return access{}, fail(evidence.InvalidResponse, "the platform admits and gives no usable rpc_url")
	}
	if a.token, ok = textOf(answer["token"]); !usable(a.token) && (ok || !c.has("sends-without-a-token")) {
		if c.has("admission-kept-without-its-token") {
			c.remember(a)
		}
		return access{}, fail(evidence.InvalidResponse, "the platform admits and gives no usable token")
	}
	if expiry := answer["expires_at"]; !isNull(expiry) {
		written, _ := textOf(expiry)
		a.expires, a.keep = moment(written)
	}
	if err := c.diagnosed(answer, interaction); err != nil {
		return access{}, err
	}
	c.remember(a)
	if c.has("asks-the-runtime-first") {
		_, _ = c.exchange(request{method: http.MethodGet, target: join(a.rpcURL, "/api/a2a/v1/extendedAgentCard"), header: http.Header{
			"Authorization": {"Bearer " + a.token},
		}})
	}
	return a, nil
}

// diagnosed lets members decide that are there to be shown: it does not.
func (c *call) diagnosed(answer, interaction map[string]json.RawMessage) *failure {
	notice, _ := objectOf(interaction["notice"])
	severity, _ := textOf(notice["severity"])
	operation, _ := objectOf(interaction["operation"])
	status, _ := textOf(operation["status"])
	switch {
	case answer["runtime_presence"] == nil && c.has("presence-required"),
		string(answer["runtime_presence"]) == "null" && c.has("null-presence-refused"),
		!isNull(interaction["operation"]) && operation == nil && c.has("operation-of-a-type-required"),
		len(interaction) > 5 && c.has("unknown-member-refused"),
		severity == "error" && c.has("bad-notice-blocks"),
		string(answer["mode"]) == `"unavailable"` && c.has("unavailable-mode-refused"),
		isNull(answer["coding_agent_service_uid"]) && c.has("service-uid-required"),
		status == "failed" && c.has("failed-operation-blocks"):
		return fail(evidence.InvalidResponse, "the platform's answer has not all that is due").in("ready")
	}
	return nil
}

func absolute(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https")) && u.Hostname() != ""
}

// usable tells whether a header can carry a token.
func usable(token string) bool {
	return token != "" && !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

// preliminaries are requests before the first resolve: there are none (ADR, Decision).
func (c *call) preliminaries() *failure {
	session := "/api/v1/agent-sessions/" + url.PathEscape(c.asked.Session) + "/"
	switch {
	case c.has("asks-who-it-is-first"):
		return c.askPlatform("/api/v1/users/me/")
	case c.has("reads-the-session-first"):
		return c.askPlatform(session)
	case c.has("attaches-first"):
		return c.askPlatform("/api/a2a/sessions/" + url.PathEscape(c.asked.Session) + "/runtime")
	case c.has("pauses-before-it-asks"):
		return c.pause(1500 * time.Millisecond)
	}
	return nil
}

// askPlatform makes a GET whose answer does not matter.
func (c *call) askPlatform(path string) *failure {
	_, _ = c.exchange(request{method: http.MethodGet, target: c.platform.URL + path, header: http.Header{
		"Authorization": {"Bearer " + c.platform.Token}, "Accept": {"application/json"},
	}})
	return nil
}
