package command

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/subject"
)

func TestMistakes(t *testing.T) {
	t.Parallel()
	hello := []string{session, "--message", "Hello"}
	for what, test := range map[string]struct {
		args []string
		env  map[string]string
		want []string // the problems, from their beginnings
	}{
		"nothing":             {nil, nil, []string{"UID: the uid of the agent session is missing", "--message TEXT or --message-file FILE is missing"}},
		"two sessions":        {append([]string{"a", "b"}, hello...), nil, []string{"only one UID is taken, and there is also b " + session}},
		"a uid with a slash":  {[]string{"a/b", "--message=Hello"}, nil, []string{`UID "a/b": must be letters, digits`}},
		"a blank message":     {[]string{session, "--message", " "}, nil, []string{"--message: is blank"}},
		"an empty message":    {[]string{session, "--message", ""}, nil, []string{"--message: is blank"}},
		"two messages":        {append([]string{"--message-file", "-"}, hello...), nil, []string{"--message and --message-file: give one of them"}},
		"no value":            {[]string{session, "--message"}, nil, []string{"--message: wants TEXT; one that begins with a dash is written --message=TEXT"}},
		"a flag for a value":  {[]string{session, "--message", "--strict-dictionary"}, nil, []string{"--message: wants TEXT"}},
		"an unknown flag":     {append([]string{"--mesage-id=x"}, hello...), nil, []string{"--mesage-id: there is no such flag"}},
		"a flag twice":        {append([]string{"--timeout=1", "--timeout=2"}, hello...), nil, []string{"--timeout: is given twice"}},
		"a lone flag's value": {append([]string{"--strict-dictionary=no"}, hello...), nil, []string{`--strict-dictionary: stands alone, without "no"`}},
		"an empty id":         {append([]string{"--message-id="}, hello...), nil, []string{"--message-id: is empty"}},
		"a blank id":          {append([]string{"--message-id= "}, hello...), nil, []string{"--message-id: is blank"}},
		"a kind that is none": {append([]string{"--response-kind", "stream"}, hello...), nil, []string{`--response-kind "stream": must be "message" or "task"`}},
		"no kind":             {append([]string{"--response-kind", ""}, hello...), nil, []string{"--response-kind: is empty"}},
		"no repairs":          {append([]string{"--json-repair-attempts", "0"}, hello...), nil, []string{"--json-repair-attempts 0: must be 1 or more"}},
		"repairs in words":    {append([]string{"--json-repair-attempts", "two"}, hello...), nil, []string{`--json-repair-attempts: want a whole number from 1, got "two"`}},
		"a timeout of none":   {append([]string{"--timeout", "-1"}, hello...), nil, []string{"--timeout: total of -1 seconds: must be a finite number above zero"}},
		"a timeout's unit":    {append([]string{"--timeout", "30s"}, hello...), nil, []string{`--timeout: want a number of seconds, such as 30 or 2.5, got "30s"`}},
		"a missing file":      {append([]string{"--file", "no.pdf"}, hello...), nil, []string{"--file: cannot be read: stat "}},
		"types for no files":  {append([]string{"--media-type", "a/b"}, hello...), nil, []string{"--media-type: give one for each --file or none; there are 1 and 0"}},
		"a missing message":   {[]string{session, "--message-file", "no.txt"}, nil, []string{"--message-file: cannot be read: open "}},
		"a blank typed one":   {[]string{session, "--message-file", "-"}, nil, []string{"--message-file: is blank"}},
		"no endpoint":         {hello, map[string]string{endpointVariable: ""}, []string{"MAINSEQUENCE_ENDPOINT: is missing"}},
		"an endpoint of none": {hello, map[string]string{endpointVariable: "platform"}, []string{"MAINSEQUENCE_ENDPOINT: is not an absolute"}},
		"one with a password": {hello, map[string]string{endpointVariable: "http://a:b@platform.test"}, []string{
			"MAINSEQUENCE_ENDPOINT: credentials in it are not used; remove them and give MAINSEQUENCE_ACCESS_TOKEN",
		}},
		"no token":        {hello, map[string]string{tokenVariable: ""}, []string{"MAINSEQUENCE_ACCESS_TOKEN: is missing; MAINSEQUENCE_ACCESS_TOKEN_FILE may name"}},
		"two tokens":      {hello, map[string]string{tokenFileVariable: "token"}, []string{"MAINSEQUENCE_ACCESS_TOKEN and MAINSEQUENCE_ACCESS_TOKEN_FILE: give one"}},
		"no token file":   {hello, map[string]string{tokenVariable: "", tokenFileVariable: "no"}, []string{"MAINSEQUENCE_ACCESS_TOKEN_FILE: cannot be read: open "}},
		"a bad token":     {hello, map[string]string{tokenVariable: "a b"}, []string{"MAINSEQUENCE_ACCESS_TOKEN: must be one or more visible"}},
		"a bad refresh":   {hello, map[string]string{refreshVariable: "a\nb"}, []string{"MAINSEQUENCE_REFRESH_TOKEN: must be visible"}},
		"an unknown mode": {hello, map[string]string{modeVariable: "basic"}, []string{`MAINSEQUENCE_AUTH_MODE: "basic" is not known; jwt is`}},
		"all of it": {
			[]string{"a/b", "--bogus", "--timeout", "0", "--file", "no.pdf", "--message-file", "no.txt"},
			map[string]string{endpointVariable: "", tokenVariable: "", modeVariable: "x"},
			[]string{
				"--bogus: there is", "MAINSEQUENCE_AUTH_MODE: ", "MAINSEQUENCE_ACCESS_TOKEN: ", "--message-file: ", "MAINSEQUENCE_ENDPOINT: ",
				"UID \"a/b\": ", "--timeout: ", "--file: ",
			},
		},
	} {
		onVirtualTime(t, what, func(w *world) {
			t := w.t
			maps.Copy(w.env, test.env)
			got := w.run(test.args...)
			lines := strings.Split(strings.TrimSuffix(got.err, "\n"), "\n")
			if got.exit != 2 || got.out != "" || lines[0] != name+": nothing was sent, because of" || lines[len(lines)-1] != name+" --help says what can be given." {
				t.Fatalf("got %+v", got)
			}
			problems := lines[1 : len(lines)-1]
			if !slices.EqualFunc(problems, test.want, func(got, want string) bool { return strings.HasPrefix(got, "  "+want) }) {
				t.Errorf("unexpected problems:\n%s", cmp.Diff(test.want, problems))
			}
			if len(w.asked) > 0 {
				t.Errorf("asked %v", w.asked)
			}
			if left, err := os.ReadDir(w.env["HOME"]); err != nil || len(left) > 0 {
				t.Errorf("left %v, %v", left, err)
			}
		})
	}
}

