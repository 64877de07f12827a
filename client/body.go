package client

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxFileBytes is the size up to which a file is sent: 15 MiB before encoding.
const MaxFileBytes = 15 << 20

// File is a file that goes with a message.
type File struct {
	// Path is where it is read from, before any request is made.
	Path string
	// Name is what the Agent sees; empty: the last element of Path.
	Name string
	// MediaType, such as "application/pdf". Empty: guessed for .pdf, otherwise
	// left out.
	MediaType string
}

func (f File) name() string {
	if f.Name == "" {
		return filepath.Base(f.Path)
	}
	return f.Name
}

func (f File) mediaType() string {
	if f.MediaType == "" && strings.EqualFold(filepath.Ext(f.Path), ".pdf") {
		return "application/pdf"
	}
	return f.MediaType
}

// openFile is a File that was found fit to send.
type openFile struct {
	File
	size   int64
	reader io.ReadCloser
}

// openFiles opens them all, so that every unfit one is named in one error.
func openFiles(files []File) ([]openFile, problems) {
	var (
		opened []openFile
		found  problems
	)
	for i, file := range files {
		one, err := open(file)
		if err != nil {
			found.addf("Files[%d]: %v", i, err)
			continue
		}
		opened = append(opened, one)
	}
	return opened, found
}

func closeFiles(files []openFile) {
	for _, file := range files {
		_ = file.reader.Close() // only read from: nothing can be lost
	}
}

func open(file File) (openFile, error) {
	// Looked at before it is opened: opening a named pipe would wait for ever.
	info, err := os.Stat(file.Path)
	if err != nil {
		return openFile{}, fmt.Errorf("cannot be read: %w", err)
	}
	if !info.Mode().IsRegular() {
		return openFile{}, fmt.Errorf("%s: is not a regular file", file.Path)
	}
	if info.Size() > MaxFileBytes {
		return openFile{}, fmt.Errorf("%s: has %d bytes, more than the %d that can be sent", file.Path, info.Size(), MaxFileBytes)
	}
	if !utf8.ValidString(file.name()) || !utf8.ValidString(file.MediaType) {
		return openFile{}, fmt.Errorf("%s: its name or media type is not valid UTF-8", file.Path)
	}
	reader, err := os.Open(file.Path)
	if err != nil {
		return openFile{}, fmt.Errorf("cannot be read: %w", err)
	}
	return openFile{File: file, size: info.Size(), reader: reader}, nil
}

// outputContract is the extension that carries the strict dictionary's terms.
const outputContract = "https://mainsequence.ai/a2a/extensions/output-contract/v1"

// buildBody writes the whole body of message:send. It is made once, before
// access is asked for, and both sends of a call carry these very bytes (ADR
// 0029, Decision 1 and 5). Memory is reserved once: 15 MiB of file cost 20 MiB,
// not several copies of that.
func buildBody(request Request, messageID string, files []openFile) ([]byte, problems) {
	body := bytes.NewBuffer(make([]byte, 0, bodySize(request, files)))
	body.WriteString(`{"message":{"messageId":`)
	writeText(body, messageID)
	body.WriteString(`,"role":"ROLE_USER","contextId":`)
	writeText(body, request.SessionUID)
	body.WriteString(`,"parts":[{"text":`)
	writeText(body, request.Text)
	body.WriteString(`}`)
	var found problems
	for i, file := range files {
		if err := writeFile(body, file); err != nil {
			found.addf("Files[%d]: %v", i, err)
		}
	}
	body.WriteString(`]},"configuration":{"acceptedOutputModes":["`)
	if request.StrictDictionary {
		body.WriteString("application/json")
	} else {
		body.WriteString("text/plain")
	}
	body.WriteString(`"],"responseKind":`)
	writeText(body, request.kind())
	body.WriteString(`}`)
	if request.StrictDictionary {
		writeOutputContract(body, request.JSONRepairAttempts)
	}
	body.WriteString(`}`)
	return body.Bytes(), found
}

// bodySize is an estimate from above for ordinary text; escapes may exceed it,
// and then the buffer grows.
func bodySize(request Request, files []openFile) int {
	const frame = 1024
	size := frame + len(request.Text) + len(request.Text)/8
	for _, file := range files {
		size += frame + base64.StdEncoding.EncodedLen(int(file.size))
	}
	return size
}

func writeText(body *bytes.Buffer, text string) {
	encoder := json.NewEncoder(body)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) //nolint:errchkjson // a string into memory cannot fail
	body.Truncate(body.Len() - len("\n"))
}

func writeFile(body *bytes.Buffer, file openFile) error {
	body.WriteString(`,{"raw":"`)
	encoder := base64.NewEncoder(base64.StdEncoding, body)
	// One byte beyond the size tells a file that grows from one that ended.
	n, err := io.Copy(encoder, io.LimitReader(file.reader, file.size+1))
	if err == nil && n != file.size {
		err = errors.New("it changed while it was read")
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be read: %w", file.Path, err)
	}
	_ = encoder.Close() // flushes into memory
	body.WriteString(`","filename":`)
	writeText(body, file.name())
	if mediaType := file.mediaType(); mediaType != "" {
		body.WriteString(`,"mediaType":`)
		writeText(body, mediaType)
	}
	body.WriteString(`}`)
	return nil
}

func writeOutputContract(body *bytes.Buffer, attempts *int) {
	repair := defaultRepairAttempts
	if attempts != nil {
		repair = *attempts
	}
	body.WriteString(`,"metadata":{"` + outputContract + `":{"response_format":{"type":"dictionary","strict":true},"jsonRepairAttempts":`)
	body.WriteString(strconv.Itoa(repair))
	body.WriteString(`}}`)
}
