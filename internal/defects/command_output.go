package defects

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// write writes what a user reads. Where nobody takes it there is nobody to tell.
func (s *start) write(w io.Writer, text string) { _, _ = io.WriteString(w, text) }

// answered prints the answer where scripts read it.
func (s *start) answered(text string) {
	switch {
	case s.has("command-answer-on-standard-error"):
		s.write(s.process.Stderr, text)
	case s.has("command-answer-not-printed"):
		s.write(s.process.Stdout, "done\n")
	case s.has("command-answer-cut-at-a-full-pipe"):
		s.write(s.process.Stdout, text[:min(len(text), 64<<10)])
	case s.plainLocale() && s.has("command-answer-in-the-locale"):
		s.write(s.process.Stdout, inASCII(text))
	default:
		s.write(s.process.Stdout, text)
	}
}

// failed prints an error where scripts do not take it for the answer.
func (s *start) failed(text string) {
	text = s.discreet(text)
	switch {
	case s.has("command-says-nothing-of-errors"):
	case s.has("command-errors-on-standard-output"):
		s.write(s.process.Stdout, text)
	case s.has("command-errors-on-both-outputs"):
		s.write(s.process.Stdout, text)
		s.write(s.process.Stderr, text)
	default:
		s.write(s.process.Stderr, text)
	}
}

// answer is the result as it is printed: all of it (ADR, Request Shape).
func (s *start) answer(result evidence.Outcome) string {
	member := func(value json.RawMessage) json.RawMessage {
		if len(value) == 0 {
			return json.RawMessage("null")
		}
		return value
	}
	message := s.shortened(result.Message)
	whole := fmt.Appendf(nil, `{"message":%s,"task":%s}`, member(message), member(result.Task))
	switch {
	case s.has("command-first-text-alone"):
		return firstOf(result.Message, "text") + "\n"
	case len(message) > 0 && s.has("command-answer-without-its-envelope"):
		whole = message
	case s.has("command-answer-on-one-line"):
		return string(whole) + "\n"
	}
	var out bytes.Buffer
	if err := json.Indent(&out, whole, "", "  "); err != nil {
		return string(whole) + "\n" // it was read as JSON before
	}
	text := out.String() + "\n"
	if s.has("command-frames-its-answer") {
		text = "│ " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n│ ") + "\n"
	}
	return text
}

// shortened takes something out of a Message that is printed: it does not.
func (s *start) shortened(message json.RawMessage) json.RawMessage {
	fields, _ := objectOf(message)
	switch {
	case fields == nil:
		return message
	case s.has("command-prints-numbers-rounded"):
		return rewrite(message, roundNumbers)
	case s.has("command-prints-no-empty-values"):
		return rewrite(message, dropFalsy)
	case s.has("command-prints-no-metadata"):
		delete(fields, "metadata")
	case s.has("command-prints-known-members-alone"):
		for name := range fields {
			if !slices.Contains([]string{"messageId", "role", "contextId", "parts", "metadata", "extensions"}, name) {
				delete(fields, name)
			}
		}
	case s.has("command-prints-no-extensions"):
		delete(fields, "extensions")
	case s.has("command-prints-texts-alone"):
		fields["parts"] = partsWith(fields["parts"], "text")
	case s.has("command-prints-one-part-alone"):
		var parts []json.RawMessage
		if json.Unmarshal(fields["parts"], &parts) == nil {
			fields["parts"] = encoded(parts[:1])
		}
	default:
		return message
	}
	return encoded(fields)
}

// partsWith keeps the parts that have a member.
func partsWith(written json.RawMessage, member string) json.RawMessage {
	var parts []map[string]json.RawMessage
	if json.Unmarshal(written, &parts) != nil {
		return written
	}
	kept := []map[string]json.RawMessage{}
	for _, part := range parts {
		if part[member] != nil {
			kept = append(kept, part)
		}
	}
	return encoded(kept)
}

// firstOf is the text in the first part that has one.
func firstOf(message json.RawMessage, member string) string {
	fields, _ := objectOf(message)
	var parts []map[string]json.RawMessage
	_ = json.Unmarshal(partsWith(fields["parts"], member), &parts)
	if len(parts) == 0 {
		return ""
	}
	text, _ := textOf(parts[0][member])
	return text
}

// idLine names the message id that was sent.
func (s *start) idLine() string {
	id := s.call.Input.MessageID.Or("")
	switch {
	case s.has("command-names-another-id"):
		id = s.newID()
	case s.has("command-names-the-id-in-part"):
		id = id[:min(12, len(id))] + "..."
	case s.has("command-names-the-id-by-its-option"):
		return "To send it again: --message-id " + id + "\n"
	}
	return "message id: " + id + "\n"
}

