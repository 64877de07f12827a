package defects

// commandDefects are command lines that are wrong beside the client behind them.
func commandDefects() []Defect {
	return []Defect{
		{Name: "command-answer-on-standard-error", About: "it prints the answer on standard error", Kills: "CLI-01", Also: []string{"CLI-15"}, Shows: "command-answers"},
		{Name: "command-answer-not-printed", About: "it prints that it is done in place of the answer", Kills: "CLI-01", Also: []string{"CLI-15"}, Shows: "command-answers"},
		{Name: "command-ends-badly-after-an-answer", About: "it ends with exit status 1 after an answer", Kills: "CLI-01", Also: []string{"CLI-04", "CLI-05", "CLI-06", "CLI-13", "RESP-07"}, Shows: "command-answers"},
		{Name: "command-strict-option-ignored", About: "it ignores --strict-dictionary", Kills: "CLI-02", Also: []string{"REQ-05", "REQ-07"}, Shows: "command-asks-strictly"},
		{Name: "command-strict-with-attempts-only", About: "it ignores --strict-dictionary without --json-repair-attempts", Kills: "CLI-02", Also: []string{"REQ-05", "REQ-07"}, Shows: "command-asks-strictly"},
		{Name: "command-attempts-ignored", About: "it ignores --json-repair-attempts", Kills: "CLI-02", Also: []string{"REQ-07"}, Shows: "command-asks-strictly"},
		{Name: "command-message-id-ignored", About: "it ignores --message-id", Kills: "CLI-03", Also: []string{"CLI-11", "REQ-09"}, Shows: "command-takes-an-id"},
		{Name: "command-message-id-cut-at-an-equals-sign", About: "it reads --message-id up to an equals sign", Kills: "CLI-03", Also: []string{"REQ-09"}, Shows: "command-takes-an-id"},
		{Name: "command-message-id-must-begin-with-msg", About: "it puts msg- before an id that does not begin so", Kills: "CLI-03", Also: []string{"REQ-09"}, Shows: "command-takes-an-id"},
		{Name: "command-needs-a-login", About: "it wants a file that only a login writes", Kills: "CLI-04", Shows: "command-answers"},
		{Name: "command-needs-access-beforehand", About: "it sends only on access that an earlier command has left", Kills: "CLI-04", Shows: "command-answers"},
		{Name: "command-works-from-the-second-time-on", About: "it makes its configuration and ends when it is first started", Kills: "CLI-04", Shows: "command-answers"},
		{Name: "command-id-never-printed", About: "it prints no message id", Kills: "CLI-05", Shows: "command-refused"},
		{Name: "command-id-lost-when-blocked", About: "it prints no message id when the platform blocks the send", Kills: "CLI-05", Shows: "command-blocked-after-a-refusal"},
		{Name: "command-id-lost-when-not-ready", About: "it prints no message id when the runtime is not ready in time", Kills: "CLI-05", Shows: "command-blocked-after-a-refusal"},
		{Name: "command-id-printed-only-when-sent", About: "it prints the message id only when a send was begun", Kills: "CLI-05", Shows: "command-blocked-after-a-refusal"},
		{Name: "command-id-lost-at-a-timeout", About: "it prints no message id at a timeout", Kills: "CLI-05", Shows: "command-loses-the-answer"},
		{Name: "command-id-lost-at-the-limit", About: "it prints no message id at the Message limit", Kills: "CLI-05", Shows: "command-at-the-limit"},
		{Name: "command-id-lost-when-rejected-twice", About: "it prints no message id after two rejections", Kills: "CLI-05", Shows: "command-rejected-twice"},
		{Name: "command-id-lost-when-the-server-fails", About: "it prints no message id after a 5xx", Kills: "CLI-05", Shows: "command-refused"},
		{Name: "command-id-lost-when-refused", About: "it prints no message id after a 4xx", Kills: "CLI-05", Shows: "command-refused"},
		{Name: "command-id-lost-with-an-invalid-answer", About: "it prints no message id when the answer is none", Kills: "CLI-05", Shows: "command-gets-nonsense"},
		{Name: "command-id-lost-when-the-exchange-breaks", About: "it prints no message id when the connection breaks", Kills: "CLI-05", Shows: "command-loses-the-answer"},
		{Name: "command-id-lost-when-it-is-interrupted", About: "it prints no message id when a signal ends it", Kills: "CLI-05", Shows: "command-interrupted-after-sending"},
		{Name: "command-heeds-no-signal", About: "it lets a signal end it as it comes", Kills: "CLI-05", Shows: "command-interrupted-after-sending"},
		{Name: "command-says-nothing-of-errors", About: "it prints nothing when a send fails", Kills: "CLI-05", Also: []string{"CLI-10", "CLI-13", "FLOW-21", "FLOW-27", "LIM-04"}, Shows: "command-refused"},
		{Name: "command-names-another-id", About: "it prints an id that it has made for the purpose", Kills: "CLI-06", Also: []string{"CLI-05"}, Shows: "command-refused"},
		{Name: "command-names-the-id-in-part", About: "it prints the beginning of the message id", Kills: "CLI-06", Also: []string{"CLI-05"}, Shows: "command-refused"},
	}
}

