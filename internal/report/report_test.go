package report

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/baseline"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample is a judging of six rules that all held; tests change it.
type sample struct {
	session evidence.Session
	runs    int
	rules   []suites.Rule
	checks  []suites.Check
	strict  bool
	known   []baseline.Entry
}

func allHeld() *sample {
	s := &sample{
		session: evidence.Session{
			Tool: evidence.Tool{Name: "a2a-conform", Version: "v1.2.0"}, Contract: evidence.Contract{ID: "ADR-0029", Revision: "2026-10-11"},
			Subject: evidence.Subject{
				Kind: evidence.KindReference, Name: "reference", Version: "v1.2.0",
				Capabilities: append(verdict.Required(), verdict.Optional()...),
			},
			Selection: evidence.Selection{Level: "OBSERVE"}, Clock: evidence.ClockVirtual, Control: evidence.Control{Held: true},
			Repeat: []string{"a2a-conform", "run", evidence.RepeatFilter},
		},
		runs: 12,
	}
	s.rule("REQ-02", suites.Must, "Request Shape", "send role ROLE_USER, never an internal direction")
	s.rule("REQ-17", suites.Should, "Request Shape", "send well-formed JSON: UTF-8, no duplicate keys, one value, length as announced")
	s.rule("FLOW-06", suites.Must, "Decision 3",
		"not resolve again before retry_after_ms has passed since the answer's last byte, nor while a resolve of the call is unanswered")
	s.rule("FLOW-25", suites.Observe, "Timeouts", "say that nothing was sent only where nothing was")
	s.rule("TASK-01", suites.Must, "Decision", "check through discovery that Task is advertised, before the runtime request", "task_mode")
	s.rule("SUBJ-01", suites.Must, "", "end each call with an outcome: no crash, hang, panic, deadlock")
	for _, rule := range s.rules {
		for i := range 3 {
			s.checks = append(s.checks, suites.Check{Rule: rule.ID, Level: rule.Level, Run: fmt.Sprintf("waking-%d", i), Call: 1, Status: suites.Passed})
		}
	}
	return s
}

func (s *sample) rule(id string, level suites.Level, section, obligation string, needs ...string) {
	s.rules = append(s.rules, suites.Rule{
		ID: id, Level: level, Sides: []suites.Side{suites.Client}, Section: section, Obligation: obligation,
		Cause: "a cadence of the client's own in place of the platform's direction", Needs: needs,
	})
}

// set gives the checks of a rule a status, the first n of them.
func (s *sample) set(rule string, n int, status suites.Status, reason string) {
	for i := range s.checks {
		c := &s.checks[i]
		if c.Rule != rule || n == 0 {
			continue
		}
		n--
		c.Status, c.Reason, c.Expected, c.Exchanges = status, reason, "the next resolve at 1.501009s or later", []int{2}
		c.Seen = strings.Join([]string{
			`    0.000000s  call: send "hello", timeout 30s`,
			"    0.000000s  POST /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/resolve-runtime-access/ (platform)",
			"    0.001009s    200 OK: waking, can_submit false, retry_after_ms 1500",
			"           …  3 more exchanges",
			">   0.501009s  POST /api/v1/agent-sessions/0b2701a1-e777-4cfe-8437-b94025f00069/resolve-runtime-access/ (platform)",
		}, "\n")
	}
}

// drop takes the checks of a rule away.
func (s *sample) drop(rule string) {
	var kept []suites.Check
	for _, c := range s.checks {
		if c.Rule != rule {
			kept = append(kept, c)
		}
	}
	s.checks = kept
}

func (s *sample) result() verdict.Result {
	runs := make([]evidence.Run, s.runs)
	for i := range runs {
		runs[i].Exchanges = make([]evidence.Exchange, 3)
	}
	o := verdict.Options{Strict: s.strict}
	if s.known != nil {
		o.Baseline = &baseline.File{Path: "known.yaml", Entries: s.known}
	}
	r := verdict.Build(s.session, runs, suites.Scope{Rules: s.rules}, s.checks, o)
	r.DurationMS = 93
	return r
}

