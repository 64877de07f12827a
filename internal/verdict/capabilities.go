package verdict

import (
	"slices"

	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// Required are the capabilities that no subject may lack: a MUST rule that is unsupported for want of one counts as
// not exercised.
func Required() []string {
	return []string{"send", "message_id", "strict_dictionary", "timeout_number"}
}

// Optional are the capabilities that a subject may lack and that a rule or a built-in scenario needs; what is missing
// is named in every report.
func Optional() []string {
	return []string{"timeout_pair", "timeout_default", "files", "task_mode", "get_task", "cancel_task", "wait_task", "typed_errors", "cancel", "per_call_platform"}
}

// Missing lists the capabilities, required ones first, that the subject does not claim.
func (s Subject) Missing() []string {
	return slices.DeleteFunc(slices.Concat(Required(), Optional()), func(c string) bool {
		return slices.Contains(s.Capabilities, c)
	})
}

// tooSlow tells whether a rule needs more time than a judging on the machine's own clock was given. BUD-04 waits for
// a quarter of an hour and is left to virtual time altogether.
func tooSlow(rule suites.Rule, s evidence.Session) bool {
	if s.Clock != evidence.ClockReal {
		return false
	}
	slow := []string{"LIM-09", "CACHE-02", "CACHE-03", "CACHE-04", "CACHE-12", "RUN-06"}
	return rule.ID == "BUD-04" || !s.Selection.Slow && slices.Contains(slow, rule.ID)
}
