package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/internal/defects"
	"github.com/a2a-conform/a2a-conform/internal/verdict"
)

// diagnosed are defects of every chapter. What a user is told of each is kept as a golden file, to be read: a failure
// has to say what was asked, what was seen, and what to do next.
func diagnosed() []string {
	return []string{
		"modes-left-out", "message-id-of-the-text", "text-trimmed", "token-without-bearer", "redirected-send-followed", "second-body-written-anew",
		"reads-the-session-first", "absence-admits", "waking-is-terminal", "waits-at-most-30-s", "waits-twice-as-long", "not-ready-as-a-timeout",
		"own-cadence-when-undirected", "state-left-out", "401-not-refreshed", "second-send-with-the-old-token", "resend-after-a-reset", "rejected-access-kept",
		"ends-a-second-late", "body-not-counted", "connection-left-open", "timeout-as-not-ready", "limit-as-a-timeout", "limit-seconds-left-out",
		"any-504-as-the-limit", "role-unchecked", "unknown-members-dropped", "bytes-behind-the-answer-ignored", "leaves-a-goroutine", "crashes-when-an-exchange-breaks",
	}
}

func TestTheDiagnosisOfADefectReadsWell(t *testing.T) {
	t.Parallel()
	for _, name := range diagnosed() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, ok := defects.Find(name)
			if !ok {
				t.Fatal("there is no such defect")
			}
			s := newShell()
			if code := s.do(t, "run", "--defect", name, d.Kills, d.Shows); code != verdict.ExitNonConformant {
				t.Fatalf("exit %d: %s%s", code, s.out.String(), s.err.String())
			}
			golden(t, "defects/"+name, "It is: "+d.About+".\n\n"+blockOf(t, s.out.String(), d.Kills))
		})
	}
}

// blockOf is what a report says of a broken rule, without the lines of code that it names.
func blockOf(t *testing.T, report, rule string) string {
	t.Helper()
	at := strings.Index(report, "\n"+rule+"  ")
	if at < 0 {
		t.Fatalf("%s is not said to be broken in\n%s", rule, report)
	}
	block, _, _ := strings.Cut(report[at+1:], "\n\n")
	return regexp.MustCompile(`\.go:\d+\)`).ReplaceAllString(block, ".go:…)") + "\n"
}

func TestADefectIsJudgedWhereItsRuleIsCovered(t *testing.T) {
	t.Parallel()
	s := newShell()
	if code := s.do(t, "run", "--defect", "waits-at-most-30-s", "--dry-run"); code != verdict.ExitOK {
		t.Fatalf("exit %d: %s", code, s.err.String())
	}
	for line := range strings.Lines(s.out.String()) {
		if line == "\n" {
			return
		}
		if !strings.Contains(line, "FLOW-06") {
			t.Errorf("a run that does not cover FLOW-06: %s", line)
		}
	}
}
