package evidence

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Access is what an answer to resolve-runtime-access says (ADR, Decision). Nothing in it is judged: members of a wrong
// type are named as what they are.
type Access struct {
	// Answered tells that the whole of a 200 arrived and is one JSON object. Without it nothing admits or directs.
	Answered bool
	Body     *Value
	Problems []Problem

	CanSubmit  *Value
	State      *Value
	RetryAfter Direction
	Token      Token
	RPCURL     RPCURL
	ExpiresAt  Expiry
	ServiceUID *Value
	Mode       *Value
	Notice     *Value
	Detail     *Value
	Presence   *Value
}

// ReadAccess reads an answer to resolve-runtime-access. It never fails.
func ReadAccess(x *Exchange) Access {
	body, problems, whole := readAnswer(x)
	interaction := body.Member("runtime_interaction")
	return Access{
		Answered:   whole && status(x) == 200 && body.Kind() == KindObject,
		Body:       body,
		Problems:   problems,
		CanSubmit:  interaction.Member("can_submit"),
		State:      interaction.Member("state"),
		RetryAfter: readDirection(interaction.Member("retry_after_ms")),
		Token:      readToken(body.Member("token")),
		RPCURL:     readRPCURL(body.Member("rpc_url")),
		ExpiresAt:  readExpiry(body.Member("expires_at")),
		ServiceUID: body.Member("coding_agent_service_uid"),
		Mode:       body.Member("mode"),
		Notice:     interaction.Member("notice"),
		Detail:     body.Member("detail"),
		Presence:   body.Member("runtime_presence"),
	}
}

// Admits tells whether can_submit is JSON true, the only thing that admits (ADR, Decision 2).
func (a Access) Admits() bool {
	yes, _ := a.CanSubmit.Bool()
	return a.Answered && yes
}

// Usable tells whether an admitting answer gives what a send needs: a token and an address.
func (a Access) Usable() bool { return a.Admits() && a.Token.Usable && a.RPCURL.Usable }

// Transient tells whether the answer does not admit and its state is one of the four that the platform itself will
// leave: checking, starting, waking, updating.
func (a Access) Transient() bool {
	state, _ := a.State.Text()
	return a.Answered && !a.Admits() && TransientState(state)
}

// TransientState tells whether a state is one of the four. Letter case counts.
func TransientState(state string) bool {
	switch state {
	case "checking", "starting", "waking", "updating":
		return true
	default:
		return false
	}
}

// Waits returns how long a transient answer directs to wait, and whether it gives a usable direction: a whole number
// of milliseconds, zero included.
func (a Access) Waits() (time.Duration, bool) {
	return a.RetryAfter.Wait, a.Transient() && a.RetryAfter.Kind == DirectionWhole
}

// Words are the platform's own words about a blocked runtime: the notice's title and message, and the detail. Those
// that are blank or no text are left out.
func (a Access) Words() []string {
	return texts(a.Notice.Member("title"), a.Notice.Member("message"), a.Detail)
}

// texts returns those of the values that are text and not blank.
func texts(values ...*Value) []string {
	var found []string
	for _, v := range values {
		if s, ok := v.Text(); ok && strings.TrimSpace(s) != "" {
			found = append(found, s)
		}
	}
	return found
}

// Direction is retry_after_ms.
type Direction struct {
	Kind  DirectionKind
	Value *Value
	// Wait is set for a whole number only.
	Wait time.Duration
}

// DirectionKind tells what retry_after_ms is.
type DirectionKind string

// The kinds of direction. A whole number may be written 1500.0; beyond 2^53 it is huge.
const (
	DirectionAbsent   DirectionKind = "absent"
	DirectionNull     DirectionKind = "null"
	DirectionWhole    DirectionKind = "whole"
	DirectionNegative DirectionKind = "negative"
	DirectionFraction DirectionKind = "fraction"
	DirectionHuge     DirectionKind = "huge"
	DirectionText     DirectionKind = "text"
	DirectionOther    DirectionKind = "other"
)

// LongestWait is the longest Direction.Wait. A direction beyond it outlasts any budget all the same, and the sum of
// a moment and a wait never overflows.
const LongestWait = 100 * 365 * 24 * time.Hour

