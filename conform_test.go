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

// recorder is a testing.TB that keeps what a test says of its failure.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper() {}

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

// about cuts the scenarios to a few that a plain client manages.
func about(only ...string) conform.Subject {
	return conform.Subject{Name: "plain", Version: "1", Capabilities: []string{"send", "message_id"}, Only: only}
}

func TestARightClientPasses(t *testing.T) {
	t.Parallel()
	recording := conform.Record(t, about("plain-send", "stops-at-terminal/*"), opened(right))
	if len(recording.Runs) < 5 {
		t.Fatalf("%d runs, want the cases that the patterns choose", len(recording.Runs))
	}
	recording.Check(t)
}

func TestAWrongClientIsToldWhatItDid(t *testing.T) {
	t.Parallel()
	said := &recorder{TB: t}
	recording := conform.Record(t, about("plain-send", "id-given"), opened(func(o evidence.Outcome) evidence.Outcome {
		o.Message = []byte(strings.Replace(string(o.Message), "ROLE_AGENT", "ROLE_USER", 1))
		return o
	}))
	recording.Check(said)
	text := strings.Join(said.said, "\n")
	for _, want := range []string{"RESP-06", ", call 1", "seen:", "expected:", "usual cause:"} {
		if !strings.Contains(text, want) {
			t.Errorf("the failure does not say %q:\n%s", want, text)
		}
	}
}

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
		"it cannot be started": {about("plain-send"), func(conform.Env) (conform.Client, error) { return nil, errors.New("no licence") }, "no licence"},
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
