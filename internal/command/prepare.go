package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/client"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// maxMessage bounds what is read of a message, in bytes, so that an endless file ends.
const maxMessage = 64 << 20

// What stands in for something that is missing, so that the client judges the rest.
const (
	standInURL   = "http://platform.invalid"
	standInToken = "missing"
	standInText  = "missing"
)

// prepare turns the command line and the environment into a send. Either it is ready or the problems are all that is
// wrong, but for a context that ended meanwhile.
func prepare(ctx context.Context, p subject.Process, given arguments) (job, []string) {
	request := requestOf(p, &given)
	config, more := environment(ctx, p)
	problems := slices.Concat(given.problems, more)
	if source := given.value("--message-file"); source == "-" && len(problems) > 0 {
		request.Text = standInText // nobody should type a message that will not be sent
	} else if source != "" {
		text, err := read(ctx, p, source, maxMessage)
		if err != nil {
			problems = append(problems, fmt.Sprintf("--message-file: %v", err))
			text = standInText
		}
		request.Text = text
	}

	words := func(problems []string) []string { return inOurWords(problems, given.has("--message-file")) }
	made, err := client.New(config)
	problems = append(problems, words(problemsOf(err))...)
	if len(problems) > 0 {
		problems = append(problems, words(rehearse(ctx, request))...)
	}
	return job{client: made, request: request, words: words}, problems
}

// requestOf is the request of a command line, its message file aside. It adds to the problems of what it reads.
func requestOf(p subject.Process, given *arguments) client.Request {
	request := client.Request{
		SessionUID:         "missing",
		Text:               standInText,
		MessageID:          given.value("--message-id"),
		StrictDictionary:   given.has("--strict-dictionary"),
		JSONRepairAttempts: given.attempts(),
		ResponseKind:       given.value("--response-kind"),
	}
	if len(given.words) > 0 {
		request.SessionUID = given.words[0]
	}
	if given.has("--message") {
		request.Text = given.value("--message")
	}
	if seconds, ok := given.timeout(); ok {
		request.Timeout = client.Total(seconds)
	}
	types := given.values["--media-type"]
	for i, name := range given.values["--file"] {
		file := client.File{Path: place(p, name)}
		if i < len(types) {
			file.MediaType = types[i]
		}
		request.Files = append(request.Files, file)
	}
	return request
}

// rehearse finds out what the client would refuse a request for, when it will not be sent for another reason. The client
// looks at a request before it looks at the time, and this one has none.
func rehearse(ctx context.Context, request client.Request) []string {
	standIn, err := client.New(client.Config{PlatformURL: standInURL, PlatformToken: standInToken})
	if err != nil {
		return problemsOf(err)
	}
	over, end := context.WithCancel(ctx)
	end()
	_, err = standIn.Send(over, request)
	return problemsOf(err)
}

// problemsOf lists what an error of the client says of its arguments.
func problemsOf(err error) []string {
	var invalid *client.InvalidArgumentError
	if !errors.As(err, &invalid) {
		return nil
	}
	return invalid.Problems
}

// inOurWords names the places of problems as the command's user knows them.
func inOurWords(problems []string, byFile bool) []string {
	text := "--message"
	if byFile {
		text = "--message-file"
	}
	names := []struct{ theirs, ours string }{
		{"SessionUID", "UID"}, {"Text", text}, {"MessageID", "--message-id"}, {"JSONRepairAttempts", "--json-repair-attempts"},
		{"ResponseKind", "--response-kind"}, {"Timeout", "--timeout"}, {"Files", "--file"},
		{"PlatformURL", endpointVariable}, {"PlatformToken", tokenVariable}, {"RefreshToken", refreshVariable},
	}
	var found []string
	for _, problem := range problems {
		for _, name := range names {
			rest, ok := strings.CutPrefix(problem, name.theirs)
			if !ok {
				continue
			}
			if name.theirs == "Files" {
				_, rest, _ = strings.Cut(rest, "]") // which of them, its own name says
			}
			problem = name.ours + strings.ReplaceAll(rest, "give PlatformToken", "give "+tokenVariable)
			break
		}
		found = append(found, problem)
	}
	return found
}

// place is a name of a file that counts from the working directory.
func place(p subject.Process, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Dir, name)
}

// read reads a file, or standard input as "-", as long as the context lasts: whoever writes into it may never come to an
// end. Then the goroutine that reads is left behind, and ends with the writer or with the process.
func read(ctx context.Context, p subject.Process, name string, most int64) (string, error) {
	type outcome struct {
		text string
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		text, err := readAll(p, name, most)
		done <- outcome{text, err}
	}()
	select {
	case o := <-done:
		return o.text, o.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

func readAll(p subject.Process, name string, most int64) (string, error) {
	from, shown := p.Stdin, "standard input"
	if name != "-" {
		shown = name
		file, err := os.Open(place(p, name))
		if err != nil {
			return "", fmt.Errorf("cannot be read: %w", err)
		}
		defer func() { _ = file.Close() }() // only read from: nothing can be lost
		from = file
	}
	if from == nil {
		return "", errors.New("there is no standard input")
	}
	content, err := io.ReadAll(io.LimitReader(from, most+1))
	if err != nil {
		return "", fmt.Errorf("%s: cannot be read: %w", shown, err)
	}
	if int64(len(content)) > most {
		return "", fmt.Errorf("%s: has more than %d bytes", shown, most)
	}
	return string(content), nil
}
