package conform_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	conform "github.com/a2a-conform/a2a-conform"
	"github.com/a2a-conform/a2a-conform/client"
	"github.com/a2a-conform/a2a-conform/evidence"
)

// recorder is a testing.TB that keeps what a test says of its failure and logs.
type recorder struct {
	testing.TB
	said, logged []string
}

func (r *recorder) Helper() {}

func (r *recorder) Log(args ...any) { r.logged = append(r.logged, fmt.Sprint(args...)) }

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func (r *recorder) Error(args ...any) { r.said = append(r.said, fmt.Sprint(args...)) }

// fatal is what Fatalf ends a test with here.
type fatal string

func (r *recorder) Fatalf(format string, args ...any) { panic(fatal(fmt.Sprintf(format, args...))) }

// plain is a small client over the reference client, with a way to do one thing wrong.
type plain struct {
	client *client.Client
	wrong  func(evidence.Outcome) evidence.Outcome
}

func (p plain) Do(ctx context.Context, call conform.Call) evidence.Outcome {
	if call.Op != evidence.CallSend || len(call.Files) > 0 {
		return evidence.Outcome{Kind: evidence.OutcomeUnsupported, Reason: "only plain sends"}
	}
	request := client.Request{SessionUID: call.Session, Text: call.Input.Message.Or(""), MessageID: call.Input.MessageID.Or("")}
	result, err := p.client.Send(ctx, request)
	if err != nil {
		return p.wrong(evidence.Outcome{Kind: evidence.OutcomeError, Error: &evidence.Error{Text: err.Error()}})
	}
	return p.wrong(evidence.Outcome{Kind: evidence.OutcomeMessage, Message: result.(*client.Message).Raw})
}

func (p plain) Close() error { return p.client.Close() }

func right(o evidence.Outcome) evidence.Outcome { return o }

func opened(wrong func(evidence.Outcome) evidence.Outcome) func(conform.Env) (conform.Client, error) {
	return func(env conform.Env) (conform.Client, error) {
		c, err := client.New(client.Config{
			PlatformURL: env.PlatformURL, PlatformToken: env.PlatformToken, DialContext: env.DialContext, NewMessageID: env.NewMessageID,
		})
		return plain{c, wrong}, err
	}
}

func required() []string {
	return []string{"send", "message_id", "strict_dictionary", "timeout_number"}
}

// claiming is a subject of other capabilities.
func claiming(capabilities ...string) conform.Subject {
	s := about("plain-send")
	s.Capabilities = capabilities
	return s
}

// about cuts the scenarios to a few that a plain client manages.
func about(only ...string) conform.Subject {
	return conform.Subject{Name: "plain", Version: "1", Capabilities: required(), Only: only}
}

func TestARightClientPasses(t *testing.T) {
	t.Parallel()
	recording := conform.Record(t, about("plain-send", "stops-at-terminal/*"), opened(right))
	if len(recording.Runs) < 5 {
		t.Fatalf("%d runs, want the cases that the patterns choose", len(recording.Runs))
	}
	said := &recorder{TB: t}
	recording.Check(said)
	if len(said.said) > 0 {
		t.Errorf("a right client fails:\n%s", strings.Join(said.said, "\n"))
	}
	mentions(t, said.logged, "conform: plain 1: ", " passed", " runs, ", "cut to plain-send, stops-at-terminal/* by Only")
}

// mentions wants every text to stand in what was said.
func mentions(t *testing.T, said []string, wanted ...string) {
	t.Helper()
	all := strings.Join(said, "\n")
	for _, want := range wanted {
		if !strings.Contains(all, want) {
			t.Errorf("nothing says %q:\n%s", want, all)
		}
	}
}

