package defects

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// errHelp is asked for with --help.
var errHelp = errors.New("help was asked for")

// line is the command line as it was written.
type line struct {
	words                            []string
	message, messageFile, id, kind   string
	attempts, timeout                string
	strict, given, fromFile, idGiven bool
	files, types                     []string
}

// read reads the command line and the environment into the call. It reports everything that is wrong.
func (s *start) read(args []string) error {
	l, err := parsed(args)
	if err != nil {
		return err
	}
	var problems []string
	wrong := func(format string, a ...any) { problems = append(problems, fmt.Sprintf(format, a...)) }
	if len(l.words) != 5 || !slices.Equal(l.words[:4], []string{"agent", "session", "a2a", "send"}) {
		wrong("want agent session a2a send UID, got %q", l.words)
	} else {
		s.call.Session = l.words[4]
	}
	s.platform = subject.Platform{
		URL:   strings.TrimRight(s.process.Env("MAINSEQUENCE_ENDPOINT"), "/"),
		Token: s.process.Env("MAINSEQUENCE_ACCESS_TOKEN"), RefreshToken: s.process.Env("MAINSEQUENCE_REFRESH_TOKEN"),
	}
	s.call.User = s.platform.Token // whoever has it is the user; it says no name
	for _, name := range []string{"MAINSEQUENCE_ENDPOINT", "MAINSEQUENCE_ACCESS_TOKEN"} {
		if s.process.Env(name) == "" {
			wrong("the variable %s is not set: it says where the platform is, and who asks", name)
		}
	}
	problems = append(problems, s.input(l)...)
	if len(problems) > 0 {
		return errors.New(strings.Join(problems, "\n"))
	}
	return nil
}

// parsed takes the words and the options apart, in whatever order they stand.
func parsed(args []string) (line, error) {
	var l line
	flags := flag.NewFlagSet("send", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	mark := func(set *string, given *bool) func(string) error {
		return func(value string) error {
			*set, *given = value, true
			return nil
		}
	}
	list := func(all *[]string) func(string) error {
		return func(value string) error {
			*all = append(*all, value)
			return nil
		}
	}
	flags.Func("message", "", mark(&l.message, &l.given))
	flags.Func("message-file", "", mark(&l.messageFile, &l.fromFile))
	flags.Func("message-id", "", mark(&l.id, &l.idGiven))
	flags.Func("file", "", list(&l.files))
	flags.Func("media-type", "", list(&l.types))
	flags.StringVar(&l.kind, "response-kind", "", "")
	flags.StringVar(&l.attempts, "json-repair-attempts", "", "")
	flags.StringVar(&l.timeout, "timeout", "", "")
	flags.BoolVar(&l.strict, "strict-dictionary", false, "")
	for rest := args; len(rest) > 0; rest = flags.Args() {
		if !strings.HasPrefix(rest[0], "-") {
			l.words = append(l.words, rest[0])
			if rest = rest[1:]; len(rest) == 0 {
				break
			}
		}
		if err := flags.Parse(rest); errors.Is(err, flag.ErrHelp) {
			return l, errHelp
		} else if err != nil {
			return l, fmt.Errorf("%w; --help says what can be given", err)
		}
	}
	return l, nil
}

// input is what is to be sent, as the client takes it. The problems are all that is wrong with it.
func (s *start) input(l line) (problems []string) {
	in := &s.call.Input
	s.call.Op = evidence.CallSend
	switch {
	case l.given == l.fromFile:
		problems = append(problems, "give one of --message and --message-file")
	case l.fromFile:
		content, err := os.ReadFile(s.path(l.messageFile))
		if err != nil {
			problems = append(problems, fmt.Sprintf("--message-file: %v", err))
		}
		l.message = string(content)
	}
	in.Message = evidence.Some(s.text(l))
	s.number(l, &problems)
	if l.kind != "" {
		in.ResponseKind = evidence.Some(l.kind)
	}
	if s.strict(l) {
		in.StrictDictionary = evidence.Some(true)
	}
	if len(l.types) > 0 && len(l.types) != len(l.files) {
		problems = append(problems, fmt.Sprintf("--media-type: want one for each --file or none, got %d for %d", len(l.types), len(l.files)))
		l.types = nil
	}
	for i, path := range l.files {
		file := subject.File{Path: s.path(path), MediaType: "application/pdf"}
		if len(l.types) > 0 {
			file.MediaType = l.types[i]
		}
		s.call.Files = append(s.call.Files, file)
	}
	id := s.id(l)
	s.owned = strings.TrimSpace(l.id) == ""
	in.MessageID = evidence.Some(id)
	return problems
}

// number reads the options that are numbers.
func (s *start) number(l line, problems *[]string) {
	in := &s.call.Input
	if l.attempts != "" {
		if _, err := strconv.Atoi(l.attempts); err != nil {
			*problems = append(*problems, fmt.Sprintf("--json-repair-attempts: want a whole number, got %q", l.attempts))
		} else if !s.forgetsAttempts(l) {
			in.JSONRepairAttempts = evidence.Some(json.Number(l.attempts))
		}
	}
	if l.timeout != "" {
		seconds, err := strconv.Atoi(l.timeout)
		if err != nil {
			*problems = append(*problems, fmt.Sprintf("--timeout: want a whole number of seconds, got %q", l.timeout))
		}
		in.Timeout = s.timeout(seconds)
	}
}

// path is where a file is that the caller named.
func (s *start) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.process.Dir, name)
}

