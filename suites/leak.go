package suites

import (
	"bytes"
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func cli09() Rule {
	return Rule{
		ID: "CLI-09", Level: Must, Sides: []Side{Command}, Section: "Caching", Forbids: true,
		Obligation: "print no runtime token, nor 12 characters of it in a row, nor its base64 or percent form: standard output, error, logs, debug switches, failure texts, left files (the cache file aside)",
		Cause:      "A debug log writes the request's headers, or a failure text repeats the platform's answer.",
		Right:      "With every debug switch on, nothing that is printed or left holds the token; the cache file does.",
		Wrong:      `Standard error has "Authorization: Bearer " and the token.`,
		Judge: func(c *Call, j *Judgement) {
			if c.Command != nil {
				judgeLeaks(c, j)
			}
		},
	}
}

func cache17() Rule {
	return Rule{
		ID: "CACHE-17", Level: Must, Sides: []Side{Client}, Section: "Caching", Forbids: true,
		Obligation: "print no runtime token: error texts, standard error, logs, left files (its cache file aside)",
		Cause:      "An error carries the request that failed, headers included, or the server's words that repeat them.",
		Right:      "The error of a rejected send names the status and the server's words, without the token.",
		Wrong:      `The error's text ends in "headers: {Authorization: Bearer …}".`,
		Judge:      judgeLeaks,
	}
}

// judgeLeaks looks for runtime tokens in everything that a call told its user, once its instance had been given one.
func judgeLeaks(c *Call, j *Judgement) {
	if !c.Done() || !c.Run.handedOut(*c.Ended) {
		return
	}
	texts := c.texts()
	for _, t := range texts {
		for _, m := range evidence.Mentions(t.content) {
			s, _ := c.Run.secret(m.Name)
			if s.Kind != evidence.SecretRuntime {
				continue
			}
			if t.file != nil && t.file.isCache(m) {
				continue
			}
			j.Fail(s.Name+" stands "+formWords(m.Form)+" in "+t.name, "no runtime token, nor a part or another form of it")
			return
		}
	}
	if len(texts) > 0 {
		j.Pass()
	}
}

// handedOut tells whether the platform had given a runtime token to anybody by then.
func (r *Run) handedOut(by evidence.Offset) bool {
	return slices.ContainsFunc(r.All, func(x *Exchange) bool {
		return x.Op == evidence.OpResolveAccess && x.Access().Token.Name != "" && x.HeadBy != nil && *x.HeadBy <= by
	})
}

// toldText is something that a user may read.
type toldText struct {
	name    string
	content []byte
	file    *leftFile
}

// leftFile is a file that a command left in its home.
type leftFile evidence.LeftFile

func formWords(form evidence.Form) string {
	switch form {
	case evidence.FormWhole:
		return "whole"
	case evidence.FormPart:
		return "in part"
	default:
		return "as " + string(form)
	}
}

// texts lists what a call told its user or left on disk. A result is what the Agent said, and not the client.
func (c *Call) texts() []toldText {
	var out []toldText
	if e := c.Err(); e != nil {
		name := strings.Join(append([]string{e.Name}, e.Bases...), " ")
		if e.State != nil {
			name += " " + *e.State
		}
		out = append(out, toldText{name: "the error's text", content: []byte(e.Text)}, toldText{name: "the error's name or state", content: []byte(name)})
	}
	if c.Command == nil {
		return out
	}
	out = append(out, toldText{name: "standard output", content: c.Command.Stdout}, toldText{name: "standard error", content: c.Command.Stderr})
	for _, f := range c.Command.Files {
		left := leftFile(f)
		out = append(out, toldText{name: "the left file " + f.Path, content: f.Content, file: &left})
	}
	return out
}

// isCache tells whether a left file with a token is the cache, and not a log: a cache holds the token to use it again, so
// it has all of it, and nobody keeps it as a line of a request; the name of a log says what it is.
func (f leftFile) isCache(m evidence.Mention) bool {
	if m.Form == evidence.FormPart || bytes.Contains(f.Content, []byte("Bearer "+m.Name)) {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(f.Path), func(r rune) bool { return r < 'a' || r > 'z' })
	return !slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"log", "logs", "debug", "trace", "traces", "history", "dump", "stderr", "stdout", "crash", "report"}, w)
	})
}
