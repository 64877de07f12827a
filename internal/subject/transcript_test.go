//go:build unix

package subject

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// The dialogues of docs/drivers.md are one session, in the order of their files.
const transcripts = "testdata/transcripts"

// transcriptVariable tells the scripted driver where the transcripts are.
const transcriptVariable = "SUBJECT_TEST_TRANSCRIPTS"

// spoken is a line of a transcript: "→" is written by the harness, "←" by the driver.
type spoken struct {
	from string
	text string
}

func (s spoken) String() string { return s.from + " " + s.text }

// readTranscripts returns the lines of all transcripts, and the text of each file by its name.
func readTranscripts(dir string) (all []spoken, files map[string]string, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, nil, err
	}
	files = map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		files[filepath.Base(path)] = string(text)
		for line := range strings.Lines(string(text)) {
			from, said, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if !ok || from != "→" && from != "←" {
				return nil, nil, fmt.Errorf("%s: neither of the harness nor of the driver: %s", path, line)
			}
			all = append(all, spoken{from, said})
		}
	}
	return all, files, nil
}

// replay is a driver that says its part of the transcripts, each line when the lines before it were read.
func replay() int {
	lines, _, err := readTranscripts(os.Getenv(transcriptVariable))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 9
	}
	in := bufio.NewScanner(os.Stdin)
	for _, line := range lines {
		if line.from == "←" {
			fmt.Println(line.text)
			continue
		}
		if !in.Scan() {
			return 8
		}
	}
	return 0
}

// play makes the session do what the transcripts say and checks that it says its part of them.
type play struct {
	*testing.T

	session   Watched
	said      chan spoken
	instances map[string]Instance
	giveUp    map[string]context.CancelFunc
	answers   map[string]chan Answer
	started   chan error
	stopped   chan struct{}
}

func newPlay(t *testing.T, session Watched) *play {
	t.Helper()
	p := &play{
		T: t, session: session, said: make(chan spoken, 100), instances: map[string]Instance{}, giveUp: map[string]context.CancelFunc{},
		answers: map[string]chan Answer{}, started: make(chan error, 1), stopped: make(chan struct{}),
	}
	session.Watch(Watch{
		Sent:  func(line []byte) { p.said <- spoken{"→", string(line)} },
		Heard: func(line []byte) { p.said <- spoken{"←", string(line)} },
		Wrong: func(err error) { t.Error(err) },
	})
	return p
}

// act does what makes the harness say a line.
func (p *play) act(line string) {
	p.Helper()
	var m callMessage
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		p.Fatal(err)
	}
	switch {
	case m.Type == typeHello:
		go func() { p.started <- p.session.Start(p.Context(), *m.Platform.platform()) }()
	case m.Type == typeCancel:
		p.giveUp[m.ID]()
	case m.Type == typeBye:
		go func() {
			p.session.Stop()
			close(p.stopped)
		}()
	case m.Op != unknownOp: // which Start asks for by itself
		p.call(m)
	}
}

func (m *platformMessage) platform() *Platform {
	if m == nil {
		return nil
	}
	return &Platform{URL: m.URL, Token: m.Token, RefreshToken: m.RefreshToken}
}

func (p *play) call(m callMessage) {
	p.Helper()
	run, client, _ := strings.Cut(m.Client, ".")
	if p.instances[run] == nil {
		made, err := p.session.Open(Env{})
		if err != nil {
			p.Fatal(err)
		}
		p.instances[run] = made
	}
	asked := Call{Client: client, Session: m.Session, Op: evidence.CallOp(m.Op), Input: m.Input.Input, Platform: m.Platform.platform()}
	for _, f := range m.Input.Files {
		asked.Files = append(asked.Files, File(f))
	}
	ctx, cancel := context.WithCancel(p.Context())
	p.Cleanup(cancel)
	answer := make(chan Answer, 1)
	p.giveUp[m.ID], p.answers[m.ID] = cancel, answer
	instance := p.instances[run]
	go func() { answer <- instance.Do(ctx, asked) }()
}

// next is what is said next.
func (p *play) next() spoken {
	p.Helper()
	select {
	case s := <-p.said:
		return s
	case <-time.After(20 * time.Second):
		p.Fatal("nothing more is said")
		return spoken{}
	}
}

// check compares what the calls came to with what the driver said.
func (p *play) check(line string) {
	p.Helper()
	if line == "" { // the answer over HTTP to what has none
		return
	}
	var r struct {
		Type    string           `json:"type"`
		ID      string           `json:"id"`
		Elapsed float64          `json:"elapsed"`
		Reason  string           `json:"reason"`
		Outcome evidence.Outcome `json:"outcome"`
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		p.Fatal(err)
	}
	answer := p.answers[r.ID]
	if answer == nil { // hello, and the answer to the operation that there is not
		return
	}
	got := <-answer
	want := r.Outcome
	if r.Type == typeUnsupported {
		want = evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: r.Reason}
	}
	if diff := cmp.Diff(want, got.Outcome); diff != "" {
		p.Errorf("the call %s: %s", r.ID, diff)
	}
	if r.Type == typeResult && (got.Elapsed == nil || (got.Elapsed.Seconds()-r.Elapsed) > 1e-6) {
		p.Errorf("the call %s took %v, want %v s", r.ID, got.Elapsed, r.Elapsed)
	}
}

