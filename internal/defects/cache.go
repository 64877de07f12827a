package defects

// cacheDefects are wrong about the access that they keep between calls.
func cacheDefects() []Defect {
	return []Defect{
		{Name: "expiry-ignored", About: "it uses access until it is rejected, whatever expires_at says", Kills: "CACHE-02", Also: []string{"CACHE-12"}, Shows: "expired"},
		{Name: "expiry-overrun-by-five-seconds", About: "it uses access up to 5 s past its expires_at", Kills: "CACHE-02", Also: []string{"CACHE-12"}, Shows: "expired-soon"},
		{Name: "expiry-read-in-another-zone", About: "it reads expires_at in a time zone two hours to the west", Kills: "CACHE-02", Also: []string{"CACHE-12"}, Shows: "expired"},
		{Name: "skew-in-the-wrong-direction", About: "it adds its safety skew to expires_at", Kills: "CACHE-02", Also: []string{"CACHE-12"}, Shows: "expired-soon"},
		{Name: "no-skew", About: "it uses access up to its expires_at", Kills: "CACHE-03", Shows: "a-second-left"},
		{Name: "skew-of-half-a-second", About: "it uses access up to half a second before its expires_at", Kills: "CACHE-03", Shows: "a-second-left"},
		{Name: "no-expiry-is-for-ever", About: "it uses access without expires_at until it is rejected", Kills: "CACHE-04", Shows: "no-expiry-for-an-hour"},
		{Name: "fallback-of-two-hours", About: "it uses access without expires_at for two hours", Kills: "CACHE-04", Shows: "no-expiry-for-an-hour"},
		{Name: "fallback-prolonged-by-use", About: "it uses access without expires_at for a minute from its last use", Kills: "CACHE-04", Shows: "no-expiry-in-use"},
		{Name: "one-access-for-all-sessions", About: "it uses one session's access for another", Kills: "CACHE-05", Also: []string{"FLOW-02", "REQ-16"}, Shows: "two-sessions"},
		{Name: "access-kept-after-403", About: "it keeps access that was rejected with 403 unless the refresh replaces it", Kills: "CACHE-08", Also: []string{"AUTH-11"}, Shows: "rejected-is-cleared-after-a-timeout"},
		{Name: "access-kept-without-its-decision", About: "it keeps the token of an answer that does not admit and uses it in the next call", Kills: "CACHE-09", Also: []string{"FLOW-02"}, Shows: "blocked-with-access"},
		{Name: "body-tells-of-the-cache", About: "it says in the body that its access is from an earlier call", Kills: "CACHE-10", Also: []string{"REQ-17"}, Shows: "second-call-after-a-move"},
		{Name: "modes-lost-with-the-cache", About: "it leaves acceptedOutputModes out when its access is from an earlier call", Kills: "CACHE-10", Also: []string{"REQ-05"}, Shows: "second-call"},
		{Name: "fallback-wins-over-the-expiry", About: "it keeps access for a minute whatever expires_at says", Kills: "CACHE-12", Also: []string{"CACHE-02"}, Shows: "expired-soon"},
		{Name: "later-of-expiry-and-fallback", About: "it keeps access for a minute when that is longer than expires_at says", Kills: "CACHE-12", Also: []string{"CACHE-02"}, Shows: "expired-soon"},
		{Name: "token-in-its-errors", About: "its errors tell the runtime token", Kills: "CACHE-17", Shows: "lost-without-tokens"},
		{Name: "token-in-the-error-of-a-rejection", About: "its error tells the runtime token that was rejected", Kills: "CACHE-17", Shows: "errors-without-tokens"},
		{Name: "token-in-the-error-of-a-timeout", About: "its timeout error tells the runtime token", Kills: "CACHE-17", Shows: "lost-without-tokens"},
		{Name: "words-of-the-server-left-as-they-are", About: "its errors tell the runtime token when the server's words do", Kills: "CACHE-17", Shows: "servers-that-tell-the-token"},
		{Name: "beginning-of-the-token-in-its-errors", About: "its errors tell the first 16 characters of the runtime token", Kills: "CACHE-17", Shows: "lost-without-tokens"},
		{Name: "one-access-for-all-users", About: "it uses one user's access for another", Kills: "CACHE-18", Also: []string{"FLOW-02"}, Shows: "two-users"},
		{Name: "one-access-for-all-backends", About: "it uses one platform's access for another", Kills: "CACHE-18", Also: []string{"FLOW-02"}, Shows: "two-backends"},
		{Name: "one-access-whoever-asks-wherever", About: "it uses one user's and platform's access for another", Kills: "CACHE-18", Also: []string{"FLOW-02"}, Shows: "two-users"},
	}
}
