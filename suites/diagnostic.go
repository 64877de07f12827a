package suites

import (
	"slices"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

// The members of an answer to resolve-runtime-access that are known (contract.md, 1).
func knownMembers(of string) []string {
	switch of {
	case "runtime_interaction":
		return []string{"state", "can_submit", "notice", "operation", "retry_after_ms"}
	case "runtime_presence":
		return []string{"phase", "replicas", "detail", "observed_at", "wake"}
	default:
		return []string{
			"mode", "rpc_url", "token", "expires_at", "coding_agent_service_uid", "is_ready", "detail", "runtime_interaction",
			"runtime_presence", "runtime_paths", "service_runtime_uid", "knative_service_runtime_uid", "reconciliation", "ready",
			"session_uid",
		}
	}
}

// oddities lists where the diagnostics of an answer, what decides nothing in it, are not as the contract has them:
// absent, null where they may not be, of a wrong type, or unknown.
func oddities(a *evidence.Access) []string {
	var found []string
	note := func(name string, v *evidence.Value, kinds ...evidence.Kind) {
		if !slices.Contains(kinds, v.Kind()) {
			found = append(found, name+" is "+v.Kind().String())
		}
	}
	interaction := a.Body.Member("runtime_interaction")
	operation := interaction.Member("operation")
	note("is_ready", a.Body.Member("is_ready"), evidence.KindBool)
	note("runtime_paths", a.Body.Member("runtime_paths"), evidence.KindAbsent, evidence.KindObject)
	note("detail", a.Detail, evidence.KindAbsent, evidence.KindNull, evidence.KindString)
	note("notice", a.Notice, evidence.KindNull, evidence.KindObject)
	note("operation", operation, evidence.KindNull, evidence.KindObject)
	note("retry_after_ms", a.RetryAfter.Value, evidence.KindAbsent, evidence.KindNull, evidence.KindNumber)
	if k := a.RetryAfter.Kind; a.RetryAfter.Value.Kind() == evidence.KindNumber && k != evidence.DirectionWhole {
		found = append(found, "retry_after_ms is "+a.RetryAfter.Value.Brief())
	}
	note("runtime_presence", a.Presence, evidence.KindObject)
	if a.Presence.Kind() == evidence.KindObject {
		note("phase", a.Presence.Member("phase"), evidence.KindString)
		note("replicas", a.Presence.Member("replicas"), evidence.KindObject)
		note("the detail of runtime_presence", a.Presence.Member("detail"), evidence.KindString)
		note("observed_at", a.Presence.Member("observed_at"), evidence.KindNull, evidence.KindString)
		note("wake", a.Presence.Member("wake"), evidence.KindNull, evidence.KindObject)
	}
	if a.Notice.Kind() == evidence.KindObject {
		for _, name := range []string{"code", "severity", "title", "message"} {
			note("the "+name+" of notice", a.Notice.Member(name), evidence.KindString)
		}
	}
	if operation.Kind() == evidence.KindObject {
		for _, name := range []string{"uid", "status", "created_at", "support_reference"} {
			note("the "+name+" of operation", operation.Member(name), evidence.KindString)
		}
	}
	found = append(found, strangers("", a.Body)...)
	found = append(found, strangers("runtime_interaction", interaction)...)
	return append(found, strangers("runtime_presence", a.Presence)...)
}

func strangers(of string, v *evidence.Value) []string {
	var found []string
	for _, m := range v.Members() {
		if !slices.Contains(knownMembers(of), m.Name) {
			found = append(found, "there is an unknown member "+quote(m.Name))
		}
	}
	return found
}

// peculiar lists what leaves a client free to refuse an admitting answer, or to read it in its own way.
func peculiar(a *evidence.Access) []string {
	var found []string
	if mode, ok := a.Mode.Text(); ok && mode == "unavailable" {
		found = append(found, `mode "unavailable" with can_submit true`)
	}
	if uid, _ := a.ServiceUID.Text(); strings.TrimSpace(uid) == "" {
		found = append(found, "no coding_agent_service_uid")
	}
	return found
}

// sound tells whether an admitting answer leaves a client no reason to refuse it, its diagnostics aside.
func sound(a *evidence.Access) bool {
	mode := a.Mode.Kind()
	token, _ := a.Token.Value.Text()
	if a.Token.Name == "" && strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return false // no Bearer by the letter of RFC 6750
	}
	to := addressOf(a.RPCURL.Text)
	if to.odd != "" || to.credentials { // RFC 9110 (4.2.4) has a client treat a user name in an http URL as an error
		return false
	}
	return a.Usable() && len(a.Problems) == 0 && len(peculiar(a)) == 0 && a.ExpiresAt.Kind != evidence.ExpiryUnreadable &&
		a.State.Kind() == evidence.KindString && (mode == evidence.KindAbsent || mode == evidence.KindString)
}

// contrary lists well-formed diagnostics that speak against what can_submit says.
func contrary(a *evidence.Access) []string {
	var found []string
	admits := a.Admits()
	if ready, ok := a.Body.Member("is_ready").Bool(); ok && ready != admits {
		found = append(found, "is_ready "+a.Body.Member("is_ready").Brief())
	}
	if phase, ok := a.Presence.Member("phase").Text(); ok && (phase == "serving") != admits {
		found = append(found, "phase "+quote(phase))
	}
	severity, _ := a.Notice.Member("severity").Text()
	if admits && (severity == "warning" || severity == "error") || !admits && severity == "success" {
		found = append(found, "a notice of severity "+quote(severity))
	}
	status, ok := a.Body.Path("runtime_interaction", "operation", "status").Text()
	if ok && (status == "succeeded") != admits {
		found = append(found, "an operation "+quote(status))
	}
	if detail, ok := a.Detail.Text(); ok && admits && detail != "" {
		found = append(found, "a detail")
	}
	return found
}
