package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/report"
	"github.com/a2a-conform/a2a-conform/internal/runner"
	"github.com/a2a-conform/a2a-conform/internal/subject"
	"github.com/a2a-conform/a2a-conform/scenarios"
	"github.com/a2a-conform/a2a-conform/suites"
)

// open writes what is served and how it is reached, then what has arrived meanwhile.
func (s *serveScreen) open(c scenarios.Case, served *runner.Served, variables []string, o serveOptions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most = served.Most()
	s.printf("serving %s of %s, revision %s; nothing is judged\n", c.ID, contract().ID, contract().Revision)
	if o.scenario == "" {
		s.printf("(the plain success case, since no --scenario was given; %s list scenarios names the others)\n", name)
	}
	if c.About != "" {
		s.printf("%s\n", report.Line(c.About))
	}
	if c.Clock == evidence.ClockVirtual {
		s.printf("It is meant for virtual time only: expect long waits, or an order that a real machine does not keep.\n")
	}
	s.answers(c)
	s.servers(served)
	s.environment(served, variables)
	s.calls(c, served)
	s.example(served)
	s.printf("\nwhat arrives (seconds since the start; Ctrl-C ends)\n")
	s.opened = true
	for _, line := range s.early {
		s.printf("%s", line)
	}
}

// answers lists the steps of each operation, in the order of the file.
func (s *serveScreen) answers(c scenarios.Case) {
	s.printf("\nanswers, of each operation in turn\n")
	ops := slices.SortedFunc(maps.Keys(c.When), func(a, b evidence.Op) int { return firstLine(c.When[a]) - firstLine(c.When[b]) })
	for _, op := range ops {
		s.printf("  %s\n", op)
		for _, step := range c.When[op] {
			s.printf("    line %-4d %s\n", step.Line, report.Line(stepWords(step)))
		}
	}
	s.printf("  Other operations are answered as a well-behaved server does; 418 says that no step was left, and why.\n")
	if asksForCalls(c) {
		s.printf("  Some steps ask which call or client a request is of: here that shows only in its session, Task and token.\n")
	}
}

func firstLine(steps []scenarios.Step) int {
	if len(steps) == 0 {
		return 0
	}
	return steps[0].Line
}

// asksForCalls tells whether steps ask for one of several calls.
func asksForCalls(c scenarios.Case) bool {
	calls := 0
	for _, step := range c.Calls {
		if calls += len(step.Together); step.Call != nil {
			calls++
		}
	}
	for _, steps := range c.When {
		for _, step := range steps {
			if calls > 1 && step.If != nil && step.If.Call+step.If.Client != "" {
				return true
			}
		}
	}
	return false
}

func (s *serveScreen) servers(served *runner.Served) {
	s.printf("\nservers\n")
	for _, place := range served.Places() {
		how := map[evidence.Accepts]string{
			evidence.AcceptsRefuse: "  (refuses connections)", evidence.AcceptsHang: "  (connecting to it never ends)",
		}[place.Accepts]
		s.printf("  %-10s %s%s\n", place.Name, place.URL, how)
	}
}

// environment writes the variables, for each user and platform that the scenario has.
func (s *serveScreen) environment(served *runner.Served, variables []string) {
	s.printf("\nenvironment to paste\n")
	s.export(served.Credentials("main", scenarios.EndpointPlatform), variables)
	told := map[[2]string]bool{{"main", scenarios.EndpointPlatform}: true}
	for _, call := range served.Calls() {
		who := [2]string{call.User, call.Backend}
		if told[who] {
			continue
		}
		told[who] = true
		s.printf("for the user %s at the platform %s\n", call.User, call.Backend)
		s.export(served.Credentials(call.User, call.Backend), variables)
	}
}

func (s *serveScreen) export(p subject.Platform, variables []string) {
	for _, variable := range variablesFor(p, variables) {
		name, value, _ := strings.Cut(variable, "=")
		s.printf("export %s=%s\n", name, quotedForShell(value))
	}
}

