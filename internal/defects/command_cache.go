package defects

// storeDefects are command lines that are wrong about the access that they keep in a file.
func storeDefects() []Defect {
	return []Defect{
		{Name: "command-expiry-not-looked-at", About: "it uses access out of its file whenever that expires", Kills: "CACHE-02", Also: []string{"CACHE-12"}, Shows: "command-drops-expired-access"},
		{Name: "command-expiry-in-another-zone", About: "it reads the expiry in its file in another time zone", Kills: "CACHE-02", Also: []string{"CACHE-12"}, Shows: "command-drops-expired-access"},
		{Name: "command-skew-left-out", About: "it uses access out of its file to the last moment", Kills: "CACHE-03", Shows: "a-second-left-soon"},
		{Name: "command-fallback-counts-from-its-start", About: "it counts the life of access without an expiry from its own start", Kills: "CACHE-04", Shows: "no-expiry-for-an-hour"},
		{Name: "command-fallback-of-a-day", About: "it keeps access without an expiry for a day", Kills: "CACHE-04", Shows: "no-expiry-for-an-hour"},
		{Name: "command-use-prolongs-the-fallback", About: "it begins the life of access without an expiry anew with each use", Kills: "CACHE-04", Shows: "no-expiry-in-use"},
		{Name: "command-one-access-for-all-sessions", About: "it keeps one piece of access for all sessions", Kills: "CACHE-05", Also: []string{"CACHE-14", "FLOW-02", "REQ-16"}, Shows: "two-sessions-of-a-home"},
		{Name: "command-one-access-for-all-users", About: "it keeps one piece of access for all users of a session", Kills: "CACHE-06", Also: []string{"FLOW-02"}, Shows: "two-users-of-a-home"},
		{Name: "command-one-access-for-all-backends", About: "it keeps one piece of access for a session, whoever asks and wherever", Kills: "CACHE-07", Also: []string{"FLOW-02"}, Shows: "two-backends-of-a-home"},
		{Name: "command-rejected-access-left", About: "it leaves rejected access in its file until there is other", Kills: "CACHE-08", Also: []string{"AUTH-11"}, Shows: "command-clears-access"},
		{Name: "command-access-left-after-401", About: "it leaves access in its file that was rejected with 401", Kills: "CACHE-08", Also: []string{"AUTH-11"}, Shows: "command-clears-access"},
		{Name: "command-access-left-after-403", About: "it leaves access in its file that was rejected with 403", Kills: "CACHE-08", Also: []string{"AUTH-11"}, Shows: "command-clears-access"},
		{Name: "command-access-left-when-blocked", About: "it leaves rejected access in its file when the refresh is blocked", Kills: "CACHE-08", Also: []string{"AUTH-11"}, Shows: "command-clears-access"},
		{Name: "command-access-left-when-not-ready", About: "it leaves rejected access in its file when the refresh does not come in time", Kills: "CACHE-08", Also: []string{"AUTH-11"}, Shows: "command-clears-access"},
		{Name: "command-access-left-when-refresh-fails", About: "it leaves rejected access in its file when the refresh fails", Kills: "CACHE-08", Also: []string{"AUTH-11"}, Shows: "command-clears-access"},
		{Name: "command-writes-nothing-when-interrupted", About: "it leaves its file as it is when a signal ends it", Kills: "CACHE-08", Also: []string{"AUTH-11"}, Shows: "command-interrupted-while-kept-access-is-renewed"},
		{Name: "command-keeps-a-copy", About: "it keeps its file as it was in a second one", Kills: "CACHE-08", Shows: "command-clears-access"},
		{Name: "command-keeps-blocked-access", About: "it keeps the token of an answer that does not admit", Kills: "CACHE-09", Also: []string{"FLOW-02"}, Shows: "command-was-blocked"},
		{Name: "command-says-when-access-was-kept", About: "it tells the Agent that its access comes out of the file", Kills: "CACHE-10", Also: []string{"REQ-04"}, Shows: "command-keeps-access"},
		{Name: "command-file-open-to-all", About: "it writes a file that all users may read", Kills: "CACHE-11", Shows: "command-keeps-access"},
		{Name: "command-expiry-not-stored", About: "it writes no expiry into its file, and uses access for its fallback time", Kills: "CACHE-12", Also: []string{"CACHE-02"}, Shows: "command-drops-expired-access"},
		{Name: "command-corrupt-cache-ends-it", About: "it ends when its file is corrupt", Kills: "CACHE-13", Shows: "cache-file-spoilt"},
		{Name: "command-empty-cache-ends-it", About: "it ends when its file is empty", Kills: "CACHE-13", Shows: "cache-file-spoilt"},
		{Name: "command-writes-what-it-read-before", About: "it writes away what another command has written meanwhile", Kills: "CACHE-14", Shows: "two-commands-at-once"},
		{Name: "command-unreadable-cache-ends-it", About: "it ends when its file cannot be read", Kills: "CACHE-15", Shows: "cache-file-is-a-directory"},
		{Name: "command-cache-of-another-version-ends-it", About: "it ends when its file is of another version", Kills: "CACHE-15", Shows: "cache-file-of-another-version"},
		{Name: "command-unwritable-cache-loses-the-answer", About: "it prints in place of the answer that its file cannot be written", Kills: "CACHE-15", Also: []string{"CLI-01"}, Shows: "cache-cannot-be-written"},
	}
}
