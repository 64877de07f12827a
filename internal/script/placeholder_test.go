package script

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAwkwardSessions: a session whose uid does not fit into a path is one of its own, and its uid ends as it is named.
func TestAwkwardSessions(t *testing.T) {
	t.Parallel()
	w := newStage().world
	plain := w.SessionUID("odd")
	for _, tail := range []string{"/x", "/../x", " x", "?a=1", "#x", "%2F", "é"} {
		if diff := cmp.Diff(plain+tail, w.SessionUID("odd"+tail)); diff != "" {
			t.Errorf("%q: another uid (-want +got):\n%s", tail, diff)
		}
	}
	if w.SessionUID("odd") != plain || !w.knowsSession(plain+"/x") || w.knowsSession(plain+"/y") {
		t.Error("a session with a tail is taken for another")
	}
}

func TestPlaceholdersOfPlacesAndSessions(t *testing.T) {
	t.Parallel()
	w := newStage().world
	uid := w.SessionUID("main")
	v := &Serving{Run: Run{World: w}, Request: &http.Request{Header: http.Header{}}, Vars: map[string]string{"uid": uid}}
	for text, want := range map[string]string{
		"${runtime.url}":         "http://runtime.test:80/r/",
		"${runtime.origin}/":     "http://runtime.test:80/",
		"u@${runtime.host}":      "u@runtime.test:80",
		"${session.uid}":         uid,
		"${session.main.uid}":    uid,
		"${session.uid.upper}":   strings.ToUpper(uid),
		"${nowhere.host} ${odd}": "${nowhere.host} ${odd}",
	} {
		if diff := cmp.Diff(want, v.Fill(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
