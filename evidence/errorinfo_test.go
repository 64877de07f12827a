package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const limitDetail = `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"MESSAGE_RESPONSE_LIMIT_EXCEEDED",` +
	`"domain":"mainsequence.ai","metadata":{"limitSeconds":"90"}}`

func rpcError(details string) string {
	return `{"error":{"code":504,"status":"DEADLINE_EXCEEDED","message":"too slow","details":` + details + `}}`
}

func TestMessageLimit(t *testing.T) {
	t.Parallel()
	other := `{"@type":"type.googleapis.com/google.rpc.Help","links":[]}`
	untyped := strings.Replace(limitDetail, `"@type":"type.googleapis.com/google.rpc.ErrorInfo",`, "", 1)
	for name, c := range map[string]struct {
		details           string
		exceeded, untyped bool
	}{
		"alone":           {"[" + limitDetail + "]", true, false},
		"last of three":   {"[null," + other + "," + limitDetail + "]", true, false},
		"untyped":         {"[" + untyped + "]", false, true},
		"typed wins":      {"[" + untyped + "," + untyped + "," + limitDetail + "]", true, false},
		"no details":      {"[]", false, false},
		"details null":    {"null", false, false},
		"not an array":    {limitDetail, false, false},
		"other type":      {"[" + strings.Replace(limitDetail, "ErrorInfo", "Help", 1) + "]", false, false},
		"type of null":    {"[" + strings.Replace(limitDetail, `"type.googleapis.com/google.rpc.ErrorInfo"`, "null", 1) + "]", false, false},
		"other reason":    {"[" + strings.Replace(limitDetail, "MESSAGE_", "message_", 1) + "]", false, false},
		"other domain":    {"[" + strings.Replace(limitDetail, "mainsequence.ai", "a2a-protocol.org", 1) + "]", false, false},
		"in two details":  {`[{"@type":"` + ErrorInfoType + `","reason":"` + LimitReason + `"},{"@type":"` + ErrorInfoType + `","domain":"` + LimitDomain + `"}]`, false, false},
		"details of text": {`["` + LimitReason + `"]`, false, false},
	} {
		got := ReadErrorInfo(answer(504, rpcError(c.details)))
		if got.LimitExceeded != c.exceeded || got.LimitUntyped != c.untyped {
			t.Errorf("%s: exceeded %v, untyped %v", name, got.LimitExceeded, got.LimitUntyped)
		}
		if n, _ := got.Code.Int(); n != 504 || got.Status != 504 || !got.StatusWord.TextEquals("DEADLINE_EXCEEDED") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	whole := answer(504, rpcError("["+limitDetail+"]"))
	whole.Response.Complete = false
	if got := ReadErrorInfo(whole); got.LimitExceeded || got.Complete {
		t.Error("a cut answer is taken for the limit")
	}
	if got := ReadErrorInfo(answer(504, rpcError("["+limitDetail+"]")+"x")); got.LimitExceeded {
		t.Error("what is not JSON is taken for the limit")
	}
}

func TestLimitSeconds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]LimitSeconds{
		`{"limitSeconds":"90"}`:    {Kind: LimitPlain, Seconds: 90},
		`{"limitSeconds":"0.5"}`:   {Kind: LimitPlain, Seconds: 0.5},
		`{"limitSeconds":"90.0"}`:  {Kind: LimitOdd, Seconds: 90},
		`{"limitSeconds":" 90 "}`:  {Kind: LimitOdd, Seconds: 90},
		`{"limitSeconds":90}`:      {Kind: LimitOdd, Seconds: 90},
		`{"limitSeconds":"9e1"}`:   {Kind: LimitOdd, Seconds: 90},
		`{"limitSeconds":"0"}`:     {Kind: LimitUseless},
		`{"limitSeconds":"-1"}`:    {Kind: LimitUseless},
		`{"limitSeconds":"NaN"}`:   {Kind: LimitUseless},
		`{"limitSeconds":"inf"}`:   {Kind: LimitUseless},
		`{"limitSeconds":"1e999"}`: {Kind: LimitUseless},
		`{"limitSeconds":"soon"}`:  {Kind: LimitUseless},
		`{"limitSeconds":""}`:      {Kind: LimitUseless},
		`{"limitSeconds":null}`:    {Kind: LimitUseless},
		`{"limitSeconds":[90]}`:    {Kind: LimitUseless},
		`{}`:                       {Kind: LimitAbsent},
		`null`:                     {Kind: LimitAbsent},
	} {
		detail := strings.Replace(limitDetail, `{"limitSeconds":"90"}`, text, 1)
		got := ReadErrorInfo(answer(504, rpcError("["+detail+"]")))
		if !got.LimitExceeded || got.LimitSeconds.Kind != want.Kind || got.LimitSeconds.Seconds != want.Seconds {
			t.Errorf("%s: %+v", text, got.LimitSeconds)
		}
	}
}

