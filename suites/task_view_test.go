package suites

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestAdvert(t *testing.T) {
	t.Parallel()
	words := []string{"unasked", "unlearned", "denied", "oddly", "advertised"}
	written := func(kinds, uri, standard string) string {
		return fmt.Sprintf(`{"name":"a","a2a_profile":{"response_kind_extension_uri":%q,"supported_response_kinds":%s%s}}`, uri, kinds, standard)
	}
	const uri = evidence.ResponseKindURI
	for name, tt := range map[string]struct {
		body string
		edit []func(*evidence.Exchange)
		want string
	}{
		"plainly":                  {takesTasks(), nil, "advertised"},
		"task as the standard":     {written(`["message","task"]`, uri, `,"default_response_kind":"task"`), nil, "oddly"},
		"no direct Message":        {written(`["task"]`, uri, ``), nil, "oddly"},
		"no standard":              {written(`["message","task"]`, uri, ``), nil, "advertised"},
		"a standard that is odd":   {written(`["message","task"]`, uri, `,"default_response_kind":"stream"`), nil, "oddly"},
		"a standard that is null":  {written(`["message","task"]`, uri, `,"default_response_kind":null`), nil, "oddly"},
		"another extension":        {written(`["message","task"]`, "x", ``), nil, "oddly"},
		"a kind that is no text":   {written(`["message","task",7]`, uri, ``), nil, "oddly"},
		"a member twice":           {written(`["message","task"]`, uri, `,"default_response_kind":"task","default_response_kind":"task"`), nil, "oddly"},
		"the name twice":           {swap(takesTasks(), `"name":"a"`, `"name":"a","name":"a"`), nil, "oddly"},
		"status 201":               {"", []func(*evidence.Exchange){status(201, takesTasks())}, "oddly"},
		"status 299":               {"", []func(*evidence.Exchange){status(299, takesTasks())}, "oddly"},
		"status 300":               {"", []func(*evidence.Exchange){status(300, takesTasks())}, "unlearned"},
		"status 199":               {"", []func(*evidence.Exchange){status(199, takesTasks())}, "unlearned"},
		"status 1":                 {"", []func(*evidence.Exchange){status(1, takesTasks())}, "unlearned"},
		"broken off":               {takesTasks(), []func(*evidence.Exchange){broken}, "unlearned"},
		"no answer":                {"", []func(*evidence.Exchange){hang(9)}, "unlearned"},
		"a list":                   {"[]", nil, "unlearned"},
		"two objects":              {takesTasks() + takesTasks(), nil, "unlearned"},
		"messages only":            {profile(`["message"]`), nil, "denied"},
		"kinds as an object":       {profile(`{"0":"task"}`), nil, "denied"},
		"no kinds":                 {`{"a2a_profile":{}}`, nil, "denied"},
		"no profile":               {`{}`, nil, "denied"},
		"a profile that is a list": {`{"a2a_profile":["task"]}`, nil, "denied"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := newTape().call(0).looksUp(0.001, tt.body, tt.edit...).view(false).All[0].advert()
			if words[got] != tt.want {
				t.Errorf("advertised %s, want %s", words[got], tt.want)
			}
		})
	}
}

