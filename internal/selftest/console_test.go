package selftest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/report"
)

// good is a result in which all is as it should be.
func good() Result {
	return Result{
		Defects: 2, Killed: 2, Variants: 1, Runs: 1234, Rules: Coverage{InScope: 2, WithDefect: 2},
		Matrix: []Row{
			{Defect: "hedges", Rule: "REQ-24", Status: Killed, Failed: []string{"REQ-24", "AUTH-12"}, Scenarios: []string{"one", "two"}},
			{Defect: "waits-at-most-30-s", Rule: "FLOW-06", Status: Killed, Failed: []string{"FLOW-06"}, Scenarios: []string{"one"}},
		},
	}
}

func console(t *testing.T, r Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := WriteConsole(&out, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestConsoleOfAGoodResult(t *testing.T) {
	t.Parallel()
	want := `REQ-24   killed       hedges                                    in 2 scenarios, with AUTH-12
FLOW-06  killed       waits-at-most-30-s                        in 1 scenario

defects        2: 2 killed, 0 mislabelled, 0 silent, 0 dead
rules          2 that bind, 2 of them with a defect
variants       1 client that must be left alone, each before every rule
runs           1234 were made; in all others a client does what its twin does

every defect is killed, every rule has one, and no rule fails for a client that is right
`
	if diff := cmp.Diff(want, console(t, good())); diff != "" {
		t.Error(diff)
	}
}

func TestConsoleSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	r := good()
	r.Killed, r.Silent, r.Rules = 1, []string{"hedges"}, Coverage{InScope: 2, WithDefect: 1, Without: []string{"FLOW-06"}}
	r.Matrix[0] = Row{Defect: "hedges", Rule: "REQ-24", Status: Silent, Reason: "what it does differs from its twin in 3 runs, and no rule fails"}
	r.Matrix[1].Elsewhere = []string{"AUTH-09"}
	r.FalseAlarms, r.Alarms = []string{"charset"}, []Alarm{{"charset", "REQ-13", "plain-send", "another media type"}}
	got := console(t, r)
	for _, want := range []string{
		"REQ-24   silent       hedges\n               what it does differs from its twin in 3 runs, and no rule fails\n",
		"in 1 scenario; in others AUTH-09\n", "without one: FLOW-06\n", "false alarms   REQ-13 fails for charset in plain-send: another media type\n",
		"not as it should be: 1 defect not killed, 1 rule without a defect, 1 client that is right found to be wrong\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not said in\n%s", want, got)
		}
	}
	r.Full, r.Same = true, []string{"charset", "traces"}
	if got := console(t, r); !strings.Contains(got, "each in every case; like their twin: charset,\n               traces\n") ||
		!strings.Contains(got, "found to be wrong, 2 variants like its twin") {
		t.Errorf("the variants are not named in\n%s", got)
	}
	r.Faults = []evidence.Fault{{Scenario: "plain-send", Kind: "files", Text: "the disk is full"}}
	if got := console(t, r); !strings.Contains(got, "faults         plain-send (files): the disk is full\n") || !strings.Contains(got, "the harness is at fault") {
		t.Errorf("the fault is not said in\n%s", got)
	}
}

func TestJSONHasEveryMember(t *testing.T) {
	t.Parallel()
	b := &bench{}
	written, err := json.Marshal(b.result([]Row{{Defect: "hedges", Rule: "REQ-24", Status: Dead}}, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"defects":1,"killed":0,"mislabelled":[],"silent":[],"dead":["hedges"],"variants":0,"false_alarms":[],"alarms":[],"variants_like_their_twin":[],` +
		`"rules":{"in_scope":0,"with_defect":0,"without":[]},"full":false,"runs":0,` +
		`"matrix":[{"defect":"hedges","rule":"REQ-24","status":"dead","failed":null,"scenarios":null,"elsewhere":null,"reason":"","runs":0}],"faults":[],"processes":null}`
	if diff := cmp.Diff(want, string(written)); diff != "" {
		t.Error(diff)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestTheWriterErrorIsKept(t *testing.T) {
	t.Parallel()
	if err := WriteConsole(fullDisk{}, good(), report.Options{}); err == nil || err.Error() != "no space left" {
		t.Errorf("the error is %v", err)
	}
}
