package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

// text writes a copy of a text and returns its path.
func text(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// twoSentences are of the contract: the eighth of its head and the last of its section Timeouts.
const twoSentences = "Timeouts\n\nThe budget can only shorten a wait; it cannot extend a platform limit.\n\n" +
	"A budget can only shorten a wait; it cannot extend a platform limit. It is counted in seconds."

func TestListRulesComparesATextWithTheOneThatIsJudged(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "list", "rules", "--adr", text(t, twoSentences), "--format", "json"); code != 1 {
		t.Fatalf("exit %d: %s", code, s.err.String())
	}
	var got compared
	if err := json.Unmarshal(s.out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Sentences != 3 || got.Judged+got.Ignored != 99 {
		t.Errorf("%d sentences given, %d judged, %d ignored", got.Sentences, got.Judged, got.Ignored)
	}
	gone := 0
	var added []string
	for _, c := range got.Changes {
		gone += len(c.Gone)
		for _, n := range c.New {
			added = append(added, n.Text)
		}
	}
	if gone != 97 {
		t.Errorf("%d sentences are gone, want 97", gone)
	}
	if diff := cmp.Diff([]string{"It is counted in seconds."}, added); diff != "" {
		t.Error(diff)
	}
}

func TestListRulesShowsWhatADifferenceTouches(t *testing.T) {
	t.Parallel()
	s := newShell()
	s.do(t, "list", "rules", "-v", "--adr", text(t, twoSentences))
	for _, want := range []string{"the given text: 3 sentences, with 3 differences", "AUTH-01, AUTH-02", "It is counted in seconds.", "introduces an example"} {
		if !strings.Contains(s.out.String(), want) {
			t.Errorf("%q is not in\n%s", want, s.out.String())
		}
	}
}

func TestListRulesRefusesWhatItCannotCompare(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no such file":        {[]string{"rules", "--adr", "nowhere.txt"}, "--adr: open nowhere.txt"},
		"no text":             {[]string{"rules", "--adr", text(t, "\n")}, "no sentence"},
		"an empty name":       {[]string{"rules", "--adr", ""}, "name the file"},
		"scenarios":           {[]string{"scenarios", "--adr", text(t, twoSentences)}, "it is the rules"},
		"as a table":          {[]string{"rules", "--format", "markdown", "--adr", text(t, twoSentences)}, "markdown is for the list of rules alone"},
		"scenarios, as table": {[]string{"scenarios", "--format", "markdown"}, "markdown is for the list of rules"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell()
			if code := s.do(t, append([]string{"list"}, test.args...)...); code != verdict.ExitUsage || !strings.Contains(s.err.String(), test.want) {
				t.Errorf("exit %d: %s", code, s.err.String())
			}
		})
	}
}

func TestTheReferenceOfRulesIsUpToDate(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "list", "rules", "--format", "markdown"); code != 0 {
		t.Fatalf("exit %d: %s", code, s.err.String())
	}
	golden(t, "../../../docs/rules.md", s.out.String())
}
