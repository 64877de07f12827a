package defects

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// typed is a start of the command with an environment in which nobody answers.
func typed(dir string, words ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	env := map[string]string{"MAINSEQUENCE_ENDPOINT": "http://127.0.0.1:1/", "MAINSEQUENCE_ACCESS_TOKEN": "secret", "HOME": dir}
	code = program(plainClient(""))(context.Background(), subject.Process{
		Args: words, Env: func(name string) string { return env[name] }, Dir: dir, Stdout: &out, Stderr: &errs,
		NewMessageID: func() string { return "msg-1" }, Notify: func() <-chan os.Signal { return nil },
	})
	return code, out.String(), errs.String()
}

func TestTheCommandSaysAllThatIsWrongWithItsWords(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := typed(t.TempDir(), "agent", "session", "send", "--json-repair-attempts", "x", "--timeout", "1.5", "--file", "a", "--media-type", "b", "--media-type", "c")
	want := `want agent session a2a send UID, got ["agent" "session" "send"]
give one of --message and --message-file
--json-repair-attempts: want a whole number, got "x"
--timeout: want a whole number of seconds, got "1.5"
--media-type: want one for each --file or none, got 2 for 1
`
	if diff := cmp.Diff(want, stderr); diff != "" || code != exitUsage || stdout != "" {
		t.Errorf("exit %d, %q on standard output; standard error (-want +got):\n%s", code, stdout, diff)
	}
	if code, _, stderr := typed(t.TempDir(), "agent", "--colour"); code != exitUsage || !strings.Contains(stderr, "not defined: -colour") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, stdout, stderr := typed(t.TempDir(), "agent", "session", "a2a", "send", "uid", "--help"); code != 0 || stderr != "" || !strings.HasPrefix(stdout, "Usage: ") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

func TestTheCommandTakesItsOptionsInAnyOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m.txt"), []byte("héllo\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &start{plain: plainClient(""), process: subject.Process{Dir: dir, Env: func(string) string { return "x" }}}
	words := "--timeout 5 agent session a2a --message-file m.txt send --strict-dictionary uid --json-repair-attempts 2 --message-id=mine --response-kind task --file /f.pdf"
	if err := s.read(strings.Fields(words)); err != nil {
		t.Fatal(err)
	}
	want := subject.Call{
		Session: "uid", User: "x", Op: evidence.CallSend, Files: []subject.File{{Path: "/f.pdf", MediaType: "application/pdf"}},
		Input: evidence.Input{
			Message: evidence.Some("héllo\x00"), MessageID: evidence.Some("mine"), StrictDictionary: evidence.Some(true),
			ResponseKind: evidence.Some("task"), Timeout: evidence.Some(evidence.Timeout{Total: 5}),
		},
	}
	want.Input.JSONRepairAttempts = evidence.Some(s.call.Input.JSONRepairAttempts.Or("0"))
	if got, _ := s.call.Input.JSONRepairAttempts.Get(); got != "2" {
		t.Errorf("%s attempts", got)
	}
	if diff := cmp.Diff(want, s.call, cmp.Comparer(func(a, b evidence.Input) bool { return a == b })); diff != "" || s.owned {
		t.Errorf("the call (-want +got):\n%s", diff)
	}
}

func TestTheCommandNamesItsIDWhenNobodyAnswers(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := typed(t.TempDir(), "agent", "session", "a2a", "send", "uid", "--message", "hello", "--timeout", "5")
	if code != exitFailed || stdout != "" || !strings.HasSuffix(stderr, "\nmessage id: msg-1\n") || strings.Contains(stderr, "secret") {
		t.Errorf("exit %d: %q, %q", code, stdout, stderr)
	}
}

func TestALockThatIsLeftBehindCountsForNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "access")
	if err := os.WriteFile(path+".lock", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := &start{plain: plainClient("")}
		began := time.Now()
		if err := s.change(path, func(all map[string]entry) { all["k"] = entry{Token: "t"} }); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(began); waited != lockTries*lockPause {
			t.Errorf("it waited for %s", waited)
		}
	})
	found, err := readStore(path)
	if err != nil || found.Entries["k"].Token != "t" {
		t.Errorf("%+v, %v", found, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := os.Stat(path + ".lock"); err == nil {
		t.Error("the lock was left behind again")
	}
}

func FuzzReadStore(f *testing.F) {
	for _, seed := range []string{"", "{}", "null", `{"version":1,"entries":null}`, `{"version":1,"entries":{"k":{"token":"t","expires_at":"2999-01-01T00:00:00Z"}}}`, `{"version":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "access")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if found, err := readStore(path); found.Entries == nil || found.Version != storedVersion || err != nil && len(found.Entries) > 0 {
			t.Errorf("%+v, %v", found, err)
		}
	})
}
