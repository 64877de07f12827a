package client

import (
	"testing"
	"time"
)

func TestTheSecondRejectionKeepsTheServersWords(t *testing.T) {
	for name, test := range map[string]struct {
		answer reply
		words  string
	}{
		"said":    {respond(403, `{"detail":"lapwing"}`), "lapwing"},
		"none":    {respond(403, ""), ""},
		"stalled": {stalled("HTTP/1.1 403 Forbidden\r\nContent-Length: 900\r\n\r\n{\"detail\":"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFakeNet(t).platform(admits(), admits()).runtime(respond(401, ""), test.answer)
				started := time.Now()
				_, err := f.send(f.client())
				if got := mustFail[*UnauthorizedError](t, err); got.Words != test.words || got.Status != 403 {
					t.Errorf("got %+v, want the words %q", got, test.words)
				}
				if took := time.Since(started); took > glanceTime {
					t.Errorf("it took %v: words are not waited for", took)
				}
			})
		})
	}
}
