package evidence

import "reflect"

// knownWords lists what a text of a type may be in a recording; none for a type that may hold anything.
func knownWords(t reflect.Type) []string {
	switch t {
	case reflect.TypeFor[Clock]():
		return words(ClockVirtual, ClockReal)
	case reflect.TypeFor[EndKind]():
		return words(EndSettled, EndDeadlock, EndPanic, EndLeak, EndRunaway, EndHang)
	case reflect.TypeFor[SecretKind]():
		return words(SecretPlatform, SecretRefresh, SecretRuntime)
	case reflect.TypeFor[Side]():
		return words(SidePlatform, SideRuntime, SideElsewhere)
	case reflect.TypeFor[Accepts]():
		return words(AcceptsYes, AcceptsRefuse, AcceptsHang)
	case reflect.TypeFor[SubjectKind]():
		return words(KindReference, KindInProcess, KindDriver, KindAttach, KindCommand, KindEndpoint, KindRecording)
	case reflect.TypeFor[CallOp]():
		return words(CallSend, CallGetTask, CallCancelTask, CallWaitTask)
	case reflect.TypeFor[OutcomeKind]():
		return words(OutcomeMessage, OutcomeTask, OutcomeError, OutcomeUnsupported, OutcomeCrash, OutcomePrinted)
	case reflect.TypeFor[Category]():
		return words("", NotReady, Blocked, TimedOut, MessageLimit, ServerFailed, Unauthorized, Rejected,
			InvalidResponse, InvalidArgument, Transport, NotAdvertised, Other)
	case reflect.TypeFor[Op]():
		return words(OpResolveAccess, OpGetSession, OpGetAgent, OpRenewToken, OpWhoAmI, OpSendMessage, OpGetTask,
			OpCancelTask, OpLegacy, OpUnknown)
	case reflect.TypeFor[EndedBy]():
		return words(EndedByServer, EndedByClient, EndedByCut, EndedByRun)
	default:
		return nil
	}
}

func words[T ~string](all ...T) []string {
	texts := make([]string, 0, len(all))
	for _, word := range all {
		texts = append(texts, string(word))
	}
	return texts
}
