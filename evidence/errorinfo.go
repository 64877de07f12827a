package evidence

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The identity of the Message limit (ADR, Message limit).
const (
	LimitReason   = "MESSAGE_RESPONSE_LIMIT_EXCEEDED"
	LimitDomain   = "mainsequence.ai"
	ErrorInfoType = "type.googleapis.com/google.rpc.ErrorInfo"
)

// ErrorInfo is what the body of an error answer says. Nothing in it is judged, the status and the media type
// included.
type ErrorInfo struct {
	Status int
	// Complete tells that the whole answer went out.
	Complete bool
	Shape    ErrorShape
	Body     *Value
	Problems []Problem

	// Code, StatusWord, Message and Details are the members of a google.rpc error.
	Code       *Value
	StatusWord *Value
	Message    *Value
	Details    []*Value

	// LimitExceeded tells that one detail is an ErrorInfo and bears both the reason and the domain of the Message
	// limit, in an answer that arrived whole.
	LimitExceeded bool
	// LimitUntyped tells the same of a detail that has no @type, on which clients may differ.
	LimitUntyped bool
	LimitSeconds LimitSeconds

	words []string
}

// ErrorShape tells which of the body shapes of contract.md, section 3, an error has.
type ErrorShape string

// The shapes of an error body.
const (
	ShapeDetail     ErrorShape = "detail"     // A: {"detail": text}
	ShapeCode       ErrorShape = "code"       // B: {"ok": false, "error": code, "message", "detail"}
	ShapeRPC        ErrorShape = "rpc"        // C: {"error": {code, status, message, details}}
	ShapeValidation ErrorShape = "validation" // V: {"detail": [{type, loc, msg, input}]}
	ShapeFields     ErrorShape = "fields"     // {"field": [text, …]}, as the platform writes them
	ShapePlain      ErrorShape = "plain"      // text
	ShapeNone       ErrorShape = "none"       // nothing, or JSON of another shape
)

// ReadErrorInfo reads an error answer. It never fails.
func ReadErrorInfo(x *Exchange) ErrorInfo {
	body, problems, whole := readAnswer(x)
	rpc := body.Member("error")
	e := ErrorInfo{
		Status: status(x), Complete: x.Response != nil && x.Response.Complete,
		Body: body, Problems: problems,
		Code: rpc.Member("code"), StatusWord: rpc.Member("status"),
		Message: rpc.Member("message"), Details: rpc.Member("details").Elements(),
	}
	readShape(&e, x)
	if whole && body.Kind() == KindObject {
		readLimit(&e)
	}
	return e
}

func readLimit(e *ErrorInfo) {
	for _, d := range e.Details {
		if !d.Member("reason").TextEquals(LimitReason) || !d.Member("domain").TextEquals(LimitDomain) {
			continue
		}
		kind := d.Member("@type")
		if kind != nil && !kind.TextEquals(ErrorInfoType) {
			continue
		}
		if kind == nil && !e.LimitUntyped {
			e.LimitUntyped = true
			e.LimitSeconds = readLimitSeconds(d.Path("metadata", "limitSeconds"))
		}
		if kind != nil {
			e.LimitExceeded, e.LimitUntyped = true, false
			e.LimitSeconds = readLimitSeconds(d.Path("metadata", "limitSeconds"))
			return
		}
	}
}

// LimitSeconds is metadata.limitSeconds of the Message limit.
type LimitSeconds struct {
	Kind  LimitKind
	Value *Value
	// Seconds is above zero and finite for a plain and an odd number, else zero.
	Seconds float64
}

// LimitKind tells what limitSeconds is.
type LimitKind string

// The kinds of limit. Plain is a decimal as text ("90", "0.5"); odd is a number in any other writing ("90.0", " 90 ",
// 90, "1e2"), on which clients may differ; useless is everything that is no number above zero.
const (
	LimitAbsent  LimitKind = "absent"
	LimitPlain   LimitKind = "plain"
	LimitOdd     LimitKind = "odd"
	LimitUseless LimitKind = "useless"
)

func readLimitSeconds(v *Value) LimitSeconds {
	l := LimitSeconds{Kind: LimitUseless, Value: v}
	text, isText := v.Text()
	number, isNumber := v.Number()
	switch {
	case v == nil:
		l.Kind = LimitAbsent
		return l
	case isNumber:
		text = string(number)
	case !isText:
		return l
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(seconds > 0) || math.IsInf(seconds, 0) {
		return l
	}
	l.Kind, l.Seconds = LimitOdd, seconds
	if isText && strconv.FormatFloat(seconds, 'f', -1, 64) == text {
		l.Kind = LimitPlain
	}
	return l
}

func readShape(e *ErrorInfo, x *Exchange) {
	detail, failure := e.Body.Member("detail"), e.Body.Member("error")
	_, broken := NotJSON(e.Problems)
	switch {
	case x.Response == nil:
		e.Shape = ShapeNone
	case broken || e.Body.Kind() == KindString:
		readPlain(e, x.Response.Content())
	case failure.Kind() == KindObject:
		e.Shape, e.words = ShapeRPC, texts(e.Message)
	case failure.Kind() == KindString:
		e.Shape, e.words = ShapeCode, texts(e.Body.Member("message"), detail, failure)
	case detail.Kind() == KindString:
		e.Shape, e.words = ShapeDetail, texts(detail, e.Body.Member("error_detail"))
	case detail.Kind() == KindArray:
		e.Shape = ShapeValidation
		for _, d := range detail.Elements() {
			e.words = append(e.words, texts(d.Member("msg"))...)
		}
	default:
		readFields(e)
	}
}

func readFields(e *ErrorInfo) {
	e.Shape = ShapeNone
	for _, m := range e.Body.Members() {
		e.words = append(e.words, texts(m.Value.Elements()...)...)
	}
	if len(e.words) > 0 {
		e.Shape = ShapeFields
	}
}

func readPlain(e *ErrorInfo, body []byte) {
	const longest = 2000 // nobody repeats more of an error page
	text := bytes.TrimSpace(body)
	if len(text) == 0 || !utf8.Valid(text) {
		e.Shape = ShapeNone
		return
	}
	if s, ok := e.Body.Text(); ok && e.Body.Kind() == KindString && len(e.Problems) == 0 {
		text = []byte(s)
	}
	if len(text) > longest {
		text = bytes.ToValidUTF8(text[:longest], nil)
	}
	e.Shape, e.words = ShapePlain, []string{string(text)}
}

// Words are the server's own words about the error, the most telling first: what a good error of a client repeats.
func (e ErrorInfo) Words() []string { return e.words }
