package runner

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

func TestWhatACommandCannotBeAskedIsSkipped(t *testing.T) {
	t.Parallel()
	about := subject.InProcess("tool", nil).About()
	timed := func(to evidence.Timeout) scenarios.Case {
		call := scenarios.Call{Op: evidence.CallSend, Input: scenarios.Input{Timeout: evidence.Some(to)}}
		return scenarios.Case{Calls: []scenarios.CallStep{{Call: &call}}}
	}
	nul := scenarios.Call{Op: evidence.CallSend, Input: scenarios.Input{MessageID: evidence.Some("a\x00")}}
	tests := []struct {
		name string
		made scenarios.Case
		want string
	}{
		{"whole seconds", timed(evidence.Timeout{Total: 2}), ""},
		{"a fraction", timed(evidence.Timeout{Total: 0.5}), "a command takes a timeout of whole seconds, not 0.5"},
		{"calls together", scenarios.Case{Calls: []scenarios.CallStep{{}, {Together: []scenarios.Call{nul}}}}, "an argument cannot hold U+0000"},
		{"a capability", scenarios.Case{Needs: []string{"cancel", "command"}}, "needs cancel, which the subject does not claim"},
	}
	for _, tt := range tests {
		if got := unfit(tt.made, about); got != tt.want {
			t.Errorf("%s: want %q, got %q", tt.name, tt.want, got)
		}
	}
	if got := unfit(timed(evidence.Timeout{Total: 0.5}), evidence.Subject{}); got != "" {
		t.Errorf("want a client of another kind to be asked, got %q", got)
	}
}

// TestDirectoryOfFilesIsTakenOut: it is another in each session.
func TestDirectoryOfFilesIsTakenOut(t *testing.T) {
	t.Parallel()
	call := scenarios.Call{ID: "a", Client: "a", Session: "main", User: "main", Backend: "platform", Op: evidence.CallSend}
	call.Input.Files = []scenarios.InputFile{{Name: "a.pdf", Size: 3, MediaType: "application/pdf"}}
	made := scenarios.Case{ID: "x", Calls: []scenarios.CallStep{{Call: &call}}}
	program := func(_ context.Context, p subject.Process) int {
		fmt.Fprint(p.Stdout, p.Args[6])
		fmt.Fprint(p.Stderr, p.Args[6])
		return 0
	}
	rec, err := RunAll(t.Context(), subject.InProcess("tool", program), []scenarios.Case{made}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := rec.Runs[0].Calls[0].Command
	for _, text := range []string{string(c.Stdout), string(c.Stderr), c.Args[6]} {
		if text != "‹files›/3/a.pdf" {
			t.Errorf("got %q", text)
		}
	}
}

// speaking is a command that does what the control asks for, or says in some way why not.
func speaking(status int, request bool, said string) subject.Program {
	return func(ctx context.Context, p subject.Process) int {
		fmt.Fprint(p.Stderr, said)
		if !request {
			return status
		}
		url := p.Env("MAINSEQUENCE_ENDPOINT") + "/api/v1/agent-sessions/" + p.Args[4] + "/resolve-runtime-access/"
		asked, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("{}"))
		if err != nil {
			return 9
		}
		asked.Header.Set("Authorization", "Bearer "+p.Env("MAINSEQUENCE_ACCESS_TOKEN"))
		web := http.Client{Transport: &http.Transport{DialContext: p.Dial}}
		answer, err := web.Do(asked)
		if err != nil {
			return 9
		}
		defer func() { _ = answer.Body.Close() }()
		_, _ = io.Copy(p.Stdout, answer.Body)
		return status
	}
}

func TestControlSaysWhatACommandSaid(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		program subject.Program
		want    []string
	}{
		{"usage", speaking(2, false, "no such option:\n  --message"), []string{"nothing arrived", "exit status 2; the end of its standard error: no such option: --message"}},
		{"silent", speaking(0, false, ""), []string{"exit status 0; it printed nothing"}},
		{"long", speaking(1, false, strings.Repeat("é ", 900)+"the end"), []string{"standard error: …", "é the end"}},
		{"never ends", func(ctx context.Context, _ subject.Process) int {
			<-ctx.Done()
			return 0
		}, []string{"nothing arrived; the command had not ended when its time was over, and was killed; it printed nothing"}},
		{"on standard output", speaking(1, true, ""), []string{"what arrived: POST", "the end of its standard output: …", `"wake":null}}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec, err := RunAll(t.Context(), subject.InProcess("tool", tt.program), nil, Options{Control: shippedCase(t, scenarios.Control)})
			if err != nil {
				t.Fatal(err)
			}
			held, text := rec.Session.Control.Held, rec.Session.Control.Text
			if held || slices.ContainsFunc(tt.want, func(want string) bool { return !strings.Contains(text, want) }) {
				t.Errorf("want %q, got held %t: %s", tt.want, held, text)
			}
		})
	}
}

// shippedCase is the first case of a scenario of the program, on virtual time.
func shippedCase(t *testing.T, name string) scenarios.Case {
	t.Helper()
	files, err := scenarios.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return files[0].Cases(evidence.ClockVirtual)[0]
}

// TestScenariosOfCommandsAreNoPartOfOthers: they are left out of a judging of another kind of subject, and not skipped.
func TestScenariosOfCommandsAreNoPartOfOthers(t *testing.T) {
	t.Parallel()
	g, err := newVirtual(1)
	if err != nil {
		t.Fatal(err)
	}
	cases := []scenarios.Case{{ID: "plain"}, {ID: "of a command", Needs: []string{"command"}}}
	for _, tt := range []struct {
		subject subject.Subject
		want    int
	}{{subject.Reference("test"), 1}, {subject.InProcess("tool", nil), 2}} {
		r := Recording{Session: evidence.Session{Subject: tt.subject.About()}}
		if got := r.fitting(cases, g); len(got) != tt.want || len(r.Session.Skipped) > 0 {
			t.Errorf("%s: want %d cases and none skipped, got %d and %v", tt.subject.About().Name, tt.want, len(got), r.Session.Skipped)
		}
	}
}
