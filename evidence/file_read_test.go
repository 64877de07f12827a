package evidence

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// saved writes the full recording to a directory and returns it.
func saved(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r")
	session, runs := fullRecording()
	if err := Save(path, session, runs); err != nil {
		t.Fatal(err)
	}
	return path
}

func edit(t *testing.T, path, from, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), from) {
		t.Fatalf("%s does not hold %q", path, from)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReadReportsEveryProblem(t *testing.T) {
	t.Parallel()
	dir := saved(t)
	first := filepath.Join(dir, "runs", "0001-scenario-case=1-x.json")
	edit(t, filepath.Join(dir, "session.json"), `"held": true`, `"hold": true`)
	edit(t, first, `"arrived": "1.500001009s"`, `"arrived": "soon"`)
	edit(t, first, `"op": "runtime.send_message"`, `"op": "runtime.steal"`)
	edit(t, first, `"status": 504`, `"status": "504"`)
	edit(t, first, `"seq": 1,`, ``)
	edit(t, first, `"calls": [`, `"calls": 7, "spare": [`)
	edit(t, first, `"secrets": [`, `"secrets": [null,`)
	second := filepath.Join(dir, "runs", "0002-other.json")
	edit(t, second, `"endpoint": "platform"`, `"endpoint": "moon"`)
	edit(t, second, `"connection": 0`, `"connection": 3`)
	edit(t, second, `"seq": 1`, `"seq": 2`)
	edit(t, second, `"calls": null,
      "endpoint"`, `"calls": [4],
      "endpoint"`)
	for name, text := range map[string]string{
		"runs/0003-cut.json": `{"id":`, "runs/3-short.json": "{}", "bodies/short": "x", "bodies/" + strings.Repeat("0", 64): "x",
	} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := Read(dir)
	var problems ProblemsError
	if !errors.As(err, &problems) {
		t.Fatalf("error %v", err)
	}
	want := ProblemsError{
		"bodies/" + strings.Repeat("0", 64) + ": does not hold what its name says: the file was changed",
		"bodies/short: is no name of a body, want a SHA-256 in hex",
		"runs/0001-scenario-case=1-x.json: /: member \"spare\" is unknown",
		"runs/0001-scenario-case=1-x.json: /calls: is a number, want a list or an object",
		"runs/0001-scenario-case=1-x.json: /exchanges/0/arrived: read a time of the recording: time: invalid duration \"soon\"",
		"runs/0001-scenario-case=1-x.json: /exchanges/0/op: \"runtime.steal\" is none of platform.resolve_access, platform.get_session, platform.get_agent, platform.renew_token, platform.whoami, runtime.send_message, runtime.get_task, runtime.cancel_task, legacy, unknown",
		"runs/0001-scenario-case=1-x.json: /exchanges/0: member \"seq\" is missing",
		"runs/0001-scenario-case=1-x.json: /secrets/0: is null, want an object",
		"runs/0002-other.json: /exchanges/0/calls: there is no call 4",
		"runs/0002-other.json: /exchanges/0/connection: there is no connection 3",
		"runs/0002-other.json: /exchanges/0/endpoint: there is no endpoint \"moon\"",
		"runs/0002-other.json: /exchanges/0/seq: is 2, want 1",
		"runs/0003-cut.json: /id: the body ends where a value is due (byte 6)",
		"runs/3-short.json: is no name of a run, want runs/NNNN-id.json",
		"session.json: /control: member \"held\" is missing",
		"session.json: /control: member \"hold\" is unknown",
	}
	if diff := cmp.Diff(strings.Split(want.Error(), "\n"), strings.Split(problems.Error(), "\n")); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestReadChecksWhatStandsInsideACall(t *testing.T) {
	t.Parallel()
	dir := saved(t)
	first := filepath.Join(dir, "runs", "0001-scenario-case=1-x.json")
	edit(t, first, `"category": "message_limit"`, `"category": "mood"`)
	edit(t, first, `"limit_seconds": "Infinity"`, `"limit_seconds": "ages"`)
	edit(t, first, `"number": 1,`, `"number": 2,`)
	edit(t, first, `"elapsed": "3ns"`, `"elapsed": 3`)
	edit(t, first, `"exit": 1`, `"exit": null`)
	_, _, err := Read(dir)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`/calls/0/outcome/error/category: "mood" is none of `, `/calls/0/outcome/error/limit_seconds: timeout "ages"`,
		`/calls/0/elapsed: `, `/calls/0/command/exit: is null`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in:\n%v", want, err)
		}
	}
}

func TestReadChecksReferences(t *testing.T) {
	t.Parallel()
	run := Run{
		Endpoints: []Endpoint{{Name: "a"}, {Name: "a"}}, Calls: []Call{{Number: 2}}, Connections: []Connection{{Number: 7, Endpoint: "b"}},
		Exchanges: []Exchange{{Seq: 1, Endpoint: "a", Connection: -1, Request: Request{Body: Body{SHA256: "../x"}}}},
	}
	want := []string{
		`/id: is empty`, `/endpoints/1: endpoint "a" occurs twice`, `/calls/0/number: is 2, want 1`,
		`/connections/0/number: is 7, want 1`, `/connections/0/endpoint: there is no endpoint "b"`,
		`/exchanges/0/connection: there is no connection -1`, `/exchanges/0: "../x" is no SHA-256 of a body`,
	}
	if diff := cmp.Diff(want, checkRun(&run)); diff != "" {
		t.Error(diff)
	}
}

