//go:build unix

package subject

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// shell prepares the start of a program in a process group of its own. A shell sets the umask and then becomes the
// program: the umask of this process belongs to everything in it.
func shell(ctx context.Context, program string, words []string) *exec.Cmd {
	line := append([]string{"-c", `umask 022 && exec "$@"`, "sh", program}, words...)
	cmd := exec.CommandContext(ctx, "/bin/sh", line...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		killGroup(cmd.Process.Pid)
		return nil
	}
	return cmd
}

// heedInterrupts gives INT its default action in the processes that are started from now on: a harness in the background
// of a script has it ignored, and would hand that on. What arrives is dropped, so the harness itself goes on ignoring it.
func heedInterrupts() {
	if signal.Ignored(syscall.SIGINT) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGINT)
	}
}

// sendSignal sends INT to a command's whole group, as a terminal does, and TERM to the command alone, as kill does.
func sendSignal(pid int, name string) error {
	switch name {
	case "INT":
		return syscall.Kill(-pid, syscall.SIGINT)
	case "TERM":
		return syscall.Kill(pid, syscall.SIGTERM)
	default:
		return fmt.Errorf("there is no signal %q for a command", name)
	}
}

// termGroup asks all of a group to end.
func termGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }

// killGroup ends what is left of a command's group, if anything is.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// groupLives tells whether a group still has a process.
func groupLives(group int) bool { return syscall.Kill(-group, 0) == nil }

// endedBy tells the exit status of a process and the signal that ended it, if one did. Its status is then the one that a
// shell shows.
func endedBy(state *os.ProcessState) (exit int, name string) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() { //nolint:misspell // the name is the standard library's
		return state.ExitCode(), ""
	}
	return 128 + int(status.Signal()), signalName(status.Signal())
}

func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGINT:
		return "INT"
	case syscall.SIGTERM:
		return "TERM"
	case syscall.SIGKILL:
		return "KILL"
	case syscall.SIGABRT:
		return "ABRT"
	case syscall.SIGSEGV:
		return "SEGV"
	case syscall.SIGPIPE:
		return "PIPE"
	case syscall.SIGHUP:
		return "HUP"
	case syscall.SIGQUIT:
		return "QUIT"
	default:
		return s.String()
	}
}