func TestWhatDiscoveryTold(t *testing.T) {
	t.Parallel()
	words := []string{"unasked", "unlearned", "denied", "oddly", "advertised"}
	asking := func() *tape { return newTape().call(0, ofKind("task")) }
	failed := status(503, "{}")
	type told struct {
		Advert string
		Seq    int
		MayAsk bool
	}
	for name, tt := range map[string]struct {
		tape *tape
		want told
	}{
		"nothing":                     {asking().resolve(0.001, ready(token1)), told{"unasked", 0, true}},
		"a Message":                   {plain(), told{"unasked", 0, true}},
		"a Message, though denied":    {newTape().call(0).looksUp(0.001, profile(`[]`)), told{"denied", 1, true}},
		"a session only":              {asking().looksUpSession(0.001, ofAgent()), told{"unasked", 1, false}},
		"a session that failed":       {asking().looksUpSession(0.001, "", failed), told{"unlearned", 1, false}},
		"advertised":                  {discovering(), told{"advertised", 2, true}},
		"denied":                      {asking().looksUp(0.001, profile(`[]`)), told{"denied", 1, false}},
		"failed":                      {asking().looksUp(0.001, "", failed), told{"unlearned", 1, false}},
		"failed, then advertised":     {asking().looksUp(0.001, "", failed).looksUp(0.003, takesTasks()), told{"advertised", 2, true}},
		"advertised, then failed":     {asking().looksUp(0.001, takesTasks()).looksUp(0.003, "", failed), told{"oddly", 2, false}},
		"oddly, then denied":          {asking().looksUp(0.001, "", status(201, takesTasks())).looksUp(0.003, profile(`[]`)), told{"oddly", 2, false}},
		"denied, then failed":         {asking().looksUp(0.001, profile(`[]`)).looksUp(0.003, "", failed), told{"unlearned", 2, false}},
		"advertised twice":            {asking().looksUp(0.001, takesTasks()).looksUp(0.003, takesTasks()), told{"advertised", 2, true}},
		"a redirect that was led on":  {asking().looksUp(0.001, "", redirect(307, "/y")).asks(0.003, evidence.OpUnknown, "platform", "GET", "/y"), told{"oddly", 1, false}},
		"a redirect that was not":     {asking().looksUp(0.001, "", redirect(307, "/y")).asks(0.003, evidence.OpUnknown, "platform", "GET", "/z"), told{"unlearned", 1, false}},
		"led on to another server":    {asking().looksUp(0.001, "", redirect(307, "/y")).asks(0.003, evidence.OpUnknown, "other", "GET", "/y"), told{"unlearned", 1, false}},
		"asked before the redirect":   {asking().asks(0.0005, evidence.OpUnknown, "platform", "GET", "/y").looksUp(0.001, "", redirect(307, "/y")), told{"unlearned", 2, false}},
		"a redirect to its own place": {asking().looksUp(0.001, "", redirect(307, "/api/v1/agents/"+agentUID+"/")), told{"unlearned", 1, false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := tt.tape.view(false).Calls[0]
			l := c.learned(nil)
			got := told{Advert: words[l.advert], MayAsk: c.mayAsk()}
			if l.x != nil {
				got.Seq = l.x.Seq
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	c := discovering().view(false).Calls[0]
	if l := c.learned(c.Exchanges[1]); l.advert != unasked || l.x != c.Exchanges[0] {
		t.Error("an answer counts that had not come yet")
	}
}

func TestWhichAgent(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		edit []func(*evidence.Exchange)
		want bool
	}{
		"one":        {ofAgent(), nil, true},
		"none":       {`{}`, nil, false},
		"a number":   {`{"agent_uid":7}`, nil, false},
		"a blank":    {`{"agent_uid":" "}`, nil, false},
		"broken off": {ofAgent(), []func(*evidence.Exchange){broken}, false},
	} {
		if _, got := newTape().call(0).looksUpSession(0.001, tt.body, tt.edit...).view(false).All[0].agentUID(); got != tt.want {
			t.Errorf("%s: names an Agent: %t", name, got)
		}
	}
}

func TestRequestsForTasks(t *testing.T) {
	t.Parallel()
	asked := func(op evidence.Op, target string) bool {
		return newTape().call(0).asks(0, op, "runtime", "GET", target).view(false).All[0].followsTask()
	}
	for name, got := range map[string]bool{
		"a get": asked(evidence.OpGetTask, "/x"), "a cancel": asked(evidence.OpCancelTask, "/x"), "a list": asked(evidence.OpUnknown, "/api/a2a/v1/tasks"),
		"a stream": asked(evidence.OpUnknown, "/api/a2a/v1/tasks/t:subscribe"),
	} {
		if !got {
			t.Errorf("%s asks for no Task", name)
		}
	}
	if asked(evidence.OpUnknown, "/x") || asked(evidence.OpGetAgent, "/api/a2a/v1/tasks/t") {
		t.Error("another request asks for a Task")
	}
	if got := taskWords(nil); got != "no Task" {
		t.Errorf("of no Task is said %q", got)
	}
}

func TestLimitOfAWait(t *testing.T) {
	t.Parallel()
	limited := func(seconds float64) *Call {
		return about(evidence.CallWaitTask, func(c *evidence.Call) {
			c.Started, c.Input.WaitTimeout = at(1), evidence.Some(evidence.Timeout{Total: seconds})
		}).view(false).Calls[0]
	}
	for seconds, want := range map[float64]bool{10: true, 0: false, -1: false, math.NaN(): false, maxBudget.Seconds(): true, maxBudget.Seconds() + 1: false} {
		limit, ok := limited(seconds).waitLimit()
		if ok != want || ok && limit != at(1+seconds) {
			t.Errorf("a limit of %gs counts: %t, until %v", seconds, ok, limit)
		}
	}
	c := limited(10)
	if !c.inWait(at(11)) || c.inWait(at(11.001)) {
		t.Error("a wait of 10s from 1s goes to 11s")
	}
	if unlimited := about(evidence.CallWaitTask).view(false).Calls[0]; !unlimited.inWait(at(1e6)) {
		t.Error("a wait without a limit has one")
	}
	c.Run.Clock, c.Run.Tolerance = evidence.ClockReal, evidence.Tolerance{Late: at(0.02), Noise: at(0.01)}
	if !c.inWait(at(10.9)) || c.inWait(at(10.98)) {
		t.Error("on a real clock a wait ends for certain by what may mislead before its limit")
	}
}
