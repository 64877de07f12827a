package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/a2a-conform/a2a-conform/client"
)

// show writes the whole answer, the bytes of its values as they came: nothing is decoded, so no unknown member, no false,
// no null and no digit of a number can be lost.
func show(out io.Writer, result client.Result) error {
	member, answer := client.KindMessage, json.RawMessage(nil)
	switch r := result.(type) {
	case *client.Message:
		answer = r.Raw
	case *client.Task:
		member, answer = client.KindTask, r.Raw
	}
	var text bytes.Buffer
	if err := json.Indent(&text, fmt.Appendf(nil, "{%q:%s}", member, answer), "", "  "); err != nil {
		return fmt.Errorf("the Agent has answered, but the answer cannot be shown: %w", err)
	}
	text.WriteByte('\n')
	if _, err := out.Write(text.Bytes()); err != nil {
		return fmt.Errorf("the Agent has answered, but the answer cannot be written: %w", err)
	}
	return nil
}

// misused says why nothing was sent.
func misused(errs io.Writer, problems []string) int {
	fmt.Fprintf(errs, "%s: nothing was sent, because of\n", name)
	for _, problem := range problems {
		fmt.Fprintf(errs, "  %s\n", problem)
	}
	fmt.Fprintf(errs, "%s --help says what can be given.\n", name)
	return exitUsage
}

// failed says why a send failed and, last, by which id it can be chosen to be made again.
func failed(errs io.Writer, messageID string, reason error, mayHaveRun bool) {
	fmt.Fprintf(errs, "%s: %v\n", name, reason)
	if mayHaveRun {
		fmt.Fprintln(errs, "The message may have reached the Agent, and is not sent again unasked.")
	}
	fmt.Fprintf(errs, "message id: %s\n", oneLine(messageID))
}

// oneLine keeps an id that its user made of other characters from steering a terminal.
func oneLine(id string) string {
	if strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(id)
	}
	return id
}

// cause is what went wrong in a send, without the id, which is told in a line of its own.
func cause(err error) error {
	if send, ok := errors.AsType[*client.SendError](err); ok {
		return send.Err
	}
	return err
}

func mayHaveRun(err error) bool {
	send, ok := errors.AsType[*client.SendError](err)
	return ok && send.MayHaveRun
}
