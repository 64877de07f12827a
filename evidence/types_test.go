package evidence

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTimesAreComparedWithTheTolerance(t *testing.T) {
	t.Parallel()
	virtual, clock := Run{}, Run{Tolerance: Tolerance{Early: 2 * ms, Late: 3 * ms, Noise: 1 * ms}}
	for _, c := range []struct {
		run       *Run
		at        Offset
		notBefore Verdict
		notAfter  Verdict
	}{
		{&virtual, 100*ms - 1, No, Yes}, {&virtual, 100 * ms, Yes, Yes}, {&virtual, 100*ms + 1, Yes, No},
		{&clock, 97*ms - 1, No, Yes}, {&clock, 97 * ms, Unclear, Yes}, {&clock, 100 * ms, Yes, Yes},
		{&clock, 104 * ms, Yes, Unclear}, {&clock, 104*ms + 1, Yes, No},
	} {
		if got := c.run.NotBefore(c.at, 100*ms); got != c.notBefore {
			t.Errorf("NotBefore(%s) = %d, want %d", c.at, got, c.notBefore)
		}
		if got := c.run.NotAfter(c.at, 100*ms); got != c.notAfter {
			t.Errorf("NotAfter(%s) = %d, want %d", c.at, got, c.notAfter)
		}
	}
	if ms.Add(time.Second).Sub(ms) != time.Second || ms.Duration() != time.Millisecond {
		t.Error("offsets do not add up")
	}
}

func TestAbsentNullAndZeroStayDifferent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Input{
		`{}`:                                   {Message: Absent[string]()},
		`{"message":null}`:                     {Message: Null[string]()},
		`{"message":""}`:                       {Message: Some("")},
		`{"strict_dictionary":false}`:          {StrictDictionary: Some(false)},
		`{"timeout":"NaN"}`:                    {Timeout: Some(Timeout{Total: math.NaN()})},
		`{"timeout":[1,"Infinity"]}`:           {Timeout: Some(Timeout{Pair: true, Connect: 1, Read: math.Inf(1)})},
		`{"timeout":"-Infinity"}`:              {Timeout: Some(Timeout{Total: math.Inf(-1)})},
		`{"json_repair_attempts":3.50}`:        {JSONRepairAttempts: Some(json.Number("3.50"))},
		`{"wait_timeout":0,"message_id":"id"}`: {WaitTimeout: Some(Timeout{}), MessageID: Some("id")},
	} {
		var got Input
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, asIs()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		again, err := json.Marshal(got)
		if err != nil || !Equal(read(t, text), read(t, string(again))) {
			t.Errorf("%s is written as %s, %v", text, again, err)
		}
	}
	if Some(1).Or(2) != 1 || Null[int]().Or(2) != 2 || Absent[int]().Or(2) != 2 {
		t.Error("Or does not stand in for what is not there")
	}
	if text, err := json.Marshal(Absent[int]()); err != nil || string(text) != "null" {
		t.Errorf("absent alone is written as %s", text)
	}
}

func TestTimeouts(t *testing.T) {
	t.Parallel()
	pair := Timeout{Pair: true, Connect: 5, Read: 900}
	if pair.Sum() != 905 || (Timeout{Total: 3}).Sum() != 3 {
		t.Error("the total of a pair is its sum")
	}
	for _, c := range []struct {
		timeout Timeout
		want    bool
	}{
		{pair, true}, {Timeout{Total: 0.1}, true}, {Timeout{}, false}, {Timeout{Total: -1}, false},
		{Timeout{Total: math.NaN()}, false}, {Timeout{Total: math.Inf(1)}, false},
		{Timeout{Pair: true, Connect: 1}, false}, {Timeout{Pair: true, Read: 1}, false},
	} {
		if c.timeout.Usable() != c.want {
			t.Errorf("%+v: Usable is not %v", c.timeout, c.want)
		}
	}
}

func TestDamagedFormsAreErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		target any
	}{
		"timeout of three":  {`[1,2,3]`, &Timeout{}},
		"timeout of words":  {`"soon"`, &Timeout{}},
		"timeout of object": {`{}`, &Timeout{}},
		"offset":            {`"soon"`, new(Offset)},
		"body of a number":  {`7`, &Body{}},
		"body's base64":     {`{"size":1,"base64":"*"}`, &Body{}},
		"text of a number":  {`7`, &Text{}},
		"text's base64":     {`{"base64":"*"}`, &Text{}},
		"error's limit":     {`{"limit_seconds":"ages"}`, &Error{}},
		"opt":               {`"x"`, &Opt[int]{}},
	} {
		if err := json.Unmarshal([]byte(c.text), c.target); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
