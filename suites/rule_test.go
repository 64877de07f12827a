package suites

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestCatalogueIsInOrder(t *testing.T) {
	t.Parallel()
	ids := RuleIDs()
	chapters := []string{"REQ", "FLOW", "AUTH", "BUD", "LIM", "RESP", "TASK", "CLI", "CACHE", "PLAT", "RUN", "SUBJ"}
	split := func(id string) (chapter, number int) {
		name, digits, _ := strings.Cut(id, "-")
		number, err := strconv.Atoi(digits)
		if chapter = slices.Index(chapters, name); chapter < 0 || err != nil {
			t.Fatalf("%s is no rule id", id)
		}
		return chapter, number
	}
	sorted := slices.Clone(ids)
	slices.SortFunc(sorted, func(a, b string) int {
		ac, an := split(a)
		bc, bn := split(b)
		return cmp.Or(cmp.Compare(ac, bc), cmp.Compare(an, bn))
	})
	if diff := gocmp.Diff(slices.Compact(sorted), ids); diff != "" {
		t.Errorf("the catalogue is out of order or names a rule twice (-want +got):\n%s", diff)
	}
}

func TestRulesAreComplete(t *testing.T) {
	t.Parallel()
	id := regexp.MustCompile(`^[A-Z]+-\d\d$`)
	levels := []Level{Must, Should, Observe}
	capabilities := []string{
		"send", "message_id", "strict_dictionary", "timeout_number",
		"timeout_pair", "timeout_default", "files", "task_mode", "get_task", "cancel_task", "wait_task", "typed_errors", "cancel", "per_call_platform",
	}
	for _, r := range Rules() {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			if !id.MatchString(r.ID) || !slices.Contains(levels, r.Level) || len(r.Sides) == 0 || r.Section == "" || r.Judge == nil {
				t.Errorf("id, level, sides, section or judge is missing or wrong: %+v", r)
			}
			if first, _ := utf8.DecodeRuneInString(r.Obligation); unicode.IsUpper(first) && !strings.HasPrefix(r.Obligation, "POST") || strings.HasSuffix(r.Obligation, ".") {
				t.Errorf("the obligation does not complete a sentence: %q", r.Obligation)
			}
			for _, text := range []string{r.Obligation, r.Cause, r.Right, r.Wrong} {
				if strings.TrimSpace(text) == "" {
					t.Error("obligation, cause, right or wrong is missing")
				}
			}
			for _, need := range r.Needs {
				if !slices.Contains(capabilities, need) {
					t.Errorf("needs %q, which is no capability", need)
				}
			}
		})
	}
}

func TestFindingRules(t *testing.T) {
	t.Parallel()
	r, ok := Find("REQ-02")
	if !ok || r.ID != "REQ-02" || r.Chapter() != "REQ" {
		t.Errorf("Find gave %q of chapter %q, %t", r.ID, r.Chapter(), ok)
	}
	if r, ok := Find("REQ-99"); ok {
		t.Errorf("Find gave %q for a rule that does not exist", r.ID)
	}
	if got := (Rule{ID: "ODD"}).Chapter(); got != "ODD" {
		t.Errorf("the chapter of an id without a dash is %q", got)
	}
}

func TestSides(t *testing.T) {
	t.Parallel()
	command := Rule{Sides: []Side{Command}}
	client := Rule{Sides: []Side{Client}}
	for name, tt := range map[string]struct {
		subject         evidence.Subject
		client, command bool
	}{
		"reference":          {evidence.Subject{Kind: evidence.KindReference}, true, false},
		"command":            {evidence.Subject{Kind: evidence.KindCommand}, true, true},
		"recorded command":   {evidence.Subject{Kind: evidence.KindRecording, Command: true}, true, true},
		"recorded reference": {evidence.Subject{Kind: evidence.KindRecording}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sides := SidesOf(tt.subject)
			if client.On(sides) != tt.client || command.On(sides) != tt.command {
				t.Errorf("sides are %v", sides)
			}
		})
	}
}

func TestScopeOf(t *testing.T) {
	t.Parallel()
	session := func(level string, rules ...string) evidence.Session {
		return evidence.Session{Subject: evidence.Subject{Kind: evidence.KindReference}, Selection: evidence.Selection{Level: level, Rules: rules}}
	}
	ids := func(s Scope) []string {
		var out []string
		for _, r := range s.Rules {
			out = append(out, r.ID)
		}
		return out
	}
	if got := ids(ScopeOf(session("", "REQ-02", "REQ-01"))); !slices.Equal(got, []string{"REQ-01", "REQ-02"}) {
		t.Errorf("two rules selected, got %v", got)
	}
	all, should, must := ids(ScopeOf(session("OBSERVE", "REQ"))), ids(ScopeOf(session("SHOULD", "REQ"))), ids(ScopeOf(session("MUST", "REQ")))
	if !slices.Contains(all, "REQ-11") || slices.Contains(should, "REQ-11") || !slices.Contains(should, "REQ-17") || slices.Contains(must, "REQ-17") || !slices.Contains(must, "REQ-02") {
		t.Errorf("levels: %v, %v, %v", all, should, must)
	}
	if got := ids(ScopeOf(session(""))); len(got) < 50 || !slices.Contains(got, "SUBJ-02") || slices.Contains(got, "CLI-01") {
		t.Errorf("nothing selected leaves a client in process the scope %v", got)
	}
	elsewhere := session("")
	elsewhere.Subject = evidence.Subject{Kind: evidence.KindCommand, Command: true}
	if got := ids(ScopeOf(elsewhere)); slices.Contains(got, "SUBJ-02") || !slices.Contains(got, "SUBJ-01") || !slices.Contains(got, "CLI-01") {
		t.Errorf("of another process the scope is %v", got)
	}
}
