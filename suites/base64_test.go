package suites

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

func TestBase64Hash(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("\xfb\xff wheatear", 9000) // has both letters in which the alphabets differ, and several pieces
	sum := sha256.Sum256([]byte(content))
	want := hex.EncodeToString(sum[:])
	standard := base64.StdEncoding.EncodeToString([]byte(content))
	for name, text := range map[string]string{
		"standard":        standard,
		"for URLs":        base64.URLEncoding.EncodeToString([]byte(content)),
		"without padding": base64.RawStdEncoding.EncodeToString([]byte(content)),
		"in lines":        standard[:76] + "\r\n" + standard[76:] + "\n",
	} {
		if got, ok := base64Hash([]byte(text)); got != want || !ok {
			t.Errorf("%s: hash %s, want %s", name, got, want)
		}
	}
	for _, text := range []string{"a", "****", standard + "!"} {
		if got, _ := base64Hash([]byte(text)); got != "not base64" {
			t.Errorf("%.8s…: %s, want it not to be base64", text, got)
		}
	}
}
