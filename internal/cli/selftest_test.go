package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/internal/selftest"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

func TestSelftestOfAPart(t *testing.T) {
	t.Parallel()
	s := newShell()
	output := filepath.Join(t.TempDir(), "matrix.json")
	if code := s.do(t, "selftest", "waits-for-half-a-second", "--format", "json", "--output", output); code != verdict.ExitOK {
		t.Fatalf("exit %d: %s%s", code, s.out.String(), s.err.String())
	}
	if !strings.Contains(s.out.String(), "FLOW-06  killed       waits-for-half-a-second") {
		t.Errorf("the matrix is not there:\n%s", s.out.String())
	}
	written, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	var found selftest.Result
	if err := json.Unmarshal(written, &found); err != nil {
		t.Fatal(err)
	}
	if found.Defects != 1 || found.Killed != 1 || found.Variants != 0 || found.Rules.InScope != 0 || len(found.Matrix) != 1 {
		t.Errorf("the file says %+v", found)
	}
}

func TestSelftestSaysAllThatIsWrongWithItsCommandLine(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "selftest", "hegdes", "--format", "xml", "--jobs", "0", "--output", "-"); code != verdict.ExitUsage {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{`filter "hegdes": no defect, no variant and no rule that binds is called so, did you mean "hedges"?`, "--format: ", "--jobs: ", "--output: "} {
		if !strings.Contains(s.err.String(), want) {
			t.Errorf("%q is not said in\n%s", want, s.err.String())
		}
	}
}
