package client

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

func TestWithhold(t *testing.T) {
	t.Parallel()
	const token = "s3cret/Token+0123456789"
	for name, words := range map[string]string{
		"whole":   "bad token " + token,
		"a part":  "ends in " + token[len(token)-12:],
		"base64":  base64.StdEncoding.EncodeToString([]byte(token)),
		"escaped": "?t=" + url.QueryEscape(token),
	} {
		got := withhold(words, []string{"", "other secret", token})
		if strings.Contains(got, words) || !strings.Contains(got, "left out") {
			t.Errorf("%s: got %q", name, got)
		}
	}
	for _, words := range []string{"", "no token of ours", "ends in " + token[len(token)-11:]} {
		if got := withhold(words, []string{"tok", token}); got != words {
			t.Errorf("%q became %q", words, got)
		}
	}
}

func TestServersThatRepeatATokenAreNotQuoted(t *testing.T) {
	echo := func(token string) string { return `{"detail":"rejected ` + token + `"}` }
	blocked := func(token string) string {
		return strings.ReplaceAll(blocking("STATE", "null"), "STATE", token)
	}
	for name, f := range map[string]func(*fakeNet) *fakeNet{
		"platform error":   func(f *fakeNet) *fakeNet { return f.platform(respond(500, echo(platformToken))) },
		"platform state":   func(f *fakeNet) *fakeNet { return f.platform(respond(200, blocked(platformToken))) },
		"platform notice":  func(f *fakeNet) *fakeNet { return f.platform(respond(200, noticed(platformToken))) },
		"platform problem": func(f *fakeNet) *fakeNet { return f.platform(waking(`"` + platformToken + `"`)) },
		"runtime error":    func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(respond(502, echo(runtimeToken))) },
		"runtime refusal":  func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(respond(400, echo(runtimeToken))) },
		"other token":      func(f *fakeNet) *fakeNet { return f.platform(admits()).runtime(respond(400, echo(platformToken))) },
	} {
		bubbleRun(t, name, func(t *testing.T) {
			network := f(newFakeNet(t))
			_, err := network.send(network.client())
			failsAs[*SendError](t, err) // which looks for tokens in the text
			if !strings.Contains(err.Error(), "left out") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func noticed(text string) string {
	return `{"runtime_interaction":{"state":"off","can_submit":false,"notice":{"title":"` + text + `","message":"m"}}}`
}
