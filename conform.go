// Package conform is the way in for Go clients: it runs the built-in scenarios of ADR 0029 against a client on virtual
// time, inside the client's own tests, in well under a second.
//
//	func TestContract(t *testing.T) {
//		recording := conform.Record(t, subject, open)
//		recording.Check(t)
//	}
//
// Those who use Ginkgo give the recording to suites.Register in place of Check, and see a tree of specs.
//
// The room holds what such a test needs and nothing else. What is run, how it is judged and what a report looks like
// have rooms of their own.
package conform

import (
	"context"
	"fmt"
	"net"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Subject names a client and says what it can do.
type Subject struct {
	Name    string
	Version string
	// Capabilities are those of the driver protocol. Every client must have send, message_id, strict_dictionary and
	// timeout_number; optional ones are timeout_pair, timeout_default, files, typed_errors and cancel.
	// Rules and scenarios that need a missing one are left out, by name.
	Capabilities []string
	// Constants are what the client fixes, such as the shortest wait between two resolves.
	Constants evidence.Constants
	// Only cuts the scenarios to those whose name or run id matches one of these patterns (as path.Match has them).
	// Empty for all.
	Only []string
}

// Env is what a client is told about the world of one run.
type Env struct {
	// PlatformURL and PlatformToken are the platform and the Bearer for it.
	PlatformURL   string
	PlatformToken string
	// DialContext must open every connection of the client: the run's servers are in memory.
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)
	// NewMessageID makes message ids; a client that uses it gives the same recording each time.
	NewMessageID func() string
}

// Call is one call that the client is asked to make.
type Call struct {
	// Client names the instance: calls of one name share what the client caches.
	Client string
	// Session is the uid of the target AgentSession.
	Session string
	Op      evidence.CallOp
	Input   evidence.Input
	Files   []File
}

// File is a file that goes with a call.
type File struct {
	Path      string
	MediaType string
}

// Client is a client under test, in one run. Do makes one call, from several goroutines at once where a scenario wants
// that, and returns exactly what the client gave its caller: an error in the categories of the driver protocol, by its
// type and never by its text; evidence.OutcomeUnsupported for what the client cannot express. Close ends what it still
// holds: a goroutine that is left is a failure (SUBJ-02).
type Client interface {
	Do(ctx context.Context, call Call) evidence.Outcome
	Close() error
}

// Recording is the evidence of a client, ready to be judged.
type Recording struct {
	Session evidence.Session
	Runs    []evidence.Run
}

// Record runs the built-in scenarios against the client that open makes anew for each run, and returns the evidence.
// It ends the test where the harness itself failed, or where the client did not manage the plain success case: then
// nothing can be judged.
func Record(tb testing.TB, about Subject, open func(Env) (Client, error)) Recording {
	tb.Helper()
	cases, control, err := builtin(about.Only)
	if err != nil {
		tb.Fatalf("conform: %v", err)
	}
	rec, err := runner.RunAll(tb.Context(), inProcess{about, open}, cases, runner.Options{
		Tool: evidence.Tool{Name: "a2a-conform"}, Contract: suites.Contract(), Control: control,
		Selection: evidence.Selection{Rules: []string{}, Scenarios: nonNil(about.Only), Level: string(suites.Observe)},
	})
	switch {
	case err != nil:
		tb.Fatalf("conform: %v", err)
	case !rec.Session.Control.Held:
		tb.Fatalf("conform: the plain success case did not succeed, so nothing can be judged: %s", rec.Session.Control.Text)
	case rec.Incomplete != "":
		tb.Fatalf("conform: %s", rec.Incomplete)
	}
	for _, f := range rec.Session.Faults {
		tb.Errorf("conform: a fault of the harness in %s: %s", f.Scenario, f.Text)
	}
	return Recording{Session: rec.Session, Runs: rec.Runs}
}

// Check judges the recording and fails the test for each rule that is broken, once a rule: with what was seen in the
// first of its checks, and how many more there are. A rule that binds and was never put to the test fails it too.
func (r Recording) Check(tb testing.TB) {
	tb.Helper()
	scope := suites.ScopeOf(r.Session)
	checks := suites.Judge(r.Runs, scope)
	if len(checks) == 0 {
		tb.Error("conform: no rule applied to anything that was recorded")
	}
	for _, rule := range scope.Rules {
		var judged []suites.Check
		for _, c := range checks {
			if c.Rule == rule.ID {
				judged = append(judged, c)
			}
		}
		held, _ := suites.Hold().Match(judged) // its error is about values that are no checks
		switch {
		case !held:
			tb.Error(suites.Hold().FailureMessage(judged))
		case len(judged) == 0 && r.expected(rule):
			tb.Errorf("%s was never put to the test: must %s", rule.ID, rule.Obligation)
		}
	}
}

// expected tells whether a rule without a check leaves the judging open: it binds, all scenarios ran, and the client
// claims what the rule needs.
func (r Recording) expected(rule suites.Rule) bool {
	missing := func(need string) bool { return !slices.Contains(r.Session.Subject.Capabilities, need) }
	return rule.Level == suites.Must && len(r.Session.Selection.Scenarios) == 0 && !slices.ContainsFunc(rule.Needs, missing)
}

// builtin returns the cases that ship with the program, cut by patterns, and the plain success case.
func builtin(only []string) (cases []scenarios.Case, control scenarios.Case, err error) {
	files, err := scenarios.Builtin()
	if err != nil {
		return nil, control, err
	}
	for _, pattern := range only {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, control, fmt.Errorf("in Only: the pattern %q cannot be read: %w", pattern, err)
		}
	}
	for _, c := range scenarios.Expand(files, evidence.ClockVirtual) {
		if c.Scenario == scenarios.Control {
			control = c
		}
		if len(only) == 0 || slices.ContainsFunc(only, func(p string) bool { return matches(p, c) }) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return nil, control, fmt.Errorf("in Only: no scenario matches %s", strings.Join(only, ", "))
	}
	return cases, control, nil
}

func matches(pattern string, c scenarios.Case) bool {
	name, _ := path.Match(pattern, c.Scenario)
	id, _ := path.Match(pattern, c.ID)
	return name || id
}

// inProcess is a client of somebody else's as a subject of the runner.
type inProcess struct {
	about Subject
	open  func(Env) (Client, error)
}

// About implements subject.Subject.
func (s inProcess) About() evidence.Subject {
	return evidence.Subject{
		Kind: evidence.KindInProcess, Name: s.about.Name, Version: s.about.Version,
		Capabilities: nonNil(s.about.Capabilities), Constants: s.about.Constants,
	}
}

// Open implements subject.Subject.
func (s inProcess) Open(env subject.Env) (subject.Instance, error) {
	client, err := s.open(Env{
		PlatformURL: env.Platform.URL, PlatformToken: env.Platform.Token,
		DialContext: env.Dial, NewMessageID: env.NewMessageID,
	})
	if err != nil {
		return nil, err
	}
	return instance{client}, nil
}

// instance is a client in one run.
type instance struct{ Client }

// Do implements subject.Instance.
func (i instance) Do(ctx context.Context, call subject.Call) evidence.Outcome {
	asked := Call{Client: call.Client, Session: call.Session, Op: call.Op, Input: call.Input}
	for _, f := range call.Files {
		asked.Files = append(asked.Files, File(f))
	}
	return i.Client.Do(ctx, asked)
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
