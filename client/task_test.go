package client

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fullTask = `{"id":"t","contextId":"s","status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-09-03T10:00:00Z",` +
	`"message":{"role":"ROLE_AGENT","parts":[{"text":"done, says ROLE_RESPONDER"}]}},` +
	`"artifacts":[{"artifactId":"a","parts":[{"text":"Hel"},{"data":null}]},{"parts":[{"text":"lo"}]},{"parts":7},null],` +
	`"history":[{"role":"ROLE_USER","parts":[]},{"parts":[]},{"role":null}],"metadata":{"n":12345678901234567890},"later":[0,false,""]}`

func TestTaskKeepsWhatCame(t *testing.T) {
	t.Parallel()
	task, found := readTaskAnswer([]byte(`{"task":`+fullTask+`,"message":null}`), "s")
	if len(found) > 0 {
		t.Fatal(found)
	}
	if task.ID != "t" || task.ContextID != "s" || task.State != TaskCompleted || len(task.Artifacts) != 4 || task.Text() != "Hello" {
		t.Errorf("got %+v with the text %q", task, task.Text())
	}
	if data, ok := task.Artifacts[0].Parts()[1].Data(); !ok || string(data) != "null" {
		t.Errorf("data %s, %v", data, ok)
	}
	for i, want := range []int{2, 1, 0, 0} {
		if got := len(task.Artifacts[i].Parts()); got != want {
			t.Errorf("artifact %d has %d parts, want %d", i, got, want)
		}
	}
	written, err := json.Marshal(task)
	if diff := cmp.Diff(fullTask, string(written)); diff != "" || err != nil {
		t.Errorf("written again, %v (-came +written):\n%s", err, diff)
	}
}

func TestTaskStates(t *testing.T) {
	t.Parallel()
	for state, want := range map[TaskState]struct{ terminal, interrupted bool }{
		TaskSubmitted: {}, TaskWorking: {}, "TASK_STATE_NEW": {}, "completed": {}, "": {},
		TaskInputRequired: {interrupted: true}, TaskAuthRequired: {interrupted: true},
		TaskCompleted: {terminal: true}, TaskFailed: {terminal: true}, TaskCanceled: {terminal: true}, TaskRejected: {terminal: true},
	} {
		if state.Terminal() != want.terminal || state.Interrupted() != want.interrupted {
			t.Errorf("%q: terminal %v, interrupted %v", state, state.Terminal(), state.Interrupted())
		}
	}
}

func TestFollowedTaskIsWrappedOrBare(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"wrapped":           `{"task":` + fullTask + `}`,
		"bare":              " \n" + fullTask + "\n",
		"message null":      `{"message":null,"task":` + fullTask + `}`,
		"bare, nulls aside": strings.Replace(fullTask, `{"id"`, `{"task":null,"message":null,"id"`, 1),
	} {
		task, found := readFollowedTask([]byte(body), "s", "t")
		if len(found) > 0 || task.ID != "t" || task.Text() != "Hello" {
			t.Errorf("%s: got %+v, %q", name, task, found)
			continue
		}
		if !strings.HasPrefix(string(task.Raw), "{") || !strings.Contains(string(task.Raw), `"later":[0,false,""]`) {
			t.Errorf("%s: kept %s", name, task.Raw)
		}
	}
}

