package client

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	reply := answer{server: serverRuntime, status: 200, body: io.NopCloser(endless{})}
	_, err := reply.read()
	var invalid *InvalidResponseError
	if !errors.As(err, &invalid) || !strings.Contains(err.Error(), "67108864 bytes") {
		t.Errorf("got %v", err)
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
