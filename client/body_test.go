package client

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parsed reads JSON for comparison, numbers as they are written.
func parsed(t *testing.T, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

func TestBodyHasTheShapesOfTheADR(t *testing.T) {
	t.Parallel()
	five := 5
	strict := func(attempts string) string {
		return `{"message":{"messageId":"msg-1","role":"ROLE_USER","contextId":"s","parts":[{"text":"hi"}]},
			"configuration":{"acceptedOutputModes":["application/json"],"responseKind":"message"},
			"metadata":{"https://mainsequence.ai/a2a/extensions/output-contract/v1":
				{"response_format":{"type":"dictionary","strict":true},"jsonRepairAttempts":` + attempts + `}}}`
	}
	plain := `{"message":{"messageId":"msg-1","role":"ROLE_USER","contextId":"s","parts":[{"text":"hi"}]},
		"configuration":{"acceptedOutputModes":["text/plain"],"responseKind":"message"}}`
	for name, test := range map[string]struct {
		request Request
		want    string
	}{
		"plain":                      {Request{}, plain},
		"plain, repair has no place": {Request{JSONRepairAttempts: &five}, plain},
		"strict":                     {Request{StrictDictionary: true}, strict("3")},
		"strict, own number":         {Request{StrictDictionary: true, JSONRepairAttempts: &five}, strict("5")},
	} {
		test.request.SessionUID, test.request.Text = "s", "hi"
		body, found := buildBody(test.request, "msg-1", nil)
		if diff := cmp.Diff(parsed(t, test.want), parsed(t, string(body))); diff != "" || len(found) > 0 {
			t.Errorf("%s: %v (-want +got):\n%s", name, found, diff)
		}
	}
}

func TestBodyCarriesTextExactly(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"  lead and trail \n\t", "emoji 👩‍👩‍👧", "e\u0301 is not \u00e9", "right to left \u202eabc", "nul \x00 in it", "<&> \u2028 \"\\/",
		strings.Repeat("ab", 1<<19),
	} {
		body, _ := buildBody(Request{SessionUID: "s", Text: text}, text, nil)
		var got struct {
			Message struct {
				MessageID string `json:"messageId"`
				Parts     []struct {
					Text string `json:"text"`
				} `json:"parts"`
			} `json:"message"`
		}
		if err := json.Unmarshal(body, &got); err != nil || got.Message.Parts[0].Text != text || got.Message.MessageID != text {
			t.Errorf("%.40q arrived as %.40q (%v)", text, got.Message.Parts, err)
		}
	}
}

func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBodyCarriesFilesInOrder(t *testing.T) {
	t.Parallel()
	files, found := openFiles([]File{
		{Path: write(t, "a.PDF", []byte("%PDF"))},
		{Path: write(t, "b.bin", nil)},
		{Path: write(t, "c.bin", []byte{0, 255}), Name: `q"uote`, MediaType: "image/png"},
	})
	defer closeFiles(files)
	body, unfit := buildBody(Request{SessionUID: "s", Text: "hi"}, "m", files)
	if len(found)+len(unfit) > 0 {
		t.Fatal(found, unfit)
	}
	got := parsed(t, string(body)).(map[string]any)["message"].(map[string]any)["parts"]
	want := parsed(t, `[{"text":"hi"},{"raw":"JVBERg==","filename":"a.PDF","mediaType":"application/pdf"},
		{"raw":"","filename":"b.bin"},{"raw":"AP8=","filename":"q\"uote","mediaType":"image/png"}]`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
}

func TestUnfitFilesAreNamedTogether(t *testing.T) {
	t.Parallel()
	fits := write(t, "fits.pdf", make([]byte, MaxFileBytes))
	files, found := openFiles([]File{
		{Path: filepath.Join(t.TempDir(), "missing.pdf")},
		{Path: fits},
		{Path: t.TempDir()},
		{Path: write(t, "large.pdf", make([]byte, MaxFileBytes+1))},
		{Path: fits, Name: "\xff"},
	})
	closeFiles(files)
	if len(files) != 1 || len(found) != 4 {
		t.Fatalf("%d fit, problems %q", len(files), found)
	}
	for i, want := range []string{"Files[0]: cannot be read", "Files[2]: ", "Files[3]: ", "Files[4]: "} {
		if !strings.HasPrefix(found[i], want) {
			t.Errorf("problem %q, want %q", found[i], want)
		}
	}
}

func TestFilesThatChangeWhileRead(t *testing.T) {
	t.Parallel()
	file := func(size int64, content io.Reader) openFile {
		return openFile{File: File{Path: "f"}, size: size, reader: io.NopCloser(content)}
	}
	_, found := buildBody(Request{SessionUID: "s", Text: "x"}, "m", []openFile{
		file(3, strings.NewReader("1234")), file(3, strings.NewReader("12")), file(3, failingReader{}), file(3, strings.NewReader("123")),
	})
	if len(found) != 3 || !strings.HasPrefix(found[2], "Files[2]: f: cannot be read: the disk is gone") {
		t.Errorf("problems %q, want three", found)
	}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

// Not parallel: it measures what the whole process allocates.
func TestBodyIsBuiltInOneBuffer(t *testing.T) {
	content := bytes.Repeat([]byte{7}, MaxFileBytes)
	files, found := openFiles([]File{{Path: write(t, "big.pdf", content)}})
	defer closeFiles(files)
	if len(found) > 0 {
		t.Fatal(found)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	body, _ := buildBody(Request{SessionUID: "s", Text: "x"}, "m", files)
	runtime.ReadMemStats(&after)
	encoded := base64.StdEncoding.EncodedLen(MaxFileBytes)
	if used := int(after.TotalAlloc - before.TotalAlloc); len(body) < encoded || used > encoded+encoded/10 {
		t.Errorf("a body of %d bytes took %d", len(body), used)
	}
}