// samples are what the golden files show.
func samples() map[string]*sample {
	failing := allHeld()
	failing.set("FLOW-06", 2, suites.Failed, "the second resolve arrived 0.5 s after the answer, 1 s too early")
	failing.checks[0].Run, failing.checks[1].Run = "waking-3", "plain-send"
	failing.set("REQ-02", 2, suites.Failed, "the body names the role ROLE_AGENT")
	failing.set("REQ-17", 1, suites.Warned, "the body names \x1b[31mmetadata twice")
	failing.set("FLOW-25", 3, suites.Observed, "the error says that nothing was sent, after a send that was rejected")

	strict := allHeld()
	strict.strict = true
	strict.set("REQ-17", 1, suites.Warned, "the body names metadata twice")

	notJudged := allHeld()
	notJudged.session.Subject.Kind, notJudged.session.Subject.Name, notJudged.session.Clock = evidence.KindDriver, "my-sdk", evidence.ClockReal
	notJudged.session.Control = evidence.Control{Text: "expected one resolve and one message:send (platform at http://127.0.0.1:41234); nothing arrived"}
	notJudged.runs = 1

	silent := allHeld()
	silent.session.Subject = evidence.Subject{Kind: evidence.KindDriver, Name: "mydriver"}
	silent.session.Control = evidence.Control{Text: "the driver ended before it said hello: the driver ended with exit status 1; it wrote nothing to its standard error"}
	silent.runs = 0

	fault := allHeld()
	fault.session.Faults = []evidence.Fault{{Scenario: "waking-1", Kind: "expect", Text: "2 message:send were made, the file expects 1"}}

	part := allHeld()
	part.session.Subject.Capabilities = append(verdict.Required(), "files")
	part.session.Selection.Level = "MUST"
	part.session.Skipped = []evidence.Skipped{
		{Scenario: "fits-a-pair/pair=[1s,2s]", Reason: "needs timeout_pair, which the subject does not claim"},
		{Scenario: "fits-a-pair/pair=[2s,1s]", Reason: "needs timeout_pair, which the subject does not claim"},
		{Scenario: "task-send", Reason: "needs task_mode, which the subject does not claim"},
		{Scenario: "task-get", Reason: "needs task_mode, which the subject does not claim"},
	}
	part.drop("TASK-01")
	part.drop("REQ-17")

	known := allHeld()
	known.set("FLOW-06", 2, suites.Failed, "the second resolve arrived 0.5 s after the answer, 1 s too early")
	known.set("REQ-02", 1, suites.Failed, "the body names the role ROLE_AGENT")
	known.drop("TASK-01")
	known.known = []baseline.Entry{
		{Rule: "FLOW-06", Scenario: "waking-*", Status: baseline.Failed, Reason: "waits a second at most; \x1b[31mthe next release does not", Issue: "https://example.org/42", Line: 4},
		{Rule: "REQ-02", Status: baseline.Failed, Reason: baseline.Unreviewed, Line: 8},
		{Rule: "TASK-01", Status: baseline.NotExercised, Reason: "no Agent of ours has Tasks", Line: 10},
		{Rule: "BUD-01", Status: baseline.Failed, Reason: "of another part", Line: 13},
	}

	stale := allHeld()
	stale.known = []baseline.Entry{
		{Rule: "FLOW-06", Scenario: "waking-*", Status: baseline.Failed, Reason: "waits a second at most", Line: 4},
		{Rule: "TASK-01", Status: baseline.NotExercised, Reason: "no Agent of ours has Tasks", Line: 10},
	}

	return map[string]*sample{
		"known": known, "stale": stale,
		"green": allHeld(), "failures": failing, "strict": strict, "not-judged": notJudged, "silent": silent, "fault": fault, "part": part,
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; look at it, and run the test with -update if it is right:\n%s", file, diff)
	}
}

