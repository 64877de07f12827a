package evidence

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	tokenA = "aK3jR9xZ0qLmN7vB2cYt5WsD8fGhJ4kP6uEiO1Ab"
	tokenB = "Zz1Yy2Xx3Ww4Vv5Uu6Tt7Ss8Rr9Qq0Pp1Oo2Nn3M"
)

func redactorOf(values ...string) *redactor {
	r := &redactor{}
	for i, value := range values {
		r.add(secretName(SecretRuntime, i+1), value)
	}
	return r
}

func percentAll(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

func TestRedactionNamesTheForm(t *testing.T) {
	t.Parallel()
	r := redactorOf(tokenA, tokenB)
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	for name, c := range map[string]struct{ text, want string }{
		"nothing":            {`{"message":{"messageId":"msg-1"}}`, `{"message":{"messageId":"msg-1"}}`},
		"whole":              {"Bearer " + tokenA, "Bearer ‹runtime-token:1›"},
		"both":               {tokenB + tokenA + "," + tokenB, "‹runtime-token:2›‹runtime-token:1›,‹runtime-token:2›"},
		"first 12":           {"token " + tokenA[:12] + "…", "token ‹runtime-token:1 part›…"},
		"last 12":            {tokenB[28:], "‹runtime-token:2 part›"},
		"12 in the middle":   {"x" + tokenA[13:25] + "x", "x‹runtime-token:1 part›x"},
		"11 is nobody's":     {"x" + tokenA[13:24] + "x", "x" + tokenA[13:24] + "x"},
		"one short of whole": {tokenA[:39] + "?", "‹runtime-token:1 part›?"},
		"base64":             {b64(tokenA), "‹runtime-token:1 base64›g=="},
		"base64, after 1":    {b64("u" + tokenA), "dW‹runtime-token:1 base64›I="},
		"base64, after 2":    {b64("u:" + tokenA + "\n"), "dTp‹runtime-token:1 base64›Cg=="},
		"base64 of a part":   {b64(tokenA[:24]), "‹runtime-token:1 base64›"},
		"hex":                {hex.EncodeToString([]byte(tokenA)), "‹runtime-token:1 hex›"},
		"upper hex":          {strings.ToUpper(hex.EncodeToString([]byte(tokenB))), "‹runtime-token:2 hex›"},
		"hex of a part":      {"0x" + hex.EncodeToString([]byte(tokenA[5:17])) + "zz", "0x‹runtime-token:1 hex›zz"},
		"percent":            {"?t=" + percentAll(tokenA) + "&x", "?t=‹runtime-token:1 percent›&x"},
		"lower percent":      {strings.ToLower(percentAll(tokenA)), "‹runtime-token:1 percent›"},
		"percent of a part":  {percentAll(tokenB[20:33]), "‹runtime-token:2 percent›"},
		"twice at once":      {tokenA + tokenA[:20], "‹runtime-token:1›‹runtime-token:1 part›"},
	} {
		// Wherever a form begins, the look-ups must meet it.
		for shift := range 9 {
			before := strings.Repeat("-", shift)
			if got := r.text(before + c.text); got != before+c.want {
				t.Errorf("%s, shifted by %d: %q, want %q", name, shift, got, before+c.want)
			}
		}
	}
}

func TestRedactionOfOtherValues(t *testing.T) {
	t.Parallel()
	r := redactorOf("t", "short-token", "exactly-13-ab", "aaaaaaaaaaaaaaaaaaaaaaaa", "with/url+chars==~~~???>>>")
	for text, want := range map[string]string{
		"x short-token x":            "x ‹runtime-token:2› x",
		"[exactly-13-ab]":            "[‹runtime-token:3›]",
		strings.Repeat("a", 24):      "‹runtime-token:4›",
		strings.Repeat("a", 30):      "‹runtime-token:4›aaaaaa",
		"with/url+chars==~~~???>>>":  "‹runtime-token:5›",
		"d2l0aC91cmwrY2hhcnM9PX5-fj": "‹runtime-token:5 base64›",
	} {
		// The one-letter token would replace every t; it is looked for by a redactor of its own below.
		r.short = r.short[len(r.short)-1:]
		if got := r.text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := redactorOf("t").text("a token t"); got != "a ‹runtime-token:1›oken ‹runtime-token:1›" {
		t.Errorf("short secret: %q", got)
	}
	if got := redactorOf("").text("a"); got != "a" {
		t.Errorf("empty secret: %q", got)
	}
}

func TestRedactionOfNothingCopiesNothing(t *testing.T) {
	t.Parallel()
	text := []byte(strings.Repeat("nothing secret in here. ", 50))
	if got := redactorOf(tokenA).bytes(text); &got[0] != &text[0] {
		t.Error("a text without secrets is copied")
	}
	if got := (&redactor{}).bytes(nil); got != nil {
		t.Errorf("nothing became %q", got)
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	text := "a ‹runtime-token:2› b ‹platform-token base64›‹of the subject› ‹open " + strings.Repeat("x", 300) + "›‹cut"
	want := []Mention{
		{Name: "‹runtime-token:2›"}, {Name: "‹platform-token›", Form: FormBase64}, {Name: "‹of the subject›"},
	}
	if diff := cmp.Diff(want, Mentions([]byte(text))); diff != "" {
		t.Error(diff)
	}
	for _, form := range []Form{FormWhole, FormPart, FormBase64, FormHex, FormPercent} {
		m := Mention{Name: "‹runtime-token:1›", Form: form}
		if diff := cmp.Diff([]Mention{m}, Mentions([]byte("x"+m.marker()+"y"))); diff != "" {
			t.Error(diff)
		}
	}
}

func FuzzRedaction(f *testing.F) {
	f.Add("before ", " after", uint64(1), 0, 40)
	f.Add("=", "", uint64(7), 3, 15)
	f.Add("%41‹runtime", "4142", uint64(9), 28, 40)
	f.Fuzz(func(t *testing.T, before, after string, seed uint64, from, to int) {
		random := rand.New(rand.NewPCG(seed, 1))
		tokens := make([]string, 3)
		for i := range tokens {
			tokens[i] = randomToken(random)
		}
		r := redactorOf(tokens...)
		part := tokens[1]
		if from >= 0 && from < to && to <= len(part) && to-from >= 12 {
			part = part[from:to]
		}
		text := before + part + after + base64.StdEncoding.EncodeToString([]byte(before+tokens[2])) + before +
			hex.EncodeToString([]byte(part)) + after + percentAll(part) + url.PathEscape(tokens[0]) + part
		got := r.text(text)
		for _, token := range tokens {
			for i := 0; i+12 <= len(token); i++ {
				if strings.Contains(got, token[i:i+12]) {
					t.Fatalf("%q of %s survives in %q", token[i:i+12], token, got)
				}
			}
			if raw := hex.EncodeToString([]byte(token)); strings.Contains(got, raw[:24]) {
				t.Fatalf("hex of %s survives in %q", token, got)
			}
		}
		if len(Mentions([]byte(got))) < 5 {
			t.Fatalf("markers are missing in %q", got)
		}
	})
}

func randomToken(random *rand.Rand) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	token := make([]byte, 40)
	for i := range token {
		token[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(token)
}

func BenchmarkRedaction(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	tokens := make([]string, 5)
	for i := range tokens {
		tokens[i] = randomToken(random)
	}
	r := redactorOf(tokens...)
	small := []byte(`{"message":{"messageId":"msg-1","role":"ROLE_USER","parts":[{"text":"` + strings.Repeat("words ", 70) + `"}]}}`)
	b.Run("body of 500 bytes", func(b *testing.B) {
		for b.Loop() {
			r.bytes(small)
		}
	})
	handed := []byte(`{"token":"` + tokens[4] + `","rpc_url":"http://127.0.0.1:1/p/"}`)
	b.Run("answer with a token", func(b *testing.B) {
		for b.Loop() {
			r.bytes(handed)
		}
	})
	large := make([]byte, 20<<20)
	for i := range large {
		large[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[random.IntN(64)]
	}
	b.Run("body of 20 MiB", func(b *testing.B) {
		b.SetBytes(int64(len(large)))
		for b.Loop() {
			r.bytes(large)
		}
	})
	b.Run("register 5 tokens", func(b *testing.B) {
		for b.Loop() {
			redactorOf(tokens...)
		}
	})
}

func BenchmarkReadJSON(b *testing.B) {
	small := []byte(`{"message":{"messageId":"msg-1","role":"ROLE_AGENT","contextId":"0b2701a1-e777-4cfe-8437-b94025f00069",` +
		`"parts":[{"text":"` + strings.Repeat("words ", 50) + `"}],"metadata":{"a":[1,2,3]}}}`)
	large := []byte(`{"message":{"parts":[{"raw":"` + strings.Repeat("QUJD", 5<<20) + `"}]}}`)
	for name, body := range map[string][]byte{"500 bytes": small, "20 MiB": large} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				ReadJSON(body)
			}
		})
	}
}
