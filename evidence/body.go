package evidence

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// LargeBody is the size in bytes above which a body is kept once by its hash, however often it was sent.
const LargeBody = 256 << 10

// Body is the bytes of a body as they stood on the wire, secrets replaced by their names.
type Body struct {
	// Size counts the bytes on the wire, before secrets were replaced.
	Size int64
	// SHA256 names a large body, in hex; empty for a small one.
	SHA256 string
	// Bytes is the content. Large bodies of equal content share it. It must not be changed.
	Bytes []byte
}

// Text is output of a program: JSON text where it is UTF-8, base64 where it is not.
type Text []byte

type bodyFile struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256,omitempty"`
	Text   string `json:"text,omitempty"`
	Base64 string `json:"base64,omitempty"`
}

// MarshalJSON writes a small body as text where it is UTF-8 and as base64 where it is not; of a large one only its
// size and hash, its content lies in a file of its own.
func (b Body) MarshalJSON() ([]byte, error) {
	f := bodyFile{Size: b.Size, SHA256: b.SHA256}
	switch {
	case b.SHA256 != "":
	case utf8.Valid(b.Bytes):
		f.Text = string(b.Bytes)
	default:
		f.Base64 = base64.StdEncoding.EncodeToString(b.Bytes)
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads what MarshalJSON writes. The content of a large body is filled in by the reader of the file
// form.
func (b *Body) UnmarshalJSON(data []byte) error {
	var f bodyFile
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*b = Body{Size: f.Size, SHA256: f.SHA256, Bytes: []byte(f.Text)}
	if f.Base64 != "" {
		raw, err := base64.StdEncoding.DecodeString(f.Base64)
		if err != nil {
			return fmt.Errorf("read a body: %w", err)
		}
		b.Bytes = raw
	}
	return nil
}

// MarshalJSON writes text, or an object with base64 for what is not UTF-8.
func (t Text) MarshalJSON() ([]byte, error) {
	if utf8.Valid(t) {
		return json.Marshal(string(t))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString(t)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = Text(s)
		return nil
	}
	var f struct {
		Base64 string `json:"base64"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	raw, err := base64.StdEncoding.DecodeString(f.Base64)
	if err != nil {
		return fmt.Errorf("read an output: %w", err)
	}
	*t = raw
	return nil
}