func TestTaskAnswerIsRefused(t *testing.T) {
	t.Parallel()
	good := `{"id":"t","contextId":"s","status":{"state":"TASK_STATE_WORKING"}}`
	with := func(from, to string) string { return strings.Replace(good, from, to, 1) }
	for name, test := range map[string]struct{ task, want string }{
		"id absent":             {with(`"id":"t",`, ``), "task.id is absent"},
		"id blank":              {with(`"t"`, `" "`), "task.id"},
		"id number":             {with(`"t"`, `7`), "task.id is 7"},
		"id wrong case":         {with(`"id"`, `"ID"`), "task.id is absent"},
		"id twice":              {with(`"id"`, `"id":"u","id"`), "twice"},
		"context absent":        {with(`"contextId":"s",`, ``), "contextId is absent"},
		"context other":         {with(`"s"`, `"S"`), "contextId"},
		"status absent":         {`{"id":"t","contextId":"s"}`, "status is absent"},
		"status text":           {with(`{"state":"TASK_STATE_WORKING"}`, `"TASK_STATE_WORKING"`), "status is"},
		"status twice inside":   {with(`"state"`, `"state":"x","state"`), "not one object"},
		"state absent":          {with(`"state":"TASK_STATE_WORKING"`, ``), "status.state is absent"},
		"state blank":           {with(`TASK_STATE_WORKING`, ` `), "status.state"},
		"state number":          {with(`"TASK_STATE_WORKING"`, `3`), "status.state is 3"},
		"artifacts object":      {with(`"id"`, `"artifacts":{},"id"`), "artifacts is {}"},
		"history text":          {with(`"id"`, `"history":"none","id"`), "history is"},
		"history of texts":      {with(`"id"`, `"history":["hi"],"id"`), "task.history is not a JSON object"},
		"history responder":     {with(`"id"`, `"history":[{"role":"ROLE_USER"},{"role":"ROLE_RESPONDER"}],"id"`), "ROLE_RESPONDER"},
		"history requester":     {with(`"id"`, `"history":[{"role":"ROLE_REQUESTER"}],"id"`), "ROLE_REQUESTER"},
		"history short name":    {with(`"id"`, `"history":[{"role":"responder"}],"id"`), "no public role"},
		"history role number":   {with(`"id"`, `"history":[{"role":1}],"id"`), "no public role"},
		"history role twice":    {with(`"id"`, `"history":[{"role":"ROLE_USER","role":"ROLE_AGENT"}],"id"`), "twice"},
		"status responder":      {with(`"state"`, `"message":{"role":"ROLE_RESPONDER"},"state"`), "task.status.message.role is"},
		"status message a text": {with(`"state"`, `"message":"hi","state"`), "status.message is not"},
	} {
		for form, read := range map[string]func() (*Task, problems){
			"sent":    func() (*Task, problems) { return readTaskAnswer([]byte(`{"task":`+test.task+`}`), "s") },
			"wrapped": func() (*Task, problems) { return readFollowedTask([]byte(`{"task":`+test.task+`}`), "s", "t") },
			"bare":    func() (*Task, problems) { return readFollowedTask([]byte(test.task), "s", "t") },
		} {
			task, found := read()
			if task != nil || len(found) != 1 || !strings.Contains(found[0], test.want) {
				t.Errorf("%s, %s: got %v, problems %q, want one with %q", name, form, task, found, test.want)
			}
		}
	}
	if _, found := readTaskAnswer([]byte(`{"task":{}}`), "s"); len(found) != 3 {
		t.Errorf("problems %q, want all three", found)
	}
}

func TestTaskEnvelopeIsRefused(t *testing.T) {
	t.Parallel()
	task := `{"id":"t","contextId":"s","status":{"state":"TASK_STATE_WORKING"}}`
	for name, test := range map[string]struct{ body, sent, followed string }{
		"both":         {`{"task":` + task + `,"message":{}}`, "both", "both"},
		"message":      {`{"message":{}}`, "it is a message", "it is a message"},
		"wrong case":   {`{"Task":` + task + `}`, "neither", "task.id is absent"},
		"task text":    {`{"task":"t"}`, "task is not a JSON object", "task is not a JSON object"},
		"empty object": {`{}`, "neither", "task.id is absent"},
		"empty":        {``, "is empty", "is empty"},
		"array":        {`[` + task + `]`, "not a JSON object", "not a JSON object"},
		"trailing":     {task + `]`, "not one JSON value", "not one JSON value"},
		"bare":         {task, "neither", ""},
		"another task": {strings.Replace(task, `"t"`, `"u"`, 1), "neither", `not the "t" that was asked for`},
	} {
		if got, found := readTaskAnswer([]byte(test.body), "s"); got != nil || !strings.Contains(strings.Join(found, ";"), test.sent) {
			t.Errorf("%s, sent: got %v, %q, want %q", name, got, found, test.sent)
		}
		got, found := readFollowedTask([]byte(test.body), "s", "t")
		if (got != nil) != (test.followed == "") || !strings.Contains(strings.Join(found, ";"), test.followed) {
			t.Errorf("%s, followed: got %v, %q, want %q", name, got, found, test.followed)
		}
	}
}

func FuzzReadFollowedTask(f *testing.F) {
	f.Add([]byte(fullTask))
	f.Add([]byte(`{"task":` + fullTask + `}`))
	f.Add([]byte(`{"task":null,"message":{}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		task, found := readFollowedTask(body, "s", "t")
		if (task == nil) == (len(found) == 0) {
			t.Fatalf("got %v with the problems %q", task, found)
		}
		if task == nil {
			return
		}
		if task.ID != "t" || task.ContextID != "s" || strings.TrimSpace(string(task.State)) == "" || !json.Valid(task.Raw) {
			t.Errorf("took %+v", task)
		}
		_ = task.Text() // of whatever its artifacts are
	})
}
