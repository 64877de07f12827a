package defects

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// largestFile is the size in bytes of the largest file that is sent.
const largestFile = 15 << 20

// parts are the text and then the files in their order.
func (c *call) parts() ([]any, *failure) {
	text := map[string]any{"text": c.text()}
	if c.has("text-with-a-media-type") {
		text["mediaType"] = "text/plain"
	}
	files := []any{}
	seen := map[string]bool{}
	for _, f := range c.asked.Files {
		part, err := c.filePart(f)
		if err != nil {
			return nil, err
		}
		if content, _ := part["raw"].([]byte); len(c.asked.Files) > 1 {
			if seen[string(content)] && c.has("equal-files-sent-once") {
				continue
			}
			seen[string(content)] = true
		}
		files = append(files, part)
	}
	switch {
	case len(files) > 1 && c.has("files-in-reverse"):
		slices.Reverse(files)
	case len(files) > 0 && c.has("files-left-out"):
		files = nil
	case len(files) > 0 && c.has("text-behind-the-files"):
		return append(files, text), nil
	case c.has("part-of-its-own"):
		files = append(files, map[string]any{"text": "Answer briefly."})
	}
	return append([]any{text}, files...), nil
}

// text is the caller's, code point for code point.
func (c *call) text() string {
	given := c.asked.Input.Message.Or("")
	switch {
	case strings.TrimSpace(given) != given && c.has("text-trimmed"):
		return strings.TrimSpace(given)
	case strings.HasSuffix(given, "\n") && c.has("text-trimmed-behind"):
		return strings.TrimRight(given, "\n")
	case strings.Contains(given, "\r") && c.has("text-with-other-line-ends"):
		return strings.ReplaceAll(strings.ReplaceAll(given, "\r\n", "\n"), "\r", "\n")
	case strings.Contains(given, "\x00") && c.has("text-cut-at-nul"):
		before, _, _ := strings.Cut(given, "\x00")
		return before
	case len(given) > 64<<10 && c.has("text-cut-at-64-kib"):
		return given[:64<<10]
	case strings.Contains(given, "e\u0301") && c.has("text-composed"):
		return strings.ReplaceAll(given, "e\u0301", "\u00e9")
	case strings.HasPrefix(given, "\ufeff") && c.has("text-without-its-mark"):
		return strings.TrimPrefix(given, "\ufeff")
	case strings.ContainsFunc(given, func(r rune) bool { return utf8.RuneLen(r) == 4 }) && c.has("text-without-emoji"):
		return strings.Map(func(r rune) rune {
			if utf8.RuneLen(r) == 4 {
				return '?'
			}
			return r
		}, given)
	case strings.ContainsAny(given, "&<>") && c.has("text-escaped-twice"):
		return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(given)
	}
	return given
}

// filePart reads a file into a part.
func (c *call) filePart(f subject.File) (map[string]any, *failure) {
	content, err := os.ReadFile(f.Path)
	if err != nil {
		return nil, fail(evidence.InvalidArgument, "a file cannot be read: %v", err).of("file")
	}
	if len(content) > largestFile && !c.has("large-files-sent") {
		return nil, fail(evidence.InvalidArgument, "the file %s has more than %d bytes", f.Path, largestFile).of("size")
	}
	if c.has("file-cut-at-1-kib") {
		content = content[:min(len(content), 1<<10)]
	}
	part := map[string]any{"raw": content, "filename": filepath.Base(f.Path)}
	switch {
	case f.MediaType != "":
		part["mediaType"] = f.MediaType
	case strings.EqualFold(filepath.Ext(f.Path), ".pdf"):
		part["mediaType"] = "application/pdf"
	}
	return part, nil
}
