package client

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestRequestProblems(t *testing.T) {
	t.Parallel()
	one := 1
	good := Request{SessionUID: session, Text: "x"}
	for name, test := range map[string]struct {
		change func(*Request)
		want   string // in the one problem; "" for none
	}{
		"good":                  {func(*Request) {}, ""},
		"all given":             {func(r *Request) { r.MessageID, r.JSONRepairAttempts, r.ResponseKind = " a ", &one, KindMessage }, ""},
		"text of spaces kept":   {func(r *Request) { r.Text = "  x  " }, ""},
		"no session":            {func(r *Request) { r.SessionUID = "" }, "SessionUID"},
		"session climbs":        {func(r *Request) { r.SessionUID = ".." }, "SessionUID"},
		"session with slash":    {func(r *Request) { r.SessionUID = "a/b" }, "SessionUID"},
		"session with query":    {func(r *Request) { r.SessionUID = "a?b" }, "SessionUID"},
		"session with escape":   {func(r *Request) { r.SessionUID = "a%2fb" }, "SessionUID"},
		"session with line":     {func(r *Request) { r.SessionUID = "a\r\nX: y" }, "SessionUID"},
		"session not ASCII":     {func(r *Request) { r.SessionUID = "é" }, "SessionUID"},
		"blank text":            {func(r *Request) { r.Text = " \u00a0\n" }, "Text: is blank"},
		"text not UTF-8":        {func(r *Request) { r.Text = "a\xff" }, "Text: is not valid"},
		"blank id":              {func(r *Request) { r.MessageID = " " }, "MessageID: is blank"},
		"id not UTF-8":          {func(r *Request) { r.MessageID = "\xff" }, "MessageID: is not valid"},
		"no repair":             {func(r *Request) { zero := 0; r.JSONRepairAttempts = &zero }, "JSONRepairAttempts 0"},
		"another kind":          {func(r *Request) { r.ResponseKind = "Message" }, `ResponseKind "Message"`},
		"task":                  {func(r *Request) { r.ResponseKind = KindTask }, ""},
		"no time":               {func(r *Request) { r.Timeout = Total(0) }, "total of 0"},
		"negative time":         {func(r *Request) { r.Timeout = Total(-1) }, "total of -1"},
		"no number of time":     {func(r *Request) { r.Timeout = Total(math.NaN()) }, "total of NaN"},
		"endless time":          {func(r *Request) { r.Timeout = Total(math.Inf(1)) }, "total of +Inf"},
		"time before time":      {func(r *Request) { r.Timeout = Total(math.Inf(-1)) }, "total of -Inf"},
		"no connect":            {func(r *Request) { r.Timeout = Phases(0, 1) }, "connect of 0"},
		"read is no number":     {func(r *Request) { r.Timeout = Phases(1, math.NaN()) }, "read of NaN"},
		"a long but finite one": {func(r *Request) { r.Timeout = Total(math.MaxFloat64) }, ""},
	} {
		request := good
		test.change(&request)
		got := strings.Join(request.problems(), "; ")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

func TestTimeoutLimits(t *testing.T) {
	t.Parallel()
	const longest = time.Duration(math.MaxInt64 / 4)
	for name, test := range map[string]struct {
		timeout Timeout
		want    limits
	}{
		"default": {Timeout{}, limits{connect: 5 * time.Second, read: 900 * time.Second, total: 905 * time.Second}},
		"total":   {Total(1.5), limits{total: 1500 * time.Millisecond}},
		"phases":  {Phases(0.25, 2), limits{connect: 250 * time.Millisecond, read: 2 * time.Second, total: 2250 * time.Millisecond}},
		"tiny":    {Total(1e-300), limits{total: 1}},
		"huge":    {Phases(1e300, 1e300), limits{connect: longest, read: longest, total: 2 * longest}},
	} {
		if got := test.timeout.limits(); got != test.want {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}
