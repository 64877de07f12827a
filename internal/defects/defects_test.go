package defects

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/suites"
)

// switches lists the names that the client and the command ask for, once for each place.
func switches(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("c[lo][im]*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if selector, ok := call.Fun.(*ast.SelectorExpr); !ok || selector.Sel.Name != "has" {
				return true
			}
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Fatalf("%s asks for a switch whose name does not stand there", name)
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, text)
			return true
		})
	}
	slices.Sort(names)
	return names
}

// switchesOf are those of a client or of a command of this package.
func switchesOf(s subject.Subject) (plain, bool) {
	switch s := s.(type) {
	case plain:
		return s, true
	case commandLine:
		return s.switches, true
	default:
		return plain{}, false
	}
}

func TestEverySwitchIsReadAtOnePlace(t *testing.T) {
	t.Parallel()
	var known []string
	for _, d := range All() {
		if _, ok := switchesOf(d.Subject); ok {
			known = append(known, d.Name)
		}
	}
	for _, v := range Variants() {
		known = append(known, v.Name)
	}
	slices.Sort(known)
	if diff := cmp.Diff(known, switches(t)); diff != "" {
		t.Errorf("the switches that are listed (-) are not those that the client reads, once each (+):\n%s", diff)
	}
}

func TestTheListIsFitToBeShown(t *testing.T) {
	t.Parallel()
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, d := range All() {
		rules := append([]string{d.Kills}, d.Also...)
		for _, rule := range rules {
			if r, ok := suites.Find(rule); !ok || r.Level == suites.Observe {
				t.Errorf("%s names the rule %q, which binds nobody", d.Name, rule)
			}
		}
		switch {
		case !kebab.MatchString(d.Name):
			t.Errorf("the name %q is not in kebab case", d.Name)
		case !slices.IsSorted(d.Also) || slices.Contains(d.Also, d.Kills):
			t.Errorf("%s: the further rules %q are not sorted, or hold the one that it breaks", d.Name, d.Also)
		case d.Shows == "":
			t.Errorf("%s names no scenario that shows it", d.Name)
		case d.Subject == nil:
			t.Errorf("%s has no client", d.Name)
		}
		if !strings.HasPrefix(d.About, "it ") && !strings.HasPrefix(d.About, "its ") || strings.HasSuffix(d.About, ".") {
			t.Errorf("%s: %q does not go on where a sentence began", d.Name, d.About)
		}
	}
}

func TestDefectsAreFoundByName(t *testing.T) {
	t.Parallel()
	names := Names()
	if len(names) != len(All()) || len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Error("two defects have one name")
	}
	if d, ok := Find(names[0]); !ok || d.Name != names[0] {
		t.Errorf("Find(%q) found %q", names[0], d.Name)
	}
	if d, ok := Find("no such defect"); ok {
		t.Errorf("Find found %q, which is not there", d.Name)
	}
}
