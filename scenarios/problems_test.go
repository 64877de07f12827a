package scenarios

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const header = "scenario: x\nabout: Something happens.\n"

// compiled is the schema for all tests, since compiling it takes longer than any of them.
var compiled = sync.OnceValues(newSchema)

func testLoader(t *testing.T) *loader {
	t.Helper()
	s, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	return &loader{options: Options{KnownRules: []string{"FLOW-05", "FLOW-06"}}, schema: s, names: map[string]string{}}
}

// problemsOf loads the text of a file x.yaml and returns what is wrong with it, without the file's name.
func problemsOf(t *testing.T, content string) []string {
	t.Helper()
	l := testLoader(t)
	l.add("x.yaml", []byte(content))
	var texts []string
	for _, problem := range l.problems {
		texts = append(texts, strings.TrimPrefix(problem.String(), "x.yaml:"))
	}
	return texts
}

// refusal is a file, after its first two lines, and all that is to be said about it.
type refusal struct {
	name, body string
	want       []string
}

func refuse(t *testing.T, refusals []refusal) {
	t.Helper()
	for _, tt := range refusals {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, problemsOf(t, header+tt.body)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMembersAndTypes(t *testing.T) {
	t.Parallel()
	refuse(t, []refusal{
		{"nothing wrong", "", nil},
		{"unknown member without a guess", "colour: red\n", []string{
			`3:1: unknown member "colour"; known are about, alone, calls, clock, covers, each, endpoints, expect, needs, real, scenario, settle, slow, vars, when`,
		}},
		{"duration without unit", "settle: 5\n", []string{`3:9: want a duration with a unit, such as 1500ms or 24h, here 5`}},
		{"duration with a space", "settle: 5 s\n", []string{`3:9: want a duration with a unit, such as 1500ms or 24h, here "5 s"`}},
		{"text for a flag", "slow: maybe\n", []string{`3:7: want true or false, here "maybe"`}},
		{"capability without a guess", "needs: [xylophone]\n", []string{
			`3:9: want a capability, here "xylophone"; known are send, message_id, strict_dictionary, timeout_number, timeout_pair, ` +
				`timeout_default, files, task_mode, get_task, cancel_task, wait_task, typed_errors, cancel, per_call_platform, command`,
		}},
		{"rule that is no id", "covers: [flow]\n", []string{`3:10: want a rule id such as FLOW-05, here "flow"`}},
		{"rule twice", "covers: [FLOW-05, FLOW-05]\n", []string{`3:19: "FLOW-05" is in the list twice`}},
		{"unknown rule", "covers: [FLOW-04]\n", []string{`3:10: unknown rule "FLOW-04", did you mean "FLOW-05"?`}},
		{"two kinds of step", "calls: [{send: {}, pause: 1s}]\n", []string{
			"3:20: want exactly one of send, get_task, cancel_task, wait_task, pause, together, home, here send and pause",
		}},
		{"no kind of step", "calls: [{id: a}]\n", []string{"3:9: want exactly one of send, get_task, cancel_task, wait_task, pause, together, home, here none"}},
		{"a task has no message", "calls: [{get_task: {message: hello}}]\n", []string{`3:21: unknown member "message"; known are task_id, timeout`}},
		{"a pair of three", "calls: [{send: {timeout: [1s, 2s, 3s]}}]\n", []string{
			"3:26: want a time such as 30s, a pair [connect, read] of such times, or null, here a list of 3",
		}},
		{"a file in a folder", "calls: [{send: {files: [{name: a/b}, {size: 1}]}}]\n", []string{
			`3:32: want a file name without slashes, here "a/b"`, `3:38: "name" is missing`,
		}},
		{"a single step", "when:\n  runtime.send_message: {reply: {message: {}}}\n", []string{"4:25: want a list of steps, each with a hyphen, here a map of 1"}},
		{"a step without a reply", "when:\n  runtime.send_message: [{times: 2}]\n", []string{`4:26: "reply" is missing`}},
		{"a reply without a value", "when:\n  runtime.send_message:\n    - reply: {message: }\n", []string{"5:23: want a map, {} at least, here null"}},
		{"empty maps", "when:\n  runtime.send_message:\n    - if: {}\n      reply: {}\n      wire: {}\n", []string{
			"5:11: want a map of conditions, here an empty map",
			"6:7: want exactly one of ready, wait, stop, message, task, message_limit, rpc_error, detail, redirect, raw, bytes, default, here none",
			"7:13: want a map of what happens on the way, here an empty map",
		}},
		{"two bodies", "when:\n  runtime.send_message:\n    - reply: {raw: {status: 200, body: a, body_base64: YQ==}}\n", []string{
			"5:15: body and body_base64 exclude each other",
		}},
		{"half a pair", "when:\n  runtime.send_message:\n    - reply: {message: {}}\n      wire: {upload: {bytes: 4}, informational: {statuses: [100], times: any}}\n", []string{
			"6:14: bytes needs every beside it", "6:34: times needs every beside it",
		}},
		{"wrong words", "when:\n  runtime.send_message:\n    - reply: {message: {}}\n      wire: {cut: {after: header, how: rest}}\n", []string{
			`6:27: want request, status-line, headers, or a number of bytes of the body, here "header", did you mean "headers"?`,
			`6:40: want close, reset or hang, here "rest", did you mean "reset"?`,
		}},
	})
}

func TestYAMLThatIsNotTaken(t *testing.T) {
	t.Parallel()
	refuse(t, []refusal{
		{"not YAML", "calls: [\n", []string{"3:8: this is not YAML: sequence end token ']' not found"}},
		{"a member twice", "slow: true\nslow: false\n", []string{`4:1: "slow" is here twice, first at line 3`}},
		{"a tab", "calls:\n\t- send: {}\n", []string{"4:1: a tab: indent with spaces"}},
		{"two documents", "---\nscenario: y\n", []string{"3:1: a second document: each scenario has a file of its own"}},
		{"the end of a document", "...\n", []string{"3:1: directives and document ends are not part of the format"}},
		{"an anchor and its alias", "needs: &a [send]\ncovers: *a\n", []string{
			"3:8: anchors, aliases and merge keys are not part of the format: use vars",
			"4:9: anchors, aliases and merge keys are not part of the format: use vars",
		}},
		{"a merge", "vars: {<<: 1}\n", []string{"3:8: anchors, aliases and merge keys are not part of the format: use vars"}},
		{"a tag", "settle: !!str 5\n", []string{"3:9: tags are not part of the format; put text between quotes"}},
		{"deep flow", "vars: " + strings.Repeat("[", 5000) + "\n", []string{"3:71: values are nested deeper than 64"}},
		{"deep lists", "vars: {}\ncalls:\n  " + strings.Repeat("- ", 5000) + "1\n", []string{"5:131: values are nested deeper than 64"}},
		{"NUL", "settle: \x00\n", []string{" the file has a NUL byte; write \\0 between double quotes"}},
		{"not UTF-8", "settle: \xff\n", []string{" the file is not UTF-8"}},
		{"many values", "calls: [" + strings.Repeat("a, ", 11_000) + "a]\n", []string{
			" the file has more than 20000 words and signs; let repeat and bytes make long texts",
		}},
		{"huge", strings.Repeat("# very long\n", 100_000), []string{" the file is larger than 256 KiB; let repeat and bytes make long texts"}},
	})
}

func TestFilesThatHoldNoScenario(t *testing.T) {
	t.Parallel()
	empty := []string{"1:1: the file is empty: a scenario has at least scenario and about"}
	tests := []struct {
		name, content string
		want          []string
	}{
		{"empty", "", empty},
		{"white space", " \n\n", empty},
		{"a comment", "# nothing\n", empty},
		{"a list", "- a\n", []string{"1:1: a scenario is a map of members, here a list of 1"}},
		{"a word", "scenario\n", []string{`1:1: a scenario is a map of members, here "scenario"`}},
		{"nothing that is required", "slow: true\n", []string{`1:1: "about" is missing`, `1:1: "scenario" is missing`}},
		{"another name", "scenario: y\nabout: z\n", []string{`1:11: the scenario is called "y" and its file "x": the two must be the same`}},
		{"a name that is misspelt is not missing too", "scenaro: x\nabout: z\n", []string{`1:1: unknown member "scenaro", did you mean "scenario"?`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, problemsOf(t, tt.content)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
