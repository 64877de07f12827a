package defects

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// The words of the request (ADR, Request Shape).
const (
	mediaType         = "application/a2a+json"
	responseKindURI   = "https://mainsequence.ai/a2a/extensions/response-kind/v1"
	outputContractURI = "https://mainsequence.ai/a2a/extensions/output-contract/v1"
)

// largestFile is the size in bytes of the largest file that is sent.
const largestFile = 15 << 20

// compose writes the whole request before anything is asked of anybody (ADR, Decision 1).
func (c *call) compose() ([]byte, *failure) {
	in := c.asked.Input
	text := in.Message.Or("")
	if strings.TrimSpace(text) == "" {
		return nil, fail(evidence.InvalidArgument, "the message is blank: say something")
	}
	if kind := in.ResponseKind.Or("message"); kind != "message" {
		return nil, fail(evidence.InvalidArgument, "response_kind %q is not known: use message or task", kind)
	}
	if s := c.asked.Session; s == "" || strings.ContainsAny(s, "/?#%\\ ;\"") || s == "." || s == ".." {
		return nil, fail(evidence.InvalidArgument, "the session uid %q is none", s)
	}
	parts := []any{map[string]any{"text": text}}
	for _, f := range c.asked.Files {
		part, err := c.filePart(f)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	id := in.MessageID.Or("")
	if strings.TrimSpace(id) == "" {
		id = c.env.NewMessageID()
	}
	body := map[string]any{
		"message": map[string]any{"messageId": id, "role": "ROLE_USER", "contextId": c.asked.Session, "parts": parts},
	}
	if err := c.configure(body); err != nil {
		return nil, err
	}
	return c.write(body), nil
}

// configure says what answer is wanted.
func (c *call) configure(body map[string]any) *failure {
	in := c.asked.Input
	mode := "text/plain"
	attempts, err := in.JSONRepairAttempts.Or("3").Int64()
	if err != nil || attempts < 1 {
		return fail(evidence.InvalidArgument, "json_repair_attempts must be a whole number of 1 or more")
	}
	if in.StrictDictionary.Or(false) {
		mode = "application/json"
		body["metadata"] = map[string]any{outputContractURI: map[string]any{
			"response_format":    map[string]any{"type": "dictionary", "strict": true},
			"jsonRepairAttempts": attempts,
		}}
	}
	body["configuration"] = map[string]any{"acceptedOutputModes": []string{mode}, "responseKind": "message"}
	return nil
}

// filePart reads a file into a part.
func (c *call) filePart(f subject.File) (map[string]any, *failure) {
	content, err := os.ReadFile(f.Path)
	if err != nil {
		return nil, fail(evidence.InvalidArgument, "a file cannot be read: %v", err)
	}
	if len(content) > largestFile {
		return nil, fail(evidence.InvalidArgument, "the file %s has more than %d bytes", f.Path, largestFile)
	}
	part := map[string]any{"raw": base64.StdEncoding.EncodeToString(content), "filename": filepath.Base(f.Path)}
	switch {
	case f.MediaType != "":
		part["mediaType"] = f.MediaType
	case strings.EqualFold(filepath.Ext(f.Path), ".pdf"):
		part["mediaType"] = "application/pdf"
	}
	return part, nil
}

// write turns the body into bytes; every attempt sends these.
func (c *call) write(body map[string]any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		panic("defects: a body of text and numbers cannot be written: " + err.Error())
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