func TestShapesOfAnError(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 2000)
	for body, want := range map[string]struct {
		shape ErrorShape
		words []string
	}{
		`{"detail":"Not found.","error_detail":"no such"}`:           {ShapeDetail, []string{"Not found.", "no such"}},
		`{"ok":false,"error":"busy","message":"wait","detail":null}`: {ShapeCode, []string{"wait", "busy"}},
		rpcError("[]"): {ShapeRPC, []string{"too slow"}},
		`{"detail":[{"type":"t","msg":"first"},{"msg":"second"},null]}`: {ShapeValidation, []string{"first", "second"}},
		`{"name":["too long","again"],"age":["no"]}`:                    {ShapeFields, []string{"too long", "again", "no"}},
		"Internal Server Error\n":                                       {ShapePlain, []string{"Internal Server Error"}},
		`"just text"`:                                                   {ShapePlain, []string{"just text"}},
		`<html>x`:                                                       {ShapePlain, []string{"<html>x"}},
		long:                                                            {ShapePlain, []string{strings.Repeat("é", 1000)}},
		"":                                                              {ShapeNone, nil},
		"\xff\xfe":                                                      {ShapeNone, nil},
		`{}`:                                                            {ShapeNone, nil},
		`[1]`:                                                           {ShapeNone, nil},
		`{"error":7}`:                                                   {ShapeNone, nil},
	} {
		got := ReadErrorInfo(answer(500, body))
		if got.Shape != want.shape {
			t.Errorf("%.60s has shape %s", body, got.Shape)
		}
		if diff := cmp.Diff(want.words, got.Words()); diff != "" {
			t.Errorf("%.60s: words (-want +got):\n%s", body, diff)
		}
	}
	if got := ReadErrorInfo(&Exchange{}); got.Shape != ShapeNone || got.Status != 0 || got.Words() != nil {
		t.Errorf("no answer is %+v", got)
	}
}

// The readers take whatever bytes a server sends; fuzzing looks for those that make them fail.
func FuzzReaders(f *testing.F) {
	for _, seed := range []string{ready, sound, rpcError("[" + limitDetail + "]"), `{"task":{}}`, `{"detail":[{}]}`, "\xff"} {
		f.Add([]byte(seed), 200, true)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int, complete bool) {
		x := answer(status, string(body))
		x.Response.Complete = complete
		x.Request.Body.Bytes = body
		access, message := ReadAccess(x), ReadMessage(x)
		if (access.Admits() || access.Transient()) && (!complete || status != 200) {
			t.Error("an answer that failed admits or directs")
		}
		if faults := message.Faults("s"); len(faults) == 0 && message.Holds != HoldsMessage {
			t.Error("no message, and no fault")
		}
		if info := ReadErrorInfo(x); info.LimitExceeded && !complete {
			t.Error("a cut answer is taken for the limit")
		}
		_ = fmt.Sprint(ReadSend(x), access.Words(), InternalRoles(message.Task))
	})
}
