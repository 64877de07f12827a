package defects

// limitDefects are wrong about the platform's Message limit.
func limitDefects() []Defect {
	return []Defect{
		{Name: "limit-unknown", About: "it does not know the Message limit and reports a server error", Kills: "LIM-01"},
		{Name: "limit-as-a-timeout", About: "it reports the Message limit as a timeout", Kills: "LIM-01"},
		{Name: "limit-needs-its-seconds", About: "it knows the Message limit only where limitSeconds is a number", Kills: "LIM-01"},
		{Name: "limit-is-no-server-error", About: "its limit error is no kind of its server error", Kills: "LIM-02"},
		{Name: "limit-seconds-always-90", About: "it says 90 s whatever the server says", Kills: "LIM-03"},
		{Name: "limit-seconds-whole", About: "it cuts limitSeconds to a whole number", Kills: "LIM-03"},
		{Name: "limit-seconds-left-out", About: "it does not carry limitSeconds", Kills: "LIM-03"},
		{Name: "any-number-of-seconds-taken", About: "it takes a limitSeconds that is zero, negative, infinite or NaN", Kills: "LIM-03"},
		{Name: "limit-without-a-way-out", About: "its limit error does not name the response kind task", Kills: "LIM-04"},
		{Name: "limit-without-its-cause", About: "its limit error does not say that the Agent did not answer in time", Kills: "LIM-04"},
		{Name: "limit-retried", About: "it sends again after the Message limit", Kills: "LIM-05"},
		{Name: "limit-turned-into-a-task", About: "it looks for a Task after the Message limit", Kills: "LIM-06"},
		{Name: "limit-asks-discovery", About: "it asks discovery after the Message limit", Kills: "LIM-06"},
		{Name: "any-504-as-the-limit", About: "it takes any 504 for the Message limit", Kills: "LIM-07"},
		{Name: "limit-under-502-taken", About: "it takes a 502 with the limit's body for the Message limit", Kills: "LIM-07"},
		{Name: "domain-ignored", About: "it takes the reason under any domain for the Message limit", Kills: "LIM-07"},
		{Name: "reason-ignored", About: "it takes any reason of the domain for the Message limit", Kills: "LIM-07"},
		{Name: "type-of-the-detail-ignored", About: "it takes a detail that is no ErrorInfo for the Message limit", Kills: "LIM-07"},
		{Name: "reason-and-domain-taken-apart", About: "it takes reason and domain from different details", Kills: "LIM-07"},
		{Name: "reason-looked-for-in-the-text", About: "it looks for the reason anywhere in the body", Kills: "LIM-07"},
		{Name: "silent-for-a-minute-at-most", About: "it bears a silence of a minute at most", Kills: "LIM-09"},
		{Name: "first-detail-alone-counts", About: "it looks at the first detail only", Kills: "LIM-10"},
		{Name: "last-detail-alone-counts", About: "it looks at the last detail only", Kills: "LIM-10"},
		{Name: "own-clock-as-the-limit", About: "it reports its own timeout after 90 s as the Message limit", Kills: "LIM-11"},
		{Name: "reset-as-the-limit", About: "it reports a broken connection as the Message limit", Kills: "LIM-11"},
		{Name: "limit-named-like-a-server-error", About: "its limit error bears the name of its server error", Kills: "LIM-12"},
	}
}