// tellsID tells whether a failure is printed with the message id: every one is (ADR, CLI Contract).
func (s *start) tellsID(f *failure, signalled *interruption) bool {
	cut := f.category == evidence.Transport
	switch {
	case s.has("command-id-never-printed"),
		f.category == evidence.Blocked && s.has("command-id-lost-when-blocked"),
		f.category == evidence.NotReady && s.has("command-id-lost-when-not-ready"),
		f.category == evidence.TimedOut && s.has("command-id-lost-at-a-timeout"),
		f.category == evidence.MessageLimit && s.has("command-id-lost-at-the-limit"),
		f.category == evidence.Unauthorized && s.has("command-id-lost-when-rejected-twice"),
		f.category == evidence.ServerFailed && s.has("command-id-lost-when-the-server-fails"),
		f.category == evidence.Rejected && s.has("command-id-lost-when-refused"),
		f.category == evidence.InvalidResponse && s.has("command-id-lost-with-an-invalid-answer"),
		cut && s.has("command-id-lost-when-the-exchange-breaks"),
		signalled != nil && s.has("command-id-lost-when-it-is-interrupted"):
		return false
	}
	return !s.heard.nothingSent() || !s.has("command-id-printed-only-when-sent")
}

// endsWell tells whether a failure ends with exit status 0: none does.
func (s *start) endsWell(f *failure, signalled *interruption) bool {
	return s.has("command-ends-well-always") ||
		f.category == evidence.Blocked && s.has("command-ends-well-when-blocked") ||
		f.category == evidence.NotReady && s.has("command-ends-well-when-not-ready") ||
		f.category == evidence.TimedOut && s.has("command-ends-well-at-a-timeout") ||
		f.category == evidence.MessageLimit && s.has("command-ends-well-at-the-limit") ||
		f.category == evidence.Unauthorized && s.has("command-ends-well-when-rejected-twice") ||
		f.category == evidence.ServerFailed && s.has("command-ends-well-when-the-server-fails") ||
		f.category == evidence.Rejected && s.has("command-ends-well-when-refused") ||
		f.category == evidence.InvalidResponse && s.has("command-ends-well-with-an-invalid-answer") ||
		f.category == evidence.Transport && s.has("command-ends-well-when-it-breaks") ||
		signalled != nil && s.has("command-ends-well-when-it-is-interrupted")
}

// hint says what helps against a failure.
func (s *start) hint(f *failure) string {
	switch {
	case f.category == evidence.MessageLimit && s.has("command-hint-names-an-argument"):
		return "For longer work use response_kind=\"task\".\n"
	case f.category == evidence.MessageLimit && s.has("command-hint-left-out"):
		return ""
	case f.category == evidence.MessageLimit:
		return "For longer work use --response-kind task.\n"
	case f.category == evidence.Blocked && s.has("command-hint-names-status"):
		return "Run agent session runtime status first.\n"
	case f.category == evidence.NotReady && s.has("command-hint-names-prewarm"):
		return "Please prewarm the runtime before you send again.\n"
	case f.category == evidence.Unauthorized && s.has("command-hint-is-the-request"):
		return "curl -H 'Authorization: Bearer " + disguised(s.tokenInUse()) + "'\n"
	}
	return ""
}

// tokenInUse is the newest runtime token that the start has seen.
func (s *start) tokenInUse() string {
	for _, secret := range slices.Backward(s.secrets) {
		if secret != "" {
			return secret
		}
	}
	return ""
}

// disguised is a token as a shell would need it: it is spelt so that taking out the token itself is not enough.
func disguised(token string) string { return token[:min(20, len(token))] }

// debugging tells whether the user wants to see more.
func (s *start) debugging() bool {
	return s.process.Env("DEBUG") != "" || strings.EqualFold(s.process.Env("MAINSEQUENCE_LOG_LEVEL"), "debug")
}

// log tells a user who wants to see more that there is access, and never its token (ADR, Caching).
func (s *start) log(token string) {
	if token == "" || !s.debugging() {
		return
	}
	shown := "[token]"
	switch {
	case s.has("command-token-in-its-debug-log"):
		shown = token
	case s.has("command-token-as-base64-in-its-debug-log"):
		shown = base64.StdEncoding.EncodeToString([]byte("runtime:" + token))
	case s.has("command-token-as-hex-in-its-debug-log"):
		shown = hex.EncodeToString([]byte(token))
	case s.has("command-part-of-the-token-in-its-log"):
		shown = token[:min(12, len(token))] + "..."
	case s.has("command-token-in-a-log-file"):
		name := filepath.Join(s.process.Env("HOME"), "debug.log")
		_ = os.WriteFile(name, []byte("Authorization: Bearer "+token+"\n"), 0o600)
	}
	s.write(s.process.Stderr, "debug: authorised with "+shown+"\n")
}
