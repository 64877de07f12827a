//go:build !unix

package subject

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

// Commands are judged on Linux and macOS: elsewhere there are no process groups to end them by and no signals to send.
// A command that is started all the same ends at once, with a reason.

func shell(ctx context.Context, program string, _ []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program)
	cmd.Err = errors.New("commands are judged on Linux and macOS only")
	return cmd
}

func heedInterrupts() {}

func sendSignal(int, string) error { return errors.ErrUnsupported }

func termGroup(int) {}

func killGroup(int) {}

func groupLives(int) bool { return false }

func endedBy(state *os.ProcessState) (exit int, name string) { return state.ExitCode(), "" }
