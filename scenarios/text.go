package scenarios

import "strings"

// String is the text, made where it is to be generated: cut to the last whole character that Bytes has room for.
func (t Text) String() string {
	if t.Repeat == "" || t.Bytes <= 0 {
		return t.Value
	}
	whole := strings.Repeat(t.Repeat, t.Bytes/len(t.Repeat)+1)[:t.Bytes]
	return strings.ToValidUTF8(whole, "")
}
