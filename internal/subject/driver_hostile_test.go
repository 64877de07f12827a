//go:build unix

package subject

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// hostile lets the toy driver do what a bad one does; false where the message asks for something else.
func hostile(message, id string, waiting *string, result func(id, outcome string)) bool {
	const sound = `{"kind":"message","message":{}}`
	switch message {
	case "twice":
		result(id, sound)
		result(id, sound)
	case "late":
		result(id, sound)
		result(*waiting, sound)
	case "half":
		fmt.Print(`{"type":"result","id":"` + id + `","outc`)
		os.Exit(5)
	case "hello again":
		fmt.Println(`{"type":"hello","protocol":1,"client":{"name":"other"},"capabilities":[]}`)
		result(id, sound)
	case "flood":
		for line := bytes.Repeat([]byte("x\n"), 1<<15); ; {
			if _, err := os.Stdout.Write(line); err != nil {
				os.Exit(6)
			}
		}
	case "long":
		part := bytes.Repeat([]byte("x"), 1<<20)
		for range 70 {
			_, _ = os.Stdout.Write(part)
		}
		fmt.Println()
	case "deep":
		result(id, strings.Repeat(`{"a":`, 1<<16)+"1"+strings.Repeat("}", 1<<16))
		result(id, sound)
	case "grandchild":
		child := exec.Command("sleep", "20")
		child.Stdout, child.Stderr, child.SysProcAttr = os.Stdout, os.Stderr, &syscall.SysProcAttr{Setsid: true}
		_ = child.Start()
		result(id, fmt.Sprintf(`{"kind":"message","message":{"pid":%d}}`, child.Process.Pid))
	default:
		return false
	}
	return true
}

// breachesOf are what is wrong with what an instance heard.
func breachesOf(t *testing.T, i Instance) []string {
	t.Helper()
	noticing, ok := i.(Breaching)
	if !ok {
		t.Fatal("a driver's instance notices no breaches")
	}
	var why []string
	for _, b := range noticing.Breaches() {
		why = append(why, b.Why)
	}
	return why
}

// soon runs f and fails where it does not come to an end.
func soon(t *testing.T, what string, most time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { // ends with f
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(most):
		t.Fatalf("%s did not end within %s", what, most)
	}
}

func TestDriverThatAnswersTwiceIsHeardOnce(t *testing.T) {
	t.Parallel()
	d, i := driving(t)
	if a := i.Do(t.Context(), saying("twice")); a.Kind != evidence.OutcomeMessage {
		t.Errorf("the first answer came to %+v", a)
	}
	if a := i.Do(t.Context(), saying("hello again")); a.Kind != evidence.OutcomeMessage {
		t.Errorf("the call with a second hello came to %+v", a)
	}
	got := strings.Join(breachesOf(t, i), "; ")
	if got != `a second answer to a call; a message of the type "hello", want result or unsupported` {
		t.Errorf("noticed %q", got)
	}
	if d.About().Name != "toy" || d.Lost() != nil {
		t.Errorf("after a second hello it is %q, lost: %v", d.About().Name, d.Lost())
	}
}

