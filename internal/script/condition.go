package script

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// inquiry is one request while a step is looked for, with what has been read of it so far.
type inquiry struct {
	request Request
	now     time.Time
	// want asks for the body, without which a condition cannot be judged; fetched tells that it was read.
	want, fetched bool
	body          *evidence.Value
	calls         []int
}

func (a *inquiry) wanting() bool { return a.want && !a.fetched }

// fetch reads the body. It comes before the attribution to calls, which the message id in the body decides.
func (a *inquiry) fetch() {
	if a.request.Body != nil {
		a.body, _ = evidence.ReadJSON(a.request.Body()) // what is no JSON contains nothing that is asked for
	}
	if a.request.Calls != nil {
		a.calls = a.request.Calls()
	}
	a.fetched = true
}

// unmet says which parts of a step's condition do not hold. It stops early when the body has to be read first.
func (s *Script) unmet(st *step, a *inquiry) []string {
	c := st.If
	if c == nil {
		return nil
	}
	if c.Body != nil || c.Call != "" || c.Client != "" || c.Session != "" && a.request.Session == "" {
		if a.want = true; !a.fetched {
			return nil
		}
	}
	var reasons reasons
	reasons.unlessf(c.Token == "" || s.world.isToken(bearer(a.request.Header), c.Token), "its token is not %q", c.Token)
	for _, name := range slices.Sorted(maps.Keys(c.Header)) {
		reasons.unlessf(holdsHeader(a.request.Header, name, c.Header[name]), "it has no header %s", headerText(name, c.Header[name]))
	}
	reasons.unlessf(c.Body == nil || evidence.SubsetOf(st.body, a.body), "its body does not contain %s", shortened(c.Body))
	s.otherCall(&reasons, c, a)
	if c.After != nil {
		reasons.unlessf(s.queue(c.After.Op).answered[c.After.N], "%s#%d has not been answered", c.After.Op, c.After.N)
	}
	return reasons
}

// otherCall says where the request is of another call, client or session, or not surely of that one.
func (s *Script) otherCall(reasons *reasons, c *scenarios.Condition, a *inquiry) {
	ofClient := func(call evidence.Call) bool { return call.Client == c.Client }
	reasons.unlessf(c.Call == "" || s.isCall(a.calls, c.Call), "it is not known to be of call %q", c.Call)
	reasons.unlessf(c.Client == "" || s.allCalls(a.calls, ofClient), "it is not known to be of client %q", c.Client)
	reasons.unlessf(c.Session == "" || s.isSession(a, c.Session), "it is not of session %q", c.Session)
}

// reasons are those for which a step does not fit.
type reasons []string

func (r *reasons) unlessf(holds bool, format string, args ...any) {
	if !holds {
		*r = append(*r, fmt.Sprintf(format, args...))
	}
}

// isCall tells whether a request belongs to one call and to no other.
func (s *Script) isCall(calls []int, name string) bool {
	number, known := s.calls[name]
	return known && len(calls) == 1 && calls[0] == number
}

// allCalls tells whether something holds of every call that a request may belong to.
func (s *Script) allCalls(calls []int, holds func(evidence.Call) bool) bool {
	for _, number := range calls {
		if call, ok := s.rec.Call(number); !ok || !holds(call) {
			return false
		}
	}
	return len(calls) > 0
}

func (s *Script) isSession(a *inquiry, name string) bool {
	uid := s.world.SessionUID(name)
	if a.request.Session != "" {
		return a.request.Session == uid
	}
	return s.allCalls(a.calls, func(call evidence.Call) bool { return call.Session == uid })
}

// holdsHeader tells whether a header is there with a value, with any value where it is empty.
func holdsHeader(header http.Header, name, value string) bool {
	for key, lines := range header {
		if strings.EqualFold(key, name) && (value == "" || slices.Contains(lines, value)) {
			return true
		}
	}
	return false
}

func headerText(name, value string) string {
	if value == "" {
		return name
	}
	return name + ": " + value
}

// bearer is the token that authorises a request, empty for none.
func bearer(header http.Header) string {
	scheme, token, _ := strings.Cut(header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

func shortened(text []byte) string {
	const most = 120
	if len(text) <= most {
		return string(text)
	}
	return string(text[:most]) + "…"
}