// run plays all lines; told is informed of each that is the driver's.
func (p *play) run(lines []spoken, told func(string)) {
	p.Helper()
	for _, line := range lines {
		if line.from == "→" {
			p.act(line.text)
		} else {
			told(line.text)
		}
		if diff := cmp.Diff(line.String(), p.next().String()); diff != "" {
			p.Fatalf("the transcript says something else:\n%s", diff)
		}
		if line.from == "←" {
			p.check(line.text)
		}
	}
	<-p.stopped
	if err := <-p.started; err != nil {
		p.Error(err)
	}
	for _, i := range p.instances {
		if noticing, ok := i.(Breaching); !ok || len(noticing.Breaches()) > 0 {
			p.Errorf("%T notices breaches of the protocol in a transcript of it", i)
		}
	}
}

func TestTranscriptsAreWhatIsSaid(t *testing.T) {
	t.Parallel()
	lines, _, err := readTranscripts(transcripts)
	if err != nil || len(lines) < 20 {
		t.Fatalf("%d lines: %v", len(lines), err)
	}
	dir, err := filepath.Abs(transcripts)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDriver([]string{os.Args[0]}, DriverOptions{Dir: t.TempDir(), Surroundings: os.Environ(), Env: []string{
		actVariable + "=transcript", transcriptVariable + "=" + dir, "GOCOVERDIR=" + t.TempDir(),
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Stop)
	newPlay(t, d).run(lines, func(string) {})
}

// Attached drivers speak the same dialogue, each line of the harness a request of its own.
func TestTranscriptsAreWhatIsSaidOverHTTP(t *testing.T) {
	t.Parallel()
	lines, _, err := readTranscripts(transcripts)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]chan string{}
	for _, line := range lines {
		answers[idOf(t, line.text)] = make(chan string, 2)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m callMessage
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil || r.URL.Path != "/driver/"+m.Type || r.Method != http.MethodPost {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		if m.Type == typeHello || m.Type == typeCall {
			fmt.Fprintln(w, <-answers[m.ID])
		}
	}))
	t.Cleanup(server.Close)
	// The answers to cancel and bye are empty.
	kept := slices.Collect(func(yield func(spoken) bool) {
		for _, line := range lines {
			more := yield(line)
			if strings.Contains(line.text, `"type":"cancel"`) || strings.Contains(line.text, `"type":"bye"`) {
				more = more && yield(spoken{"←", ""})
			}
			if !more {
				return
			}
		}
	})
	p := newPlay(t, Attach(server.URL+"/driver/"))
	p.run(kept, func(text string) {
		if text != "" {
			answers[idOf(t, text)] <- text
		}
	})
}

func TestTranscriptsKeepTheSchema(t *testing.T) {
	t.Parallel()
	lines, _, err := readTranscripts(transcripts)
	if err != nil {
		t.Fatal(err)
	}
	own, other, whole := messageSchema(t, "FromHarness"), messageSchema(t, "FromDriver"), messageSchema(t, "")
	for _, line := range lines {
		right, wrong := own, other
		if line.from == "←" {
			right, wrong = other, own
		}
		for _, schema := range []*jsonschema.Schema{right, whole} {
			if err := keeps(t, schema, line.text); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
		if keeps(t, wrong, line.text) == nil {
			t.Errorf("%s: the schema takes it in the other direction too", line)
		}
	}
}

func idOf(t *testing.T, line string) string {
	t.Helper()
	var m struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatal(err)
	}
	return m.ID
}

var update = flag.Bool("update", false, "show the transcripts in docs/drivers.md as they are")

// TestDocsShowTheTranscripts holds docs/drivers.md to the transcripts, each of which it shows once.
func TestDocsShowTheTranscripts(t *testing.T) {
	t.Parallel()
	const page = "../../docs/drivers.md"
	_, files, err := readTranscripts(transcripts)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	block := regexp.MustCompile("(?s)<!-- transcript (\\S+) -->\n.*?<!-- end -->")
	want := block.ReplaceAllStringFunc(string(text), func(found string) string {
		name := block.FindStringSubmatch(found)[1]
		shown[name]++
		return "<!-- transcript " + name + " -->\n```\n" + files[name] + "```\n<!-- end -->"
	})
	for name := range files {
		if shown[name] != 1 {
			t.Errorf("%s is shown %d times", name, shown[name])
		}
	}
	if len(shown) != len(files) {
		t.Errorf("%d transcripts are shown, and there are %d", len(shown), len(files))
	}
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("the page shows something else; run the test with -update:\n%s", diff)
	}
}
