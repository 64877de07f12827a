//go:build unix

package subject

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// drive is a driver that does what the message of a call says.
func drive() int {
	in := bufio.NewScanner(os.Stdin)
	in.Scan() // hello
	if os.Getenv(actVariable) == "deaf driver" {
		signal.Ignore(syscall.SIGTERM)
	}
	fmt.Println(`{"type":"hello","protocol":1,"client":{"name":"toy","version":"2"},"capabilities":["send","cancel","send"],"parallel":4,"more":1}`)
	var waiting string
	for in.Scan() {
		var m struct {
			Type   string `json:"type"`
			ID     string `json:"id"`
			Op     string `json:"op"`
			Client string `json:"client"`
			Input  struct {
				Message string `json:"message"`
			} `json:"input"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			return 9
		}
		result := func(id, outcome string) {
			fmt.Printf(`{"type":"result","id":%q,"elapsed":0.5,"outcome":%s}`+"\n", id, outcome)
		}
		switch {
		case m.Type == typeBye && os.Getenv(actVariable) == "deaf driver":
			return wait() // on input, too, it listens no more
		case m.Type == typeBye && os.Getenv(actVariable) == "clan":
			return outlast()
		case m.Type == typeBye:
			return 0
		case m.Type == typeCancel:
			result(m.ID, `{"kind":"error","error":{"category":"other","name":"Cancelled"}}`)
		case m.Op != "send":
			fmt.Printf(`{"type":"unsupported","id":%q,"reason":"no such operation"}`+"\n", m.ID)
		case m.Input.Message == "wait":
			waiting = m.ID
		case m.Input.Message == "die":
			fmt.Fprintln(os.Stderr, "out of luck", waiting)
			return 3
		case m.Input.Message == "stop listening":
			result(m.ID, `{"kind":"message","message":{}}`)
			_ = os.Stdin.Close()
			fmt.Fprintln(os.Stderr, "no more")
			<-time.After(300 * time.Millisecond)
			return 3
		case strings.HasPrefix(m.Input.Message, "return "):
			result(m.ID, `{"kind":"message","message":`+strings.TrimPrefix(m.Input.Message, "return ")+"}")
		case m.Input.Message == "babble":
			fmt.Println("no JSON")
			result("c999", `{"kind":"message","message":{}}`)
			result(m.ID, `{"kind":"guess"}`)
		case hostile(m.Input.Message, m.ID, &waiting, result):
		default:
			result(m.ID, fmt.Sprintf(`{"kind":"message","message":{"client":%q}}`, m.Client))
		}
	}
	return 0
}

// toy starts the test binary as a driver that acts in one way.
func toy(t *testing.T, act string) (*Driver, error) {
	t.Helper()
	d, err := NewDriver([]string{os.Args[0]}, DriverOptions{Dir: t.TempDir(), Surroundings: os.Environ(), Env: []string{actVariable + "=" + act, "GOCOVERDIR=" + t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Stop)
	err = d.Start(t.Context(), Platform{URL: "http://127.0.0.1:1", Token: "t", RefreshToken: "r"})
	return d, err
}

// driving is an instance of the toy driver.
func driving(t *testing.T) (*Driver, Instance) {
	t.Helper()
	d, err := toy(t, "driver")
	if err != nil {
		t.Fatal(err)
	}
	i, err := d.Open(Env{})
	if err != nil {
		t.Fatal(err)
	}
	return d, i
}

func saying(text string) Call {
	return Call{Client: "a", Session: "s", Op: evidence.CallSend, Input: evidence.Input{Message: evidence.Some(text)}}
}

func TestDriverMakesCalls(t *testing.T) {
	t.Parallel()
	d, i := driving(t)
	want := evidence.Subject{Kind: evidence.KindDriver, Name: "toy", Version: "2", Capabilities: []string{"cancel", "send"}, Parallel: 4}
	if diff := cmp.Diff(want, d.About()); diff != "" {
		t.Errorf("about: %s", diff)
	}
	a := i.Do(t.Context(), saying("hello"))
	if a.Kind != evidence.OutcomeMessage || !strings.Contains(string(a.Message), ".a") || a.Elapsed == nil || a.Elapsed.Milliseconds() != 500 {
		t.Errorf("got %+v, want a Message of a client of this run, after half a second", a)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a := i.Do(ctx, saying("wait")); a.Error == nil || a.Error.Name != "Cancelled" {
		t.Errorf("a call whose caller gave up ended as %+v", a)
	}
}

func TestAResultThatIsNoObjectIsHandedOn(t *testing.T) {
	t.Parallel()
	_, i := driving(t)
	for _, value := range []string{"[1]", `"text"`, "null", "7", "false"} {
		a := i.Do(t.Context(), saying("return "+value))
		if a.Kind != evidence.OutcomeMessage || string(a.Message) != value {
			t.Errorf("%s came as %+v", value, a)
		}
	}
	if noticed := breachesOf(t, i); len(noticed) > 0 {
		t.Errorf("noticed %q", noticed)
	}
}

func TestDriverThatBreaksItsProtocol(t *testing.T) {
	t.Parallel()
	_, i := driving(t)
	a := i.Do(t.Context(), saying("babble"))
	if a.Kind != evidence.OutcomeUnsupported {
		t.Errorf("an outcome that cannot be read came to %q", a.Kind)
	}
	noticing, ok := i.(Breaching)
	if !ok {
		t.Fatal("a driver's instance notices no breaches")
	}
	var why []string
	for _, b := range noticing.Breaches() {
		why = append(why, b.Why)
	}
	if got := strings.Join(why, "; "); len(why) != 3 || !strings.Contains(got, "no message") || !strings.Contains(got, `"c999" that was never made`) || !strings.Contains(got, `kind "guess"`) {
		t.Errorf("noticed %q", got)
	}
}

func TestDriverThatEndsIsStartedAgainThreeTimes(t *testing.T) {
	t.Parallel()
	d, i := driving(t)
	for start := range mostStarts {
		a := i.Do(t.Context(), saying("die"))
		if a.Kind != evidence.OutcomeCrash || !strings.Contains(a.Reason, "exit status 3; the end of its standard error: out of luck") || a.Disturbed {
			t.Fatalf("start %d: %+v", start, a)
		}
	}
	if a := i.Do(t.Context(), saying("hello")); a.Kind != evidence.OutcomeCrash || d.Lost() == nil || !strings.Contains(d.Lost().Error(), "ended 4 times") {
		t.Errorf("after %d ends: %+v, lost: %v", mostStarts, a, d.Lost())
	}
}

func TestACallThatWasNotReadDidNotEndTheDriver(t *testing.T) {
	t.Parallel()
	d, i := driving(t)
	if got := i.Do(t.Context(), saying("stop listening")); got.Kind != evidence.OutcomeMessage {
		t.Fatalf("a call came to %+v", got)
	}
	soon(t, "the driver to stop listening", 30*time.Second, func() {
		for !strings.Contains(d.Said(), "no more") {
			<-time.After(time.Millisecond)
		}
	})
	got := i.Do(t.Context(), saying("hello"))
	if got.Kind != evidence.OutcomeCrash || !got.Disturbed || !strings.Contains(got.Reason, "exit status 3") {
		t.Errorf("a call that came too late came to %+v, want one that is made again", got)
	}
	if got := i.Do(t.Context(), saying("hello")); got.Kind != evidence.OutcomeMessage {
		t.Errorf("made again it came to %+v", got)
	}
}

func TestDriverThatIsNotReady(t *testing.T) {
	t.Parallel()
	for act, wanted := range map[string][]string{
		"old driver": {"the protocol 9", "names no client", "lists no capabilities", "takes 0 calls"},
		"silent end": {"ended before it said hello", "exit status 7"},
	} {
		_, err := toy(t, act)
		for _, want := range wanted {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want it to say %q", act, err, want)
			}
		}
	}
}

func TestATwinIsAProcessOfItsOwn(t *testing.T) {
	t.Parallel()
	d, i := driving(t)
	twin := d.Twin()
	t.Cleanup(twin.Stop)
	if err := twin.Start(t.Context(), Platform{URL: "http://127.0.0.1:2", Token: "u", RefreshToken: "s"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.About(), twin.About()); diff != "" {
		t.Errorf("the twin is another client: %s", diff)
	}
	if a := mustOpen(t, twin).Do(t.Context(), saying("die")); a.Kind != evidence.OutcomeCrash || !strings.Contains(a.Reason, "out of luck") {
		t.Errorf("the call that ends the twin came to %+v", a)
	}
	if a := i.Do(t.Context(), saying("hello")); a.Kind != evidence.OutcomeMessage || a.Disturbed {
		t.Errorf("the call beside it came to %+v", a)
	}
	if a := mustOpen(t, twin).Do(t.Context(), saying("hello")); a.Kind != evidence.OutcomeMessage {
		t.Errorf("the call after the twin's next start came to %+v", a)
	}
	twin.Stop()
	if a := i.Do(t.Context(), saying("hello")); a.Kind != evidence.OutcomeMessage || d.Lost() != nil {
		t.Errorf("after the twin's end a call came to %+v, lost: %v", a, d.Lost())
	}
}

func TestADriverThatIsWatchedHasNoTwin(t *testing.T) {
	t.Parallel()
	d, err := NewDriver([]string{os.Args[0]}, DriverOptions{Dir: t.TempDir(), Surroundings: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Stop)
	d.Watch(Watch{})
	if twin := d.Twin(); twin != nil {
		t.Errorf("got %v", twin)
	}
}
