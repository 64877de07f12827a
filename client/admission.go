package client

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// Notice is what the platform tells a person about a runtime. It explains an
// admission decision and never makes one.
type Notice struct {
	Code, Severity, Title, Message string
}

// verdict is what an answer of resolve-runtime-access means for a send.
type verdict int

const (
	unusable verdict = iota // no decision can be read from it
	admitted
	transient // ask again after retryAfter
	terminal
)

// admission is one answer, read. can_submit alone admits; presence, is_ready,
// severity, operation and mode are diagnostics and are not even looked at (ADR
// 0029, Decision 2).
type admission struct {
	verdict    verdict
	access     Access        // when admitted
	storable   bool          // access may be kept for later calls
	state      string        // "" when the answer had none
	retryAfter time.Duration // when transient
	notice     *Notice
	detail     string
	problems   problems  // when unusable
	arrived    time.Time // of its last byte
	status     int
}

// readAdmission reads a whole body that arrived at the given time.
func readAdmission(body []byte, arrived time.Time) admission {
	a := admission{arrived: arrived}
	document, err := readDocument(body)
	if err != nil {
		a.problems.addf("its body %v", err)
		return a
	}
	interaction, err := readObject(document["runtime_interaction"])
	if err != nil {
		a.problems.addf("runtime_interaction %v", err)
		return a
	}
	state, hasState := interaction.text("state")
	a.state, a.notice = state, readNotice(interaction)
	a.detail, _ = document.text("detail")

	decision := string(interaction["can_submit"])
	switch {
	case decision == "true":
		a.readAccess(document)
	case !hasState:
		a.problems.addf("%s", interaction.describe("state"))
	case !isTransient(state):
		a.verdict = terminal
	case decision != "false":
		a.problems.addf("%s", interaction.describe("can_submit"))
	default:
		a.readDirection(interaction)
	}
	return a
}

// isTransient names the only states in which access is resolved again (ADR 0029,
// head). The set of states is open: every other one is terminal.
func isTransient(state string) bool {
	switch state {
	case "checking", "starting", "waking", "updating":
		return true
	}
	return false
}

// readDirection reads when to ask again. Without a usable direction there is
// none: no cadence of our own, no earlier value.
func (a *admission) readDirection(interaction object) {
	wait, ok := milliseconds(interaction["retry_after_ms"])
	if !ok {
		a.problems.addf("the runtime is %s, and %s where a whole number of milliseconds should say when to ask again",
			a.state, interaction.describe("retry_after_ms"))
		return
	}
	a.verdict, a.retryAfter = transient, wait
}

// milliseconds reads a JSON number that is whole and not negative. 1500.0 and
// 1.5e3 are the number 1500 too. What exceeds a time.Duration becomes the
// longest one, which fits no budget.
func milliseconds(value json.RawMessage) (time.Duration, bool) {
	const longest = math.MaxInt64 / int64(time.Millisecond)
	text := string(value)
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return 0, false
	}
	number, err := strconv.ParseFloat(text, 64)
	if number < 0 || err == nil && number != math.Trunc(number) {
		return 0, false
	}
	if number >= float64(longest) { // infinite when out of range
		return math.MaxInt64, true
	}
	return time.Duration(number) * time.Millisecond, true
}

// readAccess takes token and rpc_url of an admitting answer; both must be
// usable.
func (a *admission) readAccess(document object) {
	token, ok := document.text("token")
	if !ok || !usableToken(token) {
		a.problems.addf("it admits the call, but token is absent or cannot be used")
	}
	rpcURL, ok := document.text("rpc_url")
	if !ok {
		a.problems.addf("it admits the call, but rpc_url is absent or not text")
	} else if _, err := parseEndpoint(rpcURL); err != nil {
		a.problems.addf("it admits the call, but rpc_url %v", err)
	}
	if len(a.problems) > 0 {
		return
	}
	a.verdict = admitted
	a.access = Access{RPCURL: rpcURL, Token: token, CanSubmit: true, ReceivedAt: a.arrived}
	a.storable = true
	if document.has("expires_at") {
		// Access whose end cannot be read is good for this call only.
		text, _ := document.text("expires_at")
		a.access.ExpiresAt, a.storable = readExpiry(text)
	}
}

// readNotice is lenient: a malformed notice must not change the outcome.
func readNotice(interaction object) *Notice {
	if !bytes.HasPrefix(interaction["notice"], []byte("{")) {
		return nil
	}
	notice := interaction.child("notice")
	text := func(name string) string {
		value, _ := notice.text(name)
		return value
	}
	return &Notice{Code: text("code"), Severity: text("severity"), Title: text("title"), Message: text("message")}
}

// words is the platform's explanation in one line: the notice, or without one
// the detail.
func (a *admission) words() string {
	if a.notice == nil {
		return shorten(a.detail)
	}
	var said []string
	for _, text := range []string{a.notice.Title, a.notice.Message} {
		if text = shorten(text); text != "" {
			said = append(said, text)
		}
	}
	if len(said) == 0 {
		return shorten(a.detail)
	}
	return strings.Join(said, ": ")
}
