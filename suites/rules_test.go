package suites

import (
	"strings"
	"testing"
)

// A proof is evidence for one rule: a tape and the status that it must get, with a piece of the reason for one that
// does not pass. Status "" says that the rule must find nothing to judge.
type proof struct {
	rule   string
	name   string
	tape   *tape
	want   Status
	reason string
}

// prove judges each tape by its rule.
func prove(t *testing.T, proofs []proof) {
	t.Helper()
	for _, p := range proofs {
		t.Run(p.rule+"/"+strings.ReplaceAll(p.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			checks := p.tape.judge(p.rule)
			var got Status
			var all []string
			for _, c := range checks {
				if got == "" || weight(c.Status) > weight(got) {
					got = c.Status
				}
				all = append(all, c.Reason)
			}
			reasons := strings.Join(all, "\n")
			if got != p.want {
				t.Fatalf("status %q, want %q; reasons: %s", got, p.want, reasons)
			}
			if !strings.Contains(reasons, p.reason) {
				t.Errorf("reason %q does not say %q", reasons, p.reason)
			}
		})
	}
}
