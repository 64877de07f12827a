package yourclient_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	conform "github.com/a2a-conform/a2a-conform"
	"github.com/a2a-conform/a2a-conform/evidence"
	"github.com/a2a-conform/a2a-conform/suites"
)

// The whole contract inside the client's own tests, without Ginkgo.
func TestContract(t *testing.T) {
	conform.Record(t, about(), open).Check(t)
}

// The same as a tree of Ginkgo specs, which `go test` and the ginkgo command both run.
func TestContractAsSpecs(t *testing.T) {
	recording := conform.Record(t, about(), open)
	gomega.RegisterFailHandler(ginkgo.Fail)
	checks := suites.Register(recording.Session, recording.Runs)
	if len(checks) == 0 {
		t.Fatal("there is nothing to show")
	}
	ginkgo.RunSpecs(t, "ADR 0029")
}

// hasty changes one member of every answer to a message whose id it chose.
type hasty struct{ conform.Client }

func (h hasty) Do(ctx context.Context, call conform.Call) evidence.Outcome {
	o := h.Client.Do(ctx, call)
	if call.Input.MessageID.IsZero() && o.Kind == evidence.OutcomeMessage {
		o.Message = []byte(strings.Replace(string(o.Message), "ROLE_AGENT", "ROLE_USER", 1))
	}
	return o
}

// A client that is wrong fails, with the obligation and what was seen. The failing test runs in a process of its own.
func TestAWrongClientFails(t *testing.T) {
	if os.Getenv("CONFORM_WRONG") == "1" {
		conform.Record(t, about(), func(env conform.Env) (conform.Client, error) {
			c, err := open(env)
			return hasty{c}, err
		}).Check(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestAWrongClientFails$")
	cmd.Env = append(os.Environ(), "CONFORM_WRONG=1")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("a wrong client passed:\n%s", out)
	}
	for _, want := range []string{"RESP-06", "seen:", "expected:", "usual cause:"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the failure does not say %q:\n%s", want, out)
		}
	}
}
