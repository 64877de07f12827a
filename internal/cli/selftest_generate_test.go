package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

func TestDefectsThatDrawnScenariosFind(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "selftest", "--generate", "60", "--format", "json", "AUTH-07", "CLI-01", "REQ-04"); code != 0 {
		t.Fatalf("exit %d: %s%s", code, s.out.String(), s.err.String())
	}
	var f drawnFindings
	if err := json.Unmarshal(s.out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	if f.Scenarios != 60 || f.Defects != len(f.Found)+len(f.ByOthers)+len(f.NotFound) || !slices.Contains(f.Found, "third-send-after-401") {
		t.Errorf("it found %+v", f)
	}
	if slices.Contains(f.NotFound, "third-send-after-401") || !slices.Contains(f.NotFound, "text-cut-at-64-kib") {
		t.Errorf("it did not find %q", f.NotFound)
	}
}

func TestMistakesInAskingForDrawnScenarios(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "selftest", "--generate", "0", "--full"); code != verdict.ExitUsage ||
		!strings.Contains(s.err.String(), "--generate: want a whole number") || !strings.Contains(s.err.String(), "neither --full") {
		t.Errorf("exit %d: %s", code, s.err.String())
	}
}
