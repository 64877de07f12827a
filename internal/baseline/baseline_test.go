package baseline

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/a2a-conform/a2a-conform/scenarios"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; look at it, and run the test with -update if it is right:\n%s", file, diff)
	}
}

func whole(t *testing.T) File {
	t.Helper()
	f, err := Read("testdata/whole.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRead(t *testing.T) {
	t.Parallel()
	want := []Entry{
		{
			Rule: "FLOW-06", Scenario: "retry-not/*", Status: Failed, Reason: "the HTTP library sends again after 503; it goes with the new one",
			Issue: "https://example.org/mysdk/42", Expires: "2027-01-31", Line: 4,
		},
		{Rule: "REQ-02", Status: Failed, Reason: "written over two lines", Issue: "42", Line: 10},
		{Rule: "BUD-02", Status: Unsupported, Reason: "no way to say it: a pair", Line: 16},
	}
	if diff := cmp.Diff(want, whole(t).Entries, cmpopts.IgnoreUnexported(Entry{})); diff != "" {
		t.Error(diff)
	}
	e := want[0]
	if !e.Takes("retry-not/status=400") || e.Takes("plain-send") || !want[1].Takes("plain-send") || e.Name() != "FLOW-06 retry-not/*" {
		t.Errorf("%s takes the wrong runs", e.Name())
	}
}

// TestEveryMistakeIsTold wants all of them at once, each with its place.
func TestEveryMistakeIsTold(t *testing.T) {
	t.Parallel()
	_, err := Read("testdata/mistakes.yaml")
	if err == nil {
		t.Fatal("the file was taken")
	}
	golden(t, "mistakes.golden", err.Error()+"\n")
}

func TestWhatIsNoBaseline(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"empty":          {" \n", "b.yaml:1:1: the file is empty: want known: with a list of entries"},
		"a comment":      {"# nothing\n", "b.yaml:1:1: the file is empty: want known: with a list of entries"},
		"a list":         {"- rule: FLOW-06\n", "b.yaml:1:1: want known: with a list of entries"},
		"no list":        {"known: none\n", "b.yaml:1:1: known: want a list of entries, [] for none"},
		"nothing":        {"known:\n", "b.yaml:1:1: known: want a list of entries, [] for none"},
		"no member":      {"entries: []\n", "b.yaml:1:1: there is no member \"entries\": a baseline has known alone\nb.yaml:1:8: there is no member known with the list of entries"},
		"two lists":      {"known: []\nknown: []\n", `b.yaml:2:1: "known" is here twice`},
		"two documents":  {"known: []\n---\nknown: []\n", "b.yaml:2:1: a second document: a baseline is one"},
		"an anchor":      {"known: &a []\n", "b.yaml:1:8: anchors, aliases and merge keys are not part of the format: write each entry out, or let one take many runs with a pattern"},
		"too deep":       {"known: " + strings.Repeat("[", 40), "b.yaml:1:24: values are nested deeper than 16"},
		"too large":      {strings.Repeat("#", maxSize+1), "b.yaml: the file is larger than 1 MiB; let an entry take many runs with a pattern"},
		"not UTF-8":      {"\xff", "b.yaml: the file is not UTF-8"},
		"a NUL":          {"known: \x00", "b.yaml: the file has a NUL byte; write \\0 between double quotes"},
		"a bracket open": {"known: [", "b.yaml:1:8: this is not YAML: sequence end token ']' not found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("b.yaml", []byte(test.text))
			if err == nil {
				t.Fatal("it was taken")
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
	for path, want := range map[string]string{"testdata": "testdata: is no plain file", "no/such": "no/such: cannot be read: no such file or directory"} {
		if _, err := Read(path); err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	many := "known:\n" + strings.Repeat("  - x\n", 200)
	_, err := Parse("b.yaml", []byte(many))
	if all, ok := errors.AsType[*scenarios.Problems](err); !ok || len(all.List) != maxProblems+1 {
		t.Errorf("of 200 mistakes are told: %v", err)
	}
}

func TestExpired(t *testing.T) {
	t.Parallel()
	f := whole(t)
	for day, want := range map[string][]string{
		"2027-01-31": nil,
		"2027-02-01": {"testdata/whole.yaml:4:5: the entry for FLOW-06 retry-not/* expired on 2027-01-31: look at it again, then give it a later day or take it out"},
	} {
		today, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, f.Expired(today)); diff != "" {
			t.Errorf("on %s: %s", day, diff)
		}
	}
}

func TestUnmatched(t *testing.T) {
	t.Parallel()
	none := func(string) bool { return false }
	want := []string{`testdata/whole.yaml:4:5: no scenario and no run is called "retry-not/*", did you mean "retry-nor/*"?`}
	if diff := cmp.Diff(want, whole(t).Unmatched(none, []string{"retry-nor/*"})); diff != "" {
		t.Error(diff)
	}
	if found := whole(t).Unmatched(func(pattern string) bool { return pattern == "retry-not/*" }, nil); len(found) > 0 {
		t.Error(found)
	}
}

// TestEdit keeps what people wrote: an entry that stays keeps its lines and the comments above it.
func TestEdit(t *testing.T) {
	t.Parallel()
	f := whole(t)
	added := []Entry{
		{Rule: "FLOW-07", Scenario: "*", Status: Failed, Reason: Unreviewed},
		{Rule: "BUD-04", Status: NotExercised, Reason: `no: "cache" # yet`, Issue: "#7", Expires: "2027-03-01"},
	}
	golden(t, "edited.yaml", string(f.Edit(func(e Entry) bool { return e.Rule == "FLOW-06" }, added)))
	golden(t, "emptied.yaml", string(f.Edit(func(Entry) bool { return true }, nil)))
	golden(t, "new.yaml", string(File{}.Edit(func(Entry) bool { return false }, added)))
	if got := string(f.Edit(func(Entry) bool { return false }, nil)); got != string(must(os.ReadFile("testdata/whole.yaml"))) {
		t.Errorf("nothing is changed, and the file is\n%s", got)
	}
	flow, err := Parse("", []byte("known: [{rule: FLOW-06, reason: a}, {rule: FLOW-07, reason: b}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := head + "known:\n  - rule: FLOW-07\n    reason: b\n"
	if diff := cmp.Diff(want, string(flow.Edit(func(e Entry) bool { return e.Rule == "FLOW-06" }, nil))); diff != "" {
		t.Errorf("a file on one line is written anew:\n%s", diff)
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		return []byte(err.Error())
	}
	return data
}

// TestSchemaSaysTheSame gives the schema what the parser takes, and what it refuses for its form.
func TestSchemaSaysTheSame(t *testing.T) {
	t.Parallel()
	text, err := jsonschema.UnmarshalJSON(strings.NewReader(string(Schema())))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", text); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text string
		good bool
	}{
		{`{"known": []}`, true},
		{`{"known": [{"rule": "FLOW-06", "reason": "a", "issue": 42, "expires": "2027-01-31", "status": "failed", "scenario": "x/*"}]}`, true},
		{`{"known": [{"rule": "FLOW-06"}]}`, false},
		{`{"known": [{"rule": "FLOW-06", "reason": ""}]}`, false},
		{`{"known": [{"rule": "FLOW-06", "reason": "a", "why": "b"}]}`, false},
		{`{"known": [{"rule": "FLOW-06", "reason": "a", "status": "passed"}]}`, false},
		{`{"known": [], "more": 1}`, false},
		{`{}`, false},
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(test.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != test.good {
			t.Errorf("%s: the schema says %v", test.text, err)
		}
		if _, err := Parse("", []byte(test.text)); (err == nil) != test.good {
			t.Errorf("%s: the parser says %v", test.text, err)
		}
	}
	for _, member := range members() {
		if !strings.Contains(schemaText, `"`+member+`": {`) {
			t.Errorf("the schema does not know %s", member)
		}
	}
}

// FuzzParse: whatever the bytes are, parsing ends and says what is wrong or nothing; and what was taken can be written
// and says the same again.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"whole.yaml", "mistakes.yaml"} {
		f.Add(must(os.ReadFile(filepath.Join("testdata", name))))
	}
	for _, text := range []string{"", "known: [{rule: FLOW-06, reason: a}]", "- - -", "known: &a [*a]", "known:\n-\n rule: FLOW-06\n reason: >\n  a\n # b\n", "? a"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := Parse("b.yaml", content)
		if all, ok := errors.AsType[*scenarios.Problems](err); err != nil && (!ok || len(all.List) == 0) {
			t.Fatalf("an error that says nothing: %v", err)
		}
		if err != nil {
			return
		}
		for _, gone := range file.Entries {
			kept, err := Parse("b.yaml", file.Edit(func(e Entry) bool { return e == gone }, nil))
			if err != nil || len(kept.Entries) != len(file.Entries)-1 {
				t.Fatalf("without %s the file is refused or something else: %v", gone.Name(), err)
			}
		}
	})
}