func TestAFileTooMuchIsRefusedBeforeAnythingIsAsked(t *testing.T) {
	t.Parallel()
	onVirtualTime(t, "a send that is otherwise right", func(w *world) {
		t := w.t
		if err := os.Truncate(put(t, w.dir, "a.pdf", ""), 16<<20); err != nil {
			t.Fatal(err)
		}
		got := w.run(session, "--message", "Hello", "--file", "a.pdf")
		if got.exit != 2 || !strings.Contains(got.err, "\n  --file: "+w.dir+"/a.pdf: has 16777216 bytes, more than the 15728640 that can be sent\n") || len(w.asked) > 0 {
			t.Errorf("got %+v, asked %v", got, w.asked)
		}
	})
}

func TestTheCommandIsNamed(t *testing.T) {
	t.Parallel()
	var errs strings.Builder
	exit := Main(t.Context(), subject.Process{Args: []string{"agent", "send"}, Env: func(string) string { return "" }, Stderr: &errs})
	if exit != 2 || !strings.Contains(errs.String(), "\n  the command is agent session a2a send\n") {
		t.Errorf("exit %d: %s", exit, errs.String())
	}
}

func TestHelpWinsOverMistakes(t *testing.T) {
	t.Parallel()
	onVirtualTime(t, "-h", func(w *world) {
		t := w.t
		if diff := cmp.Diff(ran{0, Help, ""}, w.run("--bogus", "-h"), cmp.AllowUnexported(ran{})); diff != "" {
			t.Error(diff)
		}
	})
	for flag := range flags() {
		if !strings.Contains(Help, "\n      "+flag+" ") {
			t.Errorf("the help leaves out %s", flag)
		}
	}
}

func TestTokenFile(t *testing.T) {
	t.Parallel()
	onVirtualTime(t, "with a line's end", func(w *world) {
		t := w.t
		w.env[tokenVariable], w.env[tokenFileVariable] = "", "token"
		put(t, w.dir, "token", platformToken+"\r\n")
		if got := w.run(session, "--message", "Hello"); got.exit != 0 || w.asked[0].auth != "Bearer "+platformToken {
			t.Errorf("got %+v, asked %v", got, w.asked)
		}
	})
	onVirtualTime(t, "that is no token", func(w *world) {
		t := w.t
		w.env[tokenVariable], w.env[tokenFileVariable] = "", "token"
		put(t, w.dir, "token", strings.Repeat(platformToken, 1+maxTokenFile/len(platformToken)))
		if got := w.run(session, "--message", "Hello"); got.exit != 2 || !strings.Contains(got.err, "token: has more than 65536 bytes") {
			t.Errorf("got %+v", got)
		}
	})
}

func TestCachePath(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		env  map[string]string
		want string
	}{
		"configured": {map[string]string{"XDG_CONFIG_HOME": "/c", "HOME": "/h"}, "/c/a2a-conform/runtime_access_cache.json"},
		"by default": {map[string]string{"HOME": "/h"}, "/h/.config/a2a-conform/runtime_access_cache.json"},
		"relative":   {map[string]string{"XDG_CONFIG_HOME": "c", "HOME": "/h"}, "/h/.config/a2a-conform/runtime_access_cache.json"},
		"homeless":   {map[string]string{"HOME": "h"}, ""},
		"nothing":    {nil, ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			got, ok := cachePath(subject.Process{Env: func(name string) string { return test.env[name] }})
			if filepath.ToSlash(got) != test.want || ok != (test.want != "") {
				t.Errorf("got %q, %v, want %q", got, ok, test.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("uid\n--message\nHello\n--timeout=2.5\n-h")
	f.Add("--\n--message\n--file\n-\n-x\n--json-repair-attempts\n-1")
	f.Add("--message=\n--message=a=b\n\n")
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\n")
		found := parse(append([]string{"agent", "session", "a2a", "send"}, args...))
		taken := len(found.words)
		for name, values := range found.values {
			known, ok := flags()[name]
			if !ok || len(values) > 1 && !known.repeat {
				t.Errorf("read %s %q", name, values)
			}
			taken += len(values)
		}
		if taken > len(args) {
			t.Errorf("made %d things out of %q", taken, args)
		}
		if len(found.problems) == 0 && !found.help && (len(found.words) != 1 || found.has("--message") == found.has("--message-file")) {
			t.Errorf("%q was found to be right", args)
		}
	})
}
