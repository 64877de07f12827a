package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// fullRecording has something in every member that the types know.
func fullRecording() (Session, []Run) {
	large := (&Bodies{}).Keep([]byte(strings.Repeat("large ", LargeBody)), 1)
	exchange := Exchange{
		Seq: 1, Calls: []int{1}, Endpoint: "platform", Op: OpSendMessage, Connection: 1, Scripted: true, Arrived: 1500001009,
		BodyRead: new(Offset(2)), HeadFrom: new(Offset(3)), HeadBy: new(Offset(4)), LastFrom: new(Offset(5)),
		LastBy: new(Offset(6)), Ended: new(Offset(-7)), EndedBy: EndedByCut,
		Request: Request{
			Method: "POST", Target: "/<&>", Host: "h", Proto: "HTTP/1.1", Header: http.Header{"A": {"1", "2"}},
			ContentLength: -1, Body: large, BodyError: "cut",
		},
		Response: &Response{
			Status: 504, Header: http.Header{"B": {"\u2028"}}, Body: Body{Size: 2, Bytes: []byte("\xff\x00")},
			Writes: []Write{{At: 1, Bytes: 2}}, Sent: 9, Complete: true, Fault: "pace",
		},
	}
	run := Run{
		ID: "scenario/case=1,x", Clock: ClockVirtual, Epoch: time.Date(2026, 11, 1, 2, 3, 4, 5, time.UTC),
		Tolerance: Tolerance{Early: 1, Late: 2, Noise: 3}, ObservedUntil: 4, End: End{How: EndPanic, Text: "boom"},
		Secrets:   []Secret{{Name: "‹runtime-token:1›", Kind: SecretRuntime, Session: "s", User: "u", Backend: "b"}},
		Endpoints: []Endpoint{{Name: "platform", Side: SidePlatform, Origin: "http://h:1", Accepts: AcceptsHang}},
		Calls: []Call{{
			Number: 1, Client: "k", Session: "s", User: "u", Backend: "b", Op: CallWaitTask,
			Input: Input{
				Message: Some("<hi>"), MessageID: Null[string](), StrictDictionary: Some(false),
				JSONRepairAttempts: Some(json.Number("3")), ResponseKind: Some("task"), Timeout: Some(Timeout{Total: math.Inf(-1)}),
				TaskID: Some("t"), PollInterval: Some(Timeout{Pair: true, Connect: 1, Read: math.NaN()}),
				WaitTimeout: Some(Timeout{Total: math.Inf(1)}),
			},
			Files:   []InputFile{{Name: "f", MediaType: "m", Size: 1, SHA256: "x", Readable: true}},
			Started: 1, Ended: new(Offset(2)), Elapsed: new(Offset(3)), Cancelled: new(Offset(4)), Signal: &Signal{Name: "INT", At: 5},
			Outcome: &Outcome{
				Kind: OutcomeError, Message: []byte(`{"a":[1,{"b":"<"}]}`), Task: []byte(`null`), Reason: "r",
				Error: &Error{
					Category: MessageLimit, Is: []Category{MessageLimit, ServerFailed}, Name: "n", Bases: []string{"b"}, Text: "t",
					Status: new(504), LimitSeconds: new(math.Inf(1)), State: new("waking"),
				},
			},
			Command: &Command{
				Args: []string{"a"}, Env: []string{"E"}, Exit: 1, Signal: "KILL", Stdout: Text("o"), Stderr: Text("\xff"),
				Files: []LeftFile{{Path: "p", Mode: "0600", ModeAtCreation: "0644", Size: 3, Content: Text("abc")}},
			},
		}},
		Exchanges: []Exchange{exchange},
		Connections: []Connection{{
			Number: 1, Endpoint: "platform", Attempted: new(Offset(1)), Opened: new(Offset(2)), Closed: new(Offset(3)),
			ClosedBy: "client", BytesIn: 4, BytesOut: 5, NotHTTP: true,
		}},
	}
	second := Run{ID: "other", Clock: ClockReal, Epoch: run.Epoch, End: End{How: EndSettled}, Endpoints: run.Endpoints}
	second.Exchanges = []Exchange{{Seq: 1, Endpoint: "platform", Op: OpUnknown, Request: Request{Body: large}}}
	stray := exchange
	stray.Calls, stray.Endpoint = nil, "nowhere"
	return Session{
		Schema: SchemaVersion, Tool: Tool{Name: "a2a-conform", Version: "1"}, Contract: Contract{ID: "ADR-0029", Revision: "r"},
		Subject: Subject{
			Kind: KindDriver, Name: "n", Version: "v", Capabilities: []string{"send"}, Parallel: 8, Command: true,
			Constants: Constants{MinWaitMS: new(1.), MaxWaitMS: new(2.), CacheSkew: new(3.), CacheFallback: new(4.), GraceMS: new(5.)},
		},
		Selection: Selection{Rules: []string{"FLOW-06"}, Scenarios: []string{"*"}, Level: "MUST", Slow: true},
		Clock:     ClockReal, Control: Control{Held: true, Text: "t"}, Skipped: []Skipped{{Scenario: "s", Reason: "r"}},
		Strays: []Exchange{stray}, Faults: []Fault{{Scenario: "s", Kind: "k", Text: "t"}}, Repeat: []string{"a2a-conform"},
	}, []Run{run, second}
}