func TestAnswersInAnotherOrderFindTheirCalls(t *testing.T) {
	t.Parallel()
	_, i := driving(t)
	first := make(chan Answer, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { first <- i.Do(ctx, saying("wait")) }() // ends with its answer
	for done := false; !done; {
		if a := i.Do(t.Context(), saying("late")); a.Kind != evidence.OutcomeMessage {
			t.Fatalf("the second call came to %+v", a)
		}
		select {
		case a := <-first:
			if done = true; a.Kind != evidence.OutcomeMessage {
				t.Errorf("the first call came to %+v", a)
			}
		case <-time.After(20 * time.Millisecond): // it had not been read before the other
			breachesOf(t, i)
		}
	}
}

func TestDriverThatEndsInTheMiddleOfALine(t *testing.T) {
	t.Parallel()
	d, i := driving(t)
	if a := i.Do(t.Context(), saying("half")); a.Kind != evidence.OutcomeCrash || !strings.Contains(a.Reason, "exit status 5") {
		t.Errorf("got %+v, want a crash", a)
	}
	if a := i.Do(t.Context(), saying("hello")); a.Kind != evidence.OutcomeMessage || !a.Disturbed || d.Lost() != nil {
		t.Errorf("the call that waited for the next start came to %+v, lost: %v", a, d.Lost())
	}
	if a := i.Do(t.Context(), saying("hello")); a.Kind != evidence.OutcomeMessage || a.Disturbed {
		t.Errorf("the call after it came to %+v", a)
	}
}

func TestACallerWhoGivesUpLosesNobodyTheNextStart(t *testing.T) {
	t.Parallel()
	d, i := driving(t)
	i.Do(t.Context(), saying("die"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a := i.Do(ctx, saying("hello")); a.Kind != evidence.OutcomeMessage || d.Lost() != nil {
		t.Errorf("a call whose caller had given up came to %+v, lost: %v", a, d.Lost())
	}
}

func TestDriverThatWritesWithoutEnd(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{"flood": "broke the protocol 10 times", "long": "a line of more than 67108864 bytes"} {
		d, i := driving(t)
		soon(t, message, 30*time.Second, func() {
			if a := i.Do(t.Context(), saying(message)); a.Kind != evidence.OutcomeCrash || !strings.Contains(a.Reason, want) {
				t.Errorf("%s: got %.300v, want a crash because of %q", message, a, want)
			}
		})
		if n := len(breachesOf(t, i)); n > keptBreaches {
			t.Errorf("%s: %d breaches are kept", message, n)
		}
		if (d.Lost() != nil) != (message == "flood") {
			t.Errorf("%s: lost: %v", message, d.Lost())
		}
	}
}

func TestALineThatIsTooDeepIsABreachAndNoAnswer(t *testing.T) {
	t.Parallel()
	_, i := driving(t)
	a := i.Do(t.Context(), saying("deep"))
	if got := breachesOf(t, i); a.Kind != evidence.OutcomeMessage || len(got) != 1 || !strings.Contains(got[0], "no message") {
		t.Errorf("came to %.200v with the breaches %.200v", a, got)
	}
}

func TestDriverThatLeavesItsPipesToAnother(t *testing.T) {
	t.Parallel()
	d, i := driving(t)
	a := i.Do(t.Context(), saying("grandchild"))
	if a.Kind != evidence.OutcomeMessage {
		t.Fatalf("got %+v", a)
	}
	t.Cleanup(func() {
		var pid int
		if _, err := fmt.Sscanf(string(a.Message), `{"pid":%d}`, &pid); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	soon(t, "stopping", 10*time.Second, d.Stop)
}

func TestDriverThatDoesNotHeedBye(t *testing.T) {
	t.Parallel()
	d, err := toy(t, "deaf driver")
	if err != nil {
		t.Fatal(err)
	}
	var ending Ending
	d.watch = &Watch{Ended: func(e Ending) { ending = e }}
	d.line.waits = [3]time.Duration{20 * time.Millisecond, 20 * time.Millisecond, killPatience}
	soon(t, "stopping", 10*time.Second, d.Stop)
	if ending.By != "KILL" || !ending.Failed {
		t.Errorf("it was ended by %+v, want KILL", ending)
	}
	if a := mustOpen(t, d).Do(t.Context(), saying("hello")); a.Kind != evidence.OutcomeCrash || !strings.Contains(a.Reason, "the session is over") {
		t.Errorf("a call after the end came to %+v", a)
	}
}

// outlast ends once a process of its own has, and takes no notice of TERM itself.
func outlast() int {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM)
	if err := exec.Command("sleep", "60").Run(); err == nil {
		return 9
	}
	return 0
}

func TestTERMGoesToAllOfADriversGroup(t *testing.T) {
	t.Parallel()
	d, err := toy(t, "clan")
	if err != nil {
		t.Fatal(err)
	}
	var ending Ending
	d.watch = &Watch{Ended: func(e Ending) { ending = e }}
	d.line.waits = [3]time.Duration{time.Second, 20 * time.Second, killPatience}
	soon(t, "stopping", 15*time.Second, d.Stop)
	if ending.By != "TERM" || ending.Failed || ending.Left {
		t.Errorf("it was ended by %+v, want TERM to have ended what it waits for", ending)
	}
}

func mustOpen(t *testing.T, s Subject) Instance {
	t.Helper()
	i, err := s.Open(Env{})
	if err != nil {
		t.Fatal(err)
	}
	return i
}
