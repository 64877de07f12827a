package suites

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/a2a-conform/a2a-conform/evidence"
)

func resp06() Rule {
	return Rule{
		ID: "RESP-06", Level: Must, Sides: []Side{Client}, Section: "Request Shape",
		Obligation: "preserve text, data, file parts, metadata, extension URIs and unknown members, as equal JSON values",
		Cause:      "The answer is decoded into a type that knows fewer members, or values such as false, 0, null and \"\" are dropped as empty.",
		Right:      `Data of null, false, 0 and "" and a member that nobody knows are returned as they came.`,
		Wrong:      `A part {"data": false} is returned as {}, or the Message's metadata is gone.`,
		Judge: func(c *Call, j *Judgement) {
			x := c.ordinary()
			if x == nil || !c.Returned() || len(x.Answer().Faults(c.Session)) > 0 || len(x.Answer().Problems) > 0 || hugeNumber(x.Answer().Message) != "" {
				return
			}
			if c.Outcome.Kind == evidence.OutcomePrinted {
				judgePrinted(c, x, j)
				return
			}
			got, _ := evidence.ReadJSON(c.Outcome.Message)
			want := x.Answer().Message
			switch {
			case evidence.Equal(want, got):
				j.Pass()
			case evidence.Equal(withoutNulls(want), withoutNulls(got)):
				j.Observe("documented optional members are null in one of answer and result, and absent in the other", x)
			default:
				j.Fail("the Message that was returned is not the one that was answered: "+strings.Join(evidence.Diff(want, got), "; "), "an equal Message", x)
			}
		},
	}
}

// judgePrinted looks for the answer in what a command printed. In a Message nothing may be another, and nothing may be
// lost for being empty; what else is left out is CLI-15's. Of other forms of printing only the text is asked here.
func judgePrinted(c *Call, x *Exchange, j *Judgement) {
	want := x.Answer().Message
	if printed := printedMessage(c.Command.Stdout); printed != nil {
		var all, gone lost
		all.compare(want, printed, "")
		gone.compare(withoutNulls(want), printed, "")
		if len(all.changed) > 0 {
			j.Fail("the Message that was printed is not the one that was answered: "+all.changed[0], "an equal Message", x)
			return
		}
		j.Hold(len(gone.empty) == 0 || gone.more, "of the Message that was printed empty values are gone: "+strings.Join(gone.empty, ", "), "an equal Message", x)
		return
	}
	texts := textParts(want)
	printed := oneLine(string(c.Command.Stdout))
	for _, text := range texts {
		if !strings.Contains(printed, oneLine(text)) {
			j.Unclear("the answer's text "+quote(text)+" was not found in what was printed, which is no JSON", x)
			return
		}
	}
	if len(texts) > 0 {
		j.Pass()
	}
}

// lost is what a value that was printed lacks of the one that was answered: what is another there, where empty values
// stood, and whether anything else is gone too.
type lost struct {
	changed []string
	empty   []string
	more    bool
}

func (l *lost) compare(want, got *evidence.Value, path string) {
	switch {
	case got == nil && isEmpty(want):
		l.empty = append(l.empty, path)
	case got == nil:
		l.more = true
	case want.Kind() == evidence.KindObject && got.Kind() == evidence.KindObject:
		for _, m := range want.Members() {
			l.compare(m.Value, got.Member(m.Name), path+"/"+m.Name)
		}
	case want.Kind() == evidence.KindArray && got.Kind() == evidence.KindArray:
		for i, e := range want.Elements() {
			var at *evidence.Value
			if i < len(got.Elements()) {
				at = got.Elements()[i]
			}
			l.compare(e, at, path+"/"+strconv.Itoa(i))
		}
	case !evidence.Equal(want, got):
		l.changed = append(l.changed, path+": "+want.Brief()+" became "+got.Brief())
	default:
	}
}

// isEmpty tells whether a value is one that many languages take for nothing: null, false, 0, "", [] or {}.
func isEmpty(v *evidence.Value) bool {
	yes, boolean := v.Bool()
	text, written := v.Text()
	number, whole := v.Int()
	switch {
	case boolean:
		return !yes
	case written:
		return text == ""
	case whole:
		return number == 0
	default:
		return v.Kind() == evidence.KindNull ||
			v.Kind() == evidence.KindArray && len(v.Elements()) == 0 || v.Kind() == evidence.KindObject && len(v.Members()) == 0
	}
}

// textParts lists the texts of a Message's parts.
func textParts(message *evidence.Value) []string {
	var out []string
	for _, v := range message.Member("parts").Elements() {
		if text, ok := v.Member("text").Text(); ok {
			out = append(out, text)
		}
	}
	return out
}

// oneLine makes every run of white space one space: a terminal's width may have broken the lines of a text.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// printedMessage finds the Message in standard output that is JSON: alone or as the member message. It is nil where
// there is none.
func printedMessage(stdout []byte) *evidence.Value {
	tree, problems := evidence.ReadJSON(stdout)
	if _, broken := evidence.NotJSON(problems); broken {
		return nil
	}
	for _, v := range []*evidence.Value{tree.Member("message"), tree} {
		if v.Member("messageId") != nil && v.Member("parts") != nil {
			return v
		}
	}
	return nil
}

// optionalNull tells whether a member says no more than its absence would: it is null, and one of the documented
// members that a Message or a Part may have or not.
func optionalNull(m evidence.Member) bool {
	optional := []string{"metadata", "extensions", "taskId", "referenceTaskIds", "filename", "mediaType"}
	return m.Value.Kind() == evidence.KindNull && slices.Contains(optional, m.Name)
}

// withoutNulls rewrites a Message without the optional members that are null; what stands inside of data and metadata
// is content and stays as it is.
func withoutNulls(message *evidence.Value) *evidence.Value {
	var parts []string
	for _, e := range message.Member("parts").Elements() {
		parts = append(parts, objectWithout(e, nil))
	}
	tree, _ := evidence.ReadJSON([]byte(objectWithout(message, map[string]string{"parts": "[" + strings.Join(parts, ",") + "]"})))
	return tree
}

// objectWithout writes an object without its optional nulls, some members replaced; any other value as it is.
func objectWithout(v *evidence.Value, replaced map[string]string) string {
	if v.Kind() != evidence.KindObject {
		return string(v.Raw())
	}
	var members []string
	for _, m := range v.Members() {
		raw := string(m.Value.Raw())
		if r, ok := replaced[m.Name]; ok {
			raw = r
		}
		if !optionalNull(m) {
			members = append(members, fmt.Sprintf("%s:%s", jsonText(m.Name), raw))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// jsonText writes a text as JSON.
func jsonText(s string) string {
	raw, _ := json.Marshal(s) //nolint:errchkjson // text never fails
	return string(raw)
}
