package cli

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

// mistake is a command line and everything that is wrong with it.
type mistake struct{ args, want []string }

// mistakenRuns are about how a run is made.
func mistakenRuns() map[string]mistake {
	return map[string]mistake{
		"no command": {nil, []string{"no command was given: a2a-conform demo shows what it does"}},
		"a command that is none": {
			[]string{"rn"}, []string{`there is no command "rn"; there are agent, baseline, demo, driver, explain, judge, list, run, schema, selftest, serve, validate, version`},
		},
		"a command misspelt":       {[]string{"jugde"}, []string{`there is no command "jugde", did you mean "judge"?`}},
		"a flag without a command": {[]string{"--frmat"}, []string{`--frmat: there is no such flag`}},
		"a flag that is none": {
			[]string{"run", "--formt", "json"}, []string{`--formt: there is no such flag, did you mean "--format"?`},
		},
		"a letter that is none":      {[]string{"run", "-vx"}, []string{"-vx: there is no such flag"}},
		"a value that is missing":    {[]string{"run", "--jobs"}, []string{"--jobs: wants N"}},
		"a flag in place of a value": {[]string{"run", "--record", "--strict"}, []string{"--record: wants DIR"}},
		"a value too many":           {[]string{"run", "--strict=perhaps"}, []string{`--strict: stands alone, without "perhaps"`}},
		"a flag twice":               {[]string{"run", "--jobs", "1", "--jobs=2"}, []string{"--jobs: is given twice"}},
		"jobs that are no number":    {[]string{"run", "--jobs", "many"}, []string{`--jobs: want a whole number from 1, got "many"`}},
		"no jobs":                    {[]string{"run", "--jobs", "0"}, []string{`--jobs: want a whole number from 1, got "0"`}},
		"jobs below none":            {[]string{"run", "--jobs", "-1"}, []string{`--jobs: want a whole number from 1, got "-1"`}},
		"a timeout without unit":     {[]string{"run", "--timeout", "30"}, []string{`--timeout: want a time above zero with its unit, such as 30s or 5m, got "30"`}},
		"a timeout that is over":     {[]string{"run", "--timeout", "0s"}, []string{`--timeout: want a time above zero with its unit, such as 30s or 5m, got "0s"`}},
		"a level that is none":       {[]string{"run", "--level", "mst"}, []string{`--level: want MUST, SHOULD, OBSERVE, got "MST", did you mean "MUST"?`}},
	}
}

// mistakenReports are about where its reports go and what it runs.
func mistakenReports(full, dir string) map[string]mistake {
	return map[string]mistake{
		"a format that is none":       {[]string{"run", "--format", "jsn"}, []string{`--format: there is no format "jsn", did you mean "json"?`}},
		"a format that is far away":   {[]string{"run", "--format", "parquet"}, []string{`--format: there is no format "parquet"; there are console, json, junit, markdown, github`}},
		"a defect that is none":       {[]string{"run", "--defect", "wait-twice-as-long"}, []string{`--defect: there is no defect "wait-twice-as-long", did you mean "waits-twice-as-long"?`}},
		"two formats and no file":     {[]string{"run", "--format", "json", "--format", "console"}, []string{"--format: each of several formats wants an --output of its own; there are 2 and 0"}},
		"a file without format":       {[]string{"run", "--output", filepath.Join(dir, "a")}, []string{"--output: each file wants a --format of its own; there are 1 and 0"}},
		"a file in no directory":      {[]string{"run", "--format", "json", "--output", "no/such/a.json"}, []string{"--output: no/such/a.json cannot be written: directory no/such: no such file or directory"}},
		"standard output by name":     {[]string{"run", "--format", "json", "--output", "-"}, []string{"--output: - is no file; one --format without --output goes to standard output"}},
		"a record in no directory":    {[]string{"run", "--record", "no/such/evidence"}, []string{"--record: no/such/evidence cannot be written: directory no/such: no such file or directory"}},
		"a file that is a directory":  {[]string{"run", "--format", "json", "--output", full}, []string{"--output: " + full + " is there and no plain file"}},
		"a file without a name":       {[]string{"run", "--format", "json", "--output", ""}, []string{"--output: the name of the file is empty"}},
		"one file for two formats":    {[]string{"run", "--format", "json", "--format", "console", "--output", filepath.Join(dir, "a"), "--output", dir + "/./a"}, []string{"--output: " + dir + "/./a is named twice"}},
		"a record that is no record":  {[]string{"run", "--record", full}, []string{"--record: " + full + " is not empty and holds no recording: name a new or an empty directory"}},
		"a record below a plain file": {[]string{"run", "--record", "cli_test.go/x"}, []string{"--record: stat cli_test.go/x: not a directory"}},
		"a rule that is none":         {[]string{"run", "FLOW-60"}, []string{`filter "FLOW-60": no chapter, rule, scenario or run is called so, did you mean "FLOW-06"?`}},
		"a rule to come":              {[]string{"run", "run-05"}, []string{`filter "run-05": is part of the catalogue and not judged by this version`}},
		"a chapter to come":           {[]string{"run", "PLAT"}, []string{`filter "PLAT": is part of the catalogue and not judged by this version`}},
		"a chapter that is none":      {[]string{"run", "FLOV"}, []string{`filter "FLOV": no chapter, rule, scenario or run is called so, did you mean "FLOW"?`}},
		"a scenario that is none":     {[]string{"run", "plain-sent"}, []string{`filter "plain-sent": no chapter, rule, scenario or run is called so, did you mean "plain-send"?`}},
		"a glob of nothing":           {[]string{"run", "zzz*"}, []string{`filter "zzz*": no chapter, rule, scenario or run is called so`}},
		"scenarios that are none":     {[]string{"run", "--scenarios", "no/such.yaml"}, []string{"--scenarios: no/such.yaml: cannot be read: no such file or directory"}},
		"several at once": {
			[]string{"run", "--bogus", "--jobs", "x", "FLOW-60", "--level", "ALL", "zzz"},
			[]string{
				"--bogus: there is no such flag", `--jobs: want a whole number from 1, got "x"`, `--level: want MUST, SHOULD, OBSERVE, got "ALL"`,
				`filter "FLOW-60": no chapter, rule, scenario or run is called so, did you mean "FLOW-06"?`,
				`filter "zzz": no chapter, rule, scenario or run is called so`,
			},
		},
	}
}