func write(t *testing.T, format string, r verdict.Result, o Options) []byte {
	t.Helper()
	f, ok := Find(format)
	if !ok {
		t.Fatalf("there is no format %q", format)
	}
	var b bytes.Buffer
	if err := f.Write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestConsole(t *testing.T) {
	t.Parallel()
	for name, s := range samples() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, write(t, "console", s.result(), Options{}))
		})
	}
}

func TestConsoleVerbose(t *testing.T) {
	t.Parallel()
	golden(t, "verbose", write(t, "console", samples()["failures"].result(), Options{Verbose: true}))
	golden(t, "narrow", write(t, "console", samples()["failures"].result(), Options{Width: 80, Verbose: true}))
}

// TestOnAScreenRemarksAreShort wants one line for each remark there, and a word on how to see the whole; elsewhere, and
// where everything was asked for, nothing is cut.
func TestOnAScreenRemarksAreShort(t *testing.T) {
	t.Parallel()
	const hint, end = "\n               -v shows them whole\n", "(waking-0 and 2 other checks)"
	for _, test := range []struct {
		o     Options
		whole bool
	}{{Options{Screen: true}, false}, {Options{}, true}, {Options{Screen: true, Verbose: true}, true}} {
		text := string(write(t, "console", samples()["failures"].result(), test.o))
		shown := strings.Contains(strings.Join(strings.Fields(text), " "), end)
		if shown != test.whole || strings.Contains(text, hint) == test.whole {
			t.Errorf("%+v: the whole remark is shown: %t, want %t, in\n%s", test.o, shown, test.whole, text)
		}
	}
	if text := string(write(t, "console", samples()["strict"].result(), Options{Screen: true})); strings.Contains(text, hint) {
		t.Errorf("nothing was cut, and yet there is more:\n%s", text)
	}
}

func TestAdviceIsGivenWhereItIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, wanted := range []bool{true, false} {
		text := string(write(t, "console", samples()["green"].result(), Options{Advice: wanted}))
		if strings.Contains(text, "To judge your own Go client") != wanted {
			t.Errorf("the advice is wanted: %t\n%s", wanted, text)
		}
	}
}

// TestWidth holds every line to the width, but those that hold one word that is longer.
func TestWidth(t *testing.T) {
	t.Parallel()
	for name, s := range samples() {
		for _, o := range []Options{{Width: 80}, {Width: 80, Screen: true}, {Width: 80, Verbose: true}, {Width: 120}, {Width: 3}} {
			for line := range strings.Lines(string(write(t, "console", s.result(), o))) {
				width := o.Width
				if width < 40 {
					width = DefaultWidth
				}
				line = strings.TrimRight(line, "\n")
				if utf8.RuneCountInString(line) > width {
					t.Errorf("%s at %d columns: %q", name, width, line)
				}
			}
		}
	}
}

func TestColourIsTheOnlyDifference(t *testing.T) {
	t.Parallel()
	for name, s := range samples() {
		black := string(write(t, "console", s.result(), Options{}))
		coloured := string(write(t, "console", s.result(), Options{Colour: true}))
		if !strings.Contains(coloured, "\x1b[") || strings.Contains(black, "\x1b") {
			t.Errorf("%s: colours are not where they were asked for", name)
		}
		for _, c := range []colour{bold, red, green, yellow} {
			coloured = strings.ReplaceAll(coloured, "\x1b["+string(c)+"m", "")
		}
		if diff := cmp.Diff(black, strings.ReplaceAll(coloured, "\x1b[0m", "")); diff != "" {
			t.Errorf("%s: beside colours the two differ:\n%s", name, diff)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(verdict.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("result.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("result.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range samples() {
		text := write(t, "json", s.result(), Options{})
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "failures" {
			golden(t, "failures-json", text)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestTheWriterErrorIsKept(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		f, _ := Find(name)
		if err := f.Write(fullDisk{}, allHeld().result(), Options{}); err == nil {
			t.Errorf("%s: the error of the writer is lost", name)
		}
	}
	if _, ok := Find("yaml"); ok {
		t.Error("a format that does not exist was found")
	}
}
