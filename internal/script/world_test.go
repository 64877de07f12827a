package script

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func TestUIDs(t *testing.T) {
	t.Parallel()
	one, two := newStage().world, newStage().world
	other := NewWorld(WorldConfig{Names: "another run"})
	names := map[string]func(*World) string{
		"session": func(w *World) string { return w.SessionUID("main") },
		"other":   func(w *World) string { return w.SessionUID("other") },
		"agent":   (*World).AgentUID, "service": (*World).ServiceUID, "environment": (*World).EnvironmentUID,
	}
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]string{}
	for name, uid := range names {
		if uid(one) != uid(two) || uid(one) == uid(other) || !form.MatchString(uid(one)) {
			t.Errorf("%s: %s, %s, %s", name, uid(one), uid(two), uid(other))
		}
		if earlier, taken := seen[uid(one)]; taken {
			t.Errorf("%s and %s have one uid", name, earlier)
		}
		seen[uid(one)] = name
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	w := newStage().world
	got := []string{w.URL("platform"), w.URL("runtime"), w.URL("moved"), w.URL("nowhere")}
	want := []string{"http://platform.test:80", "http://runtime.test:80/r/", "http://moved.test:80/m", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other addresses (-want +got):\n%s", diff)
	}
}

// TestTokens: every token is fresh, of one length, and known to the recorder before it is handed out.
func TestTokens(t *testing.T) {
	t.Parallel()
	s := newStage()
	w := s.world
	mine, other := w.SessionUID("main"), w.SessionUID("other")
	asking := bearing(w.PlatformToken("eve", "platform"))
	refresh := w.RefreshToken("eve", "platform")
	named := w.RuntimeToken("t", mine, "platform", asking)
	tokens := []string{
		w.PlatformToken("eve", "platform"), refresh, named, w.RuntimeToken("", mine, "platform", nil),
		w.RenewPlatformToken(refresh, "platform"), w.RenewPlatformToken("unknown", "platform"),
	}
	form := regexp.MustCompile(`^[A-Za-z0-9]{40}$`)
	for i, token := range tokens {
		if !form.MatchString(token) {
			t.Errorf("token %d has another form", i)
		}
	}
	if w.RuntimeToken("t", mine, "platform", asking) != named {
		t.Error("the same name gave another token")
	}
	if w.PlatformToken("eve", "platform") != tokens[4] || w.PlatformToken("main", "platform") != tokens[5] {
		t.Error("a renewed token is not the current one")
	}
	if w.tokenSession(bearing(named)) != mine || w.tokenSession(bearing("nothing")) != "" {
		t.Error("a token does not tell its session")
	}
	w.RuntimeToken("t", other, "platform", asking)
	if got := w.tokenSession(bearing(named)); got != "" {
		t.Errorf("a token of two sessions tells %q", got)
	}
	want := []evidence.Secret{
		{Name: "‹platform-token›", Kind: evidence.SecretPlatform, User: "eve", Backend: "platform"},
		{Name: "‹refresh-token›", Kind: evidence.SecretRefresh, User: "eve", Backend: "platform"},
		{Name: "‹runtime-token:1›", Kind: evidence.SecretRuntime, Session: mine, User: "eve", Backend: "platform"},
		{Name: "‹runtime-token:2›", Kind: evidence.SecretRuntime, Session: mine, Backend: "platform"},
		{Name: "‹platform-token:2›", Kind: evidence.SecretPlatform, User: "eve", Backend: "platform"},
		{Name: "‹platform-token:3›", Kind: evidence.SecretPlatform, User: "main", Backend: "platform"},
	}
	run := s.rec.Close(evidence.End{}, 0)
	if diff := cmp.Diff(want, run.Secrets); diff != "" {
		t.Errorf("other secrets are registered (-want +got):\n%s", diff)
	}
}

func TestTokensOfTwoRunsDiffer(t *testing.T) {
	t.Parallel()
	rec := newStage().rec
	a := NewWorld(WorldConfig{Names: "a", Nonce: "n", Recorder: rec}).PlatformToken("main", "platform")
	b := NewWorld(WorldConfig{Names: "b", Nonce: "n", Recorder: rec}).PlatformToken("main", "platform")
	c := NewWorld(WorldConfig{Names: "a", Nonce: "m", Recorder: rec}).PlatformToken("main", "platform")
	if a == b || a == c || b == c {
		t.Error("two runs, or two judgings, share a token")
	}
}
