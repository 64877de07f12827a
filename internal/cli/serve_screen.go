package cli

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/report"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// serveScreen is what a person sees who serves a scenario. What arrives before the opening is written waits for it.
type serveScreen struct {
	out io.Writer
	// broken is called when nobody reads what is written any more.
	broken func()

	mu      sync.Mutex
	opened  bool
	early   []string // rows that came before the opening
	most    int      // requests that are answered
	arrived int
	offPlan int // exchanges that no step foresaw
	failed  error
}

// printf writes. The lock is held.
func (s *serveScreen) printf(format string, args ...any) {
	if s.failed != nil {
		return
	}
	if _, s.failed = fmt.Fprintf(s.out, format, args...); s.failed != nil {
		s.broken()
	}
}

// row writes what happened at a moment. The lock is held.
func (s *serveScreen) row(at evidence.Offset, number int, text string) {
	mark := ""
	if number > 0 {
		mark = fmt.Sprintf("#%d", number)
	}
	line := fmt.Sprintf("%9.3fs  %-4s %s\n", at.Sub(0).Seconds(), mark, report.Line(text))
	if !s.opened {
		s.early = append(s.early, line)
		return
	}
	s.printf("%s", line)
}

// Arrived implements runner.Onlooker.
func (s *serveScreen) Arrived(x evidence.Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrived++
	s.row(x.Arrived, x.Seq, fmt.Sprintf("%s %s (%s), %s", x.Request.Method, x.Request.Target, x.Endpoint, shownToken(x)))
	if s.arrived == s.most {
		s.row(x.Arrived, 0, fmt.Sprintf("this was request %d, the last that is answered: end this with Ctrl-C and start again", s.most))
	}
}

// shownToken says which token a request shows, never what it is.
func shownToken(x evidence.Exchange) string {
	value := x.Request.Header.Values("Authorization")
	if len(value) == 0 {
		return "without a token"
	}
	var names []string
	for _, line := range value {
		for _, m := range evidence.Mentions([]byte(line)) {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 {
		return "with a token that was not handed out here"
	}
	return strings.Join(names, ", ")
}

// Answering implements runner.Onlooker. Only what will be waited for is worth a row: the rest follows at once.
func (s *serveScreen) Answering(x evidence.Exchange, step scenarios.Step) {
	held := heldBack(step)
	if held == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.row(x.Arrived, x.Seq, fmt.Sprintf("  line %d answers, and %s", step.Line, held))
}

// Ended implements runner.Onlooker.
func (s *serveScreen) Ended(x evidence.Exchange, step *scenarios.Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.row(endOf(x), x.Seq, "  "+s.endWords(x, step))
}

// endOf is when an exchange ended.
func endOf(x evidence.Exchange) evidence.Offset {
	if x.Ended == nil {
		return x.Arrived
	}
	return *x.Ended
}

// missed tells whether no step of the scenario took a request.
func missed(x evidence.Exchange) bool {
	return !x.Scripted && x.Response != nil && x.Response.Status == http.StatusTeapot
}

// endWords says how an exchange ended, and what answered it.
func (s *serveScreen) endWords(x evidence.Exchange, step *scenarios.Step) string {
	words := suites.AnswerWords(&x)
	switch {
	case step != nil:
		words += fmt.Sprintf(" (line %d)", step.Line)
		if x.Response != nil && x.Response.Fault != "" {
			words += ", on the wire: " + x.Response.Fault
		}
	case x.Op == evidence.OpLegacy:
		s.offPlan++
		words += " (a retired route)"
	case x.Op == evidence.OpUnknown && !x.Scripted:
		s.offPlan++
		words += " (no route of the contract)"
	case x.Scripted:
		words += " (as a well-behaved server answers: the scenario says nothing of it)"
	case missed(x):
		s.offPlan++
		words = "418: " + missWords(x)
	}
	return words
}

// missWords says why no step answered, as the answer itself does.
func missWords(x evidence.Exchange) string {
	body, _ := evidence.ReadJSON(x.Response.Body.Bytes)
	text, ok := body.Path("detail").Text()
	if !ok {
		return "no step of the scenario answers this request"
	}
	return text
}

// Unused implements runner.Onlooker.
func (s *serveScreen) Unused(at evidence.Offset, server string, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if bytes == 0 {
		s.row(at, 0, fmt.Sprintf("a connection to %s was closed without a request", server))
		return
	}
	s.row(at, 0, fmt.Sprintf("a connection to %s was closed, and the %d bytes that came over it were no request: the servers speak plain HTTP", server, bytes))
}

// close writes the summary.
func (s *serveScreen) close(run evidence.Run, leftover, malformed []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.printf("\nended after %.1fs: %s", run.ObservedUntil.Sub(0).Seconds(), counted(len(run.Exchanges), "exchange"))
	if s.offPlan > 0 {
		s.printf(", %d of them foreseen by no step of the scenario", s.offPlan)
	}
	s.printf("\n")
	if len(leftover) == 0 {
		s.printf("nothing is left over: every step has answered as often as it says\n")
	} else {
		s.printf("left over\n")
	}
	for _, text := range leftover {
		s.printf("  %s\n", report.Line(text))
	}
	for _, text := range malformed {
		s.printf("a fault of the scenario or of this program: %s\n", report.Line(text))
	}
}

// failure is why the screen could not be written, nil where it could.
func (s *serveScreen) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return fmt.Errorf("write what arrives: %w", s.failed)
	}
	return nil
}
