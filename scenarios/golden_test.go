package scenarios

import (
	"errors"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestTenMistakesAreNamedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := Load([]string{"testdata/ten-mistakes.yaml"}, Options{KnownRules: []string{"FLOW-05", "FLOW-06"}})
	var problems *Problems
	if !errors.As(err, &problems) {
		t.Fatalf("want *Problems, got %v", err)
	}
	if len(problems.List) != 10 {
		t.Errorf("want 10 problems, got %d", len(problems.List))
	}
	golden(t, "testdata/ten-mistakes.txt", err.Error()+"\n")
}

// golden compares what came out with a file that was read over by a person.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}
