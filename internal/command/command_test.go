package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheAnswerIsShownAsItCame(t *testing.T) {
	t.Parallel()
	onVirtualTime(t, "a message", func(w *world) {
		t := w.t
		w.answers[messageSend] = answer{200, `{"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"` + session + `",` +
			`"parts":[{"text":"<b>&\u2028é"},{"data":{"n":1.50,"big":12345678901234567890,"f":false,"z":0,"e":"","x":null}},{"raw":"AA==","filename":"a"}],` +
			`"metadata":{"k":[]},"new":{}}, "task":null}`}
		got := w.run(session, "--message", "What can you do?")
		want := ran{0, `{
  "message": {
    "messageId": "m",
    "role": "ROLE_AGENT",
    "contextId": "` + session + `",
    "parts": [
      {
        "text": "<b>&\u2028é"
      },
      {
        "data": {
          "n": 1.50,
          "big": 12345678901234567890,
          "f": false,
          "z": 0,
          "e": "",
          "x": null
        }
      },
      {
        "raw": "AA==",
        "filename": "a"
      }
    ],
    "metadata": {
      "k": []
    },
    "new": {}
  }
}
`, ""}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(ran{})); diff != "" {
			t.Error(diff)
		}
		wantSent := `{"message":{"messageId":"msg-made-1","role":"ROLE_USER","contextId":"` + session + `","parts":[{"text":"What can you do?"}]},` +
			`"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}`
		if diff := cmp.Diff(wantSent, w.sent()); diff != "" {
			t.Error(diff)
		}
		if len(w.asked) != 2 || w.asked[0].auth != "Bearer "+platformToken || w.asked[1].auth != "Bearer "+runtimeToken {
			t.Errorf("asked %v", w.asked)
		}
	})
	onVirtualTime(t, "a task", func(w *world) {
		t := w.t
		w.answers["/api/v1/agent-sessions/"+session+"/"] = answer{200, `{"agent_uid":"a1"}`}
		w.answers["/api/v1/agents/a1/"] = answer{200, `{"a2a_profile":{"supported_response_kinds":["message","task"]}}`}
		w.answers[messageSend] = answer{200, `{"task":{"id":"t","contextId":"` + session + `","status":{"state":"TASK_STATE_WORKING"}}}`}
		got := w.run(session, "--message", "Hello", "--response-kind", "task")
		want := "{\n  \"task\": {\n    \"id\": \"t\",\n    \"contextId\": \"" + session + "\",\n    \"status\": {\n      \"state\": \"TASK_STATE_WORKING\"\n    }\n  }\n}\n"
		if diff := cmp.Diff(ran{0, want, ""}, got, cmp.AllowUnexported(ran{})); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFailuresNameTheMessage(t *testing.T) {
	t.Parallel()
	limit := `{"error":{"code":504,"status":"DEADLINE_EXCEEDED","message":"m","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",` +
		`"reason":"MESSAGE_RESPONSE_LIMIT_EXCEEDED","domain":"mainsequence.ai","metadata":{"limitSeconds":"90"}}]}}`
	for what, test := range map[string]struct {
		path   string
		answer answer
		args   []string
		say    string // in the line of the reason
		sends  int
		begun  bool
	}{
		"blocked":        {resolve, answer{200, blocking("unavailable", "null")}, nil, `blocks the call: the runtime's state is "unavailable"`, 0, false},
		"not ready":      {resolve, answer{200, blocking("waking", "1500")}, []string{"--timeout", "1.4"}, "the runtime is waking", 0, false},
		"platform down":  {resolve, answer{503, `{"detail":"later"}`}, nil, "the platform failed with 503: later", 0, false},
		"resolve hangs":  {resolve, answer{}, []string{"--timeout=3"}, "timeout: the call took longer than its 3s", 0, false},
		"answer hangs":   {messageSend, answer{}, []string{"--timeout", "2.5"}, "timeout: the call took longer than its 2.5s", 1, true},
		"message limit":  {messageSend, answer{504, limit}, nil, "--response-kind task", 1, true},
		"a gateway":      {messageSend, answer{504, "no"}, nil, "the runtime failed with 504: no", 1, true},
		"rejected twice": {messageSend, answer{403, `{"detail":"` + runtimeToken + `"}`}, nil, "403 again after access was refreshed", 2, false},
		"rejected":       {messageSend, answer{409, `{"detail":"busy"}`}, nil, "rejected the request with 409: busy", 1, true},
		"invalid":        {messageSend, answer{200, `{"message":{"token":"` + runtimeToken + `"}}`}, nil, "cannot be used", 1, true},
		"not advertised": {resolve, answer{200, admitting(runtimeToken)}, []string{"--response-kind", "task"}, "nothing was sent", 0, false},
	} {
		onVirtualTime(t, what, func(w *world) {
			t := w.t
			w.answers[test.path] = test.answer
			got := w.run(append([]string{session, "--message", "Hello"}, test.args...)...)
			lines := strings.Split(got.err, "\n")
			if got.exit != 1 || got.out != "" || !strings.HasPrefix(lines[0], name+": ") || !strings.Contains(lines[0], test.say) {
				t.Errorf("got %+v, want %q", got, test.say)
			}
			if !strings.HasSuffix(got.err, "\nmessage id: msg-made-1\n") || strings.Count(got.err, "message id") != 1 {
				t.Errorf("the last line is not the message id:\n%s", got.err)
			}
			if told := strings.Contains(got.err, "may have reached"); told != test.begun {
				t.Errorf("says that it may have reached the Agent: %v, want %v", told, test.begun)
			}
			if sends := w.times(messageSend); sends != test.sends {
				t.Errorf("%d sends, want %d", sends, test.sends)
			}
		})
	}
}

func TestSendingAgainByChoice(t *testing.T) {
	t.Parallel()
	onVirtualTime(t, "the same body", func(w *world) {
		t := w.t
		good := w.answers[messageSend]
		w.answers[messageSend] = answer{502, ""}
		first := w.run(session, "--message", "Hello")
		_, id, _ := strings.Cut(strings.TrimSpace(first.err), "message id: ")
		before := w.sent()
		w.answers[messageSend] = good
		if second := w.run(session, "--message", "Hello", "--message-id", id); second.exit != 0 {
			t.Fatal(second.err)
		}
		if diff := cmp.Diff(before, w.sent()); diff != "" {
			t.Error(diff)
		}
	})
	onVirtualTime(t, "an id that would steer a terminal", func(w *world) {
		t := w.t
		w.answers[messageSend] = answer{502, ""}
		if got := w.run(session, "--message", "Hello", "--message-id", "a\x1b[2J\nb"); !strings.HasSuffix(got.err, `message id: "a\x1b[2J\nb"`+"\n") {
			t.Error(got.err)
		}
	})
}

func TestSignals(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		path   string
		signal os.Signal
		exit   int
		say    string
	}{
		"INT before access":      {resolve, os.Interrupt, 130, ": interrupted\nmessage id: msg-made-1\n"},
		"TERM before access":     {resolve, syscall.SIGTERM, 143, ": terminated\nmessage id: msg-made-1\n"},
		"INT before the answer":  {messageSend, os.Interrupt, 130, ": interrupted\nThe message may have reached the Agent, and is not sent again unasked.\nmessage id: msg-made-1\n"},
		"TERM before the answer": {messageSend, syscall.SIGTERM, 143, ": terminated\nThe message may have reached the Agent, and is not sent again unasked.\nmessage id: msg-made-1\n"},
	} {
		onVirtualTime(t, what, func(w *world) {
			t := w.t
			w.answers[test.path] = answer{}
			start := time.Now()
			time.AfterFunc(7*time.Second, func() { w.signals <- test.signal })
			got := w.run(session, "--message", "Hello")
			if got.exit != test.exit || got.out != "" || got.err != name+test.say {
				t.Errorf("got %+v", got)
			}
			if took := time.Since(start); took != 7*time.Second {
				t.Errorf("ended after %v", took)
			}
		})
	}
	onVirtualTime(t, "a context that ends", func(w *world) {
		t := w.t
		w.answers[messageSend] = answer{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var out, errs strings.Builder
		if exit := w.runInto(ctx, &out, &errs, session, "--message", "Hello"); exit != 130 || !strings.HasSuffix(errs.String(), "message id: msg-made-1\n") {
			t.Errorf("exit %d: %s", exit, errs.String())
		}
	})
	onVirtualTime(t, "while the message is typed", func(w *world) {
		t := w.t
		typing := make(chan struct{})
		w.stdin = readerFunc(func([]byte) (int, error) {
			<-typing
			return 0, errors.New("closed")
		})
		time.AfterFunc(time.Minute, func() { w.signals <- os.Interrupt })
		got := w.run(session, "--message-file", "-")
		close(typing)
		if diff := cmp.Diff(ran{130, "", name + ": interrupted; nothing was sent\n"}, got, cmp.AllowUnexported(ran{})); diff != "" {
			t.Error(diff)
		}
		if len(w.asked) > 0 {
			t.Errorf("asked %v", w.asked)
		}
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestAnAnswerThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	onVirtualTime(t, "is no success", func(w *world) {
		t := w.t
		var errs strings.Builder
		exit := w.runInto(t.Context(), full{}, &errs, session, "--message", "Hello")
		want := name + ": the Agent has answered, but the answer cannot be written: disk full\nmessage id: msg-made-1\n"
		if diff := cmp.Diff(want, errs.String()); exit != 1 || diff != "" {
			t.Errorf("exit %d\n%s", exit, diff)
		}
	})
}

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestTheMessageComesFromWhereItIsSaid(t *testing.T) {
	t.Parallel()
	text := " first\r\nlast \x00\n"
	onVirtualTime(t, "a file", func(w *world) {
		t := w.t
		put(t, w.dir, "question.txt", text)
		if got := w.run(session, "--message-file", "question.txt"); got.exit != 0 {
			t.Fatal(got.err)
		}
		if !strings.Contains(w.sent(), `"text":" first\r\nlast \u0000\n"`) {
			t.Error(w.sent())
		}
	})
	onVirtualTime(t, "standard input", func(w *world) {
		t := w.t
		w.stdin = strings.NewReader(text)
		if got := w.run(session, "--message-file=-"); got.exit != 0 {
			t.Fatal(got.err)
		}
		if !strings.Contains(w.sent(), `"text":" first\r\nlast \u0000\n"`) {
			t.Error(w.sent())
		}
	})
	onVirtualTime(t, "everything at once", func(w *world) {
		t := w.t
		put(t, w.dir, "a.pdf", "A")
		got := w.run("--message=--help", "--file", "a.pdf", "--file", put(t, t.TempDir(), "b", "B"), "--media-type", "text/x", "--media-type", "text/y",
			"--strict-dictionary", "--json-repair-attempts", "2", "--message-id", "mine", "--response-kind", "message", "--timeout", "9", "--", session)
		if got.exit != 0 {
			t.Fatal(got.err)
		}
		want := `{"message":{"messageId":"mine","role":"ROLE_USER","contextId":"` + session + `","parts":[{"text":"--help"},` +
			`{"raw":"QQ==","filename":"a.pdf","mediaType":"text/x"},{"raw":"Qg==","filename":"b","mediaType":"text/y"}]},` +
			`"configuration":{"acceptedOutputModes":["application/json"],"responseKind":"message"},` +
			`"metadata":{"https://mainsequence.ai/a2a/extensions/output-contract/v1":{"response_format":{"type":"dictionary","strict":true},"jsonRepairAttempts":2}}}`
		if diff := cmp.Diff(want, w.sent()); diff != "" {
			t.Error(diff)
		}
	})
}

func put(t *testing.T, dir, file, text string) string {
	t.Helper()
	path := filepath.Join(dir, file)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
