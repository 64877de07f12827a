package evidence

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCanSave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(filepath.Join(full, "something"), 0o755); err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(dir, "saved")
	if err := Save(saved, Session{}, nil); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		path string
		ok   bool
	}{
		"nothing there":                 {filepath.Join(dir, "new"), true},
		"a recording there":             {saved, true},
		"other things there":            {full, false},
		"the same, written differently": {full + "/something/../../full", false},
	} {
		if err := CanSave(test.path); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
