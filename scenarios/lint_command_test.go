package scenarios

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestCommandsAlone(t *testing.T) {
	t.Parallel()
	refuse(t, []refusal{
		{"without the need", "calls:\n  - send: {}\n    signal: {name: INT, delay: 1s}\n    env: [A=b]\n    args: [--debug]\n  - home: {spoil: cut}\n" +
			"  - together: [{send: {}, args: [-v]}]\n  - send: {message_id: \"${call-1.printed_id}\"}\n", []string{
			"5:5: signal is for commands alone: add command to needs",
			"6:5: env is for commands alone: add command to needs",
			"7:5: args is for commands alone: add command to needs",
			"8:5: home is for commands alone: add command to needs",
			"9:27: args is for commands alone: add command to needs",
			"10:24: only a command prints ids: add command to needs, or take message_id",
		}},
		{"signals", "needs: [command]\ncalls:\n  - {send: {}, signal: {name: HUP, delay: 1s}}\n  - {send: {}, signal: {name: INT}}\n" +
			"  - {send: {}, signal: {after: runtime.send#1}}\n  - {send: {}, signal: {name: TERM, after: runtime.send_message, delay: 1}}\n", []string{
			`5:31: want INT or TERM, here "HUP"`,
			"6:24: when is the signal sent? Want after, delay or both",
			`7:16: "name" is missing`,
			`7:32: unknown operation "runtime.send", did you mean "runtime.send_message"?`,
			`8:44: want an operation and which of its exchanges, such as platform.resolve_access#2, here "runtime.send_message"`,
			"8:73: want a duration with a unit, such as 1500ms or 24h, here 1",
		}},
		{"variables", "needs: [command]\ncalls:\n  - {send: {}, env: [A, \"=b\", \"A-B=c\", \"D=\", \"E=f=g\"]}\n  - {send: {}, env: {A: b}}\n", []string{
			`5:22: want a variable as NAME=VALUE, here "A"`,
			`5:25: want NAME=VALUE, here "=b"`,
			`5:31: want NAME=VALUE, here "A-B=c"`,
			"6:21: want a list of variables, here a map of 1",
		}},
		{"homes", "needs: [command]\ncalls:\n  - send: {}\n  - home: {spoil: cot}\n  - home: {client: b, spoil: cut}\n  - home: {}\n    id: x\n" +
			"  - home: {put: {path: ../x, mode: \"0999\"}}\n  - home: {put: {path: /x, mode: 0600}}\n  - home: {put: {text: x}}\n  - {home: {spoil: cut}, pause: 1s}\n", []string{
			`6:19: want cut, empty, garbage or directory, here "cot", did you mean "cut"?`,
			`7:20: no call has the client "b"; known are a`,
			"8:5: want exactly one of spoil, put, here none",
			"9:5: id belongs to a call, not to a step that is a home",
			`10:24: want a path below the home, without a slash at its beginning and without .., here "../x"`,
			`10:36: want permission bits between quotes, such as "0600", here "0999"`,
			`11:24: want a path below the home, without a slash at its beginning and without .., here "/x"`,
			`11:34: want permission bits between quotes, such as "0600", here 384`,
			`12:12: "path" is missing`,
			"13:26: want exactly one of send, get_task, cancel_task, wait_task, pause, together, home, here home and pause",
		}},
	})
}

func TestCommandSteps(t *testing.T) {
	t.Parallel()
	l := testLoader(t)
	l.add("x.yaml", []byte(header+"needs: [command]\nvars: {how: cut, mode: \"0644\", name: TERM}\ncalls:\n"+
		"  - {send: {}, env: [A=b, C=], args: [--debug, \"-\"], signal: {name: \"${name}\", after: runtime.send_message#2, delay: 5ms}}\n"+
		"  - home: {spoil: \"${how}\"}\n  - home: {client: a, put: {path: .config/x, text: t, mode: \"${mode}\"}}\n  - home: {put: {path: y}}\n"))
	if len(l.problems) > 0 {
		t.Fatal(l.problems)
	}
	steps := l.files[0].Cases(evidence.ClockReal)[0].Calls
	call := *steps[0].Call
	if diff := cmp.Diff([]string{"A=b", "C=", "--debug", "-"}, append(call.Env, call.Args...)); diff != "" {
		t.Error(diff)
	}
	signal := &Signal{Name: "TERM", After: &AfterExchange{Op: evidence.OpSendMessage, N: 2}, Delay: 5_000_000}
	if diff := cmp.Diff(signal, call.Signal); diff != "" {
		t.Error(diff)
	}
	want := []CallStep{
		{Home: &HomeStep{Client: "a", Spoil: "cut"}},
		{Home: &HomeStep{Client: "a", Put: &HomeFile{Path: ".config/x", Text: "t", Mode: 0o644}}},
		{Home: &HomeStep{Client: "a", Put: &HomeFile{Path: "y", Mode: 0o600}}},
	}
	if diff := cmp.Diff(want, steps[1:]); diff != "" {
		t.Error(diff)
	}
}