// outcomeDefects are command lines that are wrong in what they make of a send that has failed.
func outcomeDefects() []Defect {
	return []Defect{
		{Name: "command-repeats-when-the-exchange-breaks", About: "it sends again by itself when the connection broke", Kills: "CLI-07", Also: []string{"AUTH-12", "REQ-24"}, Shows: "command-loses-the-answer"},
		{Name: "command-repeats-after-a-timeout", About: "it sends again by itself after a timeout", Kills: "CLI-07", Also: []string{"AUTH-12", "BUD-01", "BUD-08", "BUD-12", "BUD-17", "CLI-12", "REQ-24"}, Shows: "command-loses-the-answer"},
		{Name: "command-repeats-at-the-limit", About: "it sends again by itself at the Message limit", Kills: "CLI-07", Also: []string{"AUTH-08", "LIM-05", "REQ-24"}, Shows: "command-at-the-limit"},
		{Name: "command-repeats-when-rejected-twice", About: "it sends again by itself after two rejections", Kills: "CLI-07", Also: []string{"AUTH-07"}, Shows: "command-rejected-twice"},
		{Name: "command-repeats-when-the-server-fails", About: "it sends again by itself after a 5xx", Kills: "CLI-07", Also: []string{"AUTH-08", "REQ-24"}, Shows: "command-refused"},
		{Name: "command-repeats-when-told-to-come-later", About: "it waits as a 429 says and sends again by itself", Kills: "CLI-07", Also: []string{"AUTH-08", "REQ-24"}, Shows: "command-refused"},
		{Name: "command-repeats-after-an-invalid-answer", About: "it sends again by itself when the answer is none", Kills: "CLI-07", Also: []string{"AUTH-08", "REQ-24", "RESP-05"}, Shows: "command-gets-nonsense"},
		{Name: "command-ends-well-always", About: "it ends with exit status 0 whatever comes of the send", Kills: "CLI-08", Also: []string{"AUTH-07", "FLOW-09", "FLOW-11", "FLOW-18", "FLOW-22", "LIM-01", "LIM-07", "RESP-01", "RESP-02", "RESP-03", "RESP-04", "RESP-05", "RESP-09", "RESP-11", "RESP-12", "RESP-15"}, Shows: "command-refused"},
		{Name: "command-ends-well-when-blocked", About: "it ends with exit status 0 when the platform blocks the send", Kills: "CLI-08", Also: []string{"FLOW-09", "FLOW-18", "RESP-15"}, Shows: "command-blocked"},
		{Name: "command-ends-well-when-not-ready", About: "it ends with exit status 0 when the runtime is not ready in time", Kills: "CLI-08", Also: []string{"FLOW-11", "RESP-15"}, Shows: "command-blocked"},
		{Name: "command-ends-well-at-a-timeout", About: "it ends with exit status 0 at a timeout", Kills: "CLI-08", Also: []string{"RESP-15"}, Shows: "command-ends-in-time"},
		{Name: "command-ends-well-at-the-limit", About: "it ends with exit status 0 at the Message limit", Kills: "CLI-08", Also: []string{"LIM-01", "RESP-15"}, Shows: "command-at-the-limit"},
		{Name: "command-ends-well-when-rejected-twice", About: "it ends with exit status 0 after two rejections", Kills: "CLI-08", Also: []string{"AUTH-07", "RESP-15"}, Shows: "command-rejected-twice"},
		{Name: "command-ends-well-when-the-server-fails", About: "it ends with exit status 0 after a 5xx", Kills: "CLI-08", Also: []string{"FLOW-22", "LIM-07", "RESP-15"}, Shows: "command-refused"},
		{Name: "command-ends-well-when-refused", About: "it ends with exit status 0 after a 4xx", Kills: "CLI-08", Also: []string{"FLOW-22", "RESP-15"}, Shows: "command-refused"},
		{Name: "command-ends-well-with-an-invalid-answer", About: "it ends with exit status 0 when the answer is none", Kills: "CLI-08", Also: []string{"FLOW-22", "RESP-01", "RESP-02", "RESP-03", "RESP-04", "RESP-05", "RESP-09", "RESP-11", "RESP-12", "RESP-15"}, Shows: "command-gets-nonsense"},
		{Name: "command-ends-well-when-it-breaks", About: "it ends with exit status 0 when the connection breaks", Kills: "CLI-08", Also: []string{"RESP-12", "RESP-15"}, Shows: "command-loses-the-answer"},
		{Name: "command-ends-well-when-it-is-interrupted", About: "it ends with exit status 0 when a signal ends it", Kills: "CLI-08", Also: []string{"RESP-15"}, Shows: "command-interrupted-after-sending"},
		{Name: "command-token-in-its-debug-log", About: "it prints the runtime token when it is told to log", Kills: "CLI-09", Also: []string{"CACHE-17"}, Shows: "command-with-debug-switches"},
		{Name: "command-token-as-base64-in-its-debug-log", About: "it prints the runtime token in base64 when it is told to log", Kills: "CLI-09", Also: []string{"CACHE-17"}, Shows: "command-with-debug-switches"},
		{Name: "command-token-as-hex-in-its-debug-log", About: "it prints the runtime token in hexadecimal when it is told to log", Kills: "CLI-09", Also: []string{"CACHE-17"}, Shows: "command-with-debug-switches"},
		{Name: "command-part-of-the-token-in-its-log", About: "it prints 12 characters of the runtime token when it is told to log", Kills: "CLI-09", Also: []string{"CACHE-17"}, Shows: "command-with-debug-switches"},
		{Name: "command-token-in-a-log-file", About: "it writes a log file with the runtime token in it", Kills: "CLI-09", Also: []string{"CACHE-08", "CACHE-17"}, Shows: "command-with-debug-switches"},
		{Name: "command-hint-is-the-request", About: "it prints how the rejected request can be made by hand, with most of its token", Kills: "CLI-09", Also: []string{"CACHE-17"}, Shows: "command-with-debug-switches"},
	}
}