func TestReadWantsTheTimesOfAnAnswer(t *testing.T) {
	t.Parallel()
	at := new(Offset)
	head, last := "/exchanges/0: want the times head_from and head_by of its answer", "/exchanges/0: want the times last_from and last_by of its answer"
	for name, test := range map[string]struct {
		x    Exchange
		want []string
	}{
		"no answer":                  {Exchange{}, nil},
		"bytes of one without times": {Exchange{Response: &Response{Sent: 3}}, nil},
		"a whole one":                {Exchange{Response: &Response{Status: 200, Complete: true}, HeadFrom: at, HeadBy: at, LastFrom: at, LastBy: at}, nil},
		"a head alone":               {Exchange{Response: &Response{Status: 200}, HeadFrom: at, HeadBy: at}, nil},
		"a status without a time":    {Exchange{Response: &Response{Status: 307}}, []string{head}},
		"half a time of the head":    {Exchange{Response: &Response{Status: 307}, HeadBy: at}, []string{head}},
		"half a time of the last":    {Exchange{LastFrom: at}, []string{last}},
		"a whole one without times":  {Exchange{Response: &Response{Status: 200, Complete: true}}, []string{head, last}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.x.Seq, test.x.Endpoint = 1, "a"
			if diff := cmp.Diff(test.want, checkRun(&Run{ID: "r", Endpoints: []Endpoint{{Name: "a"}}, Exchanges: []Exchange{test.x}})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	version := saved(t)
	edit(t, filepath.Join(version, "session.json"), `"schema": 1`, `"schema": 2`)
	unversioned := saved(t)
	edit(t, filepath.Join(unversioned, "session.json"), `"schema": 1`, `"schema": "1"`)
	broken := saved(t)
	edit(t, filepath.Join(broken, "session.json"), `{`, `<`)
	twice := saved(t)
	edit(t, filepath.Join(twice, "runs", "0002-other.json"), `"id": "other"`, `"id": "scenario/case=1,x"`)
	missing := saved(t)
	if err := os.RemoveAll(filepath.Join(missing, "bodies")); err != nil {
		t.Fatal(err)
	}
	directory := saved(t)
	if err := os.Mkdir(filepath.Join(directory, "runs", "0009-x.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "session.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := saved(t)
	secret := filepath.Join(t.TempDir(), "secret.json")
	if err := errors.Join(os.WriteFile(secret, []byte("{}"), 0o600), os.Symlink(secret, filepath.Join(link, "runs", "0003-x.json"))); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, why := range map[string]string{
		version:                          "is of schema version 2, and this program reads version 1 only",
		unversioned:                      "says no schema version: it is no recording of this tool",
		broken:                           "session.json is no JSON: '<' stands where a value is due",
		twice:                            `0002-other.json: run "scenario/case=1,x" is in runs/0001-scenario-case=1-x.json too`,
		missing:                          "is missing from bodies",
		directory:                        "runs/0009-x.json: is no regular file",
		folder:                           "is no regular file",
		link:                             "runs/0003-x.json: ",
		plain:                            "is neither a directory nor a zip",
		t.TempDir():                      "holds no session.json: give what run --record has written",
		filepath.Join(t.TempDir(), "no"): "give the directory or the .zip that run --record has written",
	} {
		session, runs, err := Read(path)
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
		if session.Schema != 0 || runs != nil {
			t.Errorf("%s: part of a recording is returned", why)
		}
	}
}

func TestReadRefusesTricksOfAnArchive(t *testing.T) {
	t.Parallel()
	for name, why := range map[string]string{
		"../x.json": "leads out of it", "/etc/x": "leads out of it", `runs\x`: "leads out of it", "a/../b": "leads out of it",
		"session.json": "two files named",
	} {
		path := filepath.Join(t.TempDir(), "r.zip")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		archive := zip.NewWriter(file)
		for _, entry := range []string{"session.json", name} {
			w, err := archive.Create(entry)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(`{"schema":1}`)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(archive.Close(), file.Close()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Read(path); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadKeepsItsLimits(t *testing.T) {
	t.Parallel()
	source, err := openSource(saved(t))
	if err != nil {
		t.Fatal(err)
	}
	defer source.close()
	if _, err := source.read(sessionFile, 10); err == nil || err.Error() != "is larger than 10 bytes" {
		t.Errorf("a large file: %v", err)
	}
	source.left = 20
	if _, err := source.read(sessionFile, limitDocument); err == nil || err.Error() != "is larger than 20 bytes" {
		t.Errorf("many files: %v", err)
	}
	if _, err := source.read("missing", 1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func FuzzReadRun(f *testing.F) {
	_, runs := fullRecording()
	for i := range runs {
		data, err := document(runs[i])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		run, problems := readRun(data)
		if len(problems) > 0 {
			return
		}
		again, err := document(run)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		second, problems := readRun(again)
		if len(problems) > 0 {
			t.Fatalf("what was written cannot be read: %v", problems)
		}
		if diff := cmp.Diff(run, second, asIs()); diff != "" {
			t.Fatalf("the second reading differs:\n%s", diff)
		}
	})
}