// asIs compares recordings: no list and an empty one are the same, NaN is NaN.
func asIs() cmp.Option {
	large := func(a, b []byte) bool { return len(a) > LargeBody && len(b) > LargeBody }
	return cmp.Options{
		cmp.FilterValues(large, cmp.Comparer(bytes.Equal)), exact(), cmpopts.EquateEmpty(), cmpopts.EquateNaNs(),
	}
}

func TestARecordingIsReadBackAsItWas(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"recording", "recording.zip"} {
		path := filepath.Join(t.TempDir(), "deep", name)
		session, runs := fullRecording()
		// Twice: a recording that stands there is replaced.
		for range 2 {
			if err := Save(path, session, runs); err != nil {
				t.Fatal(err)
			}
		}
		gotSession, gotRuns, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(session, gotSession, asIs()); diff != "" {
			t.Errorf("%s: session (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(runs, gotRuns, asIs()); diff != "" {
			t.Errorf("%s: runs (-want +got):\n%s", name, diff)
		}
		if &gotRuns[0].Exchanges[0].Request.Body.Bytes[0] != &gotRuns[1].Exchanges[0].Request.Body.Bytes[0] {
			t.Error("two equal bodies are held twice")
		}
		entries, _ := os.ReadDir(filepath.Dir(path))
		if len(entries) != 1 {
			t.Errorf("%s: something is left beside it: %v", name, entries)
		}
	}
}

func TestEqualRecordingsAreEqualBytes(t *testing.T) {
	t.Parallel()
	sum := func() string {
		path := filepath.Join(t.TempDir(), "r.zip")
		session, runs := fullRecording()
		if err := Save(path, session, runs); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		hash := sha256.Sum256(data)
		return hex.EncodeToString(hash[:])
	}
	if first, second := sum(), sum(); first != second {
		t.Error("two equal recordings differ in their bytes")
	}
}

func TestManyRunsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	var names []string
	put := func(name string, _ []byte) error {
		names = append(names, name)
		return nil
	}
	runs := make([]Run, 10_001)
	for i := range runs {
		runs[i].ID = strings.Repeat("x", i%200) + "/" + time.Duration(i%7).String()
	}
	if err := writeFiles(Session{}, runs, put); err != nil {
		t.Fatal(err)
	}
	if len(names) != 10_002 || !slices.IsSorted(names[1:]) {
		t.Errorf("%d names, the last %s", len(names), names[len(names)-1])
	}
	if last := names[len(names)-1]; last != "runs/10001--4ns.json" {
		t.Errorf("the last run is %s", last)
	}
}

func TestSaveLeavesAloneWhatIsNoRecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, why := range map[string]string{
		filepath.Dir(write("thesis/chapter.tex", "x")):       "is not empty and holds no recording: name a new or an empty directory",
		filepath.Dir(write("other/session.json", `{"a":1}`)): "is not empty and holds no recording",
		write("notes.txt", "x"):                              "is a file: name a directory, or a file that ends in .zip",
		write("photos.zip", "x"):                             "is there already and is no recording: name another file",
		filepath.Dir(write("folder.zip/x", "x")):             "is there already and is no recording",
		filepath.Join(write("file", "x"), "below"):           "not a directory",
	} {
		err := Save(path, Session{}, nil)
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", path, err, why)
		}
	}
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Save(empty, Session{Clock: ClockReal, Subject: Subject{Kind: KindDriver}}, nil); err != nil {
		t.Errorf("an empty directory: %v", err)
	}
	if _, runs, err := Read(empty); err != nil || len(runs) != 0 {
		t.Errorf("a recording without runs: %v", err)
	}
}

func TestSaveReportsWhatCannotBeWritten(t *testing.T) {
	t.Parallel()
	bad := Run{ID: "bad", Calls: []Call{{Outcome: &Outcome{Message: []byte("{")}}}}
	session := Session{Subject: Subject{Constants: Constants{CacheSkew: new(math.NaN())}}}
	for _, name := range []string{"r", "r.zip"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := Save(path, Session{}, []Run{bad}); err == nil || !strings.Contains(err.Error(), "run bad: ") {
			t.Errorf("%s: %v", name, err)
		}
		if err := Save(path, session, nil); err == nil || !strings.Contains(err.Error(), "session: ") {
			t.Errorf("%s: %v", name, err)
		}
		if entries, _ := os.ReadDir(dir); len(entries) != 0 {
			t.Errorf("%s: something is left: %v", name, entries)
		}
	}
	if os.Getuid() == 0 {
		return // to the super-user every directory may be written
	}
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"r", "r.zip", "deep/r", "deep/r.zip"} {
		if err := Save(filepath.Join(closed, name), Session{}, nil); !errors.Is(err, os.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
