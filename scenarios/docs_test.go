package scenarios

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// TestGuideHoldsWhatItSays: the example of the guide is a scenario without a mistake.
func TestGuideHoldsWhatItSays(t *testing.T) {
	t.Parallel()
	_, rest, found := strings.Cut(guide(t), "```yaml\n")
	example, _, ended := strings.Cut(rest, "```\n")
	if !found || !ended {
		t.Fatal("the guide has no example")
	}
	file := loadOne(t, folder(t, map[string]string{"moved-and-refused.yaml": example})+"/moved-and-refused.yaml")
	var ids []string
	for _, c := range file.Cases(evidence.ClockReal) {
		ids = append(ids, strings.TrimPrefix(c.ID, "moved-and-refused/"))
	}
	want := []string{"status=401,state=starting", "status=401,state=waking", "status=403,state=starting", "status=403,state=waking"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Error(diff)
	}
}

// TestGuideOfCommandsHoldsWhatItSays: so is its example of a command.
func TestGuideOfCommandsHoldsWhatItSays(t *testing.T) {
	t.Parallel()
	_, chapter, _ := strings.Cut(guide(t), "## Commands")
	_, example, found := strings.Cut(chapter, "```yaml\n")
	example, _, ended := strings.Cut(example, "```\n")
	if !found || !ended {
		t.Fatal("the guide has no example of a command")
	}
	name := "interrupted-then-sent-again"
	file := loadOne(t, folder(t, map[string]string{name + ".yaml": example})+"/"+name+".yaml")
	if signal := file.Cases(evidence.ClockReal)[0].Calls[0].Call.Signal; signal == nil || signal.Name != "INT" {
		t.Errorf("want the signal INT, got %v", signal)
	}
}

// TestGuideNamesEveryMember: whoever reads the guide learns of every member that the schema takes.
func TestGuideNamesEveryMember(t *testing.T) {
	t.Parallel()
	s, err := newSchema()
	if err != nil {
		t.Fatal(err)
	}
	text := guide(t)
	members := keysOf(s.text, "properties")
	definitions, _ := within(s.text, "$defs").(map[string]any)
	for name := range definitions {
		members = append(members, keysOf(definitions, name, "properties")...)
	}
	for _, member := range append(members, outcomes()[:2]...) {
		if !strings.Contains(text, member) {
			t.Errorf("the guide does not name %s", member)
		}
	}
}

func guide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
