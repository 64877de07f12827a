package defects

// limitDefects are wrong about the platform's Message limit.
func limitDefects() []Defect {
	return []Defect{
		{Name: "limit-unknown", About: "it does not know the Message limit and reports a server error", Kills: "LIM-01", Also: []string{"LIM-03", "LIM-04", "LIM-10"}, Shows: "limit-metadata-absent"},
		{Name: "limit-unknown-after-a-refresh", About: "it does not know the Message limit when access was rejected before", Kills: "LIM-01", Also: []string{"LIM-04"}, Shows: "limit-after-a-refresh"},
		{Name: "limit-as-a-timeout", About: "it reports the Message limit as a timeout", Kills: "LIM-01", Also: []string{"LIM-03", "LIM-10"}, Shows: "limit-metadata-absent"},
		{Name: "media-type-of-the-limit-unknown", About: "it knows the Message limit only in application/json", Kills: "LIM-01", Also: []string{"LIM-03", "LIM-04", "LIM-10"}, Shows: "limit-metadata-absent"},
		{Name: "limit-needs-its-seconds", About: "it knows the Message limit only where limitSeconds is a number", Kills: "LIM-01", Also: []string{"LIM-03"}, Shows: "limit-metadata-absent"},
		{Name: "limit-is-no-server-error", About: "its limit error is no kind of its server error", Kills: "LIM-02", Shows: "limit-metadata-absent"},
		{Name: "limit-seconds-always-90", About: "it says 90 s whatever the server says", Kills: "LIM-03", Shows: "limit-metadata-absent"},
		{Name: "limit-seconds-whole", About: "it cuts limitSeconds to a whole number", Kills: "LIM-03", Shows: "limit-seconds"},
		{Name: "limit-seconds-left-out", About: "it does not carry limitSeconds", Kills: "LIM-03", Shows: "limit-metadata-more"},
		{Name: "any-number-of-seconds-taken", About: "it takes a limitSeconds that is zero, negative, infinite or NaN", Kills: "LIM-03", Shows: "limit-seconds-useless"},
		{Name: "limit-without-a-way-out", About: "its limit error does not name the response kind task", Kills: "LIM-04", Shows: "limit-metadata-absent"},
		{Name: "limit-without-its-cause", About: "its limit error does not say that the Agent did not answer in time", Kills: "LIM-04", Shows: "limit-metadata-absent"},
		{Name: "limit-retried", About: "it sends again after the Message limit", Kills: "LIM-05", Also: []string{"AUTH-08", "REQ-24"}, Shows: "limit-reached"},
		{Name: "limit-turned-into-a-task", About: "it looks for a Task after the Message limit", Kills: "LIM-06", Also: []string{"FLOW-16", "TASK-08"}, Shows: "limit-reached"},
		{Name: "limit-asks-discovery", About: "it asks discovery after the Message limit", Kills: "LIM-06", Also: []string{"FLOW-01"}, Shows: "limit-reached"},
		{Name: "any-504-as-the-limit", About: "it takes any 504 for the Message limit", Kills: "LIM-07", Also: []string{"LIM-03", "LIM-12"}, Shows: "details-absent"},
		{Name: "limit-under-502-taken", About: "it takes a 502 with the limit's body for the Message limit", Kills: "LIM-07", Shows: "limit-under-502"},
		{Name: "domain-ignored", About: "it takes the reason under any domain for the Message limit", Kills: "LIM-07", Shows: "domain-absent"},
		{Name: "reason-ignored", About: "it takes any reason of the domain for the Message limit", Kills: "LIM-07", Shows: "reason-absent"},
		{Name: "type-of-the-detail-ignored", About: "it takes a detail that is no ErrorInfo for the Message limit", Kills: "LIM-07", Shows: "other-type-of-detail"},
		{Name: "reason-and-domain-taken-apart", About: "it takes reason and domain from different details", Kills: "LIM-07", Shows: "other-type-of-detail"},
		{Name: "reason-looked-for-in-the-text", About: "it looks for the reason anywhere in the body", Kills: "LIM-07", Also: []string{"LIM-03"}, Shows: "domain-absent"},
		{Name: "silent-for-a-minute-at-most", About: "it bears a silence of a minute at most", Kills: "LIM-09", Also: []string{"BUD-04", "BUD-18"}, Shows: "late-answer-after-a-refresh"},
		{Name: "first-detail-alone-counts", About: "it looks at the first detail only", Kills: "LIM-10", Also: []string{"LIM-01", "LIM-04"}, Shows: "limit-among-details"},
		{Name: "last-detail-alone-counts", About: "it looks at the last detail only", Kills: "LIM-10", Also: []string{"LIM-01", "LIM-04"}, Shows: "limit-among-details"},
		{Name: "own-clock-as-the-limit", About: "it reports its own timeout after 90 s as the Message limit", Kills: "LIM-11", Also: []string{"BUD-11"}, Shows: "silent-beyond-the-limit"},
		{Name: "reset-as-the-limit", About: "it reports a broken connection as the Message limit", Kills: "LIM-11", Shows: "ended-at-the-limit"},
		{Name: "limit-named-like-a-server-error", About: "its limit error bears the name of its server error", Kills: "LIM-12", Shows: "limit-keeps-access"},
	}
}
