package subject

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// maxArgument is how long a message may be that travels as an argument, in bytes: systems refuse a longer one at 128 KiB.
const maxArgument = 100 << 10

// commandCapabilities are what the contract's command line can express.
func commandCapabilities() []string {
	return []string{
		"send", "message_id", "strict_dictionary", "timeout_number", "timeout_default", "files", "task_mode", "per_call_platform", "command",
	}
}

// CommandCannot says why the contract's command line cannot express a call; empty where it can.
func CommandCannot(call Call) string {
	if call.Op != evidence.CallSend {
		return fmt.Sprintf("there is no command for %s", call.Op)
	}
	switch t, given := call.Input.Timeout.Get(); {
	case given && t.Pair:
		return "a command takes one timeout, no pair"
	case given && t.Total != math.Trunc(t.Total) || math.IsInf(t.Total, 0):
		return fmt.Sprintf("a command takes a timeout of whole seconds, not %v", t.Total)
	}
	texts := append([]string{call.Session, call.Input.MessageID.Or(""), call.Input.ResponseKind.Or("")}, call.Args...)
	for _, file := range call.Files {
		texts = append(texts, file.Path, file.MediaType)
	}
	if strings.ContainsRune(strings.Join(texts, ""), 0) {
		return "an argument cannot hold U+0000"
	}
	return ""
}

// byFile tells whether a message has to be given in a file.
func byFile(message string) bool {
	return len(message) > maxArgument || strings.ContainsRune(message, 0)
}

// words are the contract's command line for a call, without the prefix. Where the message needs a file, messageFile is
// its path.
func words(call Call, messageFile string) []string {
	in := call.Input
	line := []string{"agent", "session", "a2a", "send", call.Session}
	add := func(flag, value string) { line = append(line, option(flag, value)...) }
	if text, ok := in.Message.Get(); ok && byFile(text) {
		add("--message-file", messageFile)
	} else if ok {
		add("--message", text)
	}
	if id, ok := in.MessageID.Get(); ok {
		add("--message-id", id)
	}
	if in.StrictDictionary.Or(false) {
		line = append(line, "--strict-dictionary")
	}
	if n, ok := in.JSONRepairAttempts.Get(); ok {
		add("--json-repair-attempts", n.String())
	}
	if kind, ok := in.ResponseKind.Get(); ok {
		add("--response-kind", kind)
	}
	typed := slices.ContainsFunc(call.Files, func(f File) bool { return f.MediaType != "" })
	for _, file := range call.Files {
		add("--file", file.Path)
		if typed { // a command takes a type for each file or for none
			add("--media-type", cmp.Or(file.MediaType, defaultMediaType))
		}
	}
	if t, ok := in.Timeout.Get(); ok {
		add("--timeout", strconv.FormatFloat(t.Total, 'f', -1, 64))
	}
	return append(line, call.Args...)
}

// defaultMediaType is what the contract's command line takes a file for that it is told no type of.
const defaultMediaType = "application/pdf"

// option writes a flag and its value as two words, as the contract does; as one where the value could be taken for a
// flag itself.
func option(flag, value string) []string {
	if strings.HasPrefix(value, "-") {
		return []string{flag + "=" + value}
	}
	return []string{flag, value}
}

// shownArgument is how much of an argument is recorded, in bytes: the message stands in the input of the call.
const shownArgument = 1 << 10

// shown are the words as they are recorded.
func shown(line []string) []string {
	short := make([]string, len(line))
	for i, word := range line {
		short[i] = word
		if len(word) <= shownArgument {
			continue
		}
		cut := shownArgument
		for cut > 0 && !utf8.RuneStart(word[cut]) {
			cut--
		}
		short[i] = fmt.Sprintf("%s… (%d bytes)", word[:cut], len(word))
	}
	return short
}
