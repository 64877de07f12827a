package scenarios

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestExpandKeepsTheOrderOfTheFiles(t *testing.T) {
	t.Parallel()
	files, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range files {
		for _, c := range f.Cases(evidence.ClockVirtual) {
			want = append(want, c.ID)
		}
	}
	var got []string
	for _, c := range Expand(files, evidence.ClockVirtual) {
		got = append(got, c.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the cases are not those of the files in turn (-want +got):\n%s", diff)
	}
}
