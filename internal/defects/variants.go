package defects

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/internal/subject"
)

// Variant is a client that does something in an unusual way and is right: no rule that binds may fail for it.
type Variant struct {
	// Name tells variants apart; About says what is unusual, as "it …".
	Name, About string
	Subject     subject.Subject
}

// Variants lists the clients that are right but different.
func Variants() []Variant {
	list := slices.Concat(messageVariants(), taskVariants())
	for i := range list {
		list[i].Subject = plainClient(list[i].Name)
	}
	return append(list, CommandVariants()...)
}

// messageVariants are unusual in what they send, wait for, take and say.
func messageVariants() []Variant {
	return []Variant{
		{Name: "no-cache", About: "it resolves in every call"},
		{Name: "keeps-connections", About: "it keeps connections open and uses them again"},
		{Name: "sends-in-chunks", About: "it sends bodies of unknown length"},
		{Name: "takes-gzip", About: "it offers to take compressed answers"},
		{Name: "indented", About: "it writes its JSON over many lines"},
		{Name: "white-space-around", About: "it puts white space around its JSON"},
		{Name: "escapes", About: "it writes all but ASCII as escapes"},
		{Name: "members-in-another-order", About: "it writes members in another order"},
		{Name: "members-of-its-own", About: "it sends optional members of A2A and metadata of its own"},
		{Name: "members-that-are-null", About: "it writes optional members that it does not use as null"},
		{Name: "charset", About: "it names a charset in Content-Type"},
		{Name: "more-headers", About: "it sends further headers"},
		{Name: "traces", About: "it sends another trace header with each send"},
		{Name: "two-extensions", About: "it names two extensions in one line"},
		{Name: "extension-lines", About: "it names two extensions in two lines"},
		{Name: "header-names-in-lower-case", About: "it writes header names in lower case"},
		{Name: "bare-ids", About: "its message ids are bare UUIDs"},
		{Name: "long-ids", About: "its message ids are long URNs"},
		{Name: "other-words", About: "it words its errors otherwise"},
		{Name: "asks-a-little-late", About: "it asks again a fifth of a second later than directed"},
		{Name: "large-files-sent", About: "it sends files of any size"},
		{Name: "blank-messages-sent", About: "it sends blank messages"},
		{Name: "blank-message-ids-refused", About: "it refuses a blank message id"},
		{Name: "attempts-below-one-sent", About: "it sends any number of repair attempts"},
		{Name: "other-2xx-taken", About: "it takes a Message from any 2xx"},
		{Name: "context-in-any-case-taken", About: "it compares session uids without regard to letter case"},
		{Name: "repeated-keys-refused", About: "it refuses an answer in which a key stands twice"},
		{Name: "direction-as-text-taken", About: "it takes a retry_after_ms that is written as text"},
		{Name: "one-admits", About: "it takes can_submit 1 for true"},
		{Name: "unavailable-mode-refused", About: "it refuses an admission of mode unavailable"},
		{Name: "service-uid-required", About: "it refuses an admission without coding_agent_service_uid"},
		{Name: "detail-without-type-taken", About: "it takes a detail without @type for an ErrorInfo"},
		{Name: "padded-seconds-taken", About: "it takes limitSeconds with white space around it"},
		{Name: "blocked-as-not-ready", About: "it reports a terminal answer as not ready"},
		{Name: "undirected-as-an-invalid-answer", About: "it reports a transient answer without a direction as an invalid one"},
		{Name: "cut-as-an-invalid-answer", About: "it reports a cut answer as an invalid one"},
		{Name: "redirect-as-something-else", About: "it reports a redirect as an error of another kind"},
		{Name: "renews-before-it-asks", About: "it renews its platform token before its first request to the platform"},
		{Name: "never-renews", About: "it does not renew its platform token when the platform rejects it"},
		{Name: "rejection-read-if-it-is-quick", About: "it reads the body of a rejection if that comes at once"},
		{Name: "text-with-a-media-type", About: "it says that its text is text/plain"},
		{Name: "attempts-with-a-fraction", About: "it writes three repair attempts as 3.0"},
		{Name: "short-errors", About: "it says no more in an error than it has to"},
	}
}

// taskVariants are unusual in Task mode, in how they follow a Task, and in how long they keep access.
func taskVariants() []Variant {
	return []Variant{
		{Name: "resolves-before-it-discovers", About: "it resolves first, and asks for the Agent's profile then"},
		{Name: "bare-tasks-refused", About: "it refuses a bare Task"},
		{Name: "task-sent-again-on-503", About: "it sends again after a 503 in Task mode"},
		{Name: "task-sent-again-on-504", About: "it sends again after a 504 in Task mode"},
		{Name: "task-sent-again-after-a-reset", About: "it sends again in Task mode when the connection broke"},
		{Name: "context-of-a-task-unchecked", About: "it takes a Task of any session"},
		{Name: "unknown-states-refused", About: "it refuses a Task in a state that is not in the contract"},
		{Name: "unknown-members-of-a-task-dropped", About: "it returns of a Task the members that it knows"},
		{Name: "failed-discovery-repeated", About: "it repeats a discovery that was answered 503, twice and after half a second"},
		{Name: "returns-immediately-in-task-mode", About: "it asks to return immediately in Task mode"},
		{Name: "wait-ends-when-something-is-required", About: "it returns from a wait when the Task requires input or authorisation"},
		{Name: "wait-ends-at-unknown-states", About: "it returns from a wait at a state that is not in the contract"},
		{Name: "wait-pauses-twice-as-long", About: "it pauses for twice the poll_interval"},
		{Name: "wait-ends-when-a-pause-does-not-fit", About: "it ends a wait when its limit comes before the next read"},
		{Name: "skew-of-two-seconds", About: "it uses access up to two seconds before its expires_at"},
		{Name: "fallback-of-five-minutes", About: "it uses access without expires_at for five minutes"},
		{Name: "sooner-of-expiry-and-fallback", About: "it uses access for a minute at most"},
	}
}
