package defects

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strconv"
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

// direction is what an answer that does not admit tells: how long to wait where the state is transient, else to stop.
type direction struct {
	state  string
	wait   time.Duration
	usable bool
	said   string
}

// resolve asks the platform for access until it admits, ends the matter, or its next direction does not fit the budget
// (ADR, Decision 2 and 3).
func (c *call) resolve() (access, *failure) {
	for {
		reply, err := c.exchange(c.resolveRequest())
		if err == nil {
			err = c.refusal(reply)
		}
		if err != nil {
			return access{}, err
		}
		members, ok := objectOf(reply.body)
		interaction, has := objectOf(members["runtime_interaction"])
		if !ok || !has {
			return access{}, fail(evidence.InvalidResponse, "the platform's answer is no access")
		}
		if string(interaction["can_submit"]) == "true" {
			return c.admitted(members)
		}
		if err := c.wait(c.read(members, interaction)); err != nil {
			return access{}, err
		}
	}
}

func (c *call) resolveRequest() request {
	return request{
		target: c.platform.URL + "/api/v1/agent-sessions/" + url.PathEscape(c.asked.Session) + "/resolve-runtime-access/",
		body:   []byte("{}"), words: true,
		header: http.Header{
			"Authorization": {"Bearer " + c.platform.Token}, "Content-Type": {"application/json"}, "Accept": {"application/json"},
		},
	}
}

// admitted reads an answer that admits, and remembers it.
func (c *call) admitted(members map[string]json.RawMessage) (access, *failure) {
	a := access{received: time.Now(), keep: true}
	var ok bool
	if a.rpcURL, ok = textOf(members["rpc_url"]); !ok || !absolute(a.rpcURL) {
		return access{}, fail(evidence.InvalidResponse, "the platform admits and gives no usable rpc_url")
	}
	if a.token, ok = textOf(members["token"]); !ok || strings.TrimSpace(a.token) == "" || strings.ContainsFunc(a.token, unprintable) {
		return access{}, fail(evidence.InvalidResponse, "the platform admits and gives no usable token")
	}
	if expiry := members["expires_at"]; !isNull(expiry) {
		written, _ := textOf(expiry)
		a.expires, a.keep = moment(written)
	}
	c.remember(a)
	return a, nil
}

// read reads an answer that does not admit.
func (c *call) read(members, interaction map[string]json.RawMessage) direction {
	d := direction{}
	d.state, _ = textOf(interaction["state"])
	if detail, ok := textOf(members["detail"]); ok {
		d.said = detail
	}
	if notice, ok := objectOf(interaction["notice"]); ok {
		title, _ := textOf(notice["title"])
		message, _ := textOf(notice["message"])
		d.said = strings.TrimSpace(title + ": " + message)
	}
	if string(interaction["can_submit"]) == "false" && transient(d.state) {
		d.wait, d.usable = milliseconds(interaction["retry_after_ms"])
	}
	return d
}

// wait waits as the platform directs, or says why not to.
func (c *call) wait(d direction) *failure {
	switch {
	case !transient(d.state):
		return fail(evidence.Blocked, "the runtime takes no messages, it is %q: %s", d.state, d.said).in(d.state)
	case !d.usable:
		return fail(evidence.Blocked, "the runtime is %q and the platform does not say when to ask again: %s", d.state, d.said).in(d.state)
	}
	next := time.Now().Add(d.wait)
	if !next.Before(c.budget.ends) {
		return fail(evidence.NotReady, "the runtime is still %q, and asking again in %s does not fit the timeout: %s", d.state, d.wait, d.said).in(d.state)
	}
	return c.pause(time.Until(next))
}

// pause lets time pass, unless the call ends first.
func (c *call) pause(d time.Duration) *failure {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.ctx.Done():
		return c.broken(c.ctx, c.ctx.Err())
	}
}

func transient(state string) bool {
	switch state {
	case "checking", "starting", "waking", "updating":
		return true
	}
	return false
}

// milliseconds reads a retry_after_ms: a number that is not negative.
func milliseconds(value json.RawMessage) (time.Duration, bool) {
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil || !(n >= 0) || value[0] == '+' {
		return 0, false
	}
	return duration(n / 1000), true
}

// duration turns seconds into a duration; what is too long for one is as good as for ever.
func duration(seconds float64) time.Duration {
	const ever = 100 * 365 * 24 * time.Hour
	if seconds >= ever.Seconds() {
		return ever
	}
	return time.Duration(math.Round(seconds * float64(time.Second)))
}

// moment reads an expiry; one without an offset is in UTC.
func moment(written string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00"} {
		if t, err := time.Parse(layout, written); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func absolute(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https")) && u.Hostname() != ""
}

// join puts a path below an address with one slash between them.
func join(address, path string) string { return strings.TrimRight(address, "/") + path }

func unprintable(r rune) bool { return r <= ' ' || r == 0x7f }
