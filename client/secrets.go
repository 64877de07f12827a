package client

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// Servers sometimes repeat a token in what they say. Their words go into errors,
// and errors into terminals and logs, so words that repeat a secret are left out
// as a whole: a cut one would show where it was.

// recognisable is how many characters in a row give a secret away.
const recognisable = 12

// shortestSecret keeps a token such as "t", of which nobody expects secrecy,
// from silencing all that a server says.
const shortestSecret = 6

// withhold returns the words, or a remark in their place.
func withhold(words string, secrets []string) string {
	for _, secret := range secrets {
		if len(secret) < shortestSecret {
			continue
		}
		forms := []string{
			secret,
			url.QueryEscape(secret),
			base64.StdEncoding.EncodeToString([]byte(secret)),
			base64.URLEncoding.EncodeToString([]byte(secret)),
		}
		for _, form := range forms {
			if repeats(words, form) {
				return "(its words repeat a token and are left out)"
			}
		}
	}
	return words
}

func repeats(words, secret string) bool {
	width := min(recognisable, len(secret))
	for start := 0; start+width <= len(secret); start++ {
		if strings.Contains(words, secret[start:start+width]) {
			return true
		}
	}
	return false
}