func readDirection(v *Value) Direction {
	d := Direction{Value: v, Kind: DirectionOther}
	switch v.Kind() {
	case KindAbsent:
		d.Kind = DirectionAbsent
	case KindNull:
		d.Kind = DirectionNull
	case KindString:
		d.Kind = DirectionText
	case KindNumber:
		d.Kind, d.Wait = readWait(v)
	default:
	}
	return d
}

func readWait(v *Value) (DirectionKind, time.Duration) {
	const exact = 1 << 53 // the largest number that every client's arithmetic holds exactly
	if v.broken {
		return DirectionOther, 0
	}
	n, fits := v.Int()
	d := readDecimal(v.raw)
	switch {
	case d.negative:
		return DirectionNegative, 0
	case fits && n <= exact:
		return DirectionWhole, time.Duration(min(n, LongestWait.Milliseconds())) * time.Millisecond
	case d.exponent.Sign() < 0:
		return DirectionFraction, 0
	default:
		return DirectionHuge, 0
	}
}

// Token is the runtime token of an answer as it is recorded.
type Token struct {
	Value *Value
	// Name is that of the secret whose value the token was; empty for a token that the run did not hand out as a
	// secret.
	Name string
	// Usable tells that the token is text, not blank, and fits in a header.
	Usable bool
}

func readToken(v *Value) Token {
	t := Token{Value: v}
	text, _ := v.Text()
	t.Usable = strings.TrimSpace(text) != "" && !strings.ContainsFunc(text, unicode.IsControl)
	if m := Mentions([]byte(text)); len(m) == 1 && m[0].Name == text {
		t.Name = text
	}
	return t
}

// RPCURL is the address of the runtime as an answer gives it. It is opaque: nothing in it is derived or corrected.
type RPCURL struct {
	Value *Value
	Text  string
	// Usable tells that it is an absolute http or https URL with a host and without a fragment. Why says what is
	// missing otherwise.
	Usable bool
	Why    string
}

func readRPCURL(v *Value) RPCURL {
	text, ok := v.Text()
	r := RPCURL{Value: v, Text: text}
	if !ok {
		r.Why = "rpc_url is " + v.Kind().String()
		return r
	}
	r.Why = whyUnusable(text)
	r.Usable = r.Why == ""
	return r
}

func whyUnusable(text string) string {
	u, err := url.Parse(text)
	switch {
	case strings.TrimSpace(text) == "":
		return "rpc_url is blank"
	case err != nil || strings.ContainsFunc(text, unicode.IsSpace):
		return "rpc_url is no URL"
	case u.Scheme != "http" && u.Scheme != "https":
		return "rpc_url is no absolute http or https URL"
	case u.Hostname() == "":
		return "rpc_url names no host"
	case strings.Contains(text, "#"):
		return "rpc_url has a fragment"
	case !usablePort(u.Port()):
		return "rpc_url names a port that does not exist"
	default:
		return ""
	}
}

func usablePort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// Expiry is expires_at.
type Expiry struct {
	Kind  ExpiryKind
	Value *Value
	// Time is set for a readable time only, in UTC.
	Time time.Time
}

// ExpiryKind tells what expires_at is.
type ExpiryKind string

// The kinds of expiry.
const (
	ExpiryAbsent     ExpiryKind = "absent"
	ExpiryNull       ExpiryKind = "null"
	ExpiryReadable   ExpiryKind = "readable"
	ExpiryUnreadable ExpiryKind = "unreadable"
)

// readExpiry reads the forms of ISO 8601 that platforms write. Without an offset a time is meant in UTC.
func readExpiry(v *Value) Expiry {
	e := Expiry{Value: v, Kind: ExpiryUnreadable}
	switch v.Kind() {
	case KindAbsent:
		e.Kind = ExpiryAbsent
	case KindNull:
		e.Kind = ExpiryNull
	case KindString:
		text, _ := v.Text()
		text = strings.ToUpper(strings.TrimSpace(text))
		for _, layout := range []string{
			time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07",
			"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		} {
			if at, err := time.Parse(layout, text); err == nil {
				e.Kind, e.Time = ExpiryReadable, at.UTC()
				break
			}
		}
	default:
	}
	return e
}
