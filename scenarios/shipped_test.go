package scenarios

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// TestBuiltinIsWhatLoadReads holds the quick way to the checked one.
func TestBuiltinIsWhatLoadReads(t *testing.T) {
	t.Parallel()
	checked, err := Load([]string{"data"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	quick, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	ids := func(files []*File) []string {
		var all []string
		for _, f := range files {
			for _, c := range f.Cases(evidence.ClockVirtual) {
				all = append(all, c.File+" "+c.ID)
			}
		}
		return all
	}
	if diff := cmp.Diff(ids(checked), ids(quick)); diff != "" {
		t.Error(diff)
	}
}

func TestBuiltinByName(t *testing.T) {
	t.Parallel()
	files, err := Builtin("waking-then-ready", Control)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || files[0].Name != "waking-then-ready" || files[1].Name != Control {
		t.Errorf("got %d files, the first is %s", len(files), files[0].Name)
	}
	if _, err := Builtin(Control, "no-such-scenario"); err == nil {
		t.Error("a scenario that does not exist was loaded")
	}
	if got := DidYouMean("FLOW-60", []string{"FLOW-06", "REQ-01"}); got != `, did you mean "FLOW-06"?` {
		t.Errorf("got %q", got)
	}
}