// wordsDefects are command lines that are wrong in what they print, or in what they make of their options.
func wordsDefects() []Defect {
	return []Defect{
		{Name: "command-hint-names-an-argument", About: `it names response_kind="task" at the Message limit`, Kills: "CLI-10", Shows: "command-at-the-limit"},
		{Name: "command-hint-left-out", About: "it says nothing of its own at the Message limit", Kills: "CLI-10", Shows: "command-at-the-limit"},
		{Name: "command-says-that-it-sends-again", About: "it tells the Agent that the message is sent again where an id is given", Kills: "CLI-11", Also: []string{"REQ-04"}, Shows: "command-run-again"},
		{Name: "command-strict-option-lost-with-an-id", About: "it ignores --strict-dictionary where an id is given", Kills: "CLI-11", Also: []string{"CLI-02", "REQ-05", "REQ-07"}, Shows: "command-run-again-strictly"},
		{Name: "command-attempts-lost-with-an-id", About: "it ignores --json-repair-attempts where an id is given", Kills: "CLI-11", Also: []string{"CLI-02", "REQ-07"}, Shows: "command-run-again-strictly"},
		{Name: "command-timeout-ignored", About: "it ignores --timeout", Kills: "CLI-12", Also: []string{"BUD-01", "BUD-06", "BUD-08", "BUD-09", "BUD-17", "BUD-21"}, Shows: "command-ends-in-time"},
		{Name: "command-timeout-of-ten-seconds-at-least", About: "it takes a shorter --timeout for ten seconds", Kills: "CLI-12", Also: []string{"BUD-01", "BUD-06", "BUD-08", "BUD-09", "BUD-17", "BUD-21"}, Shows: "command-ends-in-time"},
		{Name: "command-timeout-between-bytes", About: "it takes --timeout for the longest silence", Kills: "CLI-12", Also: []string{"BUD-01", "BUD-08", "BUD-09", "BUD-17", "BUD-21"}, Shows: "command-ends-in-time"},
		{Name: "command-errors-on-standard-output", About: "it prints errors on standard output", Kills: "CLI-13", Shows: "command-refused"},
		{Name: "command-errors-on-both-outputs", About: "it prints errors on standard output too", Kills: "CLI-13", Shows: "command-refused"},
		{Name: "command-progress-on-standard-output", About: "it says on standard output that it is sending", Kills: "CLI-13", Shows: "command-refused"},
		{Name: "command-help-names-resolve", About: "its help tells to run a resolve first", Kills: "CLI-14", Shows: "command-helps"},
		{Name: "command-help-names-attach", About: "its help tells to attach the session first", Kills: "CLI-14", Shows: "command-helps"},
		{Name: "command-hint-names-status", About: "it tells to ask for the status first when the platform blocks the send", Kills: "CLI-14", Shows: "command-blocked"},
		{Name: "command-hint-names-prewarm", About: "it tells to prewarm the runtime when that is not ready", Kills: "CLI-14", Shows: "command-blocked"},
		{Name: "command-first-text-alone", About: "it prints the first text of the answer", Kills: "CLI-15", Also: []string{"CLI-01"}, Shows: "command-prints-all"},
		{Name: "command-prints-texts-alone", About: "it prints no parts that are no text", Kills: "CLI-15", Shows: "command-prints-all"},
		{Name: "command-prints-one-part-alone", About: "it prints the first part of the answer", Kills: "CLI-15", Also: []string{"CLI-01"}, Shows: "command-prints-all"},
		{Name: "command-prints-no-metadata", About: "it prints no metadata", Kills: "CLI-15", Shows: "command-prints-all"},
		{Name: "command-prints-no-extensions", About: "it prints no extension URIs", Kills: "CLI-15", Shows: "command-prints-all"},
		{Name: "command-prints-known-members-alone", About: "it prints no members of a Message that it does not know", Kills: "CLI-15", Shows: "command-prints-all"},
		{Name: "command-prints-numbers-rounded", About: "it prints numbers as they are in single precision", Kills: "RESP-06", Also: []string{"CLI-15"}, Shows: "data-kept"},
		{Name: "command-prints-no-empty-values", About: `it prints nothing that is false, 0, "" or null`, Kills: "RESP-06", Shows: "data-kept"},
		{Name: "command-crashes-when-an-exchange-breaks", About: "it crashes when the connection breaks", Kills: "SUBJ-01", Shows: "answer-is-no-http"},
	}
}