func TestAGreenCheckNamesWhatItLeftOut(t *testing.T) {
	t.Parallel()
	said := &recorder{TB: t}
	recording := conform.Record(t, about("plain-send", "file-*", "admits-whatever-the-state"), opened(right))
	recording.Check(said)
	mentions(t, said.logged, "scenarios skipped (needs files, which the subject does not claim): file-")
	if log := strings.Join(said.logged, "\n"); strings.Contains(log, "file-too-large, file-too-large") {
		t.Errorf("a scenario is named once a run:\n%s", log)
	}
}

func TestWhatWasLeftOpenSaysWhy(t *testing.T) {
	t.Parallel()
	said := &recorder{TB: t}
	recording := conform.Record(t, about("plain-send", "id-given"), opened(lying))
	recording.Session.Selection.Scenarios = nil // as if these were all that there is
	recording.Check(said)
	mentions(t, said.said,
		"FLOW-06 was never put to the test: must ", fmt.Sprintf("why: it applied to nothing in any of the %d runs\n", len(recording.Runs)), "`a2a-conform explain FLOW-06`",
		"may be because of what broke RESP-06", "conform: 1 rule broken: RESP-06; ", " left open: ", "; start with RESP-06")
	mentions(t, said.logged, "rules left out (the subject does not claim timeout_pair): BUD-")
}

// lying changes one member of the answer.
func lying(o evidence.Outcome) evidence.Outcome {
	o.Message = []byte(strings.Replace(string(o.Message), "ROLE_AGENT", "ROLE_USER", 1))
	return o
}

func TestAWrongClientIsToldWhatItDid(t *testing.T) {
	t.Parallel()
	said := &recorder{TB: t}
	recording := conform.Record(t, about("plain-send", "id-given"), opened(lying))
	recording.Check(said)
	mentions(t, said.said, "RESP-06", "in plain-send, call 1", "seen:", "expected:", "usual cause:", "\nalso in id-given/", " more runs\n",
		`to repeat: Only: []string{"plain-send"}`, "conform: 1 rule broken: RESP-06; start with RESP-06")
}

// nowhere opens nothing and says nothing.
func nowhere(conform.Env) (c conform.Client, err error) { return c, err }

func TestWhatCannotBeJudgedEndsTheTest(t *testing.T) {
	t.Parallel()
	silent := func(evidence.Outcome) evidence.Outcome {
		return evidence.Outcome{Kind: evidence.OutcomeError, Error: &evidence.Error{Text: "no way out"}}
	}
	for name, test := range map[string]struct {
		about conform.Subject
		open  func(conform.Env) (conform.Client, error)
		want  string
	}{
		"no scenario matches":  {about("no-such-*"), opened(right), "no scenario matches no-such-*"},
		"a pattern is broken":  {about("[", "plain-send"), opened(right), `the pattern "[" cannot be read`},
		"the control fails":    {about("plain-send"), opened(silent), "no way out"},
		"it cannot be started": {about("plain-send"), func(conform.Env) (conform.Client, error) { return nil, errors.New("no licence") }, "conform: open failed: no licence"},
		"it is not there":      {about("plain-send"), nowhere, "open failed: it returned neither"},
		"an outcome of no kind": {
			about("plain-send"), opened(func(evidence.Outcome) evidence.Outcome { return evidence.Outcome{} }),
			"Do returned an Outcome without a Kind",
		},
		"a capability is misspelt": {claiming("send", "message-id", "strict_dictionary", "timeout_number"), opened(right), `"message-id" is unknown, did you mean "message_id"?`},
		"a capability is missing":  {claiming("send", "mesage_id"), opened(right), `"timeout_number" is missing`},
		"another platform":         {claiming(append(required(), "per_call_platform")...), opened(right), `"per_call_platform" cannot be claimed here`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if said, _ := recover().(fatal); !strings.Contains(string(said), test.want) {
					t.Errorf("the test ended with %q, want %q in it", said, test.want)
				}
			}()
			conform.Record(&recorder{TB: t}, test.about, test.open)
			t.Error("the test went on")
		})
	}
}
