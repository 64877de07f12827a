package defects

import (
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// direction is what an answer that does not admit tells: how long to wait where the state is transient, else to stop.
type direction struct {
	state  string
	wait   time.Duration
	usable bool
	said   string
	// asked is when the resolve began, later what a Retry-After header says.
	asked time.Time
	later string
}

// read reads an answer that does not admit.
func (c *call) read(answer, interaction map[string]json.RawMessage) direction {
	var d direction
	c.keepBlocked(answer)
	d.state, _ = textOf(interaction["state"])
	d.said, _ = textOf(answer["detail"])
	if notice, ok := objectOf(interaction["notice"]); ok {
		title, _ := textOf(notice["title"])
		message, _ := textOf(notice["message"])
		d.said = strings.TrimSpace(title + ": " + message)
	}
	if string(interaction["can_submit"]) == "false" {
		d.wait, d.usable = c.milliseconds(interaction["retry_after_ms"])
	}
	if early, ok := textOf(answer["rpc_url"]); ok && c.has("connects-early") {
		c.connect(early)
	}
	return d
}

// timerReach is how far a timer goes that counts milliseconds in 32 bits, as those of some languages do.
const timerReach = math.MaxInt32 * time.Millisecond

// connect opens a connection to have it warm.
func (c *call) connect(address string) {
	u, err := url.Parse(address)
	if err != nil {
		return
	}
	host := u.Host
	if u.Port() == "" {
		host += ":80"
	}
	if conn, err := c.env.Dial(c.ctx, "tcp", host); err == nil {
		_ = conn.Close()
	}
}

// wait waits as the platform directs, or says why not to.
func (c *call) wait(d direction) *failure {
	if c.transient(d.state) && c.hurries() {
		return c.notReady(d)
	}
	switch {
	case !c.transient(d.state):
		if c.awaited(d) {
			return nil
		}
		return c.blocked(d)
	case !d.usable:
		return c.undirected(d)
	case c.waits > 0 && c.has("waits-once"), c.waits == 5 && c.has("waits-five-times"):
		return c.notReady(d)
	}
	c.waits++
	if c.waits == 1 {
		c.directed = d.wait
	}
	next := c.next(d)
	if !next.Before(c.budget.ends) || c.reserves(d, next) {
		return c.tooLate(d)
	}
	if c.has("asks-a-little-late") {
		next = next.Add(min(200*time.Millisecond, c.budget.ends.Sub(next)/2))
	}
	return c.pause(time.Until(next))
}

// hurries tells whether a call does not wait at all: it does, whatever it is for.
func (c *call) hurries() bool {
	return c.op == evidence.OpGetTask && c.has("get-does-not-wait") || c.op == evidence.OpCancelTask && c.has("cancel-does-not-wait")
}

// keepBlocked remembers the access in an answer that does not admit: it does not.
func (c *call) keepBlocked(answer map[string]json.RawMessage) {
	token, _ := textOf(answer["token"])
	address, _ := textOf(answer["rpc_url"])
	if usable(token) && absolute(address) && c.has("access-kept-without-its-decision") {
		c.remember(access{rpcURL: address, token: token, received: time.Now(), keep: true})
	}
}

// next is when to ask again: the direction counts from the end of the answer.
func (c *call) next(d direction) time.Time {
	now := time.Now()
	switch {
	case c.op != evidence.OpSendMessage && c.has("get-waits-three-times-as-long"):
		return now.Add(d.wait * 3)
	case c.op != evidence.OpSendMessage && c.has("get-asks-early"):
		return now.Add(d.wait / 2)
	case c.has("waits-from-the-question"):
		return d.asked.Add(d.wait)
	case c.has("asks-a-millisecond-early"):
		return now.Add(d.wait - time.Millisecond)
	case c.has("asks-after-nine-tenths"):
		return now.Add(d.wait * 9 / 10)
	case d.wait > 30*time.Second && c.has("waits-at-most-30-s"):
		return now.Add(30 * time.Second)
	case d.wait > timerReach && c.has("waits-beyond-a-timer-end-at-once"):
		return now
	case c.has("waits-for-half-a-second"):
		return now.Add(500 * time.Millisecond)
	case c.has("first-direction-kept"):
		return now.Add(c.directed)
	case c.has("waits-two-seconds-longer"):
		return now.Add(d.wait + 2*time.Second)
	case c.has("waits-twice-as-long"):
		return now.Add(d.wait * 2)
	case c.has("backs-off"):
		return now.Add(d.wait << min(c.waits-1, 10))
	case c.has("waits-for-seconds-at-least"):
		return now.Add(max(d.wait, 5*time.Second))
	case c.has("direction-in-seconds"):
		return now.Add(min(d.wait, 1000*time.Hour) * 1000)
	}
	return now.Add(d.wait)
}

// reserves tells whether a wait that fits is refused all the same: none is.
func (c *call) reserves(d direction, next time.Time) bool {
	spare := c.budget.ends.Sub(next)
	switch {
	case c.has("keeps-ten-milliseconds-in-reserve"):
		return spare < 10*time.Millisecond
	case c.has("keeps-a-second-in-reserve"):
		return spare < time.Second
	case c.has("keeps-half-of-the-budget"):
		return spare < c.budget.ends.Sub(c.budget.began)/2
	case c.has("adds-up-a-second-round"):
		return spare < d.wait
	}
	return false
}

// tooLate ends a call whose next direction does not fit: at once, as not ready (ADR, Decision 3).
func (c *call) tooLate(d direction) *failure {
	switch {
	case c.op == evidence.OpGetTask && c.has("get-not-ready-as-a-timeout"),
		c.op == evidence.OpCancelTask && c.has("cancel-not-ready-as-a-timeout"):
		return fail(evidence.TimedOut, "the runtime did not become ready in time").in(d.state)
	case c.op != evidence.OpSendMessage && c.has("get-sleeps-out-the-budget"):
		_ = c.pause(time.Until(c.budget.ends.Add(-time.Millisecond)))
	case c.next(d).Sub(c.budget.ends) < 10*time.Millisecond && c.has("overlooks-ten-milliseconds"):
		return c.pause(d.wait)
	case c.has("sleeps-out-the-budget"):
		_ = c.pause(time.Until(c.budget.ends.Add(-time.Millisecond)))
	case c.has("budget-runs-out-in-the-wait"):
		return c.pause(time.Until(c.budget.ends) + time.Second)
	case c.has("asks-once-more-at-the-end"):
		_, _ = c.askAccess()
	case c.has("not-ready-as-a-timeout"):
		return fail(evidence.TimedOut, "the runtime did not become ready in time").in(d.state)
	case c.has("not-ready-as-blocked"):
		return c.blocked(d)
	}
	return c.notReady(d)
}

func (c *call) notReady(d direction) *failure {
	return fail(evidence.NotReady, "the runtime is still %q, and asking again in %s does not fit the timeout: %s", d.state, d.wait, d.said).in(d.state)
}

// undirected ends a call that is to wait and not told how long.
func (c *call) undirected(d direction) *failure {
	seconds, err := strconv.ParseFloat(d.later, 64)
	switch {
	case c.has("own-cadence-when-undirected"):
		return c.pause(2 * time.Second)
	case c.waits > 0 && c.has("earlier-direction-kept"):
		return c.pause(c.directed)
	case err == nil && c.has("retry-after-obeyed"):
		return c.pause(duration(seconds))
	}
	f := fail(evidence.Blocked, "the runtime is %q and the platform does not say when to ask again: %s", d.state, d.said).in(d.state)
	if c.has("undirected-as-an-invalid-answer") {
		f.category = evidence.InvalidResponse
	}
	return f
}

// awaited tells whether to wait in a state that is not transient: in none.
func (c *call) awaited(d direction) bool {
	switch {
	case c.waits < 1 && c.has("terminal-asked-again-once"):
		c.waits++
		return c.pause(2*time.Second) == nil
	case c.has("terminal-polled"):
		return c.pause(2*time.Second) == nil
	case d.state == "ready" && c.has("ready-polled"):
		return c.pause(2*time.Second) == nil
	}
	return false
}

// blocked is the error of a terminal answer.
func (c *call) blocked(d direction) *failure {
	f := fail(evidence.Blocked, "the runtime takes no messages, it is %q: %s", d.state, d.said).in(d.state)
	switch {
	case c.has("blocked-as-not-ready"):
		f.category = evidence.NotReady
	case c.has("blocked-as-a-timeout"):
		f.category = evidence.TimedOut
	case c.has("blocked-as-an-invalid-answer"):
		f.category = evidence.InvalidResponse
	case c.has("state-left-out"):
		f.text, f.state = "the runtime takes no messages: "+d.said, ""
	case c.has("silent-about-why"):
		f.text = "the runtime takes no messages, it is " + d.state
	}
	return f
}

// pause lets time pass, unless the call ends first.
func (c *call) pause(d time.Duration) *failure {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		if c.waits <= 20 && c.has("waits-not-counted") {
			c.extend(d)
		}
		return nil
	case <-c.ctx.Done():
		return c.broken(c.ctx, c.ctx.Err())
	}
}

// transient tells whether the platform wants to be asked again (ADR, amendments).
func (c *call) transient(state string) bool {
	switch state {
	case "checking":
		return !c.has("checking-is-terminal")
	case "starting":
		return !c.has("starting-is-terminal")
	case "waking":
		return !c.has("waking-is-terminal")
	case "updating":
		return !c.has("updating-is-terminal")
	case "update_required":
		return c.has("update-required-is-transient")
	case "ready", "warning", "update_failed", "unavailable", "":
		return false
	}
	return c.has("unknown-is-transient")
}

// milliseconds reads a retry_after_ms: a number that is not negative.
func (c *call) milliseconds(value json.RawMessage) (time.Duration, bool) {
	written := string(value)
	if number, ok := textOf(value); ok && c.has("direction-as-text-taken") {
		written = number
	}
	n, err := strconv.ParseFloat(written, 64)
	switch {
	case err != nil:
		return 0, isNull(value) && c.has("no-direction-is-zero")
	case n == 0 && c.has("zero-is-no-direction"):
		return 0, false
	case n < 0 && c.has("negative-direction-is-zero"):
		return 0, true
	}
	return duration(n / 1000), n >= 0
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
