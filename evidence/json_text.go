package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns the text of a string with its escapes decoded, and whether the value is a string. What is not UTF-8
// and halves of surrogate pairs are U+FFFD.
func (v *Value) Text() (string, bool) {
	if v.Kind() != KindString {
		return "", false
	}
	return v.text(), true
}

func (v *Value) text() string {
	inner := v.inner()
	if v.plain {
		return string(inner)
	}
	text := make([]byte, 0, len(inner))
	for len(inner) > 0 {
		r, size := nextRune(inner)
		text = utf8.AppendRune(text, r)
		inner = inner[size:]
	}
	return string(text)
}

// inner returns the bytes between the quotes; the closing one is missing in a body that was cut.
func (v *Value) inner() []byte {
	inner := v.raw[1:]
	if v.plain {
		return bytes.TrimSuffix(inner, []byte{'"'})
	}
	// In a text that was cut the last quote may be an escaped one.
	end := 0
	for end < len(inner) && inner[end] != '"' {
		if inner[end] == '\\' {
			end++
		}
		end++
	}
	return inner[:min(end, len(inner))]
}

// TextEquals compares the text of a string with s, code point for code point, without a copy of either. It is false
// for any other value.
func (v *Value) TextEquals(s string) bool {
	if v.Kind() != KindString {
		return false
	}
	inner := v.inner()
	if v.plain {
		return string(inner) == s
	}
	for len(inner) > 0 {
		r, size := nextRune(inner)
		inner = inner[size:]
		want, width := utf8.DecodeRuneInString(s)
		if width == 0 || r != want {
			return false
		}
		s = s[width:]
	}
	return s == ""
}

// TextSHA256 returns the SHA-256 of the text of a string, in hex, and whether the value is a string.
func (v *Value) TextSHA256() (string, bool) {
	if v.Kind() != KindString {
		return "", false
	}
	inner := v.inner()
	if v.plain {
		sum := sha256.Sum256(inner)
		return hex.EncodeToString(sum[:]), true
	}
	const piece = 4096
	hash := sha256.New()
	buffer := make([]byte, 0, piece+utf8.UTFMax)
	for len(inner) > 0 {
		r, size := nextRune(inner)
		inner = inner[size:]
		buffer = utf8.AppendRune(buffer, r)
		if len(buffer) >= piece || len(inner) == 0 {
			hash.Write(buffer)
			buffer = buffer[:0]
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), true
}

// nextRune decodes the next code point of a string's bytes, an escape or not.
func nextRune(inner []byte) (rune, int) {
	if inner[0] != '\\' {
		return utf8.DecodeRune(inner)
	}
	r, size, ok := unescape(inner)
	if !ok {
		r = utf8.RuneError
	}
	return r, min(size, len(inner))
}

// unescape decodes the escape at the start of text: its code point, how many bytes it takes, and whether JSON knows
// it. Half of a surrogate pair is U+FFFD.
func unescape(text []byte) (r rune, size int, ok bool) {
	if len(text) < 2 {
		return utf8.RuneError, 1, false
	}
	switch c := text[1]; c {
	case '"', '\\', '/':
		return rune(c), 2, true
	case 'b':
		return '\b', 2, true
	case 'f':
		return '\f', 2, true
	case 'n':
		return '\n', 2, true
	case 'r':
		return '\r', 2, true
	case 't':
		return '\t', 2, true
	case 'u':
		return unescapeUnit(text)
	default:
		_, width := utf8.DecodeRune(text[1:])
		if c == '"' || c < ' ' {
			width = 0
		}
		return utf8.RuneError, 1 + width, false
	}
}

func unescapeUnit(text []byte) (r rune, size int, ok bool) {
	first, ok := unit(text)
	if !ok {
		return utf8.RuneError, 2, false
	}
	if !utf16.IsSurrogate(first) {
		return first, 6, true
	}
	if second, ok := unit(text[6:]); ok {
		if pair := utf16.DecodeRune(first, second); pair != utf8.RuneError {
			return pair, 12, true
		}
	}
	return utf8.RuneError, 6, true
}

func isSurrogate(text []byte) bool {
	r, ok := unit(text)
	return ok && utf16.IsSurrogate(r)
}

// unit decodes \uXXXX at the start of text.
func unit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var two [2]byte
	if _, err := hex.Decode(two[:], text[2:6]); err != nil {
		return 0, false
	}
	return rune(two[0])<<8 | rune(two[1]), true
}
