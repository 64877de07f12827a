package runner

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
)

// tool stands for a command: it makes the reference client's calls, has homes, and ends at a signal.
type tool struct {
	subject.Subject

	mu    sync.Mutex
	calls []subject.Call
	homes []string
}

func (o *tool) Open(env subject.Env) (subject.Instance, error) {
	inner, err := o.Subject.Open(env)
	return &toolInstance{inner, o}, err
}

type toolInstance struct {
	subject.Instance

	tool *tool
}

func (i *toolInstance) Do(ctx context.Context, call subject.Call) subject.Answer {
	i.tool.mu.Lock()
	i.tool.calls = append(i.tool.calls, call)
	i.tool.mu.Unlock()
	if call.Signal == nil {
		a := i.Instance.Do(ctx, call)
		a.Command = &evidence.Command{Stderr: evidence.Text("the message id is 7c1f9a3e-0001-4000-8000-00000000000a\n")}
		return a
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan subject.Answer, 1)
	go func() { done <- i.Instance.Do(ctx, call) }() // ends with the call
	select {
	case a := <-done:
		return a
	case <-call.Signal.Due:
		now := time.Now()
		cancel()
		<-done
		return subject.Answer{Outcome: evidence.Outcome{Kind: evidence.OutcomePrinted}, Command: &evidence.Command{Exit: 130}, Signalled: &now}
	}
}

func (i *toolInstance) note(text string) error {
	i.tool.homes = append(i.tool.homes, text)
	return nil
}

// Spoil implements subject.Homes.
func (i *toolInstance) Spoil(client, how string) error { return i.note(client + " " + how) }

// Put implements subject.Homes.
func (i *toolInstance) Put(client string, file subject.HomeFile) error {
	return i.note(client + " " + file.Path)
}

func commandCase(t *testing.T, steps ...scenarios.CallStep) scenarios.Case {
	t.Helper()
	c := plainCase(t)
	c.Calls, c.Expect = steps, nil
	c.When = map[evidence.Op][]scenarios.Step{
		evidence.OpResolveAccess: {{Reply: scenarios.Reply{Ready: &scenarios.Ready{Endpoint: scenarios.EndpointRuntime}}}},
		evidence.OpSendMessage: {{
			Reply: scenarios.Reply{Message: &scenarios.Message{Text: "hello"}}, Wire: scenarios.Wire{HeadAfter: 3 * time.Second},
		}},
	}
	return c
}

func TestASignalIsDueAfterItsExchange(t *testing.T) {
	t.Parallel()
	signalled := func(s scenarios.Signal) scenarios.CallStep {
		call := *plainCase(t).Calls[0].Call
		call.Signal = &s
		return scenarios.CallStep{Call: &call}
	}
	tests := []struct {
		name   string
		signal scenarios.Signal
		at     time.Duration // zero for a signal that never becomes due
	}{
		{"after a delay", scenarios.Signal{Name: "INT", Delay: 700 * time.Millisecond}, 700 * time.Millisecond},
		{"after an exchange", scenarios.Signal{
			Name: "TERM", Delay: 2 * time.Second, After: &scenarios.AfterExchange{Op: evidence.OpSendMessage, N: 1},
		}, 2*time.Second + 1009*time.Microsecond},
		{"after one that never comes", scenarios.Signal{
			Name: "INT", After: &scenarios.AfterExchange{Op: evidence.OpSendMessage, N: 2},
		}, 0},
		{"after the call has ended", scenarios.Signal{Name: "INT", Delay: time.Minute}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			rec, err := RunAll(t.Context(), &tool{Subject: subject.Reference("test")},
				[]scenarios.Case{commandCase(t, signalled(test.signal))}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			run := rec.Runs[0]
			if run.End.How != evidence.EndSettled {
				t.Fatalf("the run ended as %s: %s", run.End.How, run.End.Text)
			}
			var want *evidence.Signal
			if test.at > 0 {
				want = &evidence.Signal{Name: test.signal.Name, At: run.Calls[0].Started.Add(test.at)}
			}
			if diff := cmp.Diff(want, run.Calls[0].Signal); diff != "" {
				t.Errorf("the signal differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHomesAreChangedBetweenCallsAndPrintedIDsUsedAgain(t *testing.T) {
	t.Parallel()
	first, second := *plainCase(t).Calls[0].Call, *plainCase(t).Calls[0].Call
	first.ID, second.ID = "first", "second"
	second.Input.MessageID = evidence.Some("${first.printed_id}")
	second.Env, second.Args = []string{"COLUMNS=20"}, []string{"--verbose"}
	o := &tool{Subject: subject.Reference("test")}
	rec, err := RunAll(t.Context(), o, []scenarios.Case{commandCase(t,
		scenarios.CallStep{Call: &first},
		scenarios.CallStep{Home: &scenarios.HomeStep{Client: "a", Spoil: "cut"}},
		scenarios.CallStep{Home: &scenarios.HomeStep{Client: "a", Put: &scenarios.HomeFile{Path: "x/y", Text: "z", Mode: 0o444}}},
		scenarios.CallStep{Call: &second},
	)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a cut", "a x/y"}, o.homes); diff != "" {
		t.Errorf("what was done to the homes differs (-want +got):\n%s", diff)
	}
	calls := rec.Runs[0].Calls
	if diff := cmp.Diff([]evidence.HomeChange{{Spoiled: "cut"}, {Put: "x/y", Mode: "0444"}}, calls[1].Home); diff != "" || calls[0].Home != nil {
		t.Errorf("what is recorded of the homes differs, or stands with the first call too (-want +got):\n%s", diff)
	}
	if got := calls[1].Input.MessageID.Or(""); got != "7c1f9a3e-0001-4000-8000-00000000000a" {
		t.Errorf("the second call was given the message id %q, want the one that the first printed", got)
	}
	if diff := cmp.Diff([][]string{{"COLUMNS=20"}, {"--verbose"}}, [][]string{o.calls[1].Env, o.calls[1].Args}); diff != "" {
		t.Errorf("what the command was started with differs (-want +got):\n%s", diff)
	}
}

func TestAHomeStepNeedsACommand(t *testing.T) {
	t.Parallel()
	rec, err := RunAll(t.Context(), subject.Reference("test"),
		[]scenarios.Case{commandCase(t, scenarios.CallStep{Home: &scenarios.HomeStep{Client: "a", Spoil: "cut"}})}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Session.Faults) != 1 || rec.Session.Faults[0].Kind != "run" {
		t.Errorf("the faults are %v, want one that says that only commands have homes", rec.Session.Faults)
	}
}