// id is the caller's message id, or a new one.
func (s *start) id(l line) string {
	given := strings.TrimSpace(l.id) != ""
	switch {
	case !given, s.has("command-message-id-ignored"):
		return s.newID()
	case s.has("command-message-id-cut-at-an-equals-sign"):
		id, _, _ := strings.Cut(l.id, "=")
		return id
	case s.has("command-message-id-must-begin-with-msg") && !strings.HasPrefix(l.id, "msg-"):
		return "msg-" + l.id
	}
	return l.id
}

// text is the caller's message. Whether it is sent again says nothing about it.
func (s *start) text(l line) string {
	switch {
	case l.idGiven && s.has("command-says-that-it-sends-again"):
		return l.message + " (sent again)"
	case s.has("command-text-expanded"):
		return strings.ReplaceAll(l.message, "$HOME", s.process.Env("HOME"))
	case l.fromFile && s.has("command-text-file-in-text-mode"):
		return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(l.message)
	case s.plainLocale() && s.has("command-text-in-the-locale"):
		return inASCII(l.message)
	}
	return l.message
}

// plainLocale tells whether the surroundings name no character set.
func (s *start) plainLocale() bool { return s.process.Env("LC_ALL") == "C" }

// inASCII has a question mark for each letter that ASCII lacks, as libraries write it that go by the locale.
func inASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, text)
}

// strict tells whether a dictionary is asked for.
func (s *start) strict(l line) bool {
	switch {
	case l.strict && s.has("command-strict-option-ignored"),
		l.strict && l.attempts == "" && s.has("command-strict-with-attempts-only"),
		l.strict && l.idGiven && s.has("command-strict-option-lost-with-an-id"):
		return false
	}
	return l.strict
}

// forgetsAttempts tells whether the number of repair attempts is lost: it is not.
func (s *start) forgetsAttempts(l line) bool {
	return s.has("command-attempts-ignored") || l.idGiven && s.has("command-attempts-lost-with-an-id")
}

// timeout is the budget of the whole send.
func (s *start) timeout(seconds int) evidence.Opt[evidence.Timeout] {
	switch {
	case s.has("command-timeout-ignored"):
		return evidence.Opt[evidence.Timeout]{}
	case s.has("command-timeout-of-ten-seconds-at-least"):
		seconds = max(seconds, 10)
	case s.has("command-timeout-between-bytes"):
		return evidence.Some(evidence.Timeout{Pair: true, Connect: 900, Read: float64(seconds)})
	}
	return evidence.Some(evidence.Timeout{Total: float64(seconds)})
}

// help is what --help prints.
func (s *start) help() string {
	text := `Usage: small-command agent session a2a send UID --message TEXT

Sends one message to an agent session and prints the answer as JSON. Access to the runtime is resolved by the command
itself; no other command has to be run before it.

  --message TEXT             the message
  --message-file FILE        the message, out of a file
  --message-id ID            send under this id, to repeat a send
  --strict-dictionary        ask for a dictionary as the answer
  --json-repair-attempts N   how often the Agent may repair it
  --response-kind KIND       message or task
  --file FILE                send a file too; repeatable
  --media-type TYPE          of each file, application/pdf if left out
  --timeout SECONDS          for the whole send
`
	switch {
	case s.has("command-help-names-resolve"):
		text += "\nRun agent session runtime resolve UID before the first send.\n"
	case s.has("command-help-names-attach"):
		text += "\nPlease attach the session first, before you send.\n"
	}
	return text
}
