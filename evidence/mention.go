package evidence

import (
	"bytes"
	"strings"
)

// Form is the shape in which a secret was found.
type Form string

// The forms that are recognised: the whole value, a part of it, and what other programs make of it when they write
// it into a header, a URL or a dump.
const (
	FormWhole   Form = ""
	FormPart    Form = "part"
	FormBase64  Form = "base64"
	FormHex     Form = "hex"
	FormPercent Form = "percent"
)

// The marks around the name of a secret in the recording.
const (
	openMark  = "‹"
	closeMark = "›"
)

// Mention is a place in recorded bytes where a secret stood.
type Mention struct {
	// Name is the name of the secret, marks included, as in Secret.Name.
	Name string
	Form Form
}

// marker writes what stands in place of a secret: ‹runtime-token:2› or ‹runtime-token:2 part›.
func (m Mention) marker() string {
	if m.Form == FormWhole {
		return m.Name
	}
	return strings.TrimSuffix(m.Name, closeMark) + " " + string(m.Form) + closeMark
}

// Mentions lists the secrets that stood in recorded bytes, in their order. Text between marks that names no secret of
// the run is listed too: a subject may write what it likes, so compare the names with Run.Secrets.
func Mentions(text []byte) []Mention {
	var found []Mention
	const longestName = 200
	for {
		start := bytes.Index(text, []byte(openMark))
		if start < 0 {
			return found
		}
		text = text[start:]
		end := bytes.Index(text[:min(longestName, len(text))], []byte(closeMark))
		if end < 0 {
			text = text[len(openMark):]
			continue
		}
		end += len(closeMark)
		found = append(found, readMention(string(text[:end])))
		text = text[end:]
	}
}

func readMention(marker string) Mention {
	name, form, ok := strings.Cut(strings.TrimSuffix(marker, closeMark), " ")
	switch f := Form(form); f {
	case FormPart, FormBase64, FormHex, FormPercent:
		if ok {
			return Mention{Name: name + closeMark, Form: f}
		}
	default:
	}
	return Mention{Name: marker}
}
