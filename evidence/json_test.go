package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// read is ReadJSON for a text that must be sound.
func read(tb testing.TB, text string) *Value {
	tb.Helper()
	v, problems := ReadJSON([]byte(text))
	if len(problems) > 0 {
		tb.Fatalf("%.60s: unexpected problems %v", text, problems)
	}
	return v
}

func TestReadJSONNamesEveryProblem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want []string // kind, path and offset
	}{
		"sound":                    {`{"a":[1,-2.5e+3,true,false,null,"x\u00e9\n\ud83d\ude00"],"b":{}}` + "\r\n\t ", nil},
		"nothing":                  {``, []string{"empty  0"}},
		"white space only":         {" \n", []string{"empty  2"}},
		"byte order mark":          {"\xef\xbb\xbf{}", []string{"syntax  0"}},
		"HTML":                     {`<html>`, []string{"syntax  0"}},
		"NaN":                      {`{"a":NaN}`, []string{"syntax /a 5"}},
		"word misspelt":            {`[trve]`, []string{"syntax /0 1"}},
		"word cut":                 {`[nul`, []string{"truncated /0 4"}},
		"object cut":               {`{"a":1`, []string{"truncated  6"}},
		"object cut after comma":   {`{"a":1,`, []string{"truncated  7"}},
		"object cut after name":    {`{"a"`, []string{"truncated  4"}},
		"object cut after colon":   {`{"a":`, []string{"truncated /a 5"}},
		"object cut at once":       {`{`, []string{"truncated  1"}},
		"array cut":                {`[1,[2`, []string{"truncated /1 5"}},
		"array cut at once":        {`[`, []string{"truncated  1"}},
		"text cut":                 {`{"a":"b`, []string{"truncated /a 7"}},
		"text cut in an escape":    {`["a\`, []string{"truncated /0 4"}},
		"text cut in a unit":       {`["\u00`, []string{"syntax /0 2", "truncated /0 6"}},
		"name cut":                 {`{"a`, []string{"truncated  3"}},
		"number cut":               {`[1.`, []string{"truncated /0 1", "truncated  3"}},
		"two values":               {`{} {}`, []string{"trailing  3"}},
		"bytes after the value":    {"{}\x00", []string{"trailing  2"}},
		"name without quotes":      {`{a:1}`, []string{"syntax  1"}},
		"no colon":                 {`{"a" 1}`, []string{"syntax  5"}},
		"comma at the end":         {`[1,]`, []string{"syntax /1 3"}},
		"comma at the end, object": {`{"a":1,}`, []string{"syntax  7"}},
		"no comma":                 {`[1 2]`, []string{"syntax  3"}},
		"no comma, object":         {`{"a":1 "b":2}`, []string{"syntax  7"}},
		"leading zero":             {`{"a":01,"b":2}`, []string{"syntax /a 5"}},
		"plus sign":                {`[+1]`, []string{"syntax /0 1"}},
		"bare minus":               {`[-,1.,1e,.5]`, []string{"syntax /0 1", "syntax /1 3", "syntax /2 6", "syntax /3 9"}},
		"duplicate":                {`{"a":1,"b":{"c":1,"c":2},"a":3}`, []string{"duplicate /b/c 18", "duplicate /a 25"}},
		"duplicate by escape":      {`{"a":1,"\u0061":2}`, []string{"duplicate /a 7"}},
		"invalid UTF-8":            {"[\"\xff\",\"\xc3\"]", []string{"encoding /0 2", "encoding /1 6"}},
		"control character":        {"[\"a\nb\"]", []string{"syntax /0 3"}},
		"unknown escape":           {`["\x41"]`, []string{"syntax /0 2"}},
		"escape of no digits":      {`["\u00zz"]`, []string{"syntax /0 2"}},
		"lone high surrogate":      {`["\ud83d"]`, []string{"surrogate /0 2"}},
		"lone low surrogate":       {`["\ude00x"]`, []string{"surrogate /0 2"}},
		"high before no low":       {`["\ud83d\u0041"]`, []string{"surrogate /0 2"}},
		"escaped replacement":      {`["\ufffd"]`, nil},
		"deep":                     {strings.Repeat("[", 1000) + strings.Repeat("]", 1000), nil},
		"name with a slash":        {`{"a/b~":tru}`, []string{"syntax /a~1b~0 8"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems := ReadJSON([]byte(c.body))
			var got []string
			for _, p := range problems {
				got = append(got, strings.Join([]string{string(p.Kind), p.Path, strconv.Itoa(p.Offset)}, " "))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadJSONStopsAtItsLimits(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"depth":   strings.Repeat("[", 3_000_000),
		"objects": strings.Repeat(`{"a":`, 100_000),
		"values":  "[" + strings.Repeat("1,", 5000) + "1]",
	} {
		v, problems := readJSON([]byte(body), 5000)
		if len(problems) != 1 || problems[0].Kind != ProblemLimit || v == nil {
			t.Errorf("%s: problems %.300v", name, problems)
		}
	}
}

func TestReadJSONListsTwentyProblemsAndTheLast(t *testing.T) {
	t.Parallel()
	_, problems := ReadJSON([]byte("[" + strings.Repeat("01,", 50)))
	if len(problems) != maxProblems || problems[maxProblems-1].Kind != ProblemTruncated {
		t.Errorf("problems %v", problems)
	}
}

func TestReadJSONFindsDuplicatesInALongObject(t *testing.T) {
	t.Parallel()
	var body strings.Builder
	body.WriteString(`{"first":0`)
	for i := range 40 {
		body.WriteString(`,"m` + strconv.Itoa(i) + `":1`)
	}
	long := strings.Repeat("n", 100)
	body.WriteString(`,"m39":2,"first":3,"` + long + `":1,"` + long + `":2}`)
	_, problems := ReadJSON([]byte(body.String()))
	var got []string
	for _, p := range problems {
		got = append(got, string(p.Kind)+" "+p.Path)
	}
	want := []string{"duplicate /m39", "duplicate /first", "duplicate /" + long[:60] + "…"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadJSONKeepsWhatItCouldRead(t *testing.T) {
	t.Parallel()
	v, _ := ReadJSON([]byte(`{"message":{"messageId":"m-1","messageId":"m-2","parts":[{"text":"hel`))
	if id, _ := v.Path("message", "messageId").Text(); id != "m-2" {
		t.Errorf("of two members the last counts, got %q", id)
	}
	members := v.Member("message").Members()
	if len(members) != 3 || string(members[0].Value.Raw()) != `"m-1"` {
		t.Errorf("the first of two members is not kept: %v", members)
	}
	if text, ok := v.Path("message", "parts").Elements()[0].Member("text").Text(); !ok || text != "hel" {
		t.Errorf("text of a cut body is %q", text)
	}
	cut, _ := ReadJSON([]byte(`["a\"b\`))
	if text, _ := cut.Elements()[0].Text(); text != "a\"b\uFFFD" {
		t.Errorf("text cut in an escape is %q", text)
	}
}

func TestProblemSaysWhere(t *testing.T) {
	t.Parallel()
	_, problems := ReadJSON([]byte(`{"a":01} x`))
	got := []string{problems[0].String(), problems[1].String()}
	want := []string{"/a: 01 is no JSON number (byte 5)", "1 bytes stand after the value (byte 9)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p, broken := NotJSON(problems); !broken || p.Kind != ProblemSyntax {
		t.Errorf("NotJSON = %v, %v", p, broken)
	}
	if _, broken := NotJSON([]Problem{{Kind: ProblemDuplicate}}); broken {
		t.Error("a duplicate leaves a body JSON")
	}
}

func TestValueOfNothingIsAbsent(t *testing.T) {
	t.Parallel()
	var v *Value
	if v.Kind() != KindAbsent || v.Path("a", "b") != nil || v.Raw() != nil || v.Elements() != nil || v.Members() != nil {
		t.Error("nil is not the absent value")
	}
	_, isText := v.Text()
	_, isBool := v.Bool()
	_, isInt := v.Int()
	_, isNumber := v.Number()
	_, hasSum := v.TextSHA256()
	_, wrongCase := v.WrongCase("a")
	if isText || isBool || isInt || isNumber || hasSum || wrongCase || v.TextEquals("") {
		t.Error("nil has a value")
	}
}

func TestValueReadsWhatItIs(t *testing.T) {
	t.Parallel()
	v := read(t, `{"t":true,"f":false,"n":null,"s":"x","i":7,"Task":1}`)
	yes, ok := v.Member("t").Bool()
	no, okToo := v.Member("f").Bool()
	if !yes || !ok || no || !okToo {
		t.Error("booleans are misread")
	}
	if n, ok := v.Member("i").Number(); !ok || n != "7" {
		t.Errorf("number %q", n)
	}
	if name, ok := v.WrongCase("task"); !ok || name != "Task" {
		t.Errorf("WrongCase = %q, %v", name, ok)
	}
	if _, ok := v.WrongCase("Task"); ok {
		t.Error("the right case is not a wrong one")
	}
	if v.Member("task") != nil || v.Member("N") != nil {
		t.Error("letter case is forgiven")
	}
	kinds := map[Kind]string{KindAbsent: "absent", KindObject: "an object", KindString: "text", Kind(99): "unknown"}
	for kind, want := range kinds {
		if kind.String() != want {
			t.Errorf("kind %d is called %q", kind, kind)
		}
	}
}

func TestIntIsWholeByValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "7.0": 7, "70e-1": 7, "0.7e1": 7, "1e3": 1000, "-1500": -1500, "1500.000": 1500,
		"9223372036854775807": 9223372036854775807, "-9223372036854775808": -9223372036854775808,
		"0e999999999999999999999": 0, "120e-1": 12,
	} {
		if got, ok := read(t, text).Int(); !ok || got != want {
			t.Errorf("%s is %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{
		"1.5", "1e-1", "9223372036854775808", "1e19", "1e999999999", "1e99999999999999999999999999", `"7"`, "true",
		"1e" + strings.Repeat("9", 1000),
	} {
		if got, ok := read(t, text).Int(); ok {
			t.Errorf("%s is read as %d", text, got)
		}
	}
	broken, _ := ReadJSON([]byte("01"))
	if _, ok := broken.Int(); ok {
		t.Error("01 is read as a number")
	}
	if _, ok := broken.Number(); ok {
		t.Error("01 is a number")
	}
}

func TestTextIsCodePoints(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`""`:                        "",
		`"plain"`:                   "plain",
		`"\"\\\/\b\f\n\r\t"`:        "\"\\/\b\f\n\r\t",
		`"\u0041\u00e9\u20AC"`:      "Aé€",
		`"\ud83d\ude00"`:            "😀",
		`"a\u0000b"`:                "a\x00b",
		`"😀é"`:                      "😀é",
		`"\u0041` + "\u00a0" + `z"`: "A\u00a0z",
	} {
		v := read(t, raw)
		got, ok := v.Text()
		sum := sha256.Sum256([]byte(want))
		hash, _ := v.TextSHA256()
		if !ok || got != want || !v.TextEquals(want) || hash != hex.EncodeToString(sum[:]) {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
		if v.TextEquals(want+"x") || want != "" && v.TextEquals(want[:len(want)-1]) {
			t.Errorf("%s equals what it is not", raw)
		}
	}
	broken, _ := ReadJSON([]byte("\"a\xff\\ud83d\\q\""))
	if got, _ := broken.Text(); got != "a\uFFFD\uFFFD\uFFFD" {
		t.Errorf("broken text is %q", got)
	}
}

func TestLongTextIsHashedInPieces(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("aé\n", 5000)
	raw := strings.ReplaceAll(text, "\n", `\n`)
	sum := sha256.Sum256([]byte(text))
	if got, _ := read(t, `"`+raw+`"`).TextSHA256(); got != hex.EncodeToString(sum[:]) {
		t.Errorf("hash is %s", got)
	}
}

func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5e-3,"x\u00e9\ud83d\ude00",null,true,false,{}]}`, `[`, `{"a":1,"a":2}`, "\"\xff\"", `"\ud800"`, `01`,
		`{"a":"b\"c\\"}`, `[1,]`, ``, `-`, "\"\x01\"", `"\u12"`, `{"a" :[ ] , "b":{ "c" : -0 }} `,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, problems := ReadJSON(body)
		_, broken := NotJSON(problems)
		limited := false
		for _, p := range problems {
			limited = limited || p.Kind == ProblemLimit
		}
		if !limited && broken == json.Valid(body) {
			t.Fatalf("%q: problems %v, but encoding/json says valid=%v", body, problems, !broken)
		}
		if broken || limited {
			return
		}
		if !Equal(v, v) || len(Diff(v, v)) > 0 || !SubsetOf(v, v) {
			t.Fatalf("%q is not equal to itself", body)
		}
		sameTexts(t, v, body)
	})
}

// sameTexts compares all texts with what encoding/json reads.
func sameTexts(t *testing.T, v *Value, body []byte) {
	t.Helper()
	var want any
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	if err := decoder.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, plain(v)); diff != "" {
		t.Fatalf("%q (-encoding/json +ours):\n%s", body, diff)
	}
}

func plain(v *Value) any {
	switch v.Kind() {
	case KindBool:
		b, _ := v.Bool()
		return b
	case KindNumber:
		n, _ := v.Number()
		return n
	case KindString:
		s, _ := v.Text()
		if !v.TextEquals(s) {
			return "TextEquals differs from Text"
		}
		return s
	case KindArray:
		all := []any{}
		for _, e := range v.Elements() {
			all = append(all, plain(e))
		}
		return all
	case KindObject:
		all := map[string]any{}
		for _, m := range v.Members() {
			all[m.Name] = plain(m.Value)
		}
		return all
	default:
		return nil
	}
}

func TestPlainRunStopsBeforeWhatIsSpecial(t *testing.T) {
	t.Parallel()
	const plain = "abcdefghijklmnop~ !#[]^"
	for special := range 256 {
		b := byte(special)
		ordinary := b >= ' ' && b < 0x80 && b != '"' && b != '\\'
		for at := range len(plain) {
			text := []byte(plain)
			text[at] = b
			n := plainRun(text)
			if !ordinary && n > at {
				t.Fatalf("byte %#x at %d: %d bytes count as plain", b, at, n)
			}
			if ordinary && n != len(text)/8*8 {
				t.Fatalf("byte %#x at %d is ordinary, and only %d bytes count as plain", b, at, n)
			}
		}
	}
}
