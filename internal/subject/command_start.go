package subject

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"
)

// pipesGrace is how long outputs are read after a command has ended, while a process that it started holds them open.
const pipesGrace = 2 * time.Second

// start runs the program in a process of its own and returns when it has ended, of its own accord, by a signal, or
// because the context did. Nothing of its process group is left then.
func (c *CommandLine) start(ctx context.Context, s start) ending {
	var stdout, stderr output
	cmd := shell(ctx, c.program, append(append([]string{}, c.prefix...), s.words...))
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.home.work(), s.env, &stdout, &stderr
	cmd.WaitDelay = pipesGrace
	old := s.home.there()
	if err := cmd.Start(); err != nil {
		return ending{crash: fmt.Sprintf("the command could not be started: %v", err)}
	}
	ended := make(chan struct{})
	var beside sync.WaitGroup
	var signalled *time.Time
	beside.Go(func() { s.home.watch(old, ended) })
	var delays delays
	beside.Go(func() { delays = followDelay(cmd.Process.Pid, ended) })
	beside.Go(func() {
		if s.signal == nil {
			return
		}
		select {
		case <-ended:
		case <-s.signal.Due:
			now := time.Now()
			if sendSignal(cmd.Process.Pid, s.signal.Name) == nil {
				signalled = &now
			}
		}
	})
	err := cmd.Wait()
	close(ended)
	killGroup(cmd.Process.Pid)
	beside.Wait()
	stdout.close()
	stderr.close()
	e := ending{delays: delays, stdout: stdout.text(), stderr: stderr.text(), signalled: signalled}
	c.spent(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime())
	e.exit, e.signal = endedBy(cmd.ProcessState)
	var exited *exec.ExitError
	switch {
	case ctx.Err() != nil && e.signal == "KILL":
		e.crash = "the command had not ended when its time was over, and was killed"
	case err != nil && !errors.As(err, &exited) && !errors.Is(err, exec.ErrWaitDelay) && !errors.Is(err, ctx.Err()):
		e.crash = fmt.Sprintf("the command could not be waited for: %v", err)
	case e.signal != "" && signalled == nil:
		e.crash = "the command was ended by the signal " + e.signal
	}
	return e
}

// spent notes what a start took of a processor's time.
func (c *CommandLine) spent(took time.Duration) {
	for {
		most := c.cost.Load()
		if int64(took) <= most || c.cost.CompareAndSwap(most, int64(took)) {
			return
		}
	}
}

// Cost implements Started.
func (c *CommandLine) Cost() time.Duration { return time.Duration(c.cost.Load()) }