// otherMistakes are about the other commands.
func otherMistakes(full string) map[string]mistake {
	return map[string]mistake{
		"demo with words":     {[]string{"demo", "FLOW", "--fial"}, []string{`--fial: there is no such flag, did you mean "--fail"?`, "demo takes no argument, got FLOW: run takes filters"}},
		"judge nothing":       {[]string{"judge", "--format", "x"}, []string{`--format: there is no format "x"; there are console, json, junit, markdown, github`, "judge takes the path of one recording, got 0"}},
		"judge no recording":  {[]string{"judge", full}, []string{"read the recording: " + full + " holds no session.json: give what run --record has written"}},
		"list of nothing":     {[]string{"list"}, []string{"list takes one argument, rules, scenarios or defects, got 0"}},
		"list of what":        {[]string{"list", "rule", "--format", "html"}, []string{`--format: want console or json, got "html"`, `there is no list of "rule", did you mean "rules"?`}},
		"explain nothing":     {[]string{"explain", "a", "b"}, []string{"explain takes one argument, the id of a rule, got 2"}},
		"explain what":        {[]string{"explain", "flow-60"}, []string{`there is no rule "flow-60", did you mean "FLOW-06"?`}},
		"explain a runtime's": {[]string{"explain", "RUN-05"}, []string{"RUN-05 is part of the catalogue and not judged by this version"}},
		"explain no rule":     {[]string{"explain", "SOME-99"}, []string{`there is no rule "SOME-99"`}},
		"validate nothing":    {[]string{"validate"}, []string{"validate takes the paths of scenario files, got none"}},
		"schema of what":      {[]string{"schema", "junit"}, []string{`there is no schema of "junit"; there are scenario, evidence, result, baseline, driver`}},
		"schema of nothing":   {[]string{"schema"}, []string{"schema takes one argument, scenario, evidence, result, baseline or driver, got 0"}},
		"version of what":     {[]string{"version", "of", "what"}, []string{"version takes no argument, got of", "version takes no argument, got what"}},
		"words behind a dash": {[]string{"explain", "--", "FLOW-60"}, []string{`there is no rule "FLOW-60", did you mean "FLOW-06"?`}},
	}
}

// TestMistakes gives every command every kind of mistake. All of them are told, nothing is started, the code is 2.
func TestMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(filepath.Join(full, "something"), 0o755); err != nil {
		t.Fatal(err)
	}
	all := mistakenRuns()
	maps.Copy(all, mistakenReports(full, dir))
	maps.Copy(all, otherMistakes(full))
	for name, test := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			s.record = nil // whatever starts a run now is a fault
			s.refuses(t, test.want, test.args...)
		})
	}
}

// refuses holds that a command line is not taken, and that each thing that is wrong with it is told on a line of its own.
func (s *shell) refuses(t *testing.T, want []string, args ...string) {
	t.Helper()
	if code := s.do(t, args...); code != verdict.ExitUsage || s.out.Len() > 0 {
		t.Errorf("exit %d, and on standard output: %s", code, s.out.String())
	}
	told := strings.Split(strings.TrimSpace(s.err.String()), "\n")
	var got []string
	for _, line := range told[1 : len(told)-1] {
		got = append(got, strings.TrimPrefix(line, "  "))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", diff, s.err.String())
	}
}

func TestUsageReadsWell(t *testing.T) {
	t.Parallel()
	s := newShell()
	s.do(t, "run", "--formt", "json", "--jobs", "x", "FLOW-60")
	golden(t, "usage", s.err.String())
}

func TestFlagsInAllTheirForms(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"A", "--jobs", "3", "-v", "--format", "json", "B"}, {"--jobs=3", "-v", "A", "--format=json", "B"},
		{"--verbose=true", "--jobs=3", "--format", "json", "--", "A", "B"}, {"-vn3", "-fjson", "A", "B"}, {"-vn", "3", "-f=json", "A", "B"},
	} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		jobs := flags.StringP("jobs", "n", "", "")
		verbose := flags.BoolP("verbose", "v", false, "")
		formats := flags.StringArrayP("format", "f", nil, "")
		given := parse(flags, args)
		got := []any{*jobs, *verbose, *formats, given.all(), given.problems}
		if diff := cmp.Diff([]any{"3", true, []string{"json"}, []string{"A", "B"}, []string(nil)}, got); diff != "" {
			t.Errorf("%q is read as\n%s", args, diff)
		}
	}
}

func FuzzArguments(f *testing.F) {
	f.Add("--jobs", "3", "-v")
	f.Add("--", "-", "-=")
	f.Add("-vé", "--=", "--help")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		given := parse(newShell().runCommand().Flags(), []string{a, b, c})
		if n := len(given.all()) + len(given.problems); n > 3 {
			t.Errorf("three arguments make %d words and problems: %+v", n, given)
		}
	})
}
