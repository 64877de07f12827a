package wire

import (
	"bytes"
	"compress/gzip"
	"io"
)

// zipped is a body in the gzip coding, made the same way every time.
func zipped(body []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

// unzipped is what a client can decode of a coded body of which only the beginning may have been sent. Bytes that are
// not coded at all come back as they are.
func unzipped(sent []byte) []byte {
	magic := []byte{0x1f, 0x8b}
	r, err := gzip.NewReader(bytes.NewReader(sent))
	if err != nil && bytes.HasPrefix(sent, magic[:min(len(sent), len(magic))]) {
		return nil // cut inside the head of the coding
	}
	if err != nil {
		return sent
	}
	body, _ := io.ReadAll(r) // an unexpected end leaves what came before it
	return body
}
