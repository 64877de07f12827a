package client

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// The two response kinds of ADR 0029, Request Shape.
const (
	// KindMessage asks for the Agent's direct answer.
	KindMessage = "message"
	// KindTask asks for a Task that is followed later.
	KindTask = "task"
)

// defaultRepairAttempts goes out with a strict dictionary request whose caller
// named no number (ADR 0029, Request Shape).
const defaultRepairAttempts = 3

// Request is one message to an agent session. SessionUID and Text are required.
type Request struct {
	// SessionUID is the backend AgentSession.uid: the conversation, and the
	// contextId of every turn. Letters, digits and "-._~" only, so that it
	// cannot leave its segment of the path.
	SessionUID string
	// Text is carried code point for code point. It must not be blank.
	Text string
	// MessageID names the logical message; give the one of a failed call to
	// retry it by choice. Empty: a new one is made. Blank: refused.
	MessageID string
	// Files follow the text, in this order.
	Files []File
	// StrictDictionary asks for one JSON dictionary as the answer.
	StrictDictionary bool
	// JSONRepairAttempts goes with StrictDictionary: 1 or more, nil means 3. A
	// plain request carries no output contract, so there it has no effect.
	JSONRepairAttempts *int
	// ResponseKind is KindMessage, also when empty, or KindTask.
	ResponseKind string
	// Timeout is the budget of the whole call; the zero value is Phases(5, 900).
	Timeout Timeout
}

// kind is the response kind with its default filled in.
func (r Request) kind() string {
	if r.ResponseKind == "" {
		return KindMessage
	}
	return r.ResponseKind
}

// problems lists what makes the request unfit to send, files aside.
func (r Request) problems() problems {
	var found problems
	found.session(r.SessionUID)
	if strings.TrimSpace(r.Text) == "" {
		found.addf("Text: is blank; write what the Agent is to answer")
	}
	if !utf8.ValidString(r.Text) {
		found.addf("Text: is not valid UTF-8")
	}
	if r.MessageID != "" && strings.TrimSpace(r.MessageID) == "" {
		found.addf("MessageID: is blank; leave it empty to have one made")
	}
	if !utf8.ValidString(r.MessageID) {
		found.addf("MessageID: is not valid UTF-8")
	}
	if r.JSONRepairAttempts != nil && *r.JSONRepairAttempts < 1 {
		found.addf("JSONRepairAttempts %d: must be 1 or more", *r.JSONRepairAttempts)
	}
	switch r.kind() {
	case KindMessage, KindTask:
	default:
		found.addf("ResponseKind %q: must be %q or %q", r.ResponseKind, KindMessage, KindTask)
	}
	return append(found, r.Timeout.problems()...)
}

// session checks a session uid.
func (p *problems) session(uid string) {
	if !safeSegment(uid) {
		p.addf("SessionUID %q: must be letters, digits, and the characters - . _ ~ only", uid)
	}
}

// safeSegment reports whether a uid stays inside one path segment as it is,
// without an escape that a server in between might undo.
func safeSegment(uid string) bool {
	return uid != "" && uid != "." && uid != ".." && !strings.ContainsFunc(uid, func(r rune) bool { return !isUnreserved(r) })
}

// isUnreserved names the characters that no escape ever stands for.
func isUnreserved(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return letter || strings.ContainsRune("-._~", r)
}

// Timeout is the budget of a whole call, its answer's last byte included (ADR
// 0029, Timeouts). It can only shorten a wait, never extend a platform limit.
type Timeout struct {
	form          timeoutForm
	connect, read float64 // seconds; a total is kept in read
}

type timeoutForm int

const (
	timeoutDefault timeoutForm = iota
	timeoutTotal
	timeoutPhases
)

// Total is one budget of so many seconds for the whole call. Send refuses what
// is not a finite positive number.
func Total(seconds float64) Timeout {
	return Timeout{form: timeoutTotal, read: seconds}
}

// Phases limits, in seconds, the establishing of each connection and the longest
// silence while reading an answer; the whole call has their sum. Send refuses
// what is not a finite positive number.
func Phases(connect, read float64) Timeout {
	return Timeout{form: timeoutPhases, connect: connect, read: read}
}

func (t Timeout) problems() problems {
	var found problems
	check := func(name string, seconds float64) {
		// Written so that NaN, which compares false with everything, is refused.
		if !(seconds > 0) || math.IsInf(seconds, 1) {
			found.addf("Timeout: %s of %v seconds: must be a finite number above zero", name, seconds)
		}
	}
	switch t.form {
	case timeoutDefault:
	case timeoutTotal:
		check("total", t.read)
	case timeoutPhases:
		check("connect", t.connect)
		check("read", t.read)
	}
	return found
}

// limits are the durations of a Timeout. Zero means that a phase has no limit of
// its own.
type limits struct {
	connect, read, total time.Duration
}

func (t Timeout) limits() limits {
	switch t.form {
	case timeoutTotal:
		return limits{total: duration(t.read)}
	case timeoutPhases:
		connect, read := duration(t.connect), duration(t.read)
		return limits{connect: connect, read: read, total: connect + read}
	default:
		return Phases(5, 900).limits()
	}
}

// duration turns seconds into a time.Duration. The bounds keep a sum of two from
// overflowing and a tiny budget from meaning none.
func duration(seconds float64) time.Duration {
	const longest = time.Duration(math.MaxInt64 / 4)
	nanoseconds := seconds * float64(time.Second)
	if nanoseconds >= float64(longest) {
		return longest
	}
	return max(1, time.Duration(math.Round(nanoseconds))) // cut off, 2.3 s would be a nanosecond short
}
