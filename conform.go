// Package conform is the way in for Go clients: it runs the built-in scenarios of ADR 0029 against a client on virtual
// time, inside the client's own tests, in a second or two.
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
	"errors"
	"fmt"
	"net"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Subject names a client and says what it can do.
type Subject struct {
	Name    string
	Version string
	// Capabilities are what the client can do (docs/go-client.md says what each means). Every client must have send,
	// message_id, strict_dictionary and timeout_number; optional ones are timeout_pair, timeout_default, files,
	// typed_errors and cancel. Rules and scenarios that need a missing one are left out, by name.
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
// that, and returns exactly what the client gave its caller: an error in the categories of package evidence, by its
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
// It ends the test where nothing can be judged: where about is wrong, where open or Do do not keep to their form, where
// the harness itself failed, and where the client did not manage the plain success case.
func Record(tb testing.TB, about Subject, open func(Env) (Client, error)) Recording {
	tb.Helper()
	cases, control, err := builtin(about.Only)
	if err := errors.Join(claims(about.Capabilities), err); err != nil {
		tb.Fatalf("conform: %v", err)
	}
	asked := &inProcess{about: about, open: open}
	rec, err := runner.RunAll(tb.Context(), asked, cases, runner.Options{
		Tool: evidence.Tool{Name: "a2a-conform"}, Contract: suites.Contract(), Control: control,
		Selection: evidence.Selection{Rules: []string{}, Scenarios: nonNil(about.Only), Level: string(suites.Observe)},
	})
	switch wrong := asked.wrong.Load(); {
	case err != nil:
		tb.Fatalf("conform: %v", err)
	case wrong != nil:
		tb.Fatalf("conform: %s", *wrong)
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

// claims reads what a client says that it can do, and names all that is wrong with it.
func claims(capabilities []string) error {
	known := slices.Concat(verdict.Required(), verdict.Optional())
	var problems []error
	for _, c := range capabilities {
		switch {
		case !slices.Contains(known, c):
			problems = append(problems, fmt.Errorf("in Capabilities: %q is unknown%s", c, scenarios.DidYouMean(c, known)))
		case c == perCallPlatform:
			problems = append(problems, fmt.Errorf("in Capabilities: %q cannot be claimed here, for a Call names no other platform", c))
		}
	}
	for _, c := range verdict.Required() {
		if !slices.Contains(capabilities, c) {
			problems = append(problems, fmt.Errorf("in Capabilities: %q is missing, which every client must have", c))
		}
	}
	return errors.Join(problems...)
}

// perCallPlatform is the one capability that package conform has no way to put to the test.
const perCallPlatform = "per_call_platform"

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
	// wrong is the first mistake of the adapter itself: it says nothing about the client, so no rule is to judge it.
	wrong atomic.Pointer[string]
}

func (s *inProcess) mistake(text string) { s.wrong.CompareAndSwap(nil, &text) }

// About implements subject.Subject.
func (s *inProcess) About() evidence.Subject {
	return evidence.Subject{
		Kind: evidence.KindInProcess, Name: s.about.Name, Version: s.about.Version,
		Capabilities: nonNil(s.about.Capabilities), Constants: s.about.Constants,
	}
}

// Open implements subject.Subject.
func (s *inProcess) Open(env subject.Env) (subject.Instance, error) {
	client, err := s.open(Env{
		PlatformURL: env.Platform.URL, PlatformToken: env.Platform.Token,
		DialContext: env.Dial, NewMessageID: env.NewMessageID,
	})
	if err == nil && client == nil {
		err = errors.New("it returned neither a client nor an error")
	}
	if err != nil {
		s.mistake(fmt.Sprintf("open failed: %v", err))
		return nil, err
	}
	return instance{client, s}, nil
}

// instance is a client in one run.
type instance struct {
	Client
	of *inProcess
}

// Do implements subject.Instance.
func (i instance) Do(ctx context.Context, call subject.Call) subject.Answer {
	asked := Call{Client: call.Client, Session: call.Session, Op: call.Op, Input: call.Input}
	for _, f := range call.Files {
		asked.Files = append(asked.Files, File(f))
	}
	o := i.Client.Do(ctx, asked)
	if o.Kind == "" {
		i.of.mistake(fmt.Sprintf("Do returned an Outcome without a Kind, asked to %s: set %s, %s or %s", call.Op,
			evidence.OutcomeMessage, evidence.OutcomeError, evidence.OutcomeUnsupported))
	}
	return subject.Answer{Outcome: o}
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
