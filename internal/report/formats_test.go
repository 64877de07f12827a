package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/a2a-conform/a2a-conform/internal/verdict"
	"github.com/a2a-conform/a2a-conform/suites"
)

// TestFormatsOfCI holds what programs and people get in CI, of every kind of judging.
func TestFormatsOfCI(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"junit", "markdown", "github"} {
		for _, name := range []string{"green", "failures", "known", "stale", "strict", "fault", "not-judged"} {
			t.Run(format+" "+name, func(t *testing.T) {
				t.Parallel()
				golden(t, name+"-"+format, write(t, format, samples()[name].result(), Options{}))
			})
		}
	}
}

// wellFormed reads a document to its end.
func wellFormed(t *testing.T, document []byte) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(document))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%.2000s", err, document)
		}
	}
}

// TestJUnitCounts reads the document back: its counts are those of its testcases, and only what ends with 0 is green.
func TestJUnitCounts(t *testing.T) {
	t.Parallel()
	for name, s := range samples() {
		r := s.result()
		document := write(t, "junit", r, Options{})
		wellFormed(t, document)
		var read junitSuites
		if err := xml.Unmarshal(document, &read); err != nil {
			t.Fatal(err)
		}
		cases, bad, skipped := 0, 0, 0
		for _, suite := range read.Suites {
			for _, c := range suite.Cases {
				cases++
				if c.Failure != nil || c.Error != nil {
					bad++
				}
				if c.Skipped != nil {
					skipped++
				}
			}
		}
		if cases != read.Tests || bad != read.Failures+read.Errors || skipped != read.Skipped {
			t.Errorf("%s: %d cases, %d bad and %d skipped; the document says %+v", name, cases, bad, skipped, read.Tests)
		}
		if (bad == 0) != (r.Exit == verdict.ExitOK) {
			t.Errorf("%s: exit %d and %d bad testcases", name, r.Exit, bad)
		}
	}
}

// TestWhatARecordingHoldsIsHarmless puts into a reason what each format would obey.
func TestWhatARecordingHoldsIsHarmless(t *testing.T) {
	t.Parallel()
	s := allHeld()
	const nasty = "a\x00b\x1b[31m ]]> <script> ::error::x\r\n::warning title=y::z %0A `` | **b** @all \xff"
	s.set("FLOW-06", 2, suites.Failed, nasty)
	s.session.Subject.Name = nasty
	r := s.result()
	wellFormed(t, write(t, "junit", r, Options{}))
	for line := range strings.Lines(string(write(t, "github", r, Options{}))) {
		if !strings.HasPrefix(line, "::error title=FLOW-06 failed in 2 checks::a") && !strings.HasPrefix(line, "::error title=a2a-conform%3A non-conformant::1 rule broken") {
			t.Errorf("an annotation of the subject's own: %q", line)
		}
	}
	page := string(write(t, "markdown", r, Options{}))
	if strings.Contains(page, "<script>") || strings.Contains(page, "**b**") || strings.Contains(page, "@all") || strings.Contains(page, "\x1b") {
		t.Errorf("the page obeys what was recorded:\n%s", page)
	}
	if got := fenced("a\n````\nb"); !strings.HasPrefix(got, "`````\n") {
		t.Errorf("a fence ends too early: %q", got)
	}
}

// TestTheLargestStaysSmall judges a subject that fails everything: GitHub takes a MiB of summary, and ten annotations.
func TestTheLargestStaysSmall(t *testing.T) {
	t.Parallel()
	s := allHeld()
	s.rules, s.checks = nil, nil
	for i := range 99 {
		s.rule(fmt.Sprintf("REQ-%02d", i+1), suites.Must, "Request Shape", strings.Repeat("do what it says, ", 10))
		for n := range 600 {
			s.checks = append(s.checks, suites.Check{Rule: s.rules[i].ID, Level: suites.Must, Run: fmt.Sprintf("some-scenario-%03d/case=%d", n/4, n%4), Call: 1})
		}
		s.set(s.rules[i].ID, 600, suites.Failed, strings.Repeat("it does not. ", 2000))
	}
	r := s.result()
	for format, most := range map[string]int{"markdown": 1 << 20, "github": 1 << 20, "junit": 15 << 20} {
		if n := len(write(t, format, r, Options{})); n > most {
			t.Errorf("%s has %d bytes", format, n)
		}
	}
	if n := strings.Count(string(write(t, "github", r, Options{})), "\n"); n != mostAnnotations {
		t.Errorf("%d annotations", n)
	}
}