// variablesFor are those by which the contract's command is told of a platform, and further ones.
func variablesFor(p subject.Platform, further []string) []string {
	variables := []string{
		"MAINSEQUENCE_ENDPOINT=" + p.URL, "MAINSEQUENCE_ACCESS_TOKEN=" + p.Token, "MAINSEQUENCE_REFRESH_TOKEN=" + p.RefreshToken,
		"MAINSEQUENCE_AUTH_MODE=jwt",
	}
	fill := strings.NewReplacer("{platform.url}", p.URL, "{platform.token}", p.Token, "{platform.refresh_token}", p.RefreshToken)
	for _, variable := range further {
		variables = append(variables, fill.Replace(variable))
	}
	return variables
}

// quotedForShell writes a word so that a POSIX shell takes it as it is.
func quotedForShell(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@,+%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// calls lists what the scenario asks of a client, in its order.
func (s *serveScreen) calls(c scenarios.Case, served *runner.Served) {
	s.printf("\ncalls to make by hand\n")
	left, number := served.Calls(), 0
	for _, step := range c.Calls {
		switch {
		case step.Pause > 0:
			s.printf("     wait for %s\n", step.Pause)
		case step.Home != nil:
			s.printf("     %s\n", report.Line(homeWords(*step.Home)))
		}
		together := len(step.Together) > 1
		if together {
			s.printf("     the next %d at once\n", len(step.Together))
		}
		n := len(step.Together)
		if step.Call != nil {
			n = 1
		}
		for _, call := range left[:n] {
			number++
			s.call(number, call)
		}
		left = left[n:]
	}
}

func (s *serveScreen) call(number int, call runner.ServedCall) {
	s.printf("  %d  %s\n     session %s\n", number, report.Line(suites.CallWords(&call.Asked)), call.Asked.Session)
	for i, path := range call.Files {
		s.printf("     file %s (%d bytes)\n", path, call.Asked.Files[i].Size)
	}
	for _, words := range furtherWords(call.Call) {
		s.printf("     %s\n", report.Line(words))
	}
}

// furtherWords say what a call asks for beside what it is given.
func furtherWords(c scenarios.Call) []string {
	var words []string
	add := func(wanted bool, format string, args ...any) {
		if wanted {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	add(c.Client != "a", "by the client (for a command: the home) %s", c.Client)
	add(c.User != "main" || c.Backend != scenarios.EndpointPlatform, "as the user %s at the platform %s", c.User, c.Backend)
	add(c.After > 0, "%s after the step has begun", c.After)
	if c.CancelAfter != nil {
		add(true, "give up after %s", *c.CancelAfter)
	}
	add(len(c.Env) > 0, "with %s", strings.Join(c.Env, " "))
	add(len(c.Args) > 0, "with the further words %s", strings.Join(c.Args, " "))
	if c.Signal != nil {
		after := "its start"
		if c.Signal.After != nil {
			after = fmt.Sprintf("the arrival of %s#%d", c.Signal.After.Op, c.Signal.After.N)
		}
		add(true, "send it SIG%s %s after %s", c.Signal.Name, c.Signal.Delay, after)
	}
	return words
}

func homeWords(h scenarios.HomeStep) string {
	if h.Put != nil {
		return fmt.Sprintf("put %s into the home of the client %s, with the mode %04o: %q", h.Put.Path, h.Client, h.Put.Mode, h.Put.Text)
	}
	return fmt.Sprintf("spoil each file with a token in the home of the client %s: %s", h.Client, h.Spoil)
}

// example is a request that works when it is pasted.
func (s *serveScreen) example(served *runner.Served) {
	p := served.Credentials("main", scenarios.EndpointPlatform)
	session := served.SessionUID("main")
	if calls := served.Calls(); len(calls) > 0 {
		session = calls[0].Asked.Session
		p = served.Credentials(calls[0].User, calls[0].Backend)
	}
	s.printf("\na first request, to paste\ncurl -sS --max-time 60 -X POST %s \\\n  -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' -d '{}'\n",
		quotedForShell(p.URL+"/api/v1/agent-sessions/"+escaped(session)+"/resolve-runtime-access/"), p.Token)
}
